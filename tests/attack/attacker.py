"""What an attacker has: raw sockets, from any address of the loopback net; and a watch on what the server suffers."""

import contextlib
import itertools
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx

from tests.server.client import Server

FULL = os.environ.get("BRANCHLINE_ATTACK") == "full"
"""`make attack` goes on for longer and with more; `make test` sees that each attack fails."""
PATIENCE = 300.0
"""Seconds for what the server does at once or after its own time, before it counts as never: how busy the machine is
decides nothing."""
_numbers = itertools.count(1)
_here = "127.0.0.66"


def move() -> None:
    """The attacker comes from another address from now on: what the last one did is not held against it."""
    global _here
    _here = f"127.0.{next(_numbers)}.66"


def size(quick: int, full: int) -> int:
    return full if FULL else quick


def connect(server: Server, source: str = "", small: bool = False) -> socket.socket:
    """A connection; `small` for one that takes in next to nothing of what it does not read."""
    raw = socket.socket()
    if small:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    raw.settimeout(PATIENCE)
    raw.bind((source or _here, 0))
    try:
        raw.connect(("127.0.0.1", server.port))
    except OSError:
        raw.close()
        raise
    return raw


def request(server: Server, path: str = "/api/health", method: str = "GET", extra: str = "") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{extra}\r\n".encode()


def upgrade(server: Server, table: str, cookie: str, source: str = "", small: bool = False) -> socket.socket:
    """A socket of a table past its handshake."""
    raw = connect(server, source, small)
    extra = (
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: {cookie}\r\n"
    )
    seen = b""
    try:
        raw.sendall(request(server, f"/api/tables/{table}/socket", extra=extra))
        while not seen.endswith(b"\r\n\r\n"):
            more = raw.recv(1)
            if not more:
                raise ConnectionError("closed before the handshake was answered")
            seen += more
        if b" 101 " not in seen:
            raise ConnectionError(seen)
    except OSError:
        raw.close()
        raise
    return raw


def frame(opcode: int, payload: bytes = b"", fin: bool = True) -> bytes:
    """A frame as clients send them, masked with zeros."""
    head = bytes([opcode | (0x80 if fin else 0)])
    if len(payload) < 126:
        return head + bytes([0x80 | len(payload)]) + b"\0\0\0\0" + payload
    return head + bytes([0xFE]) + len(payload).to_bytes(2, "big") + b"\0\0\0\0" + payload


CONT, TEXT, CLOSE, PING, PONG = 0, 1, 8, 9, 10


def push(raw: socket.socket, data: bytes, seconds: float, read: bool = True) -> int:
    """Send the same again and again for so long, or until one is cut off; the bytes that went out."""
    sent, until = 0, time.monotonic() + seconds
    raw.setblocking(False)
    with contextlib.suppress(ConnectionError):
        while time.monotonic() < until:
            try:
                sent += raw.send(data)
            except BlockingIOError:
                time.sleep(0.002)
            if read:
                with contextlib.suppress(BlockingIOError):
                    if not raw.recv(1 << 20):
                        break
    raw.settimeout(PATIENCE)
    return sent


def hammer(attempt: Callable[[], socket.socket], data: bytes, seconds: float, read: bool = True) -> int:
    """Push, and come back whenever one is cut off; how often one came."""
    came, until = 0, time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(OSError), attempt() as raw:
            push(raw, data, until - time.monotonic(), read)
        came += 1
    return came


def ended(raw: socket.socket, seconds: float = PATIENCE) -> bytes | None:
    """What the server still said before it hung up; None if it did not within so many seconds."""
    said, until = b"", time.monotonic() + seconds
    try:
        while (left := until - time.monotonic()) > 0:
            raw.settimeout(left)
            more = raw.recv(65_536)
            if not more:
                return said
            said += more
    except TimeoutError:
        return None
    except ConnectionError:
        return said
    return None


class Watch:
    """Somebody else's view of a server under attack: how long an answer takes, and how much memory it needs."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.answers: list[float] = []
        self.failed = 0
        self.before = self.most = memory(server)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    @property
    def slowest(self) -> float:
        return max(self.answers, default=0.0)

    @property
    def grown(self) -> float:
        """Megabytes."""
        return (self.most - self.before) / 1024

    def _run(self) -> None:
        # A connection for each: one that was idle for long is closed, and a slow machine asks seldom.
        each = httpx.Limits(max_keepalive_connections=0)
        with httpx.Client(
            base_url=self.server.url, trust_env=False, verify=False, timeout=PATIENCE, limits=each
        ) as http:
            while True:  # once at least, however short the attack was
                began = time.perf_counter()
                try:
                    good = http.get("/api/health").status_code == 200
                except httpx.HTTPError:
                    good = False
                self.failed += not good
                self.answers.append(time.perf_counter() - began)
                self.most = max(self.most, memory(self.server))
                if self._stop.wait(0.1):
                    break
            self.most = max(self.most, memory(self.server))


def memory(server: Server) -> int:
    """Resident kilobytes of a server, of its children too if it is a `family`."""
    assert server.process is not None
    pids = [server.process.pid, *(children(server) if getattr(server, "family", False) else ())]
    statuses = [Path(f"/proc/{pid}/status").read_text() for pid in pids]
    return sum(int(line.split()[1]) for status in statuses for line in status.splitlines() if line.startswith("VmRSS"))


def processor(server: Server) -> float:
    """Seconds of processor time that a server has used, without its children's."""
    assert server.process is not None
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(server: Server) -> list[int]:
    """The processes that work for a server, by their numbers."""
    assert server.process is not None
    threads = Path(f"/proc/{server.process.pid}/task").iterdir()
    return [int(pid) for thread in threads for pid in (thread / "children").read_text().split()]


def descriptors(server: Server) -> int:
    assert server.process is not None
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


def connections(server: Server) -> int:
    """Its sockets: a database that it opens meanwhile is none."""
    assert server.process is not None
    found = 0
    for file in Path(f"/proc/{server.process.pid}/fd").iterdir():
        with contextlib.suppress(OSError):  # closed meanwhile
            found += os.readlink(file).startswith("socket:")
    return found


@contextlib.contextmanager
def all_closed(sockets: list[socket.socket]) -> Iterator[list[socket.socket]]:
    try:
        yield sockets
    finally:
        for raw in sockets:
            raw.close()
