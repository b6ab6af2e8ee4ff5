"""Several servers on one database, in one loop: over each kind of store and each kind of bus."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from branchline.server.bus import LocalBus
from branchline.server.store import SqliteStore
from branchline.server.store import sqlite as sqlite_store
from tests.server.house import Clock, Running, running

PAIRS = ("sqlite-local", "sqlite-redis", "postgres-local", "postgres-redis")
Several = Callable[..., AbstractAsyncContextManager[list[Running]]]
"""So many servers, with settings of theirs."""


class Unlocked:
    """No lock: as if the two were on two machines, or somebody had deleted its file."""

    def __init__(self, path: Path) -> None: ...

    def let_go(self) -> None: ...


def sharing_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let servers share a file, as they would a PostgreSQL: what is the same for both is tried on both."""
    monkeypatch.setattr(sqlite_store, "Holder", Unlocked)
    monkeypatch.setattr(SqliteStore, "shared", True)


@contextmanager
def pair(request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Several]:
    """Servers on the store and the bus that the fixture's parameter names."""
    store, _, bus = request.param.partition("-")
    given: dict[str, Any] = {}
    if store == "postgres":
        given["database"] = request.getfixturevalue("database")
    else:
        sharing_sqlite(monkeypatch)
    if bus == "redis":
        given["bus"] = request.getfixturevalue("redis")

    @asynccontextmanager
    async def servers(count: int = 2, **settings: object) -> AsyncIterator[list[Running]]:
        clock, local = Clock(), None
        async with AsyncExitStack() as stack:
            found: list[Running] = []
            for n in range(count):
                local = LocalBus(local) if bus == "local" else None
                chosen = {**given, **settings}
                found.append(await stack.enter_async_context(running(folder, clock, local, n + 1, **chosen)))
            yield found

    yield servers
