"""The chat of a table: stored before it is heard, by everybody who has not muted who speaks."""

from typing import TYPE_CHECKING

from branchline.server.bus import News
from branchline.server.frames import said_frame
from branchline.server.refused import Refused, id_of_another, not_found
from branchline.server.store import ChatRow, Conflict

if TYPE_CHECKING:
    from branchline.server.table import Table

SHOWN = 50
"""Lines that somebody who comes is told, and that are made up for at once."""
TRIES = 8
"""How often a line looks for a free number: another server may take them too."""


class Chat:
    """What is said at one table."""

    def __init__(self, table: "Table") -> None:
        """`table` is where it is said."""
        self._table = table
        self._told = 0
        """The last line that everybody with a socket here has been told."""

    async def say(self, person: str, text: str, message: str) -> int:
        """Say something; the number of the line. A repeated message gets its old number.

        By the name that the person has now: the socket may be older than it.
        """
        table, services = self._table, self._table.services
        known = await services.store.person(person)
        if known is None:
            raise not_found("person")
        for _ in range(TRIES):
            if table.head.is_silenced(person):
                raise Refused("silenced", "the table's owner has silenced you here", status=403)
            line = ChatRow(table.id, self._told + 1, person, known.name, message, text, table.now())
            try:
                await services.store.say(line)
            except Conflict:
                old = await services.store.message(table.id, person, message)
                if isinstance(old, ChatRow) and old.text == text:
                    return old.n
                if old is not None:
                    raise id_of_another() from None
                await self.catch_up()
                continue
            services.bus.publish(News("chat", table.id, revision=line.n))
            self._tell([line])
            return line.n
        raise Refused("stale", "too many speak at once; try again")

    async def read(self) -> list[ChatRow]:
        """The last lines, for somebody who comes in now: nothing awaits between this and what is said next."""
        while True:
            lines = await self._table.services.store.said(self._table.id, SHOWN)
            if (lines[-1].n if lines else 0) >= self._told:
                self._tell(lines)
                return lines

    async def catch_up(self) -> None:
        """Hear what was said through other servers."""
        self._tell(await self._table.services.store.said(self._table.id, SHOWN, self._told))

    def has_heard(self, n: int) -> bool:
        """Whether everybody here has been told a line."""
        return n <= self._told

    def _tell(self, lines: list[ChatRow]) -> None:
        """Tell everybody here what they have not been told yet."""
        new = [line for line in lines if line.n > self._told]
        if not new:
            return
        self._told = new[-1].n
        for watcher in list(self._table.audience.watchers):
            heard = [line for line in new if line.person not in watcher.muted]
            if heard:
                watcher.put(said_frame(heard))
