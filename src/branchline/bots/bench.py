"""How many decisions, worlds and playouts a second there are: `branchline bench bots`."""

from time import perf_counter
from typing import Any

from branchline.bots.base import Budget, to_index
from branchline.bots.expert import ExpertBot
from branchline.bots.planner.play import Planner
from branchline.bots.planner.weights import fitted
from branchline.bots.registry import load
from branchline.engine.shuffle import Rng, Shuffler
from branchline.engine.worlds import Worlds
from branchline.game import Game
from branchline.maps import load_map

NODES = 300
"""Of each of expert's decisions."""


def bench(map: str, seats: int = 2, games: int = 5) -> dict[str, Any]:
    """Microseconds of a regular's decision, of a sampled world, and of a decision in a playout; playouts a second.

    And the playouts that `expert` makes in a second, of which some are judged and some are whole games.
    """
    regular, expert, rng = load("regular"), ExpertBot(), Rng(1)
    nodes, searching = 0, 0.0
    decisions, deciding, worlds, sampling = 0, 0.0, 0, 0.0
    slowest = 0.0
    playouts, actions, playing = 0, 0, 0.0
    for n in range(games):
        game = Game.dealt(load_map(map), seats, Shuffler(b"", n), 0)
        while not game.over:
            seat = game.to_act[0]
            view = game.view(seat)
            began = perf_counter()
            choice = regular.choose(view, rng, Budget())
            took = perf_counter() - began
            decisions, deciding, slowest = decisions + 1, deciding + took, max(slowest, took)
            if decisions % 20 == 0:
                began = perf_counter()
                source = Worlds(view.sight, rng)
                sampled = [source.sample() for _ in range(10)]
                worlds, sampling = worlds + 10, sampling + perf_counter() - began
                state = sampled[0]
                weights = fitted(state.board)
                players = [Planner(state.board, s, weights, False) for s in range(seats)]
                began = perf_counter()
                while not state.over:
                    state.apply(players[state.actor].choose(state))
                    actions += 1
                playouts, playing = playouts + 1, playing + perf_counter() - began
                began = perf_counter()
                expert.choose(view, rng, Budget(nodes=NODES))
                nodes, searching = nodes + expert.nodes, searching + perf_counter() - began
            game.play_index(seat, to_index(view, choice))
    return {
        "map": map,
        "seats": seats,
        "regular_microseconds": round(1e6 * deciding / decisions, 1),
        "regular_slowest_microseconds": round(1e6 * slowest, 1),
        "regular_decisions_per_second": round(decisions / deciding),
        "world_microseconds": round(1e6 * sampling / worlds, 1),
        "worlds_per_second": round(worlds / sampling),
        "playout_decision_microseconds": round(1e6 * playing / actions, 1),
        "playouts_per_second": round(playouts / playing),
        "expert_nodes_per_second": round(nodes / searching),
    }
