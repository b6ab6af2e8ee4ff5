"""Store: what a database has to do for the tables."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from branchline.server.store.study_base import StudyStore

Trouble = Literal["full", "locked", "read-only", "corrupt", "unreachable", "failed"]
"""What is wrong with a database. All but `corrupt` may pass."""


class Busy(Exception):
    """The database could not do it now: nothing happened, unless that is unsure, and it may be tried again."""

    def __init__(self, text: str, trouble: Trouble = "failed", unsure: bool = False) -> None:
        """`text` is what the database said; `unsure` if it was lost on the way, and may have done it after all."""
        super().__init__(text)
        self.trouble: Trouble = trouble
        self.unsure = unsure


class Conflict(Exception):
    """Something else came first: the number or the revision is taken, or the message id was used."""


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody, without an account."""

    id: str
    name: str
    language: str
    created: float
    revision: int = 1
    """Grows with every change of the name, the sessions and the mutes: sockets elsewhere look again."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A device on which somebody is known."""

    person: str
    id: str
    """"0" for a cookie from before there were sessions."""
    device: str
    """What kind of device, in words."""
    created: float
    seen: float


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
    revision: int = 1
    """The number of this change: it follows the one before, or it is refused. 1 for a new table."""
    digest: str | None = None
    """What `state` and `version` were stored as, so that one without the other is noticed; None if not known."""
    owner: str | None = None
    free: int = 0
    """Seats that a stranger could take: those that are open, at a table where some person sits."""
    origin: str = ""
    """From where it was opened, as a mark that tells two places apart and names neither."""
    minder: str | None = None
    """The server that has the lease on its bots and its clock; None if nobody has."""


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


@dataclass(frozen=True, slots=True)
class Changes:
    """What is new at a table: how it stands, without its state, and the entries that led there."""

    status: str
    version: int
    revision: int
    head: str
    digest: str | None
    minder: str | None
    entries: list[LogRow]


@dataclass(frozen=True, slots=True)
class PresenceRow:
    """Whether somebody has a socket at a table through a server, and since when that is so."""

    table: str
    person: str
    server: str
    here: bool
    since: float


@dataclass(frozen=True, slots=True)
class Renewed:
    """What a server is told when it renews its lease."""

    expired: bool
    """Whether it had run out: others may have taken over what this server minds."""
    alive: dict[str, str]
    """All servers whose lease runs, itself among them, and of which kind they are."""


@dataclass(frozen=True, slots=True)
class Joining:
    """A server that is about to serve a database together with others."""

    server: str
    kind: str
    mark: str | None
    """Of the secret that it signs with; None if it signs nothing."""
    seconds: float
    """For which its first lease runs."""


class Store(StudyStore, Protocol):
    """What a database has to do. Writes return after their commit; they raise Busy or Conflict having done nothing."""

    @property
    def shared(self) -> bool:
        """Whether other servers may use it at the same time."""
        ...

    async def save_person(self, person: PersonRow) -> None: ...

    async def person(self, id: str) -> PersonRow | None: ...

    async def save_session(self, session: SessionRow, most: int) -> None:
        """Add a session; of more than `most` those seen longest ago end."""
        ...

    async def note_session(self, session: SessionRow) -> None:
        """Note when a session was seen, and its device; nothing if it has ended."""
        ...

    async def session(self, person: str, id: str) -> tuple[PersonRow, SessionRow] | None:
        """Who somebody is, if that session has not ended."""
        ...

    async def sessions(self, person: str) -> list[SessionRow]:
        """Those of a person, the one seen last first."""
        ...

    async def end_sessions(self, person: str, ids: Collection[str]) -> None:
        """End some of a person's sessions, and with them every device link that was not used yet."""
        ...

    async def save_link(self, hash: str, person: str, expires: float) -> None: ...

    async def link(self, hash: str, now: float) -> str | None:
        """Whose link it is."""
        ...

    async def take_link(self, hash: str, now: float) -> str | None:
        """Whose link it was; it is gone then."""
        ...

    async def save_table(self, table: TableRow, people: Sequence[str]) -> None:
        """Insert (revision 1) or update a table, with the people who have a seat there.

        Conflict if its last revision is not the one before.
        """
        ...

    async def append(self, table: TableRow, entry: LogRow, people: Sequence[str]) -> None:
        """Add a log entry and update its table, both or neither.

        Conflict if the number or the message id is taken, its last revision is not the one before, or it is gone.
        """
        ...

    async def table(self, id: str) -> TableRow | None: ...

    async def table_by_code(self, code: str) -> str | None: ...

    async def opened_by(self, person: str) -> int:
        """How many tables of a person's have not begun."""
        ...

    async def open_tables(self, limit: int, by_owner: int, by_origin: int) -> list[TableRow]:
        """Public tables with a free seat, newest first, without their secrets.

        What an owner has beyond `by_owner`, or one place beyond `by_origin`, comes after everybody else's.
        """
        ...

    async def tables_of(self, person: str, limit: int) -> list[TableRow]:
        """Tables where a person has a seat, those not over first, then the latest, without their secrets."""
        ...

    async def changes(self, table: str, since: int, most: int) -> Changes | None:
        """What is new at a table after entry `since`, the first `most` entries; None if it is gone."""
        ...

    async def revisions(self, tables: Collection[str]) -> dict[str, tuple[int, int]]:
        """The revision of each table, and the number of its last line of chat."""
        ...

    async def waking(self, server: str, until: float) -> list[str]:
        """Tables that a server minds and that want its attention until then."""
        ...

    async def claim(self, server: str, until: float, before: float, most: int) -> list[str]:
        """Take the lease on tables that want attention until then and that nobody minds, or a server that is gone.

        Only what was last changed before a time. Each gets another revision: whoever had the lease is refused.
        """
        ...

    async def renew(self, server: str, kind: str, seconds: float) -> Renewed:
        """Renew a server's lease on all it minds, by the database's own clock."""
        ...

    async def retire(self, server: str) -> None:
        """End a server's lease on all it minds; nobody has a socket there any more."""
        ...

    async def bury(self, now: float) -> None:
        """Forget servers that are gone and mind nothing any more, and who was away for longest."""
        ...

    async def note_presence(self, rows: Sequence[PresenceRow]) -> None: ...

    async def presence(self, tables: Collection[str], but: str) -> list[PresenceRow]:
        """Who is or was at tables through other servers than `but`; nobody is through one that is gone."""
        ...

    async def moved(self, since: float) -> set[str]:
        """Tables where somebody came or went after a time."""
        ...

    async def people_revisions(self, people: Collection[str]) -> dict[str, int]: ...

    async def sweep(self, before: float, live: Collection[str]) -> int:
        """Delete tables never started, last changed before a time and not live, and links that are over."""
        ...

    async def entries(self, table: str, since: int, limit: int) -> list[LogRow]: ...

    async def last_entry(self, table: str) -> int:
        """The number of a table's last log entry; 0 if there is none."""
        ...

    async def message(self, table: str, person: str, message: str) -> LogRow | ChatRow | None:
        """What came under a message id, in the log or the chat: an id is for one of them."""
        ...

    async def say(self, line: ChatRow) -> None: ...

    async def said(self, table: str, limit: int, since: int = 0) -> list[ChatRow]:
        """The last lines of chat, of those after line `since`."""
        ...

    async def mute(self, person: str, other: str, most: int) -> bool:
        """Do not hear somebody; False, and nothing happened, if there are `most` already."""
        ...

    async def unmute(self, person: str, other: str) -> None: ...

    async def muted(self, person: str) -> set[str]: ...

    async def beat(self, now: float) -> None:
        """Write as much as an action does and read it back: Busy if the database can't."""
        ...

    @property
    def trouble(self) -> Trouble | None:
        """What kept it from storing the last time; None if nothing did."""
        ...

    async def close(self) -> None: ...
