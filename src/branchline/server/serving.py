"""Runs the app with uvicorn, as we want it: no compression, bounded frames, sockets that can be cut."""

import contextlib
import gc
import socket
from typing import Any

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from branchline.server.app import build
from branchline.server.house import House
from branchline.server.settings import Settings

FRAME = 64 * 1024
"""Bytes of the largest message that a socket takes."""


class CuttableSocket(WebSocketsSansIOProtocol):
    """A socket that the app can cut off: a closing handshake waits for a peer that may never read.

    Nor does it log its frames at any level, as the library would: they hold people's hands.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.conn.debug = False

    async def run_asgi(self) -> None:
        self.scope["state"]["abort"] = self.transport.abort
        await super().run_asgi()


def logging_to_stderr(level: str) -> dict[str, Any]:
    """All logs to one place, ours and uvicorn's."""
    logger = {"handlers": ["stderr"], "level": level.upper(), "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
        "loggers": dict.fromkeys(("branchline", "uvicorn", "uvicorn.error", "uvicorn.access"), logger),
    }


def server(settings: Settings, house: House | None = None) -> uvicorn.Server:
    """A server ready to run. The database is migrated here, before any loop starts."""
    house = house or House(settings)
    options: dict[str, Any] = {
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": list(settings.proxies) or None,
    }
    config = uvicorn.Config(
        build(house),
        host=settings.host,
        port=settings.port,
        ws=CuttableSocket,
        ws_max_size=FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        log_config=logging_to_stderr(settings.log_level),
        access_log=settings.log_level == "debug",
        server_header=False,
        timeout_graceful_shutdown=5,
        **options,
    )
    return uvicorn.Server(config)


def listen(settings: Settings) -> socket.socket:
    """The socket to serve on; OSError if the address is taken or not ours."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # By its protocol asyncio knows that it is TCP, and lets no small frame wait until the last one is acknowledged.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((settings.host, settings.port))
    listening.listen(2048)
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
