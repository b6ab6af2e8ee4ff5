"""How a table looks to those at it: its frames. Nobody gets a view through a seat that is not theirs."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

import orjson

from branchline.codec import to_json
from branchline.events import Event
from branchline.server.messages import Entry, SeatInfo, TableInfo, ViewMessage
from branchline.server.store import ChatRow, LogRow

if TYPE_CHECKING:
    from branchline.server.table import Table


class Views:
    """The view of one moment, for whoever looks: made once for each seat, with what just happened if it is told."""

    def __init__(self, table: "Table", row: LogRow | None = None, events: Sequence[Event] = ()) -> None:
        """`row` is the entry that led here, `events` what happened in it."""
        self._table = table
        self._row = row
        self._events = events
        self._made: dict[int | None, str] = {}

    def frame(self, person: str, seat: int | None) -> str | None:
        """What a person sees through the seat they ask for; None before the start, or if they may not look.

        Whether that seat is theirs is decided here, where the view is made, and nowhere earlier: seats change hands
        and numbers while somebody is on the way in.
        """
        if self._table.game is None or self._table.head.is_closed_to(person):
            return None
        seat = self._table.head.through(person, seat)
        if seat not in self._made:
            self._made[seat] = self._frame(seat)
        return self._made[seat]

    def _frame(self, seat: int | None) -> str:
        table, game = self._table, self._table.game
        assert game is not None
        head, undoable = table.head, table.head.undoable
        seen = [to_json(game.event_for(event, seat)) for event in self._events]
        view = game.view(seat)
        message: ViewMessage = {
            "is": "view",
            "n": table.version,
            "seat": seat,
            "ask": None if seat is None else head.asked[seat],
            "entry": None if self._row is None else entry_message(self._row, seen),
            "undo": undoable is not None and undoable.seat == seat,
            "deadline": head.deadline,
            "view": cast(Any, view.to_dict(memory=False)),
            "tickets": cast(Any, table.outlooks.of(view)),
            "scores": cast(Any, game.scores().to_dict()) if game.over else None,
        }
        return orjson.dumps(message).decode()


def table_info(table: "Table") -> TableInfo:
    """The table as everybody at it may see it."""
    head = table.head
    return {
        "id": table.id,
        "code": table.code,
        "map": head.map,
        "status": cast(Any, table.status),
        "owner": head.owner,
        "ownerless": table.is_ownerless(),
        "public": head.public,
        "hints": head.hints,
        "pace": cast(Any, head.pace.model_dump()),
        "bots": head.bots,
        "first": head.first,
        "seats": [_seat_info(table, seat) for seat in range(len(head.sitters))],
        "commitment": head.commitment,
        "n": table.version,
        "to_act": list(head.to_act),
        "deadline": head.deadline,
        "watching": sum(person not in head.people for person in table.presence.everybody()),
        "abandoning": list(head.abandoning),
        "banned": [{"person": other.person, "name": other.name} for other in head.banned],
        "silenced": [{"person": other.person, "name": other.name} for other in head.silenced],
        "next": head.next,
        "challenge": head.challenge,
        "practice": None if head.practice is None else cast(Any, asdict(head.practice)),
        "created": table.created,
    }


def _seat_info(table: "Table", seat: int) -> SeatInfo:
    sitter = table.head.sitters[seat]
    return {
        "who": sitter.who,
        "person": sitter.person,
        "name": sitter.name,
        "level": sitter.level,
        "colour": sitter.colour,
        "ready": sitter.ready,
        "nonce": sitter.nonce,
        "here": sitter.person is not None and table.presence.has(sitter.person),
        "left": sitter.left,
        "absent": table.status == "playing" and sitter.who in ("person", "open") and table.is_absent(seat),
    }


def entry_message(row: LogRow, events: list[dict[str, Any]]) -> Entry:
    """A log entry as a message, with its events as somebody may know them."""
    return {
        "n": row.n,
        "is": cast(Any, row.kind),
        "seat": row.seat,
        "by": cast(Any, row.by),
        "events": events,
        "at": row.at,
    }


def said_frame(lines: Sequence[ChatRow]) -> str:
    """Lines of chat as a frame."""
    shown = [
        {"n": line.n, "person": line.person, "name": line.name, "text": line.text, "at": line.at} for line in lines
    ]
    return orjson.dumps({"is": "said", "lines": shown}).decode()
