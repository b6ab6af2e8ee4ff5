"""What happened, as tuples of ints: (kind, seat, ...). Kept only when somebody listens; playouts do not."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

DEALT: Final[i64] = 0
"""seat, cards (secret)"""
OFFERED: Final[i64] = 1
"""seat, tickets (secret)"""
ANSWERED_OPENING: Final[i64] = 2
"""seat, tickets kept (secret, their number too until all have answered)"""
KEPT: Final[i64] = 3
"""seat, number kept, number offered, tickets kept (secret)"""
TURN_BEGAN: Final[i64] = 4
"""seat, turn"""
DRAWN: Final[i64] = 5
"""seat, card (secret)"""
TAKEN: Final[i64] = 6
"""seat, slot, card"""
ROW_FILLED: Final[i64] = 7
"""nobody, slot, card"""
ROW_RESET: Final[i64] = 8
"""nobody, the row as it lay"""
RESHUFFLED: Final[i64] = 9
"""nobody, cards in the new deck"""
LAID: Final[i64] = 10
"""seat, route, colour, wilds: a payment laid down for a tunnel"""
TURNED: Final[i64] = 11
"""seat, card: one for each card turned up"""
OWED: Final[i64] = 12
"""seat, cards owed"""
TOOK_BACK: Final[i64] = 13
"""seat, route"""
CLAIMED: Final[i64] = 14
"""seat, route, colour, cards, wilds among them, points"""
BUILT: Final[i64] = 15
"""seat, city, colour, cards, wilds among them"""
PASSED: Final[i64] = 16
"""seat"""
LAST_ROUND: Final[i64] = 17
"""seat"""
ENDED: Final[i64] = 18
"""nobody"""


class Happenings:
    """A listener: what an action did, in order."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.items: list[tuple[int, ...]] = []

    def add(self, happening: vec[i64]) -> None:
        """Note one more."""
        self.items.append(tuple([int(x) for x in happening]))
