"""Plays for seats that do not play themselves: bots, stand-ins, and turns that the clock ran out on."""

import asyncio
import logging
from collections.abc import Callable
from random import Random

from branchline.server.bots import REGULAR, anything
from branchline.server.pace import GRACE
from branchline.server.refused import Refused
from branchline.server.table import Asked, Clock, Table
from branchline.server.workers import Workers

_log = logging.getLogger("branchline.minder")

RETRY = 2.0
"""Seconds before a bot tries again what the database could not store."""
OWED = "tunnel-owed"
"""The stage in which a seat pays or takes back."""
NAP = 30.0
"""Longest sleep: the clock on the wall may be set meanwhile."""


class BotMinder:
    """One task for each table that waits for a bot or a clock."""

    def __init__(self, workers: Workers, now: Clock, pace: float, random: Random, seed: Callable[[], int]) -> None:
        """`pace` scales the bots' delays, 0 for none; `random` makes them natural; `seed` is for their choices."""
        self._workers = workers
        self._now = now
        self._pace = pace
        self._random = random
        self._seed = seed
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def look_after(self, table: Table) -> None:
        """Start over: whatever the table waited for may have changed."""
        self.forget(table)
        if table.wake is not None:
            self._tasks[table.id] = asyncio.get_running_loop().create_task(self._mind(table))

    def forget(self, table: Table) -> None:
        task = self._tasks.pop(table.id, None)
        if task is not None and task is not asyncio.current_task():
            task.cancel()

    def close(self) -> None:
        """Stop everywhere."""
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()

    async def _mind(self, table: Table) -> None:
        while table.status == "playing":
            try:
                seat, by = await self._due(table)
                if seat is None:
                    return
                await self._play(table, seat, by)
                # The table called look_after, so another task goes on from here.
                return
            except Refused as refused:
                _log.info("table %s: a bot was refused, %s", table.id, refused.code)
                await asyncio.sleep(RETRY)
            except asyncio.CancelledError:
                raise
            except Exception:
                _log.exception("table %s: a bot could not play", table.id)
                await asyncio.sleep(RETRY)

    async def _due(self, table: Table) -> tuple[int | None, str]:
        """The next seat to play for, when it is time."""
        head = table.head
        for seat in head.to_act:
            if head.sitters[seat].plays_itself:
                return seat, "bot" if head.sitters[seat].who == "bot" else "stand-in"
        if head.deadline is None or not head.to_act:
            return None, ""
        deadline = max(head.deadline, table.loaded + GRACE)
        while (left := deadline - self._now()) > 0:
            await asyncio.sleep(min(left, NAP))
        return head.to_act[0], "clock"

    async def _play(self, table: Table, seat: int, by: str) -> None:
        head, game = table.head, table.game
        assert game is not None
        ask = head.asked[seat]
        assert ask is not None
        began = asyncio.get_running_loop().time()
        delay = 0.0 if by == "clock" and game.stage != OWED else self._delay(table)
        level = REGULAR if by == "clock" else head.sitters[seat].level or REGULAR
        view = game.view(seat)
        choice = await self._workers.choose(level, view, self._seed())
        if choice is None:
            # The others must not wait for a bot that fails, and the log says that it was not the bot's choice.
            action, by = anything(view, self._seed()), "fallback" if by == "bot" else by
        else:
            action = choice.action
        await asyncio.sleep(delay - (asyncio.get_running_loop().time() - began))
        await table.submit(seat, action, ask, Asked(by))

    def _delay(self, table: Table) -> float:
        """How long a bot seems to think: told by what everybody sees, never by what it holds (R8.4)."""
        assert table.game is not None
        seconds = self._random.uniform(0.7, 1.6)
        if table.head.undoable is not None:
            seconds += 3.0  # room to take it back
        if table.game.stage != "turn":
            seconds += 1.0
        if table.game.stage == OWED and self._pace:
            # Whether it can pay must not show: as long as the longest thought about it takes.
            return seconds * self._pace + self._workers.longest
        return seconds * self._pace
