"""What the planner thinks things are worth, in hundredths of a point. Fitted by the arena (docs/ladder.md)."""

from typing import Final

from mypy_extensions import i64

from branchline.engine.board import Board

SHORT: Final[i64] = 25
"""With fewer cars than these a game is short: tickets first, and every turn spent on what lies nearest."""


class Weights:
    """One style of planning; the defaults are `regular`'s for a long game."""

    def __init__(self) -> None:
        self.turn: i64 = 240
        """A turn."""
        self.points: i64 = 90
        """A point printed on a route, when ways are compared."""
        self.tunnel: i64 = 90
        """What a tunnel may owe."""
        self.ferry_wild: i64 = 120
        """A wild that a ferry wants and the hand has not."""
        self.station: i64 = 400
        """A station built, its cards and turn aside: the points it would have been worth (R6.4)."""
        self.row_wild: i64 = 100
        """A wild taken from the row, where a card that is needed counts 100."""
        self.spare: i64 = 45
        """A card that nothing needs, likewise."""
        self.ticket_margin: i64 = 60
        """By how much drawing tickets has to beat a turn."""
        self.least_turns: i64 = 6
        """With fewer turns than these to go no more tickets are drawn."""
        self.join: i64 = 120
        """For a route that is claimed for its points: touching the own network, for the trail."""
        self.fill: i64 = 3
        """Routes wanted at a time for their points."""
        self.fill_rate: i64 = 250
        """What a route has to bring a turn to be claimed for its points while tickets wait."""
        self.ticket_cars: i64 = 25
        """With fewer cars than these, in hundredths of all, no more tickets are drawn."""
        self.hoard: i64 = 8
        """With so many cards more than cars the hand is spent."""
        self.wild_share: i64 = 50
        """At most so many of a hundred cards of a payment should be wilds that it does not ask for."""
        self.pace: i64 = 140
        """Cars a seat places in a turn, in hundredths, before it has shown its own pace."""
        self.swift: i64 = 120
        """How many turns another seat takes for each 100 that its cards and cars need at least."""
        self.keep_margin: i64 = 0
        """By how much one more ticket has to pay."""
        self.doubt: i64 = 85
        """What is left of a ticket's points for the risk of failing, in hundredths."""


def fitted(board: Board) -> Weights:
    """The weights of `regular` on a board."""
    weights = Weights()
    if board.rules.cars < SHORT:
        weights.turn = 100
        weights.fill_rate = 1000
        weights.doubt = 110
        weights.fill = 1
        weights.wild_share = 60
    return weights
