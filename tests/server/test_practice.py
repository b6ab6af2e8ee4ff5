"""Practice and reviews: finished games only, nobody's deal before they played it, and bots come first."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from branchline import Game
from branchline.maps import load_map, map_from_data
from branchline.record import Record
from branchline.review import Review
from branchline.server.refused import Refused
from branchline.server.store import SqliteStore
from branchline.server.study import reviews
from tests.server.client import ROOT, Json, Person, play
from tests.server.house import Running, running
from tests.server.test_challenges import OPEN, bot, refused

RECORD = json.loads((ROOT / "tests/records/new-york-2.json").read_text())
HOW = {"at": 6, "seat": 0, "levels": [None, "random"], "redeal": False, "bots": "at-once"}


async def finished(person: Person, seed: int = 1) -> str:
    """The id of a table at which somebody has played a short game."""
    table: str = (await person.post("/api/tables", map="new-york", seats=[OPEN, bot("random")], bots="at-once"))["id"]
    await person.sit(table, 0)
    await person.post(f"/api/tables/{table}/start")
    async with person.socket(table, 0) as socket:
        await play(socket, Random(seed))
    return table


async def reviewed(person: Person, path: str) -> list[Json]:
    """What one is told while a review is made, up to its end."""
    told = [await person.get(path)]
    while told[-1]["state"] in ("waiting", "running"):
        await asyncio.sleep(0.05)
        told.append(await person.get(path))
    return told


def test_a_running_game_is_never_forked_nor_reviewed(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bo = [await Person(server.url, name).arrive() for name in ("Ada", "Bo")]
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            for asks in (ada, bo):  # before the start, and while it runs
                assert await refused(asks.post(f"/api/tables/{table}/practice", **HOW)) == "running"
            await ada.sit(table, 0)
            await bo.sit(table, 1)
            await ada.post(f"/api/tables/{table}/start")
            for asks in (ada, bo):
                assert await refused(asks.post(f"/api/tables/{table}/practice", **HOW)) == "running"
                assert await refused(asks.post(f"/api/tables/{table}/review", depth=1)) == "running"
                assert await refused(asks.get(f"/api/tables/{table}/review")) == "running"

    asyncio.run(run())


@pytest.mark.parametrize("redeal", [False, True])
def test_practice_goes_on_from_a_moment_to_the_end(tmp_path: Path, redeal: bool) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bo = [await Person(server.url, name).arrive() for name in ("Ada", "Bo")]
            table = await finished(ada)
            moves = await bo.get(f"/api/tables/{table}/moves")
            before = moves["moves"][6]
            for wrong, code in (
                ({"seat": 2}, "practice"),
                ({"at": 9_999}, "practice"),
                ({"levels": [None] * 3}, "seats"),
            ):
                assert await refused(bo.post(f"/api/tables/{table}/practice", **{**HOW, **wrong})) == code
            assert await refused(bo.post(f"/api/tables/{table}/practice", **{**HOW, "levels": [None, "x"]})) == "level"
            made = await bo.post(f"/api/tables/{table}/practice", **{**HOW, "redeal": redeal})
            assert made["practice"]["totals"] == [seat["total"] for seat in moves["scores"]["seats"]]
            assert made["practice"]["game"] == table
            async with bo.socket(made["id"], 0) as socket:
                view = (await socket.until_view())["view"]
                # What the seat knew then is as it was, whatever was dealt anew.
                assert view["own"]["hand"] == before["own"][0]["hand"]
                assert view["own"]["tickets"] == before["own"][0]["tickets"]
                assert view["owners"] == before["view"]["owners"]
                over = await play(socket, Random(4))
                assert over["scores"]
            walked = await bo.get(f"/api/tables/{made['id']}/moves")
            assert walked["scores"]["seats"] == over["scores"]["seats"]
            assert walked["moves"][0]["own"][0] == before["own"][0]
            assert await refused(bo.get(f"/api/tables/{made['id']}/record")) == "practice"
            assert await refused(bo.post(f"/api/tables/{made['id']}/review", depth=1)) == "practice"
            (line,) = await bo.get("/api/me/tables")
            assert line["practice"]

    asyncio.run(run())


def test_a_practice_game_survives_a_restart_without_its_state(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada = await Person(server.url, "Ada").arrive()
            made = await ada.post(f"/api/tables/{await finished(ada)}/practice", **HOW)
        store = SqliteStore(f"sqlite:///{tmp_path / 'tables.db'}")
        row = await store.table(made["id"])
        assert row is not None
        await store.save_table(replace(row, state=None, digest="", revision=row.revision + 1), [ada.id])
        await store.close()
        again = running(tmp_path, port=int(server.url.rpartition(":")[2]))
        async with again, ada.socket(made["id"], 0) as socket:
            assert (await socket.until_view())["view"]["turn"] >= made["practice"]["turn"]

    asyncio.run(run())


def test_a_review_is_made_step_by_step_kept_and_found_again(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bo = [await Person(server.url, name).arrive() for name in ("Ada", "Bo")]
            table = await finished(ada)
            path = f"/api/tables/{table}/review"
            assert (await bo.get(f"{path}?depth=1"))["state"] == "none"
            assert (await ada.post(path, depth=1))["state"] in ("waiting", "running")
            second = await finished(ada, 2)
            assert await refused(ada.post(f"/api/tables/{second}/review", depth=1)) == "reviews"
            told = await reviewed(bo, f"{path}?depth=1")
            steps = [state["done"] for state in told]
            assert steps == sorted(steps)
            assert len(set(steps)) > 3
            assert told[-1]["state"] == "done"
            review = told[-1]["review"]
            assert Review.from_dict(review).depth == 1
            assert review["totals"] == [
                seat["total"] for seat in (await ada.get(f"/api/tables/{table}/moves"))["scores"]["seats"]
            ]
            assert (await bo.post(path, depth=1))["state"] == "done"
        async with running(tmp_path, port=int(server.url.rpartition(":")[2])):
            assert (await bo.get(f"{path}?depth=1"))["review"] == review

    asyncio.run(run())


def test_a_record_that_somebody_sends(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada = await Person(server.url, "Ada").arrive()
            state = await ada.post("/api/records/review?depth=1", **RECORD)
            assert state["game"].startswith("r-")
            told = await reviewed(ada, f"/api/reviews/{state['game']}?depth=1")
            assert told[-1]["review"]["totals"] == [seat["total"] for seat in RECORD["result"]["seats"]]
            how = json.dumps({**HOW, "levels": [None, "regular"]})
            assert (await ada.post(f"/api/records/practice?how={how}", **RECORD))["practice"]["game"] is None
            forged = {**RECORD, "log": [[1 - RECORD["log"][0][0], RECORD["log"][0][1]], *RECORD["log"][1:]]}
            other = {**RECORD, "rules": 99}
            half = {**RECORD, "log": RECORD["log"][:-3], "result": None}
            for wrong in (forged, other, half):
                assert await refused(ada.post(f"/api/records/practice?how={how}", **wrong)) == "practice"
                sent = await ada.post("/api/records/review?depth=1", **wrong)
                told = await reviewed(ada, f"/api/reviews/{sent['game']}?depth=1")
                assert told[-1]["state"] == "failed"
                assert told[-1]["problem"] == "record"
            assert await refused(ada.post(f"/api/records/practice?how={how}", some="thing")) == "record"
            assert await refused(ada.post("/api/records/review", some="thing")) == "record"
            assert await refused(ada.post("/api/records/practice?how=nonsense", **RECORD)) == "malformed"
            # A map of somebody's own is not played on here, whatever it is called.
            assert await refused(ada.post(f"/api/records/practice?how={how}", **_on_another_map())) == "practice"

    asyncio.run(run())


def _on_another_map() -> Json:
    """A whole game on a map that calls itself New York and is not."""
    data = load_map("new-york").to_dict()
    data["routes"][0]["length"] = 1 + data["routes"][0]["length"] % 2
    game, random = Game.new(map_from_data(data, ()), 2, 1), Random(1)
    while not game.over:
        seat = game.to_act[0]
        game.play(seat, random.choice(game.legal_actions(seat)))
    return Record.of(game, seed=1).to_dict()


def test_reviews_are_counted_and_bots_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with running(tmp_path, rate_limits=1.0) as server:
            house, asked = server.house, list[int]()

            def ask(_: reviews.Reviews, function: Any, *__: Any) -> Any:
                asked.append(house.workers.waiting)
                return _answer(function)

            monkeypatch.setattr(reviews.Reviews, "_ask", ask)
            ada = await Person(server.url, "Ada").arrive()
            house.workers._waiting = house.workers.count  # bots think wherever they can
            state = await house.reviews.ask("r-" + "0" * 64, 2, json.dumps(RECORD).encode(), ada.id, "home")
            while not asked:
                await asyncio.sleep(0.05)
            await asyncio.sleep(0.5)
            assert asked == [house.workers.count]  # it has begun, and judges nothing meanwhile
            house.workers._waiting = 0
            while state["state"] != "done":
                await asyncio.sleep(0.02)
                state = await house.reviews.state("r-" + "0" * 64, 2)
            assert set(asked[1:]) == {0}
            allowed = 0
            for depth in (3, 3, 3):
                code = await _code(ada.post(f"/api/records/review?depth={depth}", **RECORD))
                allowed += code != "reviews"
                while await house.reviews.waits_for(ada.id):
                    await asyncio.sleep(0.02)
                await house.store.write(lambda connection: connection.exec_driver_sql("delete from reviews"))  # type: ignore[attr-defined]
            assert allowed == 2

    def _answer(function: Any) -> Any:
        if function.__name__ == "begin":
            return 5
        return {} if function.__name__ == "judge_step" else {"seats": [{"accuracy": 90.0}], "series": [[]] * 5}

    async def _code(call: Any) -> str:
        try:
            await call
        except Exception as error:
            return str(error.problem["code"])  # type: ignore[attr-defined]
        return ""

    asyncio.run(run())


def test_practice_waits_at_the_desk_by_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others' records are made there too: with a name for each person, one address could fill it."""

    async def run() -> None:
        async with running(tmp_path) as server:
            people = [await Person(server.url, name).arrive() for name in ("Ada", "Bo")]
            table = await finished(people[0])
            await people[0].get(f"/api/tables/{table}/record")
            waited: list[str] = []

            async def do(who: str, *_: Any) -> None:
                waited.append(who)
                raise Refused("busy", "", status=503)

            monkeypatch.setattr(server.house.records.ours, "do", do)
            for person in people:
                assert await refused(person.post(f"/api/tables/{table}/practice", **HOW)) == "busy"
            assert waited == ["practice 127.0.0.1"] * 2

    asyncio.run(run())


def test_one_address_does_not_take_all_reviews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty people of one address ask first: somebody else waits for the one that is being made."""

    async def run() -> None:
        async with running(tmp_path) as server:
            reviews_, go, made = server.house.reviews, asyncio.Event(), list[str]()

            async def review(job: reviews.Job) -> None:
                await go.wait()
                made.append(job.game)

            monkeypatch.setattr(reviews_, "_review", review)
            for n in range(reviews.EACH):
                await reviews_.ask(f"den-{n}", 1, b"{}", f"eve-{n}", "den")
            with pytest.raises(Refused, match="busy"):
                await reviews_.ask("den-more", 1, b"{}", "eve-more", "den")
            await asyncio.sleep(0)  # the first is being made
            for place, ahead in (("home", 1), ("farm", 2)):
                state = await reviews_.ask(place, 1, b"{}", place, place)
                assert (state["state"], state["ahead"]) == ("waiting", ahead)
            go.set()
            while len(made) < reviews.EACH + 2:
                await asyncio.sleep(0.01)
            assert made == ["den-0", "home", "farm", "den-1", "den-2", "den-3"]
            assert not reviews_._had

    asyncio.run(run())


def test_a_review_has_so_much_processor_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            state = await server.house.reviews.ask("r-" + "1" * 64, 3, json.dumps(RECORD).encode(), "ada", "home")
            while state["state"] != "failed":
                await asyncio.sleep(0.1)
                state = await server.house.reviews.state("r-" + "1" * 64, 3)
            assert state["problem"] == "too-much"

    monkeypatch.setattr(reviews, "WHOLE", 0.0)
    asyncio.run(run())


def test_nobody_practises_a_deal_that_they_have_yet_to_play(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bo = [await Person(server.url, name).arrive() for name in ("Ada", "Bo")]
            await _played_challenge(server, ada, bo)

    async def _played_challenge(server: Running, ada: Person, bo: Person) -> None:
        made = await ada.post("/api/challenges", map="new-york", seats=[OPEN, bot("random")])
        table = (await ada.post(f"/api/challenges/{made['id']}/play", bots="at-once"))["id"]
        async with ada.socket(table, 0) as socket:
            await play(socket, Random(1))
        assert (await ada.post(f"/api/tables/{table}/practice", **HOW))["practice"]
        assert await refused(bo.post(f"/api/tables/{table}/practice", **HOW)) == "challenge"
        assert await refused(bo.post(f"/api/tables/{table}/review", depth=1)) == "challenge"
        assert await refused(bo.get(f"/api/tables/{table}/review")) == "challenge"

    asyncio.run(run())
