"""A table whose log and state disagree: the log is the truth, and the table goes on from it."""

import asyncio
import json
import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest

from branchline.server import loading, standing
from branchline.server.refused import Refused
from branchline.server.standing import Asked
from branchline.server.store import Store, TableRow
from branchline.server.table import Table
from tests.server.client import Person
from tests.server.house import Clock, Running, running
from tests.server.test_pace import moved
from tests.server.test_tables import CLOSED, OPEN, crowd, refused


async def played(server: Running, moves: int, seed: int = 1) -> tuple[Table, list[Person], list[str]]:
    """A game with people, a clock's turn and actions taken back; what its state was after each entry."""
    people = await crowd(server, "Ada", "Bea")
    pace = {"kind": "seconds", "length": 60}
    seats = [CLOSED, OPEN, OPEN]
    id = (await people[0].post("/api/tables", map="europe", seats=seats, pace=pace, first=2))["id"]
    for seat, person in enumerate(people, start=1):
        await person.sit(id, seat)
    await people[0].post(f"/api/tables/{id}/start")
    live, random, states = await server.house.lobby.find(id), Random(seed), [""]
    states.append(live.stored.state or "")
    while live.version < moves:
        assert live.game is not None
        server.clock.time += 1
        undoable = live.head.undoable
        if undoable is not None and random.random() < 0.5:
            await live.undo(undoable.seat, undoable.n, Asked("person"))
        else:
            seat = live.game.to_act[0]
            ask = live.head.asked[seat]
            assert ask is not None
            by = "clock" if random.random() < 0.2 else "person"
            await live.submit(seat, random.choice(live.game.legal_actions(seat)), ask, Asked(by))
        states.append(live.stored.state or "")
    return live, people, states


def standings(live: Table) -> dict[str, Any]:
    """What the table is, as far as its log tells."""
    head = json.loads(live.head.to_json())
    return {
        "version": live.version,
        "status": live.status,
        "state": live.stored.state,
        "before": live.stored.before,
        "head": head,
    }


def alter(folder: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / "tables.db")) as database:
        database.execute(sql, values)
        database.commit()


def by_replay(states: list[str], n: int) -> dict[str, tuple[str, tuple[object, ...]]]:
    """Ways in which a row went wrong."""
    return {
        "an old row written over a new one": ("update tables set version = ?, state = ?", (7, states[7])),
        "an old state beside a new version": ("update tables set state = ?", (states[n - 3],)),
        "a new state beside an old version": ("update tables set version = ?", (n - 1,)),
        "no state": ("update tables set state = null, digest = null", ()),
        "half a state": ("update tables set state = ?, digest = null", (states[n][:500],)),
        "a state that was tampered with": (
            "update tables set state = ?",
            (orjson.dumps({**json.loads(states[n]), "turn": 1}).decode(),),
        ),
        "not begun": ("update tables set status = 'open', version = 0, state = null, digest = null", ()),
    }


@pytest.mark.parametrize("what", by_replay(["{}"] * 40, 30))
def test_a_table_is_repaired_from_its_log(tmp_path: Path, what: str, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        clock = Clock()
        async with running(tmp_path, clock) as server:
            live, people, states = await played(server, 30)
            before, id = standings(live), live.id
        sql, values = by_replay(states, 30)[what]
        alter(tmp_path, sql, *values)
        async with running(tmp_path, clock) as server:
            logging.getLogger("branchline").propagate = True  # to where the test listens
            again = await server.house.lobby.find(id)
            logging.getLogger("branchline").propagate = False
            assert standings(again) == before
            assert "repaired from its log, as of entry 30" in caplog.text
            row = await server.house.store.table(id)
            assert row is not None
            assert (row.version, row.status, row.state) == (30, "playing", before["state"])
            # It goes on, for the people at it.
            seat = again.head.to_act[0]
            person = moved(people[seat], server)
            async with person.socket(id, seat) as socket:
                view = await socket.until_view()
                assert view["n"] == 30
                assert view["view"]["own"]
        caplog.clear()
        async with running(tmp_path, clock) as server:  # and it is not repaired again
            assert (await server.house.lobby.find(id)).version == 30
            assert "repaired" not in caplog.text

    asyncio.run(run())


@pytest.mark.parametrize("seed", range(5))
def test_replaying_a_log_leads_where_the_table_stands(tmp_path: Path, seed: int) -> None:
    """After every entry, and at the end who is asked what since when, by when, and what may be taken back."""

    async def run() -> None:
        async with running(tmp_path) as server:
            live, _, states = await played(server, 60, seed)
            log = await loading.whole_log(live.id, server.house.store)
            found = live.stored.stands
            for n in range(1, len(log) + 1):
                found = standing.replay(live.id, live.head, live.stored.seed, log[:n])
                assert found.game is not None
                assert orjson.dumps(found.game.to_dict()).decode() == states[n]
            assert found.head == live.head
            assert (found.before is None) == (live.stored.stands.before is None)

    asyncio.run(run())


@pytest.mark.parametrize(
    "sql",
    [
        "delete from log where n = 4",
        "update log set action = null where n = 2",
        "update log set seat = 1 - seat where n = 9",
        "update tables set seed = 'abcd'",
        "update tables set head = '{}'",
    ],
)
def test_a_log_that_leads_nowhere_is_not_played_on(tmp_path: Path, sql: str, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        clock = Clock()
        async with running(tmp_path, clock) as server:
            live, people, _ = await played(server, 12)
            id = live.id
            ((other, _),) = [await _other(server)]
        alter(tmp_path, "update tables set version = 3 where id = ?", id)
        alter(tmp_path, sql)
        async with running(tmp_path, clock) as server:
            logging.getLogger("branchline").propagate = True
            with pytest.raises(Refused, match="broken"):
                await server.house.lobby.find(id)
            await server.house.lobby.tidy()  # the others are woken all the same
            logging.getLogger("branchline").propagate = False
            assert "can't be played on" in caplog.text
            await refused(moved(people[0], server).get(f"/api/tables/{id}"), "broken")
            if "where n" in sql:
                assert (await server.house.lobby.find(other)).status == "open"

    asyncio.run(run())


async def _other(server: Running) -> tuple[str, Person]:
    (cleo,) = await crowd(server, "Cleo")
    return (await cleo.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"], cleo


def test_tables_of_an_older_version_are_taken_as_they_are(tmp_path: Path) -> None:
    async def run() -> None:
        clock = Clock()
        async with running(tmp_path, clock) as server:
            live, _, _ = await played(server, 12)
            before, id = standings(live), live.id
        alter(tmp_path, "update tables set digest = null, revision = 1")
        async with running(tmp_path, clock) as server:
            again = await server.house.lobby.find(id)
            assert standings(again) == before
            await again.change(
                lambda head: type(head)(**{**{f: getattr(head, f) for f in head.__slots__}, "next": "x"})
            )
            assert again.stored.revision == 2

    asyncio.run(run())


class Behind:
    """A store whose first look at a table is from before another server's last action."""

    def __init__(self, store: Store, row: TableRow) -> None:
        self._store = store
        self._rows = [row]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def table(self, id: str) -> TableRow | None:
        return self._rows.pop() if self._rows else await self._store.table(id)


def test_a_table_that_another_server_goes_on_with_is_looked_at_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            live, _, _ = await played(server, 3)
            store = server.house.store
            before = await store.table(live.id)
            assert before is not None
            assert live.game is not None
            seat = live.game.to_act[0]
            ask = live.head.asked[seat]
            assert ask is not None
            await live.submit(seat, live.game.legal_actions(seat)[0], ask, Asked("person"))
            behind: Any = Behind(store, before)
            found = await loading.load(live.id, behind)
            assert found is not None
            row, stands, repaired = found
            assert (row.version, stands.version, repaired) == (4, 4, False)

    asyncio.run(run())
    assert "repaired" not in caplog.text
