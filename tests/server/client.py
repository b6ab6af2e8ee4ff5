"""A scripted client over real HTTP and real sockets, and a server in a process of its own."""

import asyncio
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import IO, Any

import httpx
import websockets

Json = dict[str, Any]
ROOT = Path(__file__).parents[2]
HEARTBEAT = 600
"""Seconds between heartbeats: a test's client answers them only while it reads, and a machine may be slow."""
ENDING = 120.0
"""Seconds after which a server that was told to end counts as one that never does, on a machine however busy."""


class Server:
    """A real server process, that can be killed and started again on the same data and port."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        given = {"bot_pace": 0, "rate_limits": 0, "log_level": "warning", "heartbeat": HEARTBEAT}
        self.settings: Json = {**given, **settings}
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, crash: str = "") -> "Server":
        flags = [f"--{name.replace('_', '-')}={value}" for name, value in self.settings.items()]
        environment = {**os.environ, "BRANCHLINE_CRASH": crash, "PYTHONUNBUFFERED": "1"}
        with (self.folder / "stderr").open("a") as complaints:
            self.process = self._spawn(flags, environment, complaints)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, (self.folder / "stderr").read_text()
        self.port = int(line.rpartition(":")[2])
        return self

    def _spawn(self, flags: list[str], environment: dict[str, str], complaints: IO[str]) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "branchline.cli", "serve", f"--data={self.folder}", f"--port={self.port}", *flags],
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=environment,
            text=True,
        )

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.wait()

    def stop(self) -> None:
        assert self.process is not None
        if self.process.poll() is None:
            self.process.terminate()
        self.wait()

    def wait(self) -> int:
        assert self.process is not None
        assert self.process.stdout is not None
        code = self.process.wait(ENDING)
        self.process.stdout.close()
        return code

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def complaints(self) -> str:
        """What it said to whoever runs it, but for the one word about an old SQLite that is this machine's."""
        lines = (self.folder / "stderr").read_text().splitlines(keepends=True)
        return "".join(line for line in lines if "can damage a file that two connections" not in line)


def folder() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="branchline-test-", ignore_cleanup_errors=True)


class Person:
    """Somebody with a browser."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.name = name
        # Without TLS there is nothing to verify, and reading the certificates takes a tenth of a second.
        self.http = httpx.AsyncClient(
            base_url=url, timeout=30, limits=httpx.Limits(max_keepalive_connections=0), trust_env=False, verify=False
        )
        self.id = ""

    async def arrive(self) -> "Person":
        self.id = (await self.put("/api/me", name=self.name, language="en"))["id"]
        return self

    async def get(self, path: str) -> Any:
        return _body(await self.http.get(path))

    async def post(self, path: str, **body: object) -> Any:
        return _body(await self.http.post(path, json=body) if body else await self.http.post(path))

    async def put(self, path: str, **body: object) -> Any:
        return _body(await self.http.put(path, json=body))

    async def delete(self, path: str) -> Any:
        return _body(await self.http.delete(path))

    async def sit(self, table: str, seat: int, **more: object) -> Any:
        return await self.post(f"/api/tables/{table}/seats/{seat}/sit", nonce=secrets.token_hex(16), **more)

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    @asynccontextmanager
    async def socket(self, table: str, seat: int | None = None, **more: Any) -> AsyncIterator["Socket"]:
        query = "" if seat is None else f"?seat={seat}"
        url = f"{self.url.replace('http', 'ws', 1)}/api/tables/{table}/socket{query}"
        headers = {"Cookie": self.cookie, "Origin": self.url}
        # No pings of its own: on a slow machine the client would take its own slowness for a dead server.
        options: Json = {"max_size": None, "proxy": None, "close_timeout": 0.5, "ping_interval": None, **more}
        async with websockets.connect(url, additional_headers=headers, **options) as raw:
            yield Socket(raw)


class Refusal(Exception):
    """The server said no."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(status, problem)
        self.status = status
        self.problem = problem


def _body(response: httpx.Response) -> Any:
    if response.status_code >= 400:
        raise Refusal(response.status_code, response.json())
    return response.json()


class Socket:
    """A socket that keeps every frame and remembers the last view."""

    def __init__(self, raw: websockets.ClientConnection) -> None:
        self.raw = raw
        self.frames: list[str] = []
        self.view: Json | None = None
        self.table: Json = {}
        self.answers: dict[str | None, Json] = {}
        self._ids = 0

    async def send(self, **message: object) -> None:
        await self.raw.send(json.dumps(message))

    async def next(self, timeout: float = 60) -> Json:
        frame = await asyncio.wait_for(self.raw.recv(), timeout)
        assert isinstance(frame, str)
        message: Json = json.loads(frame)
        if message["is"] == "beat":
            await self.send(**{"is": "beat"})
            return await self.next(timeout)
        self.frames.append(frame)
        if message["is"] == "view":
            self.view = message
        elif message["is"] == "table":
            self.table = message["table"]
        elif "id" in message:
            self.answers[message["id"]] = message
        return message

    async def until(self, condition: Callable[[Json], object], timeout: float = 60) -> Json:
        async with asyncio.timeout(timeout):
            while True:
                message = await self.next(timeout)
                if condition(message):
                    return message

    async def until_view(self, condition: Callable[[Json], object] = bool, timeout: float = 60) -> Json:
        return await self.until(lambda message: message["is"] == "view" and condition(message), timeout)

    async def ask(self, kind: str, **fields: object) -> Json:
        """Send a message with an id and wait for its answer."""
        self._ids += 1
        id = str(fields.pop("id", f"m{self._ids}-{secrets.token_hex(4)}"))
        await self.send(**{"is": kind, "id": id, **fields})
        return await self.until(lambda message: message.get("id") == id)

    async def act(self, action: Json, **more: object) -> Json:
        assert self.view is not None
        fields: Json = {"seat": self.view["seat"], "ask": self.view["ask"], **more}
        return await self.ask("act", act=action, **fields)


def actions(view: Json) -> list[Json]:
    """What a client can do with a view: the actions that its choices offer."""
    choices, own = view["choices"], view["own"]
    found: list[Json] = []
    if choices["keep"]:
        found.append({"is": "keep", "tickets": own["offer"]})
        found.append({"is": "keep", "tickets": own["offer"][: choices["keep"]]})
    if choices["deck"]:
        found.append({"is": "draw", "slot": None})
    found += [{"is": "draw", "slot": slot} for slot in choices["row"]]
    for route, number in choices["claims"].items():
        found += [{"is": "claim", "route": route, "payment": _payment(p)} for p in choices["payments"][number]]
    for city in choices["cities"][:1]:
        found += [{"is": "build", "city": city, "payment": _payment(p)} for p in choices["station"]]
    found += [{"is": "pay", "payment": _payment(p)} for p in choices["pay"]]
    if choices["take_back"]:
        found.append({"is": "take-back"})
    if choices["tickets"]:
        found.append({"is": "tickets"})
    if choices["passing"]:
        found.append({"is": "pass"})
    return found


def _payment(triple: list[Any]) -> Json:
    colour, cards, wilds = triple
    return {"colour": colour, "cards": cards, "wilds": wilds}


def pick(view: Json, random: Random) -> Json:
    """An action that brings a game to its end: claims first, cards else, few tickets."""
    offered = actions(view)
    claims = [action for action in offered if action["is"] == "claim"]
    if claims and random.random() < 0.9:
        return max(claims, key=lambda a: a["payment"]["cards"] + a["payment"]["wilds"])
    cheap = [action for action in offered if action["is"] != "tickets" or random.random() < 0.1]
    return random.choice(cheap or offered)


async def play(socket: Socket, random: Random, until: Callable[[Json], object] = lambda _: False) -> Json:
    """Play a seat to the end of the game; the last view."""
    if socket.view is None:
        await socket.until_view()
    while True:
        view = socket.view
        assert view is not None
        if view["view"]["stage"] == "over" or until(view):
            return view
        if view["ask"] is None:
            await socket.until_view(lambda message, n=view["n"]: message["n"] > n)  # type: ignore[misc]
            continue
        answer = await socket.act(pick(view["view"], random))
        assert answer["is"] == "done", answer
        if socket.view is view:
            await socket.until_view(lambda message, n=answer["n"]: message["n"] >= n)  # type: ignore[misc]


async def go_round(socket: Socket, seats: list[int], random: Random) -> Json:
    """Play several seats to the end over one socket, each looked at by name: a tablet going round; the last view."""
    if socket.view is None:
        await socket.until_view()
    while True:
        assert socket.view is not None
        n = socket.view["n"]
        for seat in seats:
            await socket.send(**{"is": "look", "seat": seat})
            view = await socket.until_view(lambda m, seat=seat: m["seat"] == seat and m["entry"] is None)  # type: ignore[misc]
            if view["view"]["stage"] == "over":
                return view
            if view["ask"] is not None:
                answer = await socket.act(pick(view["view"], random))
                assert answer["is"] == "done", answer
        if socket.view["n"] == n:
            await socket.until_view(lambda m, n=n: m["n"] > n)  # type: ignore[misc]
