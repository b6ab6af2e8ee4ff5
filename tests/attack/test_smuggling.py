"""What is said twice or too late in a request counts for nothing; and what strangers do fills no log."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from tests.attack.attacker import CLOSE, TEXT, connect, ended, frame, request, upgrade
from tests.server.client import Person, Server, folder

CHUNKED = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
NAMED = b'e\r\n{"name":"Eve"}\r\n0\r\n'


@pytest.mark.parametrize(
    "trailer",
    ["Host: evil.example", "Origin: https://evil.example", "Cookie: branchline=nobody", "X-T: y\r\n" * 150],
    ids=["host", "origin", "cookie", "many"],
)
def test_a_trailer_is_no_header(server: Server, trailer: str) -> None:
    with connect(server) as raw:
        raw.sendall(request(server, "/api/me", "PUT", f"{CHUNKED}Connection: close\r\n"))
        raw.sendall(NAMED + trailer.strip().encode() + b"\r\n\r\n")
        assert (ended(raw) or b"").startswith(b"HTTP/1.1 200")


def test_a_trailer_does_not_say_who_one_is() -> None:
    """A proxy that sets its own header may hand on the trailers of whoever is behind it."""
    with folder() as path, Server(Path(path), rate_limits=1, proxies="127.0.0.9") as server:
        for n in range(250):
            with connect(server, "127.0.0.9") as raw:
                extra = f"X-Forwarded-For: 192.0.2.1\r\n{CHUNKED}Connection: close\r\n"
                raw.sendall(request(server, "/api/me", "PUT", extra))
                raw.sendall(NAMED + f"X-Forwarded-For: 192.0.2.{n + 2}\r\n\r\n".encode())
                if (ended(raw) or b"")[9:12] == b"429":
                    return
        pytest.fail("all of them are 192.0.2.1")


@pytest.mark.parametrize("order", [("evil.example", "127.0.0.1"), ("127.0.0.1", "evil.example"), ("127.0.0.1",) * 2])
def test_two_hosts_are_none(server: Server, order: tuple[str, str]) -> None:
    with connect(server) as raw:
        hosts = "".join(f"Host: {host}\r\n" for host in order)
        raw.sendall(f"GET /api/health HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n".encode())
        assert (ended(raw) or b"").startswith(b"HTTP/1.1 421")


def test_what_strangers_do_fills_no_log() -> None:
    """At the level that a server has if nobody says otherwise."""

    async def open_table(server: Server) -> tuple[str, str]:
        ada = await Person(server.url, "Ada").arrive()
        table = (await ada.post("/api/tables", map="europe", seats=[{"who": "open"}] * 2))["id"]
        await ada.http.aclose()
        return str(table), ada.cookie

    key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    with folder() as path, Server(Path(path), rate_limits=1, log_level="info") as server:
        table, cookie = asyncio.run(open_table(server))
        before = server.complaints
        for said in (frame(CLOSE, b"\x03\xe8"), frame(TEXT, b"\xff\xff"), b"\x83\x80\0\0\0\0", b""):
            with upgrade(server, table, cookie) as raw:
                raw.sendall(said)
                if said:
                    assert ended(raw) is not None
        for path_, extra in (
            ("/", key),
            ("/api/tables/no/socket", key),
            ("/api/tables/no/socket", f"X: {'a' * 9_000}\r\n"),
        ):
            with connect(server) as raw:
                raw.sendall(request(server, path_, extra=f"Connection: Upgrade\r\nUpgrade: websocket\r\n{extra}"))
                raw.settimeout(0.5)
                with contextlib.suppress(OSError):
                    raw.recv(1_000)
        for path_, method in (("/api/records", "POST"), ("/api/me", "PUT"), ("/api/me", "GET")):
            for body in (b"5\r\n{", b"-5\r\n{}\r\n", b"fffffffffffffffff\r\n"):
                with connect(server) as raw:
                    raw.sendall(request(server, path_, method, CHUNKED) + body)
                    raw.settimeout(0.5)
                    with contextlib.suppress(OSError):
                        raw.recv(1_000)
        with connect(server) as raw:
            raw.sendall(b"GET \xff HTTP/9.9\r\n\r\n")
            assert ended(raw) is not None
        asyncio.run(open_table(server))  # whatever there was to say about them has been said by then
        assert server.complaints == before
