"""Leases: which server plays for a table's bots and its clock, until when.

A table names the server that minds it, and that server renews one lease for all of them, by the database's clock. When
it stops, others take its tables over. What keeps two from playing for the same seat is not the lease but the revision
that every write follows: a server that was frozen finds on waking that its lease is over, and writes nothing as a
minder.
"""

import time
from collections.abc import Callable, Mapping
from typing import Literal

from branchline.server.store import Store

Kind = Literal["serve", "bots"]

SECONDS = 4.5
"""For which a lease runs."""
RENEW = 1.5
"""Seconds between two renewals."""
LEFT = 5.0
"""Seconds for which a bot's turn is left to the processes that only think, while there are any."""


class Leases:
    """Of one server."""

    def __init__(self, store: Store, server: str, kind: Kind, clock: Callable[[], float] = time.monotonic) -> None:
        """`server` is its name in the database; `clock` goes on while the process is frozen."""
        self.server = server
        self.kind: Kind = kind
        self.alive: Mapping[str, str] = {server: kind}
        """The servers there are, this one among them, and their kinds."""
        self._store = store
        self._clock = clock
        self._until = float("-inf")
        self._over = False

    @property
    def running(self) -> bool:
        """Whether this server's lease has not run out, as far as it can tell by itself: it may have been frozen."""
        return self._clock() < self._until

    @property
    def thinkers(self) -> bool:
        """Whether there are processes that only think, to which servers leave the bots."""
        return "bots" in self.alive.values()

    @property
    def others(self) -> bool:
        """Whether people can be at this site through another server too."""
        return any(kind == "serve" for server, kind in self.alive.items() if server != self.server)

    def holds(self, minder: str | None) -> bool:
        """Whether this server minds a table whose row names `minder`; alone with its database, it minds all."""
        if self._over:
            return False
        return not self._store.shared or (minder == self.server and self.running)

    def minder_for(self, wake: float | None) -> str | None:
        """Who minds a table that this server has just changed: itself, unless there is nothing to mind or others do."""
        if wake is None or self._over or (wake == 0.0 and self.kind == "serve" and self.thinkers):
            return None
        return self.server

    async def renew(self) -> tuple[bool, bool]:
        """Renew the lease; whether it had run out, and whether some server is gone."""
        asked = self._clock()
        renewed = await self._store.renew(self.server, self.kind, SECONDS)
        gone = not self.alive.keys() <= renewed.alive.keys()
        self.alive = renewed.alive
        self._until = asked + SECONDS
        return renewed.expired, gone

    def let_go(self) -> None:
        """Mind nothing from now on: what is still being written names no minder."""
        self._over = True

    async def claim(self, now: float, until: float, most: int) -> list[str]:
        """Tables that this server minds from now on, because nobody did or who did is gone."""
        before = now - LEFT if self.kind == "serve" and self.thinkers else now + LEFT
        return await self._store.claim(self.server, until, before, most)
