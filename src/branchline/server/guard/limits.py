"""Rate limits: token buckets by whom they bind."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Limit:
    """So many a second in the long run, and so many at once."""

    rate: float
    burst: float


ARRIVALS = Limit(20, 300)
"""Connections, by address."""
REQUESTS = Limit(20, 120)
"""HTTP requests, by address."""
ENTRIES = Limit(0.2, 20)
"""New identities and tries at codes and device links, by address: guessing must not pay."""
TABLES = Limit(0.1, 10)
"""New tables, by person."""
UPLOADS = Limit(0.2, 5)
"""Records to look at, by address: each is replayed."""
REVIEWS = Limit(0.01, 8)
"""Reviews, by person: each takes a core for a minute or so, and deeper ones count for several."""
MESSAGES = Limit(15, 60)
"""Socket messages, by person."""
CHAT = Limit(0.5, 5)
"""Chat lines, by person."""
QUESTIONS = Limit(5, 20)
"""Explanations and hints, by person."""


RENAMES = Limit(1 / 30, 5)
"""New names for the same person: each is written at all their tables."""
ADDRESS_SECONDS = Limit(0.15, 0.75)
"""Seconds of the loop's processor time, by address: what one address can take from everybody else."""
PERSON_SECONDS = Limit(0.05, 0.5)
"""The same, by person."""

KEYS = 10_000
"""Keys that are remembered before those with a full bucket are forgotten."""


@dataclass(slots=True, eq=False)
class Limiter:
    """Counts what each key did of one kind."""

    limit: Limit
    scale: float
    """A multiple of the limit; 0 for no limit."""
    now: Callable[[], float]
    _buckets: dict[str, tuple[float, float]] = field(default_factory=dict)
    _most: int = KEYS
    spent: dict[str, float] | None = None
    """By key, what other servers have not been told; None where there are none."""

    def allows(self, key: str) -> bool:
        """Whether `key` may once more, which is then counted."""
        if self.scale == 0:
            return True
        left = self._left(key)
        allowed = left >= 1
        self._keep(key, left - 1 if allowed else left)
        if allowed:
            self._note(key, 1.0)
        return allowed

    def is_spent(self, key: str) -> bool:
        """Whether `key` has used up what it may, where that is charged and not counted."""
        return self.scale != 0 and self._left(key) <= 0

    def charge(self, key: str, amount: float, here: bool = True) -> None:
        """Take an amount from `key`, also one that it does not have: it has to wait for that long.

        What was not used up `here` is not told on to other servers.
        """
        if self.scale != 0:
            self._keep(key, max(self._left(key) - amount, -self.limit.burst * self.scale))
            if here:
                self._note(key, amount)

    def _note(self, key: str, amount: float) -> None:
        if self.spent is not None and (key in self.spent or len(self.spent) < KEYS):
            self.spent[key] = self.spent.get(key, 0.0) + amount

    def _left(self, key: str) -> float:
        burst = self.limit.burst * self.scale
        bucket = self._buckets.get(key)
        if bucket is None:
            return burst
        return min(burst, bucket[0] + (self.now() - bucket[1]) * self.limit.rate * self.scale)

    def _keep(self, key: str, left: float) -> None:
        self._buckets[key] = (left, self.now())
        if len(self._buckets) > self._most:
            self._forget()

    def _forget(self) -> None:
        """Forget full buckets, and when to do so next, so that a crowd of strangers does not make every look dear."""
        burst = self.limit.burst * self.scale
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if self._left(key) < burst}
        self._most = max(KEYS, 2 * len(self._buckets))
