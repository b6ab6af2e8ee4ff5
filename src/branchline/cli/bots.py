"""The bots that commands know by name."""

from collections.abc import Callable
from dataclasses import dataclass

from branchline.actions import Action
from branchline.cli.parser import Trouble
from branchline.engine.shuffle import Rng
from branchline.simulate import Finish, random_game
from branchline.views import View


@dataclass(frozen=True, slots=True)
class NamedBot:
    """A bot as the commands use it."""

    about: str
    choose: Callable[[View, Rng], Action]
    """Its action, from what its seat may see."""
    finish: Finish
    """A whole game in which all seats are this bot."""


def choose_at_random(view: View, rng: Rng) -> Action:
    """Any legal action, each as likely as the others."""
    indices = view.legal_indices()
    return view.action(indices[rng.below(len(indices))])


BOTS = {
    "random": NamedBot("any legal action, each as likely as the others", choose_at_random, random_game),
}
"""The bots by name."""


def bot_called(name: str) -> NamedBot:
    """The bot of this name, or Trouble with the names there are."""
    if name not in BOTS:
        raise Trouble(f"there is no bot {name!r}; there is {', '.join(BOTS)}")
    return BOTS[name]
