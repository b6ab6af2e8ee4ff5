"""The same deal for everybody: equal actions give equal games, and nobody learns of it before they have played."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from branchline.record import Record
from branchline.review.deals import dealt, of_the_day
from tests.server.client import Json, Person, Refusal, play
from tests.server.house import Running, running

OPEN = {"who": "open"}
DAY = 86_400.0


def bot(level: str) -> Json:
    return {"who": "bot", "level": level}


@asynccontextmanager
async def people(server: Running, *names: str) -> AsyncIterator[list[Person]]:
    yield [await Person(server.url, name).arrive() for name in names]


async def play_out(person: Person, challenge: str, random: Random) -> Json:
    """Play a challenge to its end; its record."""
    table = (await person.post(f"/api/challenges/{challenge}/play", bots="at-once"))["id"]
    async with person.socket(table, 0) as socket:
        await play(socket, random)
    record: Json = await person.get(f"/api/tables/{table}/record")
    return record


async def refused(call: Any) -> str:
    with pytest.raises(Refusal) as refusal:
        await call
    return str(refusal.value.problem["code"])


@pytest.mark.parametrize(
    ("map", "levels"), [("new-york", ["expert", "regular"]), ("europe", ["novice"]), ("new-york", ["random"])]
)
def test_equal_actions_give_equal_games(tmp_path: Path, map: str, levels: list[str]) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, people(server, "Ada", "Bo", "Cy") as (ada, bo, cy):
            made = await ada.post("/api/challenges", map=map, seats=[OPEN, *(bot(level) for level in levels)])
            id = made["id"]
            first, second = await play_out(ada, id, Random(5)), await play_out(bo, id, Random(5))
            assert first["log"] == second["log"]
            assert first["result"] == second["result"]
            assert first["key"] == second["key"]
            other = await play_out(cy, id, Random(6))
            assert other["key"] == first["key"]
            assert other["log"] != first["log"]
            # Each is a record that holds by itself, with the commitment that was told before.
            assert first["commitment"] == made["commitment"]
            for record in (first, other):
                assert Record.from_dict(record).verify().ok
            opened = await cy.get(f"/api/challenges/{id}")
            assert [line["names"][0] for line in opened["results"]] == ["Ada", "Bo", "Cy"]
            totals = [line["scores"][0]["total"] for line in opened["results"]]
            assert totals == [record["result"]["seats"][0]["total"] for record in (first, second, other)]
            assert sha256(bytes.fromhex(opened["seed"])).hexdigest() == made["commitment"]
            assert opened["players"] == opened["finished"] == 3
            # Everybody can look at everybody's replay now.
            assert (await ada.get(f"/api/tables/{opened['results'][2]['table']}/moves"))["scores"] is not None

    asyncio.run(run())


def test_nobody_learns_of_a_deal_that_they_have_yet_to_play(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, people(server, "Ada", "Bo") as (ada, bo):
            made = await ada.post("/api/challenges", map="new-york", seats=[OPEN, bot("random")])
            id, at = made["id"], f"/api/challenges/{made['id']}"
            assert made["seed"] is None
            assert made["results"] is None
            record = await play_out(ada, id, Random(1))
            table = (await ada.get(at))["mine"]
            for asks in (bo, Person(server.url, "a stranger")):
                told = await asks.get(at)
                assert told["seed"] is None
                assert told["results"] is None
                assert told["finished"] == 1
                assert record["key"] not in str(told)
                for what in ("record", "moves"):
                    assert await refused(asks.get(f"/api/tables/{table}/{what}")) == "challenge"
            mine = (await bo.post(f"{at}/play", bots="at-once"))["id"]
            # Playing is not having played.
            assert (await bo.get(at))["results"] is None
            assert await refused(bo.get(f"/api/tables/{table}/moves")) == "challenge"
            assert await refused(bo.get(f"/api/tables/{mine}/record")) == "running"
            for looks, whose in ((ada, mine), (bo, table)):
                async with looks.socket(whose) as socket:
                    with pytest.raises(Exception, match="4403"):
                        await socket.until_view(timeout=5)
                    assert not any('"row"' in frame for frame in socket.frames)
            async with bo.socket(mine, 0) as socket:
                assert (await socket.until_view())["view"]["own"]["hand"]
                assert (await socket.ask("hint", seat=0))["problem"]["code"] == "no-hints"
            assert await refused(bo.post(f"/api/tables/{mine}/seats/0/hand-to-bot")) == "challenge"
            # Once only: the same table again, whoever asks how often.
            assert (await bo.post(f"{at}/play", bots="at-once"))["id"] == mine
            await bo.put(f"/api/tables/{mine}/abandon", agree=True)
            told = await bo.get(at)
            assert [line["scores"] == [] for line in told["results"]] == [False, True]
            assert (await bo.post(f"{at}/play", bots="at-once"))["status"] == "abandoned"

    asyncio.run(run())


def test_a_challenge_that_is_over_unknown_or_makes_no_sense(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, people(server, "Ada", "Bo") as (ada, bo):
            for seats, tables in (([OPEN, OPEN], 0), ([bot("random")] * 2, 0), ([OPEN, bot("random")], 1)):
                made = ada.post("/api/challenges", map="new-york", seats=seats, tables=tables)
                assert await refused(made) == "seats"
            assert await refused(ada.post("/api/challenges", map="new-york", seats=[OPEN, bot("nobody")])) == "level"
            assert (
                await refused(ada.post("/api/challenges", map="atlantis", seats=[OPEN, bot("random")])) == "not-found"
            )
            for nowhere in ("nowhere", "day-2026-13-01", "day-2025-12-31", "day-2999-01-01"):
                assert await refused(ada.get(f"/api/challenges/{nowhere}")) == "not-found"
                assert await refused(ada.post(f"/api/challenges/{nowhere}/play", bots="normal")) == "not-found"
            id = (await ada.post("/api/challenges", map="new-york", seats=[OPEN, bot("random")], days=2))["id"]
            assert await refused(bo.post(f"/api/challenges/{id}/end")) == "not-owner"
            began = (await ada.post(f"/api/challenges/{id}/play", bots="normal"))["id"]
            server.clock.time += 2 * DAY
            assert await refused(bo.post(f"/api/challenges/{id}/play", bots="normal")) == "challenge-over"
            told = await bo.get(f"/api/challenges/{id}")
            assert told["over"]
            assert told["seed"]
            # Who had begun may end it; that it was late is said.
            async with ada.socket(began, 0) as socket:
                server.clock.time += 1
                await play(socket, Random(2))
            (line,) = (await bo.get(f"/api/challenges/{id}"))["results"]
            assert line["late"]

    asyncio.run(run())


def test_a_club_plays_one_deal_at_several_tables(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, people(server, "Ada", "Bo", "Cy", "Di") as (ada, bo, cy, di):
            seats = [OPEN, OPEN, bot("random")]
            made = await ada.post("/api/challenges", map="new-york", seats=seats, tables=2, title="Tuesday")
            one, two = [table["table"] for table in made["tables"]]
            assert await refused(ada.post(f"/api/challenges/{made['id']}/play", bots="normal")) == "challenge"
            await ada.sit(one, 0)
            assert await refused(ada.sit(two, 0)) == "played"
            await ada.post(f"/api/tables/{one}/seats/0/leave")
            await ada.sit(two, 1)
            await ada.post(f"/api/tables/{two}/seats/1/leave")
            await ada.sit(one, 0)
            await bo.sit(one, 1)
            await cy.sit(two, 0)
            await di.sit(two, 1)
            assert await refused(ada.put(f"/api/tables/{two}/seats/2", who="closed")) == "challenge"
            assert await refused(ada.put(f"/api/tables/{two}/first", seat=1)) == "challenge"
            for person, table in ((ada, one), (cy, two)):
                await person.post(f"/api/tables/{table}/start")

            async def both(table: str, a: Person, b: Person) -> None:
                async with a.socket(table, 0) as mine, b.socket(table, 1) as theirs:
                    await asyncio.gather(play(mine, Random(1)), play(theirs, Random(2)))

            await both(one, ada, bo)
            assert await refused(cy.get(f"/api/tables/{one}/moves")) == "challenge"
            await both(two, cy, di)
            told = await di.get(f"/api/challenges/{made['id']}")
            assert [table["status"] for table in told["tables"]] == ["over", "over"]
            assert [line["names"][:2] for line in told["results"]] == [["Ada", "Bo"], ["Cy", "Di"]]
            assert [line["mine"] for line in told["results"]] == [[], [1]]
            records = [await di.get(f"/api/tables/{table}/record") for table in (one, two)]
            assert records[0]["key"] == records[1]["key"]
            # Opening answers may come in any order, and nothing depends on it.
            assert sorted(records[0]["log"][:2]) == sorted(records[1]["log"][:2])
            assert records[0]["log"][2:] == records[1]["log"][2:]

    asyncio.run(run())


def test_a_deal_that_a_club_still_plays_stays_closed(tmp_path: Path) -> None:
    """Who made a challenge ends it in the middle of their own game at one of its tables: its seed is others' hands."""

    async def run() -> None:
        async with running(tmp_path) as server, people(server, "Ada", "Bo", "Cy") as (ada, bo, cy):
            made = await ada.post("/api/challenges", map="new-york", seats=[OPEN, OPEN], tables=2)
            at, (one, two) = f"/api/challenges/{made['id']}", [table["table"] for table in made["tables"]]
            for table in (one, two):
                people_ = (ada, bo) if table == one else (cy, cy)
                for seat, person in enumerate(people_):
                    await person.sit(table, seat)
                await people_[0].post(f"/api/tables/{table}/start")
            await cy.put(f"/api/tables/{two}/abandon", agree=True)
            for told in (await ada.post(f"{at}/end"), await bo.get(at), await Person(server.url, "Eve").get(at)):
                assert told["over"]
                assert told["seed"] is told["results"] is None
            for asks in (ada, bo, Person(server.url, "Eve")):
                assert await refused(asks.get(f"/api/tables/{two}/record")) == "challenge"
                assert await refused(asks.get(f"/api/tables/{one}/record")) in ("running", "challenge")
            assert (await cy.get(at))["seed"]
            for person in (ada, bo):
                await person.put(f"/api/tables/{one}/abandon", agree=True)
            assert (await Person(server.url, "Eve").get(at))["seed"]

    asyncio.run(run())


def test_who_is_refused_a_seat_of_a_club_has_not_played(tmp_path: Path) -> None:
    """A try at a table that has ended would open the deal; at one that plays, it would keep them from any other."""

    async def run() -> None:
        async with running(tmp_path) as server, people(server, "Ada", "Bo", "Cy", "Di") as (ada, bo, cy, di):
            made = await ada.post("/api/challenges", map="new-york", seats=[OPEN, OPEN], tables=3)
            at, (one, two, three) = f"/api/challenges/{made['id']}", [table["table"] for table in made["tables"]]
            for table, person in ((one, bo), (two, cy)):
                for seat in (0, 1):
                    await person.sit(table, seat)
                await person.post(f"/api/tables/{table}/start")
            await bo.put(f"/api/tables/{one}/abandon", agree=True)
            for table, code in ((one, "status"), (two, "taken")):
                assert await refused(di.sit(table, 0)) == code
                told = await di.get(at)
                assert (told["mine"], told["mine_over"], told["seed"]) == (None, False, None)
                assert await refused(di.get(f"/api/tables/{one}/record")) == "challenge"
            # Who played and tries again has played.
            assert await refused(bo.sit(one, 0)) == "status"
            assert await refused(bo.sit(three, 0)) == "played"
            await di.sit(three, 0)
            assert (await di.get(at))["mine"] == three

    asyncio.run(run())


def test_a_clubs_tables_count_as_tables_that_wait(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, people(server, "Ada") as (ada,):
            seats = [OPEN, OPEN]
            for tables in (12, 8):
                assert (await ada.post("/api/challenges", map="new-york", seats=seats, tables=tables))["tables"]
            more = ada.post("/api/challenges", map="new-york", seats=seats, tables=2)
            assert await refused(more) == "too-many-tables"
            assert len(await ada.get("/api/me/challenges")) == 2

    asyncio.run(run())


def test_the_deal_of_the_day(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, people(server, "Ada", "Bo") as (ada, bo):
            server.clock.time = 1_800_009_000.0  # a Friday, soon after nine in the morning
            today = await ada.get("/api/challenges/today")
            assert today["id"] == "day-2027-01-15"
            assert today["commitment"] == (await ada.get("/api/challenges/day-2027-01-14"))["seed"]
            assert today["seed"] is None
            table = (await ada.post(f"/api/challenges/{today['id']}/play", bots="at-once"))["id"]
            await ada.put(f"/api/tables/{table}/abandon", agree=True)
            told = await ada.get("/api/challenges/today")
            # Anybody can deal it again by the public rule alone.
            record = await ada.get(f"/api/tables/{table}/record")
            assert record["key"] == dealt(of_the_day(date(2027, 1, 15)), bytes.fromhex(told["seed"])).key.hex()
            assert record["first"] == 0
            assert (await bo.get("/api/challenges/today"))["seed"] is None
            assert await refused(bo.get("/api/challenges/day-2027-01-16")) == "not-found"
            lines = await ada.get("/api/me/challenges")
            assert [line["id"] for line in lines] == [today["id"]]
            server.clock.time += DAY
            tomorrow = await bo.get("/api/challenges/today")
            assert tomorrow["commitment"] == (await bo.get(f"/api/challenges/{today['id']}"))["seed"]

    asyncio.run(run())
