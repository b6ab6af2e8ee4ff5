"""Whether to show nothing yet: a planner that waits draws on until the chain for its tickets is nearly in its hand."""

from typing import Final

from mypy_extensions import i64

from branchline.bots.planner.facts import cards_of, rivals
from branchline.bots.planner.needs import Needs
from branchline.bots.planner.plan import FOR_TICKETS
from branchline.engine.board import NONE
from branchline.engine.state import State

CROWDED: Final[i64] = 3
"""With so many routes of others at the ends of one that it wants it waits no longer."""


def waits(state: State, seat: i64, needs: Needs) -> bool:
    """Whether to draw on: cards are missing and there are some, there is time, and nobody comes near."""
    plan, weights = needs.plan, needs.plan.weights
    if needs.short <= weights.lacking or state.last != NONE or state.deck_left == 0:
        return False
    if cards_of(state, seat) >= weights.full:
        return False
    if plan.turns - plan.ticket_turns < weights.calm:
        return False
    for route in plan.routes:
        if plan.wanted[route] == FOR_TICKETS and rivals(state, route, seat) >= CROWDED:
            return False
    return True
