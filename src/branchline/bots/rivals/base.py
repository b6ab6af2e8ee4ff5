"""What the rivals share: the planner with other weights, and a question in each turn, whether to do otherwise."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from branchline.bots.base import Budget
from branchline.bots.planner.blind import seen_by
from branchline.bots.planner.needs import Needs
from branchline.bots.planner.play import Planner
from branchline.bots.planner.weights import Weights
from branchline.engine.board import NONE, Board
from branchline.engine.shuffle import Rng
from branchline.engine.stages import TURN
from branchline.engine.state import State
from branchline.views import View

CARD_TURNS = 0.25
"""What a card that is paid counts, in turns: half of what drawing it took, since it is in the hand already."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that the hand can pay, and what that takes."""

    index: int
    length: int
    wilds: int
    extra: int
    """Wilds that the route does not ask for."""
    needed: int
    """Coloured cards of it that other routes for tickets want."""

    @property
    def turns(self) -> float:
        """Turns that it costs: this one, and its cards."""
        return 1 + CARD_TURNS * self.length


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn to which the planner has its answer."""

    state: State
    """The game as its seat may see it."""
    seat: int
    planner: Planner
    needs: Needs
    index: int
    """What the planner would do."""

    def claim(self, route: int) -> Claim | None:
        """The claim of a route that hurts the plan least; None if the hand can't pay it."""
        board = self.state.board
        index = int(self.planner.claim_of(self.state, route))
        if index == NONE:
            return None
        length, colour = board.length[route], board.action_colour[index]
        wilds = length if colour == board.wild else board.action_wilds[index]
        needed = max(0, length - wilds - self.needs.spare_for(route)[colour])
        return Claim(index, length, wilds, wilds - board.wilds[route], needed)


class Rival(ABC):
    """Plans anew at every decision; before the last turns it may do otherwise."""

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        """What the plan says, or what this style does instead."""
        sight = view.sight
        state = seen_by(sight)
        planner = Planner(sight.board, sight.seat, self.weights(sight.board), True)
        index = int(planner.choose(state))
        if state.stage != TURN or state.last != NONE or planner.needs is None:
            return index
        return self.instead(Turn(state, int(sight.seat), planner, planner.needs, index))

    @abstractmethod
    def weights(self, board: Board) -> Weights:
        """What it plans by."""

    def instead(self, turn: Turn) -> int:
        """What it does in a turn: `turn.index` is what the planner would."""
        return turn.index
