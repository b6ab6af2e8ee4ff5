"""Planners end every game: also on small maps, where the few cards left to be turned fail a tunnel each time.

A novice may go on for ever there; at a table a bound ends such a game.
"""

from random import Random

import pytest

from branchline import Game, Rng
from branchline.bots.base import Budget, to_index
from branchline.bots.registry import load
from tests.properties.tiny import tiny

ACTIONS = 600
"""Ten times as many as a game on such a map has."""


def ends(level: str, cards: dict[str, int], seats: int, seed: int, **rules: int) -> bool:
    game = Game.new(tiny(cards, row_wilds=3, last_cars=0, **rules), seats, seed)
    bots = [load(level) for _ in range(seats)]
    for n in range(ACTIONS):
        if game.over:
            return True
        seat = game.to_act[0]
        view = game.view(seat)
        choice = bots[seat].choose(view, Rng(seed * 1_000 + n), Budget(nodes=20))
        game.play(seat, view.action(to_index(view, choice)))
    return game.over


def test_three_planners_do_not_fail_one_tunnel_for_ever() -> None:
    """Each had the red card and the wild for it, two wilds were left to be turned, and nobody drew."""
    cards = {"red": 3, "blue": 1, "wild": 6}
    assert ends("regular", cards, 3, 6, cars=9, stations=1, tunnel_cards=3, opening_cards=2, row=1)


@pytest.mark.parametrize("level", ["regular", "expert"])
@pytest.mark.parametrize("seed", range(12))
def test_games_on_small_maps_end(level: str, seed: int) -> None:
    random = Random(seed)
    cards = {"red": random.randint(3, 6), "blue": random.randint(1, 5), "wild": random.randint(3, 6)}
    assert ends(
        level,
        cards,
        random.choice([2, 3]),
        seed,
        cars=random.randint(4, 14),
        stations=random.randint(0, 1),
        tunnel_cards=random.randint(1, 3),
        opening_cards=random.randint(0, 1),
        row=random.randint(1, 3),
    )
