"""Reviews: one after another, in a process that stands still while bots need all the cores there are for them.

Servers of one database tell each other through it which reviews they make and how far these are: whichever one is asked
tells the same, and none makes what another makes.
"""

import asyncio
import logging
from collections import Counter, OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, cast, get_args

import orjson

from branchline.killable import Bounds, Ended, Failed, Killable
from branchline.review import work
from branchline.server.ending import end
from branchline.server.messages import ReviewState, ReviewTrouble
from branchline.server.refused import Refused
from branchline.server.services import Clock
from branchline.server.store import Busy, ReviewingRow, ReviewRow, Store
from branchline.server.workers import Workers

_log = logging.getLogger("branchline.reviews")

WAITING = 20
"""Reviews that may wait; whoever comes then is asked to come again."""
EACH = 4
"""Reviews that may wait for one address."""
WHOLE = 1_800.0
"""Seconds of processor time for one review: several times what the longest real game takes."""
STEP = 600.0
"""Seconds that one step may take, however busy the machine is and however often it stood still."""
MEMORY = 1024 * 1024 * 1024
PAUSE = 0.05
"""Seconds between looks at whether bots still think."""
FAILED = 50
"""Reviews that failed, of which the reason is remembered."""
LONGEST = 300
"""Characters of a reason in the log."""
BEAT = 1.0
"""Seconds after which other servers are told anew how far reviews are."""
TOLD = 15.0
"""Seconds for which they believe it: a server that says nothing for so long is gone, and its reviews with it."""
SORRY = 600.0
"""Seconds for which they know why one failed."""
SEED = 0
"""Everybody who reviews a game gets the same review."""


@dataclass(slots=True)
class Job:
    """A review that waits or runs."""

    game: str
    depth: int
    record: bytes
    person: str
    who: str
    """The address it was asked for from."""
    steps: list[Any] = field(default_factory=list)
    total: int = 0

    @property
    def key(self) -> tuple[str, int]:
        """What is reviewed, and how deep."""
        return self.game, self.depth


class Reviews:
    """All reviews of this server: those that are kept, and the one that is being made."""

    def __init__(self, store: Store, workers: Workers, now: Clock, server: str) -> None:
        """`workers` are where bots think: they come first. `server` is the name of this one in the database."""
        self._store = store
        self._server = server
        self._workers = workers
        self._now = now
        self._jobs: OrderedDict[tuple[str, int], Job] = OrderedDict()
        self._current: Job | None = None
        self._had: dict[str, int] = {}
        """By address that waits, which turn it has next: whoever comes begins where those who wait are."""
        self._failed: OrderedDict[tuple[str, int], ReviewTrouble] = OrderedDict()
        self._task: asyncio.Task[None] | None = None
        self._beat: asyncio.Task[None] | None = None
        self._telling = asyncio.Lock()
        """So that how far a review was is not told after how it ended."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="reviews")
        self._killable: Killable | None = None
        self._closed = False

    async def waits_for(self, person: str) -> bool:
        """Whether a review that somebody asked for, of whichever server, is not done yet."""
        if any(job.person == person for job in self._jobs.values()):
            return True
        return self._store.shared and await self._store.reviewing_for(person)

    async def state(self, game: str, depth: int) -> ReviewState:
        """How far the review of a game is, and the review itself once it is there."""
        key = (game, depth)
        state: ReviewState = {
            "game": game,
            "depth": depth,
            "state": "none",
            "done": 0,
            "total": 0,
            "ahead": 0,
            "problem": None,
            "review": None,
        }
        kept = await self._store.review(game, depth)
        if kept is not None:
            review = orjson.loads(kept)
            steps = len(review["series"])
            return {**state, "state": "done", "done": steps, "total": steps, "review": cast(Any, review)}
        job = self._jobs.get(key)
        row = None
        if job is not None:
            row = self._row(job)
        elif self._store.shared:
            row = await self._store.reviewing(game, depth)
        if row is not None and row.problem is None:
            running = "running" if row.ahead == 0 and row.total else "waiting"
            return {**state, "state": cast(Any, running), "done": row.done, "total": row.total, "ahead": row.ahead}
        problem = self._failed.get(key) if row is None else row.problem
        return state if problem is None else {**state, "state": "failed", "problem": _known(problem)}

    async def ask(self, game: str, depth: int, record: bytes, person: str, who: str) -> ReviewState:
        """Have a game reviewed, unless it was or is being; refused while too many wait, or for `person` already.

        Those who ask from one address, `who`, wait for one another: of people an address has any number.
        """
        state = await self.state(game, depth)
        if state["state"] in ("done", "running", "waiting"):
            return state
        if await self.waits_for(person):
            raise Refused("reviews", "the review you asked for last is not done yet; wait for it", status=429)
        self._check_room(who)
        job = Job(game, depth, record, person, who)
        if not self._store.shared:
            self._add(job)
        elif await self._store.note_reviewing(self._row(job), TOLD):
            try:
                self._check_room(who)  # others have come while this one was noted
            except Refused:
                await self._store.forget_reviewing(self._server, [job.key])
                raise
            self._add(job)
            if self._beat is None or self._beat.done():
                self._beat = asyncio.create_task(self._tell())
        return await self.state(game, depth)

    def _check_room(self, who: str) -> None:
        theirs = sum(job.who == who for job in self._jobs.values())
        if len(self._jobs) >= WAITING or theirs >= EACH or self._closed:
            raise Refused("busy", "too many ask for this now; try again in a minute", status=503)

    def _add(self, job: Job) -> None:
        self._failed.pop(job.key, None)
        self._had.setdefault(job.who, min(self._had.values(), default=0))
        self._jobs.setdefault(job.key, job)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        """End whatever is being made."""
        self._closed = True
        self._end()
        await end(*(task for task in (self._task, self._beat) if task is not None))
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._store.shared and self._jobs:
            with suppress(Busy):
                await self._store.forget_reviewing(self._server, list(self._jobs))

    async def _tell(self) -> None:
        """Tell other servers, as long as there is something to tell."""
        while self._jobs:
            async with self._telling:
                with suppress(Busy):
                    for job in list(self._jobs.values()):
                        await self._store.note_reviewing(self._row(job), TOLD)
            await asyncio.sleep(BEAT)

    def _row(self, job: Job) -> ReviewingRow:
        ahead = self._line().index(job) if self._jobs.get(job.key) is job else len(self._jobs)
        return ReviewingRow(job.game, job.depth, self._server, job.person, len(job.steps), job.total, ahead)

    async def _work(self) -> None:
        while self._jobs and not self._closed:
            job = self._current = self._line()[0]
            problem = await self._trouble(job)
            async with self._telling:
                self._jobs.pop(job.key, None)
                self._current = None
                waiting = {job.who for job in self._jobs.values()}
                self._had = {who: had + (who == job.who) for who, had in self._had.items() if who in waiting}
                if problem is not None:
                    self._fail(job.key, problem)
                if self._store.shared:
                    await self._tell_end(job, problem)
        # An idle process would keep what it has read.
        self._end()

    async def _tell_end(self, job: Job, problem: ReviewTrouble | None) -> None:
        with suppress(Busy):
            if problem is None:
                await self._store.forget_reviewing(self._server, [job.key])
            else:
                await self._store.note_reviewing(replace(self._row(job), problem=problem), SORRY)

    async def _trouble(self, job: Job) -> ReviewTrouble | None:
        """Make a review; why that failed, if it did."""
        try:
            await self._review(job)
        except Failed as failed:
            # Its words may hold what somebody sent.
            _log.info("the review of %s, depth %s: %s, %r", job.game, job.depth, failed, failed.text[:LONGEST])
            return "record"
        except Ended:
            return "too-much"
        except Busy:
            return "cannot-store"
        except Exception:
            _log.exception("a review failed")
            return "failed"
        return None

    def _line(self) -> list[Job]:
        """All jobs as they come: the one that is made now, then each address in turn, the first that asked first."""
        places: list[tuple[int, Job]] = []
        asked: Counter[str] = Counter()
        for job in self._jobs.values():
            place = -1 if job is self._current else self._had[job.who] + asked[job.who]
            asked[job.who] += 1
            places.append((place, job))
        return [job for _, job in sorted(places, key=lambda placed: placed[0])]

    async def _review(self, job: Job) -> None:
        loop = asyncio.get_running_loop()
        self._end()
        data = orjson.loads(job.record)
        job.total = await loop.run_in_executor(self._thread, self._begin, data, job.depth)
        while len(job.steps) < job.total:
            while self._bots_think:
                await asyncio.sleep(PAUSE)
            step = loop.run_in_executor(self._thread, self._ask, work.judge_step, len(job.steps))
            job.steps.append(await self._giving_way(step))
        review = await loop.run_in_executor(self._thread, self._ask, work.finish, job.steps)
        accuracy = orjson.dumps([seat["accuracy"] for seat in review["seats"]]).decode()
        row = ReviewRow(job.game, job.depth, self._now(), accuracy, orjson.dumps(review).decode())
        await self._store.save_review(row)

    @property
    def _bots_think(self) -> bool:
        """Whether bots of running games take all the processes there are for them."""
        return self._workers.waiting >= self._workers.count

    async def _giving_way(self, step: "asyncio.Future[Any]") -> Any:
        """Wait for a step; it stands still while bots think."""
        held = False
        while not (await asyncio.wait({step}, timeout=PAUSE))[0]:
            if self._bots_think != held and self._killable is not None:
                held = not held
                self._killable.hold(held)
        return step.result()

    def _begin(self, data: object, depth: int) -> int:
        self._killable = Killable(Bounds(life=WHOLE, memory=MEMORY, nice=10))
        if self._closed:
            self._killable.kill()
        total: int = self._ask(work.begin, data, depth, SEED)
        return total

    def _ask(self, function: Any, *arguments: Any) -> Any:
        assert self._killable is not None
        return self._killable.run(STEP, function, *arguments)

    def _end(self) -> None:
        if self._killable is not None:
            self._killable.kill()
            self._killable = None

    def _fail(self, key: tuple[str, int], problem: ReviewTrouble) -> None:
        self._failed[key] = problem
        while len(self._failed) > FAILED:
            self._failed.popitem(last=False)


def _known(problem: str) -> ReviewTrouble:
    """A reason that another server wrote down, perhaps in words of its own."""
    return cast(ReviewTrouble, problem) if problem in get_args(ReviewTrouble) else "failed"
