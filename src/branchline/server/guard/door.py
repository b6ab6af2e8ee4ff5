"""The door: how many connections there are, from whom, for how long, and who has to go when there is no room."""

import asyncio
import contextlib
from collections.abc import Callable
from enum import IntEnum
from typing import Any

from branchline.server.guard.addresses import network
from branchline.server.guard.limits import Limiter

SWEEP = 1.0
"""Seconds between looks at who overstays."""
SLOWEST = 16 * 1024
"""Bytes a second that somebody has to read at least, once the system's own buffers are full."""
PATIENCE = 10.0
"""Seconds for which nothing at all may be read."""
UNREAD = 8 * 1024 * 1024
"""Bytes that may wait to be read at one address before it is sent another large answer."""
RESERVE = 128
"""Descriptors that no connection gets: for the database, the bots' workers, the log."""


class Rank(IntEnum):
    """What a connection is for; where there is no room the lowest goes first, the oldest of them."""

    HALF = 0
    """It has not asked for anything yet."""
    IDLE = 1
    """It has been answered and may ask again."""
    WATCHING = 2
    """A spectator's socket."""
    ASKING = 3
    """A request is being answered."""
    SEATED = 4
    """The socket of somebody with a seat; never sent away to make room."""


class Visit:
    """One connection, whatever is spoken on it."""

    __slots__ = ("_door", "cut", "due", "key", "late", "rank", "stuck", "transport")

    def __init__(self, door: "Door", transport: Any, key: str | None) -> None:
        """`key` is whom it counts for, None for a proxy's."""
        self._door = door
        self.transport = transport
        self.key = key
        self.rank = Rank.HALF
        self.due: float | None = None
        """When it has been waited for long enough."""
        self.cut: Callable[[], None] = transport.abort
        """Off at once: a closing handshake would wait behind what is not read."""
        self.late: Callable[[], None] = transport.abort
        """What is done when it is due."""
        self.stuck: tuple[float, int] | None = None
        """Since when something has been waiting to be read, and the most of it."""

    def becomes(self, rank: Rank, seconds: float | None = None) -> None:
        """It is for something else now, and may stay so for some seconds."""
        self.due = None if seconds is None else self._door.now() + seconds
        if rank is not self.rank:
            self._door.move(self, rank)

    def takes(self, length: int) -> bool:
        """Whether it may be sent that much more: its address reads what it asks for, or has asked for little."""
        unread = self._door.unread(self.key)
        return not unread or unread + length <= UNREAD

    def leave(self) -> None:
        """It is closed."""
        self._door.leave(self)


class Door:
    """All connections of a server."""

    def __init__(
        self, most: int, per_address: int, arrivals: Limiter, is_proxy: Callable[[str], bool], now: Callable[[], float]
    ) -> None:
        """`most` connections in all and `per_address` (0 for any number), which do not count for a proxy's own."""
        self.now = now
        self._most = most
        self._per_address = per_address
        self._arrivals = arrivals
        self._is_proxy = is_proxy
        self._by_rank: dict[Rank, dict[Visit, None]] = {rank: {} for rank in Rank}
        self._by_address: dict[str, set[Visit]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return sum(len(visits) for visits in self._by_rank.values())

    def enter(self, transport: Any, host: str) -> Visit | None:
        """Let a connection in, if need be in the place of a lesser one; None if it has to go."""
        key = None if self._is_proxy(host) else network(host)
        if key is not None:
            full = self._per_address and len(self._by_address.get(key, ())) >= self._per_address
            if full or not self._arrivals.allows(key):
                return None
        if len(self) >= self._most and not self._make_room():
            return None
        visit = Visit(self, transport, key)
        self._by_rank[visit.rank][visit] = None
        if key is not None:
            self._by_address.setdefault(key, set()).add(visit)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SWEEP, self._sweep)
        return visit

    def move(self, visit: Visit, rank: Rank) -> None:
        """A connection is for something else now."""
        if visit in self._by_rank[visit.rank]:
            del self._by_rank[visit.rank][visit]
            self._by_rank[rank][visit] = None
            visit.rank = rank

    def leave(self, visit: Visit) -> None:
        """A connection is closed; told twice it counts once."""
        if visit not in self._by_rank[visit.rank]:
            return
        del self._by_rank[visit.rank][visit]
        if visit.key is not None:
            self._by_address[visit.key].discard(visit)
            if not self._by_address[visit.key]:
                del self._by_address[visit.key]

    def unread(self, key: str | None) -> int:
        """Bytes that wait to be read at an address; a proxy, which reads for others, is taken to read."""
        visits = () if key is None else self._by_address.get(key, ())
        return sum(visit.transport.get_write_buffer_size() for visit in visits)

    def _make_room(self) -> bool:
        for rank in Rank:
            if rank is not Rank.SEATED and self._by_rank[rank]:
                victim = next(iter(self._by_rank[rank]))
                victim.cut()
                self.leave(victim)
                return True
        return False

    def _sweep(self) -> None:
        """Cut off whoever is too late with a request, reads too slowly, or is closed but never goes."""
        now = self.now()
        for visits in self._by_rank.values():
            for visit in list(visits):
                if _is_stuck(visit, now):
                    visit.cut()
                elif visit.due is not None and now > visit.due:
                    visit.late()
        self._timer = asyncio.get_running_loop().call_later(SWEEP, self._sweep) if len(self) else None


def _is_stuck(visit: Visit, now: float) -> bool:
    waiting = visit.transport.get_write_buffer_size()
    if not waiting and not visit.transport.is_closing():
        visit.stuck = None
        return False
    since, most = visit.stuck or (now, 0)
    visit.stuck = (since, max(most, waiting))
    return bool(now > since + PATIENCE + max(most, waiting) / SLOWEST)


def room() -> int:
    """How many connections the system lets this process have, as many as it can be talked into."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return 2_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return max(32, (65_536 if soft == resource.RLIM_INFINITY else min(soft, 65_536)) - RESERVE)
