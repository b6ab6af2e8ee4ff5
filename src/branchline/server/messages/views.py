"""What a seat sees, as `branchline.codec` writes it."""

from typing import Literal

from pydantic import with_config
from typing_extensions import TypedDict

from branchline.server.messages.base import EXACT
from branchline.views import Opened, OwnSeat, PublicSeat, Tunnel

PaymentTriple = tuple[str | None, int, int]
"""A payment, kept short: its colour (null for wilds alone), coloured cards and wilds."""


@with_config(EXACT)
class ChoicesJson(TypedDict):
    """What the seat may do now, grouped."""

    deck: bool
    """Draw from the deck."""
    row: list[int]
    """Places of the row a card may be taken from."""
    tickets: bool
    """Draw tickets."""
    keep: int
    """So many of the offered tickets have to be kept; 0 where none are offered."""
    claims: dict[str, int]
    """By route, the number of its list in `payments`."""
    payments: list[list[PaymentTriple]]
    """Lists of payments, fewest wilds first, that several routes may share."""
    cities: list[str]
    """Where a station may be built."""
    station: list[PaymentTriple]
    """Payments for a station, the same in every city."""
    pay: list[PaymentTriple]
    """Payments of what the tunnel owes."""
    take_back: bool
    passing: bool
    """Nothing else is possible (R3.10)."""


@with_config(EXACT)
class ViewJson(TypedDict):
    """What a seat sees, as `View.to_dict(memory=False)` writes it."""

    map: str
    seat: int | None
    stage: Literal["opening", "turn", "second-draw", "tunnel-owed", "ticket-offer", "over"]
    first: int
    on_turn: int
    to_act: list[int]
    turn: int
    passes: int
    last_turns: int | None
    row: list[str | None]
    deck: int
    discards: dict[str, int]
    ticket_deck: int
    owners: dict[str, int]
    closed: list[str]
    stations: dict[str, int]
    seats: list[PublicSeat]
    own: OwnSeat | None
    tunnel: Tunnel | None
    opened: Opened | None
    choices: ChoicesJson
