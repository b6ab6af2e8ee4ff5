"""Worker processes that bots think in: low priority, killable, with a budget that shrinks under load."""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from branchline.server import bots
from branchline.views import View

_log = logging.getLogger("branchline.workers")

OVERTIME = 5.0
"""Seconds past its budget after which a worker is killed: it hangs."""
LEAST = 0.02
"""Seconds that a bot always gets."""

Job = tuple[str, View, int, float]


class Failed(Exception):
    """A bot raised something or chose what is not legal; its worker is well."""


class Workers:
    """A few processes that share the bots' thinking."""

    def __init__(self, count: int = 0, budget: float = 1.0) -> None:
        """Workers start when first needed. `budget` is for one action when nothing else waits."""
        self.count = count or max(1, (os.cpu_count() or 2) - 1)
        self._budget = budget
        self._waiting = 0
        self._threads = ThreadPoolExecutor(self.count, thread_name_prefix="bots")
        self._own = threading.local()
        self._all: list[_Worker] = []
        self._closed = False

    @property
    def budget(self) -> float:
        """Seconds for one action now: what there is, shared among those that wait."""
        return max(LEAST, self._budget / max(1.0, (self._waiting + 1) / self.count))

    @property
    def longest(self) -> float:
        """Seconds that a bot thinks at most."""
        return self._budget

    async def choose(self, level: str, view: View, seed: int) -> bots.Choice | None:
        """What a bot does here; None if it failed or its worker crashed or hung."""
        budget = self.budget
        self._waiting += 1
        try:
            run = asyncio.get_running_loop().run_in_executor(self._threads, self._choose, (level, view, seed, budget))
            return await run
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Kill the workers."""
        self._closed = True
        for worker in self._all:
            worker.kill()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _choose(self, job: Job) -> bots.Choice | None:
        level, _, _, budget = job
        worker: _Worker | None = getattr(self._own, "worker", None)
        try:
            if worker is None or not worker.alive:
                worker = self._own.worker = _Worker()
                self._all.append(worker)
            return worker.ask(job, budget + OVERTIME)
        except Failed as failed:
            _log.warning("the bot %s failed: %s", level, failed)
            return None
        except Exception as error:
            if not self._closed:
                _log.warning("a worker thinking as %s was ended: %s", level, type(error).__name__)
            if worker is not None:
                worker.kill()
                with contextlib.suppress(ValueError):
                    self._all.remove(worker)
            self._own.worker = None
            return None


class _Worker:
    """One process and the pipe to it."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=_work, args=(theirs,), daemon=True, name="branchline-bot")
        self._process.start()
        theirs.close()
        if not self._pipe.poll(30):
            self.kill()
            raise TimeoutError
        self._pipe.recv()

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def ask(self, job: Job, seconds: float) -> bots.Choice:
        self._pipe.send(job)
        if not self._pipe.poll(seconds):
            raise TimeoutError
        answer = self._pipe.recv()
        if isinstance(answer, str):
            raise Failed(answer)
        choice: bots.Choice = answer
        return choice

    def kill(self) -> None:
        with contextlib.suppress(Exception):
            self._process.kill()
            self._process.join(1)
            self._pipe.close()


def _work(pipe: Connection) -> None:
    """The life of a worker: answer until the pipe closes."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    bots.levels()
    pipe.send("ready")
    while True:
        try:
            level, view, seed, budget = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            pipe.send(bots.choose(level, view, seed, budget))
        except Exception as error:
            pipe.send(f"{type(error).__name__}")


def _end_with_the_server() -> None:
    """A worker that hangs would outlive a server that was killed."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
    os._exit(1)
