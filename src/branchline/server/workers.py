"""Worker processes that bots think in: low priority, killable, with a budget that shrinks under load."""

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor

from branchline import spread
from branchline.bots.base import Budget
from branchline.engine.shuffle import Rng
from branchline.killable import Bounds, Ended, Failed, Killable, TooMuch
from branchline.review.deals import NODES
from branchline.server import bots
from branchline.server.guard.turns import Turns
from branchline.views import View

_log = logging.getLogger("branchline.workers")

OVERTIME = 5.0
"""Seconds past its budget after which a worker is killed: it hangs."""
LEAST = 0.02
"""Seconds that a bot always gets."""
PATIENCE = 30.0
"""Seconds that a bot may take where no clock may decide what it does."""

Job = tuple[str, View, int | Rng, Budget]


class Workers:
    """A few processes that share the bots' thinking."""

    def __init__(self, count: int = 0, budget: float = 1.0) -> None:
        """Workers start when first needed. `budget` is for one action when nothing else waits."""
        self.count = count or max(1, spread.cores() - 1)
        self._budget = budget
        self._waiting = 0
        self._taken = 0
        """Processes that those who think now may use."""
        self.turns = Turns(max(1, self.count // 2))
        """By whom the bots think for: a hundred tables of one address wait for one another, not everybody for them."""
        self._threads = ThreadPoolExecutor(self.count, thread_name_prefix="bots")
        self._own = threading.local()
        self._all: list[Killable] = []
        self._closed = False

    @property
    def budget(self) -> float:
        """Seconds for one action now: what there is, shared among those that wait."""
        return max(LEAST, self._budget / max(1.0, (self._waiting + 1) / self.count))

    @property
    def cores(self) -> int:
        """Processes that one action may be thought about in now: those of the workers that have nothing to do."""
        return max(1, self.count - max(self._waiting, self._taken))

    @property
    def waiting(self) -> int:
        """Decisions that wait or are thought about."""
        return self._waiting

    @property
    def longest(self) -> float:
        """Seconds that a bot thinks at most."""
        return self._budget

    async def choose(
        self, level: str, view: View, seed: int | Rng, who: str, by_clock: bool = True
    ) -> bots.Decision | None:
        """What a bot does here, for whom; None if it failed, its worker hung, or two workers died over it.

        It thinks for as long as there is time, or, not `by_clock`, always the same.
        """
        async with self.turns.turn(who):
            budget = Budget(seconds=self.budget, cores=self.cores) if by_clock else Budget(nodes=NODES)
            job = (level, view, seed, budget)
            self._waiting += 1
            self._taken += budget.cores
            try:
                return await asyncio.get_running_loop().run_in_executor(self._threads, self._choose, job)
            finally:
                self._waiting -= 1
                self._taken -= budget.cores

    def close(self) -> None:
        """Kill the workers."""
        self._closed = True
        for worker in self._all:
            worker.kill()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _choose(self, job: Job) -> bots.Decision | None:
        """Ask this thread's worker; if it dies over it, which is hardly the bot's fault, a fresh one, once."""
        level, _, _, budget = job
        for _ in range(2):
            worker: Killable | None = getattr(self._own, "worker", None)
            try:
                if worker is None or not worker.alive:
                    worker = self._own.worker = Killable(Bounds(nice=10), bots.levels)
                    self._all.append(worker)
                seconds = PATIENCE if budget.seconds is None else budget.seconds
                choice: bots.Decision = worker.run(seconds + OVERTIME, bots.choose, *job)
            except Failed as failed:
                _log.warning("the bot %s failed: %s", level, failed)
                return None
            except Ended as ended:
                if worker in self._all:
                    self._all.remove(worker)
                if self._closed:
                    return None
                _log.warning("a worker thinking as %s was ended: %s", level, type(ended).__name__)
                if isinstance(ended, TooMuch):
                    return None  # it hangs, and would again
            else:
                return choice
        return None
