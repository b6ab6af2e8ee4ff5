"""What one stranger can do to the others: fill the list, the seats and the room, and talk. All of it has an end."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import websockets

from branchline.server import lobby as lobbies
from branchline.server.messages import Close, NewTable, Sit
from branchline.server.store import PersonRow
from tests.server.client import Person, Refusal, Socket
from tests.server.house import Running, running
from tests.server.test_seats import Gate
from tests.server.test_sockets import closed
from tests.server.test_tables import BOT, OPEN, crowd, refused


async def open_from(server: Running, place: str, owner: str, *seats: Any, sits: bool = True) -> str:
    """A public table, opened from a place; its owner sits down."""
    person = PersonRow(owner, owner, "en", server.clock.time)
    await server.house.store.save_person(person)
    asked = NewTable.model_validate({"map": "new-york", "seats": seats, "public": True})
    server.clock.time += 1
    table = await server.house.lobby.open(asked, person, place)
    if sits:
        await server.house.lobby.sit(table, 0, person, Sit(nonce="0" * 32))
    return table.id


def test_tables_of_bots_do_not_fill_the_list(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            wanted = await open_from(server, "here", "ada", OPEN, OPEN)
            for n in range(lobbies.LISTED + 10):
                await open_from(server, f"place {n}", f"eve-{n}", BOT, BOT, sits=False)
                await open_from(server, f"place {n}", f"eve-{n}", BOT, OPEN, sits=False)  # nobody is there
            (bea,) = await crowd(server, "Bea")
            assert [line["id"] for line in await bea.get("/api/tables")] == [wanted]

    asyncio.run(run())


@pytest.mark.parametrize("identities", [1, 60])
def test_neither_one_person_nor_one_place_fills_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, identities: int
) -> None:
    """With a seat free at each, and newer than what it would push off the list."""
    monkeypatch.setattr(lobbies, "OPENED", 1_000)

    async def run() -> None:
        async with running(tmp_path) as server:
            wanted = [await open_from(server, f"home {n}", f"ada-{n}", OPEN, OPEN) for n in range(5)]
            for n in range(lobbies.LISTED + 20):
                # One person goes from place to place; or one place makes up people.
                place = f"hotel {n}" if identities == 1 else "den"
                await open_from(server, place, f"eve-{n % identities}", OPEN, OPEN)
            (bea,) = await crowd(server, "Bea")
            listed = [line["id"] for line in await bea.get("/api/tables")]
            assert len(listed) == lobbies.LISTED
            assert set(wanted) <= set(listed)
            most = lobbies.BY_OWNER if identities == 1 else lobbies.BY_ORIGIN
            assert [listed.index(id) for id in reversed(wanted)] == list(range(most, most + len(wanted)))

    asyncio.run(run())


def test_a_person_opens_so_many_tables_and_no_more_until_one_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobbies, "OPENED", 2)

    async def run() -> None:
        async with running(tmp_path) as server:
            (ada,) = await crowd(server, "Ada")
            tables = [(await ada.post("/api/tables", map="new-york", seats=[OPEN, BOT]))["id"] for _ in range(2)]
            await refused(ada.post("/api/tables", map="new-york", seats=[OPEN, BOT]), "too-many-tables")
            await ada.sit(tables[0], 0)
            await ada.post(f"/api/tables/{tables[0]}/start")
            await ada.post("/api/tables", map="new-york", seats=[OPEN, BOT])

    asyncio.run(run())


async def arrived(socket: Socket) -> None:
    await socket.until(lambda message: message["is"] == "said")


def test_who_has_a_seat_gets_in_and_a_spectator_goes(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path, sockets_per_table=12) as server:
            ada, bea, fan, eve, eva = await crowd(server, "Ada", "Bea", "Fan", "Eve", "Eva")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            await bea.sit(table, 0)
            live = await server.house.lobby.find(table)
            async with AsyncExitStack() as stack, fan.socket(table) as polite:
                await arrived(polite)
                many = (eve, eve, eve, eve, eve, eva, eva, eva, eva, eva, eve)  # her sixth: her first goes
                crowd_of = []
                for person in many:
                    crowd_of.append(await stack.enter_async_context(person.socket(table)))
                    await arrived(crowd_of[-1])
                assert len(live.audience.watchers) == 11
                player = await stack.enter_async_context(bea.socket(table, 0))
                await arrived(player)
                async with fan.socket(table) as late:
                    assert await closed(late) == Close.FULL  # a spectator does not push anybody out
                async with ada.socket(table) as owner:
                    await arrived(owner)  # the owner is as welcome as those with a seat
                    assert len(live.audience.watchers) == 12
                    async with bea.socket(table, 0) as phone:
                        await arrived(phone)
                        assert len(live.audience.watchers) == 12
                    gone = [socket for socket in crowd_of[1:] if await _is_closed(socket)]
                    assert {await closed(socket) for socket in gone} == {Close.FULL}
                    assert len(gone) == 2
                    # Those with the most sockets went, the polite one stayed.
                    assert not await _is_closed(polite)
                    assert fan.id in {watcher.person for watcher in live.audience.watchers}

    asyncio.run(run())


async def _is_closed(socket: Socket) -> bool:
    """Whether the server closed it: whatever it sent before is read."""
    try:
        while True:
            await asyncio.wait_for(socket.raw.recv(), 0.3)
    except TimeoutError:
        return False
    except websockets.ConnectionClosed:
        return True


def test_eighty_strangers_do_not_lock_a_player_out(tmp_path: Path) -> None:
    """As in the attack: all places of a table taken by people with five sockets each, then a player reconnects."""

    async def run() -> None:
        async with running(tmp_path, sockets_per_table=100) as server, AsyncExitStack() as stack:
            ada, bea = await crowd(server, "Ada", "Bea")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            for seat, person in enumerate((ada, bea)):
                await person.sit(table, seat)
            await ada.post(f"/api/tables/{table}/start")
            strangers = await crowd(server, *(f"Eve {n}" for n in range(20)))
            sockets = [await stack.enter_async_context(person.socket(table)) for person in strangers for _ in range(5)]
            for socket in sockets:
                await arrived(socket)
            for seat, person in enumerate((ada, bea)):
                async with person.socket(table, seat) as mine:
                    view = await mine.until_view()
                    kept = await mine.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
                    assert kept["is"] == "done"

    asyncio.run(run())


def test_one_stranger_takes_one_seat_of_a_public_table(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, eve = await crowd(server, "Ada", "Eve")
            public = (await ada.post("/api/tables", map="europe", seats=[OPEN] * 5, public=True))["id"]
            await eve.sit(public, 0)
            await refused(eve.sit(public, 1), "one-seat")
            await eve.sit(public, 0, colour="green")
            both = await asyncio.gather(*(eve.sit(public, seat) for seat in (2, 3)), return_exceptions=True)
            assert all(isinstance(answer, Refusal) for answer in both)
            await ada.sit(public, 1)
            await ada.sit(public, 2)  # the owner's tablet goes round
            friends = (await ada.post("/api/tables", map="europe", seats=[OPEN] * 5))["id"]
            for seat in range(3):
                await eve.sit(friends, seat)

    asyncio.run(run())


def test_the_owner_removes_and_bans_before_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea, eve = await crowd(server, "Ada", "Bea", "Eve")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN] * 3, public=True))["id"]
            at = f"/api/tables/{table}"
            for seat, person in enumerate((ada, eve)):
                await person.sit(table, seat)
            await refused(eve.put(f"{at}/bans", person=ada.id, banned=True), "not-owner")
            await refused(ada.put(f"{at}/bans", person=ada.id, banned=True), "self")
            await refused(ada.put(f"{at}/bans", person="nobody", banned=True), "not-found")
            async with eve.socket(table, 1) as socket:
                await arrived(socket)
                info = await ada.put(f"{at}/bans", person=eve.id, banned=True)
                assert info["seats"][1]["who"] == "open"
                assert info["banned"] == [{"person": eve.id, "name": "Eve"}]
                assert await closed(socket) == Close.KEPT_AWAY
            await refused(eve.sit(table, 1), "banned")
            async with eve.socket(table) as socket:
                assert await closed(socket) == Close.KEPT_AWAY
            await ada.put(f"{at}/bans", person=eve.id, banned=False)
            await eve.sit(table, 1)
            # Banned while a socket of hers is on the way in.
            gate = Gate(server, monkeypatch, "said")
            async with eve.socket(table, 1) as socket:
                await gate.until(1)
                await ada.put(f"{at}/bans", person=eve.id, banned=True)
                gate.open()
                assert await closed(socket) == Close.KEPT_AWAY
            await bea.sit(table, 1)
            await ada.put(f"{at}/seats/2", who="closed")
            await ada.post(f"{at}/start")
            await refused(ada.put(f"{at}/bans", person=bea.id, banned=True), "status")
            async with eve.socket(table) as socket:
                assert await closed(socket) == Close.KEPT_AWAY

    asyncio.run(run())


def test_the_owner_silences_at_any_time(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea, eve = await crowd(server, "Ada", "Bea", "Eve")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            at = f"/api/tables/{table}"
            for seat, person in enumerate((ada, bea)):
                await person.sit(table, seat)
            await refused(eve.put(f"{at}/silences", person=ada.id, silenced=True), "not-owner")
            async with eve.socket(table) as socket, bea.socket(table) as other:
                assert (await socket.ask("say", text="one"))["is"] == "done"
                await ada.put(f"{at}/silences", person=eve.id, silenced=True)
                no = await socket.ask("say", text="two")
                assert no["problem"]["code"] == "silenced"
                await ada.post(f"{at}/start")
                assert (await socket.ask("say", text="three"))["problem"]["code"] == "silenced"
                info = await ada.put(f"{at}/silences", person=eve.id, silenced=False)
                assert info["silenced"] == []
                assert (await socket.ask("say", text="four"))["is"] == "done"
                await other.until(lambda m: m["is"] == "said" and m["lines"] and m["lines"][-1]["text"] == "four")
                assert not any("two" in frame or "three" in frame for frame in other.frames if '"said"' in frame)
                for person in (ada, bea):
                    await person.put(f"{at}/abandon", agree=True)
                await ada.put(f"{at}/silences", person=eve.id, silenced=True)
                assert (await socket.ask("say", text="five"))["problem"]["code"] == "silenced"
            again = await ada.post(f"{at}/rematch")
            assert [somebody["person"] for somebody in again["silenced"]] == [eve.id]

    asyncio.run(run())


def test_lists_of_people_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("branchline.server.seating.LISTED", 2)
    monkeypatch.setattr("branchline.server.connection.MUTES", 2)

    async def run() -> None:
        async with running(tmp_path) as server:
            ada, *others = await crowd(server, "Ada", "Eve 1", "Eve 2", "Eve 3")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            for other in others[:2]:
                await ada.put(f"/api/tables/{table}/silences", person=other.id, silenced=True)
            again = await ada.put(f"/api/tables/{table}/silences", person=others[0].id, silenced=True)
            assert len(again["silenced"]) == 2
            third: Person = others[2]
            await refused(ada.put(f"/api/tables/{table}/silences", person=third.id, silenced=True), "too-long")
            async with ada.socket(table) as socket:
                for other in others:
                    await socket.send(**{"is": "mute", "person": other.id, "muted": True})
                no = await socket.until(lambda message: message["is"] == "refused")
                assert no["problem"]["code"] == "too-long"
                assert await server.house.store.muted(ada.id) == {other.id for other in others[:2]}
                await socket.send(**{"is": "mute", "person": others[0].id, "muted": False})
                await socket.send(**{"is": "mute", "person": third.id, "muted": True})
                await socket.ask("say", text="done")
                assert await server.house.store.muted(ada.id) == {others[1].id, third.id}

    asyncio.run(run())


def test_coming_and_going_leaves_nothing_behind(tmp_path: Path) -> None:
    """At a table whose clock runs for days nobody is left who would have to hear of absence after them."""

    async def run() -> None:
        async with running(tmp_path) as server:
            ada, eve = await crowd(server, "Ada", "Eve")
            asked = {"map": "new-york", "seats": [OPEN, BOT], "pace": {"kind": "days", "length": 3}}
            table = (await ada.post("/api/tables", **asked))["id"]
            await ada.sit(table, 0)
            await ada.post(f"/api/tables/{table}/start")
            loop: Any = asyncio.get_running_loop()

            def late() -> int:
                timers = [timer for timer in loop._scheduled if not timer.cancelled()]
                return sum(timer.when() > loop.time() + 3_600 for timer in timers)

            before = late()
            for person in (ada, eve) * 10:
                async with person.socket(table) as socket:
                    await socket.until_view()
                await until(lambda: not server.house.lobby.live[0].audience.watchers)
            assert late() == before

    asyncio.run(run())


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not condition():
            await asyncio.sleep(0.01)
