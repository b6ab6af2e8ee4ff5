"""The bots' door: which there are, and workers to think in."""

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from branchline.actions import Action, BuildStation, ClaimRoute, DrawCard, KeepTickets, PayTunnel
from branchline.engine.shuffle import Rng
from branchline.views import View

Choose = Callable[[View, Rng, float], Action]
"""What a bot is: an action for a view, in so many seconds."""


@dataclass(frozen=True, slots=True)
class Level:
    """A bot as people choose it."""

    name: str
    text: str
    choose: Choose


LEVEL = r"[a-z][a-z0-9-]{0,23}"
"""What a level may be called on the wire."""
REGULAR = "regular"
"""The level that plays for a clock that ran out, for absent people, and that advises."""


@cache
def levels() -> dict[str, Level]:
    """The bots there are, the easiest first."""
    ours = {
        "random": Level("random", "does anything that is legal", _random),
        REGULAR: Level(REGULAR, "claims what it can, longest routes first", _greedy),
    }
    try:
        house: Any = importlib.import_module("branchline.bots")
    except ModuleNotFoundError:
        return ours
    found = [name for name in house.names() if re.fullmatch(LEVEL, name)]
    return {name: Level(name, ours[name].text if name in ours else "", partial(_thought, name)) for name in found}


@cache
def _bot(name: str) -> Any:
    """A bot of `branchline.bots`, made where it thinks: in a worker."""
    return importlib.import_module("branchline.bots").load(name)


def _thought(name: str, view: View, rng: Rng, budget: float) -> Action:
    house: Any = importlib.import_module("branchline.bots")
    chosen = _bot(name).choose(view, rng, house.Budget(seconds=budget))
    return view.action(house.to_index(view, chosen))


def choose(level: str, view: View, seed: int, budget: float) -> Action:
    """What a bot does. Runs in a worker."""
    action = levels()[level].choose(view, Rng(seed), budget)
    if action not in view.legal_actions():
        raise ValueError(f"{level} chose an action that is not legal")
    return action


def anything(view: View, seed: int) -> Action:
    """Any legal action, where a bot failed: the others must not wait for it."""
    return _random(view, Rng(seed), 0)


def _random(view: View, rng: Rng, budget: float) -> Action:
    actions = view.legal_actions()
    return actions[rng.below(len(actions))]


def _greedy(view: View, rng: Rng, budget: float) -> Action:
    """Claim the route with the most spaces, else draw; keep all tickets, and pay for tunnels if possible."""
    actions = view.legal_actions()
    kept = [action for action in actions if isinstance(action, KeepTickets)]
    if kept:
        return max(kept, key=lambda action: len(action.tickets))
    paid = [action for action in actions if isinstance(action, PayTunnel)]
    if paid:
        return paid[0]
    claims = [action for action in actions if isinstance(action, ClaimRoute)]
    if claims:
        return max(claims, key=lambda claim: (claim.payment.cards + claim.payment.wilds, -claim.payment.wilds))
    draws = [action for action in actions if isinstance(action, DrawCard)]
    if draws:
        return draws[rng.below(len(draws))]
    rest = [action for action in actions if not isinstance(action, BuildStation)] or actions
    return rest[rng.below(len(rest))]
