"""The HTTP side: tables and seats, records; who one is stands in routes_people."""

from importlib.metadata import version
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Request, Response, WebSocket

from branchline.maps import BUNDLED, load_map
from branchline.server import head as heads
from branchline.server.bots import levels
from branchline.server.connection import Connection
from branchline.server.dependencies import PROBLEMS, TABLE_ID, Anybody, Host, Person, Seat, TheTable
from branchline.server.guard.addresses import address
from branchline.server.house import House
from branchline.server.messages import (
    Agreement,
    Ban,
    BotLine,
    BotTempo,
    Close,
    First,
    Health,
    Looked,
    MapLine,
    Moves,
    NewOwner,
    NewTable,
    Ready,
    SeatPlan,
    Silence,
    Sit,
    TableInfo,
    TableLine,
)
from branchline.server.refused import Refused, cannot_store, not_found, too_many
from branchline.server.store import Busy

router = APIRouter(prefix="/api", responses=PROBLEMS)


@router.get("/health")
async def health() -> Health:
    """Whether the server is there."""
    return {"ok": True, "version": version("branchline")}


async def readyz(house: Host, response: Response) -> Ready:
    """Whether the server can store just now: it writes something to find out. 503 if it can't.

    Without its bus a server plays on, only more slowly: that is told, and no reason to send anybody elsewhere.
    """
    trouble = await house.pulse.trouble()
    response.status_code = 200 if trouble is None else 503
    return {"ok": trouble is None, "store": trouble or "ok", "bus": "away" if house.bus.away else "ok"}


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


@router.get("/me/tables")
async def my_tables(person: Person, house: Host) -> list[TableLine]:
    """My tables, those that wait for me first."""
    return await house.lobby.tables_of(person.id)


@router.get("/tables")
async def open_tables(house: Host) -> list[TableLine]:
    """Public tables with a free seat."""
    return await house.lobby.open_tables()


@router.post("/tables", status_code=201)
async def open_table(asked: NewTable, person: Person, request: Request, house: Host) -> TableInfo:
    """Open a table. Whoever opens it owns it, and takes a seat like everybody else."""
    if not house.limits["tables"].allows(person.id):
        raise too_many()
    origin = house.signer.mark(address(request.scope))
    return (await house.lobby.open(asked, person, origin)).info()


@router.get("/codes/{code}")
async def find_code(code: Annotated[str, Path(max_length=12)], request: Request, house: Host) -> TableInfo:
    """The table of a short code."""
    if not house.limits["entries"].allows(address(request.scope)):
        raise too_many()
    return (await house.lobby.fresh(await house.lobby.find_code(code))).info()


@router.get("/tables/{id}")
async def one_table(table: TheTable) -> TableInfo:
    """A table as everybody at it may see it."""
    return table.info()


@router.post("/tables/{id}/seats/{seat}/sit")
async def sit(seat: Seat, asked: Sit, table: TheTable, person: Person, house: Host) -> TableInfo:
    """Take a seat with a nonce for the shuffle, or choose another colour.

    One person may take several, at a public table only its owner. In a running game a seat that was freed is for
    newcomers: nobody who has played in the game or owns the table.
    """
    if table.head.challenge is None:
        await house.lobby.sit(table, seat, person, asked)
    else:
        await house.challenges.sit(table, seat, person, asked)
    return table.info()


@router.post("/tables/{id}/seats/{seat}/leave")
async def leave(seat: Seat, table: TheTable, person: Person, house: Host) -> TableInfo:
    """Stand up; the owner may make somebody else stand up before the start."""
    sat = table.head.sitter(seat).person
    await house.lobby.leave(table, seat, person)
    if sat is not None:
        await house.challenges.stood_up(table, sat)
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
async def resume(seat: Seat, table: TheTable, person: Person, house: Host) -> TableInfo:
    """Take one's own seat back from a bot."""
    await house.lobby.resume(table, seat, person)
    return table.info()


@router.post("/tables/{id}/seats/{seat}/release")
async def release(seat: Seat, table: TheTable, person: Person, house: Host) -> TableInfo:
    """Free the seat of somebody who is away and has no socket, for a newcomer; for the owner."""
    await house.lobby.release(table, seat, person)
    return table.info()


@router.put("/tables/{id}/owner")
async def hand_on(asked: NewOwner, table: TheTable, person: Person) -> TableInfo:
    """Hand the table on to somebody with a seat; for the owner.

    In a running game whose owner is away as those are whose seats may be freed, whoever has a seat may take it on.
    """
    await table.change(heads.owned_by(asked.person, person.id, table.is_ownerless))
    return table.info()


@router.put("/tables/{id}/first")
async def name_first(asked: First, table: TheTable, person: Person) -> TableInfo:
    """Name the seat that begins, or leave it to the shuffle, before the start; for the owner."""
    await table.change(heads.begun_by(asked.seat, person.id), status="open")
    return table.info()


@router.put("/tables/{id}/bots")
async def bot_pace(asked: BotTempo, table: TheTable, person: Person) -> TableInfo:
    """Let bots seem to think for longer or shorter; for the owner."""
    await table.change(heads.bots_at(asked.pace, person.id))
    return table.info()


@router.post("/tables/{id}/skip")
async def skip(table: TheTable, person: Person) -> TableInfo:
    """Let bots act at once until one's own next turn, where nobody else plays."""
    await table.skip(person.id)
    return table.info()


@router.put("/tables/{id}/bans")
async def ban(asked: Ban, table: TheTable, person: Person, house: Host) -> TableInfo:
    """Remove somebody and keep them away, before the start, or let them in again; for the owner."""
    await house.lobby.ban(table, person, asked)
    return table.info()


@router.put("/tables/{id}/silences")
async def silence(asked: Silence, table: TheTable, person: Person, house: Host) -> TableInfo:
    """Let nobody hear somebody at this table, or hear them again, at any time; for the owner."""
    await house.lobby.silence(table, person, asked)
    return table.info()


@router.post("/tables/{id}/start")
async def start(table: TheTable, person: Person) -> TableInfo:
    """Deal the game; for the owner."""
    await table.start(person.id)
    return table.info()


@router.put("/tables/{id}/abandon")
async def abandon(asked: Agreement, table: TheTable, person: Person) -> TableInfo:
    """Agree to abandon the game, which ends it when all people still there do; or play on, which ends the question."""
    await table.abandon(person.id, asked.agree)
    return table.info()


@router.post("/tables/{id}/rematch")
async def rematch(table: TheTable, person: Person, request: Request, house: Host) -> TableInfo:
    """A new table for the same people, the first seat passed on."""
    origin = house.signer.mark(address(request.scope))
    return (await house.lobby.rematch(table, person, origin, lambda: house.limits["tables"].allows(person.id))).info()


@router.get("/tables/{id}/record", response_model=dict[str, Any])
async def record(table: TheTable, known: Anybody, house: Host) -> Response:
    """A finished game as one file, its seed and nonces told; of a challenge, for whoever has finished it too."""
    await house.challenges.uncover(table, None if known is None else known.person.id)
    body = await house.records.record(table)
    name = f'attachment; filename="branchline-{table.code}.json"'
    return Response(body, media_type="application/json", headers={"content-disposition": name})


@router.get("/tables/{id}/moves", response_model=Moves)
async def table_moves(table: TheTable, known: Anybody, house: Host) -> Response:
    """A finished game step by step, everything open; of a challenge, for whoever has finished it too."""
    await house.challenges.uncover(table, None if known is None else known.person.id)
    return Response(await house.records.moves(table), media_type="application/json")


_RECORD = {"content": {"application/json": {"schema": {"type": "object", "title": "Record"}}}, "required": True}


@router.post("/records", response_model=Looked, openapi_extra={"requestBody": _RECORD})
async def upload(request: Request, house: Host) -> Response:
    """Look at a record: it is verified and replayed, and not kept."""
    who = address(request.scope)
    if not house.limits["uploads"].allows(who):
        raise too_many()
    # Nothing of it is read here: it is somebody's, and large.
    looked = await house.records.look_at(await request.body(), who)
    return Response(looked, media_type="application/json")


async def socket(socket: WebSocket, id: str) -> None:
    """The socket of a table; `?seat=1` asks for that seat's view at once."""
    house: House = socket.app.state.house
    numbering = house.lobby.numbering(id)
    await socket.accept()
    try:
        known = await house.sessions.known(socket.cookies.get(house.cookie))
        if known is None:
            await socket.close(Close.NOBODY, "say who you are first")
            return
        if not TABLE_ID.fullmatch(id):
            raise not_found("table")
        table = await house.lobby.fresh(id)
        seat = socket.query_params.get("seat", "")
        connection = Connection(socket, table, known, house)
        await connection.run(int(seat) if seat.isascii() and seat.isdigit() and len(seat) == 1 else None, numbering)
    except Refused as refused:
        await socket.close(Close.NO_TABLE if refused.status == 404 else 1013, refused.text)
    except Busy:
        await socket.close(Close.CANNOT_STORE, cannot_store().text)


def _json(data: object) -> Response:
    return Response(orjson.dumps(data), media_type="application/json")
