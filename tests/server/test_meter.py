"""Processor time is charged to whoever asked, step by step, in whatever task; waiting costs nothing."""

import asyncio
import time

import pytest

from branchline.server.guard.door import RESERVE, room
from branchline.server.guard.limits import KEYS, Limit, Limiter
from branchline.server.guard.meter import Account, metered, payer


def burn(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def purse(burst: float = 10.0) -> Limiter:
    return Limiter(Limit(0.0, burst), 1.0, lambda: 0.0)


def test_steps_are_charged_and_waiting_is_not() -> None:
    async def work() -> str:
        burn(0.02)
        await asyncio.sleep(0.05)
        burn(0.02)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await asyncio.sleep(10)
        return "done"

    async def run() -> None:
        addresses, people = purse(), purse()
        account = Account(addresses, "192.0.2.1")
        account.also(people, "ada")
        payer.set(account)
        assert await asyncio.create_task(metered(work())) == "done"
        for spent in (10 - addresses._left("192.0.2.1"), 10 - people._left("ada")):
            assert 0.04 <= spent < 0.2
        payer.set(None)
        assert await metered(work()) == "done"

    asyncio.run(run())


def test_what_is_raised_and_cancelled_is_charged_too() -> None:
    async def wrong() -> None:
        burn(0.01)
        raise KeyError("x")

    async def slow() -> None:
        try:
            await asyncio.sleep(10)
        finally:
            burn(0.01)

    async def run() -> None:
        limiter = purse()
        payer.set(Account(limiter, "a"))
        with pytest.raises(KeyError):
            await metered(wrong())
        task = asyncio.create_task(metered(slow()))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert 10 - limiter._left("a") >= 0.02

    asyncio.run(run())


def test_whoever_has_spent_all_has_to_wait() -> None:
    now = [0.0]
    limiter = Limiter(Limit(0.1, 1.0), 1.0, lambda: now[0])
    account = Account(limiter, "a")
    account.charge(0.9)
    before = account.is_spent
    account.charge(50)
    assert (before, account.is_spent) == (False, True)
    spent = []
    for now[0] in (9.0, 11.0):  # what was taken beyond what there was is bounded too
        spent.append(account.is_spent)
    assert spent == [True, False]


def test_a_crowd_of_keys_is_forgotten_in_time() -> None:
    now = [0.0]
    limiter = Limiter(Limit(1, 2), 1.0, lambda: now[0])
    for n in range(3 * KEYS):
        now[0] += 0.001
        limiter.allows(str(n))
    assert len(limiter._buckets) < 2 * KEYS


def test_some_descriptors_are_for_no_connection() -> None:
    """The database, the bots' workers and the log need some when connections have taken all they may."""
    resource = pytest.importorskip("resource")
    most = room()
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert RESERVE == 128
    assert most == 65_536 - RESERVE if soft == resource.RLIM_INFINITY else most == min(soft, 65_536) - RESERVE
