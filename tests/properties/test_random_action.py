"""The two roads to a random action: what `random_action` counts is what `legal` lists, each as likely."""

import importlib.util
from collections import Counter
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import branchline.engine
from branchline import Game, Rng
from branchline.engine.playout import playout, random_action
from tests.oracles.chances import outcomes
from tests.oracles.fit import p_value, upper_gamma
from tests.properties.tables import COMPILED, Table, examples, tables


def as_written() -> Any:
    """The playout module run as Python, also where the engine is compiled: so that a stub can be its generator."""
    path = Path(branchline.engine.__path__[0]) / "playout.py"
    spec = importlib.util.spec_from_file_location("playout_as_written", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


written = as_written()


@examples(60, 12)
@given(tables())
def test_each_legal_action_is_exactly_as_likely_as_the_others(table: Table) -> None:
    walked = 0
    for game in table.positions(apart=11):
        if game.over:
            break
        state = game.state
        try:
            chances = outcomes(partial(written.random_action, state), 600 if COMPILED else 200)
        except OverflowError:
            continue
        walked += 1
        legal = list(state.legal())
        assert chances == dict.fromkeys(legal, Fraction(1, len(legal)))
    assert walked


@examples(60, 6)
@given(tables())
def test_compiled_it_does_what_is_written(table: Table) -> None:
    for game in table.positions(apart=7):
        if game.over:
            break
        state = game.state
        legal = set(state.legal())
        for seed in range(10):
            action = random_action(state, Rng(seed, game.turn))
            assert action == written.random_action(state, Rng(seed, game.turn))
            assert action in legal


def a_game_with_many_choices() -> Game:
    game = Game.new("europe", 3, seed=11)
    rng = Rng(5)
    for _ in range(60):
        game.play_index(game.to_act[0], int(random_action(game.state, rng)))
    return game


@pytest.mark.parametrize("where", ["dealt", "turn", "middle"])
def test_frequencies_fit(where: str) -> None:
    game = Game.new("new-york", 2, seed=4) if where != "middle" else a_game_with_many_choices()
    if where == "turn":
        for seat in (0, 1):
            game.play(seat, game.legal_actions(seat)[0])
    state = game.state
    legal = list(state.legal())
    rng = Rng(20261115)
    counts = Counter(int(random_action(state, rng)) for _ in range((400 if COMPILED else 60) * len(legal)))
    assert set(counts) == set(legal)
    assert p_value(counts, dict.fromkeys(legal, 1.0)) > 1e-4


def test_the_fit_itself() -> None:
    assert upper_gamma(0.5, 3.841458820694124 / 2) == pytest.approx(0.05)
    assert upper_gamma(5, 18.307038053275146 / 2) == pytest.approx(0.05)
    assert p_value({"a": 500, "b": 500}, {"a": 1, "b": 1}) == 1
    assert p_value({"a": 600, "b": 400}, {"a": 1, "b": 1}) < 1e-6
    assert p_value({"a": 500, "c": 1}, {"a": 1, "b": 1}) == 0


@examples(40, 6)
@given(tables())
def test_open_routes_counted_as_they_are_claimed_are_those_counted_anew(table: Table) -> None:
    """A playout keeps its counts through a game; each action alone counts from nothing: both play the same game."""
    kept, anew = table.deal().state, table.deal().state
    rng = Rng(table.seed)
    playout(kept, Rng(table.seed), 200)
    while not anew.over and anew.turn <= 200:
        anew.apply(int(random_action(anew, rng)))
    assert anew.numbers() == kept.numbers()
