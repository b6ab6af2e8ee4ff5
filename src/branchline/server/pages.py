"""The browser client if it was built, a page that says how to build it if not, and the API's own page."""

import asyncio
import contextlib
from html import escape
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from branchline.server import preview
from branchline.server.dependencies import TABLE_ID
from branchline.server.guard.once import Once
from branchline.server.house import House
from branchline.server.refused import Refused
from branchline.server.store import Busy

READING = ("GET", "HEAD")
STATIC = Path(__file__).parent / "static"

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}}
code{{background:#8882;padding:.1em .3em;border-radius:.2em}}h2 code{{font-size:1rem}}</style>
<body><h1>{title}</h1>{body}</body></html>"""

_NOT_BUILT = """<p>The server is running; its browser client has not been built yet.</p>
<p>From a checkout: <code>make web</code>, then load this page again. The API is described at
<a href="/docs">/docs</a>, and <code>branchline play --text</code> plays in the terminal.</p>"""


class Client(StaticFiles):
    """The built client. Any address that is no file is a screen of its own, so its links can be shared."""

    def __init__(self, house: House) -> None:
        """`house` knows the tables that links lead to."""
        super().__init__(directory=STATIC)
        self._house = house
        self._page = (STATIC / "index.html").read_text(encoding="utf-8")

    async def get_response(self, path: str, scope: Scope) -> Response:
        if scope["method"] not in READING:
            raise HTTPException(405, headers={"allow": ", ".join(READING)})
        try:
            if path == ".":
                raise HTTPException(404)
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or path.startswith("assets/"):
                raise
            response = HTMLResponse(await self._previewed(scope))
        immutable = path.startswith("assets/")
        response.headers["cache-control"] = "public, max-age=31536000, immutable" if immutable else "no-cache"
        return response

    async def _previewed(self, scope: Scope) -> str:
        address = str(scope["path"])
        title, text = preview.DEFAULT
        screen, _, id = address.strip("/").partition("/")
        if screen in ("table", "replay") and TABLE_ID.fullmatch(id):
            with contextlib.suppress(Refused, Busy):
                table = await self._house.lobby.find(id)
                title, text = preview.described(table.head, table.status)
        public = self._house.settings.public_url
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        origin = public.rstrip("/") if public else f"{scope['scheme']}://{host}"
        return preview.with_preview(self._page, title, text, address, origin)


def add_pages(app: FastAPI, house: House) -> None:
    """Serve the pages beside the API."""
    made = Once()
    """What describes the API: to make it takes more than a second, in which the loop would stand still."""

    def page() -> bytes:
        return _PAGE.format(title="Branchline's API", body=_described(app.openapi())).encode()

    def schema() -> bytes:
        return orjson.dumps(app.openapi())

    @app.api_route("/docs", methods=[*READING], include_in_schema=False)
    async def docs() -> Response:
        return HTMLResponse(await made.get("page", lambda: asyncio.to_thread(page)))

    @app.api_route("/openapi.json", methods=[*READING], include_in_schema=False)
    async def described() -> Response:
        return Response(await made.get("schema", lambda: asyncio.to_thread(schema)), media_type="application/json")

    @app.api_route("/api/{path:path}", methods=["GET", "POST", "PUT", "DELETE"], include_in_schema=False)
    async def nothing(path: str) -> Response:
        raise HTTPException(404)

    if (STATIC / "index.html").exists():
        app.mount("/", GZipMiddleware(Client(house), compresslevel=6), name="client")
        return

    @app.get("/{path:path}", include_in_schema=False)
    async def not_built(path: str) -> HTMLResponse:
        return HTMLResponse(_PAGE.format(title="Branchline", body=_NOT_BUILT))


def _described(schema: dict[str, Any]) -> str:
    """The API as plain HTML: a page that fetches a viewer from elsewhere would need another's server."""
    parts = ["<p>As data: <a href='/openapi.json'>/openapi.json</a>. Sockets: docs/protocol.md.</p>"]
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            parts.append(f"<h2><code>{method.upper()} {escape(path)}</code></h2>")
            parts.append(f"<p>{escape(operation.get('description') or operation.get('summary') or '')}</p>")
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            if "$ref" in body:
                parts.append(_fields(schema, body["$ref"].rpartition("/")[2]))
    return "\n".join(parts)


def _fields(schema: dict[str, Any], name: str) -> str:
    model = schema["components"]["schemas"][name]
    rows = [
        f"<li><code>{escape(field)}</code> {escape(about.get('description', ''))}</li>"
        for field, about in model.get("properties", {}).items()
    ]
    return f"<p>Takes {escape(name)}:</p><ul>{''.join(rows)}</ul>"
