"""`amateur`: plans as `regular` does, and minds nothing but its own tickets. It looks less far and makes no slips.

What it leaves out is what people leave out in their first games: it takes the shortest ways whatever they score, joins
its tickets before anything else, never counts the turns that are left, never looks at what others may want, and is fond
of wilds that lie open.
"""

from branchline.bots.planner.weights import Weights, fitted
from branchline.bots.regular import RegularBot
from branchline.engine.board import Board

FOND = 160
"""What an open wild is worth to it, where a card that it needs counts 100."""
NEVER = 100_000
"""What a route would have to bring a turn to be claimed for its points while tickets wait."""
SLOW = 1000
"""It takes others to need ten times as long as they do: there is always time."""


class Amateur(RegularBot):
    """Plans anew at every decision, in one order of its tickets."""

    thorough = False

    def style(self, board: Board) -> Weights:
        """Those of `regular`, without what it knows of points, of others and of time."""
        weights = fitted(board)
        weights.points = 0
        weights.join = 0
        weights.fill_rate = NEVER
        weights.risk = 0
        weights.block = 0
        weights.race = 0
        weights.pace = 1
        weights.swift = SLOW
        weights.row_wild = FOND
        return weights
