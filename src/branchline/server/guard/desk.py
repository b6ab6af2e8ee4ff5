"""The desk: work that strangers ask for, done outside the loop in a process that can be killed, for a few at a time."""

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from branchline.killable import Bounds, Ended, Failed, Function, Killable, Told
from branchline.server.refused import Refused

_log = logging.getLogger("branchline.desk")

SECONDS = 2.0
"""Processor time for one piece of work: some ten times what the longest real game takes."""
MEMORY = 512 * 1024 * 1024
CRAWL = 15.0
"""How many times as long as the processor time it may use somebody is waited for: the machine may be busy."""
WAITING = 4
"""Pieces of work that may wait; whoever comes then is asked to come again."""
IDLE = 120.0
"""Seconds without work after which the process ends."""


class Desk:
    """One process, and a short queue in front of it."""

    def __init__(self, name: str, seconds: float = SECONDS, memory: int = MEMORY, waiting: int = WAITING) -> None:
        """The process starts when first needed."""
        self._name = name
        self._bounds = Bounds(processor=seconds, memory=memory, nice=10)
        self._seconds = seconds
        self._most = waiting
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._killable: Killable | None = None
        self._waiting: set[str] = set()
        self._idle: asyncio.TimerHandle | None = None
        self._closed = threading.Event()

    async def do(self, who: str, function: Function, *arguments: Any) -> Any:
        """What a function of some module returns; refused while as many wait as may, or for `who` already."""
        if who in self._waiting:
            raise Refused("busy", "the last one you asked for is not done yet; wait for it", status=503)
        if len(self._waiting) >= self._most or self._closed.is_set():
            raise Refused("busy", "too many ask for this now; try again in a minute", status=503)
        self._waiting.add(who)
        if self._idle is not None:
            self._idle.cancel()
        loop = asyncio.get_running_loop()
        try:
            return await asyncio.shield(loop.run_in_executor(self._thread, self._run, function, arguments))
        except Ended:
            if self._closed.is_set():
                raise Refused("busy", "the server ends; ask again when it is back", status=503) from None
            raise Refused("too-large", "that takes more time or memory than there is for it", status=422) from None
        except Told as told:
            raise Refused(*told.args) from None
        except Failed as failed:
            _log.warning("%s failed: %s", self._name, failed)
            raise Refused("failed", "that could not be done", status=422) from None
        finally:
            self._waiting.discard(who)
            if not self._waiting and not self._closed.is_set():
                self._idle = loop.call_later(IDLE, self._thread.submit, self._end)

    def close(self) -> None:
        """Kill the process, whatever it does."""
        self._closed.set()
        if self._idle is not None:
            self._idle.cancel()
        if self._killable is not None:
            self._killable.kill()
        self._thread.shutdown(wait=False)  # what waits is refused in words, one after another

    def _run(self, function: Function, arguments: tuple[Any, ...]) -> Any:
        if self._closed.is_set():
            raise Ended
        if self._killable is None or not self._killable.alive:
            self._killable = Killable(self._bounds)
            if self._closed.is_set():
                self._killable.kill()
        return self._killable.run(self._seconds * CRAWL, function, *arguments)

    def _end(self) -> None:
        if self._killable is not None and not self._waiting:
            self._killable.kill()
            self._killable = None
