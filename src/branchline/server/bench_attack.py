"""Measures what others feel while one address floods a server: the same tables, quiet and under each flood."""

import asyncio
import contextlib
import multiprocessing
import os
import secrets
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
import websockets

from branchline.server.bench import Http, Json, Load, Measured, Opened, Progress, Server, play

ATTACKER = "127.0.0.66"
IDENTITIES = 20
"""As many as one address gets at once."""
FINISHED = 60.0
"""Seconds in which two bots finish a game for the attacker to ask for."""


@dataclass(frozen=True, slots=True)
class Target:
    """What the attacker knows."""

    port: int
    finished: str
    """A table whose game is over."""
    running: str
    """A table of its own that goes on."""
    cookies: tuple[str, ...]


Flood = Callable[[Target, str], Awaitable[None]]
"""One identity's part of a flood, until it is stopped."""


def measure(load: Load, progress: Progress) -> dict[str, Measured]:
    """The same load quiet and under each flood, on one server."""
    with tempfile.TemporaryDirectory(prefix="branchline-bench-", ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder), limits=True)
        try:
            target = _prepare(server)
            found = {}
            for name in ("quiet", *FLOODS):
                found[name] = _one(server, load, name, target, progress)
            return found
        finally:
            server.stop()


def _one(server: Server, load: Load, name: str, target: Target, progress: Progress) -> Measured:
    # New tables each time: whoever played as fast as they may has to wait a little, and games end.
    tables = [_open(server, load, f"127.{len(name)}.{secrets.randbelow(250)}.{n + 1}") for n in range(load.tables)]
    measured = Measured(load)
    flooding = _Flooding(name, target) if name in FLOODS else contextlib.nullcontext()
    with flooding:
        play([server], load, tables, measured, lambda _, part: progress(name, part))
    return measured.summed_up()


def _open(server: Server, load: Load, source: str) -> Opened:
    people = [Http(server.port, source) for _ in range(load.seats)]
    for seat, person in enumerate(people):
        person.call("PUT", "/api/me", {"name": f"Bench {seat}"})
    made = people[0].call("POST", "/api/tables", {"map": load.map, "seats": [{"who": "open"}] * load.seats})
    for seat, person in enumerate(people):
        person.call("POST", f"/api/tables/{made['id']}/seats/{seat}/sit", {"nonce": secrets.token_hex(16)})
    people[0].call("POST", f"/api/tables/{made['id']}/start")
    for person in people:
        person.close()
    return made["id"], [person.cookie for person in people], source


def _prepare(server: Server) -> Target:
    people = [Http(server.port, ATTACKER) for _ in range(IDENTITIES)]
    for n, person in enumerate(people):
        person.call("PUT", "/api/me", {"name": f"Mallory {n}"})
    first = people[0]
    bots = [{"who": "bot", "level": "random"}] * 2
    finished = first.call("POST", "/api/tables", {"map": "europe", "seats": bots})["id"]
    first.call("POST", f"/api/tables/{finished}/start")
    running, _, _ = _open(server, Load(), ATTACKER.replace(".66", ".67"))
    until = time.monotonic() + FINISHED
    while first.call("GET", f"/api/tables/{finished}")["status"] != "over":
        if time.monotonic() > until:
            raise RuntimeError("the attacker's game does not end")
        time.sleep(0.5)
    for person in people:
        person.close()
    return Target(server.port, finished, running, tuple(person.cookie for person in people))


class _Flooding:
    """A process that floods until it is told to stop."""

    def __init__(self, name: str, target: Target) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_flood, args=(theirs, name, target), daemon=True)

    def __enter__(self) -> None:
        self._process.start()
        self._pipe.recv()

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()


def _flood(pipe: Connection, name: str, target: Target) -> None:
    # It stands for other machines: it must not take from the server what those could not.
    if hasattr(os, "sched_setscheduler"):
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    if hasattr(os, "nice"):
        os.nice(10)
    asyncio.run(_all(pipe, FLOODS[name], target))


async def _all(pipe: Connection, flood: Flood, target: Target) -> None:
    tasks = [asyncio.create_task(_again(flood, target, cookie)) for cookie in target.cookies]
    await asyncio.sleep(1)
    pipe.send("flooding")
    await asyncio.gather(*tasks)


async def _again(flood: Flood, target: Target, cookie: str) -> None:
    while True:
        with contextlib.suppress(OSError, httpx.HTTPError, websockets.WebSocketException, TimeoutError):
            await flood(target, cookie)
        await asyncio.sleep(0.05)


def _asks(method: str, path: str, content: bytes = b"", named: bool = False) -> Flood:
    async def flood(target: Target, cookie: str) -> None:
        transport = httpx.AsyncHTTPTransport(local_address=ATTACKER)
        headers = {"cookie": cookie, "content-type": "application/json"}
        url = f"http://127.0.0.1:{target.port}{path.format(finished=target.finished)}"
        async with httpx.AsyncClient(transport=transport, headers=headers, timeout=30) as http:
            while True:
                body = b'{"name":"%s"}' % secrets.token_hex(4).encode() if named else content
                await http.request(method, url, content=body)

    return flood


def _says(message: str) -> Flood:
    async def flood(target: Target, cookie: str) -> None:
        async with _socket(target, cookie) as socket:
            while True:
                for _ in range(50):
                    await socket.send(message)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(socket.recv(), 0.01)

    return flood


async def _pings(target: Target, cookie: str) -> None:
    async with _socket(target, cookie) as socket:
        while True:
            for _ in range(100):
                await socket.ping()


async def _comes_and_goes(target: Target, cookie: str) -> None:
    while True:
        async with _socket(target, cookie) as socket:
            await socket.recv()


def _socket(target: Target, cookie: str) -> Any:
    return websockets.connect(
        f"ws://127.0.0.1:{target.port}/api/tables/{target.running}/socket",
        additional_headers={"Cookie": cookie},
        compression=None,
        ping_interval=None,
        proxy=None,
        close_timeout=1,
        max_size=None,
        local_addr=(ATTACKER, 0),
    )


FLOODS: dict[str, Flood] = {
    "record": _asks("GET", "/api/tables/{finished}/record"),
    "moves": _asks("GET", "/api/tables/{finished}/moves"),
    "uploads": _asks("POST", "/api/records", b'{"log":[' + b"1," * 990_000 + b"1]}"),
    "renames": _asks("PUT", "/api/me", named=True),
    "lists": _asks("GET", "/api/tables"),
    "history": _says('{"is":"history","since":0,"id":"h"}'),
    "looks": _says('{"is":"look","seat":null}'),
    "pings": _pings,
    "sockets": _comes_and_goes,
}
"""What one address does, with twenty identities at once."""


def to_dict(found: dict[str, Measured]) -> Json:
    """For programs."""
    return {name: measured.to_dict() for name, measured in found.items()}
