"""Measures a real server with real sockets on loopback: actions a second, and how long until everybody sees them."""

import asyncio
import http.client
import json
import multiprocessing
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import orjson
import websockets

Json = dict[str, Any]
HERE = "127.0.0.1"
Opened = tuple[str, list[str], str]
"""A table: its id, the cookie of each seat, and where its people are."""
Progress = Callable[[str, float], None]
"""What is being done, and how much of it is done (0 to 1)."""


@dataclass(frozen=True, slots=True)
class Load:
    """What one measurement is."""

    tables: int = 200
    seats: int = 2
    map: str = "europe"
    seconds: float = 20.0
    rate: float = 0.0
    """Actions a second in all; 0 for as fast as they go."""
    processes: int = 1
    quiet: int = 0
    """Further tables at which somebody looks and nobody plays."""
    together: bool = False
    """Whether a table's people are at one server, and the tables spread over them; else each seat is at another."""


@dataclass(slots=True)
class Measured:
    """What came out."""

    load: Load
    actions: int = 0
    actions_per_second: float = 0.0
    p50_ms: float = 0.0
    """From sending an action until everybody at the table has their view."""
    p99_ms: float = 0.0
    table_kb: float = 0.0
    """Memory of a table without sockets."""
    server_cpu: float = 0.0
    """Cores that the servers kept busy."""
    latencies: list[float] = field(default_factory=list, repr=False)

    def summed_up(self) -> "Measured":
        """With what follows from the single latencies."""
        ordered = sorted(self.latencies)
        if ordered:
            self.p50_ms = round(ordered[len(ordered) // 2] * 1e3, 2)
            self.p99_ms = round(ordered[int(len(ordered) * 0.99)] * 1e3, 2)
        self.actions_per_second = round(self.actions / self.load.seconds, 1)
        return self

    @property
    def server_ms(self) -> float:
        """Milliseconds of the servers' processor time for one action."""
        return round(self.server_cpu * self.load.seconds * 1e3 / self.actions, 3) if self.actions else 0.0

    def to_dict(self) -> Json:
        data = asdict(self)
        data.pop("latencies")
        return data


class Server:
    """A real server in a process of its own, on any free port."""

    def __init__(self, folder: Path, limits: bool = False, variables: dict[str, str] | None = None) -> None:
        """Start it and wait until it answers; with the limits that strangers meet, or without any.

        `variables` name its database, its bus and its secret, where it is one of several.
        """
        flags = [f"--data={folder}", "--port=0", "--bot-pace=0", "--log-level=error"]
        if not limits:
            flags += ["--rate-limits=0", "--connections-per-address=0"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "branchline.cli", "serve", *flags],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **(variables or {})},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the server did not start")
        self.port = int(line.rpartition(":")[2])

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    @property
    def memory_kb(self) -> int:
        """What it holds in memory; 0 where the system does not tell."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return 0
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far."""
        try:
            stat = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


class Http:
    """One person's requests over one connection."""

    def __init__(self, port: int, source: str = HERE) -> None:
        """Connects at the first request, from an address of this machine."""
        self._connection = http.client.HTTPConnection("127.0.0.1", port, source_address=(source, 0))
        self.cookie = ""

    def call(self, method: str, path: str, body: Json | None = None) -> Any:
        headers = {"content-type": "application/json", "cookie": self.cookie}
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self._connection.getresponse()
        text = response.read()
        if response.status >= 400:
            raise RuntimeError(f"{method} {path}: {response.status} {text.decode()}")
        cookie = response.getheader("set-cookie")
        if cookie:
            self.cookie = cookie.partition(";")[0]
        return json.loads(text)

    def close(self) -> None:
        self._connection.close()


def measure(load: Load, progress: Progress) -> Measured:
    """Start a server, fill it with tables, play, and take the figures."""
    measured = Measured(load)
    with tempfile.TemporaryDirectory(prefix="branchline-bench-", ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder))
        try:
            tables, measured.table_kb = open_tables([server], load, progress)
            play([server], load, tables, measured, progress)
        finally:
            server.stop()
    return measured.summed_up()


def open_tables(servers: list[Server], load: Load, progress: Progress) -> tuple[list[Opened], float]:
    """Tables that are begun, those that stay quiet last; and what one of them takes of a server's memory."""
    people, server = [], servers[0]
    for seat in range(load.seats):
        person = Http(server.port)
        person.call("PUT", "/api/me", {"name": f"Bench {seat}"})
        people.append(person)
    before, tables, wanted = 0, [], load.tables + load.quiet + 10
    for n in range(wanted):
        if n == 10:
            before = server.memory_kb  # the first few bring caches and maps with them
        made = people[0].call("POST", "/api/tables", {"map": load.map, "seats": [{"who": "open"}] * load.seats})
        for seat, person in enumerate(people):
            person.call("POST", f"/api/tables/{made['id']}/seats/{seat}/sit", {"nonce": secrets.token_hex(16)})
        people[0].call("POST", f"/api/tables/{made['id']}/start")
        tables.append((made["id"], [person.cookie for person in people], HERE))
        progress("opening tables", (n + 1) / wanted)
    for person in people:
        person.close()
    return tables[10:], round((server.memory_kb - before) / (load.tables + load.quiet), 1)


def play(servers: list[Server], load: Load, tables: list[Opened], measured: Measured, progress: Progress) -> None:
    """Play at tables that are open, from processes of their own; tables or their seats are spread over the servers."""
    context = multiprocessing.get_context("spawn")
    pipes: list[Any] = []
    processes = []
    for n in range(load.processes):
        ours, theirs = context.Pipe()
        share = tables[: load.tables][n :: load.processes]
        quiet = tables[load.tables :][n :: load.processes]
        ports = [server.port for server in servers]
        process = context.Process(target=_client, args=(theirs, ports, load, share, quiet), daemon=True)
        process.start()
        pipes.append(ours)
        processes.append(process)
    for pipe in pipes:
        pipe.recv()  # connected
    cpu = sum(server.cpu for server in servers)
    for pipe in pipes:
        pipe.send("go")
    began = time.monotonic()
    while (passed := time.monotonic() - began) < load.seconds:
        progress("playing", passed / load.seconds)
        time.sleep(0.2)
    measured.server_cpu = round((sum(server.cpu for server in servers) - cpu) / load.seconds, 3)
    for pipe in pipes:
        actions, latencies = pipe.recv()
        measured.actions += actions
        measured.latencies += latencies
    progress("playing", 1.0)
    for process in processes:
        process.join(10)


def _client(pipe: Connection, ports: list[int], load: Load, tables: list[Opened], quiet: list[Opened]) -> None:
    """One client process with its share of the tables."""
    try:
        import uvloop

        loop_factory: Any = uvloop.new_event_loop
    except ImportError:
        loop_factory = None
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(_clients(pipe, ports, load, tables, quiet))


async def _clients(pipe: Connection, ports: list[int], load: Load, tables: list[Opened], quiet: list[Opened]) -> None:
    playing = [_Table(id, cookies, source, load) for id, cookies, source in tables]
    looking = [_Table(id, cookies[:1], source, load) for id, cookies, source in quiet]
    for n, table in enumerate([*playing, *looking]):
        near = ports[n % len(ports) :] + ports[: n % len(ports)]
        await table.connect(near[:1] if load.together else near)
    pipe.send("connected")
    await asyncio.to_thread(pipe.recv)
    pause = len(tables) * load.processes / load.rate if load.rate else 0.0
    tasks = [asyncio.create_task(table.play(pause)) for table in playing]
    tasks += [asyncio.create_task(table.look()) for table in looking]
    await asyncio.sleep(load.seconds)
    actions = sum(table.actions for table in playing)
    pipe.send((actions, [latency for table in playing for latency in table.latencies]))
    for task in tasks:
        task.cancel()
    everybody = [*playing, *looking]
    await asyncio.gather(*tasks, *(table.close() for table in everybody), return_exceptions=True)


class _Table:
    """Everybody's sockets at one table."""

    def __init__(self, id: str, cookies: list[str], source: str, load: Load) -> None:
        self.id = id
        self.source = source
        self.cookies = cookies
        self.sockets: list[websockets.ClientConnection] = []
        self.views: list[Json] = [{} for _ in cookies]
        self.actions = 0
        self.latencies: list[float] = []
        self._random = random.Random(id)
        self._seats = load.seats

    async def connect(self, ports: list[int]) -> None:
        """Each seat through the next of these servers."""
        for seat, cookie in enumerate(self.cookies):
            url = f"ws://127.0.0.1:{ports[seat % len(ports)]}/api/tables/{self.id}/socket?seat={seat}"
            headers = {"Cookie": cookie}
            socket = await websockets.connect(
                url,
                additional_headers=headers,
                compression=None,
                ping_interval=None,
                proxy=None,
                close_timeout=1,
                local_addr=(self.source, 0),
            )
            self.sockets.append(socket)
            await self._view(seat, 0)

    async def close(self) -> None:
        await asyncio.gather(*(socket.close() for socket in self.sockets))

    async def look(self) -> None:
        """Wait, and show that one is there."""
        while True:
            await self._view(0, 0)

    async def play(self, pause: float) -> None:
        await asyncio.sleep(self._random.random() * pause)
        due = time.monotonic()
        while True:
            seat = next((s for s, view in enumerate(self.views) if view["ask"] is not None), None)
            if seat is None:
                return  # the game is over
            view = self.views[seat]
            action = pick(view["view"], self._random)
            sent = time.perf_counter()
            message = {"is": "act", "seat": seat, "act": action, "ask": view["ask"], "id": f"b{view['n']}"}
            await self.sockets[seat].send(orjson.dumps(message).decode())
            await asyncio.gather(*(self._view(s, view["n"] + 1) for s in range(self._seats)))
            self.latencies.append(time.perf_counter() - sent)
            self.actions += 1
            if pause:
                due += pause
                await asyncio.sleep(due - time.monotonic())

    async def _view(self, seat: int, n: int) -> None:
        while True:
            frame = await self.sockets[seat].recv(decode=False)
            if frame.startswith(b'{"is":"view"'):
                message = orjson.loads(frame)
                if message["n"] >= n:
                    self.views[seat] = message
                    return
            elif frame.startswith(b'{"is":"beat"'):
                await self.sockets[seat].send('{"is":"beat"}')


def pick(view: Json, random: random.Random) -> Json:
    """An action out of a view's choices, as somebody might choose."""
    choices, own = view["choices"], view["own"]
    if choices["keep"]:
        return {"is": "keep", "tickets": own["offer"]}
    if choices["pay"]:
        return {"is": "pay", "payment": _payment(choices["pay"][0])}
    if choices["claims"] and random.random() < 0.3:
        route = random.choice(list(choices["claims"]))
        return {"is": "claim", "route": route, "payment": _payment(choices["payments"][choices["claims"][route]][0])}
    if choices["deck"]:
        return {"is": "draw", "slot": None}
    if choices["row"]:
        return {"is": "draw", "slot": choices["row"][0]}
    if choices["take_back"]:
        return {"is": "take-back"}
    if choices["claims"]:
        route = next(iter(choices["claims"]))
        return {"is": "claim", "route": route, "payment": _payment(choices["payments"][choices["claims"][route]][0])}
    if choices["tickets"]:
        return {"is": "tickets"}
    if choices["station"]:
        return {"is": "build", "city": choices["cities"][0], "payment": _payment(choices["station"][0])}
    return {"is": "pass"}


def _payment(triple: list[Any]) -> Json:
    colour, cards, wilds = triple
    return {"colour": colour, "cards": cards, "wilds": wilds}
