"""Fits the search's judge on self-play games: `python -m scripts.fit.judge europe`.

Planners play each other, now and then a move is random, and now and then all seats' features are noted down; what they
are fitted to is the points of the end. The last tenth is kept back for the test. Needs `pip install 'branchline[fit]'`.
"""

import argparse
import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

from branchline.bots.planner.play import Planner
from branchline.bots.planner.weights import fitted
from branchline.bots.search.judge import features
from branchline.engine.apply import act
from branchline.engine.board import NONE
from branchline.engine.legal import actor, legal
from branchline.engine.scoring import Scores
from branchline.engine.stages import OVER, TURN
from branchline.maps import load_map
from scripts.fit.duels import ENDLESS, board_of, dealt

JUDGE = Path("src/branchline/bots/search/judge.json")
NOTED = 0.12
"""The share of turns that are noted down."""
DREAMS = 0.04
"""The share of moves that are random: a search looks at unusual positions too."""


def games(map: str, seats: int, n: int, seed: int) -> tuple[Any, Any]:
    """Features and the points they led to, a row for each seat of each position noted."""
    the_map = load_map(map)
    board = board_of(the_map)
    dice = random.Random(seed)
    players = [Planner(board, seat, fitted(board), False) for seat in range(seats)]
    judges = [Planner(board, seat, fitted(board), False) for seat in range(seats)]
    rows: list[list[float]] = []
    ends: list[float] = []
    for game in range(n):
        state = dealt(the_map, seats, seed * 1_000_003 + game, game % seats)
        for player in players:
            player.plan.forget()
        noted: list[list[list[float]]] = []
        for _ in range(ENDLESS):
            if state.stage == OVER:
                break
            who = actor(state)
            if state.stage == TURN and state.last == NONE and dice.random() < NOTED:
                noted.append([list(features(state, judge)) for judge in judges])
            dream = dice.random() < DREAMS
            act(state, who, dice.choice(list(legal(state, who))) if dream else players[who].choose(state))
        points = [total / 100 for total in Scores(state).total]
        for position in noted:
            rows += position
            ends += points
    return np.array(rows), np.array(ends)


def fit(rows: Any, ends: Any, hidden: int, epochs: int) -> dict[str, Any]:
    """One hidden layer of rectified cells, by Adam on the squared error; the last tenth is for the test."""
    dice = np.random.default_rng(1)
    count, width = rows.shape
    cut = count * 9 // 10
    layer = dice.normal(0, (2 / width) ** 0.5, (hidden, width))
    bias = np.zeros(hidden)
    out = dice.normal(0, (1 / hidden) ** 0.5, hidden)
    base = np.array([ends.mean()])
    numbers = [layer, bias, out, base]
    first = [np.zeros_like(part) for part in numbers]
    second = [np.zeros_like(part) for part in numbers]
    step = 0
    for epoch in range(epochs):
        order = dice.permutation(cut)
        rate = 2e-3 * (1 - epoch / epochs) + 1e-5
        for at in range(0, cut, 512):
            some = order[at : at + 512]
            heat = rows[some] @ layer.T + bias
            cells = np.maximum(heat, 0)
            slope = (cells @ out + base[0] - ends[some]) * 2 / len(some)
            back = np.outer(slope, out) * (heat > 0)
            slopes = [back.T @ rows[some], back.sum(0), cells.T @ slope, np.array([slope.sum()])]
            step += 1
            for part, m, v, change in zip(numbers, first, second, slopes, strict=True):
                m += 0.1 * (change - m)
                v += 0.001 * (change * change - v)
                part -= rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
        wrong = np.maximum(rows @ layer.T + bias, 0) @ out + base[0] - ends
        errors = [100 * float(np.sqrt((part**2).mean())) for part in (wrong[:cut], wrong[cut:])]
        sys.stdout.write(f"{epoch}: off by {errors[0]:.2f} points, {errors[1]:.2f} on the test\n")
    cells_first = [[float(bias[cell]), *map(float, layer[cell])] for cell in range(hidden)]
    flat = [number for cell in cells_first for number in cell] + [float(base[0]), *map(float, out)]
    return {"hidden": hidden, "numbers": [round(number, 5) for number in flat]}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("map")
    parser.add_argument("--games", type=int, default=8000, help="with two seats; a third of it with more")
    parser.add_argument("--hidden", type=int, default=24)
    parser.add_argument("--epochs", type=int, default=24)
    args = parser.parse_args()
    most = load_map(args.map).rules.seats_max
    parts = [games(args.map, seats, args.games // (1 if seats == 2 else 3), 7 + seats) for seats in range(2, most + 1)]
    rows, ends = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
    JUDGE.write_text(json.dumps(fit(rows, ends, args.hidden, args.epochs)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
