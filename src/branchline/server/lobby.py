"""The lobby: opens tables, finds them, keeps the live ones, and lets the others sleep in the store."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

from branchline.server import head as heads
from branchline.server import seeds
from branchline.server.bots import REGULAR, levels
from branchline.server.head import Head, Sitter, head_from_json
from branchline.server.messages import NewTable, SeatPlan, Sit, TableLine
from branchline.server.refused import Refused, busy, not_found
from branchline.server.store import Busy, Conflict, PersonRow, Store, TableRow
from branchline.server.table import Clock, Minder, Table

_log = logging.getLogger("branchline.lobby")

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters of a short code: none that look or sound alike when read out."""
DAY = 86_400.0
AHEAD = 3_600.0
"""Tables whose clock runs out within so many seconds are live."""
QUIET = 60.0
"""Seconds for which nobody asked for a table before it may sleep: somebody may be on the way in."""
LISTED = 100


@dataclass(frozen=True, slots=True)
class Sources:
    """Where ids, codes and seeds come from."""

    token: Callable[[], str]
    code: Callable[[], str]
    seed: Callable[[], bytes]


class Lobby:
    """All tables of this server."""

    def __init__(self, store: Store, minder: Minder, sources: Sources, now: Clock, patience: float) -> None:
        """`patience` is for how long an absent person is waited for without a clock."""
        self._store = store
        self._minder = minder
        self._sources = sources
        self._now = now
        self._patience = patience
        self._live: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._gone: dict[str, dict[str, float]] = {}
        """Since when who was away from running games that sleep."""

    @property
    def live(self) -> list[Table]:
        """The tables in memory."""
        return list(self._live.values())

    async def open(self, asked: NewTable, owner: PersonRow) -> Table:
        """Open a table: its seed is drawn, and committed to, before anybody sits down."""
        seed = self._sources.seed()
        head = heads.new_head(asked, owner.id, seeds.commitment(seed), list(levels()))
        return await self._create(head, seed)

    async def find(self, id: str) -> Table:
        """A table by its id, woken if it slept."""
        table = self._live.get(id)
        if table is not None:
            table.used = self._now()
            return table
        lock = self._loading.setdefault(id, asyncio.Lock())
        try:
            async with lock:
                if id in self._live:
                    return self._live[id]
                try:
                    row = await self._store.table(id)
                except Busy:
                    raise busy() from None
                if row is None:
                    raise not_found("table")
                if id in self._live:
                    return self._live[id]  # after a failure, two may have tried again at once
                table = self._live[id] = self._table(row)
                table.gone = self._gone.pop(id, {})
                if table.status == "playing":
                    self._minder.look_after(table)
                return table
        finally:
            self._loading.pop(id, None)

    async def find_code(self, code: str) -> str:
        """The id of a table by its short code."""
        id = await self._store.table_by_code(code.upper())
        if id is None:
            raise not_found("table")
        return id

    async def rematch(self, table: Table, person: PersonRow) -> Table:
        """A new table for the same people and bots, the first seat passed on; everybody sits down with a new nonce."""
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
        seed = self._sources.seed()
        sitters = tuple(
            Sitter(sitter.who, sitter.colour, sitter.person, sitter.name, sitter.level if sitter.who == "bot" else None)
            for sitter in old.sitters
        )
        first = (game.view(None).first + 1) % len(sitters)
        owner = old.owner if old.owner in old.people else person.id
        head = Head(old.map, owner, old.public, old.hints, old.pace, first, seeds.commitment(seed), sitters)
        new = await self._create(head, seed)
        # Somebody may have been quicker: then theirs it is, and this one is swept some day.
        await table.change(lambda head: replace(head, next=new.id) if head.next == old.next else head)
        assert table.head.next is not None
        return await self.find(table.head.next)

    async def sit(self, table: Table, seat: int, person: PersonRow, asked: Sit) -> None:
        """Take a seat, or one that was released in a running game."""
        if table.status not in ("open", "playing"):
            raise Refused("status", f"the table is {table.status}")
        running = table.status == "playing"
        sitter = table.head.sitter(seat)
        if running and sitter.person != person.id and sitter.who != "open":
            raise Refused("taken", "the seat is not free")
        await table.change(
            heads.seated(seat, person.id, person.name, asked.nonce, asked.colour, running), status=table.status
        )
        if running:
            await table.change(heads.minded(seat, None))

    async def leave(self, table: Table, seat: int, person: PersonRow) -> None:
        """Stand up, or make somebody stand up, before the start; leave a running game."""
        sitter = table.head.sitter(seat)
        if sitter.person != person.id and table.head.owner != person.id:
            raise Refused("not-yours", "this is not your seat", status=403)
        if table.status == "playing":
            if sitter.person != person.id:
                raise Refused("not-yours", "nobody can be removed from a running game", status=403)
            await table.change(heads.left(seat), status="playing")
            return
        await table.change(heads.vacated(seat), status="open")

    async def plan(self, table: Table, seat: int, person: PersonRow, plan: SeatPlan) -> None:
        """Open or close a seat, or put a bot there."""
        own(table, person)
        await table.change(heads.planned(seat, plan, list(levels())), status="open")

    async def hand(self, table: Table, seat: int, person: PersonRow) -> None:
        """Hand an absent person's seat to a bot."""
        sitter = table.head.sitter(seat)
        if person.id not in table.head.people:
            raise Refused("no-seat", "only somebody with a seat can", status=403)
        if table.status != "playing" or sitter.who == "bot":
            raise Refused("status", "there is nobody to stand in for")
        if not table.is_absent(seat) and sitter.person != person.id:
            raise Refused("not-absent", "they are still there")
        await table.change(heads.minded(seat, REGULAR), status="playing")

    async def take_back(self, table: Table, seat: int, person: PersonRow) -> None:
        """Take one's own seat back from a bot."""
        if table.head.sitter(seat).person != person.id:
            raise Refused("not-yours", "this is not your seat", status=403)
        await table.change(heads.minded(seat, None), status="playing")

    async def release(self, table: Table, seat: int, person: PersonRow) -> None:
        """Free the seat of somebody who does not come back."""
        own(table, person)
        sitter = table.head.sitter(seat)
        if sitter.person is not None and table.status == "playing" and not table.is_absent(seat):
            # Or owners could look into anybody's hand.
            raise Refused("not-absent", "they are still there")
        level = REGULAR if table.status == "playing" else None
        await table.change(heads.released(seat, level), status=table.status)

    async def open_tables(self) -> list[TableLine]:
        """Public tables with a free seat."""
        lines = [_line(row, head_from_json(row.head), None) for row in await self._store.open_tables(LISTED)]
        return [line for line in lines if line["open"]]

    async def tables_of(self, person: str) -> list[TableLine]:
        """A person's tables, those that wait for them first."""
        rows = await self._store.tables_of(person, LISTED)
        lines = [_line(row, head_from_json(row.head), person) for row in rows]
        return sorted(lines, key=lambda line: (not line["my_turn"], line["status"] != "playing"))

    async def rename(self, person: PersonRow) -> None:
        """Call somebody by their new name wherever they talk, and at all their tables that are not over."""
        for table in self.live:
            for watcher in table.watchers:
                if watcher.person == person.id:
                    watcher.name = person.name
        for row in await self._store.tables_of(person.id, LISTED):
            if row.status in ("open", "playing"):
                await (await self.find(row.id)).change(heads.renamed(person.id, person.name))

    async def wake(self) -> None:
        """Bring to life every table that has a bot or a clock to look after."""
        for id in await self._store.waking(self._now() + AHEAD):
            await self.find(id)

    async def tidy(self) -> None:
        """Let idle tables sleep, sweep those never started, wake those that are due."""
        now = self._now()
        for id, table in list(self._live.items()):
            wake = table.wake
            if table.idle and table.used < now - QUIET and (wake is None or wake > now + AHEAD):
                self._minder.forget(table)
                del self._live[id]
                if table.status == "playing":
                    self._gone[id] = {person: table.gone.get(person, table.loaded) for person in table.head.people}
        await self._store.sweep(now - DAY, set(self._live))
        await self.wake()

    async def _create(self, head: Head, seed: bytes) -> Table:
        for _ in range(5):
            now = self._now()
            row = TableRow(
                id=self._sources.token(),
                code=self._sources.code(),
                status="open",
                public=head.public,
                version=0,
                wake=None,
                created=now,
                updated=now,
                head=head.to_json(),
                seed=seed.hex(),
            )
            try:
                await self._store.save_table(row, head.people)
            except Conflict:
                continue  # a short code that is taken
            except Busy:
                raise busy() from None
            table = self._live[row.id] = self._table(row)
            return table
        raise busy()

    def _table(self, row: TableRow) -> Table:
        return Table(row, self._store, self._minder, self._now, self._patience)


def own(table: Table, person: PersonRow) -> None:
    """Refuse what only the table's owner may do."""
    if table.head.owner != person.id:
        raise Refused("not-owner", "only the table's owner can", status=403)


def _line(row: TableRow, head: Head, person: str | None) -> TableLine:
    mine = head.seats_of(person)
    return {
        "id": row.id,
        "map": head.map,
        "status": cast(Any, row.status),
        "names": [sitter.name if sitter.who == "person" else (sitter.level or "") for sitter in head.sitters],
        "open": sum(sitter.who == "open" for sitter in head.sitters),
        "pace": head.pace,
        "mine": mine,
        "to_act": list(head.to_act),
        "my_turn": row.status == "playing" and any(seat in head.to_act for seat in mine),
        "deadline": head.deadline,
        "updated": row.updated,
    }
