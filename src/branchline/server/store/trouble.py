"""What is wrong with the database: named, and logged once a minute, so that a full disk does not fill the log too."""

import logging
import sqlite3
import threading
import time
from collections.abc import Callable

from sqlalchemy.exc import DBAPIError, IntegrityError

from branchline.server.store.base import Busy, Conflict, Trouble

_log = logging.getLogger("branchline.store")

AGAIN = 60.0
"""Seconds after which the same trouble is logged again."""
_KINDS: dict[int, Trouble] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_CORRUPT: "corrupt",
    sqlite3.SQLITE_NOTADB: "corrupt",
    sqlite3.SQLITE_IOERR: "unreachable",
    sqlite3.SQLITE_CANTOPEN: "unreachable",
    sqlite3.SQLITE_PERM: "unreachable",
}
_WORDS: dict[Trouble, str] = {
    "full": "the disk is full: make room, and it goes on by itself",
    "locked": "another program holds the database: end it, and it goes on by itself",
    "read-only": "the database or its folder can't be written to: look at its owner, its mode and its disk",
    "corrupt": "the database is damaged and is not served any more: stop the server and bring back a backup",
    "unreachable": "the database can't be reached: look at its server and the way there, or at its file and its disk",
    "failed": "the database refused a statement",
}


def translated(error: Exception) -> Exception:
    """What a database's library raised, in words of ours."""
    if isinstance(error, IntegrityError):
        return Conflict(str(error.orig))
    if isinstance(error, DBAPIError):
        code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF  # the rest says more about it
        return Busy(str(error.orig), _KINDS.get(code, "failed"))
    return error


class Complaints:
    """Remembers what is wrong, and says so once a minute for each kind. Threads share it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` decides when a minute has passed."""
        self.trouble: Trouble | None = None
        self._clock = clock
        self._said: dict[Trouble, float] = {}
        self._lock = threading.Lock()

    def failed(self, error: Busy) -> None:
        """Something could not be stored or read."""
        with self._lock:
            if self.trouble != "corrupt":  # that one does not pass
                self.trouble = error.trouble
            now = self._clock()
            if now - self._said.get(error.trouble, float("-inf")) < AGAIN:
                return
            self._said[error.trouble] = now
        _log.error("the server cannot store just now: %s (%s)", _WORDS[error.trouble], error)

    def worked(self) -> None:
        """Something was stored."""
        if self.trouble is None or self.trouble == "corrupt":
            return
        with self._lock:
            was, self.trouble = self.trouble, None
            self._said.clear()
        _log.warning("the server can store again; it could not for a while (%s)", was)
