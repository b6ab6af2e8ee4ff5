"""What lies open on the table: the part that the state and every sight of it have alike (R8.1).

A field stands once, where its class declares it: here, in `State` or in `Sight`. `scripts/fields` makes copying,
numbers and restoring out of the three.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from branchline.engine.board import NONE, Board
from branchline.engine.stages import OPENING

WRITTEN: Final = ("row", "discards", "hands", "cars", "points")
"""Tables that are written with almost every action, and so are copied."""
SHARED: Final = ("owner", "station", "stations", "held", "holder")
"""Tables that copies share until one of them writes: it replaces its own first. All others are never written."""


class Public:
    """The open part of a state or a sight."""

    def __init__(self, board: Board, seats: i64) -> None:
        """A bare table."""
        self.board = board
        self.seats: i64 = seats
        self.shared = False
        """Whether a copy or a sight may have the same tables of `SHARED`."""
        self.shuffles: i64 = 0
        """How many shuffles there have been: the index of the next one."""
        self.stage: i64 = OPENING
        self.first: i64 = 0
        """The seat that has the first turn (R2.6)."""
        self.turn: i64 = 0
        """Turns begun so far; 0 in the opening."""
        self.passes: i64 = 0
        """Passes that have followed each other (R3.10)."""
        self.last: i64 = NONE
        """Turns left to play once the last round has begun (R7.1)."""

        self.deck_left: i64 = 0
        """Cards in the deck."""
        self.row = vec[i64]()
        self.discards = vec[i64]()
        """How many of each colour; the order of discards never matters."""

        self.owner = vec[i64]()
        """Who has claimed each route."""
        self.station = vec[i64]()
        """Whose station stands in each city."""
        self.cars = vec[i64]()
        self.stations = vec[i64]()
        """Stations each seat has left."""
        self.points = vec[i64]()
        """Points for routes (R4.3)."""
        self.held = vec[i64]()
        """How many tickets each seat has kept."""

        self.route: i64 = NONE
        """The tunnel for which a payment lies on the table."""
        self.laid_colour: i64 = NONE
        self.laid_wilds: i64 = 0
        self.owed: i64 = 0
        self.turned = vec[i64]()
        """The cards turned up for the tunnel."""
