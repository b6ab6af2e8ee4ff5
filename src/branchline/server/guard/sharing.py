"""Limits that hold across servers: who used up much of one here is charged by the other servers too.

Each server counts by itself, so that a limit holds where the bus is away; what is told is only what is worth it.
"""

import asyncio
from collections.abc import Mapping

from branchline.server.bus import Bus, News
from branchline.server.guard.limits import Limiter

EVERY = 1.0
"""Seconds between two tellings."""
SHARE = 0.1
"""Of a limit's burst, what somebody has to have used before others are told."""
FORGOTTEN = 60
"""Tellings after which what was not worth one is forgotten."""


class SharedLimits:
    """The limits of one server, and what others say of theirs."""

    def __init__(self, limits: Mapping[str, Limiter]) -> None:
        """`limits` by name."""
        self._limits = limits

    async def run(self, bus: Bus) -> None:
        """Tell the others, until cancelled."""
        for limiter in self._limits.values():
            limiter.spent = {}
        rounds = 0
        while True:
            await asyncio.sleep(EVERY)
            rounds += 1
            self.tell(bus)
            if rounds % FORGOTTEN == 0:
                for limiter in self._limits.values():
                    limiter.spent = {}

    def tell(self, bus: Bus) -> None:
        """Tell what is worth it."""
        for name, limiter in self._limits.items():
            least = SHARE * limiter.limit.burst * limiter.scale
            for key, amount in list((limiter.spent or {}).items()):
                if amount >= least:
                    bus.publish(News("spent", f"{name}/{key}", revision=round(amount * 1_000)))
                    del limiter.spent[key]  # type: ignore[union-attr]

    def hear(self, news: News) -> None:
        """Charge what somebody used up elsewhere."""
        name, _, key = news.id.partition("/")
        limiter = self._limits.get(name)
        if limiter is not None:
            limiter.charge(key, news.revision / 1_000, here=False)
