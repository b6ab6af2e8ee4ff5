"""Runs the app with uvicorn, as we want it: guarded connections, no compression, bounded frames."""

import contextlib
import gc
import logging.config
import socket
import time
from functools import partial
from typing import Any, cast

import uvicorn
from uvicorn.middleware.proxy_headers import _TrustedHosts

from branchline.server import logs
from branchline.server.app import build
from branchline.server.drain import DrainingServer
from branchline.server.guard.door import Door, room
from branchline.server.guard.limits import ARRIVALS, Limiter
from branchline.server.guard.requests import GuardedHttp
from branchline.server.guard.sockets import FRAME, GuardedSocket
from branchline.server.house import House
from branchline.server.settings import Settings

WAITING = 2_048
"""Connections that the system holds until the loop takes them."""
BUFFER = 128 * 1024
"""Bytes that the system holds for one connection, each way."""


def server(settings: Settings, house: House | None = None) -> uvicorn.Server:
    """A server ready to run. The database is migrated here, before any loop starts."""
    logged = logs.to_stderr(settings.log_level, settings.log)
    logging.config.dictConfig(logged)  # before the store has anything to say
    house = house or House(settings)
    proxies = _TrustedHosts(list(settings.proxies))
    arrivals = Limiter(ARRIVALS, settings.rate_limits, time.monotonic)
    most = settings.connections or room()
    door = Door(most, settings.connections_per_address, arrivals, proxies.__contains__, time.monotonic)
    options: dict[str, Any] = {
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": list(settings.proxies) or None,
    }
    config = uvicorn.Config(
        build(house),
        host=settings.host,
        port=settings.port,
        http=cast(Any, partial(GuardedHttp, door=door, seconds=settings.request_seconds)),
        ws=cast(Any, GuardedSocket),
        ws_max_size=FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        log_config=logged,
        access_log=settings.log_level == "debug",
        server_header=False,
        timeout_graceful_shutdown=5,
        **options,
    )
    return DrainingServer(config, house)


def listen(settings: Settings) -> socket.socket:
    """The socket to serve on, open to everybody."""
    listening = bind(settings)
    listening.listen(WAITING)
    return listening


def bind(settings: Settings) -> socket.socket:
    """The socket to serve on; OSError if the address is taken or not ours, ValueError if there is no such port.

    Until it listens, whoever knocks is told at once that nobody is there, and goes to another server.
    """
    if not 0 <= settings.port <= 65535:
        raise ValueError(f"port: from 0 to 65535, not {settings.port}")
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # By its protocol asyncio knows that it is TCP, and lets no small frame wait until the last one is acknowledged.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Handed on to every connection: left alone, the system keeps megabytes for each whose other end does not read.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
    listening.bind((settings.host, settings.port))
    return listening


def run(serving: uvicorn.Server, listening: socket.socket) -> None:
    """Serve until interrupted."""
    _spare_the_loop()
    with contextlib.suppress(KeyboardInterrupt):
        serving.run(sockets=[listening])


def _spare_the_loop() -> None:
    """Let no full garbage collection stop the loop while people play: with 200 tables one takes a tenth of a second.

    What the start made is never looked at again, and the rest once a minute, when the tables are tidied.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 1_000_000)
