"""The store: nothing is announced that was not stored, whatever the disk does."""

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from branchline.server.store import Conflict, LogRow, SqliteStore, TableRow
from tests.server.test_sockets import Table, table


def test_a_full_disk_refuses_and_a_later_try_succeeds(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path) as made:
            await _refused_then_done(made, lambda: _limit(made, full=True), lambda: _limit(made, full=False))

    asyncio.run(run())


def test_a_locked_database_refuses_and_a_later_try_succeeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("branchline.server.store.sqlite.BUSY_MS", 100)

    async def run() -> None:
        async with table(tmp_path) as made:
            other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
            await _refused_then_done(made, lambda: other.execute("BEGIN IMMEDIATE"), lambda: other.execute("ROLLBACK"))
            other.close()

    asyncio.run(run())


async def _refused_then_done(made: Table, trouble: Any, relief: Any) -> None:
    seat = made.turn
    mine, theirs = made.sockets[seat], made.sockets[1 - seat]
    assert mine.view is not None
    n, ask = mine.view["n"], mine.view["ask"]
    trouble()
    act = {"is": "draw", "slot": None}
    refused = await mine.ask("act", seat=seat, act=act, ask=ask, id="again")
    assert refused["problem"]["code"] == "busy"
    assert (await made.server.house.lobby.find(made.id)).version == n
    with pytest.raises(TimeoutError):
        await theirs.until_view(timeout=0.3)
    relief()
    assert (await mine.ask("act", seat=seat, act=act, ask=ask, id="again")) == {"is": "done", "id": "again", "n": n + 1}
    assert (await theirs.until_view())["n"] == n + 1


def _limit(made: Table, full: bool) -> None:
    """Allow the file no further page, and make every log row want some."""
    store = made.server.house.store
    assert isinstance(store, SqliteStore)
    raw = store._engine.raw_connection()
    cursor = raw.cursor()
    if full:
        cursor.execute("CREATE TABLE filler (x)")
        cursor.execute("CREATE TRIGGER fill AFTER INSERT ON log BEGIN INSERT INTO filler VALUES (zeroblob(90000)); END")
    cursor.execute("PRAGMA page_count")
    ((pages,),) = cursor.fetchall()
    cursor.execute(f"PRAGMA max_page_count = {pages if full else 1_000_000}")
    cursor.close()
    raw.close()


def test_one_bad_write_does_not_spoil_its_neighbours(tmp_path: Path) -> None:
    async def run() -> None:
        store = SqliteStore(f"sqlite:///{tmp_path / 't.db'}")
        row = TableRow("t", "CODE", "playing", False, 1, None, 1.0, 1.0, "{}", "00")
        await store.save_table(row, ["ada"])

        def entry(n: int, message: str) -> LogRow:
            return LogRow("t", n, "act", 0, "person", "ada", message, "{}", "[]", 1.0)

        results = await asyncio.gather(
            *(store.append(row, entry(n, f"m{n}"), []) for n in (1, 2, 2, 3)),
            store.append(row, entry(9, "m1"), []),
            return_exceptions=True,
        )
        assert [isinstance(result, Conflict) for result in results].count(True) == 2
        assert [found.n for found in await store.entries("t", 0, 10)] == [1, 2, 3]
        assert await store.entry_of("t", "ada", "m3") == 3
        await store.close()

    asyncio.run(run())


def test_a_backup_of_a_live_database(tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path) as made:
            copy = tmp_path / "copy.db"
            command = [sys.executable, "-m", "branchline.cli", "backup", str(copy), "--data", str(tmp_path)]
            done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            assert copy.stat().st_mode & 0o777 == 0o600
            with sqlite3.connect(copy) as database:
                assert database.execute("select count(*) from log").fetchone() == (3,)
            database.close()
            again = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
            assert again.returncode == 2
            assert (await made.sockets[made.turn].act({"is": "draw", "slot": None}))["is"] == "done"

    asyncio.run(run())
