"""Write the table of docs/scaling.md from the measured constants: python -m scripts.scaling_page [--check]

Everything that is no measurement is an assumption, named as such; the page says how each was measured.
"""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "scaling.md"
BEGIN, END = "<!-- model: scripts/scaling_page.py -->", "<!-- end of model -->"


@dataclass(frozen=True, slots=True)
class Measured:
    """What `branchline bench server` and a count of bytes said; milliseconds are of processor time, for one action."""

    server_ms: float = 1.57
    """Of all servers together, a table's people at one of them, at half load: the most of 1, 2 and 4 servers."""
    follow_ms: float = 0.6
    """More for each further server that follows a table: 4 servers apart less 4 together, at half load."""
    postgres_ms: float = 1.36
    """Among 2,000 tables that were just made; among 60 it was a third of that."""
    redis_ms: float = 0.11
    table_kb: float = 20.5
    """Of a server's memory, for a table without sockets."""
    state_kb: float = 1.3
    """A state of Europe, compressed; it is written anew with each action."""
    entry_kb: float = 0.3
    """A log entry, with its keys."""


@dataclass(frozen=True, slots=True)
class Assumed:
    """What nobody has measured."""

    people_per_table: float = 2.5
    bots_per_table: float = 0.5
    seconds_per_action: float = 8.0
    """Between two actions at a table."""
    servers_per_table: float = 1.5
    """Processes that follow a table: the one that its id leads to, and at every other one that thinks for its bots."""
    load: float = 0.5
    """Of each core, so that a busy hour and a dead machine find room."""
    sockets_per_process: int = 20_000
    """What one loop is trusted with; the system's limit of open files is three times as high."""
    bot_seconds: float = 1.0
    """What a bot thinks about an action at most, with a core to itself."""
    compare_seconds: float = 3.0
    """Between two comparisons of the revisions of watched tables: `follower.COMPARE`."""


@dataclass(frozen=True, slots=True)
class Needed:
    """What so many people take."""

    people: int
    tables: float
    actions: float
    """A second, of people and bots."""
    server_cores: int
    processes: int
    postgres_cores: int
    wal_mb: float
    """A second, without full pages and indexes."""
    compared: float
    """Revisions a second that are read only to see that no news was lost."""
    redis_messages: float
    """A second, in and out."""
    redis_cores: float
    bot_cores: int
    memory_gb: float

    @property
    def cores(self) -> int:
        return self.server_cores + self.postgres_cores + math.ceil(self.redis_cores) + self.bot_cores


def needed(people: int, measured: Measured, assumed: Assumed) -> Needed:
    """What so many people at once take, in proportion."""
    tables = people / assumed.people_per_table
    actions = tables / assumed.seconds_per_action
    bots = actions * assumed.bots_per_table / (assumed.people_per_table + assumed.bots_per_table)
    server_ms = measured.server_ms + measured.follow_ms * (assumed.servers_per_table - 1)
    server_cores = math.ceil(actions * server_ms / 1e3 / assumed.load)
    return Needed(
        people=people,
        tables=tables,
        actions=actions,
        server_cores=server_cores,
        processes=max(3, server_cores, math.ceil(people / assumed.sockets_per_process)),
        postgres_cores=math.ceil(actions * measured.postgres_ms / 1e3 / assumed.load),
        wal_mb=actions * (measured.state_kb + measured.entry_kb) / 1e3,
        compared=tables * assumed.servers_per_table / assumed.compare_seconds,
        redis_messages=actions * assumed.servers_per_table,  # one in, and one out to each of the others
        redis_cores=actions * measured.redis_ms / 1e3 / assumed.load,
        bot_cores=math.ceil(bots * assumed.bot_seconds / assumed.load),
        memory_gb=tables * assumed.servers_per_table * measured.table_kb / 1e6,
    )


ROWS: tuple[tuple[str, Callable[[Needed], str]], ...] = (
    ("tables", lambda n: f"{n.tables:,.0f}"),
    ("actions a second", lambda n: f"{n.actions:,.0f}"),
    ("cores of servers", lambda n: f"{n.server_cores:,}"),
    ("server processes, one loop each", lambda n: f"{n.processes:,}"),
    ("memory of their tables, GB", lambda n: f"{n.memory_gb:,.1f}"),
    ("cores of PostgreSQL", lambda n: f"{n.postgres_cores:,}"),
    ("PostgreSQL: transactions a second", lambda n: f"{n.actions:,.0f}"),
    ("PostgreSQL: log written, MB a second", lambda n: f"{n.wal_mb:,.1f}"),
    ("PostgreSQL: revisions compared a second", lambda n: f"{n.compared:,.0f}"),
    ("Redis: messages a second", lambda n: f"{n.redis_messages:,.0f}"),
    ("cores of Redis", lambda n: f"{n.redis_cores:,.2f}"),
    ("cores of bots, if each thinks for a second", lambda n: f"{n.bot_cores:,}"),
    ("**cores in all**", lambda n: f"**{n.cores:,}**"),
)


def table() -> str:
    """What each power of ten takes."""
    steps = [needed(10**power, Measured(), Assumed()) for power in (4, 5, 6)]
    lines = ["| people at once | " + " | ".join(f"{step.people:,}" for step in steps) + " |", "|---|---:|---:|---:|"]
    lines += [f"| {name} | " + " | ".join(told(step) for step in steps) + " |" for name, told in ROWS]
    return "\n".join(lines)


def page() -> str:
    """The page as it should be."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
