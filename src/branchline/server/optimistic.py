"""A table as it is stored, under an optimistic lock: every write names the revision that it follows.

Whoever lost a race to another server loads the table again and tries again what still makes sense.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Protocol, TypeVar

import orjson

from branchline.game import Game
from branchline.server import metrics
from branchline.server.bus import News
from branchline.server.head import Head, head_from_json
from branchline.server.loading import digest, load
from branchline.server.refused import cannot_store, id_of_another, not_found
from branchline.server.services import Services
from branchline.server.standing import Asked, Standing, Step, followed
from branchline.server.store import Changes, Conflict, LogRow, TableRow

T = TypeVar("T")

_log = logging.getLogger("branchline.table")

TRIES = 8
"""How often something that lost a race is tried again, before it is refused."""
STEPS = 20
"""Entries that a table catches up with one by one; if more are new, it is loaded."""


class Reader(Protocol):
    """Who is told how a table stands."""

    def changed(self, was: Standing) -> None:
        """It stands otherwise than it did."""
        ...

    def stepped(self, step: Step) -> None:
        """Another server has added an entry."""
        ...

    def reloaded(self) -> None:
        """It stands as another server left it."""
        ...

    def vanished(self) -> None:
        """It was deleted."""
        ...


class Stored:
    """How a table stands, as this server last wrote or read it. Only who holds `lock` changes it."""

    def __init__(self, row: TableRow, stands: Standing, services: Services, reader: Reader) -> None:
        """The table as it was loaded."""
        self.id = row.id
        self.code = row.code
        self.created = row.created
        self.seed = bytes.fromhex(row.seed)
        self.lock = asyncio.Lock()
        self.origin = row.origin
        """A mark of the address that it was opened from; empty for rematches of old."""
        self._services = services
        self._reader = reader
        self._become(row, stands)

    def _become(self, row: TableRow, stands: Standing) -> None:
        self.revision = row.revision
        self.minder = row.minder
        """Who has the lease on its bots and its clock."""
        self.stands = stands
        self.state = _written(stands.game)
        self.before = _written(stands.before)

    async def append(self, attempt: Callable[[], Awaitable[Step]]) -> Step:
        """Store a step, then be what it says."""
        step = await attempt()
        stands = step.to
        state = _written(stands.game)
        before = None if stands.before is None else self.state
        row = self._row(stands, step.entry.at, state, before)
        with metrics.COMMIT.time():
            await self._services.store.append(row, step.entry, stands.head.people)
        metrics.ACTIONS.labels(step.entry.by).inc()
        self.state, self.before = state, before
        self._publish(row)
        self._become_another(stands)
        return step

    async def save(self, head: Head) -> None:
        """Store settings or seats, then be what they say."""
        stands = replace(self.stands, head=head)
        row = self._row(stands, self._services.now(), self.state, self.before)
        await self._services.store.save_table(row, head.people)
        self._publish(row)
        self._become_another(stands)

    async def settled(self, attempt: Callable[[], Awaitable[T]], asked: Asked) -> T | int:
        """Try something until no other write came first: in between the table is loaded again, and its people told.

        What was checked is checked again, so that an action is only done if it still answers the same question. Who
        asked the same before gets the old answer.
        """
        for _ in range(TRIES):
            try:
                return await attempt()
            except Conflict as conflict:
                metrics.CONFLICTS.inc()
                _log.info("table %s: %s", self.id, conflict)
                old = await self.old_answer(asked)
                if old is not None:
                    return old
                await self.catch_up()
        raise cannot_store()

    async def old_answer(self, asked: Asked) -> int | None:
        """What a message was answered when it came first; None if it never came. Refused if its id was another's."""
        if asked.person is None or asked.message is None:
            return None
        old = await self._services.store.message(self.id, asked.person, asked.message)
        if old is None:
            return None
        if not isinstance(old, LogRow) or (old.kind, old.seat, old.action) != asked.wish:
            raise id_of_another()
        return old.n

    async def catch_up(self) -> bool:
        """Be what the store says, by way of the entries that are new; whether anything was.

        Refused as not found if the table was deleted.
        """
        changes = await self._services.store.changes(self.id, self.stands.version, STEPS)
        if changes is None:
            self._reader.vanished()
            raise not_found("table")
        if changes.revision == self.revision:
            return False
        if not self._follow(changes):
            await self.reload()
        return True

    def _follow(self, changes: Changes) -> bool:
        """Take the steps that another server has taken; False if that does not lead where it stands."""
        steps: list[Step] = []
        reached = self.stands
        if reached.game is None:
            reached = replace(reached, head=head_from_json(changes.head))
        try:
            for row in changes.entries:
                steps.append(followed(reached, self.id, self.seed, row))
                reached = steps[-1].to
        except ValueError:
            return False
        # Most often nothing but these entries has happened, and they have led to the same head.
        head = reached.head if reached.head.to_json() == changes.head else head_from_json(changes.head)
        was, state = self.state, self.state if not steps else _written(reached.game)
        fits = (reached.version, reached.status) == (changes.version, changes.status)
        if not fits or (changes.digest is not None and changes.digest != digest(changes.version, state)):
            return False
        self.revision, self.minder, self.state = changes.revision, changes.minder, state
        if not steps:
            self._become_another(replace(reached, head=head))
        else:
            self.before = was if len(steps) == 1 and reached.before is not None else _written(reached.before)
        for step in steps:
            # Who may see what is decided by who sits there now.
            shown = head if step is steps[-1] else replace(step.to.head, sitters=head.sitters)
            self._become_another(replace(step.to, head=shown))
            self._reader.stepped(step)
        return True

    def _become_another(self, stands: Standing) -> None:
        was, self.stands = self.stands, stands
        self._reader.changed(was)

    async def reload(self) -> None:
        """Be what the store says; refused as not found if the table was deleted."""
        found = await load(self.id, self._services.store)
        if found is None:
            self._reader.vanished()
            raise not_found("table")
        row, stands, repaired = found
        was = self.stands
        metrics.RELOADS.inc()
        self._become(row, stands)
        self._reader.changed(was)
        if repaired:
            with contextlib.suppress(Conflict):  # another server was quicker, and its news is on the way
                await self.save(self.stands.head)
        self._reader.reloaded()

    def _publish(self, row: TableRow) -> None:
        self.revision, self.minder = row.revision, row.minder
        self._services.bus.publish(News("table", self.id, row.version, row.revision))
        if row.wake is not None and row.minder is None:
            self._services.bus.publish(News("due", self.id))

    def _row(self, stands: Standing, now: float, state: str | None, before: str | None) -> TableRow:
        head = stands.head
        return TableRow(
            id=self.id,
            code=self.code,
            status=stands.status,
            public=head.public,
            version=stands.version,
            wake=stands.wake,
            created=self.created,
            updated=now,
            head=head.to_json(),
            seed=self.seed.hex(),
            state=state,
            before=before,
            revision=self.revision + 1,
            digest=digest(stands.version, state),
            owner=head.owner,
            free=head.free,
            origin=self.origin,
            minder=self._services.leases.minder_for(stands.wake),
        )


def _written(game: Game | None) -> str | None:
    return None if game is None else orjson.dumps(game.to_dict()).decode()
