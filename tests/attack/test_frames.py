"""Frames that carry nothing, come in crumbs, or are answered to somebody who does not read."""

import pytest

from tests.attack.attacker import (
    CLOSE,
    CONT,
    PING,
    PONG,
    TEXT,
    Watch,
    connect,
    ended,
    frame,
    hammer,
    push,
    request,
    size,
    upgrade,
)
from tests.attack.conftest import Figures, Target
from tests.server.client import Server

SECONDS = float(size(2, 8))
GROWTH = 40.0
FLOODS = {
    "ping": frame(PING),
    "large-ping": frame(PING, b"p" * 125),
    "pong": frame(PONG, b"p"),
    "beat": frame(TEXT, b'{"is":"beat"}'),
    "nothing": frame(TEXT, b""),
    "nonsense": frame(TEXT, b"[" * 1_000),
    "look": frame(TEXT, b'{"is":"look","seat":0}'),
}


@pytest.mark.parametrize("read", [True, False], ids=["read", "unread"])
@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of(kind: str, read: bool, server: Server, target: Target, figures: Figures) -> None:
    with Watch(server) as watch:
        data = FLOODS[kind] * (60_000 // len(FLOODS[kind]))
        hammer(lambda: upgrade(server, target.table, target.cookie, small=not read), data, SECONDS, read)
    figures(grown_mb=watch.grown, slowest_ms=watch.slowest * 1e3)
    assert watch.failed == 0
    assert watch.grown < GROWTH


def test_a_message_in_endless_empty_pieces(server: Server, target: Target, figures: Figures) -> None:
    with upgrade(server, target.table, target.cookie) as raw, Watch(server) as watch:
        raw.sendall(frame(TEXT, b"{", fin=False))
        assert push(raw, frame(CONT, b"", fin=False) * 10_000, SECONDS) < 5_000_000
    figures(grown_mb=watch.grown, slowest_ms=watch.slowest * 1e3)
    assert watch.grown < GROWTH


def test_a_few_pings_are_answered(server: Server, target: Target) -> None:
    with upgrade(server, target.table, target.cookie) as raw:
        raw.sendall(frame(PING, b"here?") * 20)
        seen = b""
        while seen.count(b"\x8a\x05here?") < 20:
            more = raw.recv(65_536)
            assert more, "cut off"
            seen += more


WRONG = {
    "longest": b"\x81\xff" + (2**63 - 1).to_bytes(8, "big") + b"\0\0\0\0aaaa",
    "reserved-bits": b"\xf1\x81\0\0\0\0a",
    "unmasked": b"\x81\x01a",
    "unknown": b"\x83\x80\0\0\0\0",
    "ping-in-pieces": frame(PING, b"a", fin=False),
    "long-ping": frame(PING, b"a" * 500),
    "closes": frame(CLOSE, b"\x03\xe8") * 1_000,
    "no-text": frame(TEXT, b"\xff\xff"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_frame_that_breaks_the_protocol_ends_the_socket(kind: str, server: Server, target: Target) -> None:
    with upgrade(server, target.table, target.cookie) as raw:
        raw.sendall(WRONG[kind])
        assert ended(raw) is not None


KEY = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"


@pytest.mark.parametrize(
    ("method", "extra"),
    [("POST", KEY + "Content-Length: 5\r\n"), ("GET", ""), ("GET", KEY)],
    ids=["post", "no-key", "no-table"],
)
def test_what_cannot_become_a_socket_ends(method: str, extra: str, server: Server) -> None:
    with connect(server) as raw:
        raw.sendall(request(server, method=method, extra=f"Connection: Upgrade\r\nUpgrade: websocket\r\n{extra}"))
        raw.sendall(frame(PING) * 1_000)
        assert ended(raw) is not None
