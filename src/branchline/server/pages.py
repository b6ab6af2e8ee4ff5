"""The browser client if it was built, a page that says how to build it if not, and the API's own page."""

from html import escape
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

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

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or path.startswith("assets/"):
                raise
            response = await super().get_response("index.html", scope)
        immutable = path.startswith("assets/")
        response.headers["cache-control"] = "public, max-age=31536000, immutable" if immutable else "no-cache"
        return response


def add_pages(app: FastAPI) -> None:
    """Serve the pages beside the API."""

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(_PAGE.format(title="Branchline's API", body=_described(app.openapi())))

    @app.api_route("/api/{path:path}", methods=["GET", "POST", "PUT", "DELETE"], include_in_schema=False)
    async def nothing(path: str) -> Response:
        raise HTTPException(404)

    if (STATIC / "index.html").exists():
        app.mount("/", GZipMiddleware(Client(directory=STATIC, html=True), compresslevel=6), name="client")
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
