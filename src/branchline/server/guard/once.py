"""What is made once and kept: for everybody who asks while it is being made, and for those who come later."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

BYTES = 64 * 1024 * 1024


class Once:
    """Byte strings by key, the longest unused forgotten when they take too much room."""

    def __init__(self, most: int = BYTES) -> None:
        """`most` bytes in all."""
        self._most = most
        self._held = 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._making: dict[str, asyncio.Task[bytes]] = {}

    async def get(self, key: str, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """What was made for a key, made now if it was not; a failure is told to all who wait and not kept."""
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        task = self._making.get(key)
        if task is None:
            task = self._making[key] = asyncio.ensure_future(self._make(key, make))
        return await asyncio.shield(task)

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()
        self._held = 0

    async def _make(self, key: str, make: Callable[[], Awaitable[bytes]]) -> bytes:
        try:
            made = await make()
        finally:
            del self._making[key]
        if len(made) <= self._most // 4:
            self._kept[key] = made
            self._held += len(made)
            while self._held > self._most:
                self._held -= len(self._kept.popitem(last=False)[1])
        return made
