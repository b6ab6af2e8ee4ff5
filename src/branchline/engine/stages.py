"""What a game waits for: one tagged stage, never several flags."""

from typing import Final

from mypy_extensions import i64

OPENING: Final[i64] = 0
"""Seats that have not answered choose their opening tickets (R2.5)."""
TURN: Final[i64] = 1
"""The seat on turn chooses what to do (R3.1)."""
SECOND_DRAW: Final[i64] = 2
"""It has drawn one card and draws another (R3.2)."""
TUNNEL_OWED: Final[i64] = 3
"""It pays what the tunnel owes or takes its payment back (R4.10)."""
TICKET_OFFER: Final[i64] = 4
"""It chooses which of the drawn tickets to keep (R5.1)."""
OVER: Final[i64] = 5

STAGES: Final = ("opening", "turn", "second-draw", "tunnel-owed", "ticket-offer", "over")
