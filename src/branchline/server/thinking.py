"""A process that only thinks: it plays for bots and clocks of tables that other processes serve."""

import asyncio
import contextlib
import signal

from branchline.server.ending import end
from branchline.server.house import House
from branchline.server.settings import Settings
from branchline.server.tidying import tidy


def thinker(settings: Settings) -> House:
    """A house without a door; ValueError, in words, if its database is not one that others serve."""
    if settings.database_url.startswith("sqlite:"):
        raise ValueError(
            "database: a SQLite file has one server, whose bots think beside it. Processes that only think are for a "
            "database that several share: --database postgresql://…"
        )
    return House(settings, kind="bots")


async def think(house: House) -> None:
    """Think until interrupted, then leave the tables to others."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sent in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows knows neither
            loop.add_signal_handler(sent, stop.set)
    await house.start()
    tidying = asyncio.create_task(tidy(house))
    try:
        await stop.wait()
    finally:
        await end(tidying)
        await house.close()
