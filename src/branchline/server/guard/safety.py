"""What every request passes first: whose host name it used, where it came from, how much of it there is."""

import asyncio
import ipaddress
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

import orjson
from starlette.exceptions import HTTPException

from branchline.server.guard.addresses import address
from branchline.server.guard.door import Visit
from branchline.server.guard.limits import Limiter
from branchline.server.guard.meter import Account, metered, payer
from branchline.server.messages import Code
from branchline.server.settings import Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]

BODY = 64 * 1024
RECORD = 2 * 1024 * 1024
"""Bytes of a request's body, and of an uploaded record."""
RECORDS = ("/api/records", "/api/records/review", "/api/records/practice")
"""Where records are sent to."""

LARGE = 64 * 1024
"""Bytes of an answer from which on it matters whether those before it are read."""

PAUSE = 0.25
"""Seconds that whoever asks too much waits for being told so: refusing costs something too."""

_COOKIE = re.compile(rb"[A-Za-z0-9_.=-]{1,200}")
"""What a cookie of ours is made of."""

_CSP = (
    b"default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; "
    b"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", _CSP),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]


class Guard:
    """An ASGI layer that refuses what no page of ours would send, and sets the usual headers."""

    def __init__(self, app: App, settings: Settings, cookie: str, requests: Limiter, seconds: Limiter) -> None:
        """`cookie` is the name of ours; `requests` counts by address, `seconds` charges processor time by address."""
        self._app = app
        self._cookie = cookie.encode()
        self._requests = requests
        self._seconds = seconds
        self._most = settings.connections_per_address
        self._open: Counter[str] = Counter()
        """By address, also behind a proxy, whose connections the door does not count."""
        self._secure = settings.secure
        public = urlsplit(settings.public_url.lower())
        self._public, self._public_host = f"{public.scheme}://{public.netloc}", public.netloc
        named = (*settings.hosts, settings.host, "localhost", urlsplit(settings.public_url).hostname or "")
        self._names = {name.lower() for name in named if name}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        who = address(scope)
        account = Account(self._seconds, who)
        payer.set(account)
        scope["headers"] = _with_own_cookie(scope["headers"], self._cookie)
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        # Of two names a proxy may have looked at the other one.
        host = hosts[0].decode("latin-1").lower() if len(hosts) == 1 else ""
        if not self._is_ours(host):
            await _refuse(scope, send, 421, "host", "this server does not answer to that host name")
        elif not self._is_same_origin(scope, headers.get(b"origin"), host):
            await _refuse(scope, send, 403, "origin", "this came from another site's page")
        elif not self._requests.allows(who) or account.is_spent or 0 < self._most <= self._open[who]:
            await asyncio.sleep(PAUSE)
            await _refuse(scope, send, 429, "too-many", "too much at once; wait a moment")
        else:
            self._open[who] += 1
            try:
                await self._pass(scope, receive, send, headers.get(b"content-length", "0"))
            finally:
                self._open[who] -= 1
                if not self._open[who]:
                    del self._open[who]

    async def _pass(self, scope: Scope, receive: Receive, send: Send, length: str) -> None:
        if scope["type"] == "websocket":
            await metered(self._app(scope, receive, send))
            return
        if scope["method"] == "HEAD":
            # As GET, and uvicorn leaves the body out: else the client's page would answer, and say that all is well.
            scope = {**scope, "method": "GET"}
        limit = RECORD if scope["path"] in RECORDS else BODY
        if not length.isascii() or not length.isdigit() or int(length) > limit:
            await _refuse(scope, send, 413, "too-large", f"at most {limit} bytes")
            return
        await metered(self._app(scope, _bounded(receive, limit), _reading(scope, self._with_headers(scope, send))))

    def _is_ours(self, host: str) -> bool:
        """A page can make its own name point here (DNS rebinding), but no page is called by an address."""
        try:
            asked = urlsplit(f"//{host}")
            name, _ = asked.hostname, asked.port
        except ValueError:
            return False
        if not name or "@" in host:
            return False
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _is_same_origin(self, scope: Scope, origin: str | None, host: str) -> bool:
        if origin is None or (scope["type"] == "http" and scope["method"] in ("GET", "HEAD")):
            return True  # no browser sends a socket or a change without it
        if origin.lower() == self._public:
            return True
        if self._secure and host == self._public_host:
            return False  # without TLS a page under our name may be anybody's
        scheme, _, asked = origin.lower().partition("://")
        return scheme in ("http", "https") and asked == host

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        extra = [*HEADERS]
        if self._secure:
            extra.append((b"strict-transport-security", b"max-age=31536000"))
        if scope["path"].startswith("/api/"):
            extra.append((b"cache-control", b"no-store"))

        async def wrapped(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *extra]
            await send(message)

        return wrapped


def _with_own_cookie(headers: Iterable[Header], name: bytes) -> list[Header]:
    """Of all cookies ours alone, and only as we write it.

    The library would unquote every one of them, which takes quadratic time (CVE-2024-7592): seconds for one request.
    """
    kept, own = [], None
    for header in headers:
        if header[0] != b"cookie":
            kept.append(header)
            continue
        for part in header[1].split(b";"):
            given, _, value = part.strip().partition(b"=")
            if given == name and _COOKIE.fullmatch(value):
                own = value
    return kept if own is None else [*kept, (b"cookie", name + b"=" + own)]


class TooLarge(HTTPException):
    """A body went on past its limit."""

    def __init__(self) -> None:
        super().__init__(413)


def _bounded(receive: Receive, limit: int) -> Receive:
    seen = 0

    async def wrapped() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:
            raise TooLarge
        return message

    return wrapped


def _reading(scope: Scope, send: Send) -> Send:
    """Send a large answer only to whoever reads those before it: each would stay in memory until then."""
    visit: Visit | None = scope.get("state", {}).get("visit")
    refused = False

    async def wrapped(message: Message) -> None:
        nonlocal refused
        if message["type"] == "http.response.start" and visit is not None:
            length = dict(message.get("headers", [])).get(b"content-length", b"0")
            if int(length) > LARGE and not visit.takes(int(length)):
                refused = True
                await _refuse(scope, send, 429, "too-many", "read what you asked for before; then ask again")
        if not refused:
            await send(message)

    return wrapped


async def _refuse(scope: Scope, send: Send, status: int, code: Code, text: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4000 + status})
        return
    body = orjson.dumps({"code": code, "text": text, "rule": None})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
