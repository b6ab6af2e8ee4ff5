"""A bus within one process: for a server that is alone, and for several in one test."""

import asyncio

from branchline.server.bus.base import COMMON, Hear, News


class LocalBus:
    """One server's end. Those made with `beside` hear each other; a lone one has nobody to tell."""

    away = False

    def __init__(self, beside: "LocalBus | None" = None) -> None:
        """`beside` is an end of the same bus."""
        self._ends: list[LocalBus] = [] if beside is None else beside._ends
        self._ends.append(self)
        self._followed: set[str] = set()
        self._hear: Hear | None = None

    def start(self, hear: Hear) -> None:
        self._hear = hear

    def publish(self, news: News) -> None:
        for end in self._ends:
            if end is not self and end._hear is not None:
                asyncio.get_running_loop().call_soon(end._told, news)

    def follow(self, table: str) -> None:
        self._followed.add(table)

    def leave(self, table: str) -> None:
        self._followed.discard(table)

    async def close(self) -> None:
        self._hear = None
        self._ends.remove(self)

    def _told(self, news: News) -> None:
        if self._hear is not None and (news.about in COMMON or news.id in self._followed):
            self._hear(news)
