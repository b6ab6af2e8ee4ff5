"""`striker`: draws in silence until the chain for its tickets is nearly in its hand, then claims it turn after turn."""

from branchline.bots.planner.weights import Weights, fitted, is_short
from branchline.bots.rivals.base import Rival
from branchline.engine.board import Board


class Striker(Rival):
    """Shows nothing before it strikes; what it wants, it takes in consecutive turns."""

    def weights(self, board: Board) -> Weights:
        """Those of `regular`, with room for a large hand, and the patience to fill it."""
        weights = fitted(board)
        short = is_short(board.rules)
        weights.hoard = 16 if short else 24
        weights.lacking = 2 if short else 1
        weights.calm = 200 if short else 500
        weights.full = 14 if short else 24
        return weights
