"""From SQLite to PostgreSQL: every row is written, read back and compared before anything is kept."""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, tuple_
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from branchline.server.store import schema
from branchline.server.store.postgres import PostgresStore
from branchline.server.store.sqlite import SqliteStore

AT_ONCE = 200
"""Rows that are written and compared together."""
LEFT = frozenset(("servers", "presence", "pulse", "reviewing"))
"""What is about servers that run, and not about people and their games."""


async def move(source: Path, target: str) -> dict[str, int]:
    """Carry everything over; how many rows of which table. ValueError, in words, and then nothing is there."""
    file = SqliteStore(f"sqlite:///{source}", "full")
    try:
        database = PostgresStore(target)
        try:
            async with database.transaction() as connection:
                return {table.name: await _carry(file, connection, table) for table in _moving()}
        except DBAPIError as error:
            raise ValueError(f"move: PostgreSQL refused a row: {' '.join(str(error.orig).split())[:300]}") from None
        finally:
            await database.close()
    finally:
        await file.close()


def _moving() -> list[Table]:
    return [table for table in schema.metadata.sorted_tables if table.name not in LEFT]


async def _carry(file: SqliteStore, connection: AsyncConnection, table: Table) -> int:
    if (await connection.execute(select(func.count()).select_from(table))).scalar_one():
        raise ValueError(f"move: {table.name} has rows already; give an empty database")
    keys = list(table.primary_key.columns)
    query, last, rows = select(table).order_by(*keys).limit(AT_ONCE), None, 0
    while found := await _part(file, query if last is None else query.where(tuple_(*keys) > last)):
        if "minder" in table.c:
            found = [{**row, "minder": None} for row in found]  # whoever minded it does not serve the new one
        await connection.execute(insert(table), found)
        wanted = [tuple(row[key.name] for key in keys) for row in found]
        kept = (await connection.execute(select(table).where(tuple_(*keys).in_(wanted)))).mappings()
        by_key = {tuple(row[key.name] for key in keys): dict(row) for row in kept}
        for key, row in zip(wanted, found, strict=True):
            if by_key.get(key) != row:
                raise ValueError(f"move: {table.name} {'/'.join(map(str, key))} did not arrive as it was")
        last, rows = wanted[-1], rows + len(found)
    return rows


async def _part(file: SqliteStore, query: Any) -> list[dict[str, Any]]:
    def read(connection: Connection) -> list[dict[str, Any]]:
        return [dict(row) for row in connection.execute(query).mappings()]

    return await file.read(read)
