"""Fits the planner's weights by an evolution strategy (CMA-ES): `python -m scripts.fit.weights europe --minutes 14`.

Each generation plays fresh deals against the present weights of `regular`; what is written at the end goes by hand into
`branchline/bots/planner/weights.py`, once the arena has confirmed it on deals that the fit never saw. Needs
`pip install 'branchline[fit]'`.
"""

import argparse
import json
import sys
from math import exp
from pathlib import Path
from statistics import mean
from time import monotonic

import cma

from branchline.arena.match import Match, play
from branchline.bots.planner.weights import Weights, fitted
from branchline.bots.registry import load
from branchline.bots.regular import RegularBot
from scripts.fit.duels import Duel, changed

STEPS = {"keep_margin": 100, "race": 60, "block": 100}
"""Weights that may be nought move by so much; all others are multiplied."""
POINT = 0.011
"""What a point of lead is worth in wins, about: leads tell more than wins do in few games."""


def genome(names: list[str], base: Weights, genes: list[float]) -> dict[str, int]:
    values = {}
    for name, gene in zip(names, genes, strict=True):
        value = int(getattr(base, name))
        if name in STEPS:
            values[name] = max(0, round(value + STEPS[name] * gene))
        else:
            values[name] = max(1, round(max(value, 1) * exp(0.5 * gene)))
    return values


def against(bot: str, map: str, weights: Weights, deals: int, seed: int) -> float:
    """Wins and leads against a bot of the house."""
    match = Match(map, ("regular", bot), deals * 2, seed=seed)
    bots = [RegularBot(weights), load(bot)]
    rows = [play(match, deal, rotation, bots)["players"] for deal in range(deals) for rotation in (0, 1)]
    wins = mean(float(row[0]["win"]) for row in rows)
    return wins + POINT * mean(float(row[0]["points"] - row[1]["points"]) for row in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("map")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--thorough", action="store_true", help="the planner of the table, not the one of playouts")
    parser.add_argument("--deals", type=int, default=500, help="deals for each candidate")
    parser.add_argument("--minutes", type=float, default=14)
    parser.add_argument("--also", metavar="BOT", help="fit against this bot too, with a quarter of the deals")
    parser.add_argument("--spread", type=float, default=0.5)
    parser.add_argument("--out", type=Path, default=Path("build/weights.json"))
    args = parser.parse_args()
    duel = Duel(args.map, args.seats, args.thorough)
    base = fitted(duel.board)
    names = sorted(name for name in dir(base) if isinstance(getattr(base, name), int))
    strategy = cma.CMAEvolutionStrategy([0.0] * len(names), args.spread, {"popsize": 14, "verbose": -9, "seed": 3})
    began, generation = monotonic(), 0
    while monotonic() - began < args.minutes * 60:
        generation += 1
        deals = range(10_000_000 + generation * args.deals, 10_000_000 + (generation + 1) * args.deals)
        genes = strategy.ask()
        fitness = []
        for one in genes:
            weights = changed(duel.board, **genome(names, base, list(one)))
            wins, _, lead = duel.wins(weights, base, deals)
            fit = wins + POINT * lead
            if args.also:
                fit += 2 * against(args.also, args.map, weights, args.deals // 4, 1000 + generation)
            fitness.append(-fit)
        strategy.tell(genes, fitness)
        centre = genome(names, base, list(strategy.mean))
        wins, error, lead = duel.wins(changed(duel.board, **centre), base, range(9_000_000, 9_000_000 + args.deals))
        sys.stdout.write(f"{generation}: {100 * wins:.1f} ± {196 * error:.1f} %, {lead:+.1f} points\n")
        sys.stdout.flush()
        args.out.parent.mkdir(exist_ok=True)
        args.out.write_text(json.dumps(centre, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
