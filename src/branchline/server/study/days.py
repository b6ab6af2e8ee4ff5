"""The deals of the days: a chain of seeds that follows from the server's secret (`branchline.review.deals`)."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256

from branchline.review.deals import DAYS, EPOCH, Chain, of_the_day
from branchline.server.seeds import DAY

KEPT = 8
"""Days whose seeds are kept in memory: to find one takes a chain of hashes."""


@dataclass(frozen=True, slots=True)
class Day:
    """What is dealt on a day."""

    id: str
    map: str
    levels: tuple[str, ...]
    """The bots; the person has the seat before them."""
    begins: float
    ends: float
    seed: bytes


class Days:
    """The chain of one server."""

    def __init__(self, key: bytes) -> None:
        """`key` is the server's secret."""
        self._chain = Chain(sha256(b"branchline-days-1" + key).digest())
        self._kept: dict[date, Day] = {}

    def on(self, now: float) -> Day:
        """The deal of the day that it is, by UTC."""
        return self._day(datetime.fromtimestamp(now, UTC).date())

    def find(self, id: str, now: float) -> Day | None:
        """A day's deal by its id; None if there is no such day, or it has not come yet."""
        try:
            wanted = date.fromisoformat(id.removeprefix(DAY))
        except ValueError:
            return None
        if id != f"{DAY}{wanted.isoformat()}" or not EPOCH <= wanted <= datetime.fromtimestamp(now, UTC).date():
            return None
        return self._day(wanted) if (wanted - EPOCH).days < DAYS else None

    def _day(self, wanted: date) -> Day:
        if wanted not in self._kept:
            while len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            deal, begins = of_the_day(wanted), datetime(wanted.year, wanted.month, wanted.day, tzinfo=UTC)
            ends = (begins + timedelta(days=1)).timestamp()
            seed = self._chain.seed(wanted)
            self._kept[wanted] = Day(f"{DAY}{wanted}", deal.map, deal.bots, begins.timestamp(), ends, seed)
        return self._kept[wanted]
