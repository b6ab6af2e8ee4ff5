"""The embedded store: one SQLite file of one server, written by one connection, read by a few."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, func
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.exc import DBAPIError

from branchline.server.store.base import Busy, Trouble
from branchline.server.store.holder import Holder
from branchline.server.store.migrations import migrate
from branchline.server.store.people import PeopleStatements
from branchline.server.store.servers import ServerStatements
from branchline.server.store.study import StudyStatements
from branchline.server.store.tables import TableStatements
from branchline.server.store.trouble import Complaints, translated
from branchline.server.store.writer import Writer

T = TypeVar("T")
Check = Literal["quick", "full", "none"]

_log = logging.getLogger("branchline.store")

BUSY_MS = 2_000
"""How long SQLite waits for a lock before it gives up."""
READERS = 2
FIXED = ((3, 44, 6), (3, 50, 7), (3, 51, 3))
"""Where SQLite's WAL-reset bug (sqlite.org/wal.html#walresetbug) is cured: in these and what follows each of the first
two in its own series, and in everything from the last on."""


class SqliteStore(TableStatements, PeopleStatements, ServerStatements, StudyStatements):
    """A store in one file. FULL sync: an acknowledged action is on the disk, also after a power cut."""

    shared = False
    upsert = staticmethod(upsert)
    clock = (func.julianday("now") - 2_440_587.5) * 86_400.0

    def __init__(self, url: str, check: Check = "quick") -> None:
        """Open the file, made if need be, and bring its tables up to date.

        ValueError, in words for the host, if another server has it, it is damaged, or it can't be written to.
        """
        path = Path(url.removeprefix("sqlite:///"))
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Created here so that nobody else on the machine can read it: it holds the decks of running games.
            path.touch(mode=0o600)
            self._holder = Holder(path)
        except OSError as error:
            raise ValueError(f"database: {path}: {error.strerror or error}") from None
        self._complaints = Complaints()
        self._engine = _engine(url, writing=True)
        try:
            _prepare(self._engine, path, check)
        except BaseException:
            self._engine.dispose()
            self._holder.let_go()
            raise
        if has_wal_reset_bug(sqlite3.sqlite_version_info):
            _log.warning(
                "SQLite %s can damage a file that two connections write to at once (the WAL-reset bug). This server "
                "writes through one and holds the file alone: let no other program write to %s while it runs",
                sqlite3.sqlite_version,
                path,
            )
        self._writer = Writer(self._engine, self._complaints)
        self._reading = _engine(url, writing=False)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")

    @property
    def trouble(self) -> Trouble | None:
        return self._complaints.trouble

    async def write(self, job: Callable[[Connection], T]) -> T:
        self._refuse_if_damaged()
        return await self._writer.write(job)

    async def read(self, query: Callable[[Connection], T]) -> T:
        self._refuse_if_damaged()

        def run() -> T:
            try:
                with self._reading.connect() as connection:
                    return query(connection)
            except DBAPIError as error:
                found = translated(error)
                if isinstance(found, Busy):
                    self._complaints.failed(found)
                raise found from None

        return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(None, self._writer.stop)
        self._readers.shutdown()
        self._reading.dispose()
        self._engine.dispose()
        self._holder.let_go()

    def _refuse_if_damaged(self) -> None:
        if self.trouble == "corrupt":
            raise Busy("the database is damaged", "corrupt")


def has_wal_reset_bug(version: tuple[int, ...]) -> bool:
    """Whether a version of SQLite has the bug."""
    return version < FIXED[-1] and not any(fixed <= version < (*fixed[:2], 1_000) for fixed in FIXED[:-1])


def backup(url: str, target: Path) -> None:
    """Copy a database, also one in use, into a new file."""
    source = Path(url.removeprefix("sqlite:///"))
    if not source.exists():
        raise FileNotFoundError(f"{source}: there is no database")
    if target.exists():
        raise FileExistsError(f"{target}: is there already")
    target.touch(mode=0o600)
    live, copy = sqlite3.connect(f"file:{source}?mode=ro", uri=True), sqlite3.connect(target)
    try:
        live.backup(copy)
    finally:
        live.close()
        copy.close()


def _prepare(engine: Engine, path: Path, check: Check) -> None:
    try:
        with engine.connect() as connection, connection.begin():
            if check != "none":
                pragma = "integrity_check" if check == "full" else "quick_check"
                found = connection.exec_driver_sql(f"PRAGMA {pragma}(1)").scalar_one()
                if found != "ok":
                    raise ValueError(_damaged(path, str(found)))
            migrate(connection)
    except DBAPIError as error:
        found = translated(error)
        if isinstance(found, Busy) and found.trouble == "corrupt":
            raise ValueError(_damaged(path, str(found))) from None
        raise ValueError(f"database: {path}: {found}") from None


def _damaged(path: Path, found: str) -> str:
    return (
        f"database: {path} is damaged and is not served ({' '.join(found.split())[:200]}). "
        "Bring back a backup, or move the file away to begin anew"
    )


def _engine(url: str, writing: bool) -> Engine:
    """One connection that writes and moves the WAL into the file, or a few that can do neither."""
    size = 1 if writing else READERS
    engine = create_engine(url, pool_size=size, max_overflow=0, connect_args={"check_same_thread": False})
    pragmas = ["journal_mode=WAL", "synchronous=FULL", f"busy_timeout={BUSY_MS}", "foreign_keys=ON"]
    if not writing:
        pragmas += ["wal_autocheckpoint=0", "query_only=ON"]

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:
        # The driver begins transactions by itself, and too late; ours begin where we say.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine
