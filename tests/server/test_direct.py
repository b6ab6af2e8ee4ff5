"""The connections that every action goes over: few, lent one by one, and none the worse for a statement that failed."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import asyncpg
import pytest

from branchline.server.store.direct import Direct

SLOW = "SELECT pg_sleep(0.05), pg_backend_pid()"


class Opened:
    """Opens connections, and knows how many there are."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.all: list[Any] = []
        self.fails = 0

    async def __call__(self) -> Any:
        if self.fails:
            self.fails -= 1
            raise OSError("nobody is there")
        self.all.append(await asyncpg.connect(self.url))
        return self.all[-1]

    @property
    def open(self) -> int:
        return sum(not connection.is_closed() for connection in self.all)


def run(url: str, case: Callable[[Direct, Opened], Coroutine[Any, Any, None]], patience: float = 60) -> None:
    async def begin() -> None:
        opened = Opened(url)
        direct = Direct(opened, 2, patience)
        try:
            await case(direct, opened)
        finally:
            await direct.close()
        assert opened.open == 0

    asyncio.run(begin())


def test_no_more_than_so_many_are_open_and_all_are_used_again(database: str) -> None:
    async def case(direct: Direct, opened: Opened) -> None:
        rows = await asyncio.gather(*(direct.fetch(SLOW, []) for _ in range(12)))
        assert len({row[0][1] for row in rows}) == 2
        assert await direct.execute("SELECT $1::int", [1]) == "SELECT 1"
        assert opened.open == len(opened.all) == 2

    run(database, case)


def test_a_statement_that_is_refused_costs_no_connection(database: str) -> None:
    async def case(direct: Direct, opened: Opened) -> None:
        for _ in range(3):
            with pytest.raises(asyncpg.PostgresError):
                await direct.fetch("SELECT 1 / 0", [])
        assert opened.open == len(opened.all) == 1

    run(database, case)


def test_one_that_was_cut_or_left_in_the_midst_is_replaced(database: str) -> None:
    async def case(direct: Direct, opened: Opened) -> None:
        left = asyncio.create_task(direct.fetch("SELECT pg_sleep(60)", []))
        ((pid,),) = await direct.fetch("SELECT pg_backend_pid()", [])
        waiting = [asyncio.create_task(direct.fetch(SLOW, [])) for _ in range(4)]
        await asyncio.sleep(0.02)
        left.cancel()
        assert len(await asyncio.gather(*waiting)) == 4
        await direct.execute("SELECT pg_terminate_backend($1) WHERE $1 <> pg_backend_pid()", [pid])
        await asyncio.sleep(0.05)
        rows = await asyncio.gather(*(_patiently(lambda: direct.fetch(SLOW, [])) for _ in range(4)))
        assert pid not in {row[0][1] for row in rows[1:]}
        assert opened.open == 2

    run(database, case)


async def _patiently(work: Callable[[], Awaitable[Any]]) -> Any:
    """As the store does it: a connection that the database has just closed is noticed by who uses it."""
    try:
        return await work()
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        return await work()


def test_who_waits_for_one_that_can_not_be_opened_tries_too(database: str) -> None:
    async def case(direct: Direct, opened: Opened) -> None:
        opened.fails = 3
        answers = await asyncio.gather(*(direct.fetch(SLOW, []) for _ in range(6)), return_exceptions=True)
        assert sum(isinstance(answer, OSError) for answer in answers) == 3
        assert opened.open == 2

    run(database, case)


def test_nobody_waits_for_ever(database: str) -> None:
    async def case(direct: Direct, opened: Opened) -> None:
        long = [asyncio.create_task(direct.fetch("SELECT pg_sleep(0.5)", [])) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError):
            await direct.fetch(SLOW, [])
        await asyncio.gather(*long)
        assert len(await direct.fetch(SLOW, [])) == 1

    run(database, case, patience=0.1)


def test_one_that_is_lent_when_all_is_closed_is_closed_when_it_comes_back(database: str) -> None:
    async def case(direct: Direct, opened: Opened) -> None:
        lent = asyncio.create_task(direct.fetch(SLOW, []))
        await direct.fetch("SELECT 1", [])
        await direct.close()
        await lent
        with pytest.raises(asyncpg.InterfaceError):
            await direct.fetch(SLOW, [])

    run(database, case)
