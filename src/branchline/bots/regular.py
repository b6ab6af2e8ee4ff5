"""`regular`: the planner. It joins its tickets by a cheap network, plans around what is taken, and counts the turns."""

from functools import partial

from branchline.bots.base import Budget, Telling
from branchline.bots.planner import play
from branchline.bots.planner.blind import seen_by
from branchline.bots.planner.plan import FOR_TICKETS
from branchline.bots.planner.play import Planner
from branchline.bots.planner.weights import Weights, fitted
from branchline.bots.stakes import Stakes
from branchline.engine.board import DRAW_ROW, NONE, Board
from branchline.engine.shuffle import Rng
from branchline.maps.model import GREY, WILD
from branchline.names import names_of
from branchline.views import View

REASONS = {
    play.WHY_KEEP: "keep-tickets",
    play.WHY_TICKET: "join-tickets",
    play.WHY_POINTS: "points",
    play.WHY_STATION: "station",
    play.WHY_TICKETS: "more-tickets",
    play.WHY_CARDS: "collect",
    play.WHY_TUNNEL: "tunnel",
    play.WHY_LAST: "last-turn",
    play.WHY_STUCK: "nothing-else",
}


class RegularBot(Telling):
    """Plans anew at every decision, from the view alone."""

    thorough = True
    """Whether it tries several orders of its tickets."""

    def __init__(self, weights: Weights | None = None) -> None:
        """Plans by these weights, or by those that it has for a board."""
        self.weights = weights

    def style(self, board: Board) -> Weights:
        """What it plans by on a board."""
        return self.weights or fitted(board)

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        """What the plan says."""
        sight = view.sight
        planner = Planner(sight.board, sight.seat, self.style(sight.board), self.thorough)
        index = int(planner.choose(seen_by(sight)))
        self.told = partial(reason, view, planner, index)
        return index


def reason(view: View, planner: Planner, index: int) -> dict[str, object]:
    """Why a planner chose `index`, as data that a client can word."""
    names = names_of(view.map)
    plan = planner.plan
    out: dict[str, object] = {"reason": REASONS.get(planner.why, "unknown")}
    about = collected_for(view, planner, index) if planner.why == play.WHY_CARDS else planner.about
    stakes = Stakes(view)
    if planner.why in (play.WHY_TICKET, play.WHY_POINTS, play.WHY_CARDS, play.WHY_TUNNEL) and about >= 0:
        out["route"] = names.routes[about]
        planned = {names.tickets[ticket] for ticket in planner.plan.served(about)}
        if tickets := [ticket for ticket in stakes.along(about) if ticket in planned]:
            out["tickets"] = tickets
    if planner.why == play.WHY_TICKET:
        out |= stakes.fears(about)
    if planner.why == play.WHY_STATION and planner.about >= 0:
        out["city"] = names.cities[planner.about]
    if planner.why not in (play.WHY_KEEP, play.WHY_TUNNEL):
        out["plan"] = [names.routes[route] for route in plan.routes if plan.wanted[route] == FOR_TICKETS]
        out["turns"] = int(plan.turns) // 100
        if len(plan.dropped):
            out["given_up"] = [names.tickets[ticket] for ticket in plan.dropped]
    return out


def collected_for(view: View, planner: Planner, index: int) -> int:
    """The planned route that a card is drawn for, which the hand can't pay yet; NONE if there is none.

    One that the card pays for, if it lies open.
    """
    board = view.sight.board
    card = view.row[board.action_what[index]] if board.action_kind[index] == DRAW_ROW else None
    state = seen_by(view.sight)
    for route in planner.plan.routes:
        colour = view.map.routes[route].colour
        if (card is None or card == WILD or colour in (card, GREY)) and planner.claim_of(state, route) == NONE:
            return int(route)
    return NONE
