"""How a server goes: nobody new is let in, and its people are sent elsewhere one after another, not all at once."""

import asyncio
import logging
import random
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn

from branchline.server.house import House
from branchline.server.messages import Close

_log = logging.getLogger("branchline.drain")

CROWD = 100
"""Sockets from which on the whole time is taken; fewer are done sooner, in proportion."""


class DrainingServer(uvicorn.Server):
    """uvicorn's server, which SIGTERM drains. Ctrl-C ends it at once, as whoever sits before it expects."""

    def __init__(self, config: uvicorn.Config, house: House) -> None:
        """`house` is whose people are sent elsewhere."""
        super().__init__(config)
        self._house = house
        self._drains = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._drains = self._drains or sig == signal.SIGTERM
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        if self._drains:
            for listening in [*self.servers, *(sockets or [])]:
                listening.close()
            settings = self._house.settings
            # Who is alone has nowhere to send anybody: the sooner it is back the better.
            await drain(self._house, settings.drain if settings.bus else 0.0, lambda: self.force_exit)
        self._house.records.close()  # uvicorn waits for whoever is being answered
        await super().shutdown(sockets)


async def drain(house: House, seconds: float, enough: Callable[[], bool]) -> None:
    """Close every socket with 1012, in no order that says who came when, over so many seconds or until it is enough."""
    watchers = [watcher for table in house.lobby.live for watcher in table.audience.watchers]
    random.shuffle(watchers)
    over = seconds * min(1.0, len(watchers) / CROWD)
    _log.info("draining: %s sockets over %.1f seconds", len(watchers), over)
    for watcher in watchers:
        if enough():
            return
        watcher.drop(Close.RESTART)
        await asyncio.sleep(over / len(watchers))
