"""Builds the ASGI app."""

import asyncio
import contextlib
import gc
import logging
from collections.abc import AsyncIterator
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from branchline.server import routes
from branchline.server.house import House
from branchline.server.pages import add_pages
from branchline.server.refused import Refused, busy
from branchline.server.safety import Guard
from branchline.server.store import Busy

_log = logging.getLogger("branchline.app")

TIDY = 60.0
"""Seconds between looks at tables that are due, idle or never started."""


def build(house: House) -> FastAPI:
    """The app of a house, whose store has been migrated already."""

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        tidying = asyncio.create_task(_tidy(house))
        yield
        tidying.cancel()
        await house.close()

    app = FastAPI(
        title="Branchline", lifespan=lifespan, docs_url=None, redoc_url=None, swagger_ui_oauth2_redirect_url=None
    )
    app.state.house = house
    # Including the router would make the types of all routes once more, in the middle of the first request.
    app.router.routes.extend(routes.router.routes)
    app.add_api_websocket_route("/api/tables/{id}/socket", routes.socket)
    add_pages(app)
    _add_problems(app)
    app.add_middleware(Guard, settings=house.settings, requests=house.limits["requests"])
    return app


async def _tidy(house: House) -> None:
    while True:
        try:
            await house.lobby.tidy()
        except Exception:
            _log.exception("tidying failed; next try in a minute")
        await asyncio.sleep(TIDY)
        gc.collect()  # the only full one: see serving


def _add_problems(app: FastAPI) -> None:
    """Every refusal has one shape, and none sends back what was sent."""

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> JSONResponse:
        return JSONResponse(error.problem(), error.status)

    @app.exception_handler(Busy)
    async def no_store(_: Request, __: Busy) -> JSONResponse:
        return JSONResponse(busy().problem(), 503)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])[:80]
        return JSONResponse({"code": "malformed", "text": f"{where}: {first['type']}", "rule": None}, 422)

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> JSONResponse:
        phrase = HTTPStatus(error.status_code).phrase
        problem = {"code": phrase.lower().replace(" ", "-"), "text": phrase, "rule": None}
        return JSONResponse(problem, error.status_code, headers=error.headers)
