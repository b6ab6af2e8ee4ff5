"""Store: what a database has to do for the tables."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol


class Busy(Exception):
    """The database could not store it now (full, locked): nothing happened, and it may be tried again."""


class Conflict(Exception):
    """Another row is there already: the number is taken, or the message id was used."""


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody, without an account."""

    id: str
    name: str
    language: str
    created: float


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as it is now. What is secret is in `seed`, `state` and `before`, and nowhere else."""

    id: str
    code: str
    status: str
    public: bool
    version: int
    """The number of its last log entry."""
    wake: float | None
    """When the server has to look after it by itself: a bot's turn, a clock; None for never."""
    created: float
    updated: float
    head: str
    """Settings and seats, as JSON."""
    seed: str
    """The secret of its shuffles, as hex."""
    state: str | None = None
    """The whole game, as JSON; None before the start."""
    before: str | None = None
    """The game before the last entry, where that may be taken back."""


@dataclass(frozen=True, slots=True)
class LogRow:
    """One entry of a table's log. They are only ever added."""

    table: str
    n: int
    kind: str
    """start, act, undo, abandon."""
    seat: int | None
    by: str
    person: str | None
    message: str | None
    """The id under which it was asked for."""
    action: str | None
    events: str
    at: float


@dataclass(frozen=True, slots=True)
class ChatRow:
    """A line of chat."""

    table: str
    n: int
    person: str
    name: str
    message: str
    text: str
    at: float


class Store(Protocol):
    """What a database has to do. Writes return after their commit; they raise Busy or Conflict having done nothing."""

    async def save_person(self, person: PersonRow) -> None: ...

    async def person(self, id: str) -> PersonRow | None: ...

    async def save_link(self, hash: str, person: str, expires: float) -> None: ...

    async def take_link(self, hash: str, now: float) -> str | None:
        """Whose link it was; it is gone then."""
        ...

    async def save_table(self, table: TableRow, people: Sequence[str]) -> None:
        """Insert or update a table, with the people who have a seat there."""
        ...

    async def append(self, table: TableRow, entry: LogRow, people: Sequence[str]) -> None:
        """Add a log entry and update its table, both or neither.

        Conflict if the number or the message id is taken, or the table is gone.
        """
        ...

    async def table(self, id: str) -> TableRow | None: ...

    async def table_by_code(self, code: str) -> str | None: ...

    async def open_tables(self, limit: int) -> list[TableRow]:
        """Public tables that have not begun, newest first, without their secrets."""
        ...

    async def tables_of(self, person: str, limit: int) -> list[TableRow]:
        """Tables where a person has a seat, those not over first, then the latest, without their secrets."""
        ...

    async def waking(self, until: float) -> list[str]:
        """Tables that want the server's attention until then."""
        ...

    async def sweep(self, before: float, live: Collection[str]) -> int:
        """Delete tables never started, last changed before a time and not live, and links that are over."""
        ...

    async def entries(self, table: str, since: int, limit: int) -> list[LogRow]: ...

    async def entry_of(self, table: str, person: str, message: str) -> int | None:
        """The number that a message id got, in the log or the chat."""
        ...

    async def say(self, line: ChatRow) -> None: ...

    async def said(self, table: str, limit: int) -> list[ChatRow]: ...

    async def mute(self, person: str, other: str, muted: bool) -> None: ...

    async def muted(self, person: str) -> set[str]: ...

    async def close(self) -> None: ...
