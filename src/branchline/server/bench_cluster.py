"""Measures several servers on one PostgreSQL and one Redis beside the one-process server on SQLite, in one run."""

import asyncio
import os
import secrets
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import asyncpg
import redis

from branchline.server.bench import Json, Load, Measured, Progress, Server, open_tables, play

ALONE = "sqlite"


@dataclass(frozen=True, slots=True)
class Compared:
    """One way to serve the same load."""

    name: str
    fast: Measured | None
    """As fast as it goes; None where a rate was given."""
    half: Measured
    """At half of that, or at the given rate for each server."""
    postgres_ms: float | None
    """Milliseconds of processor time for one action, in that run; None where that can't be found out."""
    redis_ms: float | None

    def to_dict(self) -> Json:
        both = {"fast": self.fast, "half": self.half}
        figures = {
            name: None if run is None else {**run.to_dict(), "server_ms": run.server_ms} for name, run in both.items()
        }
        return {"name": self.name, **figures, "postgres_ms": self.postgres_ms, "redis_ms": self.redis_ms}


def measure(load: Load, counts: list[int], database: str, bus: str, progress: Progress) -> list[Compared]:
    """The same load on SQLite, then on so many servers, then on so many. The database is left full of tables."""
    return [_one(load, count, database, bus, progress) for count in (None, *counts)]


def _one(load: Load, count: int | None, database: str, bus: str, told: Progress) -> Compared:
    name = f"{count} server{'s' if count != 1 else ''}" if count else ALONE

    def progress(what: str, part: float) -> None:
        told(f"{name}: {what}", part)

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="branchline-bench-")))
        shared = {
            "BRANCHLINE_DATABASE": database,
            "BRANCHLINE_BUS": bus,
            "BRANCHLINE_SECRET": secrets.token_hex(32),
            "BRANCHLINE_DRAIN": "0",
        }
        servers = []
        for n in range(count or 1):
            servers.append(Server(folder / str(n), variables=shared if count else None))
            stack.callback(servers[-1].stop)
        fast = None if load.rate else Measured(load)
        half = Measured(replace(load, rate=load.rate * len(servers)))
        tables, half.table_kb = open_tables(servers, load, progress)
        if fast is not None:
            fast.table_kb = half.table_kb
            play(servers, load, tables, fast, progress)
            fast.summed_up()
            half.load = replace(load, rate=max(1.0, fast.actions_per_second / 2))
            tables, half.table_kb = open_tables(servers, half.load, progress)
        before = _services(database, bus) if count else (None, None)
        play(servers, half.load, tables, half, progress)
        half.summed_up()
        after = _services(database, bus) if count else (None, None)
    return Compared(
        name,
        fast,
        half,
        *(
            None if was is None or now is None or not half.actions else round((now - was) * 1e3 / half.actions, 3)
            for was, now in zip(before, after, strict=True)
        ),
    )


def _services(database: str, bus: str) -> tuple[float | None, float | None]:
    """Seconds of processor time so far: of all of PostgreSQL's processes, if they are on this machine, and of Redis."""
    return asyncio.run(_postgres(database)), _redis(bus)


async def _postgres(url: str) -> float | None:
    connection = await asyncpg.connect(url)
    try:
        backend: int = await connection.fetchval("SELECT pg_backend_pid()")
        before, _, after = Path(f"/proc/{backend}/stat").read_text().rpartition(")")
    except OSError:
        return None
    finally:
        await connection.close()
    return _processor_seconds(int(after.split()[1])) if "(postgres" in before else None


def _processor_seconds(pid: int) -> float:
    """Of a process and all its children, those included that have ended."""
    ticks, pids = 0, [pid]
    while pids:
        each = pids.pop()
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            pids += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
        except OSError:
            continue  # it has ended meanwhile
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _redis(url: str) -> float | None:
    with redis.Redis.from_url(url) as client:
        found: Json = client.info("cpu")
    return float(found["used_cpu_user"]) + float(found["used_cpu_sys"])
