"""Compares how HTTP servers stand against what strangers may send: the table in docs/security.md.

    python -m venv /tmp/servers && /tmp/servers/bin/pip install granian hypercorn uvicorn httptools uvloop websockets
    .venv/bin/python -m scripts.servers /tmp/servers/bin/python

Each serves the same small app (`scripts/served.py`) on loopback, in a process of its own, with its defaults.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from scripts.served import app
from tests.attack.attacker import PING, Watch, all_closed, connect, ended, frame, hammer, move, request, upgrade

SECONDS = 8.0
HALVES = 1_000
PATIENCE = 15.0
"""Seconds after which half requests are counted."""


def guarded(port: int) -> None:
    """The same app behind our own guard."""
    import time as clock
    from functools import partial
    from typing import cast

    import uvicorn

    from branchline.server.guard.door import Door, room
    from branchline.server.guard.limits import ARRIVALS, Limiter
    from branchline.server.guard.requests import GuardedHttp
    from branchline.server.guard.sockets import FRAME, GuardedSocket

    door = Door(room(), 250, Limiter(ARRIVALS, 1.0, clock.monotonic), lambda _: False, clock.monotonic)
    http = cast(Any, partial(GuardedHttp, door=door, seconds=10.0))
    config = uvicorn.Config(
        app, port=port, http=http, ws=cast(Any, GuardedSocket), ws_max_size=FRAME, log_level="error", lifespan="off"
    )
    uvicorn.Server(config).run()


class Served:
    """One of the servers, as the attacker's tools know it."""

    family = True

    def __init__(self, name: str, python: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        port, here = str(self.port), "scripts.served"
        command = {
            "uvicorn": ["-m", "uvicorn", f"{here}:app", "--port", port, "--log-level", "critical"],
            "hypercorn": ["-m", "hypercorn", f"{here}:app", "--bind", f"127.0.0.1:{port}", "--log-level", "critical"],
            "granian": ["-m", "granian", f"{here}:app", "--interface", "asgi", "--port", port, "--no-log"],
            "guarded": ["-m", "scripts.servers", "guarded", port],
        }[name]
        chosen = sys.executable if name == "guarded" else python
        self.process = subprocess.Popen(
            [chosen, *command], cwd=Path(__file__).parents[1], stderr=subprocess.DEVNULL, start_new_session=True
        )
        self.url = f"http://127.0.0.1:{port}"
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.2)
        raise RuntimeError(f"{name} did not start")

    def stop(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)  # some have children
        self.process.wait()


def attacks(served: Any) -> dict[str, str]:
    """What each attack did: megabytes, and the slowest answer that somebody else got meanwhile."""
    found: dict[str, str] = {}

    def felt(name: str, watch: Watch) -> None:
        slowest = "no answer" if watch.failed else f"{watch.slowest * 1e3:.0f} ms"
        found[name] = f"{watch.grown:+.0f} MB, {slowest}"

    floods = {
        "pings, pongs unread": (lambda: upgrade(served, "x", "", small=True), frame(PING, b"p" * 100) * 500),
        "endless headers": (lambda: _begun(served), b"X-header: abcdefghijklmnop\r\n" * 2_000),
        "pipelining, answers unread": (lambda: connect(served, small=True), request(served) * 2_000),
    }
    for name, (attempt, data) in floods.items():
        move()
        with Watch(served) as watch:
            hammer(attempt, data, SECONDS, read=False)
        felt(name, watch)
    move()
    found[f"{HALVES:,} half heads, after {PATIENCE:.0f} s"] = _left(served, request(served)[:-2])
    move()
    body = request(served, method="POST", extra="Content-Length: 1000\r\n") + b"half"
    found[f"{HALVES:,} half bodies, after 3 × {PATIENCE:.0f} s"] = _left(served, body, 3)
    return found


def _begun(served: Any) -> socket.socket:
    raw = connect(served)
    raw.sendall(request(served)[:-2])
    return raw


def _left(served: Any, half: bytes, times: int = 1) -> str:
    opened: list[socket.socket] = []
    with all_closed(opened):
        for _ in range(HALVES):
            with contextlib.suppress(OSError):
                opened.append(connect(served))
                opened[-1].sendall(half)
        time.sleep(PATIENCE * times)
        return f"{sum(ended(raw, 0.001) is None for raw in opened)} open"


def main(python: str) -> None:
    names = ("uvicorn", "hypercorn", "granian", "guarded")
    results = {}
    for name in names:
        served = Served(name, python)
        try:
            results[name] = attacks(served)
        except Exception as error:
            results[name] = {"": f"{type(error).__name__}: {error}"}
        finally:
            served.stop()
        print(name, results[name], file=sys.stderr, flush=True)
    print("| | " + " | ".join(names) + " |\n" + "|---" * (len(names) + 1) + "|")
    for attack in results["guarded"]:
        print(f"| {attack} | " + " | ".join(results[name].get(attack, "—") for name in names) + " |")


if __name__ == "__main__":
    if sys.argv[1] == "guarded":
        guarded(int(sys.argv[2]))
    else:
        main(sys.argv[1])
