"""Many people at tables of several servers, who go elsewhere when theirs dies, and remember all that they were told."""

import asyncio
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import websockets

from scripts.services import Postgres, Redis
from tests.server.client import Json, Person, Server, Socket, pick
from tests.server.forked import Forked
from tests.services import sql

STUCK = 5.0
"""Seconds without an answer after which somebody tries another server, as the browser's client does after six."""
GONE = (OSError, websockets.WebSocketException, TimeoutError)
CLOCK = 10
"""Seconds of a turn, where the clock plays for everybody."""
BETWEEN = 0.3
"""Seconds that somebody thinks about an action."""


class Thinking(Forked):
    """A server with bots."""

    daemon = False


class Servers:
    """Several servers on one database and one bus."""

    def __init__(self, folder: Path, postgres: Postgres, redis: Redis, count: int = 3) -> None:
        self.postgres = postgres
        self.redis = redis
        secret = secrets.token_hex(32)
        self.all: list[Server] = []
        for n in range(count):
            own = folder / str(n)
            own.mkdir()
            self.all.append(Thinking(own, database=postgres.url, bus=redis.url, secret=secret, drain=1))

    async def start(self) -> None:
        await asyncio.gather(*(asyncio.to_thread(server.start) for server in self.all))

    def close(self) -> None:
        for server in self.all:
            if server.process is not None:
                server.stop()

    def url(self, random: Random, but: str) -> str:
        """Where somebody is sent by a load balancer: hardly where they have just been refused."""
        return random.choice([server.url for server in self.all if server.url != but])


@dataclass
class Notes:
    """What everybody was told."""

    shown: dict[tuple[str, int, int | None], str] = field(default_factory=dict)
    """What was seen through a seat (None for spectators) at a table's number."""
    acknowledged: dict[tuple[str, str], int] = field(default_factory=dict)
    """The number that each table's messages got."""
    back: list[float] = field(default_factory=list)
    """Seconds from losing a socket to the next view."""
    bots: list[float] = field(default_factory=list)
    """Seconds for which somebody waited for a bot."""
    clocks: list[float] = field(default_factory=list)
    """Seconds from the end of a turn's time to what the clock played."""
    late: list[float] = field(default_factory=list)
    """Seconds from the first view of an entry to everybody else's, for those who were there."""
    entries: dict[tuple[str, int], float] = field(default_factory=dict)
    """When each was first seen."""

    def see(self, table: str, view: Json) -> None:
        """The same number is the same position, for everybody, through every server, before and after any death."""
        shown, seen = json.dumps(view["view"], sort_keys=True), (table, view["n"], view["seat"])
        new = seen not in self.shown
        assert self.shown.setdefault(seen, shown) == shown, seen
        if new and view["entry"] is not None:
            now = time.monotonic()
            self.late.append(now - self.entries.setdefault((table, view["n"]), now))

    def summary(self) -> str:
        worst = {"back": self.back, "bots": self.bots, "clocks": self.clocks, "late": self.late}
        told = ", ".join(f"{name} {max(seconds, default=0):.1f} s" for name, seconds in worst.items())
        return f"{len(self.acknowledged)} acknowledged, {len(self.back)} reconnections; at worst {told}"


class Roamer:
    """Somebody at a table, with a seat or without one."""

    def __init__(self, servers: Servers, notes: Notes, person: Person, table: str, seat: int | None, bot: bool) -> None:
        self.servers = servers
        self.notes = notes
        self.person = person
        self.table = table
        self.seat = seat
        self.bot = bot
        self.over = False
        self._random = Random(f"{table} {seat}")
        self._pending: Json | None = None
        self._count = 0
        self._lost: float | None = None
        self._deadline: float | None = None
        self._bot_since: tuple[int, float] | None = None
        """Since when a bot is waited for, also across deaths, and after which entry."""

    async def play(self, enough: Callable[[], bool]) -> None:
        """Play until the game is over, or it is enough and nothing is unanswered."""
        while not self.over and not (enough() and self._pending is None):
            self.person.url = self.servers.url(self._random, self.person.url)
            try:
                async with self.person.socket(self.table, self.seat, open_timeout=STUCK) as socket:
                    view = await socket.until_view(timeout=STUCK)
                    if self._lost is not None:
                        self.notes.back.append(time.monotonic() - self._lost)
                        self._lost = None
                    await self._session(socket, view, enough)
            except GONE:
                self._lost = self._lost or time.monotonic()
                await asyncio.sleep(0.1 + 0.2 * self._random.random())

    async def _session(self, socket: Socket, view: Json, enough: Callable[[], bool]) -> None:
        while True:
            self.notes.see(self.table, view)
            self._clock(view)
            if self._bot_since is not None and view["n"] > self._bot_since[0]:
                self.notes.bots.append(time.monotonic() - self._bot_since[1])
                self._bot_since = None
            if self.bot and self.seat is not None and view["ask"] is None and self._bot_since is None:
                self._bot_since = view["n"], time.monotonic()
            if self._pending is not None:
                if await self._send(socket) <= view["n"]:
                    # It had been done before the last server died, and this view may ask the next question already.
                    continue
            elif view["view"]["stage"] == "over":
                self.over = True
                return
            elif enough():
                return
            elif view["ask"] is not None:
                await asyncio.sleep(BETWEEN * 2 * self._random.random())
                self._count += 1
                self._pending = {"seat": self.seat, "act": pick(view["view"], self._random), "ask": view["ask"]}
                self._pending["id"] = f"{self.seat}-{self._count}"
                await self._send(socket)
            view = await self._next(socket, view, enough)

    def _clock(self, view: Json) -> None:
        """How late the clock was, where it plays for people who never act."""
        if view["entry"] is not None and view["entry"]["by"] == "clock" and self._deadline is not None:
            self.notes.clocks.append(view["entry"]["at"] - self._deadline)
        self._deadline = view["deadline"]

    async def _send(self, socket: Socket) -> int:
        """Send what is to be answered; the number that it got."""
        assert self._pending is not None
        id = self._pending["id"]
        async with asyncio.timeout(STUCK):
            await socket.send(**{"is": "act", **self._pending})
            while id not in socket.answers:
                message = await socket.next()
                if message["is"] == "view":
                    self.notes.see(self.table, message)
        answer = socket.answers[id]
        if answer["is"] == "refused" and answer["problem"]["code"] == "cannot-store":
            await asyncio.sleep(0.5)
            raise TimeoutError  # nothing was done, and it is tried again elsewhere
        assert answer["is"] == "done", (self.table, answer, self._pending)
        self.notes.acknowledged[self.table, id] = answer["n"]
        self._pending = None
        return int(answer["n"])

    async def _next(self, socket: Socket, view: Json, enough: Callable[[], bool]) -> Json:
        """The next view; who waits for others looks now and then whether it is enough."""
        if socket.view is not None and socket.view["n"] > view["n"]:
            return socket.view
        while True:
            try:
                async with asyncio.timeout(1.0):
                    return await socket.until_view(lambda message: message["n"] > view["n"])
            except TimeoutError:
                if enough():
                    return view


class Storm:
    """Tables, everybody at them, and what has to be true in the end."""

    def __init__(self, servers: Servers) -> None:
        self.servers = servers
        self.notes = Notes()
        self.roamers: list[Roamer] = []
        self.tables: list[str] = []
        self.clocked: list[str] = []
        """Tables whose people never act: all that happens there is the clock's."""

    async def open(self, tables: int, with_bots: int, with_clocks: int) -> None:
        """So many tables of two people, with a person and a bot, and with a clock alone; each with a spectator."""
        url = self.servers.all[0].url
        watcher = await Person(url, "Watcher").arrive()
        for n in range(tables + with_bots + with_clocks):
            bot, clock = tables <= n < tables + with_bots, n >= tables + with_bots
            people = [await Person(url, f"Player {n} {seat}").arrive() for seat in range(1 if bot else 2)]
            seats = [{"who": "open"}, {"who": "bot", "level": "novice"} if bot else {"who": "open"}]
            pace = {"kind": "seconds", "length": CLOCK} if clock else {"kind": "none", "length": 0}
            made = await people[0].post("/api/tables", map="europe", seats=seats, pace=pace)
            for seat, person in enumerate(people):
                await person.sit(made["id"], seat)
            await people[0].post(f"/api/tables/{made['id']}/start")
            (self.clocked if clock else self.tables).append(made["id"])
            watching = Person(url, "Watcher")
            watching.http.cookies = watcher.http.cookies
            everybody: list[tuple[int | None, Person]] = [*([] if clock else enumerate(people)), (None, watching)]
            for place, person in everybody:
                self.roamers.append(Roamer(self.servers, self.notes, person, made["id"], place, bot))

    async def play(self, enough: Callable[[], bool]) -> None:
        """Everybody plays until it is enough, or their games are over; whoever is told something wrong ends it all."""
        async with asyncio.TaskGroup() as group:
            for roamer in self.roamers:
                group.create_task(roamer.play(enough))

    def kind(self, table: str) -> str:
        return "with a bot" if any(roamer.bot for roamer in self.roamers if roamer.table == table) else "of people"

    def check(self) -> None:
        """The log holds everything acknowledged, once and under its number, without a gap."""
        for table in [*self.tables, *self.clocked]:
            query = f"SELECT n, \"by\", message FROM log WHERE table_id = '{table}' ORDER BY n"
            rows = sql(self.servers.postgres.url, query)
            assert [int(n) for n, _, _ in rows] == list(range(1, len(rows) + 1)), table
            stored = [message for _, _, message in rows if message]
            assert len(stored) == len(set(stored)), table
            numbers = {message: int(n) for n, _, message in rows if message}
            told = {id: n for (at, id), n in self.notes.acknowledged.items() if at == table}
            assert told.items() == numbers.items(), (table, told.items() ^ numbers.items())
