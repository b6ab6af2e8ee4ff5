"""Where tables are kept: a short protocol, and one file for each kind of database."""

from branchline.server.store.base import (
    Busy,
    Changes,
    ChatRow,
    Conflict,
    Joining,
    LogRow,
    PersonRow,
    PresenceRow,
    Renewed,
    SessionRow,
    Store,
    TableRow,
    Trouble,
)
from branchline.server.store.sqlite import Check, SqliteStore
from branchline.server.store.study_base import ChallengeRow, EntrantRow, Outcome, ReviewingRow, ReviewRow

__all__ = [
    "Busy",
    "ChallengeRow",
    "Changes",
    "ChatRow",
    "Check",
    "Conflict",
    "EntrantRow",
    "Joining",
    "LogRow",
    "Outcome",
    "PersonRow",
    "PresenceRow",
    "Renewed",
    "ReviewRow",
    "ReviewingRow",
    "SessionRow",
    "SqliteStore",
    "Store",
    "TableRow",
    "Trouble",
    "open_store",
]


def open_store(url: str, check: Check = "quick", joining: Joining | None = None) -> Store:
    """The store for a database URL, checked and migrated to this version's tables.

    ValueError, in words for the host, if that can't be, or if `joining` signs with another secret than its servers do.
    """
    if url.startswith("sqlite:///"):
        return SqliteStore(url, check)
    if url.startswith(("postgresql://", "postgres://")):
        from branchline.server.store.postgres import PostgresStore  # late: its driver is for whoever has one

        return PostgresStore(url, joining=joining)
    raise ValueError(f"database: only sqlite:/// and postgresql:// URLs are understood, not {url.partition(':')[0]}")
