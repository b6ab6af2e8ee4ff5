"""Where tables are kept: a short protocol, and one file for each kind of database."""

from branchline.server.store.base import Busy, ChatRow, Conflict, LogRow, PersonRow, Store, TableRow
from branchline.server.store.sqlite import SqliteStore

__all__ = ["Busy", "ChatRow", "Conflict", "LogRow", "PersonRow", "SqliteStore", "Store", "TableRow", "open_store"]


def open_store(url: str) -> Store:
    """The store for a database URL, migrated to this version's tables."""
    if url.startswith("sqlite:///"):
        return SqliteStore(url)
    raise ValueError(f"database: only sqlite:/// URLs are understood, not {url.partition(':')[0]}")
