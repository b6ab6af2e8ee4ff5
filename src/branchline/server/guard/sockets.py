"""WebSockets from strangers: every frame counts, not only those that carry a message."""

from collections import deque
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from branchline.server.guard.door import Rank, Visit
from branchline.server.guard.limits import Limit, Limiter

FRAME = 64 * 1024
"""Bytes of the largest message that a socket takes."""
SLICE = 2 * 1024
"""Bytes that are taken apart at once: some hundred of the smallest frames."""
WAITING = 16
"""Messages that may wait to be handled; what else has come is not even looked at."""
FRAGMENTS = 64
"""Frames of one message."""
CONTROL = Limit(2, 30)
"""Pings and pongs on one socket: browsers send none by themselves, libraries one in twenty seconds."""


HANDSHAKE = 5.0
"""Seconds for what wants to become a socket: not every request that says so can."""


class GuardedSocket(WebSocketsSansIOProtocol):
    """uvicorn's socket with the bounds it lacks: of pings, of fragments, and of what is read before it is handled.

    The app can cut it off (`visit` in the scope's state). Nor does it log its frames at any level, as the library
    would: they hold people's hands.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.conn.debug = False
        self._visit: Visit | None = self.app_state.get("visit")
        self._held: deque[bytes] = deque()
        self._control = Limiter(CONTROL, 1.0, self.loop.time)

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if self._visit is not None:
            self._visit.cut = self._visit.late = transport.abort
            self._visit.becomes(Rank.WATCHING, HANDSHAKE)

    def connection_lost(self, exc: Exception | None) -> None:
        self._held.clear()
        if self._visit is not None:
            self._visit.leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._held.extend(data[start : start + SLICE] for start in range(0, len(data), SLICE))
        self._take()
        if self._held and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    async def run_asgi(self) -> None:
        if self._visit is not None:
            self._visit.due = None
        await super().run_asgi()

    async def receive(self) -> Any:
        if self.queue.empty():
            self._take()
        if self.queue.empty() and not self._held and self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        return await self.queue.get()

    def handle_ping(self) -> None:
        self._count()
        if not self.transport.is_closing():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        self._count()
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= FRAGMENTS:
            self.transport.abort()
            return
        super().handle_cont(event)

    def _take(self) -> None:
        """Take apart what has come, until enough messages wait."""
        while self._held and self.queue.qsize() < WAITING and not self.transport.is_closing():
            super().data_received(self._held.popleft())

    def _count(self) -> None:
        if not self._control.allows(""):
            self.transport.abort()
