"""Rate limits: token buckets by whom they bind."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Limit:
    """So many a second in the long run, and so many at once."""

    rate: float
    burst: float


REQUESTS = Limit(20, 120)
"""HTTP requests, by address."""
ENTRIES = Limit(0.2, 20)
"""New identities and tries at codes and device links, by address: guessing must not pay."""
TABLES = Limit(0.1, 10)
"""New tables, by person."""
UPLOADS = Limit(0.2, 5)
"""Records to look at, by address: each is replayed."""
MESSAGES = Limit(15, 60)
"""Socket messages, by person."""
CHAT = Limit(0.5, 5)
"""Chat lines, by person."""
QUESTIONS = Limit(5, 20)
"""Explanations and hints, by person."""


@dataclass(slots=True)
class Limiter:
    """Counts what each key did of one kind."""

    limit: Limit
    scale: float
    """A multiple of the limit; 0 for no limit."""
    now: Callable[[], float]
    _buckets: dict[str, tuple[float, float]] = field(default_factory=dict)

    def allows(self, key: str) -> bool:
        """Whether `key` may once more, which is then counted."""
        if self.scale == 0:
            return True
        now, burst = self.now(), self.limit.burst * self.scale
        left, at = self._buckets.get(key, (burst, now))
        left = min(burst, left + (now - at) * self.limit.rate * self.scale)
        allowed = left >= 1
        self._buckets[key] = (left - 1 if allowed else left, now)
        if len(self._buckets) > 10_000:
            self._forget(now)
        return allowed

    def _forget(self, now: float) -> None:
        full = self.limit.burst / self.limit.rate
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if now - bucket[1] < full}
