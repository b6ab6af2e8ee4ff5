"""The bots that commands know by name, as those commands use them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from branchline.actions import Action
from branchline.bots.base import Budget, to_index
from branchline.bots.registry import load, names
from branchline.cli.parser import Trouble
from branchline.engine.playout import ENDLESS
from branchline.engine.shuffle import Rng, Shuffler
from branchline.engine.state import State
from branchline.game import Game
from branchline.maps import Map
from branchline.simulate import Finish, random_game
from branchline.views import View

THINKING = Budget(seconds=1.0)
"""What a bot gets for a decision against a person."""
SIMULATED = Budget(nodes=100)
"""What a bot gets in simulations: by nodes, so that results repeat."""


@dataclass(frozen=True, slots=True)
class NamedBot:
    """A bot as the commands use it."""

    choose: Callable[[View, Rng], Action]
    """Its action, from what its seat may see."""
    finish: Finish
    """A whole game in which all seats are this bot."""


def bot_called(name: str) -> NamedBot:
    """The bot of this name, or Trouble with the names there are."""
    try:
        bot = load(name)
    except ValueError as error:
        raise Trouble(str(error)) from None

    def choose(view: View, rng: Rng) -> Action:
        return view.action(to_index(view, bot.choose(view, rng, THINKING)))

    return NamedBot(choose, random_game if name == "random" else partial(bot_game, name))


def bot_names() -> str:
    """The names there are, in a line."""
    return ", ".join(names())


def bot_game(name: str, map: Map, seats: int, deal_number: int, choice_number: int) -> State:
    """A game in which one bot plays all seats."""
    bot = load(name)
    game = Game.dealt(map, seats, Shuffler(b"", deal_number))
    rng = Rng(choice_number)
    while not game.over and game.turn <= ENDLESS:
        seat = game.to_act[0]
        view = game.view(seat)
        game.play_index(seat, to_index(view, bot.choose(view, rng, SIMULATED)))
    return game.state
