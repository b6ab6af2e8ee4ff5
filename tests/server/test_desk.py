"""Work outside the loop: bounded in time, memory and number, and told in words."""

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any

import pytest

from branchline.server.guard.desk import Desk
from branchline.server.guard.once import Once
from branchline.server.refused import Refused
from tests.server.harm import asleep, crash, double, forever, hoard, refuse, wrong


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def refusal(work: Awaitable[Any]) -> tuple[str, int]:
    with pytest.raises(Refused) as refused:
        await work
    return refused.value.code, refused.value.status


def test_what_goes_wrong_there_is_told_and_the_next_one_is_done() -> None:
    async def go() -> None:
        desk = Desk("test", seconds=0.5)
        try:
            assert await desk.do("a", double, 21) == 42
            assert await refusal(desk.do("a", refuse)) == ("record", 422)
            assert await refusal(desk.do("a", wrong)) == ("failed", 422)
            for harm in (hoard, crash, forever):
                assert await refusal(desk.do("a", harm)) == ("too-large", 422)
                assert await desk.do("a", double, 2) == 4
        finally:
            desk.close()

    run(go())


def test_few_wait_and_nobody_twice() -> None:
    async def go() -> None:
        desk = Desk("test", waiting=2, seconds=0.2)
        try:
            slow = asyncio.create_task(desk.do("a", asleep))
            await asyncio.sleep(0)
            assert await refusal(desk.do("a", double, 1)) == ("busy", 503)
            second = asyncio.create_task(desk.do("b", double, 1))
            await asyncio.sleep(0)
            assert await refusal(desk.do("c", double, 1)) == ("busy", 503)
            assert await refusal(slow) == ("too-large", 422)  # it uses no processor time, and is ended nevertheless
            assert await second == 2
        finally:
            desk.close()

    run(go())


def test_closing_ends_what_goes_on() -> None:
    async def go() -> None:
        desk = Desk("test", seconds=1_000)
        work = [asyncio.create_task(desk.do(who, forever)) for who in ("a", "b", "c")]
        while desk._killable is None:
            await asyncio.sleep(0.01)
        process = desk._killable._process
        desk.close()
        for each in work:
            assert await refusal(each) == ("busy", 503)
        assert not process.is_alive()

    run(go())


def test_made_once_for_all_who_wait() -> None:
    async def go() -> None:
        kept, made = Once(100), 0
        ready = asyncio.Event()

        async def make() -> bytes:
            nonlocal made
            made += 1
            await ready.wait()
            return b"x" * 20

        waiting = [asyncio.create_task(kept.get("a", make)) for _ in range(5)]
        await asyncio.sleep(0)
        waiting[0].cancel()  # whoever asked first may go
        ready.set()
        assert await asyncio.gather(*waiting[1:]) == [b"x" * 20] * 4
        assert made == 1
        for key in "bcdef":
            await kept.get(key, make)
        assert made == 6
        await kept.get("f", make)
        assert made == 6
        await kept.get("a", make)  # long forgotten: there is room for five
        assert made == 7

    run(go())
