"""Which of the wanted routes to claim now, and when to wait for better cards."""

from typing import Final

from mypy_extensions import i64

from branchline.bots.planner.facts import cards_of, rivals
from branchline.bots.planner.needs import Needs
from branchline.bots.planner.payments import Payment, claim
from branchline.bots.planner.plan import FOR_TICKETS
from branchline.bots.planner.turns import TURN
from branchline.engine.board import NONE, TUNNEL
from branchline.engine.state import State

FULL_HAND: Final[i64] = 24
"""With more cards than these something is claimed, whatever it costs."""
PRESSING: Final[i64] = 2
"""With so many routes of others at its ends a route is worth any wilds."""
RICH: Final[i64] = 20
"""What a point counts in the order of routes for points, a route of others at their ends, and a wild too many."""
RIVAL: Final[i64] = 30
DEAR_WILD: Final[i64] = 30
STACK: Final[i64] = 4
"""Tunnels whose cards are left to be turned, at which a planner no longer hopes for other cards than the last time."""
LATE: Final[i64] = 100
"""Turns a seat after which it never does."""


class Claims:
    """The claims of one decision."""

    def __init__(self, state: State, seat: i64, needs: Needs) -> None:
        self.state = state
        self.seat: i64 = seat
        self.needs = needs
        self.plan = needs.plan
        self.open: i64 = needs.plan.open_routes()
        """Routes that tickets still want."""
        self.hurry = self.plan.turns <= self.open * TURN + self.plan.weights.hurry or self._hoards()
        """Whether wilds are no longer saved."""

    def _hoards(self) -> bool:
        """Whether the hand holds far more cards than there are cars for them."""
        cards = cards_of(self.state, self.seat)
        return cards > self.state.cars[self.seat] + self.plan.weights.hoard or cards > FULL_HAND

    def best(self, reason: i64) -> tuple[i64, i64]:
        """The most pressing claim of those wanted for a reason, and its route; NONE if none should be made yet."""
        best: i64 = NONE
        best_route: i64 = NONE
        best_score: i64 = 0
        for route in self.plan.routes:
            if self.plan.wanted[route] != reason:
                continue
            payment = claim(self.state, self.seat, self.needs, route)
            if payment.index == NONE or self._fails_again(route, payment):
                continue
            risk = rivals(self.state, route, self.seat)
            if reason == FOR_TICKETS:
                good = self._is_good_for_tickets(route, payment, risk)
                score = self._score_for_tickets(route, payment, risk)
            else:
                good = self._is_good_for_points(route, payment)
                score = self._score_for_points(route, payment, risk)
            if good and (best == NONE or score > best_score):
                best = payment.index
                best_route = route
                best_score = score
        return best, best_route

    def _extra(self, route: i64, payment: Payment) -> i64:
        """Wilds that the route does not ask for."""
        return payment.wilds - self.plan.board.wilds[route]

    def _takes_too_many(self, route: i64, payment: Payment) -> bool:
        """Whether the share of wilds is higher than it should be."""
        length = self.plan.board.length[route]
        return self._extra(route, payment) * 100 > length * self.plan.weights.wild_share

    def _is_good_for_tickets(self, route: i64, payment: Payment, risk: i64) -> bool:
        board = self.plan.board
        free = self.needs.hand[board.wild] - board.wilds[route] if self.hurry else self.needs.wilds_free
        if self._extra(route, payment) > free:
            return False
        return self.hurry or risk >= PRESSING or not self._takes_too_many(route, payment)

    def _score_for_tickets(self, route: i64, payment: Payment, risk: i64) -> i64:
        weights = self.plan.weights
        rich = self.plan.board.points[route] * weights.rich
        return risk * weights.risk + rich - self._extra(route, payment) * weights.extra_wild

    def _is_good_for_points(self, route: i64, payment: Payment) -> bool:
        """While tickets wait, only what costs them nothing."""
        if self.open == 0:
            return self.hurry or not self._takes_too_many(route, payment)
        if payment.wilds > 0:
            return False
        return self.needs.spare_for(route)[payment.colour] >= self.plan.board.length[route]

    def _score_for_points(self, route: i64, payment: Payment, risk: i64) -> i64:
        return self.plan.board.points[route] * RICH + risk * RIVAL - self._extra(route, payment) * DEAR_WILD

    def _fails_again(self, route: i64, payment: Payment) -> bool:
        """Whether a tunnel may fail as it did before, with this payment: then cards come first.

        Where few cards are left to be turned, the same ones turn up each time, and seats that try again without
        drawing would go on for ever; late in a game it is said of any stack, so that every game ends.
        """
        state, board, hand = self.state, self.plan.board, self.needs.hand
        if board.kind[route] != TUNNEL:
            return False
        stack = state.deck_left
        for cards in state.discards:
            stack += cards
        if stack > STACK * board.rules.tunnel_cards and state.turn <= LATE * state.seats:
            return False
        spare = hand[board.wild] - payment.wilds
        if payment.colour != board.wild:
            spare += hand[payment.colour] - (board.length[route] - payment.wilds)
        return spare < min(board.rules.tunnel_cards, stack)
