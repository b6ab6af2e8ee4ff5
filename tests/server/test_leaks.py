"""Nothing hidden leaks (R8): games that differ only in what a seat cannot see look the same to it, byte for byte."""

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from random import Random

import orjson
import pytest

from branchline import DrawCard, DrawTickets, Game, KeepTickets, Rng, load_map, sample_world
from branchline.codec import to_json
from branchline.record import Record
from branchline.server.audience import Audience
from branchline.server.minder import BotMinder
from branchline.server.standing import Asked
from branchline.server.table import Table
from tests.server.client import Json, Person, Server, Socket, folder, play
from tests.server.house import Running, running

SECRET = "the same secret on both servers, long enough"
OPEN = {"who": "open"}


class Side:
    """One of two servers on which the same things are done."""

    def __init__(self, server: Running) -> None:
        self.server = server
        self.people: list[Person] = []
        self.heard: list[str] = []

    async def open(self, map: str, seats: int, moves: int) -> Table:
        """A game of which so many moves were made, the same on both sides."""
        self.people = [await Person(self.server.url, f"Person {n}").arrive() for n in range(seats + 1)]
        made = await self.people[0].post("/api/tables", map=map, seats=[OPEN] * seats, public=True)
        for seat in range(seats):
            at = f"/api/tables/{made['id']}/seats/{seat}/sit"
            await self.people[seat].post(at, nonce=f"{seat:032x}")
        await self.people[0].post(f"/api/tables/{made['id']}/start")
        table = await self.server.house.lobby.find(made["id"])
        random = Random(moves)
        for _ in range(moves):
            assert table.game is not None
            if table.game.over:
                break
            seat = table.game.to_act[0]
            ask = table.head.asked[seat]
            assert ask is not None
            await table.submit(seat, random.choice(table.game.legal_actions(seat)), ask, Asked("person"))
        return table

    async def hear(self, person: Person, method: str, path: str) -> None:
        """Keep what an HTTP call answered, refusals and headers too."""
        answer = await person.http.request(method, path)
        headers = {name: value for name, value in answer.headers.items() if name not in ("date", "set-cookie")}
        self.heard.append(json.dumps([path, answer.status_code, headers, answer.text]))


def imagine(table: Table, seat: int, seed: int) -> None:
    """Put another world in place of the game, which the seat can't tell from it."""
    assert table.game is not None
    world = sample_world(table.game.view(seat), Rng(seed))
    assert world.view(seat) == table.game.view(seat)
    table.stored.stands = replace(table.stored.stands, game=world)
    table.stored.state = orjson.dumps(world.to_dict()).decode()


async def stimulate(side: Side, table: Table, seat: int) -> None:
    """Everything a seat and a spectator can ask for, and what others do that shows them nothing new."""
    person, fan, at = side.people[seat], side.people[-1], f"/api/tables/{table.id}"
    async with AsyncExitStack() as stack:
        mine = await stack.enter_async_context(person.socket(table.id, seat))
        await mine.until_view()
        watching = await stack.enter_async_context(fan.socket(table.id))
        await watching.until_view()
        for looker in (person, fan):
            for path in (
                "/api/tables",
                "/api/me/tables",
                at,
                f"{at}/record",
                f"{at}/moves",
                f"/api/codes/{table.code}",
                "/docs",
                "/openapi.json",
            ):
                await side.hear(looker, "GET", path)
            await side.hear(looker, "POST", f"{at}/rematch")
        await questions(mine, table, seat)
        await others(table, seat)
        await own(mine, table, seat)
        await side.hear(person, "POST", f"{at}/seats/{seat}/hand-to-bot")
        await side.hear(person, "POST", f"{at}/seats/{seat}/take-back")
        for socket in (mine, watching):
            await socket.ask("history", since=0, id="h")
            side.heard += socket.frames


async def questions(mine: Socket, table: Table, seat: int) -> None:
    map = load_map(table.head.map)
    routes = [route for route in map.routes if route.kind == "tunnel"][:3] or list(map.routes[:3])
    for n, route in enumerate(routes):
        await mine.ask("explain", seat=seat, about={"is": "why-not", "route": route.id}, id=f"w{n}")
        payment = {"colour": None, "cards": 0, "wilds": route.length}
        await mine.ask("explain", seat=seat, about={"is": "odds", "route": route.id, "payment": payment}, id=f"o{n}")
    await mine.ask("explain", seat=seat, about={"is": "borrowed", "city": None}, id="t")
    await mine.ask("hint", seat=seat, id="hint")
    for n, other in enumerate(range(table.game.seats if table.game else 0)):
        # For any seat, whatever it could do: the answer must not tell.
        for k, act in enumerate(({"is": "take-back"}, {"is": "pass"}, {"is": "keep", "tickets": [map.tickets[0].id]})):
            await mine.ask("act", seat=other, act=act, ask=table.version + 5, id=f"a{n}-{k}")


async def others(table: Table, seat: int) -> None:
    """Another seat draws blind or takes tickets: to this seat, the same in every world."""
    for _ in range(3):
        assert table.game is not None
        turn = table.game.to_act[0]
        ask = table.head.asked[turn]
        if turn == seat or ask is None or table.game.view(None).deck < 12:
            return
        if table.game.stage in ("opening", "ticket-offer"):
            own = table.game.view(turn).own
            assert own is not None
            await table.submit(turn, KeepTickets(own.offer), ask, Asked("person"))
        elif table.game.stage == "turn" and table.game.view(None).ticket_deck >= 3 and table.version % 2:
            await table.submit(turn, DrawTickets(), ask, Asked("person"))
        elif table.game.stage in ("turn", "second-draw"):
            await table.submit(turn, DrawCard(None), ask, Asked("person"))
        else:
            return


async def own(mine: Socket, table: Table, seat: int) -> None:
    """This seat's own action that turns nothing up."""
    assert table.game is not None
    ask = table.head.asked[seat]
    if ask is None:
        return
    quiet = {route.id for route in load_map(table.head.map).routes if route.kind != "tunnel"}
    for action in table.game.legal_actions(seat):
        data = to_json(action)
        if data["is"] == "keep" or (data["is"] == "claim" and data["route"] in quiet):
            await mine.ask("act", seat=seat, act=data, ask=ask, id="own")
            return


@pytest.mark.parametrize(("map", "seats"), [("europe", 3), ("new-york", 2)])
@pytest.mark.parametrize("moves", [0, 2, 9, 30, 40])
def test_worlds_that_a_seat_cannot_tell_apart_look_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, map: str, seats: int, moves: int
) -> None:
    # What is told of a table is told at once, so that its place among the frames can be compared too.
    monkeypatch.setattr(Audience, "send_soon", Audience._send)
    monkeypatch.setattr(BotMinder, "look_after", lambda *_: None)

    async def run() -> None:
        async with running(tmp_path / "a", secret=SECRET) as a, running(tmp_path / "b", secret=SECRET) as b:
            sides = [Side(a), Side(b)]
            seat = moves % seats
            for side in sides:
                table = await side.open(map, seats, moves)
                assert table.game is not None
                if side is sides[1]:
                    imagine(table, seat, moves)
                await stimulate(side, table, seat)
            assert len(sides[0].heard) > 50
            assert sum('"is":"table"' in frame for frame in sides[0].heard) > 4
            assert sides[0].heard == sides[1].heard

    asyncio.run(run())


@pytest.mark.parametrize("map", ["europe", "new-york"])
def test_no_frame_holds_what_is_anothers(map: str) -> None:
    """A canary search over all frames of a whole game, the pages while it runs, and the most talkative log."""

    async def run(server: Server) -> None:
        people = [await Person(server.url, f"Person {n}").arrive() for n in range(3)]
        plans = [OPEN, OPEN, {"who": "bot", "level": "random"}]
        at = f"/api/tables/{(await people[0].post('/api/tables', map=map, seats=plans, public=True))['id']}"
        id = at.rpartition("/")[2]
        for seat in (0, 1):
            await people[seat].sit(id, seat)
        pages: list[str] = []
        async with AsyncExitStack() as stack:
            sockets = [
                await stack.enter_async_context(people[n].socket(id, seat)) for n, seat in enumerate((0, 1, None))
            ]
            await people[0].post(f"{at}/start")
            halves = [play(socket, Random(n), lambda view: view["n"] > 40) for n, socket in enumerate(sockets[:2])]
            await asyncio.gather(*halves)
            for path in (at, f"{at}/record", f"{at}/moves", "/api/tables", "/api/me/tables", "/docs"):
                pages += [(await person.http.get(path)).text for person in people]
            assert pages.count('{"code":"running","text":"that is told when the game is over","rule":"R8.3"}') == 6
            await asyncio.gather(*(play(socket, Random(n)) for n, socket in enumerate(sockets[:2])))
            await sockets[2].until_view(lambda message: message["view"]["stage"] == "over")
        record = Record.from_dict(await people[0].get(f"{at}/record"))
        search(record, [socket.frames for socket in sockets])
        logged = server.complaints
        assert f"GET {at}" in logged  # it was talkative
        assert isinstance(record.seed, bytes)
        tickets = {ticket.id for ticket in record.map.tickets} - {route.id for route in record.map.routes}
        for secret in (record.seed.hex(), record.key.hex(), '"hand"', '"own"', *(f'"{ticket}"' for ticket in tickets)):
            assert secret not in logged
            assert not any(secret in page for page in pages)

    with folder() as path, Server(Path(path), log_level="debug") as server:
        asyncio.run(run(server))


def search(record: Record, frames: list[list[str]]) -> None:
    routes = {route.id for route in record.map.routes}
    known: list[set[str]] = [set() for _ in record.players]
    for game, _, _, _ in record.replay():
        for seat in range(game.seats):
            own = game.view(seat).own
            assert own is not None
            known[seat] |= {*own.tickets, *own.offer, *(own.answer or ())}
    assert isinstance(record.seed, bytes)
    foreign = {ticket for tickets in known for ticket in tickets} - routes
    looking: tuple[int | None, ...] = (0, 1, None)
    for looker, heard in zip(looking, frames, strict=True):
        mine = set() if looker is None else known[looker]
        for frame in heard:
            assert record.seed.hex() not in frame
            assert record.key.hex() not in frame
            message: Json = json.loads(frame)
            if message["is"] != "view" or message["view"]["stage"] == "over":
                continue
            assert message["view"]["opened"] is None
            assert message["scores"] is None
            assert (message["view"]["own"] is None) == (looker is None)
            for ticket in foreign - mine:
                assert f'"{ticket}"' not in frame
            for event in message["entry"]["events"] if message["entry"] else ():
                if event.get("seat") == looker:
                    continue
                hidden = {"drawn": "card", "answered": "tickets"}.get(event["is"])
                assert hidden is None or event[hidden] is None
                if event["is"] in ("dealt", "offered", "kept"):
                    assert set(event.get("cards", event.get("tickets"))) <= {None}


def test_the_seed_is_told_only_after_the_end(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            table = await Side(server).open("new-york", 2, 3)
            assert table.stored.seed.hex() not in json.dumps(table.info())
            assert isinstance(table.game, Game)
            row = await server.house.store.table(table.id)
            assert row is not None
            assert table.stored.seed.hex() not in row.head
            for listed in await server.house.store.tables_of(table.head.people[0], 5):
                assert listed.seed == ""
                assert listed.state is None

    asyncio.run(run())
