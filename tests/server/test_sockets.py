"""What a socket may ask for, and what it gets when it asks for something wrong."""

import asyncio
import contextlib
import itertools
import json
import socket as sockets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import websockets

from branchline.server.connection import Connection
from branchline.server.guard import limits
from branchline.server.guard.limits import Limit
from branchline.server.messages import Close
from branchline.server.sessions import Known
from branchline.server.settings import Settings
from branchline.server.store import PersonRow, SessionRow
from tests.server.client import Json, Person, Socket, actions, pick
from tests.server.house import Running, running
from tests.server.hurry import hurry

OPEN = {"who": "open"}


class Table:
    """A started game of two people, each with a socket, past the opening."""

    def __init__(self, server: Running, id: str, people: list[Person], sockets: list[Socket]) -> None:
        self.server = server
        self.id = id
        self.people = people
        self.sockets = sockets

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return next(seat for seat, socket in enumerate(self.sockets) if socket.view and socket.view["ask"] is not None)

    async def all_at(self, n: int) -> None:
        for socket in self.sockets:
            if socket.view is None or socket.view["n"] < n:
                await socket.until_view(lambda message: message["n"] >= n)


@asynccontextmanager
async def table(folder: Path, map: str = "new-york", **settings: Any) -> AsyncIterator[Table]:
    async with running(folder, **settings) as server, AsyncExitStack() as stack:
        people = [await Person(server.url, name).arrive() for name in ("Ada", "Bea")]
        id = (await people[0].post("/api/tables", map=map, seats=[OPEN, OPEN]))["id"]
        for seat, person in enumerate(people):
            await person.sit(id, seat)
        await people[0].post(f"/api/tables/{id}/start")
        opened = [await stack.enter_async_context(person.socket(id, seat)) for seat, person in enumerate(people)]
        made = Table(server, id, people, opened)
        for n, socket in enumerate(opened):
            view = socket.view or await socket.until_view()
            answer = await socket.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
            assert answer["is"] == "done"
            await made.all_at(n + 2)
        yield made


async def closed(socket: Socket) -> int | None:
    """Read until the server closes; its code, if it said one."""
    try:
        async with asyncio.timeout(60):
            while True:
                await socket.raw.recv()
    except websockets.ConnectionClosed as error:
        return error.rcvd.code if error.rcvd is not None else None


async def claimed(made: Table) -> tuple[int, int]:
    """Draw cards until somebody can claim a route that can be taken back, and claim it; the seat and the entry."""
    for _ in range(200):
        seat = made.turn
        socket = made.sockets[seat]
        assert socket.view is not None
        options = actions(socket.view["view"])
        claims = [action for action in options if action["is"] == "claim"]
        act = claims[0] if claims else next(action for action in options if action["is"] == "draw")
        answer = await socket.act(act)
        await made.all_at(answer["n"])
        if socket.view["undo"]:
            return seat, answer["n"]
    raise AssertionError("nobody could claim anything")


def test_twice_stale_out_of_turn_and_for_another(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path) as made:
            seat = made.turn
            mine, theirs = made.sockets[seat], made.sockets[1 - seat]
            assert mine.view is not None
            assert theirs.view is not None
            ask = mine.view["ask"]
            draw = {"is": "draw", "slot": None}
            early = await theirs.ask("act", seat=1 - seat, act=draw, ask=theirs.view["n"])
            assert early["problem"] == {"code": "not-your-turn", "text": "it is not this seat's turn", "rule": "R3.1"}
            other = await theirs.ask("act", seat=seat, act=draw, ask=ask)
            assert other["problem"]["code"] == "not-yours"
            first = await mine.ask("act", seat=seat, act=draw, ask=ask, id="once")
            again = await mine.ask("act", seat=seat, act=draw, ask=ask, id="once")
            assert first == again == {"is": "done", "id": "once", "n": ask + 1}
            await made.all_at(ask + 1)
            # Another device of the same person, and even with a fresh ask: the id was used.
            async with made.people[seat].socket(made.id, seat) as phone:
                await phone.until_view()
                assert await phone.ask("act", seat=seat, act=draw, ask=ask + 1, id="once") == first
            stale = await mine.ask("act", seat=seat, act=draw, ask=ask)
            assert stale["problem"]["code"] == "stale"
            assert (await mine.until_view())["n"] == ask + 1
            illegal = await mine.ask("act", seat=seat, act={"is": "pass"}, ask=ask + 1)
            assert illegal["problem"]["rule"] == "R3.12"
            assert (await made.server.house.lobby.find(made.id)).version == ask + 1

    asyncio.run(run())


def test_an_id_is_for_one_message(tmp_path: Path) -> None:
    """What is sent under an id that was something else's is not told to be done."""

    async def run() -> None:
        async with table(tmp_path) as made:
            seat = made.turn
            mine = made.sockets[seat]
            assert mine.view is not None
            ask = mine.view["ask"]
            slot = next(slot for slot, card in enumerate(mine.view["view"]["row"]) if card != "wild")
            draw, row = {"is": "draw", "slot": None}, {"is": "draw", "slot": slot}
            said = await mine.ask("say", text="hello", id="said")
            assert said["is"] == "done"
            acted = await mine.ask("act", seat=seat, act=draw, ask=ask, id="acted")
            assert acted == {"is": "done", "id": "acted", "n": ask + 1}
            others = [
                ("act", "said", {"seat": seat, "act": draw, "ask": ask + 1}),
                ("act", "acted", {"seat": seat, "act": row, "ask": ask + 1}),
                ("undo", "acted", {"seat": seat, "n": ask + 1}),
                ("say", "acted", {"text": "hello"}),
                ("say", "said", {"text": "good-bye"}),
            ]
            for kind, id, fields in others:
                answer = await mine.ask(kind, id=id, **fields)
                assert answer["is"] == "refused", (kind, id)
                assert answer["problem"]["code"] == "malformed"
                assert answer["problem"]["text"].startswith("id: ")
            assert await mine.ask("say", text="hello", id="said") == said
            assert await mine.ask("act", seat=seat, act=draw, ask=ask, id="acted") == acted
            # Others choose their ids without asking anybody.
            theirs = await made.sockets[1 - seat].ask("say", text="hi", id="acted")
            assert theirs["is"] == "done"
            store = made.server.house.store
            assert [line.text for line in await store.said(made.id, 9)] == ["hello", "hi"]
            assert await store.last_entry(made.id) == ask + 1

    asyncio.run(run())


def test_an_action_can_be_taken_back_until_somebody_acts(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path) as made:
            seat, n = await claimed(made)
            mine, theirs = made.sockets[seat], made.sockets[1 - seat]
            assert mine.view is not None
            assert (await theirs.ask("undo", seat=1 - seat, n=n))["problem"]["code"] == "no-undo"
            live = await made.server.house.lobby.find(made.id)
            assert live.stored.stands.before is not None
            before = live.stored.stands.before.view(seat).to_dict(memory=False)
            assert (await mine.ask("undo", seat=seat, n=n, id="u"))["n"] == n + 1
            await made.all_at(n + 1)
            assert mine.view["entry"]["is"] == "undo"
            assert mine.view["view"] == json.loads(json.dumps(before))
            assert mine.view["ask"] == n + 1
            assert (await mine.ask("undo", seat=seat, n=n, id="u"))["n"] == n + 1
            assert (await mine.ask("undo", seat=seat, n=n))["problem"]["code"] == "no-undo"
            seat, n = await claimed(made)
            mine, theirs = made.sockets[seat], made.sockets[1 - seat]
            assert theirs.view is not None
            done = await theirs.act(pick(theirs.view["view"], Random(1)))
            assert done["is"] == "done"
            assert (await mine.ask("undo", seat=seat, n=n))["problem"]["code"] == "no-undo"
            kinds = [row.kind for row in await made.server.house.store.entries(made.id, 0, 1000)]
            assert kinds.count("undo") == 1

    asyncio.run(run())


def test_chat_is_kept_limited_and_muted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CHAT", Limit(1e-9, limits.CHAT.burst))

    async def run() -> None:
        async with table(tmp_path, rate_limits=1) as made:
            ada, bea = made.sockets
            assert (await ada.ask("say", text="hello <b>there</b>", id="c"))["n"] == 1
            assert (await ada.ask("say", text="hello <b>there</b>", id="c"))["n"] == 1
            line = (await bea.until(lambda m: m["is"] == "said"))["lines"][0]
            assert (line["text"], line["name"]) == ("hello <b>there</b>", "Ada")
            assert (await ada.ask("say", text="x" * 501))["problem"]["code"] == "malformed"
            assert (await ada.ask("say", text="\u202e\u200b"))["problem"]["code"] == "empty"
            await bea.send(**{"is": "mute", "person": made.people[0].id, "muted": True})
            assert (await bea.ask("say", text="quiet now"))["is"] == "done"
            said = [await ada.ask("say", text=f"line {n}") for n in range(8)]
            assert {answer.get("problem", {}).get("code") for answer in said} == {None, "too-many"}
            async with made.people[1].socket(made.id) as again:
                lines = (await again.until(lambda m: m["is"] == "said"))["lines"]
                assert [line["text"] for line in lines] == ["quiet now"]
            bea.frames.clear()
            await bea.ask("history", since=0)
            heard = [json.loads(frame) for frame in bea.frames]
            assert [line["text"] for message in heard if message["is"] == "said" for line in message["lines"]] == []
            await bea.send(**{"is": "mute", "person": made.people[0].id, "muted": False})
            await bea.ask("history", since=0)
            async with made.people[1].socket(made.id) as again:
                lines = (await again.until(lambda m: m["is"] == "said"))["lines"]
                assert "hello <b>there</b>" in [line["text"] for line in lines]

    asyncio.run(run())


def test_questions_hints_and_history(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path, "europe") as made:
            mine = made.sockets[made.turn]
            seat = made.turn
            assert mine.view is not None
            why = await mine.ask("explain", seat=seat, about={"is": "why-not", "route": "palermo-smyrna"})
            assert {reason["rule"] for reason in why["answer"]} >= {"R4.1"}
            tunnel = {
                "is": "odds",
                "route": "angora-constantinople",
                "payment": {"colour": None, "cards": 0, "wilds": 2},
            }
            odds = await mine.ask("explain", seat=seat, about=tunnel)
            assert abs(sum(odds["answer"]["chances"]) - 1) < 1e-9
            tickets = mine.view["tickets"]
            assert {ticket["ticket"] for ticket in tickets} == set(mine.view["view"]["own"]["tickets"])
            assert all(ticket["way"]["spaces"] > 0 for ticket in tickets)
            borrowed = await mine.ask("explain", seat=seat, about={"is": "borrowed", "city": None})
            assert borrowed["answer"] == {}
            nowhere = await mine.ask("explain", seat=seat, about={"is": "why-not", "route": "nowhere"})
            assert nowhere["problem"]["code"] == "question"
            theirs = await mine.ask("explain", seat=1 - seat, about={"is": "borrowed", "city": None})
            assert theirs["problem"]["code"] == "not-yours"
            hint = await mine.ask("hint", seat=seat)
            assert hint["why"]["reason"] in {"join-tickets", "collect", "points", "more-tickets"}
            done = await mine.act(hint["action"])
            assert done["is"] == "done"
            history = await mine.ask("history", since=0)
            assert [entry["n"] for entry in history["entries"]] == list(range(1, done["n"] + 1))
            dealt = [event for event in history["entries"][0]["events"] if event["is"] == "dealt"]
            assert [event["cards"][0] is None for event in dealt] == [s != seat for s in (0, 1)]

    asyncio.run(run())


def test_hints_only_where_the_table_allows_them(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada = await Person(server.url, "Ada").arrive()
            id = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN], hints=False))["id"]
            for seat in (0, 1):
                await ada.sit(id, seat)
            await ada.post(f"/api/tables/{id}/start")
            async with ada.socket(id, 0) as socket:
                assert (await socket.ask("hint", seat=0))["problem"]["code"] == "no-hints"
                assert (await socket.ask("explain", seat=0, about={"is": "borrowed", "city": None}))["is"] == "answer"

    asyncio.run(run())


def test_who_is_here_is_told(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path) as made:
            ada, bea = made.sockets
            fan = await Person(made.server.url, "Fan").arrive()
            async with fan.socket(made.id):
                await ada.until(lambda m: m["is"] == "table" and m["table"]["watching"] == 1)
            await ada.until(lambda m: m["is"] == "table" and m["table"]["watching"] == 0)
            await bea.raw.close()
            await ada.until(lambda m: m["is"] == "table" and not m["table"]["seats"][1]["here"])
            async with made.people[1].socket(made.id):
                await ada.until(lambda m: m["is"] == "table" and m["table"]["seats"][1]["here"])

    asyncio.run(run())


BAD: list[str | bytes] = [
    "",
    "null",
    "[]",
    "{",
    "\x00",
    "[" * 60_000,
    '{"is":"act"}',
    '{"is":"act","seat":NaN,"act":{"is":"pass"},"ask":1,"id":"x"}',
    '{"is":"act","seat":0,"act":{"is":"pass","more":1},"ask":1,"id":"x"}',
    '{"is":"act","seat":0,"act":{"is":"claim","route":"\\ud800","payment":{"colour":null,"cards":0,"wilds":1}},"ask":3,"id":"x"}',
    '{"is":"act","seat":0,"act":{"is":"draw","slot":99999999999999999999},"ask":3,"id":"x"}',
    '{"is":"act","seat":-1,"act":{"is":"pass"},"ask":1,"id":"x"}',
    '{"is":"act","seat":0,"act":{"is":"pass"},"ask":1e999,"id":"x"}',
    '{"is":"say","text":"\\ud800","id":"x"}',
    '{"is":"say","text":"hi","id":"../../etc"}',
    '{"is":"__class__"}',
    b"\xff\xfe",
    b'{"is":"beat"}',
]


def test_nonsense_gets_a_refusal_and_nobody_else_notices(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path) as made:
            mine = made.sockets[made.turn]
            for bad in BAD:
                await mine.raw.send(bad)
                answer = await mine.until(lambda m: m["is"] == "refused")
                assert answer["problem"]["code"] in ("malformed", "stale", "not-an-action", "not-yours"), (
                    bad,
                    answer,
                )
            assert (await mine.act({"is": "draw", "slot": None}))["is"] == "done"

    asyncio.run(run())


def test_ten_megabytes_close_the_socket_and_only_that(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path) as made:
            async with made.people[0].socket(made.id) as big:
                with contextlib.suppress(websockets.ConnectionClosed):
                    await big.raw.send("x" * 10_000_000)
                await closed(big)
            assert (await made.sockets[made.turn].act({"is": "draw", "slot": None}))["is"] == "done"

    asyncio.run(run())


def test_two_hundred_sockets_at_one_table(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path) as made, AsyncExitStack() as stack:
            fans = [await Person(made.server.url, f"Fan {n}").arrive() for n in range(40)]
            opened = await asyncio.gather(
                *(stack.enter_async_context(fan.socket(made.id)) for fan in fans for _ in range(5))
            )
            await asyncio.gather(*(fan.until_view() for fan in opened))
            done = await made.sockets[made.turn].act({"is": "draw", "slot": None})
            views = await asyncio.gather(*(fan.until_view(lambda m: m["n"] == done["n"]) for fan in opened))
            assert {json.dumps(view) for view in views} == {json.dumps(views[0])}
            assert views[0]["view"]["own"] is None

    asyncio.run(run())


def test_five_sockets_of_one_person_and_a_sixth_closes_the_oldest(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path) as made, AsyncExitStack() as stack:
            fan = await Person(made.server.url, "Fan").arrive()
            live = await made.server.house.lobby.find(made.id)
            opened = []
            for n in range(5):
                opened.append(await stack.enter_async_context(fan.socket(made.id)))
                await opened[-1].until_view()
                assert sum(watcher.person == fan.id for watcher in live.audience.watchers) == n + 1
            async with fan.socket(made.id) as sixth:
                await sixth.until_view()
                assert await closed(opened[0]) == 4409
                for socket in (*opened[1:], sixth):
                    assert (await socket.ask("history", since=0))["is"] == "entries"

    asyncio.run(run())


def test_many_sockets_of_one_person_at_once_leave_five(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path) as made, AsyncExitStack() as stack:
            fan = await Person(made.server.url, "Fan").arrive()
            live = await made.server.house.lobby.find(made.id)
            opened = await asyncio.gather(*(stack.enter_async_context(fan.socket(made.id)) for _ in range(9)))
            ends = [asyncio.create_task(closed(socket)) for socket in opened]
            codes = [await end for end in itertools.islice(asyncio.as_completed(ends), 4)]
            assert codes == [4409] * 4
            assert sum(watcher.person == fan.id for watcher in live.audience.watchers) == 5
            for end in ends:
                end.cancel()
            await asyncio.wait(ends)

    asyncio.run(run())


def test_who_never_reads_is_dropped_and_nobody_waits(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path, queue=16) as made:
            live = await made.server.house.lobby.find(made.id)
            port = int(made.server.url.rpartition(":")[2])
            reader, writer = await _raw_socket(port, made.people[1], made.id)
            async with asyncio.timeout(60):
                while len(live.audience.watchers) < 3:
                    await asyncio.sleep(0.01)
            # It never reads: what it is sent piles up until the server has had enough.
            lazy = next(w for w in live.audience.watchers if w.seat is None)
            for _ in range(20_000):
                if lazy not in live.audience.watchers:
                    break
                lazy.put('{"is":"beat"}' + " " * 8_000)
                await asyncio.sleep(0)
            assert len(live.audience.watchers) == 2
            assert (await made.sockets[made.turn].act({"is": "draw", "slot": None}))["is"] == "done"
            # The connection is cut, not left half open behind what nobody reads, though it still gives signs of life.
            beat = b'\x81\x8d\0\0\0\0{"is":"beat"}'
            async with asyncio.timeout(60):
                with contextlib.suppress(ConnectionError):
                    while not writer.is_closing():
                        writer.write(beat)
                        await writer.drain()
                        await asyncio.sleep(0.01)
                with contextlib.suppress(ConnectionError):
                    while await reader.read(65_536):
                        pass
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    asyncio.run(run())


async def _raw_socket(port: int, person: Person, table: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 2048)
    raw.setblocking(False)
    await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=raw, limit=1024)
    writer.write(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        f"Cookie: {person.cookie}\r\n\r\n".encode()
    )
    await writer.drain()
    return reader, writer


def test_a_silent_socket_is_noticed(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path, heartbeat=0.6) as made:
            live = await made.server.house.lobby.find(made.id)
            async with made.people[0].socket(made.id) as silent:
                await silent.until_view()
                async with asyncio.timeout(60):
                    while len(live.audience.watchers) == 3:
                        for socket in made.sockets:
                            with contextlib.suppress(TimeoutError):
                                await socket.next(0.02)
                assert len(live.audience.watchers) == 2
                await closed(silent)

    asyncio.run(run())


@pytest.mark.parametrize("last", [0.0, 0.1, 4.9, 5.1, 9.9])
def test_a_dead_socket_is_noticed_within_thirty_seconds(last: float) -> None:
    async def run() -> float:
        clock = asyncio.get_running_loop().time
        nothing: Any = SimpleNamespace()
        table: Any = SimpleNamespace(audience=SimpleNamespace(watchers={}))
        house: Any = SimpleNamespace(
            settings=Settings(), sessions=None, store=None, workers=None, thinking=None, limits={}, seed=lambda: 0
        )
        ada = Known(PersonRow("ada", "Ada", "en", 0.0), SessionRow("ada", "1", "", 0.0, 0.0))
        silent = Connection(nothing, table, ada, house)
        beating = asyncio.create_task(silent._beat())
        await asyncio.sleep(10 + last)
        silent._heard = clock()
        await beating
        assert silent._closing == Close.NOT_HERE
        return clock() - silent._heard

    assert 20 <= hurry(run()) <= 30


def test_a_socket_that_vanishes_in_the_middle_of_an_action(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path) as made:
            seat = made.turn
            view: Any = made.sockets[seat].view
            live = await made.server.house.lobby.find(made.id)
            store: Any = made.server.house.store
            slow = asyncio.Event()
            append = store.append

            async def late(*arguments: Any) -> None:
                await slow.wait()
                await append(*arguments)

            store.append = late
            async with made.people[seat].socket(made.id, seat) as gone:
                await gone.until_view()
                act: Json = {
                    "is": "act",
                    "seat": seat,
                    "act": {"is": "draw", "slot": None},
                    "ask": view["ask"],
                    "id": "g",
                }
                await gone.send(**act)
                while not live._tasks:
                    await asyncio.sleep(0.01)
            slow.set()
            await made.all_at(view["n"] + 1)
            store.append = append
            again = await made.sockets[seat].ask(
                "act", seat=seat, act={"is": "draw", "slot": None}, ask=view["ask"], id="g"
            )
            assert again == {"is": "done", "id": "g", "n": view["n"] + 1}

    asyncio.run(run())
