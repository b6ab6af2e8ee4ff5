"""What every kind of database has in common: statements in portable SQL, run by whoever inherits them."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection

T = TypeVar("T")

AT_ONCE = 1_000
"""Values in one question, at most."""


class Statements:
    """How statements are run; a kind of database says how."""

    upsert: Callable[..., Any]
    """The dialect's INSERT, which knows ON CONFLICT."""
    clock: Any
    """The database's own clock, in seconds: leases run by it, so that servers' clocks may differ."""

    async def write(self, job: Callable[[Connection], T]) -> T:
        """Run a job in a transaction of its own kind; it may run more than once."""
        raise NotImplementedError

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Run what only reads."""
        raise NotImplementedError

    async def first(self, query: Any) -> Any:
        """The first row, or None."""
        return await self.read(lambda connection: connection.execute(query).first())

    async def among(self, query: Any, column: Any, values: Collection[str]) -> list[Any]:
        """All rows whose column has one of some values, asked for in parts that every database takes."""
        found: list[Any] = []
        wanted = list(values)
        for begin in range(0, len(wanted), AT_ONCE):
            found += await self.all(query.where(column.in_(wanted[begin : begin + AT_ONCE])))
        return found

    async def all(self, query: Any, **values: Any) -> Sequence[Any]:
        """All rows; `values` are for what the query leaves open."""
        return await self.read(lambda connection: connection.execute(query, values).all())
