"""The one writer: a thread that commits whatever waits for it together."""

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeVar

from sqlalchemy import Connection, Engine

from branchline.server import crash
from branchline.server.store.base import Busy
from branchline.server.store.trouble import Complaints, translated

T = TypeVar("T")
Job = Callable[[Connection], object]
Waiting = tuple[Job, asyncio.AbstractEventLoop, "asyncio.Future[object]"]
Outcome = tuple[object, Exception | None]

TOGETHER = 256
"""Most writes in one commit."""


class Writer:
    """Runs writes in one thread, all that wait in one transaction: a commit costs the same for one and for fifty."""

    def __init__(self, engine: Engine, complaints: Complaints) -> None:
        """Start the thread. What goes wrong is told to `complaints`."""
        self._engine = engine
        self._complaints = complaints
        self._queue: SimpleQueue[Waiting | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def write(self, job: Callable[[Connection], T]) -> T:
        """Run a job and return what it returned, after its commit. A job may run more than once: it only writes."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[object] = loop.create_future()
        self._queue.put((job, loop, future))
        return await future  # type: ignore[return-value]

    def stop(self) -> None:
        """Finish what waits and end the thread."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        stopping = False
        while not stopping:
            batch: list[Waiting] = []
            item = self._queue.get()
            while item is not None:
                batch.append(item)
                if len(batch) == TOGETHER or self._queue.empty():
                    break
                item = self._queue.get()
            stopping = item is None
            if batch:
                self._finish(batch, self._commit([job for job, _, _ in batch]))

    def _commit(self, jobs: list[Job]) -> list[Outcome]:
        try:
            return self._transaction(jobs)
        except Exception as error:
            found = translated(error)
            if isinstance(found, Busy):
                self._complaints.failed(found)
                if found.trouble != "failed":
                    return [(None, found) for _ in jobs]  # each alone would only wait for the same
            if len(jobs) == 1:
                return [(None, found)]
        # One of them is at fault; alone, each gets what it deserves.
        return [self._commit([job])[0] for job in jobs]

    def _transaction(self, jobs: list[Job]) -> list[Outcome]:
        with self._engine.connect() as connection, connection.begin():
            outcomes: list[Outcome] = [(job(connection), None) for job in jobs]
            crash.point(crash.BEFORE_COMMIT)
        crash.point(crash.AFTER_COMMIT)
        self._complaints.worked()
        return outcomes

    def _finish(self, batch: list[Waiting], outcomes: list[Outcome]) -> None:
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[object], Outcome]]] = {}
        for (_, loop, future), outcome in zip(batch, outcomes, strict=True):
            by_loop.setdefault(loop, []).append((future, outcome))
        for loop, settled in by_loop.items():
            try:
                loop.call_soon_threadsafe(_settle, settled)
            except RuntimeError:
                continue  # the loop ended while this was written; nobody waits any more


def _settle(settled: list[tuple["asyncio.Future[object]", Outcome]]) -> None:
    for future, (value, error) in settled:
        if future.done():
            continue
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)
