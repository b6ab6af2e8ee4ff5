"""What every request passes first: whose host name it used, where it came from, how much of it there is."""

import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

import orjson
from starlette.exceptions import HTTPException

from branchline.server.limits import Limiter
from branchline.server.settings import Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY = 64 * 1024
RECORD = 2 * 1024 * 1024
"""Bytes of a request's body, and of an uploaded record."""

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

    def __init__(self, app: App, settings: Settings, requests: Limiter) -> None:
        """`requests` counts by address."""
        self._app = app
        self._requests = requests
        self._secure = settings.secure
        public = urlsplit(settings.public_url.lower())
        self._public, self._public_host = f"{public.scheme}://{public.netloc}", public.netloc
        named = (*settings.hosts, settings.host, "localhost", urlsplit(settings.public_url).hostname or "")
        self._names = {name.lower() for name in named if name}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "").lower()
        if not self._is_ours(host):
            await _refuse(scope, send, 421, "host", "this server does not answer to that host name")
        elif not self._is_same_origin(scope, headers.get(b"origin"), host):
            await _refuse(scope, send, 403, "origin", "this came from another site's page")
        elif not self._requests.allows(address(scope)):
            await _refuse(scope, send, 429, "too-many", "too much at once; wait a moment")
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            limit = RECORD if scope["path"] == "/api/records" else BODY
            length = headers.get(b"content-length", "0")
            if not length.isascii() or not length.isdigit() or int(length) > limit:
                await _refuse(scope, send, 413, "too-large", f"at most {limit} bytes")
                return
            await self._app(scope, _bounded(receive, limit), self._with_headers(scope, send))

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


def address(scope: Scope) -> str:
    """Who is counted: the address, for IPv6 its network."""
    client = scope.get("client")
    if not client:
        return ""
    host = str(client[0])
    return ":".join(host.split(":")[:4]) if ":" in host else host


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


async def _refuse(scope: Scope, send: Send, status: int, code: str, text: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4000 + status})
        return
    body = orjson.dumps({"code": code, "text": text, "rule": None})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
