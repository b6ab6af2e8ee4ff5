"""Challenges: one deal for everybody. Whoever has yet to finish learns nothing of it, from whatever side they ask."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import orjson

from branchline.server import seating, seeds
from branchline.server.bots import OWN
from branchline.server.head import Head, head_from_json, new_head
from branchline.server.identity import clean_name
from branchline.server.lobby import OPENED, Lobby, Sources, too_many_tables
from branchline.server.messages import (
    BotPace,
    ChallengeInfo,
    ChallengeLine,
    ChallengeResult,
    ChallengeTable,
    NewChallenge,
    NewTable,
    SeatPlan,
    Sit,
)
from branchline.server.refused import Refused, not_found
from branchline.server.services import Clock
from branchline.server.store import ChallengeRow, EntrantRow, Outcome, PersonRow, Store
from branchline.server.study.days import Day, Days
from branchline.server.study.results import Results
from branchline.server.table import Table

DAY = 86_400.0
LISTED = 50
"""Challenges in a person's list."""
SHOWN = 200
"""Tables whose results are shown."""
ENDED = ("over", "abandoned")
NO_NONCE = "0" * 32
"""Everybody's number where nobody's goes into the deal."""


@dataclass(frozen=True, slots=True)
class Known:
    """A challenge, where its tables stand, and the one who asks."""

    row: ChallengeRow
    plan: tuple[SeatPlan, ...]
    club: tuple[str, ...]
    """The ids of a club's tables."""
    mine: str | None
    outcomes: Sequence[Outcome]
    over: bool

    @property
    def told(self) -> bool:
        """Whether the one who asks may know the deal: they have finished, or it is over and no club plays it on."""
        playing = any(outcome.table in self.club and outcome.status == "playing" for outcome in self.outcomes)
        # Who sits with others there would look into their hands: its seed is the deal.
        return self.mine_over or (self.over and not playing)

    @property
    def mine_over(self) -> bool:
        """Whether the one who asks has finished, also if they deleted their game since."""
        return self.mine == "" or any(
            outcome.table == self.mine and outcome.status in ENDED for outcome in self.outcomes
        )


class Challenges:
    """All challenges of a server."""

    def __init__(self, store: Store, lobby: Lobby, results: Results, sources: Sources, now: Clock, key: bytes) -> None:
        """`key` is the server's secret, which the deals of the days follow from."""
        self._store = store
        self._lobby = lobby
        self._counted = results
        self._sources = sources
        self._now = now
        self._days = Days(key)

    async def make(self, asked: NewChallenge, person: PersonRow, origin: str) -> ChallengeInfo:
        """A new challenge; for a club its tables are opened too."""
        open_ = sum(plan.who == "open" for plan in asked.seats)
        if asked.tables == 1 or open_ == 0 or (asked.tables == 0 and open_ != 1):
            text = "one open seat where everybody plays alone; for a club two tables or more, with open seats"
            raise Refused("seats", text, status=422)
        if any(plan.who == "closed" for plan in asked.seats):
            raise Refused("seats", "leave a seat out that nobody is to have", status=422)
        if asked.tables and await self._store.opened_by(person.id) + asked.tables > OPENED:
            raise too_many_tables()
        title = clean_name(asked.title) if asked.title.strip() else ""
        id, seed, now = f"c-{self._sources.token()}", self._sources.seed(), self._now()
        tables = [self._sources.token() for _ in range(asked.tables)]
        row = ChallengeRow(
            id=id,
            map=asked.map,
            seats=orjson.dumps([plan.model_dump() for plan in asked.seats]).decode(),
            tables=orjson.dumps(tables).decode(),
            title=title,
            seed=seed.hex(),
            owner=person.id,
            created=now,
            ends=now + asked.days * DAY,
        )
        head = self._head(row, asked.seats, person.id, "normal")  # refuses what makes no sense before anything is kept
        await self._store.save_challenge(row)
        for table in tables:
            await self._lobby.create(head, seed, origin, table)
        return await self.info(id, person.id)

    async def today(self, person: str | None) -> ChallengeInfo:
        """The deal of the day."""
        return await self.info(self._days.on(self._now()).id, person)

    async def mine(self, person: str) -> list[ChallengeLine]:
        """Those that somebody made or plays, the latest first."""
        now = self._now()
        return [
            {
                "id": row.id,
                "map": row.map,
                "title": row.title,
                "seats": len(orjson.loads(row.seats)),
                "club": row.tables != "[]",
                "ends": row.ends,
                "over": row.ends <= now,
            }
            for row in await self._store.challenges_of(person, LISTED)
        ]

    async def play(self, id: str, person: PersonRow, bots: BotPace, origin: str) -> Table:
        """The table at which somebody plays a challenge alone, opened and dealt if they have yet to begin."""
        row = await self._row(id)
        if row.tables != "[]":
            raise Refused("challenge", "this one is for a club: take a seat at one of its tables")
        mine = await self._store.entry(id, person.id)
        if mine is None:
            if row.ends <= self._now():
                raise _is_over()
            mine = await self._store.enter(EntrantRow(id, person.id, self._sources.token(), self._now()))
        if not mine:
            raise Refused("played", "you have played this deal, and deleted your game of it")
        try:
            table = await self._lobby.find(mine)
        except Refused as refused:
            if refused.code != "not-found" or row.ends <= self._now():
                raise
            # Entered, but the table was never stored, or was swept before the deal.
            plan = _plan(row)
            head = self._head(row, plan, person.id, bots)
            seat = next(seat for seat, wish in enumerate(plan) if wish.who == "open")
            head = seating.seated(seat, person, Sit(nonce=NO_NONCE), running=False)(head)
            table = await self._lobby.create(head, bytes.fromhex(row.seed), origin, mine)
        if table.status == "open":
            try:
                await table.start(person.id)
            except Refused as refused:
                if refused.code != "started":
                    raise  # else the same person was quicker in another window
        return table

    async def sit(self, table: Table, seat: int, person: PersonRow, asked: Sit) -> None:
        """Take a seat at a club's table: at one of them only, and not any more when the challenge is over."""
        challenge = table.head.challenge
        assert challenge is not None
        row = await self._row(challenge)
        if row.ends <= self._now():
            raise _is_over()
        was = await self._store.entry(challenge, person.id)
        entered = await self._store.enter(EntrantRow(challenge, person.id, table.id, self._now()))
        if entered != table.id:
            raise Refused("played", "you play this deal at another table, or have played it")
        try:
            await self._lobby.sit(table, seat, person, asked)
        finally:
            # Who was refused a seat has not played: else a try at a finished table would open its deal to them.
            if was is None or table.status == "open":
                await self._withdraw(table, person.id)

    async def stood_up(self, table: Table, person: str) -> None:
        """Who has no seat at a club's table before the deal may sit down at another."""
        if table.status == "open":
            await self._withdraw(table, person)

    async def _withdraw(self, table: Table, person: str) -> None:
        if table.head.challenge is not None and person not in table.head.people:
            await self._store.withdraw(table.head.challenge, person, table.id)

    async def end(self, id: str, person: str) -> ChallengeInfo:
        """It is over, and everything is open once no club plays it any more; for its owner."""
        row = await self._row(id)
        if row.owner != person:
            raise Refused("not-owner", "only who made the challenge can", status=403)
        await self._store.end_challenge(id, self._now())
        return await self.info(id, person)

    async def uncover(self, table: Table, person: str | None) -> None:
        """Refuse to show a finished table of a deal that somebody is still to play."""
        challenge = table.head.challenge
        if challenge is None or (person is not None and person in table.head.people):
            return
        known = await self._known(challenge, person)
        if not known.told:
            raise Refused("challenge", "others' games of this deal open when you have played it yourself", status=403)

    async def info(self, id: str, person: str | None) -> ChallengeInfo:
        """A challenge as somebody may know it."""
        known = await self._known(id, person)
        row, outcomes = known.row, known.outcomes
        heads = {outcome.table: head_from_json(outcome.head) for outcome in outcomes}
        people = {who for head in heads.values() for who in head.people if head.asked}
        return {
            "id": row.id,
            "map": row.map,
            "seats": list(known.plan),
            "title": row.title,
            "commitment": seeds.commitment(bytes.fromhex(row.seed)),
            "owner": row.owner,
            "created": row.created,
            "ends": row.ends,
            "over": known.over,
            "tables": [_club_table(table, outcomes, heads) for table in known.club],
            "players": len(people),
            "finished": sum(outcome.status in ENDED for outcome in outcomes),
            "mine": known.mine or None,
            "mine_over": known.mine_over,
            "seed": row.seed if known.told else None,
            "results": await self._results(known, heads, person) if known.told else None,
        }

    async def _known(self, id: str, person: str | None) -> Known:
        row = await self._row(id)
        club = tuple(orjson.loads(row.tables))
        mine = None if person is None else await self._store.entry(id, person)
        tables = club or [entrant.table for entrant in await self._store.entrants(id, SHOWN) if entrant.table]
        wanted = dict.fromkeys([*tables, *([mine] if mine else [])])
        outcomes = await self._store.outcomes(list(wanted))
        return Known(row, _plan(row), club, mine, outcomes, row.ends <= self._now())

    async def _results(self, known: Known, heads: dict[str, Head], person: str | None) -> list[ChallengeResult]:
        ended = sorted((one for one in known.outcomes if one.status in ENDED), key=lambda one: one.updated)
        counted = await self._counted.of(ended)
        return [
            {
                "table": outcome.table,
                "names": [sitter.name or sitter.level or "" for sitter in head.sitters],
                "levels": [sitter.level if sitter.who == "bot" else None for sitter in head.sitters],
                "mine": head.seats_of(person),
                "scores": counted[outcome.table]["scores"]["seats"] if outcome.status == "over" else [],
                "ended": outcome.updated,
                "late": outcome.updated > known.row.ends,
            }
            for outcome in ended
            if outcome.status == "abandoned" or outcome.table in counted
            for head in (heads[outcome.table],)
        ]

    async def _row(self, id: str) -> ChallengeRow:
        row = await self._store.challenge(id)
        if row is not None:
            return row
        day = self._days.find(id, self._now())
        if day is None:
            raise not_found("challenge")
        await self._store.save_challenge(_of_day(day))
        return _of_day(day)

    def _head(self, row: ChallengeRow, plan: Sequence[SeatPlan], owner: str, bots: BotPace) -> Head:
        """The head of a table of a challenge; only bots of the house, which think the same on any machine."""
        asked = NewTable(map=row.map, seats=tuple(plan), first=0, hints=False, bots=bots)
        head = new_head(asked, owner, seeds.commitment(bytes.fromhex(row.seed)), list(OWN))
        return replace(head, challenge=row.id)


def _plan(row: ChallengeRow) -> tuple[SeatPlan, ...]:
    return tuple(SeatPlan(**plan) for plan in orjson.loads(row.seats))


def _of_day(day: Day) -> ChallengeRow:
    seats = [SeatPlan(who="open"), *(SeatPlan(who="bot", level=level) for level in day.levels)]
    plan = orjson.dumps([seat.model_dump() for seat in seats]).decode()
    return ChallengeRow(day.id, day.map, plan, "[]", "", day.seed.hex(), None, day.begins, day.ends)


def _club_table(table: str, outcomes: Sequence[Outcome], heads: dict[str, Head]) -> ChallengeTable:
    status = next((outcome.status for outcome in outcomes if outcome.table == table), "gone")
    head = heads.get(table)
    names = [] if head is None else [sitter.name or sitter.level or "" for sitter in head.sitters]
    return {"table": table, "status": cast(Any, status), "names": names}


def _is_over() -> Refused:
    return Refused("challenge-over", "this challenge is over: it can be looked at, not played any more")
