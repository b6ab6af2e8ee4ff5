"""Turns: what many want of a few workers, shared among those who want it and not among their wishes."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """So many at once for each key; what else is wanted for the same key waits in its own line."""

    def __init__(self, at_once: int) -> None:
        """`at_once` is for one key."""
        self._at_once = at_once
        self._lines: dict[str, asyncio.Semaphore] = {}
        self._wanted: Counter[str] = Counter()

    def wanted(self, key: str) -> int:
        """How many of a key have a turn or wait for one."""
        return self._wanted[key]

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """Wait for a turn, and have it."""
        line = self._lines.setdefault(key, asyncio.Semaphore(self._at_once))
        self._wanted[key] += 1
        try:
            async with line:
                yield
        finally:
            self._wanted[key] -= 1
            if not self._wanted[key]:
                del self._wanted[key], self._lines[key]
