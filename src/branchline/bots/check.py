"""`check_bot`: tries any bot on positions of every stage and both maps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from branchline.bots.base import Bot, Budget, to_index
from branchline.engine.shuffle import Rng, Shuffler
from branchline.engine.stages import STAGES
from branchline.game import Game, sample_world
from branchline.maps import load_map
from branchline.views import View

WANTED = STAGES[:-1]
"""Every stage in which a bot is asked something."""
MOST_GAMES, MOST_TURNS, SELDOM = 40, 400, 12
"""Random games in which positions are looked for, how long each may last, and one in how many positions is taken."""
WORLDS = 2
"""Worlds that a seat can't tell apart, in which a bot is asked the same again."""


@dataclass
class Report:
    """What `check_bot` found."""

    faults: list[str] = field(default_factory=list)
    """Everything that is wrong, in words; empty for a bot that may play."""
    positions: dict[str, int] = field(default_factory=dict)
    """Positions tried, by map and stage."""
    mean_ms: float = 0.0
    slowest_ms: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def check_bot(
    make: Callable[[], Bot],
    maps: Sequence[str] = ("europe", "new-york"),
    budget: Budget | None = None,
    positions: int = 4,
    seed: int = 1,
) -> Report:
    """Try a bot: legal choices, the same ones again, and nothing read from what its seat can't see.

    `make` builds the bot (its class will do), so that a fresh one can be compared with one that has played. Every stage
    of every map is tried in so many positions of random games with 2 seats and more.
    """
    budget = budget or Budget(nodes=20)
    report = Report()
    bot = make()
    taken = 0.0
    asked = 0
    for map in maps:
        for position, seat in _positions(map, positions, seed):
            # One game at a time is within reach, so that a bot that looks around in memory finds that one.
            game = Game.from_dict(position)
            view = game.view(seat)
            where = f"{map}, {view.stage}, turn {view.turn}, seat {seat}"
            key = f"{map} {view.stage}"
            report.positions[key] = report.positions.get(key, 0) + 1
            began = perf_counter()
            choice = _ask(bot, view, seed, budget, where, report)
            took = perf_counter() - began
            taken, asked = taken + took, asked + 1
            report.slowest_ms = max(report.slowest_ms, took * 1000)
            if choice is None or budget.nodes is None:
                continue  # by the clock, choices need not repeat
            if _ask(make(), view, seed, budget, where, report) != choice:
                report.faults.append(f"{where}: the same view and rng gave another choice")
            for world in range(WORLDS):
                game = sample_world(view, Rng(seed, asked * WORLDS + world))
                if _ask(make(), game.view(seat), seed, budget, where, report) != choice:
                    report.faults.append(f"{where}: the choice changed with what the seat can't see")
                    break
    report.mean_ms = taken * 1000 / max(asked, 1)
    for map in maps:
        stages = [stage for stage in WANTED if stage != "tunnel-owed" or _has_tunnels(map)]
        report.faults += [
            f"{map}: no position of stage {s} was found" for s in stages if f"{map} {s}" not in report.positions
        ]
    return report


def _ask(bot: Bot, view: View, seed: int, budget: Budget, where: str, report: Report) -> int | None:
    try:
        return to_index(view, bot.choose(view, Rng(seed, 7), budget))
    except Exception as error:
        report.faults.append(f"{where}: {type(error).__name__}: {error}")
        return None


def _has_tunnels(map: str) -> bool:
    return any(route.kind == "tunnel" for route in load_map(map).routes)


def _positions(map: str, wanted: int, seed: int) -> list[tuple[dict[str, Any], int]]:
    """Positions of random games, so many of each stage."""
    found: dict[str, int] = {}
    out: list[tuple[dict[str, Any], int]] = []
    rules = load_map(map).rules
    stages = [stage for stage in WANTED if stage != "tunnel-owed" or _has_tunnels(map)]
    for n in range(MOST_GAMES):
        seats = rules.seats_min + n % (rules.seats_max - rules.seats_min + 1)
        game = Game.dealt(load_map(map), seats, Shuffler(b"", seed * 1000 + n))
        rng = Rng(seed, n)
        while not game.over and game.turn < MOST_TURNS:
            seat = game.to_act[-1]
            if (
                found.get(game.stage, 0) < wanted * (n + 1) // 2 + 1
                and found.get(game.stage, 0) < wanted
                and rng.below(SELDOM) == 0
            ):
                found[game.stage] = found.get(game.stage, 0) + 1
                out.append((game.to_dict(), seat))
            legal = game.legal_indices(seat)
            game.play_index(seat, legal[rng.below(len(legal))])
        if all(found.get(stage, 0) >= wanted for stage in stages):
            break
    return out
