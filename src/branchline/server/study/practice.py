"""Practice: a finished game taken up again at any moment. A running one never is (R8): its record is not to be had."""

from collections.abc import Callable
from dataclasses import replace

import orjson

from branchline.server import seating
from branchline.server.bots import levels
from branchline.server.guard.desk import Desk
from branchline.server.head import Head, Practice, new_head
from branchline.server.lobby import Lobby
from branchline.server.messages import NewTable, Practise, SeatPlan, Sit
from branchline.server.refused import Refused
from branchline.server.store import PersonRow
from branchline.server.study.challenges import NO_NONCE
from branchline.server.study.work import practised
from branchline.server.table import Table


class Practices:
    """Opens practice games."""

    def __init__(self, lobby: Lobby, seed: Callable[[], int]) -> None:
        """`seed` is for what is dealt anew."""
        self._lobby = lobby
        self._seed = seed

    async def begin(
        self, record: bytes, asked: Practise, person: PersonRow, desk: Desk, who: str, game: str | None, origin: str
    ) -> Table:
        """A table at which somebody goes on from a moment of a recorded game; `who` waits for the desk."""
        seed = self._seed()
        made = orjson.loads(await desk.do(who, practised, record, asked.at, asked.seat, asked.redeal, seed))
        names, totals = tuple(made["names"]), tuple(made["totals"])
        if len(asked.levels) != len(names):
            raise Refused("seats", f"the game has {len(names)} seats", status=422)
        practice = Practice(game, asked.at, made["turn"], asked.seat, asked.redeal, totals, names)
        head = self._head(made["map"], asked, person, practice)
        table = await self._lobby.create(head, bytes(32), origin)
        await table.start(person.id, orjson.dumps(made["position"]).decode())
        return table

    def _head(self, map: str, asked: Practise, person: PersonRow, practice: Practice) -> Head:
        plan = [
            SeatPlan(who="open") if seat == asked.seat else SeatPlan(who="bot", level=level)
            for seat, level in enumerate(asked.levels)
        ]
        # The commitment of the seed that nothing is shuffled with; bots' names come from it.
        head = new_head(NewTable(map=map, seats=tuple(plan), bots=asked.bots), person.id, "0" * 64, list(levels()))
        head = seating.seated(asked.seat, person, Sit(nonce=NO_NONCE), running=False)(head)
        return replace(head, practice=practice)
