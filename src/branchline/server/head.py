"""Head: a table's settings and seats, and how they change. Every change is a function from one head to the next."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import orjson
from pydantic import TypeAdapter

from branchline.maps import BUNDLED, load_map
from branchline.server.messages import COLOURS, DAYS, NONE, SECONDS, Colour, NewTable, Pace, SeatPlan
from branchline.server.refused import Refused, not_found

Who = Literal["open", "person", "bot", "closed"]


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits in a seat."""

    who: Who
    colour: Colour
    person: str | None = None
    name: str = ""
    level: str | None = None
    """The bot; for a person, the one that stands in for them."""
    nonce: str = ""
    left: bool = False
    """Whether the person has left the running game."""
    missed: int = 0
    """Turns in a row that the clock played for this seat."""

    @property
    def ready(self) -> bool:
        """Whether the game can start with this seat."""
        return self.who in ("bot", "closed") or (self.who == "person" and bool(self.nonce))

    @property
    def plays_itself(self) -> bool:
        """Whether a bot acts for this seat now."""
        return self.level is not None


@dataclass(frozen=True, slots=True)
class Undoable:
    """The last entry, while it may be taken back."""

    n: int
    seat: int
    deadline: float | None
    """The deadline before it."""


@dataclass(frozen=True, slots=True)
class Head:
    """Everything about a table but its game and its secret."""

    map: str
    owner: str | None
    public: bool
    hints: bool
    pace: Pace
    first: int | None
    commitment: str
    sitters: tuple[Sitter, ...]
    asked: tuple[int | None, ...] = ()
    """By seat, the log number at which its open question was put."""
    to_act: tuple[int, ...] = ()
    deadline: float | None = None
    undoable: Undoable | None = None
    abandoning: tuple[str, ...] = ()
    """Who agrees to abandon the game."""
    next: str | None = None
    """The table of the rematch."""

    def to_json(self) -> str:
        """As it is stored."""
        return orjson.dumps(self, default=_plain).decode()

    @property
    def people(self) -> list[str]:
        """Everybody with a seat, by seat."""
        return [sitter.person for sitter in self.sitters if sitter.person is not None]

    def seats_of(self, person: str | None) -> list[int]:
        """The seats of a person."""
        return [seat for seat, sitter in enumerate(self.sitters) if person is not None and sitter.person == person]

    def sitter(self, seat: int) -> Sitter:
        """Who sits in a seat; refused if there is no such seat."""
        if not 0 <= seat < len(self.sitters):
            raise not_found("seat")
        return self.sitters[seat]

    def with_sitter(self, seat: int, sitter: Sitter) -> "Head":
        """With somebody else in a seat."""
        return replace(self, sitters=(*self.sitters[:seat], sitter, *self.sitters[seat + 1 :]))


Change = Callable[[Head], Head]

_ADAPTER = TypeAdapter(Head)


def head_from_json(text: str) -> Head:
    """A head as it was stored."""
    return _ADAPTER.validate_json(text)


def new_head(asked: NewTable, owner: str, commitment: str, levels: Sequence[str]) -> Head:
    """The head of a new table; refused if its map, seats, bots or pace make no sense."""
    if asked.map not in BUNDLED:
        raise not_found("map")
    rules = load_map(asked.map).rules
    if not rules.seats_min <= len(asked.seats) <= rules.seats_max:
        text = f"this map is for {rules.seats_min} to {rules.seats_max} (R1.1)"
        raise Refused("seats", text, "R1.1", 422)
    if asked.first is not None and asked.first >= len(asked.seats):
        raise Refused("first", "there is no such seat to begin", status=422)
    shortest, longest = {NONE: (0, 0), SECONDS: (10, 86_400), DAYS: (1, 30)}[asked.pace.kind]
    if not shortest <= asked.pace.length <= longest:
        raise Refused("pace", f"a pace in {asked.pace.kind} is from {shortest} to {longest}", status=422)
    sitters = tuple(_planned(plan, COLOURS[seat], levels) for seat, plan in enumerate(asked.seats))
    return Head(asked.map, owner, asked.public, asked.hints, asked.pace, asked.first, commitment, sitters)


def planned(seat: int, plan: SeatPlan, levels: Sequence[str]) -> Change:
    """Open a seat, close it, or put a bot there."""

    def change(head: Head) -> Head:
        sitter = head.sitter(seat)
        if sitter.who == "person":
            raise Refused("taken", "somebody sits there")
        return head.with_sitter(seat, _planned(plan, sitter.colour, levels))

    return change


def seated(seat: int, person: str, name: str, nonce: str, colour: Colour | None, running: bool) -> Change:
    """Sit down, or choose another colour; in a running game, in a seat that was released."""

    def change(head: Head) -> Head:
        sitter = head.sitter(seat)
        if sitter.person != person and sitter.who != "open":
            raise Refused("taken", "the seat is not free")
        wanted = colour or sitter.colour
        holder = next((n for n, other in enumerate(head.sitters) if other.colour == wanted and n != seat), None)
        if holder is not None:
            other = head.sitters[holder]
            if other.who == "person":
                raise Refused("colour", "somebody has this colour")
            # Nobody minds there: the two seats swap colours.
            head = head.with_sitter(holder, replace(other, colour=sitter.colour))
        # Once dealt, a game keeps the nonces it was dealt with.
        kept = sitter.nonce if running else nonce
        taken = replace(sitter, who="person", person=person, name=name, nonce=kept, colour=wanted, left=False)
        return head.with_sitter(seat, taken)

    return change


def vacated(seat: int) -> Change:
    """Free a seat before the start."""

    def change(head: Head) -> Head:
        sitter = head.sitter(seat)
        if sitter.who != "person":
            raise Refused("nobody", "nobody sits there")
        head = head.with_sitter(seat, Sitter("open", sitter.colour))
        if sitter.person == head.owner and sitter.person not in head.people and head.people:
            head = replace(head, owner=head.people[0])
        return head

    return change


def renamed(person: str, name: str) -> Change:
    """Call a person by another name, in every seat of theirs."""
    return lambda head: replace(
        head, sitters=tuple(replace(s, name=name) if s.person == person else s for s in head.sitters)
    )


def owned_by(person: str) -> Change:
    """Hand the table on to somebody with a seat."""

    def change(head: Head) -> Head:
        if person not in head.people:
            raise Refused("no-seat", "only somebody with a seat can own the table")
        return replace(head, owner=person)

    return change


def left(seat: int) -> Change:
    """Leave a running game: the seat stays, and others may hand it to a bot."""
    return lambda head: head.with_sitter(seat, replace(head.sitter(seat), left=True))


def minded(seat: int, level: str | None) -> Change:
    """Let a bot stand in for a person, or take the seat back from it."""

    def change(head: Head) -> Head:
        sitter = head.sitter(seat)
        back = level is None
        return head.with_sitter(seat, replace(sitter, level=level, left=sitter.left and not back, missed=0))

    return change


def released(seat: int, level: str | None) -> Change:
    """Free the seat of a person who does not come back, for whoever has the link; a bot may stand in until then."""

    def change(head: Head) -> Head:
        sitter = head.sitter(seat)
        if sitter.who != "person":
            raise Refused("nobody", "nobody sits there")
        free = replace(sitter, who="open", person=None, name="", left=False, missed=0, level=level)
        return head.with_sitter(seat, free)

    return change


def without_closed(head: Head) -> Head:
    """The seats that play, numbered anew."""
    playing = [seat for seat, sitter in enumerate(head.sitters) if sitter.who != "closed"]
    first = playing.index(head.first) if head.first in playing else None
    return replace(head, sitters=tuple(head.sitters[seat] for seat in playing), first=first)


def _planned(plan: SeatPlan, colour: Colour, levels: Sequence[str]) -> Sitter:
    if plan.who == "bot":
        level = plan.level or (levels[0] if levels else "")
        if level not in levels:
            raise Refused("level", f"the bots are {', '.join(levels)}", status=422)
        return Sitter("bot", colour, level=level)
    return Sitter(plan.who, colour)


def _plain(value: object) -> object:
    if isinstance(value, Pace):
        return value.model_dump()
    raise TypeError(type(value).__name__)
