"""The bots' door: which there are, and what they do. Runs in workers."""

from dataclasses import dataclass
from functools import cache

from branchline.actions import Action
from branchline.bots.base import Bot, Budget, to_index
from branchline.bots.registry import added, load
from branchline.engine.shuffle import Rng
from branchline.views import View

REGULAR = "regular"
"""The level that plays for a clock that ran out, for absent people, and that advises."""
LEVELS = {
    "random": "does anything that is legal",
    "novice": "plays like a beginner, for a first game",
    REGULAR: "plans its network and counts the cars",
    "expert": "thinks ahead over the games that could be",
}
"""The bots of the house that people choose from, the easiest first."""


@dataclass(frozen=True, slots=True)
class Level:
    """A bot as people choose it."""

    name: str
    text: str
    bot: Bot


@cache
def levels() -> dict[str, Level]:
    """The bots there are: the house's, then those the host added (BRANCHLINE_BOTS)."""
    house = {name: Level(name, text, load(name)) for name, text in LEVELS.items()}
    return house | {name: Level(name, "", load(name)) for name in added()}


def choose(level: str, view: View, seed: int, budget: float) -> Action:
    """What a bot does. Runs in a worker."""
    return view.action(to_index(view, levels()[level].bot.choose(view, Rng(seed), Budget(seconds=budget))))


def anything(view: View, seed: int) -> Action:
    """Any legal action, where a bot failed: the others must not wait for it."""
    actions = view.legal_actions()
    return actions[Rng(seed).below(len(actions))]
