"""The store: nothing is announced that was not stored, whatever the disk does."""

import asyncio
import contextlib
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from branchline.server.store import Conflict, LogRow, PersonRow, SqliteStore, TableRow, migrations, schema
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
    assert refused["problem"]["code"] == "cannot-store"
    assert (await made.server.house.lobby.find(made.id)).version == n
    theirs.frames.clear()
    history = await theirs.ask("history", since=0)
    assert history["entries"][-1]["n"] == n
    assert not any('"is":"view"' in frame for frame in theirs.frames)
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
            *(store.append(replace(row, revision=n + 1), entry(n, f"m{n}"), []) for n in (1, 2, 2, 3)),
            store.append(replace(row, revision=5), entry(9, "m1"), []),
            store.append(replace(row, revision=4), entry(9, "m9"), []),
            return_exceptions=True,
        )
        assert [isinstance(result, Conflict) for result in results] == [False, False, True, False, True, True]
        assert [found.n for found in await store.entries("t", 0, 10)] == [1, 2, 3]
        assert await store.message("t", "ada", "m3") == entry(3, "m3")
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


LATER = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "9999", "{last}", None, None


def upgrade():
    op.add_column("people", sa.Column("hat", sa.String(10), nullable=False, server_default="bowler"))
"""


def test_an_older_database_is_migrated_and_a_newer_one_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def write(store: SqliteStore) -> None:
        await store.save_person(PersonRow("ada", "Ada", "en", 1.0))
        await store.close()

    url = f"sqlite:///{tmp_path / 't.db'}"
    asyncio.run(write(SqliteStore(url)))
    later = tmp_path / "migrations"
    shutil.copytree(migrations.FOLDER, later)
    last = max(path.name[1:5] for path in later.glob("versions/v*.py"))
    (later / "versions/v9999_hats.py").write_text(LATER.replace("{last}", last))
    with monkeypatch.context() as newer:
        newer.setattr(migrations, "FOLDER", later)
        asyncio.run(SqliteStore(url).close())
    with contextlib.closing(sqlite3.connect(tmp_path / "t.db")) as database:
        assert database.execute("select name, hat from people").fetchall() == [("Ada", "bowler")]
    with pytest.raises(ValueError, match="newer"):
        SqliteStore(url)


def test_the_migrations_make_what_the_schema_says(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 't.db'}"
    asyncio.run(SqliteStore(url).close())
    engine = create_engine(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
    engine.dispose()
