"""The lobby: opens tables, finds them, keeps the live ones, and lets the others sleep in the store."""

import asyncio
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, cast

from branchline.server import head as heads
from branchline.server import seating, seeds
from branchline.server.bots import REGULAR, levels
from branchline.server.bus import News
from branchline.server.follower import AHEAD
from branchline.server.head import Head, Named, Sitter, head_from_json
from branchline.server.loading import digest, load
from branchline.server.messages import Ban, Close, NewTable, SeatPlan, Silence, Sit, TableLine
from branchline.server.refused import Refused, cannot_store, not_found, too_many
from branchline.server.services import Services
from branchline.server.standing import Standing
from branchline.server.store import Conflict, PersonRow, TableRow
from branchline.server.table import Table

_log = logging.getLogger("branchline.lobby")

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters of a short code: none that look or sound alike when read out."""
DAY = 86_400.0
QUIET = 60.0
"""Seconds for which nobody asked for a table before it may sleep: somebody may be on the way in."""
LISTED = 100
"""Tables in a list, at most."""
BY_OWNER = 3
BY_ORIGIN = 10
"""Public tables of one person and from one place that are listed before those of everybody else."""
OPENED = 20
"""Tables of one person that wait to be started, at most."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where ids, codes and seeds come from."""

    token: Callable[[], str]
    code: Callable[[], str]
    seed: Callable[[], bytes]


class Lobby:
    """All tables of this server."""

    def __init__(self, services: Services, sources: Sources) -> None:
        """`services` are what all its tables share."""
        self._services = services
        self._store = services.store
        self._minder = services.minder
        self._now = services.now
        self._sources = sources
        self._live: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._gone: dict[str, dict[str, float]] = {}
        """Since when who was away from running games that sleep."""

    @property
    def live(self) -> list[Table]:
        """The tables in memory."""
        return list(self._live.values())

    def living(self, id: str) -> Table | None:
        """A table, if it is in memory."""
        return self._live.get(id)

    def numbering(self, id: str) -> int:
        """Which numbers a table's seats have now: another number than before if they were numbered anew since."""
        table = self._live.get(id)
        return 0 if table is None else table.numbering

    async def open(self, asked: NewTable, owner: PersonRow, origin: str = "") -> Table:
        """Open a table: its seed is drawn, and committed to, before anybody sits down. `origin` marks where from."""
        if await self._store.opened_by(owner.id) >= OPENED:
            raise too_many_tables()
        seed = self._sources.seed()
        head = heads.new_head(asked, owner.id, seeds.commitment(seed), list(levels()))
        return await self.create(head, seed, origin)

    async def find(self, id: str) -> Table:
        """A table by its id, woken if it slept; where nobody here attends to it, as it stands in the store."""
        table = self._live.get(id)
        if table is not None:
            table.used = self._now()
            if self._store.shared and not table.attended:
                await table.catch_up()
            return table
        lock = self._loading.setdefault(id, asyncio.Lock())
        try:
            async with lock:
                if id in self._live:
                    return self._live[id]
                found = await load(id, self._store)
                if found is None:
                    raise not_found("table")
                row, stands, repaired = found
                if id in self._live:
                    return self._live[id]  # after a failure, two may have tried again at once
                table = self._table(row, stands)
                if repaired:
                    await table.keep()
                    if id in self._live:
                        return self._live[id]
                self._keep(table)
                table.presence.remember(self._gone.pop(id, {}))
                table.mind()
                await self._services.register.learn([table])
                return table
        finally:
            self._loading.pop(id, None)

    async def fresh(self, id: str) -> Table:
        """A table as it stands in the store, whatever other servers have done and this one has not heard of yet."""
        table = self._live.get(id)
        if table is None or not self._store.shared:
            return await self.find(id)
        table.used = self._now()
        await table.catch_up()
        return table

    async def take_over(self, id: str) -> None:
        """Mind a table on which this server has taken the lease."""
        table = await self.find(id)
        if not table.minded:
            await table.catch_up()  # it was here already, and minded elsewhere

    async def find_code(self, code: str) -> str:
        """The id of a table by its short code."""
        code = code.upper()
        # Whatever else somebody types is not looked for: not every database takes every text.
        id = await self._store.table_by_code(code) if code.isascii() and code.isalnum() else None
        if id is None:
            raise not_found("table")
        return id

    async def rematch(self, table: Table, person: PersonRow, origin: str, may_open: Callable[[], bool]) -> Table:
        """A new table for the same people and bots, the first seat passed on; everybody sits down with a new nonce.

        `may_open` is asked if there is none yet; who is first pays for its bots, where they are (`origin`).
        """
        if table.status not in ("over", "abandoned"):
            raise Refused("running", "the game is not over yet")
        if person.id not in table.head.people:
            raise Refused("no-seat", "only somebody who played can", status=403)
        old, game = table.head, table.game
        assert game is not None
        if old.next is not None:
            try:
                return await self.find(old.next)
            except Refused as refused:
                if refused.code != "not-found":
                    raise  # else it was swept, and they may have another
        if not may_open():
            raise too_many()
        seed = self._sources.seed()
        sitters = tuple(
            Sitter(s.who, s.colour, s.person, s.name, s.level if s.who == "bot" else None, guest=s.guest)
            for s in old.sitters
        )
        first = (game.view(None).first + 1) % len(sitters)
        owner = old.owner if old.owner in old.people else person.id
        head = Head(
            old.map,
            owner,
            old.public,
            old.hints,
            old.pace,
            first,
            seeds.commitment(seed),
            sitters,
            banned=old.banned,
            silenced=old.silenced,
            bots=old.bots,
        )
        new = await self.create(head, seed, origin)
        # Somebody may have been quicker: then theirs it is, and this one is swept some day.
        await table.change(lambda head: replace(head, next=new.id) if head.next == old.next else head)
        assert table.head.next is not None
        return await self.find(table.head.next)

    async def sit(self, table: Table, seat: int, person: PersonRow, asked: Sit) -> None:
        """Take a seat, or one that was freed in a running game."""
        status = table.status
        if status not in ("open", "playing"):
            raise Refused("status", f"the table is {status}")
        await table.change(seating.seated(seat, person, asked, status == "playing"), status=status)

    async def leave(self, table: Table, seat: int, person: PersonRow) -> None:
        """Stand up, or make somebody stand up, before the start; leave a running game."""
        if table.status == "playing":
            await table.change(seating.left(seat, person.id), status="playing")
        else:
            await table.change(seating.vacated(seat, person.id), status="open")

    async def plan(self, table: Table, seat: int, person: PersonRow, plan: SeatPlan) -> None:
        """Open or close a seat, or put a bot there."""
        await table.change(seating.planned(seat, person.id, plan, list(levels())), status="open")

    async def hand(self, table: Table, seat: int, person: PersonRow) -> None:
        """Hand an absent person's seat to a bot."""
        await table.change(seating.handed(seat, person.id, REGULAR, table.is_absent), status="playing")

    async def resume(self, table: Table, seat: int, person: PersonRow) -> None:
        """Take one's own seat back from a bot."""
        await table.change(seating.taken_back(seat, person.id), status="playing")

    async def release(self, table: Table, seat: int, person: PersonRow) -> None:
        """Free the seat of somebody who does not come back."""
        status = table.status
        if status not in ("open", "playing"):
            raise Refused("status", f"the table is {status}")
        level = REGULAR if status == "playing" else None
        await table.change(seating.released(seat, person.id, level, table.is_gone), status=status)

    async def ban(self, table: Table, person: PersonRow, asked: Ban) -> None:
        """Remove somebody and keep them away, before the start, or let them in again."""
        who = await self._named(asked.person)
        await table.change(seating.banned(person.id, who, asked.banned), status="open" if asked.banned else None)

    async def silence(self, table: Table, person: PersonRow, asked: Silence) -> None:
        """Let nobody hear somebody at a table, or hear them again."""
        who = await self._named(asked.person)
        await table.change(seating.silenced(person.id, who, asked.silenced))

    async def _named(self, id: str) -> Named:
        person = await self._store.person(id)
        if person is None:
            raise not_found("person")
        return Named(person.id, person.name)

    async def open_tables(self) -> list[TableLine]:
        """Public tables with a free seat where somebody sits, nobody's too many before anybody else's."""
        rows = await self._store.open_tables(LISTED, BY_OWNER, BY_ORIGIN)
        return [_line(row, head_from_json(row.head), None) for row in rows]

    async def tables_of(self, person: str) -> list[TableLine]:
        """A person's tables, those that wait for them first."""
        rows = await self._store.tables_of(person, LISTED)
        lines = [_line(row, head_from_json(row.head), person) for row in rows]
        return sorted(lines, key=lambda line: (not line["my_turn"], line["status"] != "playing"))

    async def rename(self, person: PersonRow) -> None:
        """Call somebody by their new name at all their tables that are not over."""
        for row in await self._store.tables_of(person.id, LISTED):
            if row.status in ("open", "playing"):
                await (await self.find(row.id)).change(heads.renamed(person.id, person.name))

    async def wake(self) -> None:
        """Bring to life every table that has a bot or a clock to look after."""
        for id in await self._store.waking(self._services.leases.server, self._now() + AHEAD):
            try:
                await self.find(id)
            except Refused as refused:
                _log.error("table %s could not be woken: %s", id, refused.text)  # the others can

    async def tidy(self) -> None:
        """Let idle tables sleep, sweep those never started, wake those that are due."""
        now = self._now()
        for id, table in list(self._live.items()):
            wake = table.wake if table.minded else None
            if table.idle and table.used < now - QUIET and (wake is None or wake > now + AHEAD):
                self._minder.forget(table)
                self._services.bus.leave(id)
                del self._live[id]
                if table.status == "playing":
                    self._gone[id] = {person: table.presence.since(person) for person in table.head.people}
        await self._store.sweep(now - DAY, set(self._live))
        if self._store.shared:
            await self._store.bury(now)
        await self.wake()

    def sign_out(self, person: str, sessions: Collection[str]) -> None:
        """Close the sockets of devices whose sessions have ended, here and through other servers."""
        self._services.bus.publish(News("person", person))
        for table in self.live:
            for watcher in list(table.audience.watchers):
                if watcher.person == person and watcher.session in sessions:
                    watcher.drop(Close.NOBODY)

    def forget(self, id: str) -> None:
        """A table was deleted: whoever looks at it is told so."""
        table = self._live.pop(id, None)
        if table is not None:
            table.audience.drop(Close.NO_TABLE)

    async def create(self, head: Head, seed: bytes, origin: str, id: str | None = None) -> Table:
        """A new table, under an id of its own or a given one."""
        for _ in range(5):
            now = self._now()
            row = TableRow(
                id=id or self._sources.token(),
                code=self._sources.code(),
                status="open",
                public=head.public,
                version=0,
                wake=None,
                created=now,
                updated=now,
                head=head.to_json(),
                seed=seed.hex(),
                digest=digest(0, None),
                owner=head.owner,
                free=head.free,
                origin=origin,
            )
            try:
                await self._store.save_table(row, head.people)
            except Conflict:
                if id is not None and await self._store.table(id) is not None:
                    return await self.find(id)  # somebody was quicker
                continue  # a short code that is taken
            table = self._table(row, Standing("open", 0, head))
            self._keep(table)
            return table
        raise cannot_store()

    def _keep(self, table: Table) -> None:
        self._live[table.id] = table
        self._services.bus.follow(table.id)

    def _table(self, row: TableRow, stands: Standing) -> Table:
        return Table(row, stands, self._services)


def too_many_tables() -> Refused:
    """Somebody keeps as many tables waiting as they may."""
    return Refused("too-many-tables", f"{OPENED} tables of yours may wait to be started; start one of them first")


def _line(row: TableRow, head: Head, person: str | None) -> TableLine:
    mine = head.seats_of(person)
    return {
        "id": row.id,
        "map": head.map,
        "status": cast(Any, row.status),
        "names": [sitter.name or sitter.level or "" for sitter in head.sitters],
        "open": sum(sitter.who == "open" for sitter in head.sitters),
        "pace": head.pace,
        "mine": mine,
        "to_act": list(head.to_act),
        "my_turn": row.status == "playing" and any(seat in head.to_act for seat in mine),
        "challenge": head.challenge,
        "practice": head.practice is not None,
        "deadline": head.deadline,
        "updated": row.updated,
    }
