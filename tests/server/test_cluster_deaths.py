"""Three servers while one of them, or PostgreSQL, or Redis, dies, freezes or is away: nothing acknowledged is lost or
done twice, nobody sees another position than anybody else, and everybody is back soon.
"""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from scripts.services import Postgres, Redis
from tests.server.client import folder
from tests.server.storm import Servers, Storm
from tests.services import private, sql

SOAK = bool(os.environ.get("BRANCHLINE_CLUSTER_KILLS"))
KILLS = int(os.environ.get("BRANCHLINE_CLUSTER_KILLS", "3"))
"""`make soak` has a hundred."""
AWAY = 30.0 if SOAK else 6.0
"""Seconds for which Redis is away."""
FROZEN = 20.0 if SOAK else 8.0
"""Seconds for which a server is frozen: its lease has run out by then."""
BUSY = 1.0 if SOAK else 6.0
"""How many times as long as promised is waited for where other tests run on the same machine."""
BACK = 5.0 * BUSY
BOTS = 10.0 * BUSY
STANDS = "SELECT version, revision, wake, minder, (SELECT count(*) FROM servers) FROM tables WHERE id = '{}'"
TABLES, BOT_TABLES, CLOCKED = (5, 3, 2) if SOAK else (3, 2, 1)


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    with folder() as path, private(Postgres) as postgres, private(Redis) as redis:
        several = Servers(Path(path), postgres, redis)
        try:
            asyncio.run(several.start())
            yield several
        finally:
            several.close()


def storm(servers: Servers, mischief: Callable[[Storm], Awaitable[None]]) -> Storm:
    """Everybody plays until the mischief is done and everybody has gone on from there."""
    said = [len(server.complaints) for server in servers.all]

    async def run() -> Storm:
        made = Storm(servers)
        await made.open(TABLES, BOT_TABLES, CLOCKED)
        done = asyncio.Event()
        playing = asyncio.create_task(made.play(done.is_set))
        try:
            await progress(made, playing)
            await mischief(made)
            await progress(made, playing)
        finally:
            done.set()
        await playing
        return made

    made = asyncio.run(run())
    made.check()
    print(made.notes.summary(), flush=True)
    for server, before in zip(servers.all, said, strict=True):
        assert "Traceback" not in server.complaints[before:], server.complaints[before:]
    return made


def soon(*storms: Storm) -> None:
    """Everybody was back, and every bot and clock played on, as soon as is promised."""
    notes = [made.notes for made in storms]
    assert max((seconds for each in notes for seconds in each.back), default=0.0) < BACK
    assert max((seconds for each in notes for seconds in (*each.bots, *each.clocks)), default=0.0) < BOTS


async def progress(made: Storm, playing: "asyncio.Task[None]") -> None:
    """Wait until every table has gone on, or is over."""
    before = {table: number(made, table) for table in made.tables}
    over: set[str] = set()
    behind: list[str] = []
    for _ in range(2_400):
        over |= {roamer.table for roamer in made.roamers if roamer.over}
        behind = [table for table in made.tables if table not in over and number(made, table) < before[table] + 2]
        if playing.done() or not behind:
            return
        await asyncio.sleep(0.05)
    said = "".join(server.complaints for server in made.servers.all)
    stored = {table: sql(made.servers.postgres.url, STANDS.format(table)) for table in behind}
    pytest.fail(
        f"{len(behind)} tables do not go on ({[made.kind(table) for table in behind]}):\n{stored}\n{said[-6_000:]}"
    )


def number(made: Storm, table: str) -> int:
    return max((n for at, n, _ in made.notes.shown if at == table), default=0)


def test_servers_die_at_any_moment(servers: Servers) -> None:
    random, kills = Random(13), 0

    async def kill(made: Storm) -> None:
        nonlocal kills
        server = random.choice(servers.all)
        server.kill()
        kills += 1
        await asyncio.sleep(random.uniform(0.5, 3.0))
        await asyncio.to_thread(server.start)
        await asyncio.sleep(random.uniform(0.0, 2.0))

    async def some(made: Storm) -> None:
        until = min(KILLS, kills + 10)
        while kills < until and not all(roamer.over for roamer in made.roamers):
            await kill(made)

    storms = []
    while kills < KILLS:
        storms.append(storm(servers, some))
    print(f"{kills} deaths")
    assert sum(len(made.notes.back) for made in storms) >= KILLS
    soon(*storms)


def test_a_server_that_is_stopped_leaves_nobody_waiting(servers: Servers) -> None:
    async def stop(made: Storm) -> None:
        for server in servers.all[1 if not SOAK else 0 : 2 if not SOAK else 3]:
            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)

    soon(storm(servers, stop))


@pytest.mark.parametrize("how", ["restart", "kill"])
def test_postgres_restarts(servers: Servers, how: str) -> None:
    async def restart(made: Storm) -> None:
        (servers.postgres.stop if how == "restart" else servers.postgres.kill)()
        await asyncio.sleep(1.0)
        servers.postgres.start()

    soon(storm(servers, restart))


def test_redis_restarts_and_is_away(servers: Servers) -> None:
    async def away(made: Storm) -> None:
        servers.redis.restart()
        await asyncio.sleep(2.0)
        servers.redis.kill()
        before = len(made.notes.acknowledged)
        await asyncio.sleep(AWAY)
        assert len(made.notes.acknowledged) > before, "play goes on without Redis"
        servers.redis.start()

    soon(storm(servers, away))


def test_a_server_that_was_frozen_wakes(servers: Servers) -> None:
    async def freeze(made: Storm) -> None:
        server = servers.all[1]
        assert server.process is not None
        server.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(FROZEN)
        server.process.send_signal(signal.SIGCONT)

    soon(storm(servers, freeze))
