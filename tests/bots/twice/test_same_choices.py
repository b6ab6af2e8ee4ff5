"""Compiled and uncompiled, the compiled rooms of the bots choose the same: this test runs in both."""

from hashlib import sha256

import pytest

from branchline import Rng, load_map
from branchline.bots import Budget, load
from branchline.engine.shuffle import Shuffler
from branchline.game import Game

PINNED = {
    ("europe", "regular", 3): "386411c268cd4d91",
    ("new-york", "regular", 2): "4b6a5b07f75a9a6e",
    ("new-york", "learned", 4): "010e9a46cec7b101",
    ("new-york", "expert", 2): "6749be8b6258232e",
    ("europe", "expert", 2): "58bb39dbb9a28672",
    ("europe", "expert", 4): "53b1087ccf261e4d",
}
"""Changes with the weights, and then on purpose."""


@pytest.mark.parametrize(("map", "name", "seats"), PINNED)
def test_the_same_choices_compiled_and_not(map: str, name: str, seats: int) -> None:
    game = Game.dealt(load_map(map), seats, Shuffler(b"", 11), 0)
    bot, rng = load(name), Rng(5)
    chosen: list[int] = []
    while not game.over and len(chosen) < (60 if name == "regular" else 6):
        seat = game.to_act[0]
        index = bot.choose(game.view(seat), rng, Budget(nodes=32))
        assert isinstance(index, int)
        chosen.append(index)
        game.play_index(seat, index)
    assert sha256(repr(chosen).encode()).hexdigest()[:16] == PINNED[map, name, seats]
