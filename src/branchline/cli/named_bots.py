"""The bots that commands know by name, as those commands use them."""

from collections.abc import Sequence
from functools import lru_cache

from branchline.actions import Action
from branchline.bots.base import Bot, Budget, to_index
from branchline.bots.expert import ExpertBot
from branchline.bots.learner import LearnedBot
from branchline.bots.playing import play_on
from branchline.bots.registry import load, names
from branchline.cli.parser import Trouble
from branchline.data.decisions import Seen
from branchline.engine.shuffle import Rng, Shuffler
from branchline.engine.state import State
from branchline.game import Game
from branchline.maps import Map
from branchline.simulate import Finish, random_game
from branchline.views import View

THINKING = Budget(seconds=1.0)
"""What a bot gets for a decision against a person."""


class BotFailed(Exception):
    """A bot raised something, or chose what is not legal; in one sentence."""


def bot_called(name: str) -> Bot:
    """The bot of this name, or Trouble with the names there are."""
    try:
        return load(name)
    except ValueError as error:
        raise Trouble(str(error)) from None


def check_policies(bots: Sequence[Bot], map: Map, seats: int) -> None:
    """Trouble if weights that BRANCHLINE_POLICY names can't be used by one of these bots at such a table."""
    view = Game.new(map, seats, "weights").view(0)
    for bot in bots:
        if isinstance(bot, LearnedBot | ExpertBot):
            try:
                bot.policy(view)
            except ValueError as error:
                raise Trouble(f"BRANCHLINE_POLICY: {error}") from None


def choice_of(bot: Bot, view: View, rng: Rng) -> Action:
    """What a bot does against a person."""
    return view.action(to_index(view, bot.choose(view, rng, THINKING)))


def bot_names() -> str:
    """The names there are, in a line."""
    return ", ".join(names())


def finish_with(bots: Sequence[str]) -> Finish:
    """How games of these bots are played to their end: random ones by the engine's fast road."""
    return random_game if set(bots) == {"random"} else bot_game


def bot_game(
    map: Map, bots: tuple[str, ...], deal_number: int, choice_number: int, seen: Seen = lambda seat, index: None
) -> State:
    """A game of these bots, one for each seat; BotFailed if one fails. `seen` is told each decision."""
    game = Game.dealt(map, len(bots), Shuffler(b"", deal_number))
    try:
        play_on(game, [_load(name) for name in bots], choice_number, seen=seen)
    except Exception as error:
        bot = bots[game.to_act[0]]
        raise BotFailed(f"the bot {bot} failed in turn {game.turn}: {type(error).__name__}: {error}") from None
    return game.state


@lru_cache(maxsize=32)
def _load(name: str) -> Bot:
    return load(name)
