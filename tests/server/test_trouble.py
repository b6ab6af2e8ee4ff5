"""A database that is full, locked, read-only or damaged: the log, the host and the people are told, each once."""

import asyncio
import contextlib
import logging
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from branchline.server import pulse
from branchline.server.messages import Close
from branchline.server.store import Busy, PersonRow, SqliteStore
from branchline.server.store.sqlite import has_wal_reset_bug
from branchline.server.store.trouble import Complaints
from tests.server.client import Person
from tests.server.house import running
from tests.server.test_sockets import Table, closed, table
from tests.server.test_tables import refused


@contextlib.contextmanager
def told() -> Iterator[list[str]]:
    """What the store logs as errors."""
    lines: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    logger, listener = logging.getLogger("branchline.store"), Listener(logging.ERROR)
    logger.addHandler(listener)
    try:
        yield lines
    finally:
        logger.removeHandler(listener)


def pragma(made: Table, text: str) -> None:
    """Say something to the one connection that writes."""
    store = made.server.house.store
    assert isinstance(store, SqliteStore)
    raw = store._engine.raw_connection()
    cursor = raw.cursor()
    cursor.execute(text)
    cursor.fetchall()
    cursor.close()
    raw.close()


class Full:
    """No page more, and every log row wants some."""

    name = "full"

    def __init__(self, made: Table, folder: Path) -> None:
        self._made = made
        pragma(made, "CREATE TABLE filler (x)")
        for on in ("INSERT ON log", "UPDATE ON pulse"):
            grow = "INSERT INTO filler VALUES (zeroblob(90000))"
            pragma(made, f"CREATE TRIGGER fill_{on[-3:]} AFTER {on} BEGIN {grow}; END")
        pragma(made, "PRAGMA max_page_count = 1")  # as small as it is already

    def end(self) -> None:
        pragma(self._made, "PRAGMA max_page_count = 1000000")


class Locked:
    """Another program holds it."""

    name = "locked"

    def __init__(self, made: Table, folder: Path) -> None:
        self._other = sqlite3.connect(folder / "tables.db", isolation_level=None)
        self._other.execute("BEGIN IMMEDIATE")

    def end(self) -> None:
        self._other.execute("ROLLBACK")
        self._other.close()


class ReadOnly:
    """It may be read, and no more."""

    name = "read-only"

    def __init__(self, made: Table, folder: Path) -> None:
        self._made = made
        pragma(made, "PRAGMA query_only = ON")

    def end(self) -> None:
        pragma(self._made, "PRAGMA query_only = OFF")


@pytest.mark.parametrize("trouble", [Full, Locked, ReadOnly])
def test_trouble_is_told_to_everybody_whom_it_concerns_and_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[Table, Path], Any]
) -> None:
    monkeypatch.setattr("branchline.server.store.sqlite.BUSY_MS", 50)
    monkeypatch.setattr(pulse, "FRESH", 0.0)

    async def run() -> None:
        async with table(tmp_path) as made:
            seat = made.turn
            socket, person = made.sockets[seat], made.people[seat]
            assert (await person.http.get("/readyz")).json() == {"ok": True, "store": "ok", "bus": "ok"}
            happened = trouble(made, tmp_path)
            with told() as lines:
                for _ in range(5):
                    no = await socket.act({"is": "draw", "slot": None})
                    assert no["problem"]["code"] == "cannot-store"
                    assert "cannot store just now" in no["problem"]["text"]
                answer = await person.http.get("/readyz")
                assert (answer.status_code, answer.json()) == (
                    503,
                    {"ok": False, "store": happened.name, "bus": "ok"},
                )
                assert (await person.http.get("/healthz")).json()["ok"]  # it lives all the same
                assert len(lines) == 1, lines
                assert lines[0].startswith("the server cannot store just now")
            happened.end()
            assert (await person.http.get("/readyz")).json() == {"ok": True, "store": "ok", "bus": "ok"}
            assert (await socket.act({"is": "draw", "slot": None}))["is"] == "done"

    asyncio.run(run())


def test_many_who_wait_for_a_locked_database_wait_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other, a hundred writes would wait a hundred times as long."""
    monkeypatch.setattr("branchline.server.store.sqlite.BUSY_MS", 200)

    async def run() -> None:
        store = SqliteStore(f"sqlite:///{tmp_path / 'tables.db'}")
        other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        tried = 0
        real = store._writer._transaction

        def count(jobs: Any) -> Any:
            nonlocal tried
            tried += 1
            return real(jobs)

        monkeypatch.setattr(store._writer, "_transaction", count)
        writes = (store.save_person(PersonRow(f"p{n}", "P", "en", 1.0)) for n in range(100))
        answers = await asyncio.gather(*writes, return_exceptions=True)
        assert all(isinstance(answer, Busy) and answer.trouble == "locked" for answer in answers)
        assert tried <= 3
        other.close()
        await store.close()

    asyncio.run(run())


def test_each_kind_of_trouble_is_logged_once_a_minute() -> None:
    time = 0.0
    complaints = Complaints(lambda: time)
    with told() as lines:
        for _ in range(600):
            complaints.failed(Busy("no room", "full"))
            complaints.failed(Busy("held", "locked"))
            time += 0.5
        assert len(lines) == 10
        assert sum("disk is full" in line for line in lines) == 5
        complaints.worked()
        complaints.failed(Busy("no room", "full"))
        assert len(lines) == 11  # after it was well again it is news


def _damage(path: Path) -> None:
    """Overwrite everything but the first page, as a bad disk might."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))


def test_a_damaged_database_is_not_served(tmp_path: Path) -> None:
    async def fill() -> None:
        async with table(tmp_path):
            pass

    asyncio.run(fill())
    _damage(tmp_path / "tables.db")
    before = (tmp_path / "tables.db").read_bytes()
    command = [sys.executable, "-m", "branchline.cli", "serve", "--data", str(tmp_path), "--port", "0"]
    started = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert started.returncode == 2
    assert "is damaged and is not served" in started.stderr
    assert "backup" in started.stderr
    assert "Traceback" not in started.stderr
    assert (tmp_path / "tables.db").read_bytes() == before
    (tmp_path / "tables.db").write_text("this is no database at all" * 1_000)
    started = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert started.returncode == 2
    assert "is damaged and is not served" in started.stderr


def test_an_index_that_disagrees_is_found_by_the_full_check(tmp_path: Path) -> None:
    path, url = tmp_path / "t.db", f"sqlite:///{tmp_path / 't.db'}"

    async def fill() -> None:
        store = SqliteStore(url)
        for n in range(50):
            await store.mute("ada", f"eve-{n}", 100)
        await store.close()

    asyncio.run(fill())
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        # The index of the mutes' primary key loses its rows, which only a full check notices.
        (root,) = database.execute("select rootpage from sqlite_master where name like '%autoindex_mutes%'").fetchone()
        (size,) = database.execute("pragma page_size").fetchone()
        database.execute("pragma wal_checkpoint(truncate)")
        database.execute("pragma journal_mode=delete")
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(bytes([10, 0, 0, 0, 0]) + size.to_bytes(2, "big") + bytes(size - 7))
    asyncio.run(SqliteStore(url, "quick").close())
    with pytest.raises(ValueError, match="damaged"):
        SqliteStore(url, "full")
    asyncio.run(SqliteStore(url, "none").close())


def test_damage_that_shows_while_it_runs_ends_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "FRESH", 0.0)

    async def run() -> None:
        async with table(tmp_path) as made:
            store = made.server.house.store
            assert isinstance(store, SqliteStore)
            pragma(made, "PRAGMA wal_checkpoint(TRUNCATE)")
            store._reading.dispose()
            store._engine.dispose()  # what they had read before is forgotten
            _damage(tmp_path / "tables.db")
            with told() as lines:
                no = await made.sockets[made.turn].act({"is": "draw", "slot": None})
                assert no["problem"]["code"] == "cannot-store"
                async with made.people[0].socket(made.id, 0) as socket:
                    assert await closed(socket) == Close.CANNOT_STORE
                await refused(made.people[0].get("/api/me/tables"), "cannot-store")
                answer = await made.people[0].http.get("/readyz")
                assert (answer.status_code, answer.json()["store"]) == (503, "corrupt")
                assert len(lines) == 1, lines
                assert "damaged" in lines[0]

    asyncio.run(run())


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid"), reason="needs POSIX")
def test_a_folder_that_is_a_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    command = [sys.executable, "-m", "branchline.cli", "serve", "--port", "0", "--secret", "s" * 40]
    command += ["--database", f"sqlite:///{tmp_path / 'data' / 'tables.db'}"]
    started = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert started.returncode == 2
    assert "database:" in started.stderr
    assert "Traceback" not in started.stderr


@pytest.mark.parametrize(
    ("version", "has"),
    [
        ("3.40.1", True),
        ("3.44.5", True),
        ("3.44.6", False),
        ("3.45.0", True),
        ("3.50.6", True),
        ("3.50.7", False),
        ("3.51.2", True),
        ("3.51.3", False),
        ("3.53.0", False),
        ("4.0.0", False),
    ],
)
def test_which_sqlite_has_the_wal_reset_bug(version: str, has: bool) -> None:
    assert has_wal_reset_bug(tuple(int(part) for part in version.split("."))) is has


def test_one_connection_writes_and_no_other_can(tmp_path: Path) -> None:
    """What keeps the WAL-reset bug away: it takes two connections that write or move the WAL into the file."""

    async def run() -> None:
        async with running(tmp_path) as server:
            ada = await Person(server.url, "Ada").arrive()
            store = server.house.store
            assert isinstance(store, SqliteStore)
            pool: Any = store._engine.pool
            assert (pool.size(), pool._max_overflow) == (1, 0)

            def tries(connection: Any) -> str:
                found: list[Any] = [connection.exec_driver_sql("PRAGMA wal_autocheckpoint").scalar_one()]
                with pytest.raises(Exception, match="readonly"):
                    connection.exec_driver_sql("DELETE FROM people")
                return str(found)

            assert await store.read(tries) == "[0]"
            assert await store.person(ada.id) is not None

    asyncio.run(run())


def test_a_server_on_an_old_sqlite_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    logger = logging.getLogger("branchline.store")
    monkeypatch.setattr(logger, "warning", lambda text, *values: lines.append(text % values))
    monkeypatch.setattr("branchline.server.store.sqlite.sqlite3.sqlite_version_info", (3, 40, 1))
    asyncio.run(SqliteStore(f"sqlite:///{tmp_path / 't.db'}").close())
    assert "WAL-reset" in lines[0]
    monkeypatch.setattr("branchline.server.store.sqlite.sqlite3.sqlite_version_info", (3, 51, 3))
    asyncio.run(SqliteStore(f"sqlite:///{tmp_path / 't.db'}").close())
    assert len(lines) == 1
