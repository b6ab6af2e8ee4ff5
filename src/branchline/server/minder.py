"""Plays for seats that do not play themselves: bots, stand-ins, and turns that the clock ran out on."""

import asyncio
import logging
from collections.abc import Callable
from random import Random

from branchline.server.bots import REGULAR, anything
from branchline.server.guard.limits import Limiter
from branchline.server.guard.meter import Account, metered, payer
from branchline.server.guard.safety import PAUSE
from branchline.server.pace import GRACE
from branchline.server.refused import Refused
from branchline.server.services import Clock
from branchline.server.standing import Asked
from branchline.server.store import Busy
from branchline.server.table import Table
from branchline.server.workers import Workers

_log = logging.getLogger("branchline.minder")

RETRY = 2.0
"""Seconds before a bot tries again what the database could not store."""
ENDLESS = 2_000
"""Entries in a row without a person after which a game ends: several times as many as any game has. Rules alone would
let bots fail tunnels for ever."""
OWED = "tunnel-owed"
"""The stage in which a seat pays or takes back."""
TEMPO = {"slow": 2.0, "normal": 1.0, "quick": 0.35, "at-once": 0.0}
"""Multiples of a bot's delays, by how its table wants them."""
NAP = 30.0
"""Longest sleep: the clock on the wall may be set meanwhile."""


class BotMinder:
    """One task for each table that waits for a bot or a clock."""

    def __init__(
        self,
        workers: Workers,
        now: Clock,
        pace: float,
        random: Random,
        seed: Callable[[], int],
        seconds: Limiter,
    ) -> None:
        """`pace` scales the bots' delays, 0 for none; `random` makes them natural; `seed` is for their choices.

        What they take of the loop's time is charged by `seconds` to where their table was opened from.
        """
        self._seconds = seconds
        self._workers = workers
        self._now = now
        self._pace = pace
        self._random = random
        self._seed = seed
        self._up = now()
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

    @property
    def minded(self) -> int:
        """How many tables it minds."""
        return len(self._tasks)

    def close(self) -> None:
        """Stop everywhere."""
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()

    async def _mind(self, table: Table) -> None:
        account = Account(self._seconds, _where(table))
        payer.set(account)  # of this task alone, and of what the table does for it: not who acted last pays for bots
        while table.status == "playing":
            try:
                seat, by = await self._due(table)
                if seat is None:
                    return
                while account.is_spent:
                    await asyncio.sleep(PAUSE)
                await metered(self._play(table, seat, by))
                # The table called look_after, so another task goes on from here.
                return
            except Refused as refused:
                _log.info("table %s: a bot was refused, %s", table.id, refused.code)
                await asyncio.sleep(RETRY)
            except Busy:
                await asyncio.sleep(RETRY)  # the store has said so
            except asyncio.CancelledError:
                raise
            except Exception:
                _log.exception("table %s: a bot could not play", table.id)
                await asyncio.sleep(RETRY)

    async def _due(self, table: Table) -> tuple[int | None, str]:
        """The next seat to play for, when it is time."""
        head = table.head
        if head.challenge is not None and not all(head.sitters[seat].plays_itself for seat in head.to_act):
            # In the opening people answer first: that they have is all that bots know of it, at every table alike.
            return None, ""
        for seat in head.to_act:
            if head.sitters[seat].plays_itself:
                return seat, "bot" if head.sitters[seat].who == "bot" else "stand-in"
        if head.deadline is None or not head.to_act:
            return None, ""
        # Where others serve the same tables, nobody was kept away by this server's start.
        back = head.deadline if table.services.leases.others else self._up + GRACE
        deadline = max(head.deadline, back)
        while (left := deadline - self._now()) > 0:
            await asyncio.sleep(min(left, NAP))
        return head.to_act[0], "clock"

    async def _play(self, table: Table, seat: int, by: str) -> None:
        head, game = table.head, table.game
        assert game is not None
        if head.unattended >= ENDLESS:
            _log.warning(
                "table %s: bots have played %s times in a row and lead nowhere; it ends", table.id, head.unattended
            )
            await table.end(Asked("table"))
            return
        ask = head.asked[seat]
        assert ask is not None
        began = asyncio.get_running_loop().time()
        delay = 0.0 if by == "clock" and game.stage != OWED else self._delay(table)
        level = REGULAR if by == "clock" else head.sitters[seat].level or REGULAR
        view = game.view(seat)
        same = table.chance(seat)
        seed = self._seed() if same is None else same
        choice = await self._workers.choose(level, view, seed, _where(table), by_clock=same is None)
        if choice is None:
            # The others must not wait for a bot that fails, and the log says that it was not the bot's choice.
            action, by = anything(view, seed), "fallback" if by == "bot" else by
        else:
            action = choice.action
        await asyncio.sleep(delay - (asyncio.get_running_loop().time() - began))
        await table.submit(seat, action, ask, Asked(by))

    def _delay(self, table: Table) -> float:
        """How long a bot seems to think: told by what everybody sees, never by what it holds (R8.4)."""
        assert table.game is not None
        tempo = self._pace * (0.0 if table.head.hurried else TEMPO[table.head.bots])
        seconds = self._random.uniform(0.7, 1.6)
        if table.head.undoable is not None:
            seconds += 3.0  # room to take it back
        if table.game.stage != "turn":
            seconds += 1.0
        if table.game.stage == OWED and self._pace:
            # Whether it can pay must not show: as long as the longest thought about it takes.
            return seconds * tempo + self._workers.longest
        return seconds * tempo


def _where(table: Table) -> str:
    """Who pays for the bots of a table: where it was opened from; itself, where that is not known."""
    return table.stored.origin or table.id
