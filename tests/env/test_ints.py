"""The public road for ints."""

import numpy as np
import pytest

from branchline import Game, IllegalAction, ints
from branchline.env.vector import Games


def test_it_deals_what_a_game_deals_and_sees_what_its_views_tell() -> None:
    game = Game.new("europe", seats=3, seed="ints")
    play = ints.deal("europe", 3, "ints", actions="coloured")
    rng = ints.Rng(5)
    while not play.over and game.turn < 60:
        seat = play.actor
        assert play.state.numbers() == game.state.numbers()
        told = ints.recall(game.view(seat), actions="coloured")
        assert told.observe() == play.observe() == play.observe(seat)
        assert list(told.allowed()) == list(play.allowed())
        assert [action for action, bit in enumerate(play.mask()) if bit] == list(play.allowed())
        action = play.allowed()[rng.below(len(play.allowed()))]
        game.play_index(seat, play.index(action))
        play.act(action)
    assert list(play.scores().total) == [seat.total for seat in game.scores().seats]


def test_fast_deals_are_those_of_the_vector_environment() -> None:
    games = Games("new-york", 2, 2, seed=11)
    for game in range(2):
        play = ints.deal("new-york", 2, 11 + game, fast=True)
        assert play.state.numbers() == games.state(game).numbers()
        assert np.frombuffer(play.observe(), np.uint8).tolist() == games.observations[game].tolist()


def test_what_is_not_allowed_changes_nothing() -> None:
    play = ints.deal("new-york", 2, 1)
    before = play.state.numbers()
    for wrong in (0, -1, 10**9, True, None, 1.0):
        with pytest.raises(IllegalAction):
            play.act(wrong)  # type: ignore[arg-type]
    assert play.state.numbers() == before


def test_wrong_settings_are_refused_in_words() -> None:
    with pytest.raises(ValueError, match=r"seats: this map is for 2 to 5 \(R1.1\), not 6"):
        ints.deal("europe", 6, 1)
    with pytest.raises(ValueError, match="seed: an int for a fast deal, not 'x'"):
        ints.deal("europe", 2, "x", fast=True)
    with pytest.raises(ValueError, match="a spectator's view has no seat"):
        ints.recall(Game.new("europe", 2, 1).view(None))
    with pytest.raises(ValueError, match="observations of version 0 can't be read here"):
        ints.check_version(observation=0)
    ints.check_version(ints.OBSERVATION_VERSION, ints.ACTIONS_VERSION, ints.COMPACT_VERSION)
