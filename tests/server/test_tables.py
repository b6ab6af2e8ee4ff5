"""Opening tables, taking seats, owning them, and everything around a game."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

from branchline.record import Record
from tests.server.client import Json, Person, Refusal, play
from tests.server.house import Running, running

OPEN = {"who": "open"}
BOT = {"who": "bot", "level": "random"}
CLOSED = {"who": "closed"}


async def refused(call: Any, code: str) -> None:
    with pytest.raises(Refusal) as error:
        await call
    assert error.value.problem["code"] == code, error.value


async def crowd(server: Running, *names: str) -> list[Person]:
    return [await Person(server.url, name).arrive() for name in names]


def test_seats_colours_owners_and_codes(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea, eve = await crowd(server, "Ada", "Bea", "Eve")
            made = await ada.post("/api/tables", map="europe", seats=[OPEN, OPEN, OPEN, OPEN], public=True)
            at = f"/api/tables/{made['id']}"
            assert (await eve.get(f"/api/codes/{made['code'].lower()}"))["id"] == made["id"]
            await ada.sit(made["id"], 0, colour="green")
            await bea.sit(made["id"], 1)
            await eve.sit(made["id"], 2)
            await refused(bea.sit(made["id"], 2), "taken")
            await refused(bea.sit(made["id"], 1, colour="green"), "colour")
            await refused(bea.sit(made["id"], 9), "not-found")
            await refused(bea.post(f"{at}/start"), "not-owner")
            await refused(ada.post(f"{at}/start"), "not-ready")
            await refused(bea.put(f"{at}/seats/3", **BOT), "not-owner")
            await refused(bea.post(f"{at}/seats/2/leave"), "not-yours")
            await ada.put(f"{at}/seats/3", who="bot", level="random")
            assert [line["id"] for line in await eve.get("/api/tables")] == []
            await ada.post("/api/tables", map="europe", seats=[OPEN, OPEN])  # by link only
            await ada.put(f"{at}/seats/3", who="closed")
            await ada.post(f"{at}/seats/2/leave")  # out with Eve
            assert [line["open"] for line in await eve.get("/api/tables")] == [1]
            await ada.put(f"{at}/seats/2", who="closed")
            await ada.put(f"{at}/owner", person=bea.id)
            await refused(ada.post(f"{at}/start"), "not-owner")
            started = await bea.post(f"{at}/start")
            assert started["status"] == "playing"
            assert [seat["name"] for seat in started["seats"]] == ["Ada", "Bea"]
            assert started["seats"][0]["colour"] == "green"
            await refused(bea.post(f"{at}/start"), "started")
            await refused(eve.sit(made["id"], 0), "taken")
            mine = await ada.get("/api/me/tables")
            assert [(line["mine"], line["my_turn"]) for line in mine] == [([0], True)]
            await refused(ada.post("/api/tables", map="europe", seats=[OPEN] * 6), "seats")
            await refused(ada.post("/api/tables", map="new-york", seats=[OPEN] * 5), "seats")
            await refused(ada.post("/api/tables", map="nowhere", seats=[OPEN] * 2), "not-found")
            pace = {"kind": "seconds", "length": 1}
            await refused(ada.post("/api/tables", map="europe", seats=[OPEN] * 2, pace=pace), "pace")

    asyncio.run(run())


def test_leaving_before_the_start_hands_the_table_on(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea = await crowd(server, "Ada", "Bea")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            await ada.sit(table, 0)
            await bea.sit(table, 1)
            info = await ada.post(f"/api/tables/{table}/seats/0/leave")
            assert info["owner"] == bea.id
            server.clock.time += 86_401
            await server.house.lobby.tidy()
            assert await server.house.store.table(table) is None

    asyncio.run(run())


def test_tables_never_started_are_swept_unless_somebody_is_there(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea = await crowd(server, "Ada", "Bea")
            left, kept = [(await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"] for _ in range(2)]
            for seat, person in enumerate((ada, bea)):
                await person.sit(kept, seat)
            async with bea.socket(kept, 1) as socket:
                await socket.until(lambda message: message["is"] == "said")
                server.clock.time += 86_401
                await server.house.lobby.tidy()
                await refused(ada.get(f"/api/tables/{left}"), "not-found")
                # Bea had left her browser open overnight; the game that begins now is as safe as any other.
                await ada.post(f"/api/tables/{kept}/start")
                await socket.until_view()
            stored = await server.house.store.table(kept)
            assert stored is not None
            assert (stored.status, stored.version) == ("playing", 1)
            server.clock.time += 86_401
            await server.house.lobby.tidy()
            assert await server.house.store.table(kept) is not None

    asyncio.run(run())


def test_a_table_sleeps_only_when_nobody_has_just_asked_for_it(tmp_path: Path) -> None:
    """Somebody may be on the way in: with two of it in memory, one would be wrong."""

    async def run() -> None:
        async with running(tmp_path) as server:
            (ada,) = await crowd(server, "Ada")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            lobby = server.house.lobby
            awake = await lobby.find(table)
            await lobby.tidy()
            assert await lobby.find(table) is awake
            server.clock.time += 61
            await lobby.tidy()
            assert lobby.live == []

    asyncio.run(run())


def test_a_new_name_reaches_every_table_and_the_chat(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea = await crowd(server, "Ada", "Bea")
            asleep, awake = [(await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"] for _ in "12"]
            for table in (asleep, awake):
                await ada.sit(table, 0)
            server.clock.time += 61
            await server.house.lobby.tidy()
            assert server.house.lobby.live == []
            async with ada.socket(awake, 0) as socket, bea.socket(awake) as other:
                await ada.put("/api/me", name="Ada Lovelace")
                await socket.ask("say", text="it is me")
                said = await other.until(lambda message: message["is"] == "said" and message["lines"])
                assert said["lines"][0]["name"] == "Ada Lovelace"
            for table in (asleep, awake):
                assert (await bea.get(f"/api/tables/{table}"))["seats"][0]["name"] == "Ada Lovelace"

    asyncio.run(run())


def test_a_socket_on_its_way_in_speaks_by_the_new_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            (ada,) = await crowd(server, "Ada")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            knocked, may_enter = asyncio.Event(), asyncio.Event()
            muted = server.house.store.muted

            async def slowly(person: str) -> set[str]:
                knocked.set()
                await may_enter.wait()
                return await muted(person)

            monkeypatch.setattr(server.house.store, "muted", slowly)
            async with ada.socket(table) as socket:
                await knocked.wait()
                await ada.put("/api/me", name="Ada Lovelace")
                may_enter.set()
                await socket.send(**{"is": "say", "id": "m1", "text": "it is me"})
                said = await socket.until(lambda message: message["is"] == "said" and message["lines"])
                assert said["lines"][0]["name"] == "Ada Lovelace"

    asyncio.run(run())


def test_a_rematch_that_was_swept_can_be_had_again(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea = await crowd(server, "Ada", "Bea")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            for seat, person in enumerate((ada, bea)):
                await person.sit(table, seat)
            await ada.post(f"/api/tables/{table}/start")
            for person in (ada, bea):
                await person.put(f"/api/tables/{table}/abandon", agree=True)
            both = await asyncio.gather(*(person.post(f"/api/tables/{table}/rematch") for person in (ada, bea)))
            assert both[0]["id"] == both[1]["id"]
            server.clock.time += 86_401
            await server.house.lobby.tidy()
            again = await ada.post(f"/api/tables/{table}/rematch")
            assert again["id"] != both[0]["id"]
            assert (await bea.post(f"/api/tables/{table}/rematch"))["id"] == again["id"]

    asyncio.run(run())


def test_a_rematch_counts_as_a_table_and_for_where_it_was_asked_for(tmp_path: Path) -> None:
    """Else its bots would think for nobody's account, and whoever gives up at once could have any number of them."""

    async def run() -> None:
        async with running(tmp_path, rate_limits=1) as server:
            ada = await Person(server.url, "Ada").arrive()
            info = await ada.post("/api/tables", map="new-york", seats=[OPEN, BOT])
            opened = (await server.house.lobby.find(info["id"])).stored.origin
            for _ in range(3):
                info = await again(ada, info["id"])
                assert (await server.house.lobby.find(info["id"])).stored.origin == opened != ""
            server.house.limits["tables"].charge(ada.id, 10)
            await refused(again(ada, info["id"]), "too-many")

    async def again(person: Person, table: str) -> Json:
        """Sit down, give up, and have another."""
        await person.sit(table, 0)
        await person.post(f"/api/tables/{table}/start")
        await person.put(f"/api/tables/{table}/abandon", agree=True)
        more: Json = await person.post(f"/api/tables/{table}/rematch")
        return more

    asyncio.run(run())


def test_rematch_passes_the_first_seat_on_and_wants_new_nonces(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            (ada,) = await crowd(server, "Ada")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, BOT, BOT], first=1))["id"]
            await ada.sit(table, 0)
            await refused(ada.post(f"/api/tables/{table}/rematch"), "running")
            await ada.post(f"/api/tables/{table}/start")
            await refused(ada.get(f"/api/tables/{table}/record"), "running")
            await refused(ada.get(f"/api/tables/{table}/moves"), "running")
            async with ada.socket(table, 0) as socket:
                end = await play(socket, Random(1))
                assert end["view"]["first"] == 1
                late = await socket.ask("act", seat=0, act={"is": "draw", "slot": None}, ask=end["n"])
                assert late["problem"]["code"] == "over"
            again = await ada.post(f"/api/tables/{table}/rematch")
            assert (await ada.post(f"/api/tables/{table}/rematch"))["id"] == again["id"]
            assert again["first"] == 2
            assert again["commitment"] != (await ada.get(f"/api/tables/{table}"))["commitment"]
            await refused(ada.post(f"/api/tables/{again['id']}/start"), "not-ready")
            await ada.sit(again["id"], 0)
            await ada.post(f"/api/tables/{again['id']}/start")
            record = await ada.get(f"/api/tables/{table}/record")
            assert Record.from_dict(record).verify().ok
            record["commitment"] = "0" * 64
            assert not Record.from_dict(record).verify().ok
            moves = await ada.get(f"/api/tables/{table}/moves")
            assert moves["scores"] == end["scores"]
            deal = moves["moves"][0]
            assert deal["view"]["seat"] is None

            def offered(events: list[Json], seat: int) -> list[str | None]:
                return next(event["tickets"] for event in events if event["is"] == "offered" and event["seat"] == seat)

            for seat in range(3):
                assert offered(deal["events"], seat) == [None, None]
                assert offered(deal["seen"][str(seat)], seat) == deal["own"][seat]["offer"]
                assert offered(deal["seen"][str(seat)], (seat + 1) % 3) == [None, None]
            looked = await ada.post("/api/records", **(await ada.get(f"/api/tables/{table}/record")))
            assert looked["verdict"]["ok"]
            assert looked["moves"] == moves
            await refused(ada.post("/api/records", format="nonsense"), "record")

    asyncio.run(run())


def test_abandoning_needs_all_people(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea, eve = await crowd(server, "Ada", "Bea", "Eve")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            await ada.sit(table, 0)
            await bea.sit(table, 1)
            await ada.post(f"/api/tables/{table}/start")
            await refused(eve.put(f"/api/tables/{table}/abandon", agree=True), "no-seat")
            assert (await ada.put(f"/api/tables/{table}/abandon", agree=True))["status"] == "playing"
            assert (await ada.put(f"/api/tables/{table}/abandon", agree=False))["abandoning"] == []
            await ada.put(f"/api/tables/{table}/abandon", agree=True)
            assert (await bea.put(f"/api/tables/{table}/abandon", agree=True))["status"] == "abandoned"
            assert (await ada.get(f"/api/tables/{table}/record"))["result"] is None

    asyncio.run(run())


def test_pass_and_play_shows_a_seat_only_by_name(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea = await crowd(server, "Ada", "Bea")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN, OPEN]))["id"]
            for seat, person in ((0, ada), (1, ada), (2, bea)):
                await person.sit(table, seat)
            await ada.post(f"/api/tables/{table}/start")
            async with ada.socket(table) as tablet, bea.socket(table, 2) as other:
                assert (await tablet.until_view())["view"]["own"] is None
                await tablet.send(**{"is": "look", "seat": 1})
                assert (await tablet.until_view())["view"]["seat"] == 1
                await tablet.send(**{"is": "look", "seat": 2})
                no = await tablet.until(lambda message: message["is"] == "refused")
                assert no["problem"]["code"] == "not-yours"
                await tablet.send(**{"is": "look", "seat": None})
                assert (await tablet.until_view())["view"]["own"] is None
                view = await other.until_view()
                await other.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
                seen = await tablet.until_view()
                assert seen["view"]["own"] is None
                assert seen["entry"]["events"][0] == {"is": "answered", "seat": 2, "tickets": None}
                # The open question of seat 0 is still the one put at the start (R2.5).
                await tablet.send(**{"is": "look", "seat": 0})
                assert (await tablet.until_view())["ask"] == 1

    asyncio.run(run())
