"""The pulse of the store: whether it can store just now, found out by storing something."""

import asyncio
import time

from branchline.server.services import Clock
from branchline.server.store import Busy, Store, Trouble

FRESH = 2.0
"""Seconds for which an answer is good: whoever asks more often costs no write."""
PATIENCE = 5.0
"""Seconds after which a store that does not answer can't store."""


class Pulse:
    """Asks the store, now and then, for whoever wants to know."""

    def __init__(self, store: Store, now: Clock) -> None:
        """`now` is what is stored."""
        self._store = store
        self._now = now
        self._asking = asyncio.Lock()
        self._asked = float("-inf")
        self._trouble: Trouble | None = None

    async def trouble(self) -> Trouble | None:
        """What keeps the store from storing; None if nothing does."""
        async with self._asking:
            if time.monotonic() - self._asked >= FRESH:
                self._trouble = await self._ask()
                self._asked = time.monotonic()
            return self._trouble

    async def _ask(self) -> Trouble | None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._store.beat(self._now())
        except Busy as busy:
            return busy.trouble
        except TimeoutError:
            return "locked"
        return None
