"""Tables in a database, with their log and their chat. Every change names the revision that it follows."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import (
    Connection,
    Integer,
    Select,
    String,
    Table,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    literal_column,
    null,
    select,
    update,
)

from branchline.server.store import schema
from branchline.server.store.base import Changes, ChatRow, Conflict, LogRow, TableRow
from branchline.server.store.statements import Statements

SWEPT = 1_000
"""Tables swept at once, at most."""
WEEK = 7 * 86_400
"""How much longer than a table never started the review of a record that somebody sent is kept."""
LOAD = "." * 65_536
"""What a beat writes: more than any action, or a disk that is all but full would have room for the one only."""


class TableStatements(Statements):
    """Tables, log and chat."""

    async def save_table(self, table: TableRow, people: Sequence[str]) -> None:
        def write(connection: Connection) -> None:
            if table.revision == 1:
                connection.execute(_INSERT_TABLE, asdict(table))
            else:
                _follow(connection, table)
            _sit(connection, table.id, people)

        await self.write(write)

    async def append(self, table: TableRow, entry: LogRow, people: Sequence[str]) -> None:
        row = asdict(entry)
        row["table_id"] = row.pop("table")
        new = entry.n == 1

        def write(connection: Connection) -> None:
            connection.execute(_INSERT_LOG, row)
            if entry.person is not None and entry.message is not None:
                _alone(connection, schema.chat, entry.table, entry.person, entry.message)
            _follow(connection, table)
            if new:
                _sit(connection, table.id, people)

        await self.write(write)

    async def table(self, id: str) -> TableRow | None:
        row = await self.first(select(schema.tables).where(schema.tables.c.id == id))
        return None if row is None else TableRow(**row._asdict())

    async def table_by_code(self, code: str) -> str | None:
        row = await self.first(select(schema.tables.c.id).where(schema.tables.c.code == code))
        return None if row is None else str(row.id)

    async def opened_by(self, person: str) -> int:
        tables = schema.tables.c
        row = await self.first(select(func.count()).where(tables.owner == person, tables.status == "open"))
        return int(row[0])

    async def open_tables(self, limit: int, by_owner: int, by_origin: int) -> list[TableRow]:
        tables = schema.tables.c
        free = (
            select(
                *_OPEN_COLUMNS,
                _newest(tables.owner).label("of_owner"),
                _newest(tables.origin).label("of_origin"),
            )
            .where(tables.status == "open", tables.public, tables.free > 0)
            .subquery()
        )
        too_many = case((free.c.of_owner > by_owner, 1), (free.c.of_origin > by_origin, 1), else_=0)
        query = select(*(free.c[column.name] for column in schema.tables.c))
        return _rows(await self.all(query.order_by(too_many, free.c.created.desc()).limit(limit)))

    async def tables_of(self, person: str, limit: int) -> list[TableRow]:
        tables, sitting = schema.tables.c, schema.sitting.c
        query = (
            select(*_OPEN_COLUMNS).join(schema.sitting, sitting.table_id == tables.id).where(sitting.person == person)
        )
        goes_on = case((tables.status.in_(("open", "playing")), 0), else_=1)
        return _rows(await self.all(query.order_by(goes_on, tables.updated.desc()).limit(limit)))

    async def changes(self, table: str, since: int, most: int) -> Changes | None:
        return changes_in(await self.all(CHANGES, table=table, since=since, most=most))

    async def revisions(self, tables: Collection[str]) -> dict[str, tuple[int, int]]:
        rows = await self.among(REVISIONS, schema.tables.c.id, tables)
        return {id: (revision, last) for id, revision, last in rows}

    async def sweep(self, before: float, live: Collection[str]) -> int:
        tables = schema.tables.c
        looked_at = select(schema.presence.c.table_id).where(schema.presence.c.here)
        old = select(tables.id).where(tables.status == "open", tables.updated < before, tables.version == 0)
        # Locked while it is deleted: nobody starts a game there meanwhile, through whichever server.
        old = old.where(tables.id.not_in(looked_at)).with_for_update(skip_locked=True)
        old = old.order_by(tables.updated).limit(SWEPT)

        def write(connection: Connection) -> int:
            ids = [row.id for row in connection.execute(old) if row.id not in live]
            for table, column in ((schema.sitting, "table_id"), (schema.chat, "table_id"), (schema.tables, "id")):
                connection.execute(delete(table).where(table.c[column].in_(ids)))
            connection.execute(delete(schema.links).where(schema.links.c.expires < before))
            sent = schema.reviews.c.game.not_in(select(tables.id))  # a table's own review goes with the table
            connection.execute(delete(schema.reviews).where(schema.reviews.c.at < before - WEEK, sent))
            return len(ids)

        return await self.write(write)

    async def entries(self, table: str, since: int, limit: int) -> list[LogRow]:
        log = schema.log.c
        query = select(schema.log).where(log.table_id == table, log.n > since).order_by(log.n).limit(limit)
        return [LogRow(*row) for row in await self.all(query)]

    async def last_entry(self, table: str) -> int:
        log = schema.log.c
        row = await self.first(select(func.max(log.n)).where(log.table_id == table))
        return row[0] or 0

    async def message(self, table: str, person: str, message: str) -> LogRow | ChatRow | None:
        row = await self.first(_sent(schema.log, table, person, message))
        if row is not None:
            return LogRow(*row)
        row = await self.first(_sent(schema.chat, table, person, message))
        return None if row is None else ChatRow(*row)

    async def say(self, line: ChatRow) -> None:
        row = asdict(line)
        row["table_id"] = row.pop("table")

        def write(connection: Connection) -> None:
            connection.execute(insert(schema.chat), row)
            _alone(connection, schema.log, line.table, line.person, line.message)

        await self.write(write)

    async def said(self, table: str, limit: int, since: int = 0) -> list[ChatRow]:
        chat = schema.chat.c
        query = select(schema.chat).where(chat.table_id == table, chat.n > since).order_by(chat.n.desc()).limit(limit)
        return [ChatRow(*row) for row in reversed(await self.all(query))]

    async def beat(self, now: float) -> None:
        statement = self.upsert(schema.pulse).values(id=1, at=now, load=LOAD)
        statement = statement.on_conflict_do_update(index_elements=["id"], set_={"at": now, "load": LOAD})
        await self.write(lambda connection: connection.execute(statement))
        await self.first(select(schema.pulse.c.at))


_STANDING = [schema.tables.c[name] for name in ("status", "version", "revision", "head", "digest", "minder")]
CHANGES = (
    select(*_STANDING, schema.log)
    .join_from(
        schema.tables,
        schema.log,
        and_(
            schema.log.c.table_id == schema.tables.c.id,
            schema.log.c.n > bindparam("since", type_=Integer),
            schema.log.c.n <= schema.tables.c.version,
        ),
        isouter=True,
    )
    .where(schema.tables.c.id == bindparam("table", type_=String))
    .order_by(schema.log.c.n)
    .limit(bindparam("most", type_=Integer))
)
"""How a table stands, beside each entry after `since`: one row with no entry if there is none."""
_SAID = select(func.max(schema.chat.c.n)).where(schema.chat.c.table_id == schema.tables.c.id).scalar_subquery()
REVISIONS = select(schema.tables.c.id, schema.tables.c.revision, func.coalesce(_SAID, literal_column("0")))
"""The revision of each table, and the number of its last line of chat."""


def changes_in(rows: Sequence[Any]) -> Changes | None:
    """What the rows of `CHANGES` say."""
    if not rows:
        return None
    kept = len(_STANDING)
    entries = [LogRow(*row[kept:]) for row in rows if row[kept] is not None]
    status, version, revision, head, digest, minder = rows[0][:kept]
    return Changes(status, version, revision, head, digest, minder, entries)


FIXED = ("id", "code", "created", "seed", "origin")
"""What never changes at a table."""
_INSERT_TABLE = insert(schema.tables)
_INSERT_LOG = insert(schema.log)
_OPEN_COLUMNS = [
    literal("").label("seed") if column.name == "seed"
    else null().label(column.name) if column.name in ("state", "before", "digest")
    else column
    for column in schema.tables.c
]  # fmt: skip
assert [entry.name for entry in fields(TableRow)] == [column.name for column in schema.tables.c]


def _follow(connection: Connection, table: TableRow) -> None:
    """Update a table whose last revision is the one before; Conflict if it is another, or the table is gone."""
    tables = schema.tables.c
    values = {name: value for name, value in asdict(table).items() if name not in FIXED}
    statement = update(schema.tables).where(tables.id == table.id, tables.revision == table.revision - 1)
    if connection.execute(statement, values).rowcount != 1:
        raise Conflict(f"table {table.id} has another revision than {table.revision - 1}, or is gone")


def _sent(where: Table, table: str, person: str, message: str) -> Select[Any]:
    """The row of a message, among entries or lines of chat."""
    return select(where).where(where.c.table_id == table, where.c.person == person, where.c.message == message)


def _alone(connection: Connection, other: Table, table: str, person: str, message: str) -> None:
    """Refuse an id that says something else already: one is for an action or for a line of chat."""
    if connection.execute(_sent(other, table, person, message)).first() is not None:
        raise Conflict(f"table {table}: a message has an id that another one had")


def _sit(connection: Connection, table: str, people: Sequence[str]) -> None:
    connection.execute(delete(schema.sitting).where(schema.sitting.c.table_id == table))
    rows = [{"person": person, "table_id": table} for person in dict.fromkeys(people)]
    if rows:
        connection.execute(insert(schema.sitting), rows)


def _newest(column: Any) -> Any:
    """A table's place among those that share something, the newest first."""
    return func.row_number().over(partition_by=column, order_by=schema.tables.c.created.desc())


def _rows(found: Sequence[Any]) -> list[TableRow]:
    return [TableRow(**row._asdict()) for row in found]
