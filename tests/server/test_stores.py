"""Both stores do the same: one suite over SQLite and PostgreSQL."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, select

from branchline.server.settings import Settings
from branchline.server.standing import Asked
from branchline.server.store import (
    Busy,
    ChatRow,
    Conflict,
    LogRow,
    PersonRow,
    PresenceRow,
    ReviewRow,
    SessionRow,
    SqliteStore,
    Store,
    TableRow,
    open_store,
    schema,
)
from branchline.server.thinking import thinker
from scripts.services import Postgres
from tests.server.client import Person, Server
from tests.server.house import running
from tests.server.several import sharing_sqlite
from tests.server.test_tables import OPEN, crowd
from tests.services import private, sql

Case = Callable[[Any], Coroutine[Any, Any, None]]
ROW = TableRow("t", "CODE", "playing", False, 0, None, 1.0, 1.0, "{}", "00" * 32, owner="ada")


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if request.param == "postgres":
        yield request.getfixturevalue("database")
    else:
        sharing_sqlite(monkeypatch)
        yield f"sqlite:///{tmp_path / 't.db'}"


def on(url: str, case: Case) -> None:
    async def run() -> None:
        store = open_store(url)
        try:
            await case(store)
        finally:
            await store.close()

    asyncio.run(run())


def entry(n: int, message: str) -> LogRow:
    return LogRow("t", n, "act", 0, "person", "ada", message, "{}", "[]", 1.0)


def at(n: int, **more: Any) -> TableRow:
    """The table after entry n."""
    return replace(ROW, version=n, revision=n + 1, **more)


def test_of_many_that_follow_the_same_revision_one_wins(url: str) -> None:
    async def case(store: Store) -> None:
        await store.save_table(ROW, ["ada"])
        await store.append(at(1), entry(1, "m1"), ["ada"])
        for n in range(2, 12):
            tries = [store.append(at(n), entry(n, f"m{n}-{k}"), ["ada"]) for k in range(5)]
            tries.append(store.save_table(replace(at(n), version=n - 1), ["ada"]))
            results = await asyncio.gather(*tries, return_exceptions=True)
            kinds = [type(result) for result in results]
            assert sorted(kind.__name__ for kind in kinds) == ["Conflict"] * 5 + ["NoneType"]
            if kinds[-1] is type(None):  # the save won: the entry comes after it
                await store.append(replace(at(n), revision=n + 2), entry(n, f"late{n}"), ["ada"])
                break
        log = await store.entries("t", 0, 100)
        assert [row.n for row in log] == list(range(1, len(log) + 1))

    on(url, case)


def test_a_message_id_is_used_once(url: str) -> None:
    async def case(store: Store) -> None:
        await store.save_table(ROW, ["ada"])
        await store.append(at(1), entry(1, "m1"), ["ada"])
        await store.append(at(2), entry(2, "m2"), ["ada"])
        with pytest.raises(Conflict):
            await store.append(at(3), entry(3, "m2"), ["ada"])
        assert await store.message("t", "ada", "m2") == entry(2, "m2")
        assert await store.last_entry("t") == 2
        await store.say(ChatRow("t", 1, "ada", "Ada", "c1", "hello", 1.0))
        for line in (ChatRow("t", 1, "bea", "Bea", "c1", "no", 1.0), ChatRow("t", 2, "ada", "Ada", "c1", "no", 1.0)):
            with pytest.raises(Conflict):
                await store.say(line)
        assert await store.message("t", "ada", "c1") == ChatRow("t", 1, "ada", "Ada", "c1", "hello", 1.0)
        # An id is for an action or for a line of chat; another person's is another.
        with pytest.raises(Conflict):
            await store.append(at(3), entry(3, "c1"), ["ada"])
        with pytest.raises(Conflict):
            await store.say(ChatRow("t", 2, "ada", "Ada", "m2", "no", 1.0))
        assert await store.last_entry("t") == 2
        assert [line.text for line in await store.said("t", 5)] == ["hello"]
        assert await store.said("t", 5, since=1) == []

    on(url, case)


def test_reviews_of_records_that_were_sent_are_swept(url: str) -> None:
    async def case(store: Store) -> None:
        await store.save_table(ROW, ["ada"])
        for game in (ROW.id, "sent"):
            await store.save_review(ReviewRow(game, 2, 1.0, "[]", "{}"))
        await store.sweep(2.0, set())
        assert await store.review("sent", 2) == "{}"  # younger than a week
        await store.sweep(30 * 86_400.0, set())
        assert await store.review("sent", 2) is None
        assert await store.review(ROW.id, 2) == "{}"

    on(url, case)


def test_what_is_new_at_a_table(url: str) -> None:
    async def case(store: Store) -> None:
        await store.save_table(ROW, ["ada"])
        for n in range(1, 6):
            await store.append(at(n, head=f'{{"n":{n}}}', digest=f"d{n}", minder="a"), entry(n, f"m{n}"), ["ada"])
        changes = await store.changes("t", 3, 20)
        assert changes is not None
        assert (changes.version, changes.revision, changes.head) == (5, 6, '{"n":5}')
        assert (changes.digest, changes.minder) == ("d5", "a")
        assert changes.entries == [entry(4, "m4"), entry(5, "m5")]
        later = await store.changes("t", 5, 20)
        assert later is not None
        assert later.entries == []
        assert await store.changes("nowhere", 0, 20) is None
        await store.say(ChatRow("t", 1, "ada", "Ada", "c1", "hello", 1.0))
        assert await store.revisions(["t", "nowhere"]) == {"t": (6, 1)}

    on(url, case)


def test_a_lease_is_renewed_runs_out_and_is_taken_over_once(url: str) -> None:
    async def case(store: Store) -> None:
        for id in ("t", "u", "v"):
            row = replace(ROW, id=id, code=id, wake=0.0, minder={"t": "one", "u": None, "v": "two"}[id])
            await store.save_table(row, [])
        assert (await store.renew("one", "serve", 60.0)).alive == {"one": "serve"}
        assert (await store.renew("two", "bots", 60.0)).alive == {"one": "serve", "two": "bots"}
        assert await store.claim("two", 10.0, 0.5, 9) == []  # changed too lately
        assert await store.claim("two", 10.0, 10.0, 9) == ["u"]
        assert await store.waking("two", 10.0) in (["u", "v"], ["v", "u"])
        assert (await store.renew("one", "serve", -1.0)).alive == {"two": "bots"}
        claimed = await asyncio.gather(*(store.claim("two", 10.0, 10.0, 9) for _ in range(3)))
        assert sorted(claimed) == [[], [], ["t"]]
        # Whoever had the lease follows a revision that is not the last one.
        with pytest.raises(Conflict):
            await store.append(replace(at(1), id="t", code="t"), entry(1, "m1"), [])
        assert (await store.renew("one", "serve", 60.0)).expired
        assert not (await store.renew("one", "serve", 60.0)).expired
        await store.retire("two")
        assert sorted(await store.claim("one", 10.0, 10.0, 9)) == ["t", "u", "v"]
        # What was being written while its server retired names somebody who is not there any more.
        await store.save_table(replace(ROW, id="w", code="w", wake=0.0, minder="two"), [])
        assert await store.claim("one", 10.0, 10.0, 9) == ["w"]

    on(url, case)


def test_nobody_is_present_through_a_server_that_is_gone(url: str) -> None:
    async def case(store: Store) -> None:
        await store.renew("one", "serve", 60.0)
        await store.renew("two", "serve", 60.0)
        rows = [PresenceRow("t", "ada", "one", True, 5.0), PresenceRow("t", "bea", "one", False, 6.0)]
        await store.note_presence(rows)
        assert await store.presence(["t"], "one") == []
        assert sorted(await store.presence(["t"], "two"), key=lambda row: row.person) == rows
        assert await store.moved(5.5) == {"t"}
        assert await store.moved(7.0) == set()
        await store.note_presence([PresenceRow("t", "ada", "one", False, 8.0)])
        assert {row.since for row in await store.presence(["t"], "two")} == {6.0, 8.0}
        await store.note_presence([PresenceRow("t", "ada", "one", True, 9.0)])
        await store.renew("one", "serve", -1.0)
        (ada,) = [row for row in await store.presence(["t"], "two") if row.person == "ada"]
        assert not ada.here
        assert ada.since > 1_000_000_000  # when its server was last heard of
        await store.bury(1.0)
        assert len(await store.presence(["t"], "two")) == 2

    on(url, case)


def test_a_person_has_another_revision_after_every_change(url: str) -> None:
    async def case(store: Store) -> None:
        seen = []
        await store.save_person(PersonRow("ada", "Ada", "en", 1.0))
        await store.save_session(SessionRow("ada", "s", "", 1.0, 1.0), 20)
        for change in (
            store.save_person(PersonRow("ada", "Ada L.", "en", 1.0)),
            store.mute("ada", "bea", 9),
            store.unmute("ada", "bea"),
            store.end_sessions("ada", ["s"]),
        ):
            await change
            seen.append((await store.people_revisions(["ada", "nobody"]))["ada"])
        assert seen == [2, 3, 4, 5]

    on(url, case)


def test_the_migrations_make_what_the_schema_says(database: str) -> None:
    async def case(store: Any) -> None:
        def differences(connection: Connection) -> list[Any]:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            return list(compare_metadata(context, schema.metadata))

        assert await store.read(differences) == []

    on(database, case)


def test_servers_that_start_together_migrate_once(database: str) -> None:
    found: list[BaseException | None] = []

    def start() -> None:
        try:
            asyncio.run(open_store(database).close())
            found.append(None)
        except BaseException as error:
            found.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [None] * 4


def test_a_database_that_restarts_is_waited_for() -> None:
    with private(Postgres) as postgres:

        async def case(store: Any) -> None:
            await store.save_table(ROW, ["ada"])
            await store.append(at(1), entry(1, "m1"), ["ada"])
            await asyncio.to_thread(postgres.restart)
            await store.append(at(2), entry(2, "m2"), ["ada"])
            changes = await store.changes("t", 0, 9)
            assert changes is not None
            assert [row.n for row in changes.entries] == [1, 2]
            assert (await store.revisions(["t"]))["t"] == (3, 0)
            await asyncio.to_thread(postgres.stop)
            with pytest.raises(Busy) as busy:
                await store.append(at(3), entry(3, "m3"), ["ada"])
            assert (busy.value.trouble, busy.value.unsure) == ("unreachable", True)
            assert store.trouble == "unreachable"
            await asyncio.to_thread(postgres.start)
            await store.append(at(3), entry(3, "m3"), ["ada"])
            assert store.trouble is None

        on(postgres.url, case)


def test_what_is_wrong_with_a_url_is_said_without_its_password(database: str) -> None:
    wrong = database.rpartition("/")[0] + "/nowhere"
    with pytest.raises(ValueError, match="nowhere") as error:
        open_store(wrong)
    password = wrong.partition("://")[2].partition(":")[2].partition("@")[0]
    assert password
    assert password not in str(error.value)
    shown = repr(Settings.read({"database": database, "bus": "redis://:word@x"}, {}))
    assert password not in shown
    assert ":word@" not in shown


def moved_to(database: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "branchline.cli", "move", str(folder / "tables.db"), database]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_move_carries_a_database_over_row_by_row(tmp_path: Path, database: str) -> None:
    async def fill() -> tuple[str, str]:
        async with running(tmp_path) as server:
            ada, bea = await crowd(server, "Ada", "Bea")
            table = (await ada.post("/api/tables", map="europe", seats=[OPEN, OPEN]))["id"]
            for seat, person in enumerate((ada, bea)):
                await person.sit(table, seat)
            await ada.post(f"/api/tables/{table}/start")
            live = await server.house.lobby.find(table)
            for n in range(30):
                assert live.game is not None
                seat = live.game.to_act[0]
                ask = live.head.asked[seat]
                assert ask is not None
                action = Random(n).choice(live.game.legal_actions(seat))
                await live.submit(seat, action, ask, Asked("person", (ada, bea)[seat].id, f"m{n}"))
            await live.say(ada.id, "鐵道 🚂", "c1")
            held = moved_to(database, tmp_path)
            assert held.returncode == 2
            assert "in use by process" in held.stderr
            return table, live.stored.state or ""

    table, state = asyncio.run(fill())
    moved = moved_to(database, tmp_path)
    assert moved.returncode == 0, moved.stderr
    assert "log                 31" in moved.stdout
    again = moved_to(database, tmp_path)
    assert again.returncode == 2
    assert "has rows already" in again.stderr

    async def look() -> None:
        async with running(tmp_path, database=database) as server:
            live = await server.house.lobby.find(table)
            assert (live.version, live.stored.state) == (31, state)
            assert [line.text for line in await server.house.store.said(table, 5)] == ["鐵道 🚂"]

    asyncio.run(look())


def test_what_did_not_arrive_as_it_was_is_not_kept(tmp_path: Path, database: str) -> None:
    async def fill() -> None:
        store = SqliteStore(f"sqlite:///{tmp_path / 'tables.db'}")
        await store.save_person(PersonRow("ada", "Ada\0", "en", 1.0))  # PostgreSQL's text has no such character
        await store.close()

    asyncio.run(fill())
    asyncio.run(open_store(database).close())
    moved = moved_to(database, tmp_path)
    assert moved.returncode == 2
    assert "Traceback" not in moved.stderr
    assert sql(database, "SELECT count(*) FROM people") == [["0"]]


def test_bots_are_for_a_database_that_servers_share(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="postgresql"):
        thinker(Settings.read({"data": str(tmp_path)}, {}))


def test_backup_says_what_to_use_instead() -> None:
    command = [sys.executable, "-m", "branchline.cli", "backup", "x.db", "--database", "postgresql://a/b"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "pg_dump" in done.stderr


def test_a_process_that_only_thinks_plays_for_a_server(tmp_path: Path, database: str, redis: str) -> None:
    """Two real processes: `serve`, whose bots cannot think, and `bots`."""
    flags = [f"--database={database}", f"--bus={redis}", "--bot-pace=0", "--bot-budget=0.1", f"--data={tmp_path}"]
    thinking = subprocess.Popen(
        [sys.executable, "-m", "branchline.cli", "bots", *flags], stdout=subprocess.PIPE, text=True
    )
    try:
        assert thinking.stdout is not None
        assert "think here" in thinking.stdout.readline()
        with Server(tmp_path, database=database, bus=redis, bot_budget=0.1) as server:

            async def run() -> None:
                ada = await Person(server.url, "Ada").arrive()
                seats = [OPEN, {"who": "bot", "level": "random"}]
                table = (await ada.post("/api/tables", map="new-york", seats=seats))["id"]
                await ada.sit(table, 0)
                await ada.post(f"/api/tables/{table}/start")
                async with ada.socket(table, 0) as socket:
                    await socket.until_view(lambda m: m["entry"] and m["entry"]["by"] == "bot")

            asyncio.run(run())
            asyncio.run(_minded(database))
    finally:
        thinking.terminate()
        thinking.communicate(timeout=30)


async def _minded(database: str) -> None:
    store: Any = open_store(database)
    kinds = {row.kind for row in await store.all(select(schema.servers))}
    assert kinds == {"serve", "bots"}
    await store.close()
