"""Follows what other servers do: hears their news, and compares revisions every few seconds, since news may be lost."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from branchline.server import metrics
from branchline.server.bus import Bus, News
from branchline.server.ending import end
from branchline.server.leases import RENEW, Leases
from branchline.server.messages import Close
from branchline.server.presence import Register
from branchline.server.refused import Refused
from branchline.server.services import Clock
from branchline.server.store import Busy, Store

if TYPE_CHECKING:
    from branchline.server.guard.sharing import SharedLimits
    from branchline.server.lobby import Lobby

_log = logging.getLogger("branchline.follower")

COMPARE = 3.0
"""Seconds between two comparisons: what a lost message costs at most."""
PEOPLE = 5
"""Every so many comparisons those of people too: a sign-out elsewhere is rare."""
TOGETHER = 16
"""Tables that are looked at together, where many were missed."""
CLAIMED = 200
"""Tables taken over at once: those of a server that died are shared out among the others."""
AHEAD = 3_600.0
"""Tables whose clock runs out within so many seconds are minded."""
OVERLAP = 10.0
"""Seconds that clocks of two servers may differ."""


class Follower:
    """One server's eyes on the others."""

    def __init__(
        self,
        lobby: "Lobby",
        store: Store,
        bus: Bus,
        leases: Leases,
        register: Register,
        limits: "SharedLimits",
        now: Clock,
    ) -> None:
        """Alone with its database, a server has nobody to follow."""
        self._lobby = lobby
        self._store = store
        self._bus = bus
        self._leases = leases
        self._register = register
        self._limits = limits
        self._now = now
        self._moved: set[str] = set()
        self._due = asyncio.Event()
        self._doubt = asyncio.Event()
        self._claimed: set[str] = set()
        """Tables on which this server has the lease and that it could not load yet."""
        self._tasks: set[asyncio.Task[object]] = set()
        self._compared = now()

    async def start(self) -> None:
        """Take part: from here on this server's lease runs."""
        if self._store.shared:
            await self._leases.renew()
            self._bus.start(self.hear)
            for loop in (self._renewing(), self._claiming(), self._comparing(), self._limits.run(self._bus)):
                self._begin(loop)

    async def close(self) -> None:
        """Stop, and leave to the others what this server minded."""
        self._leases.let_go()
        await end(*self._tasks)
        if self._store.shared:
            try:
                await self._register.close()
                await self._store.retire(self._leases.server)
                self._bus.publish(News("due", ""))
            except Busy:
                pass  # its lease runs out

    def hear(self, news: News) -> None:
        """Some other server has changed something."""
        table = self._lobby.living(news.id)
        if news.about == "table" and table is not None:
            if news.revision == 0 or news.revision > table.stored.revision:
                table.hear()
        elif news.about == "chat" and table is not None:
            if table.attended and not table.chat.has_heard(news.revision):
                self._begin(self._safely(table.chat.catch_up))
        elif news.about == "presence" and table is not None:
            if not self._moved:
                self._begin(self._learn_soon())
            self._moved.add(news.id)
        elif news.about == "person":
            self._begin(self._safely(partial(self._refresh, news.id)))
        elif news.about == "due":
            self._due.set()
        elif news.about == "spent":
            self._limits.hear(news)
        elif news.about == "lost":
            self._doubt.set()

    async def compare(self) -> None:
        """See whatever was missed at tables."""
        tables = {table.id: table for table in self._lobby.live}
        followed = [table for table in tables.values() if table.attended]
        found = await self._store.revisions([table.id for table in followed]) if followed else {}
        missed: list[Callable[[], Awaitable[None]]] = []
        for table in followed:
            revision, said = found.get(table.id, (0, 0))
            if revision != table.stored.revision:
                metrics.LOST.inc()
                missed.append(table.catch_up)
            if not table.chat.has_heard(said):
                missed.append(table.chat.catch_up)
        for begin in range(0, len(missed), TOGETHER):
            await asyncio.gather(*(self._safely(look) for look in missed[begin : begin + TOGETHER]))
        since, self._compared = self._compared - OVERLAP, self._now()
        moved = await self._store.moved(since)
        await self._register.learn([table for id, table in tables.items() if id in moved])

    async def compare_all(self) -> None:
        """See whatever was missed, about people too."""
        await self.compare()
        watchers = {watcher.person: watcher for table in self._lobby.live for watcher in table.audience.watchers}
        for person, revision in (await self._store.people_revisions(watchers.keys())).items():
            if watchers[person].revision != revision:
                await self._safely(partial(self._refresh, person))

    async def claim(self) -> None:
        """Mind what nobody minds any more."""
        now = self._now()
        claimed = await self._leases.claim(now, now + AHEAD, CLAIMED)
        if claimed:
            metrics.TAKEN.inc(len(claimed))
            self._claimed.update(claimed)
            await self.renew()  # so that it is known who else is there, before a clock of theirs is let run out
        for id in list(self._claimed):
            if await self._safely(partial(self._lobby.take_over, id)):
                self._claimed.discard(id)

    async def renew(self) -> None:
        """Go on minding; after a pause too long others do."""
        expired, gone = await self._leases.renew()
        if expired:
            _log.warning("this server was away for longer than its lease ran: others may mind its tables now")
            self._doubt.set()
        if gone:
            await self._register.learn(self._lobby.live)
            self._due.set()

    async def _renewing(self) -> None:
        while True:
            await self._safely(self.renew)
            await asyncio.sleep(RENEW)

    async def _claiming(self) -> None:
        while True:
            await self._safely(self.claim)
            await _event_or(self._due, RENEW)

    async def _comparing(self) -> None:
        rounds = 0
        while True:
            await _event_or(self._doubt, COMPARE * random.uniform(0.8, 1.2))  # not all servers at once
            rounds += 1
            await self._safely(self.compare if rounds % PEOPLE else self.compare_all)

    async def _learn_soon(self) -> None:
        await asyncio.sleep(0.05)
        moved, self._moved = self._moved, set()
        tables = [table for id in moved if (table := self._lobby.living(id)) is not None]
        await self._safely(partial(self._register.learn, tables))

    async def _refresh(self, person: str) -> None:
        """Read again who somebody is, for their sockets here."""
        watchers = [w for table in self._lobby.live for w in table.audience.watchers if w.person == person]
        if not watchers:
            return
        row = await self._store.person(person)
        sessions = {session.id for session in await self._store.sessions(person)}
        muted = await self._store.muted(person)
        for watcher in watchers:
            if row is None or watcher.session not in sessions:
                watcher.drop(Close.NOBODY)
            else:
                watcher.revision, watcher.muted = row.revision, set(muted)

    def _begin(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _safely(self, work: Callable[[], Awaitable[None]]) -> bool:
        """Do something and say what went wrong; False if the database was away, and it may be tried again."""
        try:
            await work()
        except Busy:
            return False  # the store has said so
        except Refused as refused:
            if refused.code != "not-found":  # a table was deleted, and its people told
                _log.error("a table could not be followed: %s", refused.text)
        except Exception:
            _log.exception("following the other servers failed; it is tried again")
        return True


async def _event_or(event: asyncio.Event, seconds: float) -> None:
    """Wait for an event, but not for longer."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        pass
    event.clear()
