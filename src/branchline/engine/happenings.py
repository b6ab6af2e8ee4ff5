"""What happened, as small ints with names. Kept only when somebody listens; playouts do not.

What is secret in one, to all but its seat, is said by the event that it becomes (branchline.events).
"""

from typing import NamedTuple

from librt.vecs import vec
from mypy_extensions import i64


class Dealt(NamedTuple):
    """A seat got its opening hand."""

    seat: int
    cards: tuple[int, ...]


class Offered(NamedTuple):
    """A seat looks at tickets."""

    seat: int
    tickets: tuple[int, ...]


class AnsweredOpening(NamedTuple):
    """A seat has chosen its opening tickets."""

    seat: int
    tickets: tuple[int, ...]


class Kept(NamedTuple):
    """A seat has kept these of so many tickets."""

    seat: int
    tickets: tuple[int, ...]
    offered: int


class TurnBegan(NamedTuple):
    """A seat is on turn."""

    seat: int
    turn: int


class Drawn(NamedTuple):
    """A card was drawn from the deck."""

    seat: int
    card: int


class Taken(NamedTuple):
    """A card was taken from the row."""

    seat: int
    slot: int
    card: int


class RowFilled(NamedTuple):
    """A card was turned up into the row."""

    slot: int
    card: int


class RowReset(NamedTuple):
    """The row, as it lay, went to the discards."""

    row: tuple[int, ...]


class Reshuffled(NamedTuple):
    """The discards became a deck of so many cards."""

    cards: int


class Laid(NamedTuple):
    """A payment was laid down for a tunnel."""

    seat: int
    route: int
    colour: int
    coloured: int
    wilds: int


class Turned(NamedTuple):
    """A card was turned up for a tunnel."""

    seat: int
    card: int


class Owed(NamedTuple):
    """So many cards more are owed for a tunnel."""

    seat: int
    cards: int


class TookBack(NamedTuple):
    """What was laid down for a tunnel went back into the hand."""

    seat: int
    route: int


class Claimed(NamedTuple):
    """A route was claimed, with everything that was paid for it."""

    seat: int
    route: int
    colour: int
    coloured: int
    wilds: int
    points: int


class Built(NamedTuple):
    """A station was built."""

    seat: int
    city: int
    colour: int
    coloured: int
    wilds: int


class Passed(NamedTuple):
    """A seat could do nothing."""

    seat: int


class LastRound(NamedTuple):
    """A seat ended its turn with few cars."""

    seat: int


class Ended(NamedTuple):
    """The game is over."""


Happening = (
    Dealt
    | Offered
    | AnsweredOpening
    | Kept
    | TurnBegan
    | Drawn
    | Taken
    | RowFilled
    | RowReset
    | Reshuffled
    | Laid
    | Turned
    | Owed
    | TookBack
    | Claimed
    | Built
    | Passed
    | LastRound
    | Ended
)


class Happenings:
    """A listener: what an action did, in order."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.items: list[Happening] = []

    def add(self, happening: Happening) -> None:
        """Note one more."""
        self.items.append(happening)


def ints(numbers: vec[i64]) -> tuple[int, ...]:
    """The same numbers, as a happening holds them."""
    return tuple([int(n) for n in numbers])
