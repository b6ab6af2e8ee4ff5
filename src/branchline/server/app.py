"""Builds the ASGI app."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from branchline.server import routes, routes_people, routes_study
from branchline.server.ending import end
from branchline.server.guard.safety import PAUSE, Guard
from branchline.server.house import House
from branchline.server.messages import Code, Problem, Ready
from branchline.server.metrics import Metrics
from branchline.server.pages import add_pages
from branchline.server.refused import Refused, cannot_store
from branchline.server.store import Busy
from branchline.server.tidying import tidy


def build(house: House) -> FastAPI:
    """The app of a house, whose store has been migrated already."""

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await house.start()
        tidying = asyncio.create_task(tidy(house))
        yield
        await end(tidying)
        await house.close()

    app = FastAPI(title="Branchline", lifespan=lifespan, openapi_url=None)  # that is for pages.py
    app.state.house = house
    # Including the router would make the types of all routes once more, in the middle of the first request.
    rooms = (routes, routes_people, routes_study)
    app.router.routes.extend(route for room in rooms for route in room.router.routes)
    app.add_api_websocket_route("/api/tables/{id}/socket", routes.socket)
    app.add_api_route("/healthz", routes.health)
    app.add_api_route("/readyz", routes.readyz, responses={503: {"model": Ready}})
    app.add_api_route("/metrics", Metrics(house).page, include_in_schema=False)
    add_pages(app, house)
    _add_problems(app)
    limits = house.limits
    app.add_middleware(
        Guard,
        settings=house.settings,
        cookie=house.cookie,
        requests=limits["requests"],
        seconds=limits["address-seconds"],
    )
    return app


_HTTP_CODES: dict[int, Code] = {404: "not-found", 405: "no-method", 413: "too-large"}


def _add_problems(app: FastAPI) -> None:
    """Every refusal has one shape, and none sends back what was sent."""

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> JSONResponse:
        if error.status == 429:
            await asyncio.sleep(PAUSE)
        return JSONResponse(error.problem(), error.status)

    @app.exception_handler(Busy)
    async def no_store(_: Request, busy: Busy) -> JSONResponse:
        return JSONResponse(cannot_store(busy.unsure).problem(), 503)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])[:80]
        return JSONResponse({"code": "malformed", "text": f"{where}: {first['type']}", "rule": None}, 422)

    @app.exception_handler(ClientDisconnect)
    async def gone(_: Request, __: ClientDisconnect) -> Response:
        return Response(status_code=400)  # nobody hears it: half a body came, and the log need not know

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> JSONResponse:
        code = _HTTP_CODES.get(error.status_code, "failed")
        problem: Problem = {"code": code, "text": HTTPStatus(error.status_code).phrase, "rule": None}
        return JSONResponse(problem, error.status_code, headers=error.headers)
