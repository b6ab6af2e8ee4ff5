"""A hand that is shared out among routes, one after the other."""

from librt.vecs import vec
from mypy_extensions import i64

from branchline.engine.board import GREY, Board


class Purse:
    """Cards that are not spoken for yet."""

    def __init__(self, board: Board, hand: vec[i64]) -> None:
        self.board = board
        self.left = hand[:]
        """By colour, the wilds last."""

    def fullest(self) -> i64:
        """The colour of which the most is left, wilds aside; the first of equals."""
        best: i64 = 0
        colour: i64 = 1
        while colour < self.board.wild:
            if self.left[colour] > self.left[best]:
                best = colour
            colour += 1
        return best

    def colour_for(self, route: i64) -> i64:
        """The colour that a route would be paid in."""
        colour = self.board.colour[route]
        return self.fullest() if colour == GREY else colour

    def take(self, colour: i64, cards: i64) -> i64:
        """Set cards aside as far as they are there; how many are missing."""
        missing = max(i64(0), cards - self.left[colour])
        self.left[colour] -= cards - missing
        return missing

    def pay(self, route: i64) -> None:
        """Set aside what a route takes."""
        wilds = self.board.wilds[route]
        self.take(self.colour_for(route), self.board.length[route] - wilds)
        self.take(self.board.wild, wilds)
