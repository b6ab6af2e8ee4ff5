"""HTTP from strangers: a request has to come whole, soon, and not with a hundred others."""

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from branchline.server.guard.door import Door, Rank, Visit

HEAD = 16 * 1024
"""Bytes of a request's head, and of anything else that is no body: chunk extensions, trailers."""
FIELDS = 100
"""Headers of one request."""
PIPELINED = 16
"""Requests that may wait behind the one that is being answered; browsers send none."""
SLICE = 16 * 1024
"""Bytes that are looked at before they are counted."""
IDLE = 10.0
"""Seconds between an answer and the next request."""
LINGER = 2.0
"""Seconds for which a body may go on after its answer, so that the answer can be read."""
BODY = 3
"""How many times as long as a head a body may take."""


class GuardedHttp(HttpToolsProtocol):
    """uvicorn's protocol with the bounds it lacks: of a head, of pipelining, and of time."""

    def __init__(self, *arguments: Any, door: Door, seconds: float, **more: Any) -> None:
        """A head has to come within so many seconds."""
        super().__init__(*arguments, **more)
        self._door = door
        self._seconds = seconds
        self._visit: Visit | None = None
        self._unused = 0
        self._coming = False
        self._in_head = False
        self._answered: RequestResponseCycle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._visit = self._door.enter(transport, self.client[0] if self.client else "")
        if self._visit is None:
            self._refuse(429, "too many connections")
        else:
            self._visit.cut, self._visit.late = self._cut, self._too_late
            self._visit.becomes(Rank.HALF, self._seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        if self._visit is not None:
            self._visit.leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE):
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return  # refused, or a socket by now: nothing may come before the handshake is answered
            part = data[start : start + SLICE]
            self._unused += len(part)
            super().data_received(part)
            if self._unused > HEAD + SLICE:
                self._refuse(431, "too long a head")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["state"]["visit"] = self._visit
        self._coming = self._in_head = True
        if self._visit is not None and not self._answering:
            self._visit.becomes(Rank.HALF, self._seconds)

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_head:
            return  # a trailer: as a header it would say who one is, past the proxy that has said so
        super().on_header(name, value)
        if len(self.headers) > FIELDS:
            raise ValueError("too many headers")

    def on_headers_complete(self) -> None:
        self._unused = 0
        self._in_head = False
        if len(self.pipeline) >= PIPELINED:
            self._cut()
            return
        super().on_headers_complete()
        if self._visit is not None:
            self._visit.becomes(Rank.ASKING, self._seconds * BODY)

    def on_body(self, body: bytes) -> None:
        self._unused = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unused = 0
        self._coming = False
        super().on_message_complete()
        if self._visit is not None:
            self._visit.due = None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._visit is None:
            return
        if self._coming:
            self._visit.becomes(Rank.ASKING, LINGER)
        elif not self.pipeline:
            self._visit.becomes(Rank.IDLE, IDLE)

    def handle_websocket_upgrade(self) -> None:
        visit, self._visit = self._visit, None
        self.app_state = {**self.app_state, "visit": visit}
        super().handle_websocket_upgrade()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    @property
    def _answering(self) -> bool:
        return self._answered is not None and not self._answered.response_complete

    def _too_late(self) -> None:
        if self._coming and self._answered is not None and not self._answered.response_started:
            self._refuse(408, "too slow")
        else:
            self._cut()

    def _refuse(self, status: int, why: str) -> None:
        if not self.transport.is_closing():
            text = f"HTTP/1.1 {status} {why}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            self.transport.write(text.encode())
            self.transport.close()
        self._forget()

    def _cut(self) -> None:
        self.transport.abort()
        self._forget()

    def _forget(self) -> None:
        """Nothing more is said: what is being answered must not write, what waits need not begin."""
        for cycle in (self._answered, *(cycle for cycle, _ in self.pipeline)):
            if cycle is not None:
                cycle.disconnected = True
                cycle.message_event.set()
        self.pipeline.clear()
