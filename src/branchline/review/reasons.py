"""Why an action is good, as data that a client can word: the same words as the bots' `why`."""

from typing import Any

from branchline.bots.learner import REASONS
from branchline.bots.planner.play import Planner
from branchline.bots.regular import collected_for
from branchline.bots.regular import reason as planned
from branchline.engine.board import BUILD, CLAIM, DRAW_DECK, DRAW_ROW, NONE, TAKE_BACK
from branchline.names import names_of
from branchline.review.facts import facts
from branchline.views import View

FEARS = ("near", "lost")
"""What is to be feared is for whoever has yet to choose: a review tells what a choice serves."""


def reason_for(view: View, planner: Planner, index: int, same: bool) -> dict[str, Any]:
    """Why `index` is good, and what it brings; `planner` has just chosen in this view, `same` if it chose that."""
    if same:
        why = {name: said for name, said in planned(view, planner, index).items() if name not in FEARS}
    else:
        why = _served(view, planner, index)
    return why | facts(view, index)


def _served(view: View, planner: Planner, index: int) -> dict[str, Any]:
    """What an action serves that the planner would not have done."""
    names, board = names_of(view.map), view.sight.board
    kind, what = board.action_kind[index], board.action_what[index]
    out: dict[str, Any] = {"reason": "take-back" if kind == TAKE_BACK else REASONS[int(kind)]}
    if kind == CLAIM:
        out["route"] = names.routes[what]
        if tickets := [names.tickets[ticket] for ticket in planner.plan.served(what)]:
            out |= {"reason": "join-tickets", "tickets": tickets}
    elif kind == BUILD:
        out["city"] = names.cities[what]
    elif kind in (DRAW_DECK, DRAW_ROW) and (route := collected_for(view, planner, index)) != NONE:
        out["route"] = names.routes[route]
    return out
