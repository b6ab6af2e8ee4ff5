"""A server inside the test, over real sockets, with a clock and chances of the test's own."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random

from branchline.server import serving
from branchline.server.bus import Bus
from branchline.server.house import Chance, House
from branchline.server.lobby import Sources
from branchline.server.settings import Settings
from tests.server.client import HEARTBEAT


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0

    def __call__(self) -> float:
        return self.time


def chance(seed: int = 1) -> Chance:
    """Ids, codes, seeds and thoughts that come out the same in each run."""
    numbers, codes, random = count(100 * (seed - 1)), count(10 * (seed - 1)), Random(seed)
    return Chance(
        sources=Sources(
            token=lambda: f"table-{next(numbers)}",
            code=lambda: f"CODE{next(codes):02}",
            seed=lambda: random.randbytes(32),
        ),
        delays=Random(seed),
        thoughts=Random(seed),
    )


class Running:
    """A house and where it is."""

    def __init__(self, house: House, url: str, clock: Clock) -> None:
        self.house = house
        self.url = url
        self.clock = clock


@asynccontextmanager
async def running(
    folder: Path, clock: Clock | None = None, local: Bus | None = None, seed: int = 1, **settings: object
) -> AsyncIterator[Running]:
    """A server in this very loop; one that is started again with the same clock has been down in between."""
    usual = {"bot_pace": 0.0, "rate_limits": 0.0, "log_level": "warning", "heartbeat": HEARTBEAT, "port": 0}
    given = {**usual, "data": str(folder), **settings}
    clock = clock or Clock()
    chosen = Settings.read(given, {})
    house = House(chosen, clock, chance(seed), local)
    listening: socket.socket = serving.listen(chosen)
    server = serving.server(chosen, house)
    task = asyncio.create_task(server._serve([listening]))
    try:
        yield Running(house, f"http://127.0.0.1:{listening.getsockname()[1]}", clock)
    finally:
        server.should_exit = True
        await task
        listening.close()
