"""`rusher`: leaves no cards lying: few tickets, long routes for their points, and a race when ahead."""

from dataclasses import dataclass

from branchline.bots.planner.facts import meets, new_attractions
from branchline.bots.planner.plan import FOR_TICKETS
from branchline.bots.planner.play import WHY_CARDS, WHY_POINTS
from branchline.bots.planner.riches import is_ahead
from branchline.bots.planner.turns import TURN as WHOLE_TURN
from branchline.bots.planner.weights import NEVER, Weights, fitted, is_short
from branchline.bots.rivals.base import Claim, Rival, Turn
from branchline.engine.board import TUNNEL, Board
from branchline.engine.network import groups

TUNNEL_TURNS = 0.3
"""Turns that a tunnel may cost beyond a track."""


@dataclass(frozen=True, slots=True)
class Haste:
    """What spending cards at once is worth, in points."""

    waiting: float
    """What a claim has to bring a turn while tickets wait."""
    free: float
    """The same once they are joined."""
    shortest: int
    """While tickets wait no shorter route is claimed."""
    car: float
    """A car placed."""
    car_ahead: float
    """More for it when ahead with all tickets joined."""
    wild: float
    """A wild that the route does not ask for."""
    touch: float
    """An end of the route at the own network."""


LONG_GAME = Haste(waiting=4.5, free=4.0, shortest=4, car=0.35, car_ahead=0.6, wild=1.0, touch=0.8)
SHORT_GAME = Haste(waiting=3.5, free=3.0, shortest=3, car=0.2, car_ahead=0.4, wild=0.8, touch=0.0)


class Rusher(Rival):
    """Spends what its few tickets do not need at once, most cars first; never draws tickets again."""

    def weights(self, board: Board) -> Weights:
        """Those of `regular` for few tickets and rich ways, and for spending cards and wilds soon."""
        weights = fitted(board)
        short = is_short(board.rules)
        weights.keep_margin = 400 if short else 600
        weights.least_turns = NEVER
        weights.race = 150 if short else 250
        weights.wild_share = 120 if short else 65
        weights.points = 70 if short else 58
        weights.hoard = 4 if short else 5
        weights.fill = 1 if short else 2
        return weights

    def instead(self, turn: Turn) -> int:
        """Of the claims that cost its tickets nothing the one that brings the most a turn."""
        if turn.planner.why not in (WHY_CARDS, WHY_POINTS):
            return turn.index
        board, plan = turn.state.board, turn.planner.plan
        haste = SHORT_GAME if is_short(board.rules) else LONG_GAME
        waiting = plan.wants_for_tickets()
        if waiting and plan.turns - plan.ticket_turns < WHOLE_TURN:
            return turn.index
        best, most = turn.index, haste.waiting if waiting else haste.free
        for route in range(board.routes):
            claim = None if plan.wanted[route] == FOR_TICKETS else turn.claim(route)
            if claim is None or (waiting and not self._spares_tickets(turn, claim, haste)):
                continue
            rate = self._rate(turn, route, claim, haste)
            if rate > most:
                best, most = claim.index, rate
        return best

    def _spares_tickets(self, turn: Turn, claim: Claim, haste: Haste) -> bool:
        """Whether a claim is long, and takes no card or car that tickets want."""
        if claim.length < haste.shortest or claim.extra > 0 or claim.needed > 0 or claim.wilds > turn.needs.wilds_free:
            return False
        board, plan = turn.state.board, turn.planner.plan
        cars = sum(board.length[route] for route in plan.routes if plan.wanted[route] == FOR_TICKETS)
        return turn.state.cars[turn.seat] - cars >= claim.length

    def _rate(self, turn: Turn, route: int, claim: Claim, haste: Haste) -> float:
        """What a claim brings for each turn that it costs."""
        state, seat = turn.state, turn.seat
        board = state.board
        worth = int(board.points[route]) + haste.car * claim.length - haste.wild * claim.extra
        if self._races(turn):
            worth += haste.car_ahead * claim.length
        ends = (board.route_a[route], board.route_b[route])
        worth += haste.touch * sum(meets(state, city, seat) for city in ends)
        worth += int(board.rules.attraction_points * new_attractions(state, route, seat))
        return worth / (claim.turns + (TUNNEL_TURNS if board.kind[route] == TUNNEL else 0))

    def _races(self, turn: Turn) -> bool:
        """Whether it is ahead with all tickets joined, and wants the end."""
        if turn.planner.plan.wants_for_tickets():
            return False
        return is_ahead(turn.state, turn.seat, groups(turn.state, turn.seat))
