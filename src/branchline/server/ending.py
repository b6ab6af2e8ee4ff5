"""Ending what runs beside everything else."""

import asyncio
from typing import Any

AGAIN = 1.0
"""Seconds after which a task that still runs is cancelled once more."""
LETTING_GO = 10.0
"""Seconds after which it is left to itself: whoever closes goes on."""


async def end(*tasks: "asyncio.Task[Any]") -> None:
    """Cancel tasks until they have ended.

    Once is not enough: before Python 3.12 `asyncio.wait_for`, by which redis-py sends, loses a cancellation that comes
    in the same step as what it waits for, and the task goes on as if nothing had been said.
    """
    pending = set(tasks)
    loop = asyncio.get_running_loop()
    until = loop.time() + LETTING_GO
    while pending and loop.time() < until:
        for task in pending:
            task.cancel()
        done, pending = await asyncio.wait(pending, timeout=AGAIN)
        for task in done:
            if not task.cancelled():
                task.exception()  # whatever it failed with at the end is not asked for
