"""The server dies, at named points and at any moment, and no acknowledged action is lost or done twice."""

import asyncio
import json
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import httpx
import pytest
import websockets

from tests.server.client import Json, Person, Server, Socket, folder, pick
from tests.server.forked import Forked

KILLS = int(os.environ.get("BRANCHLINE_KILLS", "20"))
"""In CI; `make soak` has 500."""
POINTS = ("before-commit", "after-commit", "before-announcing", "after-acknowledgement")


class Stubborn:
    """Plays both seats of a table, reconnects by itself, and sends again what was not answered."""

    def __init__(self, server: Server, random: Random) -> None:
        self.server = server
        self.random = random
        self.person = Person(server.url, "Ada")
        self.table = ""
        self.acknowledged: dict[str, int] = {}
        self.seen: dict[tuple[int, int], str] = {}
        self.pending: Json | None = None
        self.deaths = 0
        self.over = False
        self._ids = 0

    async def open(self, map: str) -> None:
        await self.person.arrive()
        self.table = (await self.person.post("/api/tables", map=map, seats=[{"who": "open"}] * 2))["id"]
        for seat in (0, 1):
            await self.person.sit(self.table, seat)
        await self.person.post(f"/api/tables/{self.table}/start")

    async def play(self, restart: Callable[[], None], enough: Callable[[], bool]) -> None:
        """Play until the game is over or it is enough; `restart` brings the server back."""
        while not self.over and not enough():
            try:
                async with self.person.socket(self.table, open_timeout=5) as socket:
                    await self._session(socket.raw, enough)
            except (OSError, websockets.WebSocketException, TimeoutError):
                if self.server.process is not None and self.server.process.poll() is not None:
                    self.deaths += 1
                    self.server.wait()
                    restart()

    async def _session(self, raw: websockets.ClientConnection, enough: Callable[[], bool]) -> None:
        seat = 0
        if self.pending is not None:
            await raw.send(json.dumps(self.pending))
            await self._answer(raw)
        while not enough():
            await raw.send(json.dumps({"is": "look", "seat": seat}))
            view = await self._view(raw, seat)
            self._same(view)
            if view["view"]["stage"] == "over":
                self.over = True
                return
            if view["ask"] is None:
                seat = 1 - seat
                continue
            self._ids += 1
            act = pick(view["view"], self.random)
            self.pending = {"is": "act", "seat": seat, "act": act, "ask": view["ask"], "id": f"k{self._ids}"}
            await raw.send(json.dumps(self.pending))
            await self._answer(raw)

    def _same(self, view: Json) -> None:
        """The same number is the same position, before and after any death."""
        shown = json.dumps(view["view"])
        assert self.seen.setdefault((view["n"], view["seat"]), shown) == shown

    async def _view(self, raw: websockets.ClientConnection, seat: int) -> Json:
        async with asyncio.timeout(60):
            while True:
                message: Json = json.loads(await raw.recv())
                if message["is"] == "view" and message["seat"] == seat and message["entry"] is None:
                    return message

    async def _answer(self, raw: websockets.ClientConnection) -> None:
        assert self.pending is not None
        async with asyncio.timeout(60):
            while True:
                message: Json = json.loads(await raw.recv())
                if message.get("id") == self.pending["id"]:
                    assert message["is"] == "done", message
                    self.acknowledged[message["id"]] = message["n"]
                    self.pending = None
                    return

    def check(self) -> None:
        """The log holds everything acknowledged, once and under its number, without a gap."""
        with sqlite3.connect(self.server.folder / "tables.db") as database:
            rows = database.execute("select n, message from log where table_id = ? order by n", [self.table]).fetchall()
        database.close()
        assert [n for n, _ in rows] == list(range(1, len(rows) + 1))
        stored = {message: n for n, message in rows if message is not None}
        assert len(stored) == len(rows) - 1
        assert self.acknowledged.items() <= stored.items()


@pytest.mark.parametrize("point", POINTS)
def test_death_at_a_named_point(point: str) -> None:
    async def run(server: Server) -> None:
        player = Stubborn(server, Random(5))
        server.start()
        player.person = Person(server.url, "Ada")
        await player.open("new-york")
        server.stop()
        hits = iter((1, 3, 6))
        server.start(f"{point}:{next(hits)}")

        def restart() -> None:
            hit = next(hits, None)
            server.start("" if hit is None else f"{point}:{hit}")

        await player.play(restart, lambda: player.deaths == 3 and len(player.acknowledged) > 14)
        assert player.deaths == 3
        player.check()

    with folder() as path:
        server = Server(Path(path))
        try:
            asyncio.run(run(server))
        finally:
            server.stop()


async def look(socket: Socket, seat: int) -> Json:
    await socket.send(**{"is": "look", "seat": seat})
    return await socket.until_view(lambda message: message["seat"] == seat and message["entry"] is None)


async def until_undoable(socket: Socket, random: Random) -> tuple[Json, Json]:
    """Play both seats until something can be taken back: the views before and after it."""
    while True:
        for seat in (0, 1):
            before = await look(socket, seat)
            if before["ask"] is not None:
                await socket.act(pick(before["view"], random))
                after = await look(socket, seat)
                if after["undo"]:
                    return before, after


def test_what_could_be_taken_back_before_a_death_can_be_taken_back_after_it() -> None:
    async def run(server: Server) -> None:
        player = Stubborn(server, Random(3))
        await player.open("europe")
        async with player.person.socket(player.table) as socket:
            before, after = await until_undoable(socket, player.random)
            server.kill()
        server.start()
        async with player.person.socket(player.table) as socket:
            assert await look(socket, after["seat"]) == after
            done = await socket.ask("undo", seat=after["seat"], n=after["n"], id="back")
            assert (done["is"], done["n"]) == ("done", after["n"] + 1)
            again = await look(socket, after["seat"])
            assert (again["view"], again["ask"]) == (before["view"], done["n"])
            server.kill()
        server.start()
        async with player.person.socket(player.table) as socket:
            assert await socket.ask("undo", seat=after["seat"], n=after["n"], id="back") == done
            assert await look(socket, after["seat"]) == again

    with folder() as path, Server(Path(path)) as server:
        asyncio.run(run(server))


async def one_game(server: Server, player: Stubborn, random: Random, most: int) -> int:
    """A game with so many deaths at most; how many there were."""
    kills = 0

    async def kill() -> None:
        nonlocal kills
        while kills < most:
            await asyncio.sleep(random.uniform(0.02, 0.5))
            if server.process is not None and server.process.poll() is None:
                server.process.kill()
                kills += 1
                before = len(player.acknowledged)
                while len(player.acknowledged) < before + 3:
                    await asyncio.sleep(0.02)

    def restart() -> None:
        server.start()

    killing = asyncio.create_task(kill())
    await player.play(restart, lambda: kills >= most and killing.done() and player.pending is None)
    killing.cancel()
    return kills


def test_death_at_any_moment() -> None:
    began = time.monotonic()

    async def run(server: Server) -> None:
        random, kills, acknowledged = Random(11), 0, 0
        while kills < KILLS:
            player = Stubborn(server, random)
            try:
                await player.open("europe")
            except httpx.TransportError:  # the last game ended with a death
                server.wait()
                server.start()
                await player.open("europe")
            kills += await one_game(server, player, random, KILLS - kills)
            player.check()
            acknowledged += len(player.acknowledged)
        print(f"{kills} deaths, {acknowledged} actions acknowledged, 0 lost, {time.monotonic() - began:.0f} s")

    with folder() as path, Forked(Path(path)) as server:
        asyncio.run(run(server))
