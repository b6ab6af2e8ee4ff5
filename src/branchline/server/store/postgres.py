"""The shared store: a PostgreSQL database that any number of servers use at once.

What every action does, storing and reading what is new, goes to the driver directly, in one statement each: through
SQLAlchemy's connection the same takes two to three times the processor time. The rest is what SQLite does too.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import fields
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

import asyncpg
from sqlalchemy import (
    ARRAY,
    Connection,
    Double,
    Integer,
    String,
    any_,
    bindparam,
    cast,
    exists,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import asyncpg as dialect
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as NoneFree
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from branchline.server import crash
from branchline.server.store import schema
from branchline.server.store.base import Busy, Changes, Conflict, Joining, LogRow, Renewed, TableRow, Trouble
from branchline.server.store.direct import Direct
from branchline.server.store.migrations import migrate
from branchline.server.store.people import PeopleStatements
from branchline.server.store.servers import MOVED, ServerStatements, claiming
from branchline.server.store.study import StudyStatements
from branchline.server.store.tables import CHANGES, FIXED, REVISIONS, TableStatements, changes_in
from branchline.server.store.trouble import Complaints

T = TypeVar("T")

CONNECTIONS = 6
"""Connections for what every action does, and as many for the rest."""
PATIENCE = 5.0
"""Seconds for which a database that restarts is waited for, before what was asked is refused."""
PAUSE = 0.1
TIMEOUT = 10.0
"""Seconds for one statement, and to connect."""
MIGRATING = 0x6272616E63686C6E
"""The advisory lock that whoever migrates holds: servers that start together wait for the first of them."""
AGAIN = ("40001", "40P01")
"""Two transactions were in each other's way, and this one gave up its place."""
_KINDS: dict[str, Trouble] = {
    "53100": "full",
    "53200": "full",
    "25006": "read-only",
    "55P03": "locked",
    "53300": "locked",
    "XX001": "corrupt",
    "XX002": "corrupt",
}
CLOCK = cast(func.extract("epoch", func.clock_timestamp()), Double)
_GONE = ("08", "57P0")
"""How the states begin that say: there is no connection, or the server shuts down, or is not up yet."""


class PostgresStore(TableStatements, PeopleStatements, ServerStatements, StudyStatements):
    """A store in a database of PostgreSQL's. With its `synchronous_commit` on, what was acknowledged is on its disk."""

    shared = True
    upsert = staticmethod(upsert)
    clock = CLOCK

    def __init__(self, url: str, connections: int = CONNECTIONS, joining: Joining | None = None) -> None:
        """Bring its tables up to date, one server after the other.

        ValueError, in words for the host, if it can't be reached, a newer version made its tables, or the servers that
        it has sign with another secret.
        """
        self._url = _driver_url(url)
        self._connections = connections
        self._complaints = Complaints()
        _apart(_prepare(self._url, None if joining is None else partial(self.join, joining)))
        self._engine = create_async_engine(
            self._url,
            pool_size=connections,
            max_overflow=0,
            pool_timeout=TIMEOUT,
            connect_args={"timeout": TIMEOUT, "command_timeout": TIMEOUT, "server_settings": _SESSION},
        )
        self._reading = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._direct = Direct(self._connect, connections, TIMEOUT)
        self._down: float | None = None
        """Since when the database has been away, by the loop's clock."""

    @property
    def trouble(self) -> Trouble | None:
        return self._complaints.trouble

    async def append(self, table: TableRow, entry: LogRow, people: Sequence[str]) -> None:
        if entry.n == 1:  # who sits there is noted too
            await super().append(table, entry, people)
            return
        named = dict(zip(_NAMES, (*_TABLE(table), *_ENTRY(entry), table.id, table.revision - 1), strict=True))
        values = _APPEND.values(named)
        crash.point(crash.BEFORE_COMMIT)
        done = await self._patiently(partial(self._direct.execute, _APPEND.sql, values))
        crash.point(crash.AFTER_COMMIT)
        if done != "INSERT 0 1":
            raise Conflict(f"table {table.id} has another revision than {table.revision - 1}, or is gone")

    async def changes(self, table: str, since: int, most: int) -> Changes | None:
        values = _CHANGES.values({"table": table, "since": since, "most": most})

        return changes_in([tuple(row) for row in await self._fetch(_CHANGES.sql, values)])

    async def revisions(self, tables: Collection[str]) -> dict[str, tuple[int, int]]:
        values = _REVISIONS.values({"tables": list(tables)})

        return {id: (revision, said) for id, revision, said in await self._fetch(_REVISIONS.sql, values)}

    async def renew(self, server: str, kind: str, seconds: float) -> Renewed:
        rows = await self._fetch(_RENEW, [server, kind, seconds])
        alive = {row["id"]: row["kind"] for row in rows if row["id"] != server or seconds > 0}
        return Renewed(bool(rows[0]["expired"]), alive)

    async def claim(self, server: str, until: float, before: float, most: int) -> list[str]:
        values = _CLAIM.values({"server": server, "until": until, "before": before, "most": most})
        return [row["id"] for row in await self._fetch(_CLAIM.sql, values)]

    async def moved(self, since: float) -> set[str]:
        return {row["table_id"] for row in await self._fetch(_MOVED.sql, _MOVED.values({"since": since}))}

    async def write(self, job: Callable[[Connection], T]) -> T:
        async def transaction() -> T:
            async with self._engine.begin() as connection:
                done = await connection.run_sync(job)
                crash.point(crash.BEFORE_COMMIT)
            crash.point(crash.AFTER_COMMIT)
            return done

        return await self._patiently(transaction)

    async def read(self, query: Callable[[Connection], T]) -> T:
        async def look() -> T:
            async with self._reading.connect() as connection:
                return await connection.run_sync(query)

        return await self._patiently(look)

    def transaction(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A transaction for whoever writes a great deal at once: all of it or nothing."""
        return self._engine.begin()

    async def close(self) -> None:
        await self._direct.close()
        await self._engine.dispose()

    async def _fetch(self, sql: str, values: Sequence[Any]) -> list[Any]:
        return await self._patiently(partial(self._direct.fetch, sql, values))

    async def _connect(self) -> Any:
        url = self._url.set(drivername="postgresql")
        ssl = url.query.get("ssl")
        return await asyncpg.connect(
            url.difference_update_query(["ssl"]).render_as_string(hide_password=False),
            timeout=TIMEOUT,
            command_timeout=TIMEOUT,
            server_settings=_SESSION,
            **({} if ssl is None else {"ssl": ssl}),
        )

    async def _patiently(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do something; again if the database went away meanwhile or two were in each other's way.

        What was stored before the answer got lost is then in its own way: a Conflict, and whoever asked finds out that
        it was they themselves (`Stored.settled`).
        """
        clock = asyncio.get_running_loop().time
        while True:
            try:
                done = await work()
            except _FAILURES as error:
                found, again = _translated(error)
                if not isinstance(found, Busy):
                    raise found from None
                self._down = self._down or clock()
                if not again or clock() - self._down > PATIENCE:
                    self._complaints.failed(found)
                    raise found from None
                await asyncio.sleep(PAUSE)
            else:
                self._down = None
                self._complaints.worked()
                return done


class _Compiled:
    """A statement as the driver takes it."""

    def __init__(self, statement: Any) -> None:
        compiled = statement.compile(dialect=dialect.dialect())  # type: ignore[no-untyped-call]
        self.sql = str(compiled)
        self._order: list[str] = compiled.positiontup

    def values(self, named: dict[str, Any]) -> list[Any]:
        """Named values in the statement's order."""
        return [named[name] for name in self._order]


def _append() -> Any:
    """Update a table if it has the revision before and nothing was said under the message's id; add its log entry."""
    tables, log, chat = schema.tables.c, schema.log.c, schema.chat.c
    changing = [column for column in tables if column.name not in FIXED]
    followed = (
        update(schema.tables)
        .where(
            tables.id == bindparam("t_id", type_=tables.id.type),
            tables.revision == bindparam("t_follows", type_=tables.revision.type),
            ~exists().where(
                chat.table_id == bindparam("t_id", type_=tables.id.type),
                chat.person == bindparam("l_person", type_=log.person.type),
                chat.message == bindparam("l_message", type_=log.message.type),
            ),
        )
        .values({column.name: bindparam(f"t_{column.name}", type_=column.type) for column in changing})
        .returning(tables.id)
        .cte("followed")
    )
    entry = select(*(bindparam(f"l_{column.name}", type_=column.type) for column in log)).select_from(followed)
    return insert(schema.log).from_select([column.name for column in log], entry)


_FIELDS = [[field.name for field in fields(row)] for row in (TableRow, LogRow)]
_TABLE, _ENTRY = (attrgetter(*names) for names in _FIELDS)
_NAMES = [*(f"t_{name}" for name in _FIELDS[0]), *(f"l_{name}" for name in _FIELDS[1]), "l_table_id", "t_follows"]
_APPEND = _Compiled(_append())
_CHANGES = _Compiled(CHANGES)
_REVISIONS = _Compiled(REVISIONS.where(schema.tables.c.id == any_(bindparam("tables", type_=ARRAY(String)))))
_CLAIM = _Compiled(
    claiming(
        CLOCK,
        bindparam("server", type_=String),
        bindparam("until", type_=Double),
        bindparam("before", type_=Double),
        bindparam("most", type_=Integer),
    )
)
_MOVED = _Compiled(MOVED)
_RENEW = """
    WITH now AS (SELECT extract(epoch FROM clock_timestamp())::double precision AS at),
        renewed AS (
            INSERT INTO servers (id, kind, until) SELECT $1, $2, at + $3 FROM now
            ON CONFLICT (id) DO UPDATE SET until = excluded.until
        )
    SELECT $1::varchar AS id, $2::varchar AS kind, (SELECT until <= at FROM servers WHERE id = $1) AS expired FROM now
    UNION ALL SELECT id, kind, NULL FROM servers, now WHERE until > at AND id <> $1
"""
"""Every server does this every second or two: in one go, where the portable statements are five."""
_SESSION = {"application_name": "branchline", "idle_in_transaction_session_timeout": "15000", "jit": "off"}
_FAILURES = (
    DBAPIError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
    NoneFree,
)


def _translated(error: BaseException) -> tuple[Exception, bool]:
    """What the driver raised, in words of ours, and whether it may be tried again at once."""
    told = getattr(error, "orig", None) or error
    state = str(getattr(told, "sqlstate", None) or "")
    words = " ".join(str(told).split())[:300]
    if state.startswith("23"):
        return Conflict(words), False
    if state in AGAIN:
        return Busy(words, "locked"), True
    if state in _KINDS:
        return Busy(words, _KINDS[state]), state == "53300"
    lost = isinstance(error, OSError | TimeoutError | asyncpg.InterfaceError | asyncpg.InternalClientError | NoneFree)
    lost = lost or state.startswith(_GONE) or getattr(error, "connection_invalidated", False)
    return Busy(words or type(told).__name__, "unreachable" if lost else "failed", unsure=lost), lost


def _driver_url(url: str) -> URL:
    """A URL as people write it for PostgreSQL, as the driver takes it."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise ValueError("database: that is no URL of a PostgreSQL database") from None
    ssl = parsed.query.get("sslmode", "")
    parsed = parsed.difference_update_query(["sslmode"])
    if ssl:
        parsed = parsed.update_query_dict({"ssl": str(ssl)})
    return parsed.set(drivername="postgresql+asyncpg")


async def _prepare(url: URL, join: Callable[[Connection], None] | None) -> None:
    shown = url.set(drivername="postgresql").render_as_string(hide_password=True)
    engine = create_async_engine(url, poolclass=NullPool, connect_args={"timeout": TIMEOUT})
    try:
        async with engine.begin() as connection:
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
            await connection.run_sync(migrate)
            if join is not None:
                await connection.run_sync(join)
    except _FAILURES as error:
        told = getattr(error, "orig", None) or error
        raise ValueError(f"database: {shown}: {' '.join(str(told).split())[:300] or type(told).__name__}") from None
    finally:
        await engine.dispose()


def _apart(work: Coroutine[Any, Any, None]) -> None:
    """Run something in a loop and a thread of its own: whoever starts a server may or may not have a loop already."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(work)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, name="store-migration")
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
