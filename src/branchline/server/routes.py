"""The HTTP side: who one is, tables and seats, records."""

import secrets
from importlib.metadata import version
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Depends, Path, Query, Request, Response, WebSocket
from fastapi.concurrency import run_in_threadpool

from branchline.maps import BUNDLED, load_map
from branchline.server import head as heads
from branchline.server import lobby as lobbies
from branchline.server.bots import levels
from branchline.server.connection import Connection
from branchline.server.house import House
from branchline.server.identity import COOKIE_SECONDS, LINK_SECONDS, clean_name, hashed
from branchline.server.messages import (
    Agreement,
    BotLine,
    DeviceLink,
    DeviceToken,
    Health,
    Looked,
    MapLine,
    Me,
    Moves,
    Myself,
    NewOwner,
    NewTable,
    Problem,
    SeatPlan,
    Sit,
    TableInfo,
    TableLine,
)
from branchline.server.records import look_at, moves, record_of
from branchline.server.refused import Refused, not_found, too_many
from branchline.server.safety import address
from branchline.server.store import PersonRow
from branchline.server.table import Table

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 401, 403, 404, 409, 413, 421, 422, 429, 503)
}

router = APIRouter(prefix="/api", responses=PROBLEMS)


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


Host = Annotated[House, Depends(_house)]


async def _anybody(request: Request, house: Host) -> PersonRow | None:
    id = house.signer.read(request.cookies.get(house.cookie))
    return None if id is None else await house.store.person(id)


async def _person(person: Annotated[PersonRow | None, Depends(_anybody)]) -> PersonRow:
    if person is None:
        raise Refused("nobody", "say who you are first: PUT /api/me", status=401)
    return person


Person = Annotated[PersonRow, Depends(_person)]
TableId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Seat = Annotated[int, Path(ge=0, le=9)]


async def _table(id: TableId, house: Host) -> Table:
    return await house.lobby.find(id)


TheTable = Annotated[Table, Depends(_table)]


@router.get("/health")
async def health() -> Health:
    """Whether the server is there."""
    return {"ok": True, "version": version("branchline")}


@router.get("/maps")
async def maps() -> list[MapLine]:
    """The maps that can be played."""
    found = [load_map(id) for id in BUNDLED]
    return [{"id": m.id, "name": dict(m.name), "seats": (m.rules.seats_min, m.rules.seats_max)} for m in found]


@router.get("/maps/{map}", response_model=dict[str, Any])
async def one_map(map: Annotated[str, Path(max_length=40)]) -> Response:
    """A map as the data of its file."""
    if map not in BUNDLED:
        raise not_found("map")
    return _json(load_map(map).to_dict())


@router.get("/bots")
async def bots() -> list[BotLine]:
    """The bots that can be invited, the easiest first."""
    return [{"level": level.name, "text": level.text} for level in levels().values()]


@router.get("/me")
async def me(person: Annotated[PersonRow | None, Depends(_anybody)], house: Host, response: Response) -> Me | None:
    """Who one is; null for whoever has not said so yet."""
    if person is None:
        return None
    _remember(house, response, person.id)
    return _me(person)


@router.put("/me")
async def name_me(asked: Myself, request: Request, house: Host, response: Response) -> Me:
    """Say how one wants to be called; whoever has no cookie gets one."""
    name = clean_name(asked.name)
    old = await _anybody(request, house)
    if old is None:
        if not house.limits["entries"].allows(address(request.scope)):
            raise too_many()
        old = PersonRow(house.token(), name, asked.language, house.now())
    person = PersonRow(old.id, name, asked.language, old.created)
    await house.store.save_person(person)
    if person.name != old.name:
        await house.lobby.rename(person)
    _remember(house, response, person.id)
    return _me(person)


@router.post("/me/links")
async def link_device(person: Person, house: Host) -> DeviceLink:
    """Make a link that adds another device, good for ten minutes and once."""
    if not house.limits["tables"].allows(person.id):
        raise too_many()
    token, expires = secrets.token_urlsafe(24), house.now() + LINK_SECONDS
    await house.store.save_link(hashed(token), person.id, expires)
    return {"token": token, "expires": expires}


@router.post("/me/links/redeem")
async def redeem_link(asked: DeviceToken, request: Request, house: Host, response: Response) -> Me:
    """Become, on this device too, the person who made the link."""
    if not house.limits["entries"].allows(address(request.scope)):
        raise too_many()
    id = await house.store.take_link(hashed(asked.token), house.now())
    person = None if id is None else await house.store.person(id)
    if person is None:
        raise Refused("link", "this link was used already or is too old", status=404)
    _remember(house, response, person.id)
    return _me(person)


@router.get("/me/tables")
async def my_tables(person: Person, house: Host) -> list[TableLine]:
    """My tables, those that wait for me first."""
    return await house.lobby.tables_of(person.id)


@router.get("/tables")
async def open_tables(house: Host) -> list[TableLine]:
    """Public tables with a free seat."""
    return await house.lobby.open_tables()


@router.post("/tables", status_code=201)
async def open_table(asked: NewTable, person: Person, house: Host) -> TableInfo:
    """Open a table. Whoever opens it owns it, and takes a seat like everybody else."""
    if not house.limits["tables"].allows(person.id):
        raise too_many()
    return (await house.lobby.open(asked, person)).info()


@router.get("/codes/{code}")
async def find_code(code: Annotated[str, Path(max_length=12)], request: Request, house: Host) -> TableInfo:
    """The table of a short code."""
    if not house.limits["entries"].allows(address(request.scope)):
        raise too_many()
    return (await house.lobby.find(await house.lobby.find_code(code))).info()


@router.get("/tables/{id}")
async def one_table(table: TheTable) -> TableInfo:
    """A table as everybody at it may see it."""
    return table.info()


@router.post("/tables/{id}/seats/{seat}/sit")
async def sit(seat: Seat, asked: Sit, table: TheTable, person: Person, house: Host) -> TableInfo:
    """Take a seat with a nonce for the shuffle, or choose another colour. One person may take several."""
    await house.lobby.sit(table, seat, person, asked)
    return table.info()


@router.post("/tables/{id}/seats/{seat}/leave")
async def leave(seat: Seat, table: TheTable, person: Person, house: Host) -> TableInfo:
    """Stand up; the owner may make somebody else stand up before the start."""
    await house.lobby.leave(table, seat, person)
    return table.info()


@router.put("/tables/{id}/seats/{seat}")
async def plan_seat(seat: Seat, asked: SeatPlan, table: TheTable, person: Person, house: Host) -> TableInfo:
    """Open or close a seat or put a bot there, before the start; for the owner."""
    await house.lobby.plan(table, seat, person, asked)
    return table.info()


@router.post("/tables/{id}/seats/{seat}/hand-to-bot")
async def hand_to_bot(seat: Seat, table: TheTable, person: Person, house: Host) -> TableInfo:
    """Let a bot stand in for somebody absent, or for oneself."""
    await house.lobby.hand(table, seat, person)
    return table.info()


@router.post("/tables/{id}/seats/{seat}/take-back")
async def take_back(seat: Seat, table: TheTable, person: Person, house: Host) -> TableInfo:
    """Take one's own seat back from a bot."""
    await house.lobby.take_back(table, seat, person)
    return table.info()


@router.post("/tables/{id}/seats/{seat}/release")
async def release(seat: Seat, table: TheTable, person: Person, house: Host) -> TableInfo:
    """Free the seat of somebody who lost their cookie, for whoever has the link; for the owner."""
    await house.lobby.release(table, seat, person)
    return table.info()


@router.put("/tables/{id}/owner")
async def hand_on(asked: NewOwner, table: TheTable, person: Person) -> TableInfo:
    """Hand the table on to somebody with a seat; for the owner."""
    lobbies.own(table, person)
    await table.change(heads.owned_by(asked.person))
    return table.info()


@router.post("/tables/{id}/start")
async def start(table: TheTable, person: Person) -> TableInfo:
    """Deal the game; for the owner."""
    await table.start(person.id)
    return table.info()


@router.put("/tables/{id}/abandon")
async def abandon(asked: Agreement, table: TheTable, person: Person) -> TableInfo:
    """Agree to abandon the game; it ends when all people still there do."""
    await table.abandon(person.id, asked.agree)
    return table.info()


@router.post("/tables/{id}/rematch")
async def rematch(table: TheTable, person: Person, house: Host) -> TableInfo:
    """A new table for the same people, the first seat passed on."""
    return (await house.lobby.rematch(table, person)).info()


@router.get("/tables/{id}/record", response_model=dict[str, Any])
async def record(table: TheTable, house: Host) -> Response:
    """A finished game as one file, its seed and nonces told."""
    body = orjson.dumps((await record_of(table, house.store)).to_dict())
    name = f'attachment; filename="branchline-{table.code}.json"'
    return Response(body, media_type="application/json", headers={"content-disposition": name})


SeatQuery = Annotated[int | None, Query(ge=0, le=9)]


@router.get("/tables/{id}/moves", response_model=Moves)
async def table_moves(table: TheTable, house: Host, seat: SeatQuery = None) -> Response:
    """A finished game step by step as one seat saw it; without a seat, as a spectator did."""
    record = await record_of(table, house.store)
    return _json(await run_in_threadpool(moves, record, seat))


@router.post("/records", response_model=Looked)
async def upload(record: dict[str, Any], request: Request, house: Host, seat: SeatQuery = None) -> Response:
    """Look at a record: it is verified and replayed, and not kept."""
    if not house.limits["uploads"].allows(address(request.scope)):
        raise too_many()
    return _json(await run_in_threadpool(look_at, record, seat))


async def socket(socket: WebSocket, id: str) -> None:
    """The socket of a table; `?seat=1` asks for that seat's view at once."""
    house: House = socket.app.state.house
    await socket.accept()
    person_id = house.signer.read(socket.cookies.get(house.cookie))
    person = None if person_id is None else await house.store.person(person_id)
    if person is None:
        await socket.close(4401, "say who you are first")
        return
    try:
        table = await house.lobby.find(id)
    except Refused as refused:
        await socket.close(4000 + refused.status, refused.text)
        return
    if len(table.watchers) >= house.settings.sockets_per_table:
        await socket.close(4429, "the table is full of spectators")
        return
    seat = socket.query_params.get("seat", "")
    connection = Connection(socket, table, person, house.store, house.workers, house.limits, house.settings, house.seed)
    await connection.run(int(seat) if seat.isascii() and seat.isdigit() and len(seat) == 1 else None)


def _json(data: object) -> Response:
    return Response(orjson.dumps(data), media_type="application/json")


def _me(person: PersonRow) -> Me:
    return {"id": person.id, "name": person.name, "language": person.language}


def _remember(house: House, response: Response, person: str) -> None:
    response.set_cookie(
        house.cookie,
        house.signer.sign(person),
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="lax",
        secure=house.settings.secure,
        path="/",
    )
