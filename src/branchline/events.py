"""What happened, as readable values. What the one who looks may not see is None.

An event that is not the same for all has `to_others`: what everybody but its seat may know of it (R8.2).
"""

from dataclasses import dataclass

from branchline.actions import Payment


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """A seat got its opening hand (R2.1)."""

    seat: int
    cards: tuple[str | None, ...]

    def to_others(self) -> "CardsDealt":
        return CardsDealt(self.seat, (None,) * len(self.cards))


@dataclass(frozen=True, slots=True)
class TicketsOffered:
    """A seat looks at tickets and has to choose (R2.2, R5.1)."""

    seat: int
    tickets: tuple[str | None, ...]

    def to_others(self) -> "TicketsOffered":
        return TicketsOffered(self.seat, (None,) * len(self.tickets))


@dataclass(frozen=True, slots=True)
class OpeningAnswered:
    """A seat has chosen its opening tickets; to others, not even how many (R2.5)."""

    seat: int
    tickets: tuple[str, ...] | None

    def to_others(self) -> "OpeningAnswered":
        return OpeningAnswered(self.seat, None)


@dataclass(frozen=True, slots=True)
class TicketsKept:
    """A seat has kept tickets; how many is public (R8.1)."""

    seat: int
    kept: int
    offered: int
    tickets: tuple[str | None, ...]

    def to_others(self) -> "TicketsKept":
        return TicketsKept(self.seat, self.kept, self.offered, (None,) * len(self.tickets))


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A seat is on turn."""

    seat: int
    turn: int


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A seat drew from the deck (R3.5)."""

    seat: int
    card: str | None

    def to_others(self) -> "CardDrawn":
        return CardDrawn(self.seat, None)


@dataclass(frozen=True, slots=True)
class CardTaken:
    """A seat took a face-up card."""

    seat: int
    slot: int
    card: str


@dataclass(frozen=True, slots=True)
class RowFilled:
    """A card was turned up into the row."""

    slot: int
    card: str


@dataclass(frozen=True, slots=True)
class RowReset:
    """Too many wilds: the whole row went to the discards (R3.6)."""

    cards: tuple[str | None, ...]
    """The row as it lay; None for a gap."""


@dataclass(frozen=True, slots=True)
class DeckReshuffled:
    """The discards became the deck (R3.7)."""

    cards: int


@dataclass(frozen=True, slots=True)
class TunnelLaid:
    """A payment was laid down for a tunnel (R4.8)."""

    seat: int
    route: str
    payment: Payment


@dataclass(frozen=True, slots=True)
class TunnelCardTurned:
    """A card was turned up for a tunnel."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class TunnelOwed:
    """So many cards more are owed; none, and the route is claimed at once."""

    seat: int
    owed: int


@dataclass(frozen=True, slots=True)
class TunnelTakenBack:
    """The payment went back into the hand (R4.10)."""

    seat: int
    route: str


@dataclass(frozen=True, slots=True)
class RouteClaimed:
    """A route was claimed; the payment holds what a tunnel cost beyond its length too."""

    seat: int
    route: str
    payment: Payment
    points: int


@dataclass(frozen=True, slots=True)
class StationBuilt:
    """A station was built."""

    seat: int
    city: str
    payment: Payment


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat could do nothing (R3.10)."""

    seat: int


@dataclass(frozen=True, slots=True)
class LastRoundBegan:
    """A seat ended its turn with few cars: everyone has one more turn (R7.1)."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over."""


Event = (
    CardsDealt
    | TicketsOffered
    | OpeningAnswered
    | TicketsKept
    | TurnBegan
    | CardDrawn
    | CardTaken
    | RowFilled
    | RowReset
    | DeckReshuffled
    | TunnelLaid
    | TunnelCardTurned
    | TunnelOwed
    | TunnelTakenBack
    | RouteClaimed
    | StationBuilt
    | Passed
    | LastRoundBegan
    | GameEnded
)


def as_seen(event: Event, seat: int | None) -> Event:
    """An event as `seat` may know it; None for a spectator."""
    if (
        isinstance(event, CardsDealt | TicketsOffered | OpeningAnswered | TicketsKept | CardDrawn)
        and event.seat != seat
    ):
        return event.to_others()
    return event
