"""`regular`: the planner. It joins its tickets by a cheap network, plans around what is taken, and counts the turns."""

from collections.abc import Mapping

from branchline.bots.base import Budget
from branchline.bots.planner import play
from branchline.bots.planner.plan import seen_by
from branchline.bots.planner.play import Planner
from branchline.bots.planner.weights import Weights, fitted
from branchline.engine.shuffle import Rng
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


class RegularBot:
    """Plans anew at every decision, from the view alone."""

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = weights
        self.why: Mapping[str, object] | None = None

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        """What the plan says."""
        sight = view.sight
        planner = Planner(sight.board, sight.seat, self.weights or fitted(sight.board), True)
        index = planner.choose(seen_by(sight))
        self.why = reason(view, planner)
        return int(index)


def reason(view: View, planner: Planner) -> dict[str, object]:
    """Why a planner chose what it chose, as data that a client can word."""
    names = names_of(view.map)
    plan = planner.plan
    out: dict[str, object] = {"reason": REASONS.get(planner.why, "unknown")}
    if planner.why in (play.WHY_TICKET, play.WHY_POINTS, play.WHY_CARDS, play.WHY_TUNNEL) and planner.about >= 0:
        out["route"] = names.routes[planner.about]
        tickets = [names.tickets[ticket] for ticket in planner.plan.served(planner.about)]
        if tickets:
            out["tickets"] = tickets
    if planner.why == play.WHY_STATION and planner.about >= 0:
        out["city"] = names.cities[planner.about]
    if planner.why not in (play.WHY_KEEP, play.WHY_TUNNEL):
        out["plan"] = [names.routes[route] for route in plan.routes if plan.wanted[route] == 1]
        out["short"] = int(planner.short)
        out["turns"] = int(plan.turns) // 100
        if len(plan.dropped):
            out["given_up"] = [names.tickets[ticket] for ticket in plan.dropped]
    return out
