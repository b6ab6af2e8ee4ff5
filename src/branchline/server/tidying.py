"""What a server does once a minute: tables that are due, idle or never started, and garbage."""

import asyncio
import gc
import logging

from branchline.server.house import House
from branchline.server.store import Busy

_log = logging.getLogger("branchline.tidying")

TIDY = 60.0
"""Seconds between looks at tables that are due, idle or never started."""


async def tidy(house: House) -> None:
    """Go on until cancelled."""
    while True:
        try:
            await house.lobby.tidy()
        except Busy:
            pass  # the store has said so
        except Exception:
            _log.exception("tidying failed; next try in a minute")
        await asyncio.sleep(TIDY)
        gc.collect()  # the only full one: see serving
