"""What luck came to over many games of equal bots: `python -m scripts.fit.luck rows.jsonl new-york --games 500`.

Each game is split as a review splits it, without judging its choices: even share, luck, own choices, others' choices,
result. That they add up is checked for every seat of every game; then the mean of luck is told, with its interval. Each
game is a line of the file, so that it can be stopped and gone on with.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from branchline import Game, Record
from branchline.bots import load, play_on
from branchline.engine.shuffle import Rng
from branchline.review import Review, review
from branchline.review.judge import Sample
from branchline.review.steps import GRID
from branchline.views import View


class Silent:
    """Judges nothing: where the win came from does not depend on what choices cost."""

    name = "silent"

    def options(self, view: View) -> list[int]:
        return []

    def compare(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        return [Sample((0.0,), (0.0,)) for _ in options]

    def second(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        return self.compare(view, options, worlds, rng)

    def whole(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        return self.compare(view, options, worlds, rng)

    def prefers(self, view: View, one: int, other: int) -> bool:
        return False

    def reason(self, view: View, index: int) -> Mapping[str, Any]:
        return {}


def split(map: str, seats: int, number: int, bot: str) -> list[tuple[float, float, float, float, float]]:
    """Even share, luck, own choices, others' choices and result, of each seat of a game: checked that they add up."""
    game = Game.new(map, seats, f"luck {map} {seats} {number}")
    play_on(game, [load(bot) for _ in range(seats)], number)
    *_, found = review(Record.of(game), judge=Silent())
    assert isinstance(found, Review)
    out = []
    for seat in found.seats:
        parts = (seat.even, seat.luck, seat.own, seat.others, seat.result)
        assert sum(round(part * GRID) for part in parts[:4]) == round(seat.result * GRID)
        out.append(parts)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rows", type=Path, help="the file of games, gone on with")
    parser.add_argument("map")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=500, help="in all; those in the file count")
    parser.add_argument("--bot", default="regular")
    args = parser.parse_args()
    key = f"{args.map} {args.seats} {args.bot}"
    lines = args.rows.read_text("utf-8").splitlines() if args.rows.exists() else []
    games: dict[str, list[Any]] = defaultdict(list)
    for line in lines:
        name, parts = json.loads(line)
        games[name].append(parts)
    while len(games[key]) < args.games:
        parts = split(args.map, args.seats, len(games[key]), args.bot)
        with args.rows.open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, parts]) + "\n")
        games[key].append(parts)
    for name, found in games.items():
        for seat in range(len(found[0])):
            luck = [100 * game[seat][1] for game in found]
            own = [100 * game[seat][2] for game in found]
            error = 1.96 * stdev(luck) / sqrt(len(luck))
            sys.stdout.write(f"{name}, seat {seat}, {len(found)} games: luck {mean(luck):+.2f} % ± {error:.2f} ")
            sys.stdout.write(f"(of a game {stdev(luck):.1f}), own choices {mean(own):+.2f} % ({stdev(own):.1f})\n")


if __name__ == "__main__":
    main()
