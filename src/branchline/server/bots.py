"""The bots' door: which there are, and what they do. Bots think in workers; only their names are known elsewhere."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from branchline.actions import Action
from branchline.bots.base import Bot, Budget, to_index, why
from branchline.bots.registry import added, load
from branchline.engine.shuffle import Rng
from branchline.views import View

LEVEL = r"[a-z][a-z0-9-]{0,23}"
"""What a level may be called on the wire."""
REGULAR = "regular"
"""The level that plays for a clock that ran out, and for absent people."""
ADVISER = "expert"
"""Who is asked for a hint, within a budget of nodes; its reasons are facts of the board."""
OWN = {
    "random": "does anything that is legal",
    "novice": "plays like a beginner, for a first game",
    "amateur": "joins its own tickets by the shortest ways, and minds nothing else",
    REGULAR: "plans its network and counts the cars",
    "advanced": "has learned by playing against itself, and trusts what it learned",
    "expert": "thinks ahead over the games that could be",
}
"""The bots of the house that people choose from, the easiest first."""


@dataclass(frozen=True, slots=True)
class Level:
    """A bot as people choose it."""

    name: str
    text: str


@cache
def levels() -> dict[str, Level]:
    """The bots there are: the house's, then those the host added (BRANCHLINE_BOTS)."""
    own = {name: "" for name in added() if re.fullmatch(LEVEL, name)}
    return {name: Level(name, text) for name, text in (OWN | own).items()}


@dataclass(frozen=True, slots=True)
class Decision:
    """What a bot does, and why, as data; the reason leaves a running game only as a hint for the seat that asked."""

    action: Action
    why: Mapping[str, object]


def choose(level: str, view: View, seed: int | Rng, budget: Budget) -> Decision:
    """What a bot does. Runs in a worker."""
    bot = _bot(level)
    index = to_index(view, bot.choose(view, _rng(seed), budget))
    return Decision(view.action(index), why(bot) or {})


def anything(view: View, seed: int | Rng) -> Action:
    """Any legal action, where a bot failed: the others must not wait for it."""
    actions = view.legal_actions()
    return actions[_rng(seed).below(len(actions))]


def _rng(seed: int | Rng) -> Rng:
    return seed if isinstance(seed, Rng) else Rng(seed)


@cache
def _bot(level: str) -> Bot:
    return load(level)
