"""OpenSpiel's own checks, on both maps, and one of its algorithms at play."""

from random import Random
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")

import numpy as np  # noqa: E402
from open_spiel.python.algorithms.ismcts import ISMCTSBot  # noqa: E402
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator  # noqa: E402

from branchline.env.openspiel import OUTCOMES  # noqa: E402

GAMES = ("branchline(map=new-york,players=2)", "branchline(map=europe,players=3,actions=compact)")


@pytest.mark.parametrize("name", GAMES)
def test_random_games_pass_its_checks(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=False, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_worlds_drawn_from_what_a_player_knows_look_the_same_to_it(name: str) -> None:
    rng = Random(4)
    state = played(pyspiel.load_game(name), rng, 40)
    player = state.current_player()
    other = state.resample_from_infostate(player, rng.random)
    assert other.information_state_string(player) == state.information_state_string(player)
    assert other.observation_tensor(player) == state.observation_tensor(player)
    assert other.legal_actions() == state.legal_actions()
    assert str(other) != str(state)
    while not other.is_terminal():
        other.apply_action(rng.choice(other.legal_actions()))
    assert sum(other.returns()) == pytest.approx(0)


def test_a_seed_is_chosen_by_chance_and_a_copy_is_independent() -> None:
    game = pyspiel.load_game(GAMES[0])
    state = game.new_initial_state()
    for digit in (1, 2, 3):
        assert state.is_chance_node()
        assert len(state.chance_outcomes()) == OUTCOMES == 1024
        state.apply_action(digit)
    before = str(state)
    copy = state.clone()
    assert str(copy) == before
    assert copy.history() == state.history()
    copy.apply_action(copy.legal_actions()[0])
    assert str(state) == before
    again, state2 = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(again) == str(game)
    assert str(state2) == before


def played(game: Any, rng: Random, actions: int) -> Any:
    state = game.new_initial_state()
    for _ in range(actions):
        if state.is_chance_node():
            state.apply_action(rng.randrange(OUTCOMES))
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


def test_ismcts_plays_new_york() -> None:
    game = pyspiel.load_game("branchline(map=new-york,players=2,actions=compact)")
    state = played(game, Random(1), 6)
    evaluator = RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ISMCTSBot(game, evaluator, 2.0, 12, random_state=np.random.RandomState(2))
    assert bot.step(state) in state.legal_actions()
