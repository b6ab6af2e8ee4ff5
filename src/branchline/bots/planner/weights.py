"""What the planner thinks things are worth, in hundredths of a point. How it was fitted is in docs/ladder-diary.md."""

from typing import Final

from mypy_extensions import i64

from branchline.engine.board import Board
from branchline.engine.ruleset import Ruleset

SHORT: Final[i64] = 25
"""With fewer cars than these a game is short."""

NEVER: Final[i64] = 1000
"""More turns than a game has: whoever wants as many to go draws no more tickets."""
NEVER_LACKING: Final[i64] = 1000
"""More cards than are ever missing."""


def is_short(rules: Ruleset) -> bool:
    """Whether games by these rules are short: tickets first, and every turn spent on what lies nearest."""
    return rules.cars < SHORT


class Weights:
    """One style of planning; the defaults are `regular`'s for a long game."""

    def __init__(self) -> None:
        self.turn: i64 = 145
        """A turn."""
        self.points: i64 = 52
        """A point printed on a route, when ways are compared."""
        self.tunnel: i64 = 138
        """What a tunnel may owe."""
        self.ferry_wild: i64 = 167
        """A wild that a ferry wants and the hand has not."""
        self.station: i64 = 215
        """A station built, its cards and turn aside: the points it would have been worth (R6.4)."""
        self.row_wild: i64 = 39
        """A wild taken from the row, where a card that is needed counts 100."""
        self.spare: i64 = 35
        """A card that nothing needs, likewise."""
        self.ticket_margin: i64 = 75
        """By how much drawing tickets has to beat a turn."""
        self.least_turns: i64 = 9
        """With fewer turns than these to go no more tickets are drawn."""
        self.join: i64 = 169
        """For a route that is claimed for its points: touching the own network, for the trail."""
        self.fill: i64 = 1
        """Routes wanted at a time for their points."""
        self.fill_rate: i64 = 636
        """What a route has to bring a turn to be claimed for its points while tickets wait."""
        self.ticket_cars: i64 = 37
        """With fewer cars than these, in hundredths of all, no more tickets are drawn."""
        self.hoard: i64 = 15
        """With so many cards more than cars the hand is spent."""
        self.wild_share: i64 = 52
        """At most so many of a hundred cards of a payment should be wilds that it does not ask for."""
        self.pace: i64 = 113
        """Cars a seat places in a turn, in hundredths, before it has shown its own pace."""
        self.swift: i64 = 105
        """How many turns another seat takes for each 100 that its cards and cars need at least."""
        self.keep_margin: i64 = 239
        """By how much one more ticket has to pay."""
        self.doubt: i64 = 48
        """What is left of a ticket's points for the risk of failing, in hundredths."""
        self.card_turns: i64 = 57
        """Hundredths of a turn that a card takes to draw."""
        self.need: i64 = 100
        """A card that a ticket's route needs; what the other cards are worth is measured by it."""
        self.need_points: i64 = 67
        """A card that a route for points needs."""
        self.nearly: i64 = 49
        """More for it where at most two are missing."""
        self.need_wild: i64 = 184
        """A wild while cards are missing for tickets; `free_wild` while none are."""
        self.free_wild: i64 = 79
        self.ferry_short: i64 = 37
        """More for a wild that a ferry asks for."""
        self.row_ferry: i64 = 109
        """More for one in the row."""
        self.risk: i64 = 369
        """Claiming first what others come near to, for each route of theirs that meets it."""
        self.rich: i64 = 9
        """Claiming first what brings points, for each of them."""
        self.extra_wild: i64 = 35
        """Claiming last what takes wilds that it does not ask for, for each of them."""
        self.hurry: i64 = 52
        """With so many hundredths of a turn to spare wilds are no longer saved."""
        self.race: i64 = 113
        """A car placed, when ahead and all tickets are joined."""
        self.block: i64 = 50
        """A route in another's way: both its ends at the other's routes, which it would join."""
        self.lacking: i64 = NEVER_LACKING
        """With more cards missing for its tickets than these it draws on, and shows nothing; see `planner.silence`."""
        self.calm: i64 = 500
        """But not with fewer turns to spare than these, in hundredths."""
        self.full: i64 = 24
        """And not with so many cards in the hand."""


def fitted(board: Board) -> Weights:
    """The weights of `regular` on a board."""
    weights = Weights()
    if is_short(board.rules):
        weights.turn = 137
        weights.points = 58
        weights.row_wild = 78
        weights.spare = 50
        weights.ticket_margin = 84
        weights.join = 174
        weights.fill_rate = 779
        weights.ticket_cars = 20
        weights.hoard = 10
        weights.wild_share = 113
        weights.pace = 207
        weights.swift = 156
        weights.doubt = 65
        weights.card_turns = 39
        weights.need_points = 125
        weights.nearly = 28
        weights.need_wild = 178
        weights.free_wild = 72
        weights.risk = 226
        weights.rich = 8
        weights.extra_wild = 68
        weights.hurry = 89
        weights.keep_margin = 16
        weights.race = 0
        weights.block = 39
    return weights
