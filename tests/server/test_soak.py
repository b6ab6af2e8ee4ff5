"""Fuzzed messages between real actions, in many games at once: no fault, nothing lost, and the games go on."""

import asyncio
import copy
import json
import os
import sqlite3
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import orjson

from tests.attack.attacker import TEXT, frame
from tests.server.client import Json, Person, Server, folder, pick
from tests.server.test_fuzz import DEFINITIONS, SCHEMA, messages

FUZZED = int(os.environ.get("BRANCHLINE_FUZZ", "2000"))
"""Messages and actions in all; `make soak` has a million."""
GAMES = 8
BURST = 40
"""Fuzzed messages between two actions: all of them are on their way before the first is answered."""
PATIENCE = 300.0
"""Seconds for the answers to one burst, on a machine that has much else to do."""
WEIGHTS = {"act": 8, "undo": 4, "say": 2, "look": 2}
"""What changes something comes more often than what only asks; the rest once."""
ODD: list[Any] = [None, True, -1, 1e308, 2**70, "", "\x00", "é" * 50, [], {}, [[[]]], "🚂", "red", 0, 1, 7]


class Wire:
    """A socket by hand: many frames go out in one write, and each that comes back is looked at once."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, server: Server, person: Person, table: str) -> "Wire":
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        head = (
            f"GET /api/tables/{table}/socket?seat=0 HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            f"Cookie: {person.cookie}\r\n\r\n"
        )
        writer.write(head.encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in answer, answer
        return cls(reader, writer)

    async def send(self, texts: list[str]) -> None:
        self._writer.write(b"".join(frame(TEXT, text.encode()) for text in texts))
        await self._writer.drain()

    async def next(self) -> Json:
        kind, length = await self._reader.readexactly(2)
        if length == 126:
            length = int.from_bytes(await self._reader.readexactly(2), "big")
        elif length == 127:
            length = int.from_bytes(await self._reader.readexactly(8), "big")
        payload = await self._reader.readexactly(length)
        assert kind == 0x80 | TEXT, (kind, payload)
        message: Json = orjson.loads(payload)
        return message

    def close(self) -> None:
        self._writer.close()


class Game:
    """One person at both seats of a table, who talks nonsense most of the time."""

    def __init__(self, server: Server, number: int, total: int) -> None:
        self.server = server
        self.random = Random(number)
        self.person = Person(server.url, f"Ada {number}")
        self.left = total
        self.sent = 0
        self.done: set[tuple[str, str, int]] = set()
        """Table, message and the number that it was told."""
        self.answers: Counter[str] = Counter()
        self.games = 0
        self._views: dict[int, Json] = {}
        self._answered: set[str | None] = set()
        self._ids = 0

    async def play(self) -> None:
        await self.person.arrive()
        while self.left > 0:
            table = (await self.person.post("/api/tables", map="europe", seats=[{"who": "open"}] * 2))["id"]
            for seat in (0, 1):
                await self.person.sit(table, seat)
            await self.person.post(f"/api/tables/{table}/start")
            self.games += 1
            wire = await Wire.open(self.server, self.person, table)
            try:
                await self._one(table, wire)
            finally:
                wire.close()

    async def _one(self, table: str, wire: Wire) -> None:
        """A game, to its end or to that of the messages: actions stand somewhere among each burst of nonsense."""
        await self._burst(table, wire, [])
        while self.left > 0 and self._views[0]["view"]["stage"] != "over":
            asked = [view for view in self._views.values() if view["ask"] is not None]
            await self._burst(table, wire, [self._act(view) for view in asked])

    async def _burst(self, table: str, wire: Wire, acts: list[Json]) -> None:
        texts = [self._nonsense(acts) for _ in range(min(BURST, max(0, self.left - len(acts))))]
        for act in acts:
            texts.insert(self.random.randrange(len(texts) + 1), json.dumps(act))
        self.left -= len(texts)
        self.sent += len(texts)
        # What is refused at the very end has its place among the answers: all before it are answers to this burst.
        last = self._id("end")
        looks = [json.dumps({"is": "look", "seat": seat}) for seat in (0, 1)]
        await wire.send([*texts, *looks, json.dumps({"is": "nothing", "id": last})])
        self._answered.clear()
        async with asyncio.timeout(PATIENCE):
            while (answer := await wire.next()).get("id") != last:
                self._note(table, answer)
        assert answer["problem"]["code"] == "malformed"
        assert self._answered >= {act["id"] for act in acts}

    def _note(self, table: str, answer: Json) -> None:
        kind = answer["is"]
        if kind == "view" and answer["seat"] is not None:
            self._views[answer["seat"]] = answer
        elif kind == "done":
            self.done.add((table, answer["id"], answer["n"]))
        if kind in ("done", "refused"):
            self._answered.add(answer["id"])
        self.answers[answer["problem"]["code"] if kind == "refused" else kind] += 1

    def _act(self, view: Json) -> Json:
        act = pick(view["view"], self.random)
        return {"is": "act", "seat": view["seat"], "act": act, "ask": view["ask"], "id": self._id("act")}

    def _nonsense(self, acts: list[Json]) -> str:
        random = self.random
        if acts and random.random() < 0.2:
            return json.dumps(self._nearly(random.choice(acts)))
        kinds = SCHEMA["oneOf"]
        weights = [WEIGHTS.get(_kind(kind), 1) for kind in kinds]
        text = json.dumps(messages(random.choices(kinds, weights)[0], random))
        if random.random() < 0.1:
            cut = random.randrange(len(text))
            text = text[:cut] + random.choice(["", "\\ud800", "NaN", "\x00", '"', "}" * 50]) + text[cut:]
        return text

    def _nearly(self, act: Json) -> Json:
        """A real action with something else in one place; now and then it is one all the same."""
        node: Any = {**copy.deepcopy(act), "id": self._id("near")}
        made = node
        while True:
            key = self.random.choice(list(node)) if isinstance(node, dict) else self.random.randrange(len(node))
            if not (isinstance(node[key], dict | list) and node[key]) or self.random.random() < 0.2:
                node[key] = self.random.choice(ODD)
                return made  # type: ignore[no-any-return]
            node = node[key]

    def _id(self, kind: str) -> str:
        self._ids += 1
        return f"{kind}-{self._ids}"


def _kind(schema: Json) -> str:
    definition = DEFINITIONS[str(schema["$ref"]).rpartition("/")[2]]
    return str(definition["properties"]["is"]["const"])


def lost(path: Path, told: set[tuple[str, str, int]]) -> set[tuple[str, str, int]]:
    """What was acknowledged, said or done, and is not stored under its number."""
    with sqlite3.connect(path) as database:
        stored = {
            entry for kind in ("log", "chat") for entry in database.execute(f"select table_id, message, n from {kind}")
        }
        logs: dict[str, list[int]] = {}
        for table, n in database.execute("select table_id, n from log order by table_id, n"):
            logs.setdefault(table, []).append(n)
    database.close()
    assert all(entries == list(range(1, len(entries) + 1)) for entries in logs.values())
    return told - stored


def test_nonsense_between_actions_loses_nothing() -> None:
    async def run(server: Server) -> list[Game]:
        games = [Game(server, number, FUZZED // GAMES) for number in range(GAMES)]
        await asyncio.gather(*(game.play() for game in games))
        return games

    with folder() as path:
        began = time.monotonic()
        with Server(Path(path), queue=4096) as server:
            games = asyncio.run(run(server))
            assert "Traceback" not in server.complaints
        told = set[tuple[str, str, int]]().union(*(game.done for game in games))
        gone = lost(Path(path) / "tables.db", told)
        acted = [(table, id) for table, id, _ in told if id.startswith(("act-", "near-"))]
        sent, played = sum(game.sent for game in games), sum(game.games for game in games)
        print(f"{sent} messages in {played} games, {len(told)} done,", end=" ")
        print(f"{len(acted)} of them actions, {len(gone)} lost, {time.monotonic() - began:.0f} s")
        print(dict(sum((game.answers for game in games), Counter[str]()).most_common()))
        assert acted
        assert len(acted) == len(set(acted)), "done twice"
        assert not gone
