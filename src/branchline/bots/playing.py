"""Bots playing a game in a program of your own."""

from collections.abc import Callable, Sequence

from branchline.bots.base import Bot, Budget, to_index
from branchline.engine.playout import ENDLESS
from branchline.engine.shuffle import Rng
from branchline.game import Game


def play_on(
    game: Game,
    bots: Sequence[Bot],
    seed: int = 0,
    budget: Budget | None = None,
    seen: Callable[[int, int], None] = lambda seat, index: None,
) -> Game:
    """Let bots, one for each seat, play a game to its end, and return it; the same seed repeats it.

    Each seat has its own randomness, so that what one bot does never changes another's luck. `seen` is told each
    decision before it happens: the seat and the index of its action. A game that would never
    end is left as it stands.
    """
    if len(bots) != game.seats:
        raise ValueError(f"bots: one for each of the {game.seats} seats, not {len(bots)}")
    budget = Budget(nodes=100) if budget is None else budget
    rngs = [Rng(seed, seat) for seat in range(game.seats)]
    while not game.over and game.turn <= ENDLESS:
        seat = game.to_act[0]
        view = game.view(seat)
        index = to_index(view, bots[seat].choose(view, rngs[seat], budget))
        seen(seat, index)
        game.play_index(seat, index)
    return game
