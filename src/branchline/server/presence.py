"""Presence: who is at a table, through this server or another, and since when others are away."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from branchline.server.bus import Bus, News
from branchline.server.ending import end
from branchline.server.store import Busy, PresenceRow, Store

if TYPE_CHECKING:
    from branchline.server.table import Table

TOGETHER = 0.05
"""Seconds for which comings and goings are gathered, to be written at once."""
AGAIN = 2.0
"""Seconds before it is tried again to write what the database could not store."""


class Present(Protocol):
    """Somebody with a socket."""

    person: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What other servers know of somebody."""

    here: bool
    since: float
    """Since when that is so."""


class Presence:
    """Of one table."""

    def __init__(self, sockets: Collection[Present], loaded: float) -> None:
        """`sockets` are this server's; who was not seen at all counts as gone since the table was loaded."""
        self._sockets = sockets
        self._loaded = loaded
        self._gone: dict[str, float] = {}
        """Since when somebody has had no socket here."""
        self._elsewhere: Mapping[str, Seen] = {}

    def has(self, person: str) -> bool:
        """Whether a person has a socket open, here or elsewhere."""
        other = self._elsewhere.get(person)
        return (other is not None and other.here) or self.has_here(person)

    def has_here(self, person: str) -> bool:
        """Whether a person has a socket open on this server."""
        return any(socket.person == person for socket in self._sockets)

    def away(self, person: str, now: float) -> float | None:
        """For how many seconds somebody has had no socket; None with one."""
        return None if self.has(person) else now - self.since(person)

    def since(self, person: str) -> float:
        """Since when somebody who has no socket has had none."""
        times = [self._gone[person]] if person in self._gone else []
        if person in self._elsewhere:
            times.append(self._elsewhere[person].since)
        return max(times, default=self._loaded)

    def came(self, person: str) -> None:
        """Somebody opened a socket here."""
        self._gone.pop(person, None)

    def went(self, person: str, now: float) -> None:
        """Somebody closed their last socket here."""
        self._gone[person] = now

    def learn(self, elsewhere: Mapping[str, Seen]) -> bool:
        """What other servers know; whether that is news."""
        if elsewhere == self._elsewhere:
            return False
        self._elsewhere = elsewhere
        return True

    def everybody(self) -> list[str]:
        """Whose sockets there are, one by one here; elsewhere somebody counts once."""
        return [socket.person for socket in self._sockets] + [
            person for person, seen in self._elsewhere.items() if seen.here
        ]

    def remember(self, gone: Mapping[str, float]) -> None:
        """Since when people had been away before the table slept."""
        self._gone.update(gone)


class Register:
    """Who comes and goes at all tables of a server: written down for the others, and read what they wrote."""

    def __init__(self, store: Store, bus: Bus, server: str) -> None:
        """Alone with its database, a server has nobody to write for."""
        self._store = store
        self._bus = bus
        self._server = server
        self._noted: dict[tuple[str, str], PresenceRow] = {}
        self._writing: asyncio.Task[None] | None = None

    def note(self, table: str, person: str, here: bool, now: float) -> None:
        """Somebody came or went; several at once are written together."""
        if self._store.shared:
            self._noted[table, person] = PresenceRow(table, person, self._server, here, now)
            if self._writing is None:
                self._writing = asyncio.create_task(self._write())

    async def learn(self, tables: Collection["Table"]) -> None:
        """Read who is at tables through other servers; their people are told what is new."""
        if not self._store.shared or not tables:
            return
        seen: dict[str, dict[str, Seen]] = {table.id: {} for table in tables}
        for row in await self._store.presence(seen.keys(), self._server):
            known = seen[row.table].get(row.person)
            if known is None or (row.here, row.since) > (known.here, known.since):
                seen[row.table][row.person] = Seen(row.here, row.since)
        for table in tables:
            if table.presence.learn(seen[table.id]):
                table.audience.send_soon()

    async def close(self) -> None:
        """Nothing is written any more."""
        if self._writing is not None:
            await end(self._writing)

    async def _write(self) -> None:
        pause = TOGETHER
        while self._noted:
            await asyncio.sleep(pause)
            noted, self._noted = self._noted, {}
            try:
                await self._store.note_presence(list(noted.values()))
            except Busy:
                self._noted, pause = {**noted, **self._noted}, AGAIN  # the store has said so
                continue
            pause = TOGETHER
            for table in {row.table for row in noted.values()}:
                self._bus.publish(News("presence", table))
        self._writing = None
