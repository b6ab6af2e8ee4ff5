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
    """Cores that the server kept busy."""
    latencies: list[float] = field(default_factory=list, repr=False)

    def to_dict(self) -> Json:
        data = asdict(self)
        data.pop("latencies")
        return data


class Server:
    """A real server in a process of its own, on any free port."""

    def __init__(self, folder: Path) -> None:
        """Start it and wait until it answers."""
        flags = [f"--data={folder}", "--port=0", "--rate-limits=0", "--bot-pace=0", "--log-level=error"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "branchline.cli", "serve", *flags], stdout=subprocess.PIPE, text=True
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

    def __init__(self, port: int) -> None:
        """Connects at the first request."""
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
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
            tables, measured.table_kb = _open_tables(server, load, progress)
            _play(server, load, tables, measured, progress)
        finally:
            server.stop()
    ordered = sorted(measured.latencies)
    if ordered:
        measured.p50_ms = round(ordered[len(ordered) // 2] * 1e3, 2)
        measured.p99_ms = round(ordered[int(len(ordered) * 0.99)] * 1e3, 2)
    measured.actions_per_second = round(measured.actions / load.seconds, 1)
    return measured


def _open_tables(server: Server, load: Load, progress: Progress) -> tuple[list[tuple[str, list[str]]], float]:
    people = []
    for seat in range(load.seats):
        person = Http(server.port)
        person.call("PUT", "/api/me", {"name": f"Bench {seat}"})
        people.append(person)
    before, tables = 0, []
    for n in range(load.tables + 10):
        if n == 10:
            before = server.memory_kb  # the first few bring caches and maps with them
        made = people[0].call("POST", "/api/tables", {"map": load.map, "seats": [{"who": "open"}] * load.seats})
        for seat, person in enumerate(people):
            person.call("POST", f"/api/tables/{made['id']}/seats/{seat}/sit", {"nonce": secrets.token_hex(16)})
        people[0].call("POST", f"/api/tables/{made['id']}/start")
        tables.append((made["id"], [person.cookie for person in people]))
        progress("opening tables", (n + 1) / (load.tables + 10))
    for person in people:
        person.close()
    return tables[10:], round((server.memory_kb - before) / load.tables, 1)


def _play(server: Server, load: Load, tables: list[Any], measured: Measured, progress: Progress) -> None:
    context = multiprocessing.get_context("spawn")
    pipes: list[Any] = []
    processes = []
    for n in range(load.processes):
        ours, theirs = context.Pipe()
        share = tables[n :: load.processes]
        process = context.Process(target=_client, args=(theirs, server.port, load, share), daemon=True)
        process.start()
        pipes.append(ours)
        processes.append(process)
    for pipe in pipes:
        pipe.recv()  # connected
    cpu = server.cpu
    for pipe in pipes:
        pipe.send("go")
    began = time.monotonic()
    while (passed := time.monotonic() - began) < load.seconds:
        progress("playing", passed / load.seconds)
        time.sleep(0.2)
    measured.server_cpu = round((server.cpu - cpu) / load.seconds, 2)
    for pipe in pipes:
        actions, latencies = pipe.recv()
        measured.actions += actions
        measured.latencies += latencies
    progress("playing", 1.0)
    for process in processes:
        process.join(10)


def _client(pipe: Connection, port: int, load: Load, tables: list[tuple[str, list[str]]]) -> None:
    """One client process with its share of the tables."""
    try:
        import uvloop

        loop_factory: Any = uvloop.new_event_loop
    except ImportError:
        loop_factory = None
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(_clients(pipe, port, load, tables))


async def _clients(pipe: Connection, port: int, load: Load, tables: list[tuple[str, list[str]]]) -> None:
    playing = [_Table(id, cookies, load) for id, cookies in tables]
    for table in playing:
        await table.connect(port)
    pipe.send("connected")
    await asyncio.to_thread(pipe.recv)
    pause = len(tables) * load.processes / load.rate if load.rate else 0.0
    tasks = [asyncio.create_task(table.play(pause)) for table in playing]
    await asyncio.sleep(load.seconds)
    actions = sum(table.actions for table in playing)
    pipe.send((actions, [latency for table in playing for latency in table.latencies]))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, *(table.close() for table in playing), return_exceptions=True)


class _Table:
    """Everybody's sockets at one table."""

    def __init__(self, id: str, cookies: list[str], load: Load) -> None:
        self.id = id
        self.cookies = cookies
        self.sockets: list[websockets.ClientConnection] = []
        self.views: list[Json] = [{} for _ in cookies]
        self.actions = 0
        self.latencies: list[float] = []
        self._random = random.Random(id)
        self._seats = load.seats

    async def connect(self, port: int) -> None:
        for seat, cookie in enumerate(self.cookies):
            url = f"ws://127.0.0.1:{port}/api/tables/{self.id}/socket?seat={seat}"
            headers = {"Cookie": cookie}
            socket = await websockets.connect(
                url, additional_headers=headers, compression=None, ping_interval=None, proxy=None, close_timeout=1
            )
            self.sockets.append(socket)
            await self._view(seat, 0)

    async def close(self) -> None:
        await asyncio.gather(*(socket.close() for socket in self.sockets))

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
