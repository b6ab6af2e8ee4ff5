"""Fits what a review holds of a position with all hands open: `python -m scripts.fit.chances europe`.

Planners play each other. Up to some turn each seat acts at random now and then, one more often than another, so that
games of all levels are seen; from there on all play as well as planners do, and now and then all seats' features are
noted down. Small networks are fitted: the points of the end, and for each number of seats a strength whose softmax is
the chance to win. The last tenth of the games is kept back for the test. Needs `pip install 'branchline[fit]'`.
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
from branchline.review.chances import shares
from scripts.fit.duels import ENDLESS, board_of, dealt

ROOM = Path("src/branchline/review/nets")
NOTED = 0.15
"""The share of turns that are noted down."""
DREAMS = (0.0, 0.0, 0.05, 0.2, 0.5)
"""How often a seat acts at random in the first part of a game; each draws one of these."""


def games(map: str, seats: int, n: int, seed: int) -> tuple[list[Any], list[Any], list[Any]]:
    """Features, points and shares of the win: one entry for each position noted, with a row for each seat."""
    the_map = load_map(map)
    board = board_of(the_map)
    dice = random.Random(seed)
    players = [Planner(board, seat, fitted(board), False) for seat in range(seats)]
    judges = [Planner(board, seat, fitted(board), False) for seat in range(seats)]
    rows, ends, wins = [], [], []
    for game in range(n):
        state = dealt(the_map, seats, seed * 1_000_003 + game, game % seats)
        for player in players:
            player.plan.forget()
        dreams = [dice.choice(DREAMS) for _ in range(seats)]
        awake = dice.randrange(0, board.rules.cars * seats * 2 // 3)
        noted = []
        for _ in range(ENDLESS):
            if state.stage == OVER:
                break
            who = actor(state)
            sound = state.turn >= awake
            if sound and state.stage == TURN and state.last == NONE and dice.random() < NOTED:
                noted.append([list(features(state, judge)) for judge in judges])
            dream = not sound and dice.random() < dreams[who]
            act(state, who, dice.choice(list(legal(state, who))) if dream else players[who].choose(state))
        if state.stage == OVER:
            totals = [total / 100 for total in Scores(state).total]
            for position in noted:
                rows.append(position)
                ends.append(totals)
                wins.append(shares(state))
    return rows, ends, wins


class Net:
    """One hidden layer of rectified cells, learned by Adam."""

    def __init__(self, width: int, hidden: int, dice: Any) -> None:
        self.parts = [
            dice.normal(0, (2 / width) ** 0.5, (hidden, width)), np.zeros(hidden),
            dice.normal(0, (1 / hidden) ** 0.5, hidden), np.zeros(1),
        ]  # fmt: skip
        self.first = [np.zeros_like(part) for part in self.parts]
        self.second = [np.zeros_like(part) for part in self.parts]
        self.step = 0

    def over(self, rows: Any) -> Any:
        layer, bias, out, base = self.parts
        return np.maximum(rows @ layer.T + bias, 0) @ out + base[0]

    def learn(self, rows: Any, slope: Any, rate: float) -> None:
        layer, bias, out, _ = self.parts
        heat = rows @ layer.T + bias
        back = np.outer(slope, out) * (heat > 0)
        slopes = [back.T @ rows, back.sum(0), np.maximum(heat, 0).T @ slope, np.array([slope.sum()])]
        self.step += 1
        for part, m, v, change in zip(self.parts, self.first, self.second, slopes, strict=True):
            m += 0.1 * (change - m)
            v += 0.001 * (change * change - v)
            part -= rate * (m / (1 - 0.9**self.step)) / (np.sqrt(v / (1 - 0.999**self.step)) + 1e-8)

    def flat(self) -> list[float]:
        layer, bias, out, base = self.parts
        cells = [[bias[cell], *layer[cell]] for cell in range(len(bias))]
        return [round(float(x), 5) for x in (*(n for cell in cells for n in cell), base[0], *out)]


def softmax(strengths: Any) -> Any:
    raised = np.exp(strengths - strengths.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def fit(parts: list[tuple[Any, Any, Any]], hidden: int, epochs: int) -> dict[str, Any]:
    """`parts`: positions by number of seats."""
    dice = np.random.default_rng(1)
    width = parts[0][0].shape[2]
    points, strengths = Net(width, hidden, dice), [Net(width, hidden, dice) for _ in parts]
    cuts = [len(rows) * 9 // 10 for rows, _, _ in parts]
    for epoch in range(epochs):
        rate = 3e-3 * (1 - epoch / epochs) + 1e-5
        batches = [
            (which, some)
            for which, cut in enumerate(cuts)
            for some in np.array_split(dice.permutation(cut), max(1, cut // 512))
        ]
        dice.shuffle(batches)
        for which, some in batches:
            rows, ends, wins = (side[some] for side in parts[which])
            n, seats = wins.shape
            flat = rows.reshape(n * seats, width)
            points.learn(flat, (points.over(flat) - ends.reshape(-1)) * 2 / (n * seats), rate)
            strength = strengths[which]
            strength.learn(flat, ((softmax(strength.over(flat).reshape(n, seats)) - wins) / n).reshape(-1), rate)
        if epoch % 6 == 5 or epoch == epochs - 1:
            tell(epoch, parts, cuts, points, strengths)
    wins = {str(part[2].shape[1]): strength.flat() for part, strength in zip(parts, strengths, strict=True)}
    return {"hidden": hidden, "points": points.flat(), "strength": wins}


def tell(epoch: int, parts: list[tuple[Any, Any, Any]], cuts: list[int], points: Net, strengths: list[Net]) -> None:
    for (rows, ends, wins), cut, strength in zip(parts, cuts, strengths, strict=True):
        rows, ends, wins = rows[cut:], ends[cut:], wins[cut:]
        n, seats = wins.shape
        flat = rows.reshape(n * seats, -1)
        off = 100 * float(np.sqrt(((points.over(flat) - ends.reshape(-1)) ** 2).mean()))
        chances = softmax(strength.over(flat).reshape(n, seats))
        entropy = -float((wins * np.log(chances + 1e-12)).sum(1).mean())
        right = float((chances.argmax(1) == wins.argmax(1)).mean())
        sys.stdout.write(
            f"{epoch}: {seats} seats, {n} test positions: off by {off:.2f} points; "
            f"cross-entropy {entropy:.4f} (even {np.log(seats):.4f}); the favourite won {right:.1%}\n"
        )
        if epoch > 15:
            for low in range(0, 100, 10):
                inside = (chances * 100 >= low) & (chances * 100 < low + 10)
                if inside.sum() > 50:
                    sys.stdout.write(f"   {chances[inside].mean():.3f} -> {wins[inside].mean():.3f} ({inside.sum()})\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("map")
    parser.add_argument("--games", type=int, default=12_000, help="with each number of seats")
    parser.add_argument("--hidden", type=int, default=24)
    parser.add_argument("--epochs", type=int, default=18)
    args = parser.parse_args()
    rules = load_map(args.map).rules
    parts = []
    for seats in range(rules.seats_min, rules.seats_max + 1):
        rows, ends, wins = games(args.map, seats, args.games, 70 + seats)
        parts.append((np.array(rows), np.array(ends), np.array(wins)))
    ROOM.mkdir(exist_ok=True)
    numbers = json.dumps(fit(parts, args.hidden, args.epochs))
    (ROOM / f"{args.map}.json").write_text(numbers + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
