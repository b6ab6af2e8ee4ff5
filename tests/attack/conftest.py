"""A server as a stranger finds it, limits and all; and a place for the figures."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.attack.attacker import move, size
from tests.server.client import Person, Server, folder

FIGURES = Path(__file__).parents[2] / "build" / "attack.json"
"""What the last run measured; `make attack` prints it."""

Figures = Callable[..., None]


@pytest.fixture(autouse=True)
def elsewhere() -> None:
    move()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    seconds = {"request_seconds": size(2, 10), "upload_seconds": size(1, 2)}
    with folder() as path, Server(Path(path), rate_limits=1, **seconds) as running:
        yield running
        assert running.process is not None
        assert running.process.poll() is None, "the server has ended"
        assert "Traceback" not in running.complaints, running.complaints


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Figures:
    """Keep what an attack did to others."""

    def keep(**measured: float) -> None:
        kept = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
        kept[request.node.name] = {name: round(value, 3) for name, value in measured.items()}
        FIGURES.parent.mkdir(exist_ok=True)
        FIGURES.write_text(json.dumps(kept, indent=1, sort_keys=True))

    return keep


class Target:
    """A game under way between people at 127.0.0.1."""

    def __init__(self, table: str, cookie: str) -> None:
        self.table = table
        self.cookie = cookie


@pytest.fixture
def target(server: Server) -> Target:
    async def start() -> Target:
        ada = await Person(server.url, "Ada").arrive()
        table = (await ada.post("/api/tables", map="europe", seats=[{"who": "open"}] * 2))["id"]
        for seat in (0, 1):
            await ada.sit(table, seat)
        await ada.post(f"/api/tables/{table}/start")
        await ada.http.aclose()
        return Target(table, ada.cookie)

    return asyncio.run(start())
