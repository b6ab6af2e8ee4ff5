"""A review that one of several servers makes: each tells how far it is, none makes it again, no dead one holds it."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from branchline.killable import Failed
from branchline.server.refused import Refused
from branchline.server.study import reviews
from tests.server.several import Several, pair
from tests.server.test_practice import RECORD

GAME = "r-" + "0" * 64
OTHER = "r-" + "1" * 64
UPLOAD = json.dumps(RECORD).encode()
STEPS = 5


@pytest.fixture(params=["sqlite-local", "postgres-redis"])
def some(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Several]:
    with pair(request, tmp_path, monkeypatch) as servers:
        yield servers


class Slow:
    """Makes reviews as slowly as a test wants."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = 0
        self.go_on = Event()
        self.problem = ""
        monkeypatch.setattr(reviews.Reviews, "_ask", lambda _, function, *__: self.answer(function.__name__))
        monkeypatch.setattr(reviews, "BEAT", 0.02)

    def answer(self, function: str) -> Any:
        if function == "begin":
            self.begun += 1
            return STEPS
        if function == "judge_step":
            assert self.go_on.wait(60)
            if self.problem:
                raise Failed("ValueError", self.problem)
        return {"seats": [{"accuracy": 90.0}], "series": [[0.5]] * STEPS}


async def told(house: Any, wanted: str) -> Any:
    """What a server tells of the game once it is as wanted."""
    async with asyncio.timeout(60):
        while (state := await house.reviews.state(GAME, 2))["state"] != wanted:
            await asyncio.sleep(0.01)
    return state


def test_every_server_tells_how_far_it_is_and_none_makes_it_again(
    some: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow(monkeypatch)

    async def run() -> None:
        async with some() as servers:
            one, two = [server.house for server in servers]
            await one.reviews.ask(GAME, 2, UPLOAD, "ada", "home")
            assert (await told(two, "running"))["total"] == STEPS
            assert (await two.reviews.ask(GAME, 2, UPLOAD, "bo", "home"))["state"] == "running"
            with pytest.raises(Refused, match="reviews"):
                await two.reviews.ask(OTHER, 2, UPLOAD, "ada", "home")
            slow.go_on.set()
            assert (await told(two, "done"))["review"]["seats"] == [{"accuracy": 90.0}]
            assert slow.begun == 1
            async with asyncio.timeout(60):
                while await two.reviews.waits_for("ada"):
                    await asyncio.sleep(0.01)

    asyncio.run(run())


def test_why_it_failed_is_known_everywhere_and_it_may_be_tried_again(
    some: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow(monkeypatch)
    slow.problem = "log 3: not legal"
    slow.go_on.set()

    async def run() -> None:
        async with some() as servers:
            one, two = [server.house for server in servers]
            await one.reviews.ask(GAME, 2, UPLOAD, "ada", "home")
            assert (await told(two, "failed"))["problem"] == "record"
            slow.problem = ""
            await two.reviews.ask(GAME, 2, UPLOAD, "ada", "home")
            await told(one, "done")

    asyncio.run(run())


@pytest.mark.parametrize("how", ["retired", "dead"])
def test_a_server_that_is_gone_makes_no_review(some: Several, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    slow = Slow(monkeypatch)

    async def run() -> None:
        async with some() as servers:
            one, two = [server.house for server in servers]
            await one.reviews.ask(GAME, 2, UPLOAD, "ada", "home")
            await told(two, "running")
            if how == "dead":
                assert one.reviews._beat is not None
                one.reviews._beat.cancel()  # it says nothing any more, and time passes
                await asyncio.wait({one.reviews._beat})
                late = "update reviewing set until = 0"
                await two.store.write(lambda connection: connection.exec_driver_sql(late))  # type: ignore[attr-defined]
            else:
                await one.reviews.close()
            await told(two, "none")
            await two.reviews.ask(GAME, 2, UPLOAD, "ada", "home")
            async with asyncio.timeout(60):
                while slow.begun < 2:
                    await asyncio.sleep(0.01)
            slow.go_on.set()
            await told(two, "done")

    asyncio.run(run())
