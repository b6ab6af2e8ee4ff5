"""Head: a table's settings and seats. Every change is a function from one head to the next; see `seating`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import orjson
from pydantic import TypeAdapter

from branchline.maps import BUNDLED, load_map
from branchline.server.messages import COLOURS, DAYS, NONE, SECONDS, BotPace, Colour, NewTable, Pace, SeatPlan
from branchline.server.refused import Refused, not_found

BOT_NAMES = (
    "Ada", "Bruno", "Clara", "Dario", "Elsa", "Felix", "Greta", "Hugo", "Iris", "Jonas", "Karla", "Leo", "Mina", "Nils",
)  # fmt: skip
"""What bots are called: more names than a table has seats, even where people have some of them."""

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
    freed_from: str | None = None
    """Who sat here last, in a seat of a running game that was freed: they may come back to it."""
    guest: bool = False
    """Whether the name is of somebody who shares the person's device."""

    @property
    def ready(self) -> bool:
        """Whether the game can start with this seat."""
        return self.who in ("bot", "closed") or (self.who == "person" and bool(self.nonce))

    @property
    def plays_itself(self) -> bool:
        """Whether a bot acts for this seat now."""
        return self.level is not None


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody, and what they were called when the owner acted on them."""

    person: str
    name: str


@dataclass(frozen=True, slots=True)
class Undoable:
    """The last entry, while it may be taken back."""

    n: int
    seat: int
    deadline: float | None
    """The deadline before it."""


@dataclass(frozen=True, slots=True)
class Practice:
    """The moment of a finished game that a practice game goes on from, and what became of it then."""

    game: str | None
    """Its table; None for a record that somebody sent."""
    at: int
    turn: int
    seat: int
    redeal: bool
    totals: tuple[int, ...]
    names: tuple[str, ...]


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
    unattended: int = 0
    """Entries in a row that no person made."""
    insiders: tuple[str, ...] = ()
    """Everybody who ever had a seat in this game or owned the table: none of them may see another's hand."""
    banned: tuple[Named, ...] = ()
    """Who may not sit here, nor watch."""
    silenced: tuple[Named, ...] = ()
    """Who may not say anything here."""
    bots: BotPace = "normal"
    hurried: bool = False
    """Whether bots act at once until a person is asked something."""
    challenge: str | None = None
    """The challenge whose deal this table plays: then nobody without a seat here may look on."""

    practice: Practice | None = None

    def to_json(self) -> str:
        """As it is stored."""
        return orjson.dumps(self, default=_plain).decode()

    @property
    def people(self) -> list[str]:
        """Everybody with a seat, by seat."""
        return [sitter.person for sitter in self.sitters if sitter.person is not None]

    @property
    def belonging(self) -> set[str]:
        """Everybody with a seat, and the owner."""
        return {*self.people, *([] if self.owner is None else [self.owner])}

    def seats_of(self, person: str | None) -> list[int]:
        """The seats of a person."""
        return [seat for seat, sitter in enumerate(self.sitters) if person is not None and sitter.person == person]

    @property
    def alone(self) -> bool:
        """Whether all seats but one person's are bots'."""
        return len({sitter.person for sitter in self.sitters if sitter.who == "person"}) == 1

    @property
    def all_agree(self) -> bool:
        """Whether everybody who is still there agrees to abandon the game."""
        there = {s.person for s in self.sitters if s.who == "person" and not s.left and s.level is None}
        return bool(self.abandoning) and there <= set(self.abandoning)

    @property
    def free(self) -> int:
        """Seats that a stranger could take: open ones, where some person sits already."""
        return sum(sitter.who == "open" for sitter in self.sitters) if self.people else 0

    def through(self, person: str | None, seat: int | None) -> int | None:
        """The seat through which somebody looks: the one they ask for if it is theirs, else none."""
        return seat if seat is not None and seat in self.seats_of(person) else None

    def is_banned(self, person: str) -> bool:
        """Whether somebody may not come here."""
        return any(other.person == person for other in self.banned)

    def is_closed_to(self, person: str) -> bool:
        """Whether somebody may not look at the table: banned, or at a deal that others are to play yet."""
        dealt = bool(self.asked)
        return self.is_banned(person) or (self.challenge is not None and dealt and person not in self.people)

    def is_silenced(self, person: str) -> bool:
        """Whether somebody may not say anything here."""
        return any(other.person == person for other in self.silenced)

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
    sitters: tuple[Sitter, ...] = ()
    head = Head(
        asked.map, owner, asked.public, asked.hints, asked.pace, asked.first, commitment, sitters, bots=asked.bots
    )
    for seat, plan in enumerate(asked.seats):
        head = replace(head, sitters=(*head.sitters, sitter_for(head, plan, COLOURS[seat], levels)))
    return head


def own(head: Head, person: str) -> None:
    """Refuse what only the table's owner may do."""
    if head.owner != person:
        raise Refused("not-owner", "only the table's owner can", status=403)


def same_for_all(head: Head) -> None:
    """Refuse to change what has to be the same at every table of a challenge."""
    if head.challenge is not None:
        raise Refused("challenge", "the seats are the same at every table of a challenge")


def renamed(person: str, name: str) -> Change:
    """Call a person by another name, in every seat that is not a guest's of theirs."""
    return lambda head: replace(
        head, sitters=tuple(replace(s, name=name) if s.person == person and not s.guest else s for s in head.sitters)
    )


def begun_by(seat: int | None, by: str) -> Change:
    """Name the seat that begins, or leave it to the shuffle (R2.6); for the owner."""

    def change(head: Head) -> Head:
        own(head, by)
        same_for_all(head)
        if seat is not None and head.sitter(seat).who == "closed":
            raise Refused("first", "nobody plays there")
        return replace(head, first=seat)

    return change


def bots_at(pace: BotPace, by: str) -> Change:
    """Let bots seem to think for longer or shorter; for the owner."""

    def change(head: Head) -> Head:
        own(head, by)
        return replace(head, bots=pace)

    return change


def at_rest(head: Head) -> Head:
    """Nobody is asked any more, and nobody stands in for anybody."""
    people = (replace(s, level=None, left=False, missed=0) if s.who == "person" else s for s in head.sitters)
    return replace(
        head, sitters=tuple(people), to_act=(), asked=tuple(None for _ in head.asked), deadline=None, undoable=None
    )


def owned_by(person: str, by: str, is_ownerless: Callable[[], bool]) -> Change:
    """Hand the table on to somebody with a seat; for the owner, and once they are gone for whoever takes it on."""

    def change(head: Head) -> Head:
        if person != by or head.owner == by:
            own(head, by)
        elif not is_ownerless():
            raise Refused("not-absent", "the table's owner is still there")
        if person not in head.people:
            raise Refused("no-seat", "only somebody with a seat can own the table")
        return replace(head, owner=person)

    return change


def without_closed(head: Head) -> Head:
    """The seats that play, numbered anew."""
    playing = [seat for seat, sitter in enumerate(head.sitters) if sitter.who != "closed"]
    first = playing.index(head.first) if head.first in playing else None
    return replace(head, sitters=tuple(head.sitters[seat] for seat in playing), first=first)


def sitter_for(head: Head, plan: SeatPlan, colour: Colour, levels: Sequence[str]) -> Sitter:
    """Who sits where such a plan was made."""
    if plan.who == "bot":
        level = plan.level or (levels[0] if levels else "")
        if level not in levels:
            raise Refused("level", f"the bots are {', '.join(levels)}", status=422)
        return Sitter("bot", colour, name=_bot_name(head), level=level)
    return Sitter(plan.who, colour)


def _bot_name(head: Head) -> str:
    """A name that nobody at the table has; another table's bots are called otherwise."""
    begin, taken = int(head.commitment[:8], 16), {sitter.name for sitter in head.sitters}
    return next(name for n in range(len(BOT_NAMES)) if (name := BOT_NAMES[(begin + n) % len(BOT_NAMES)]) not in taken)


def _plain(value: object) -> object:
    if isinstance(value, Pace):
        return value.model_dump()
    raise TypeError(type(value).__name__)
