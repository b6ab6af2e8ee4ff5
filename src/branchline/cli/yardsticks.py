"""Other people's engines, measured in the same run where they are installed: pip install 'branchline[yardsticks]'."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any

SECONDS = 1.0
"""How long each is measured."""


def yardsticks(seconds: float = SECONDS) -> dict[str, Callable[[], dict[str, float]]]:
    """A measure for each engine that is installed."""
    found: dict[str, Callable[[], dict[str, float]]] = {}
    if find_spec("catanatron") is not None:
        found["catanatron, two random players"] = lambda: _catanatron(seconds)
    if find_spec("pyspiel") is not None:
        found["OpenSpiel hearts"] = lambda: _open_spiel("hearts", seconds)
        found["OpenSpiel backgammon"] = lambda: _open_spiel("backgammon", seconds)
    return found


def _catanatron(seconds: float) -> dict[str, float]:
    catanatron: Any = import_module("catanatron")
    colours = catanatron.Color.RED, catanatron.Color.BLUE
    games = 0
    start = process_time()
    while process_time() - start < seconds:
        catanatron.Game([catanatron.RandomPlayer(colour) for colour in colours], seed=games).play()
        games += 1
    return {"games_per_second": games / (process_time() - start)}


def _open_spiel(name: str, seconds: float) -> dict[str, float]:
    """Random games driven from Python, as a bot or an environment would."""
    pyspiel: Any = import_module("pyspiel")
    game = pyspiel.load_game(name)
    rng = Random(1)
    games = steps = 0
    start = process_time()
    while process_time() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        games += 1
    spent = process_time() - start
    return {"games_per_second": games / spent, "step_microseconds": spent / steps * 1e6}
