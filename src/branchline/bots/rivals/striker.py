"""`striker`: draws in silence until the chain for its tickets is nearly in its hand, then claims it turn after turn."""

from dataclasses import dataclass

from branchline.bots.planner.draws import best_draw
from branchline.bots.planner.facts import cards_of, rivals
from branchline.bots.planner.plan import FOR_TICKETS
from branchline.bots.planner.play import WHY_POINTS, WHY_STATION, WHY_TICKET
from branchline.bots.planner.weights import Weights, fitted
from branchline.bots.rivals.base import Rival, Turn, is_short
from branchline.engine.board import NONE, Board


@dataclass(frozen=True, slots=True)
class Patience:
    """How long it stays silent."""

    lacking: int
    """With no more cards missing than these it strikes."""
    spare: int
    """With fewer turns to spare than these, in hundredths, too."""
    cards: int
    """And with so many in the hand."""


LONG_GAME = Patience(lacking=1, spare=500, cards=24)
SHORT_GAME = Patience(lacking=2, spare=200, cards=14)

CROWDED = 3
"""With so many routes of others at the ends of one that it wants it waits no longer."""
VISIBLE = (WHY_TICKET, WHY_STATION, WHY_POINTS)
"""What would tell the others where it is heading."""


class Striker(Rival):
    """Shows nothing before it strikes; what it wants, it takes in consecutive turns."""

    def weights(self, board: Board) -> Weights:
        """Those of `regular`, with room for a large hand."""
        weights = fitted(board)
        weights.hoard = 16 if is_short(board) else 24
        return weights

    def instead(self, turn: Turn) -> int:
        """Draw on while it waits."""
        if turn.planner.why not in VISIBLE or not self._waits(turn):
            return turn.index
        drawn = best_draw(turn.state, turn.seat, turn.needs)
        return turn.index if drawn == NONE else int(drawn)

    def _waits(self, turn: Turn) -> bool:
        """Whether to draw on: cards are missing, there is time, the hand is not full and nobody comes near."""
        state, plan = turn.state, turn.planner.plan
        patience = SHORT_GAME if is_short(state.board) else LONG_GAME
        if turn.needs.short <= patience.lacking or cards_of(state, turn.seat) >= patience.cards:
            return False
        if plan.turns - plan.ticket_turns < patience.spare:
            return False
        chain = [route for route in plan.routes if plan.wanted[route] == FOR_TICKETS]
        return all(rivals(state, route, turn.seat) < CROWDED for route in chain)
