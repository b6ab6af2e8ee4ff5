"""Whose seat it is, is decided where its view is made; and nobody who knows a hand ever sees another's."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import Json, Person, Socket
from tests.server.house import Running, running
from tests.server.test_pace import moved
from tests.server.test_tables import CLOSED, OPEN, crowd, refused

SOCKETS = 40


class Gate:
    """Lets one of the store's calls wait, until the test opens it, and knows how many do."""

    def __init__(self, server: Running, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.waiting = 0
        self._opened = asyncio.Event()
        self._real = getattr(server.house.store, name)
        monkeypatch.setattr(server.house.store, name, self._wait)

    async def _wait(self, *arguments: Any) -> Any:
        answer = await self._real(*arguments)
        self.waiting += 1
        await self._opened.wait()
        self.waiting -= 1
        return answer

    async def until(self, many: int) -> None:
        async with asyncio.timeout(60):
            while self.waiting < many:
                await asyncio.sleep(0.005)

    def open(self) -> None:
        self._opened.set()


async def renumbered(server: Running, *sitters: str) -> tuple[str, list[Person]]:
    """A table whose first seat is closed, so that every other moves up when the game starts; its people."""
    people = await crowd(server, *sitters)
    seats = [CLOSED, *(OPEN for _ in sitters)]
    table = (await people[0].post("/api/tables", map="new-york", seats=seats))["id"]
    for seat, person in enumerate(people, start=1):
        await person.sit(table, seat)
    return table, people


async def first_view(person: Person, table: str, seat: int) -> Json:
    async with person.socket(table, seat) as socket:
        return await socket.until_view()


@pytest.mark.parametrize("call", ["session", "muted", "said"])
def test_a_socket_on_the_way_in_never_gets_the_seat_that_took_over_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Forty sockets ask for seat 1 while it is Eve's, and get their view when it is Bea's."""

    async def run() -> None:
        async with running(tmp_path, sockets_per_person=SOCKETS) as server:
            table, (eve, bea) = await renumbered(server, "Eve", "Bea")
            gate = Gate(server, monkeypatch, call)
            racing = [asyncio.create_task(first_view(eve, table, 1)) for _ in range(SOCKETS)]
            await gate.until(SOCKETS)
            live = await server.house.lobby.find(table)
            assert live.head.seats_of(eve.id) == [1]
            await live.start(eve.id)
            assert live.head.seats_of(bea.id) == [1]
            gate.open()
            for view in await asyncio.gather(*racing):
                assert view["seat"] is None
                assert view["view"]["own"] is None
                assert view["ask"] is None
                assert view["tickets"] == []

    asyncio.run(run())


def test_a_socket_that_watched_from_a_seat_before_the_start_does_not_watch_from_the_next_one(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            table, (eve, bea) = await renumbered(server, "Eve", "Bea")
            async with eve.socket(table, 1) as socket, bea.socket(table, 2) as other:
                await socket.until(lambda message: message["is"] == "said")
                await eve.post(f"/api/tables/{table}/start")
                view = await socket.until_view()
                assert (view["seat"], view["view"]["own"]) == (None, None)
                assert {event.get("tickets", [None])[0] for event in view["entry"]["events"]} == {None}
                await other.send(**{"is": "look", "seat": 1})
                assert (await other.until_view(lambda message: message["seat"] == 1))["view"]["own"] is not None

    asyncio.run(run())


@pytest.mark.parametrize("call", ["session", "muted", "said"])
def test_a_person_with_several_seats_sees_none_by_its_old_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """A tablet goes round: who was asked for by number 1 before the start must not be shown the one who is 1 now."""

    async def run() -> None:
        async with running(tmp_path) as server:
            (ada,) = await crowd(server, "Ada")
            table = (await ada.post("/api/tables", map="new-york", seats=[CLOSED, OPEN, OPEN]))["id"]
            for seat in (1, 2):
                await ada.sit(table, seat)
            gate = Gate(server, monkeypatch, call)
            racing = asyncio.create_task(first_view(ada, table, 1))
            await gate.until(1)
            await (await server.house.lobby.find(table)).start(ada.id)
            gate.open()
            assert (await racing)["seat"] is None

    asyncio.run(run())


def test_an_action_on_the_way_in_is_not_done_for_the_seat_that_took_over_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            table, (eve, bea) = await renumbered(server, "Eve", "Bea")
            live = await server.house.lobby.find(table)
            async with eve.socket(table, 1) as socket:
                await socket.until(lambda message: message["is"] == "said")
                gate = Gate(server, monkeypatch, "append")
                starting = asyncio.create_task(live.start(eve.id))
                await gate.until(1)
                # Stored, but not so yet: to the socket, seat 1 is still Eve's. She guesses what Bea is asked.
                await socket.send(**{"is": "act", "id": "a", "seat": 1, "ask": 1, "act": {"is": "keep", "tickets": []}})
                while len(live._tasks) < 2:
                    await asyncio.sleep(0.005)
                gate.open()
                await starting
                answer = await socket.until(lambda message: message.get("id") == "a")
                assert answer["problem"]["code"] == "not-yours"
            async with bea.socket(table, 1) as socket:
                assert (await socket.until_view())["ask"] == 1

    asyncio.run(run())


def test_history_is_told_through_the_seat_that_is_ones_own_by_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            table, (eve, _) = await renumbered(server, "Eve", "Bea")
            live = await server.house.lobby.find(table)
            async with eve.socket(table, 1) as socket:
                await socket.until(lambda message: message["is"] == "said")
                gate = Gate(server, monkeypatch, "entries")
                await socket.send(**{"is": "history", "id": "h", "since": 0})
                await gate.until(1)
                await live.start(eve.id)
                gate.open()
                await socket.until(lambda message: message.get("id") == "h")
                again = await socket.ask("history", since=0)
                hidden = [e for e in again["entries"][0]["events"] if e["is"] in ("dealt", "offered")]
                assert hidden
                assert {card for e in hidden for card in e.get("cards", e.get("tickets"))} == {None}

    asyncio.run(run())


@contextlib.asynccontextmanager
async def clocked(server: Running) -> AsyncIterator[tuple[str, Person, Person, Socket]]:
    """A game with a clock in which Bea, who has her socket open, has missed a turn; Ada owns it."""
    ada, bea = await crowd(server, "Ada", "Bea")
    pace = {"kind": "seconds", "length": 30}
    table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN], pace=pace))["id"]
    for seat, person in enumerate((ada, bea)):
        await person.sit(table, seat)
    await ada.post(f"/api/tables/{table}/start")
    live = await server.house.lobby.find(table)
    async with ada.socket(table, 0) as mine, bea.socket(table, 1) as theirs:
        view = await mine.until_view()
        await mine.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
        server.clock.time += 31
        server.house.minder.look_after(live)
        await theirs.until_view(lambda message: message["entry"] and message["entry"]["by"] == "clock")
        assert live.is_absent(1)
        yield table, ada, bea, theirs


def test_a_seat_with_a_live_socket_is_not_released(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, clocked(server) as (table, ada, bea, socket):
            at = f"/api/tables/{table}/seats/1"
            await refused(ada.post(f"{at}/release"), "not-absent")
            await bea.post(f"{at}/leave")  # though she says that she leaves, she is still looking
            await refused(ada.post(f"{at}/release"), "not-absent")
            await socket.raw.close()
            live = await server.house.lobby.find(table)
            async with asyncio.timeout(60):
                while live.presence.has(bea.id):
                    await asyncio.sleep(0.01)
            await ada.post(f"{at}/release")

    asyncio.run(run())


def test_a_socket_that_opens_while_the_release_waits_keeps_the_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea = await crowd(server, "Ada", "Bea")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            for seat, person in enumerate((ada, bea)):
                await person.sit(table, seat)
            await ada.post(f"/api/tables/{table}/start")
            server.clock.time += 301
            live = await server.house.lobby.find(table)
            await live.stored.lock.acquire()
            releasing = asyncio.create_task(ada.post(f"/api/tables/{table}/seats/1/release"))
            while not live._tasks:
                await asyncio.sleep(0.005)
            async with bea.socket(table, 1) as socket:
                await socket.until_view()
                live.stored.lock.release()
                await refused(releasing, "not-absent")
            assert live.head.seats_of(bea.id) == [1]

    asyncio.run(run())


def test_a_freed_seat_is_for_a_newcomer_or_a_bot(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea, cleo, dora, eve = await crowd(server, "Ada", "Bea", "Cleo", "Dora", "Eve")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN, OPEN]))["id"]
            at = f"/api/tables/{table}"
            for seat, person in enumerate((ada, bea, cleo)):
                await person.sit(table, seat)
            await ada.post(f"{at}/start")
            server.clock.time += 301
            info = await ada.post(f"{at}/seats/1/release")
            assert (info["seats"][1]["who"], info["seats"][1]["level"]) == ("open", "regular")
            await refused(ada.sit(table, 1), "insider")  # the owner, who freed it
            await refused(cleo.sit(table, 1), "insider")  # another player
            # Bea may come back to what is her own hand.
            assert (await bea.sit(table, 1))["seats"][1]["level"] is None
            server.clock.time += 301
            await ada.post(f"{at}/seats/1/release")
            async with dora.socket(table) as socket:  # who watched saw nothing hidden
                assert (await socket.until_view())["view"]["own"] is None
                await dora.sit(table, 1)
            server.clock.time += 301
            await ada.post(f"{at}/seats/1/release")
            await refused(bea.sit(table, 1), "insider")  # by now it is Dora's hand
            await ada.post(f"{at}/seats/2/release")
            await refused(dora.sit(table, 2), "insider")
            await eve.sit(table, 2)
            # Handing the table on makes the old owner no newcomer.
            await ada.put(f"{at}/owner", person=eve.id)
            server.clock.time += 301
            await refused(eve.sit(table, 1), "insider")
            await refused(ada.sit(table, 1), "insider")

    asyncio.run(run())


def test_an_owner_without_a_seat_sees_no_hand_either(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea, cleo = await crowd(server, "Ada", "Bea", "Cleo")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            for seat, person in enumerate((bea, cleo)):
                await person.sit(table, seat)
            await ada.post(f"/api/tables/{table}/start")
            server.clock.time += 301
            await ada.post(f"/api/tables/{table}/seats/0/release")
            await refused(ada.sit(table, 0), "insider")
            async with ada.socket(table, 0) as socket:
                assert (await socket.until_view())["view"]["own"] is None

    asyncio.run(run())


def test_who_has_a_seat_owns_a_game_whose_owner_is_gone(tmp_path: Path) -> None:
    """Else nobody could free the owner's seat; it is freed as any other, and the owner gets nobody else's."""

    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea, cleo, eve = await crowd(server, "Ada", "Bea", "Cleo", "Eve")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN, OPEN]))["id"]
            at = f"/api/tables/{table}"
            for seat, person in enumerate((ada, bea, cleo)):
                await person.sit(table, seat)
            server.clock.time += 301
            await refused(bea.put(f"{at}/owner", person=bea.id), "not-absent")  # before the start nothing is lost
            await ada.post(f"{at}/start")
            async with ada.socket(table, 0) as socket:
                await socket.until_view()
                server.clock.time += 301
                assert not (await bea.get(at))["ownerless"]
                await refused(bea.put(f"{at}/owner", person=bea.id), "not-absent")
            live = await server.house.lobby.find(table)
            async with asyncio.timeout(60):
                while live.presence.has(ada.id):
                    await asyncio.sleep(0.01)
            await refused(bea.put(f"{at}/owner", person=bea.id), "not-absent")  # she has just gone
            server.clock.time += 301
            assert (await bea.get(at))["ownerless"]
            await refused(bea.put(f"{at}/owner", person=cleo.id), "not-owner")  # for oneself alone
            await refused(eve.put(f"{at}/owner", person=eve.id), "no-seat")
            await refused(bea.post(f"{at}/seats/0/release"), "not-owner")
            assert (await bea.put(f"{at}/owner", person=bea.id))["owner"] == bea.id
            info = await bea.post(f"{at}/seats/0/release")
            assert (info["seats"][0]["who"], info["seats"][0]["level"]) == ("open", "regular")
            for insider in (bea, cleo):
                await refused(insider.sit(table, 0), "insider")
            server.clock.time += 301
            await bea.post(f"{at}/seats/2/release")
            await refused(ada.sit(table, 2), "insider")
            await ada.sit(table, 0)  # what she comes back to is her own hand
            await refused(ada.put(f"{at}/seats/2", **CLOSED), "status")
            await refused(ada.post(f"{at}/seats/1/release"), "not-owner")
            await eve.sit(table, 2)

    asyncio.run(run())


def test_a_game_whose_owner_has_no_seat_is_owned_by_those_who_play(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea, cleo = await crowd(server, "Ada", "Bea", "Cleo")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            at = f"/api/tables/{table}"
            for seat, person in enumerate((bea, cleo)):
                await person.sit(table, seat)
            await ada.post(f"{at}/start")
            await refused(bea.put(f"{at}/owner", person=bea.id), "not-absent")
            server.clock.time += 301
            await bea.put(f"{at}/owner", person=bea.id)
            await bea.post(f"{at}/seats/1/release")
            await refused(ada.sit(table, 1), "insider")  # she could have freed it

    asyncio.run(run())


def test_who_played_is_remembered_over_a_restart(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea = await crowd(server, "Ada", "Bea")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            for seat, person in enumerate((ada, bea)):
                await person.sit(table, seat)
            await ada.post(f"/api/tables/{table}/start")
            server.clock.time += 301
            await ada.post(f"/api/tables/{table}/seats/1/release")
            await ada.post(f"/api/tables/{table}/seats/0/leave")
            clock = server.clock
        async with running(tmp_path, clock) as server:
            ada, bea = moved(ada, server), moved(bea, server)
            await refused(ada.sit(table, 1), "insider")
            assert (await bea.sit(table, 1))["seats"][1]["name"] == "Bea"
            async with bea.socket(table, 1) as socket:
                assert (await socket.until_view())["view"]["own"] is not None

    asyncio.run(run())
