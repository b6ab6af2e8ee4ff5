"""Several servers in one database: their leases on tables, and who is where through which of them."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import (
    Connection,
    Float,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from branchline.server.store import schema
from branchline.server.store.base import Joining, PresenceRow, Renewed
from branchline.server.store.statements import Statements

DEAD = 3_600.0
"""Seconds after its lease ran out until a server that minds nothing is forgotten."""
AWAY = 31 * 86_400.0
"""Seconds for which it is remembered since when somebody is away: longer than any turn may take."""


class ServerStatements(Statements):
    """Leases and presence."""

    shared: bool

    async def waking(self, server: str, until: float) -> list[str]:
        tables = schema.tables.c
        query = select(tables.id).where(tables.wake <= until)
        if self.shared:  # alone with its database, a server minds everything
            query = query.where(tables.minder == server)
        rows = await self.all(query)
        return [row.id for row in rows]

    def join(self, joining: Joining, connection: Connection) -> None:
        """Take part, one server after the other; ValueError, in words, if those that are there have another secret."""
        servers = schema.servers.c
        if joining.mark is not None:
            other = select(servers.id).where(servers.until > self.clock, servers.mark != joining.mark)
            if connection.execute(other).first() is not None:
                raise ValueError(
                    "secret: a server of this database signs with another one, and who came through it would be nobody "
                    "here. Give all of them the same --secret (on one machine, the same --data). To change it, stop "
                    "all of them first"
                )
        row = {"id": joining.server, "kind": joining.kind, "mark": joining.mark}
        connection.execute(insert(schema.servers).values(**row, until=self.clock + joining.seconds))

    async def claim(self, server: str, until: float, before: float, most: int) -> list[str]:
        statement = claiming(self.clock, server, until, before, most)
        return await self.write(lambda connection: [row.id for row in connection.execute(statement)])

    async def renew(self, server: str, kind: str, seconds: float) -> Renewed:
        servers = schema.servers.c
        until = self.clock + seconds
        before = select(servers.until <= self.clock).where(servers.id == server)
        statement = self.upsert(schema.servers).values(id=server, kind=kind, until=until)
        statement = statement.on_conflict_do_update(index_elements=["id"], set_={"until": until})
        living = select(servers.id, servers.kind).where(servers.until > self.clock)

        def write(connection: Connection) -> Renewed:
            expired = connection.execute(before).scalar()
            connection.execute(statement)
            return Renewed(bool(expired), {row.id: row.kind for row in connection.execute(living)})

        return await self.write(write)

    async def retire(self, server: str) -> None:
        tables, servers, presence = schema.tables.c, schema.servers.c, schema.presence.c
        statements = (
            update(schema.tables).where(tables.minder == server).values(minder=None),
            update(schema.presence)
            .where(presence.server == server, presence.here)
            .values(here=False, since=self.clock),
            delete(schema.servers).where(servers.id == server),
        )

        def write(connection: Connection) -> None:
            for statement in statements:
                connection.execute(statement)

        await self.write(write)

    async def bury(self, now: float) -> None:
        tables, servers, presence = schema.tables.c, schema.servers.c, schema.presence.c
        dead = select(servers.id).where(servers.until <= self.clock - DEAD)
        minding = select(tables.minder).where(tables.minder.is_not(None), tables.wake.is_not(None))
        lost = select(servers.until).where(servers.id == presence.server).scalar_subquery()
        statements = (
            update(schema.presence).where(presence.here, presence.server.in_(dead)).values(here=False, since=lost),
            delete(schema.servers).where(servers.id.in_(dead), servers.id.not_in(minding)),
            delete(schema.presence).where(presence.here.is_(False), presence.since < now - AWAY),
        )

        def write(connection: Connection) -> None:
            for statement in statements:
                connection.execute(statement)

        await self.write(write)

    async def note_presence(self, rows: Sequence[PresenceRow]) -> None:
        # Always in the same order: two servers that note the same people at once never wait for each other.
        values = [_as_columns(row) for row in sorted(rows, key=lambda row: (row.table, row.person))]
        statement = self.upsert(schema.presence).values(values)
        new = {name: statement.excluded[name] for name in ("here", "since")}
        statement = statement.on_conflict_do_update(index_elements=["table_id", "person", "server"], set_=new)
        await self.write(lambda connection: connection.execute(statement))

    async def presence(self, tables: Collection[str], but: str) -> list[PresenceRow]:
        presence, servers = schema.presence.c, schema.servers.c
        lives = func.coalesce(servers.until > self.clock, False)
        lost = case((lives, presence.since), else_=func.coalesce(servers.until, presence.since))
        query = select(
            presence.table_id,
            presence.person,
            presence.server,
            (presence.here & lives).label("here"),
            case((presence.here, lost), else_=presence.since).label("since"),
        )
        query = query.join(schema.servers, servers.id == presence.server, isouter=True).where(presence.server != but)
        return [PresenceRow(*row) for row in await self.among(query, presence.table_id, tables)]

    async def moved(self, since: float) -> set[str]:
        return {row.table_id for row in await self.all(MOVED, since=since)}


MOVED = select(schema.presence.c.table_id).where(schema.presence.c.since > bindparam("since", type_=Float)).distinct()
"""Tables where somebody came or went after a time."""


def claiming(clock: Any, server: Any, until: Any, before: Any, most: Any) -> Any:
    """Take the lease on tables that nobody minds any more, by the database's clock; with values or places for them."""
    tables, servers = schema.tables.c, schema.servers.c
    # Whoever is not there any more has left no name either: a write may come in after its server has retired.
    living = select(servers.id).where(servers.until > clock)
    free = or_(tables.minder.is_(None), tables.minder.not_in(living))
    due = and_(tables.wake <= until, tables.updated <= before)
    # Others that claim at the same moment take other tables. In one statement: who claims keeps nobody waiting who
    # acts at one of these tables.
    found = select(tables.id).where(free, due).order_by(tables.wake).limit(most)
    taken = update(schema.tables).where(tables.id.in_(found.with_for_update(skip_locked=True))).returning(tables.id)
    return taken.values(minder=server, revision=tables.revision + literal_column("1"))


def _as_columns(row: PresenceRow) -> dict[str, object]:
    values = asdict(row)
    values["table_id"] = values.pop("table")
    return values
