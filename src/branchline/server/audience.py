"""The audience of a table: whoever has a socket open, with a seat or without one."""

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Protocol

import orjson

from branchline.server import pace
from branchline.server.frames import Views, table_info
from branchline.server.messages import Close

if TYPE_CHECKING:
    from branchline.server.head import Head
    from branchline.server.table import Table


class Watcher(Protocol):
    """Somebody looking at the table: a socket."""

    person: str
    session: str
    """The device, as the person's list of sessions names it."""
    revision: int
    """Of what is known of the person."""
    seat: int | None
    """The seat whose view it asked for. Whether it gets that is decided when the view is made."""
    muted: set[str]
    """Whom it does not hear."""

    def put(self, frame: str) -> None: ...

    def drop(self, code: int) -> None: ...


class Audience:
    """Who looks at a table through this server."""

    def __init__(self, table: "Table") -> None:
        """`table` is what they look at."""
        self._table = table
        self.watchers: dict[Watcher, None] = {}
        """In the order in which they came."""
        self._sending: asyncio.TimerHandle | None = None
        self._telling: asyncio.TimerHandle | None = None
        """When everybody is told next that somebody has been away for long enough."""

    def enter(self, watcher: Watcher) -> None:
        """Somebody opened a socket."""
        table = self._table
        if not table.presence.has_here(watcher.person):
            table.presence.came(watcher.person)
            table.services.register.note(table.id, watcher.person, True, table.now())
        self.watchers[watcher] = None
        self.send_soon()
        table.attend()

    def leave(self, watcher: Watcher) -> None:
        """A socket closed."""
        self.watchers.pop(watcher, None)
        table = self._table
        if not table.presence.has_here(watcher.person):
            table.presence.went(watcher.person, table.now())
            table.services.register.note(table.id, watcher.person, False, table.now())
        self.send_soon()
        if not self.watchers:
            self._tell_later()

    def make_room(self, person: str, most: int) -> bool:
        """Whether somebody may come in where `most` sockets fit: those with a seat always, a spectator goes for them.

        The first to go is the last of whoever has the most sockets.
        """
        if len(self.watchers) < most:
            return True
        if not self._belongs(person):
            return False
        spectators = [watcher for watcher in self.watchers if not self._belongs(watcher.person)]
        if spectators:
            sockets = Counter(watcher.person for watcher in spectators)
            max(reversed(spectators), key=lambda watcher: sockets[watcher.person]).drop(Close.FULL)
        return True

    def _belongs(self, person: str) -> bool:
        return person in self._table.head.belonging

    def send_soon(self) -> None:
        """Send the table to everybody soon; several changes at once make one message, the more so in a crowd."""
        if self._sending is None and self.watchers:
            soon = 0.02 + 0.005 * len(self.watchers)
            self._sending = asyncio.get_running_loop().call_later(soon, self._send)

    def _send(self) -> None:
        self._sending = None
        self.put(orjson.dumps({"is": "table", "table": table_info(self._table)}).decode())
        self._tell_later()

    def _tell_later(self) -> None:
        """Nothing else may happen until somebody counts as absent, through whichever server they went."""
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None
        table = self._table
        if table.status != "playing" or not self.watchers:
            return
        patience = pace.seconds(table.head.pace) or table.services.patience
        gone = (table.presence.away(person, table.now()) for person in table.head.belonging)
        left = [patience - away for away in gone if away is not None and away < patience]
        if left:
            self._telling = asyncio.get_running_loop().call_later(min(*left, pace.DAY) + 0.5, self.send_soon)

    def put(self, frame: str) -> None:
        """Send everybody the same."""
        for watcher in list(self.watchers):
            watcher.put(frame)

    def show(self, views: Views) -> None:
        """Send everybody what they see."""
        for watcher in list(self.watchers):
            frame = views.frame(watcher.person, watcher.seat)
            if frame is not None:
                watcher.put(frame)

    def reseat(self, head: "Head", renumbered: bool) -> None:
        """Who lost a seat, or had its number changed by the start, looks at the public side until they ask again."""
        for watcher in list(self.watchers):
            if head.is_closed_to(watcher.person):
                watcher.drop(Close.KEPT_AWAY)
            elif renumbered or head.through(watcher.person, watcher.seat) is None:
                watcher.seat = None

    def drop(self, code: int, person: str | None = None) -> None:
        """Close everybody's sockets, or one person's."""
        for watcher in list(self.watchers):
            if person is None or watcher.person == person:
                watcher.drop(code)
