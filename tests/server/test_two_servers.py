"""Two processes on one database: the second says who has it; and if two do write, nothing is lost or done twice."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from branchline import DrawCard
from branchline.server.refused import Refused
from branchline.server.standing import Asked
from branchline.server.store import Conflict, SqliteStore
from branchline.server.store import sqlite as sqlite_store
from tests.server.client import Person, Server
from tests.server.house import Running, running
from tests.server.test_pace import moved
from tests.server.test_tables import OPEN, crowd


@pytest.mark.parametrize("command", [["serve"], ["play", "--no-browser"]])
def test_the_second_process_says_who_has_the_database(tmp_path: Path, command: list[str]) -> None:
    with Server(tmp_path) as server:
        assert server.process is not None
        environment = {**os.environ, "BRANCHLINE_DATA": str(tmp_path), "BRANCHLINE_SECRET": "of the second one " * 3}
        started = [sys.executable, "-m", "branchline.cli", *command, "--port", "0"]
        second = subprocess.run(started, env=environment, capture_output=True, text=True, timeout=60)
        assert second.returncode == 2
        assert f"in use by process {server.process.pid} (branchline serve --data=" in second.stderr
        assert "since 20" in second.stderr
        assert "UTC" in second.stderr
        assert "Traceback" not in second.stderr
        # What the second one tried did the first no harm, and one that was killed holds nothing.
        asyncio.run(Person(server.url, "Ada").arrive())
        server.process.send_signal(signal.SIGKILL)
        server.process.wait(20)
        again = subprocess.Popen(started, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert again.stdout is not None
        assert "Branchline is at" in again.stdout.readline()
        again.terminate()
        again.communicate(timeout=30)


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
def test_a_file_has_one_server_under_whatever_name(tmp_path: Path, link: Callable[[Path, Path], None]) -> None:
    """SQLite keeps a WAL for each name of a file: two servers by two names would write over one another."""
    store = sqlite_store.SqliteStore(f"sqlite:///{tmp_path / 'tables.db'}")
    other = tmp_path / "elsewhere" / "other.db"
    other.parent.mkdir()
    link(other, tmp_path / "tables.db")
    try:
        with pytest.raises(ValueError, match=r"^database: .*(in use by process|names)"):
            sqlite_store.SqliteStore(f"sqlite:///{other}")
    finally:
        asyncio.run(store.close())


def test_the_secret_is_not_told_to_the_second_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "a secret that stays with its server"
    monkeypatch.setattr(sys, "argv", ["branchline", "serve", "--secret", secret, f"--secret={secret}", "--port", "1"])
    store = SqliteStore(f"sqlite:///{tmp_path / 't.db'}")
    with pytest.raises(ValueError, match=r"branchline serve --secret '…' '--secret=…' --port 1") as error:
        SqliteStore(f"sqlite:///{tmp_path / 't.db'}")
    assert secret not in str(error.value)
    assert secret not in (tmp_path / "t.db.lock").read_text()
    asyncio.run(store.close())
    asyncio.run(SqliteStore(f"sqlite:///{tmp_path / 't.db'}").close())


class Unlocked:
    """No lock: as if the two were on two machines, or somebody had deleted its file."""

    def __init__(self, path: Path) -> None: ...

    def let_go(self) -> None: ...


@asynccontextmanager
async def both(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Running, Running]]:
    """Two servers on one database."""
    monkeypatch.setattr(sqlite_store, "Holder", Unlocked)
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(running(folder))
        yield first, await stack.enter_async_context(running(folder, first.clock))


async def started(server: Running, *names: str) -> tuple[str, list[Person]]:
    people = await crowd(server, *names)
    table = (await people[0].post("/api/tables", map="new-york", seats=[OPEN for _ in names]))["id"]
    for seat, person in enumerate(people):
        await person.sit(table, seat)
    await people[0].post(f"/api/tables/{table}/start")
    return table, people


def test_who_lost_a_race_reloads_tells_its_watchers_and_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with both(tmp_path, monkeypatch) as (one, two):
            table, (ada, bea) = await started(one, "Ada", "Bea")
            async with ada.socket(table, 0) as mine, moved(bea, two).socket(table, 1) as theirs:
                await theirs.until_view()
                view = await mine.until_view()
                # Opening answers are simultaneous: the second one follows the first, through another server.
                await mine.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
                assert theirs.view is not None
                assert theirs.view["n"] == 1
                offer = theirs.view["view"]["own"]["offer"]
                assert (await theirs.act({"is": "keep", "tickets": offer}, id="k")) == {"is": "done", "id": "k", "n": 3}
                assert theirs.view["n"] == 3
                # The same message through the other server gets the answer it had.
                async with bea.socket(table, 1) as phone:
                    await phone.until_view()
                    assert (await phone.act({"is": "keep", "tickets": offer}, id="k", ask=1))["n"] == 3
                # The first server has not heard of entry 3, and is told so by an answer to it: it catches up.
                here, there = [await server.house.lobby.find(table) for server in (one, two)]
                assert (here.version, there.version) == (2, 3)
                turn = there.head.to_act[0]
                person = (ada, bea)[turn]
                assert await here.submit(turn, DrawCard(None), 3, Asked("person", person.id, "d")) == 4
                assert (await mine.until_view(lambda message: message["n"] == 4))["entry"]["seat"] == turn
                # What was answered there is stale here, once it is looked at.
                with pytest.raises(Refused, match="stale"):
                    await there.submit(turn, DrawCard(None), 3, Asked("person", person.id, "e"))
                assert there.version == 4
                # And an answer to what was never asked makes nobody look twice.
                with pytest.raises(Refused):
                    await there.submit(turn, DrawCard(None), 99, Asked("person", person.id, "f"))

    asyncio.run(run())


def test_a_rename_through_the_other_server_loses_no_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: the second server has version 7 in memory, and wrote it over version 17."""

    async def run() -> None:
        async with both(tmp_path, monkeypatch) as (one, two):
            table, (ada, _) = await started(one, "Ada", "Bea")
            stale = await two.house.lobby.find(table)
            assert stale.version == 1
            live = await one.house.lobby.find(table)
            random = Random(1)
            for _ in range(16):
                assert live.game is not None
                seat = live.game.to_act[0]
                ask = live.head.asked[seat]
                assert ask is not None
                await live.submit(seat, random.choice(live.game.legal_actions(seat)), ask, Asked("person"))
            await moved(ada, two).put("/api/me", name="Ada Lovelace")
            assert stale.version == 17
            assert stale.head.sitters[0].name == "Ada Lovelace"
            state = live.stored.state
            clock = one.clock
        async with running(tmp_path, clock) as server:
            again = await server.house.lobby.find(table)
            assert (again.version, again.stored.state) == (17, state)
            assert again.head.sitters[0].name == "Ada Lovelace"

    asyncio.run(run())


def test_a_save_that_follows_nothing_is_a_conflict(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            table, _ = await started(server, "Ada", "Bea")
            row = await server.house.store.table(table)
            assert row is not None
            assert row.revision == 4  # opened, two sat down, started
            for revision in (row.revision, row.revision - 1, row.revision + 2):
                wrong = type(row)(**{**_fields(row), "revision": revision})
                with pytest.raises(Conflict):
                    await server.house.store.save_table(wrong, [])
            assert await server.house.store.table(table) == row

    asyncio.run(run())


def _fields(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__slots__}


def test_two_servers_act_for_the_same_seat_at_once_and_one_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with both(tmp_path, monkeypatch) as (one, two):
            table, people = await started(one, "Ada", "Bea")
            tables = [await server.house.lobby.find(table) for server in (one, two)]
            random, won = Random(2), [0, 0]
            for turn in range(150):
                leader = max(tables, key=lambda live: live.version)
                game = leader.game
                assert game is not None
                if game.over:
                    break
                seat = game.to_act[0]
                ask = leader.head.asked[seat]
                assert ask is not None
                actions = game.legal_actions(seat)
                asked = [Asked("person", people[seat].id, f"{turn}-{side}") for side in (0, 1)]
                answers: list[Any] = await asyncio.gather(
                    *(
                        live.submit(seat, random.choice(actions), ask, by)
                        for live, by in zip(tables, asked, strict=True)
                    ),
                    return_exceptions=True,
                )
                done = [isinstance(answer, int) for answer in answers]
                assert done.count(True) == 1, answers
                won[done.index(True)] += 1
                lost = answers[done.index(False)]
                assert isinstance(lost, Refused)
                assert lost.code in ("stale", "not-your-turn", "over", "question-open", "no-question"), lost.code
            assert min(won) > 0
            log = await one.house.store.entries(table, 0, 1_000)
            assert [row.n for row in log] == list(range(1, len(log) + 1))
            assert {live.version for live in tables} == {len(log)}
            assert tables[0].stored.state == tables[1].stored.state

    asyncio.run(run())


def test_chat_through_two_servers_is_numbered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with both(tmp_path, monkeypatch) as (one, two):
            table, (ada, _) = await started(one, "Ada", "Bea")
            tables = [await server.house.lobby.find(table) for server in (one, two)]
            numbers = await asyncio.gather(
                *(live.say(ada.id, f"line {n}", f"m{n}") for n, live in enumerate(tables * 5))
            )
            assert sorted(numbers) == list(range(1, 11))
            assert await tables[1].say(ada.id, "line 0", "m0") == numbers[0]

    asyncio.run(run())


def test_a_table_that_was_swept_elsewhere_is_gone_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with both(tmp_path, monkeypatch) as (one, two):
            (ada,) = await crowd(one, "Ada")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            live = await two.house.lobby.find(table)
            await one.house.store.sweep(one.clock.time + 1, set())
            with pytest.raises(Refused, match="not-found"):
                await live.change(lambda head: type(head)(**{**_fields(head), "hints": False}))

    asyncio.run(run())
