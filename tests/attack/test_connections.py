"""Connections that ask for nothing, or for too much at once: they end, and nobody else waits."""

import asyncio
import contextlib
import re
import socket
import time
from pathlib import Path

import httpx
import pytest

from tests.attack.attacker import (
    PATIENCE,
    Watch,
    all_closed,
    connect,
    connections,
    descriptors,
    ended,
    hammer,
    push,
    request,
    size,
    upgrade,
)
from tests.attack.conftest import Figures, Target
from tests.server.client import Person, Server, folder

SECONDS = float(size(2, 8))
ROOM = 100
SPARE = 5
"""Descriptors that others come with meanwhile."""
GROWTH = 40.0
"""Megabytes that no attack of one address may cost."""


def unharmed(watch: Watch, figures: Figures) -> None:
    figures(grown_mb=watch.grown, slowest_ms=watch.slowest * 1e3)
    assert watch.failed == 0
    assert watch.grown < GROWTH


def test_endless_headers(server: Server, figures: Figures) -> None:
    line = b"X-%d: " + b"a" * 1_000 + b"\r\n"
    with connect(server) as raw, Watch(server) as watch:
        raw.sendall(request(server)[:-2])
        sent = push(raw, b"".join(line % n for n in range(60)), SECONDS, read=False)
        assert sent < 10_000_000
        said = ended(raw)
        assert said is not None
        assert said[:12] in (b"HTTP/1.1 431", b"")  # what it said is lost where it hung up before all was read
    unharmed(watch, figures)


def test_an_endless_header(server: Server, figures: Figures) -> None:
    with connect(server) as raw, Watch(server) as watch:
        raw.sendall(request(server)[:-2] + b"X: ")
        assert push(raw, b"a" * 65_536, SECONDS, read=False) < 10_000_000
    unharmed(watch, figures)


def test_an_endless_address(server: Server, figures: Figures) -> None:
    with connect(server) as raw, Watch(server) as watch:
        raw.sendall(b"GET /")
        assert push(raw, b"a" * 65_536, SECONDS, read=False) < 10_000_000
    unharmed(watch, figures)


CHUNKED = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
ENDLESS = {
    "trailers": (b"2\r\n{}\r\n0\r\n", b"X-T: aaaaaaaaaaaaaaaaaaaa\r\n" * 1_000),
    "a-trailer": (b"2\r\n{}\r\n0\r\nX-T: ", b"a" * 60_000),
    "an-extension": (b"2;e=", b"a" * 60_000),
    "a-size": (b"", b"0" * 60_000),
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_a_body_with_endless(kind: str, server: Server, figures: Figures) -> None:
    first, then = ENDLESS[kind]
    with connect(server) as raw, Watch(server) as watch:
        raw.sendall(request(server, "/api/me", "PUT", CHUNKED) + first)
        assert push(raw, then, SECONDS) < 10_000_000
        assert ended(raw) is not None
    unharmed(watch, figures)


def test_nothing_but_line_ends(server: Server) -> None:
    with connect(server) as raw:
        assert push(raw, b"\r\n" * 20_000, 60) < 10_000_000
        assert ended(raw) is not None


def test_the_longest_head_that_is_taken(server: Server) -> None:
    with connect(server) as raw:
        raw.sendall(request(server, extra=f"X: {'a' * 7_000}\r\nConnection: close\r\n"))
        assert (ended(raw) or b"").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("read", [True, False], ids=["read", "unread"])
def test_pipelining(server: Server, figures: Figures, read: bool) -> None:
    many = request(server, "/api/me") * 2_000
    with connect(server) as raw:
        assert push(raw, many, SECONDS, read) < 10_000_000
    with Watch(server) as watch:
        hammer(lambda: connect(server), many, SECONDS, read)
    unharmed(watch, figures)


def test_a_few_requests_in_one_packet_are_answered_in_order(server: Server) -> None:
    with connect(server) as raw:
        last = request(server, extra="Connection: close\r\n")
        raw.sendall(request(server, "/api/nothing") + request(server, "/api/maps") + last)
        said = ended(raw) or b""
        assert re.findall(rb"HTTP/1.1 (\d+)", said) == [b"404", b"200", b"200"]


def test_half_requests_end_by_themselves(server: Server, figures: Figures) -> None:
    count = size(50, 200)
    with all_closed([]) as sockets, Watch(server) as watch:
        began = time.monotonic()
        for _ in range(count):  # who connects and says nothing for long is sent away
            sockets.append(connect(server))
            sockets[-1].sendall(request(server)[:-2])
        assert all(ended(raw) is not None for raw in sockets)
        figures(seconds=time.monotonic() - began)
    assert watch.failed == 0


def test_slow_headers_end_though_something_comes_each_second(server: Server) -> None:
    with connect(server) as raw:
        raw.sendall(request(server)[:-2] + b"X: ")
        until = time.monotonic() + PATIENCE
        while ended(raw, 0.5) is None:
            assert time.monotonic() < until
            with contextlib.suppress(ConnectionError):
                raw.sendall(b"y")


def test_a_body_that_never_comes(server: Server) -> None:
    extra = "Content-Type: application/json\r\nContent-Length: 1000\r\n"
    with connect(server) as raw:
        raw.sendall(request(server, "/api/me", "PUT", extra) + b'{"name": ')
        said = ended(raw)
        assert said is not None
        assert said.startswith(b"HTTP/1.1 408")


def test_a_body_that_goes_on_after_its_answer(server: Server) -> None:
    extra = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    with connect(server) as raw:
        raw.sendall(request(server, "/api/me", "PUT", extra))
        assert push(raw, b"10000\r\n" + b"x" * 65_536 + b"\r\n", SECONDS + 4) < 40_000_000
        assert ended(raw) is not None


def test_answers_that_nobody_reads(server: Server, figures: Figures) -> None:
    asked = request(server, "/openapi.json")
    before = connections(server)
    with all_closed([]) as sockets, Watch(server) as watch:
        for _ in range(size(20, 200)):
            sockets.append(connect(server, small=True))
            sockets[-1].sendall(asked * 8)
        for raw in sockets:  # it has begun to answer, or sent them away
            with contextlib.suppress(ConnectionError):
                raw.recv(1, socket.MSG_PEEK)
        until = time.monotonic() + PATIENCE
        while connections(server) > before + SPARE and time.monotonic() < until:
            time.sleep(0.2)
        assert connections(server) <= before + SPARE
    unharmed(watch, figures)


def test_large_answers_that_nobody_reads(figures: Figures) -> None:
    """Moves of a finished game are hundreds of kilobytes, and whoever reads a little may take its time."""

    async def finished(server: Server) -> str:
        ada = await Person(server.url, "Ada").arrive()
        bots = [{"who": "bot", "level": "random"}] * 2
        table = (await ada.post("/api/tables", map="europe", seats=bots))["id"]
        await ada.post(f"/api/tables/{table}/start")
        while (await ada.get(f"/api/tables/{table}"))["status"] != "over":
            await asyncio.sleep(0.2)
        await ada.get(f"/api/tables/{table}/moves")
        await ada.http.aclose()
        return f"/api/tables/{table}/moves"

    with folder() as path, Server(Path(path)) as server:
        moves = asyncio.run(finished(server))
        length = len(httpx.get(server.url + moves, timeout=PATIENCE).content)
        with all_closed([]) as sockets, Watch(server) as watch:
            for _ in range(200):
                sockets.append(connect(server, small=True))
                sockets[-1].sendall(request(server, moves))
            time.sleep(2)
            assert httpx.get(server.url + moves, timeout=PATIENCE).status_code == 200, "others read theirs"
            refused = 0
            for raw in sockets:
                raw.settimeout(PATIENCE)
                refused += raw.recv(12) == b"HTTP/1.1 429"
        assert length > 200_000
        assert refused
    unharmed(watch, figures)


def test_one_address_has_only_so_many_connections(server: Server, target: Target, figures: Figures) -> None:
    began = time.monotonic()
    with all_closed([connect(server) for _ in range(1_000)]) as sockets:
        said = [ended(sockets[-1])]
        # Who was let in and asks for nothing has to go after a while, and on a slow machine others have come by then.
        rounds = 1 + int((time.monotonic() - began) / float(str(server.settings["request_seconds"])))
        figures(descriptors=descriptors(server))
        said += [ended(raw) for raw in sockets[:-1]]
        refused = sum((words or b"").startswith(b"HTTP/1.1 429") for words in said)
        assert 1_000 - 250 * rounds <= refused <= 750
        assert httpx.get(f"{server.url}/api/health", timeout=PATIENCE).status_code == 200


def test_descriptors_are_kept_for_those_who_play(figures: Figures) -> None:
    """Half requests from many addresses, at a server that has room for fewer: who plays stays, who comes gets in."""

    async def run(server: Server) -> None:
        ada, fan = await Person(server.url, "Ada").arrive(), await Person(server.url, "Fan").arrive()
        table = (await ada.post("/api/tables", map="europe", seats=[{"who": "open"}] * 2))["id"]
        for seat in (0, 1):
            await ada.sit(table, seat)
        await ada.post(f"/api/tables/{table}/start")
        async with ada.socket(table, 0) as playing, fan.socket(table) as watching:
            await watching.until_view()
            halves = [connect(server, f"127.0.{n % 40}.77") for n in range(ROOM * 3)]
            with all_closed(halves):
                for raw in halves:
                    with contextlib.suppress(ConnectionError):
                        raw.sendall(request(server)[:-2])
                assert (await playing.ask("history", since=0))["is"] == "entries"
                assert (await ada.get("/api/health"))["ok"]
                async with ada.socket(table, 0) as again:
                    await again.until_view()
                figures(descriptors=descriptors(server))
                assert descriptors(server) < ROOM + 50
                crowd = []
                for n in range(ROOM * 2):
                    with contextlib.suppress(OSError):
                        crowd.append(upgrade(server, table, fan.cookie, f"127.0.{n % 40}.78"))
                with all_closed(crowd):
                    assert (await playing.ask("history", since=0))["is"] == "entries"
                    assert (await ada.get("/api/health"))["ok"]

    with folder() as path, Server(Path(path), connections=ROOM, sockets_per_person=ROOM) as server:
        asyncio.run(run(server))
