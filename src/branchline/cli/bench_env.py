"""`branchline bench env`: agent steps per second of the vector environment, and of other people's games beside it."""

import json
import platform
import warnings
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from statistics import median
from time import process_time
from typing import Any

from branchline.built import compiled
from branchline.engine.shuffle import Rng
from branchline.env.vector import Games
from branchline.maps import BUNDLED
from branchline.observation.spaces import SPACES
from branchline.version import __version__

GAMES = 64
"""Games at once."""
SECONDS = 0.5
"""How long one run lasts."""
CLASSIC = ("connect_four_v3", "tictactoe_v3", "chess_v6")
"""PettingZoo's own games that are measured where they are installed."""
SPIELS = ("backgammon", "hearts", "kuhn_poker")


def run(args: Namespace) -> int:
    """Measure, and print."""
    seconds = SECONDS if args.games is None else min(SECONDS, args.games / 400)
    measures: dict[str, Callable[[], float]] = {}
    for map in BUNDLED:
        for actions in SPACES:
            for seats in (2, 4):
                measures[f"{map}, {seats} seats, {actions} actions"] = _vector(map, seats, actions, seconds)
    measures |= _pettingzoo(seconds) | _openspiel(seconds)
    runs: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(args.repeats):
        for name, measure in measures.items():
            runs[name].append(measure())
    report = {
        "branchline": __version__,
        "compiled": compiled(),
        "python": platform.python_version(),
        "machine": platform.platform(),
        "clock": "CPU time of one core",
        "repeats": args.repeats,
        "games": GAMES,
        "agent_steps_per_second": {name: median(values) for name, values in runs.items()},
        "best": {name: max(values) for name, values in runs.items()},
    }
    if args.json:
        print(json.dumps(report, indent=2))
    else:
        _print(report)
    return 0


def _print(report: dict[str, Any]) -> None:
    print(f"Agent steps per second on one core, random choices, observation and mask made ({report['clock']})")
    print(f"Branchline {report['branchline']}, {GAMES} games at once; medians of {report['repeats']} runs\n")
    for name, figure in report["agent_steps_per_second"].items():
        print(f"{name:<44}{figure:>12,.0f}   best {report['best'][name]:>12,.0f}")


def _vector(map: str, seats: int, actions: str, seconds: float) -> Callable[[], float]:
    games = Games(map, GAMES, seats, actions=actions, seed=1)
    rng = Rng(1)

    def measure() -> float:
        steps = 0
        start = process_time()
        while process_time() - start < seconds:
            games.step(games.sample(rng))
            steps += GAMES
        return steps / (process_time() - start)

    return measure


def _pettingzoo(seconds: float) -> dict[str, Callable[[], float]]:
    found: dict[str, Callable[[], float]] = {}
    for name in CLASSIC:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # theirs, about how their own games are made
                module = import_module(f"pettingzoo.classic.{name}")
        except ImportError:
            continue  # this one is not installed
        found[f"PettingZoo {name}"] = partial(_agents, module, seconds)
    return found


def _agents(module: Any, seconds: float) -> float:
    env = module.env()
    rng = Random(1)
    steps = 0
    start = process_time()
    while process_time() - start < seconds:
        env.reset(seed=steps)
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            over = termination or truncation
            env.step(None if over else rng.choice(observation["action_mask"].nonzero()[0]))
            steps += not over
    return steps / (process_time() - start)


def _openspiel(seconds: float) -> dict[str, Callable[[], float]]:
    if find_spec("pyspiel") is None:
        return {}
    pyspiel: Any = import_module("pyspiel")
    return {f"OpenSpiel {name}": partial(_players, pyspiel.load_game(name), seconds) for name in SPIELS}


def _players(game: Any, seconds: float) -> float:
    rng = Random(1)
    steps = 0
    start = process_time()
    while process_time() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, weights)[0])
                continue
            if game.get_type().provides_observation_tensor:
                state.observation_tensor(state.current_player())
            else:
                state.information_state_tensor(state.current_player())
            state.legal_actions_mask()
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
    return steps / (process_time() - start)
