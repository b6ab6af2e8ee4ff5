"""What a seat may ask for, as readable values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Payment:
    """Cards laid down for something: all of one colour, wilds standing for any of them."""

    colour: str | None
    """The colour of the coloured cards; None for wilds alone."""
    cards: int
    """How many coloured cards."""
    wilds: int = 0
    """How many wilds."""


@dataclass(frozen=True, slots=True)
class DrawCard:
    """Draw a card (R3.2)."""

    slot: int | None = None
    """A place of the row, counted from 0; None for the top of the deck."""


@dataclass(frozen=True, slots=True)
class ClaimRoute:
    """Claim a route; for a tunnel, lay down the payment (R4.1, R4.8)."""

    route: str
    payment: Payment


@dataclass(frozen=True, slots=True)
class PayTunnel:
    """Pay what the tunnel owes (R4.8)."""

    payment: Payment


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take the tunnel's payment back and end the turn (R4.10)."""


@dataclass(frozen=True, slots=True)
class DrawTickets:
    """Draw tickets (R5.1)."""


@dataclass(frozen=True, slots=True)
class KeepTickets:
    """Keep these tickets of the offer, in the opening or after a ticket draw (R2.3, R5.1)."""

    tickets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BuildStation:
    """Build a station (R6.1)."""

    city: str
    payment: Payment


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass, where nothing else is legal (R3.10)."""


Action = DrawCard | ClaimRoute | PayTunnel | TakeBack | DrawTickets | KeepTickets | BuildStation | Pass
