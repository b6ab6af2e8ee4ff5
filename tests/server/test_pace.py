"""Pace: clocks in seconds and days, also across a restart, and seats of people who are not there."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from branchline.server.pace import GRACE
from tests.server.client import Person
from tests.server.house import Clock, Running, running
from tests.server.test_tables import OPEN, crowd, refused

DAY = 86_400.0


async def two(server: Running, **more: Any) -> tuple[str, Person, Person]:
    """A game of Ada, who has answered the opening, and Bea, who has not."""
    ada, bea = await crowd(server, "Ada", "Bea")
    table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN], **more))["id"]
    for seat, person in enumerate((ada, bea)):
        await person.sit(table, seat)
    await ada.post(f"/api/tables/{table}/start")
    async with ada.socket(table, 0) as socket:
        view = await socket.until_view()
        await socket.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
    return table, ada, bea


def moved(person: Person, server: Running) -> Person:
    """The same person, at a server that was started again."""
    again = Person(server.url, person.name)
    again.id, again.http.cookies = person.id, person.http.cookies
    return again


def test_an_absent_seat_goes_to_a_bot_and_back(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea, eve = await crowd(server, "Ada", "Bea", "Eve")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            await ada.sit(table, 0)
            await bea.sit(table, 1)
            await ada.post(f"/api/tables/{table}/start")
            at = f"/api/tables/{table}/seats"
            await refused(ada.post(f"{at}/1/hand-to-bot"), "not-absent")
            await refused(ada.post(f"{at}/1/release"), "not-absent")
            await refused(eve.post(f"{at}/1/hand-to-bot"), "no-seat")
            server.clock.time += 301
            async with ada.socket(table, 0) as socket:
                await ada.post(f"{at}/1/hand-to-bot")
                answered = await socket.until_view(lambda m: m["entry"] and m["entry"]["by"] == "stand-in")
                assert answered["entry"]["seat"] == 1
            await refused(ada.post(f"{at}/1/take-back"), "not-yours")
            info = await bea.post(f"{at}/1/take-back")
            assert info["seats"][1]["level"] is None
            # Bea lost her cookie: the owner frees the seat, and she sits down again as somebody new.
            server.clock.time += 301
            await ada.post(f"{at}/1/release")
            new = await Person(server.url, "Bea again").arrive()
            info = await new.sit(table, 1)
            assert info["seats"][1]["name"] == "Bea again"
            async with new.socket(table, 1) as socket:
                assert (await socket.until_view())["view"]["own"]["tickets"] is not None
            async with bea.socket(table, 1) as socket:
                assert (await socket.until_view())["view"]["own"] is None
            await new.post(f"{at}/1/leave")
            info = await ada.post(f"{at}/1/hand-to-bot")
            assert info["seats"][1]["left"]

    asyncio.run(run())


def test_whoever_never_came_back_after_a_restart_is_told_of_too(tmp_path: Path) -> None:
    """Nothing else happens at a table that waits for them; the others are told when it is time."""

    async def run() -> None:
        clock = Clock()
        async with running(tmp_path, clock) as server:
            table, ada, _ = await two(server)
        async with running(tmp_path, clock) as server:
            ada = moved(ada, server)
            live = await server.house.lobby.find(table)
            live.services = replace(live.services, patience=0.2)
            async with ada.socket(table, 0) as socket:
                here = await socket.until(lambda m: m["is"] == "table")
                assert not here["table"]["seats"][1]["absent"]
                clock.time += 0.3
                await socket.until(lambda m: m["is"] == "table" and m["table"]["seats"][1]["absent"])

    asyncio.run(run())


def test_the_clock_plays_one_turn_and_the_log_says_so(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea = await crowd(server, "Ada", "Bea")
            pace = {"kind": "seconds", "length": 30}
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN], pace=pace))["id"]
            await ada.sit(table, 0)
            await bea.sit(table, 1)
            await ada.post(f"/api/tables/{table}/start")
            live = await server.house.lobby.find(table)
            async with ada.socket(table, 0) as socket:
                view = await socket.until_view()
                assert view["deadline"] == server.clock.time + 30
                await socket.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
                server.clock.time += 31
                server.house.minder.look_after(live)
                late = await socket.until_view(lambda m: m["entry"] and m["entry"]["by"] == "clock")
                assert late["entry"]["seat"] == 1
                assert late["deadline"] == server.clock.time + 30
                await socket.until(lambda m: m["is"] == "table" and m["table"]["seats"][1]["absent"])

    asyncio.run(run())


@pytest.mark.parametrize(("kind", "length", "seconds"), [("seconds", 30, 30.0), ("days", 2, 2 * DAY)])
def test_a_turn_that_ran_out_while_the_server_was_down_is_played_after_it_is_back(
    tmp_path: Path, kind: str, length: int, seconds: float
) -> None:
    async def run() -> None:
        clock = Clock()
        async with running(tmp_path, clock) as server:
            table, ada, bea = await two(server, pace={"kind": kind, "length": length})
            assert (await ada.get(f"/api/tables/{table}"))["deadline"] == clock.time + seconds
        clock.time += seconds + 3_600
        async with running(tmp_path, clock) as server:
            ada, bea = moved(ada, server), moved(bea, server)
            async with asyncio.timeout(60):
                while not server.house.lobby.live:
                    await asyncio.sleep(0.01)
            (live,) = server.house.lobby.live
            async with ada.socket(table, 0) as socket:
                assert (await socket.until_view())["n"] == 2  # people get a moment to come back
                clock.time += GRACE + 1
                server.house.minder.look_after(live)
                late = await socket.until_view(lambda message: message["n"] == 3)
                assert (late["entry"]["seat"], late["entry"]["by"]) == (1, "clock")
                assert late["deadline"] == clock.time + seconds
                history = await socket.ask("history", since=2)
                assert [(entry["seat"], entry["by"]) for entry in history["entries"][:1]] == [(1, "clock")]

    asyncio.run(run())


def test_a_correspondence_game_sleeps_and_is_woken_in_time(tmp_path: Path) -> None:
    async def run() -> None:
        clock = Clock()
        async with running(tmp_path, clock) as server:
            table, ada, _ = await two(server, pace={"kind": "days", "length": 2})
            clock.time += DAY
            await server.house.lobby.tidy()
            assert server.house.lobby.live == []
            mine = await ada.get("/api/me/tables")
            assert [(line["to_act"], line["deadline"]) for line in mine] == [([1], clock.time + DAY)]
            clock.time += DAY - 60
            await server.house.lobby.tidy()
            assert [live.id for live in server.house.lobby.live] == [table]

    asyncio.run(run())


def test_a_seat_is_taken_back_while_its_bot_is_about_to_act(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path, bot_pace=1_000) as server:
            table, ada, bea = await two(server)
            server.clock.time += 301
            handed = await ada.post(f"/api/tables/{table}/seats/1/hand-to-bot")
            assert handed["seats"][1]["level"] == "regular"
            back = await bea.post(f"/api/tables/{table}/seats/1/take-back")
            assert back["seats"][1]["level"] is None
            async with bea.socket(table, 1) as socket:
                view = await socket.until_view()
                done = await socket.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
                assert done["is"] == "done"
                entries = (await socket.ask("history", since=0))["entries"]
                assert [entry["by"] for entry in entries] == ["table", "person", "person"]

    asyncio.run(run())


def test_how_long_somebody_is_away_is_known_after_the_table_slept(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            table, ada, _ = await two(server)
            server.clock.time += 200
            await server.house.lobby.tidy()
            assert server.house.lobby.live == []
            await refused(ada.post(f"/api/tables/{table}/seats/1/hand-to-bot"), "not-absent")
            server.clock.time += 101
            await ada.post(f"/api/tables/{table}/seats/1/hand-to-bot")

    asyncio.run(run())
