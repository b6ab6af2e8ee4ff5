"""The embedded store: one SQLite file, written by one thread, read by a few."""

import asyncio
import sqlite3
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    Connection,
    Engine,
    case,
    create_engine,
    delete,
    event,
    insert,
    literal,
    null,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.exc import DBAPIError

from branchline.server.store import schema
from branchline.server.store.base import Busy, ChatRow, Conflict, LogRow, PersonRow, TableRow
from branchline.server.store.migrations import migrate
from branchline.server.store.writer import Writer

T = TypeVar("T")

BUSY_MS = 2_000
"""How long SQLite waits for a lock before it gives up."""
READERS = 2
SWEPT = 1_000
"""Tables swept at once, at most."""


class SqliteStore:
    """A store in one file. FULL sync: an acknowledged action is on the disk, also after a power cut."""

    def __init__(self, url: str) -> None:
        """Open the file, made if need be, and bring its tables up to date."""
        path = url.removeprefix("sqlite:///")
        Path(path).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Created here so that nobody else on the machine can read it: it holds the decks of running games.
        Path(path).touch(mode=0o600)
        self._engine = _engine(url, immediate=True)
        with self._engine.connect() as connection, connection.begin():
            migrate(connection)
        self._writer = Writer(self._engine)
        self._reading = _engine(url, immediate=False)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")

    async def save_person(self, person: PersonRow) -> None:
        values = asdict(person)
        statement = upsert(schema.people).values(**values)
        statement = statement.on_conflict_do_update(
            index_elements=["id"], set_={"name": person.name, "language": person.language}
        )
        await self._writer.write(lambda connection: connection.execute(statement))

    async def person(self, id: str) -> PersonRow | None:
        row = await self._first(select(schema.people).where(schema.people.c.id == id))
        return None if row is None else PersonRow(*row)

    async def save_link(self, hash: str, person: str, expires: float) -> None:
        statement = insert(schema.links).values(hash=hash, person=person, expires=expires)
        await self._writer.write(lambda connection: connection.execute(statement))

    async def take_link(self, hash: str, now: float) -> str | None:
        links = schema.links.c
        statement = delete(schema.links).where(links.hash == hash).returning(links.person, links.expires)
        row = await self._writer.write(lambda connection: connection.execute(statement).first())
        return row.person if row is not None and row.expires > now else None

    async def save_table(self, table: TableRow, people: Sequence[str]) -> None:
        values = asdict(table)
        statement = upsert(schema.tables).values(**values)
        statement = statement.on_conflict_do_update(
            index_elements=["id"], set_={name: value for name, value in values.items() if name != "id"}
        )

        def write(connection: Connection) -> None:
            connection.execute(statement)
            _sit(connection, table.id, people)

        await self._writer.write(write)

    async def append(self, table: TableRow, entry: LogRow, people: Sequence[str]) -> None:
        row = asdict(entry)
        row["table_id"] = row.pop("table")
        values = {name: value for name, value in asdict(table).items() if name not in _FIXED}
        new = entry.n == 1

        def write(connection: Connection) -> None:
            connection.execute(_INSERT_LOG, row)
            updated = connection.execute(update(schema.tables).where(schema.tables.c.id == table.id), values)
            if updated.rowcount != 1:
                raise Conflict("the table is gone")
            if new:
                _sit(connection, table.id, people)

        await self._writer.write(write)

    async def table(self, id: str) -> TableRow | None:
        row = await self._first(select(schema.tables).where(schema.tables.c.id == id))
        return None if row is None else TableRow(**row._asdict())

    async def table_by_code(self, code: str) -> str | None:
        row = await self._first(select(schema.tables.c.id).where(schema.tables.c.code == code))
        return None if row is None else str(row.id)

    async def open_tables(self, limit: int) -> list[TableRow]:
        tables = schema.tables.c
        query = select(*_OPEN_COLUMNS).where(tables.status == "open", tables.public)
        return [
            TableRow(**row._asdict()) for row in await self._all(query.order_by(tables.created.desc()).limit(limit))
        ]

    async def tables_of(self, person: str, limit: int) -> list[TableRow]:
        tables, sitting = schema.tables.c, schema.sitting.c
        query = (
            select(*_OPEN_COLUMNS).join(schema.sitting, sitting.table_id == tables.id).where(sitting.person == person)
        )
        goes_on = case((tables.status.in_(("open", "playing")), 0), else_=1)
        return [
            TableRow(**row._asdict())
            for row in await self._all(query.order_by(goes_on, tables.updated.desc()).limit(limit))
        ]

    async def waking(self, until: float) -> list[str]:
        rows = await self._all(select(schema.tables.c.id).where(schema.tables.c.wake <= until))
        return [row.id for row in rows]

    async def sweep(self, before: float, live: Collection[str]) -> int:
        tables = schema.tables.c
        old = select(tables.id).where(tables.status == "open", tables.updated < before, tables.version == 0)
        old = old.order_by(tables.updated).limit(SWEPT)

        def write(connection: Connection) -> int:
            ids = [row.id for row in connection.execute(old) if row.id not in live]
            for table, column in ((schema.sitting, "table_id"), (schema.chat, "table_id"), (schema.tables, "id")):
                connection.execute(delete(table).where(table.c[column].in_(ids)))
            connection.execute(delete(schema.links).where(schema.links.c.expires < before))
            return len(ids)

        return await self._writer.write(write)

    async def entries(self, table: str, since: int, limit: int) -> list[LogRow]:
        log = schema.log.c
        query = select(schema.log).where(log.table_id == table, log.n > since).order_by(log.n).limit(limit)
        return [LogRow(*row) for row in await self._all(query)]

    async def entry_of(self, table: str, person: str, message: str) -> int | None:
        log, chat = schema.log.c, schema.chat.c
        query = union_all(
            select(log.n).where(log.table_id == table, log.person == person, log.message == message),
            select(chat.n).where(chat.table_id == table, chat.person == person, chat.message == message),
        )
        row = await self._first(query)
        return None if row is None else int(row.n)

    async def say(self, line: ChatRow) -> None:
        row = asdict(line)
        row["table_id"] = row.pop("table")
        await self._writer.write(lambda connection: connection.execute(insert(schema.chat), row))

    async def said(self, table: str, limit: int) -> list[ChatRow]:
        chat = schema.chat.c
        query = select(schema.chat).where(chat.table_id == table).order_by(chat.n.desc()).limit(limit)
        return [ChatRow(*row) for row in reversed(await self._all(query))]

    async def mute(self, person: str, other: str, muted: bool) -> None:
        mutes = schema.mutes
        if muted:
            statement: Any = upsert(mutes).values(person=person, other=other).on_conflict_do_nothing()
        else:
            statement = delete(mutes).where(mutes.c.person == person, mutes.c.other == other)
        await self._writer.write(lambda connection: connection.execute(statement))

    async def muted(self, person: str) -> set[str]:
        rows = await self._all(select(schema.mutes.c.other).where(schema.mutes.c.person == person))
        return {row.other for row in rows}

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self._writer.stop)
        self._readers.shutdown()
        self._reading.dispose()
        self._engine.dispose()

    async def _first(self, query: Any) -> Any:
        return await self._read(lambda connection: connection.execute(query).first())

    async def _all(self, query: Any) -> Sequence[Any]:
        return await self._read(lambda connection: connection.execute(query).all())

    async def _read(self, query: Callable[[Connection], T]) -> T:
        def run() -> T:
            try:
                with self._reading.connect() as connection:
                    return query(connection)
            except DBAPIError as error:
                raise Busy(str(error.orig)) from None

        return await asyncio.get_running_loop().run_in_executor(self._readers, run)


def backup(url: str, target: Path) -> None:
    """Copy a database, also one in use, into a new file."""
    source = Path(url.removeprefix("sqlite:///"))
    if not source.exists():
        raise FileNotFoundError(f"{source}: there is no database")
    if target.exists():
        raise FileExistsError(f"{target}: is there already")
    target.touch(mode=0o600)
    live, copy = sqlite3.connect(f"file:{source}?mode=ro", uri=True), sqlite3.connect(target)
    try:
        live.backup(copy)
    finally:
        live.close()
        copy.close()


_FIXED = ("id", "code", "created", "seed")
_INSERT_LOG = insert(schema.log)
_OPEN_COLUMNS = [
    literal("").label("seed") if column.name == "seed"
    else null().label(column.name) if column.name in ("state", "before")
    else column
    for column in schema.tables.c
]  # fmt: skip
assert {entry.name for entry in fields(TableRow)} == {column.name for column in schema.tables.c}


def _sit(connection: Connection, table: str, people: Sequence[str]) -> None:
    connection.execute(delete(schema.sitting).where(schema.sitting.c.table_id == table))
    rows = [{"person": person, "table_id": table} for person in dict.fromkeys(people)]
    if rows:
        connection.execute(insert(schema.sitting), rows)


def _engine(url: str, immediate: bool) -> Engine:
    engine = create_engine(url, pool_size=1 if immediate else READERS, connect_args={"check_same_thread": False})

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:
        # The driver begins transactions by itself, and too late; ours begin where we say.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={BUSY_MS}", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine
