"""Which card to draw."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from branchline.bots.planner.facts import unseen
from branchline.bots.planner.needs import Needs
from branchline.engine.board import EMPTY, NONE
from branchline.engine.stages import SECOND_DRAW
from branchline.engine.state import State

LAST_CARD: Final[i64] = 40
"""More for a wild in the row where one card is missing for all tickets: any colour it may be."""


class Best:
    """The best of some draws, and the worth of the two best."""

    def __init__(self) -> None:
        self.index: i64 = NONE
        self.worth: i64 = -1
        self.second: i64 = 0

    def compare(self, index: i64, worth: i64) -> None:
        """Look at one more; of equals the first stays."""
        if worth > self.worth:
            self.second = max(self.second, self.worth)
            self.worth = worth
            self.index = index
        else:
            self.second = max(self.second, worth)


def best_draw(state: State, seat: i64, needs: Needs) -> i64:
    """The index of the best card to draw; NONE if there is none.

    A wild in the row takes the whole turn (R3.2), so it has to be worth the two best other cards.
    """
    board = state.board
    best = Best()
    wild_slot: i64 = NONE
    slot: i64 = 0
    while slot < len(state.row):
        card = state.row[slot]
        if card == board.wild:
            wild_slot = slot
        elif card != EMPTY:
            best.compare(board.row_at + slot, needs.worth[card])
        slot += 1
    if state.deck_left > 0:
        best.compare(board.deck_at, _mean(unseen(state, seat), needs.worth))
    if wild_slot != NONE and state.stage != SECOND_DRAW and _open_wild(needs) > best.worth + best.second:
        return board.row_at + wild_slot
    return best.index


def _mean(cards: vec[i64], worth: vec[i64]) -> i64:
    """What one of these cards is worth, each as likely."""
    total: i64 = 0
    n: i64 = 0
    colour: i64 = 0
    while colour < len(cards):
        n += cards[colour]
        total += cards[colour] * worth[colour]
        colour += 1
    return total // n if n > 0 else i64(0)


def _open_wild(needs: Needs) -> i64:
    """What a wild in the row is worth."""
    weights = needs.plan.weights
    worth = weights.row_wild
    if needs.wilds_short > 0:
        worth += weights.row_ferry
    if needs.short == 1:
        worth += LAST_CARD
    return worth
