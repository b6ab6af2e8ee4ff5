"""A server inside the test, over real sockets, with a clock and chances of the test's own."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random

from branchline.server import serving
from branchline.server.house import Chance, House
from branchline.server.lobby import Sources
from branchline.server.settings import Settings


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0

    def __call__(self) -> float:
        return self.time


def chance(seed: int = 1) -> Chance:
    """Ids, codes, seeds and thoughts that come out the same in each run."""
    numbers, codes, random = count(), count(), Random(seed)
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
async def running(folder: Path, clock: Clock | None = None, **settings: object) -> AsyncIterator[Running]:
    """A server in this very loop; one that is started again with the same clock has been down in between."""
    given = {"bot_pace": 0.0, "rate_limits": 0.0, "log_level": "warning", "data": str(folder), "port": 0, **settings}
    clock = clock or Clock()
    chosen = Settings.read(given, {})
    house = House(chosen, clock, chance())
    listening: socket.socket = serving.listen(chosen)
    server = serving.server(chosen, house)
    task = asyncio.create_task(server._serve([listening]))
    try:
        yield Running(house, f"http://127.0.0.1:{listening.getsockname()[1]}", clock)
    finally:
        server.should_exit = True
        await task
        listening.close()
