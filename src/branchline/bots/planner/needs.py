"""What a plan's routes still need: the hand is shared out among them, and what one more card would be worth."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from branchline.bots.planner.plan import FOR_TICKETS, Plan
from branchline.bots.planner.purse import Purse
from branchline.engine.board import GREY, TUNNEL, zeros

STACKED: Final[i64] = 4
"""A card that nothing needs is worth so much more for each of its colour that is held: long routes want one colour."""
STACK: Final[i64] = 4
"""Up to so many of them."""
TUNNEL_SPARE: Final[i64] = 1
"""Cards that a tunnel for tickets should have beyond its length: it owes about so many."""
NEARLY: Final[i64] = 2
"""A route that misses no more cards than these is nearly paid for."""


class Needs:
    """One hand beside one plan."""

    def __init__(self, plan: Plan, hand: vec[i64]) -> None:
        board = plan.board
        self.plan = plan
        self.hand = hand
        self.purse = Purse(board, hand)
        """Cards that no wanted route needs."""
        self.worth = zeros(board.kinds)
        """What one more card of each colour is worth."""
        self.reserved = zeros(board.kinds)
        """Cards by colour that coloured routes for tickets take, those in hand or not."""
        self.short: i64 = 0
        """Cards missing for the tickets' routes."""
        self.wilds_free: i64 = 0
        """Wilds that no route for tickets asks for."""
        self.wilds_short: i64 = 0
        """Wilds missing for ferries."""
        self._count_wilds()
        self._value_spares()
        for route in plan.routes:
            self._share(route)
        self._value_wilds()

    def _count_wilds(self) -> None:
        plan, board = self.plan, self.plan.board
        wilds = self.hand[board.wild]
        for route in plan.routes:
            if plan.wanted[route] == FOR_TICKETS:
                wilds -= board.wilds[route]
            else:
                self.wilds_short += board.wilds[route]
        self.wilds_free = max(wilds, i64(0))
        self.wilds_short += max(-wilds, i64(0))

    def _value_spares(self) -> None:
        colour: i64 = 0
        while colour < self.plan.board.kinds:
            self.worth[colour] = self.plan.weights.spare + STACKED * min(self.hand[colour], STACK)
            colour += 1

    def _share(self, route: i64) -> None:
        """Give a wanted route its cards, and value those that it misses."""
        plan, board, weights = self.plan, self.plan.board, self.plan.weights
        tickets = plan.wanted[route] == FOR_TICKETS
        want = board.length[route] - board.wilds[route]
        if tickets and board.kind[route] == TUNNEL:
            want += TUNNEL_SPARE
        if tickets and board.colour[route] != GREY:
            self.reserved[board.colour[route]] += board.length[route]
        colour = self.purse.colour_for(route)
        missing = self.purse.take(colour, want)
        if missing > 0:
            value = weights.need if tickets else weights.need_points
            if missing <= NEARLY:
                value += weights.nearly
            self.worth[colour] = max(self.worth[colour], value)
            if tickets:
                self.short += missing

    def _value_wilds(self) -> None:
        weights = self.plan.weights
        value = weights.need_wild if self.short > 0 else weights.free_wild
        if self.wilds_short > 0:
            value += weights.ferry_short
        self.worth[self.plan.board.wild] = value

    def spare_for(self, route: i64) -> vec[i64]:
        """Cards by colour that no other route for tickets wants; none less than nought."""
        plan, board = self.plan, self.plan.board
        out = self.hand[:]
        colour: i64 = 0
        while colour < board.wild:
            out[colour] = max(i64(0), out[colour] - self.reserved[colour])
            colour += 1
        own = board.colour[route]
        if own != GREY and plan.wanted[route] == FOR_TICKETS:
            out[own] = max(i64(0), self.hand[own] - self.reserved[own] + board.length[route])
        return out
