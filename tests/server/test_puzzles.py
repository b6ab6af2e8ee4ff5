"""Puzzles on the server: no answer before one has tried, and the first try counts."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import orjson

from branchline.codec import to_line
from branchline.review.puzzles import by_id, of_the_day, shipped
from tests.server.client import Person
from tests.server.house import running
from tests.server.test_challenges import refused


def test_a_puzzle_is_solved_or_failed_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bo = [await Person(server.url, name).arrive() for name in ("Ada", "Bo")]
            listed = await ada.get("/api/puzzles")
            assert len(listed["puzzles"]) == len(shipped())
            today = await ada.get("/api/puzzles/today")
            day = datetime.fromtimestamp(server.clock.time, UTC).date()
            assert today["id"] == listed["today"] == of_the_day(day).id
            puzzle = by_id(today["id"])
            assert puzzle is not None
            told = orjson.dumps({key: value for key, value in today.items() if key != "options"}).decode()
            for secret in ("best", "lead", "second", "reason", "found", "others"):
                assert f'"{secret}"' not in told
            assert to_line(puzzle.best) in today["options"]
            assert today["options"] == sorted(today["options"])
            path = f"/api/puzzles/{today['id']}/answer"
            assert await refused(Person(server.url, "a stranger").post(path, action="pass")) == "stranger"
            for nonsense in ("pass", "claim nowhere 4 red", "nothing at all"):
                assert await refused(ada.post(path, action=nonsense)) == "question"
            wrong = next(line for line in today["options"] if line != to_line(puzzle.best))
            assert not (await ada.post(path, action=wrong))["solved"]
            right = await ada.post(path, action=to_line(puzzle.best))
            assert right["solved"]
            assert right["lead"] == list(puzzle.lead)
            assert (await bo.post(path, action=to_line(puzzle.best)))["solved"]
            assert (await ada.get("/api/puzzles/today"))["solved"] is False
            assert (await bo.get("/api/puzzles/today"))["solved"] is True
            assert await refused(ada.get("/api/puzzles/no-such-one")) == "not-found"

    asyncio.run(run())


def test_every_puzzle_that_is_shipped_can_be_asked() -> None:
    from branchline.server.study.puzzles import _options

    for puzzle in shipped():
        options = _options(puzzle)
        assert to_line(puzzle.best) in options
        assert len(options) == len(set(options)) >= 2
