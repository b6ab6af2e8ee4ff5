"""Fits what a choice has to cost for each grade: `python -m scripts.fit.grades rows.jsonl --games 8`.

Bots of one level play each other, on each map, and every so many of their decisions are judged as a review of the
default depth judges them. Each judged decision is a line of the file, so that it can be stopped and gone on with. Then
it tells how many in a hundred of each level would get which grade, and the least cost at which `expert` gets few.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from branchline import Game, Record
from branchline.bots import Budget, load, to_index
from branchline.engine.shuffle import Rng
from branchline.review import Reviewer
from branchline.review.format import GRADES, Estimate, Grade
from branchline.review.grades import DOUBTED, THRESHOLDS, grade_of, is_sure
from branchline.review.judge import HouseJudge, Sample
from branchline.views import View

LEVELS = ("novice", "amateur", "regular", "expert")
MAPS = ("new-york", "europe")
NODES = 40
"""Playouts of a bot that searches."""
ALLOWED: tuple[tuple[Grade, float], ...] = (("blunder", 0.003), ("mistake", 0.01), ("inaccuracy", 0.02))
"""How often `expert` may get a grade or a worse one, on either map."""


class Row(NamedTuple):
    """One judged decision."""

    map: str
    level: str
    game: int
    n: int
    first: Estimate
    """What it cost by the first opinion."""
    second: Estimate | None
    """By the second, where it was asked."""
    preferred: bool
    """Whether the learned policy would rather have done it than what was held to be better."""


class Noting(HouseJudge):
    """Notes what the opinions were."""

    first = Estimate(0.0, 0.0)
    second_opinion: Estimate | None = None
    preferred = False

    def forget(self) -> None:
        self.second_opinion, self.preferred = None, False

    def compare(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        samples = super().compare(view, options, worlds, rng)
        self.first = samples[0].lead(samples[-1])
        return samples

    def second(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        samples = super().second(view, options, worlds, rng)
        self.second_opinion = samples[0].lead(samples[-1])
        return samples

    def prefers(self, view: View, one: int, other: int) -> bool:
        self.preferred = super().prefers(view, one, other)
        return self.preferred


def judged(map: str, level: str, number: int, every: int) -> Iterator[Row]:
    """Some decisions of a game for two; each game is looked at from another decision on."""
    game = Game.new(map, 2, f"grades {map} {level} {number}")
    bots = [load(level), load(level)]
    views = []
    while not game.over:
        seat = game.to_act[0]
        view = game.view(seat)
        index = to_index(view, bots[seat].choose(view, Rng(number, len(game.log)), Budget(nodes=NODES)))
        if len(view.legal_indices()) > 1:
            views.append((view, len(game.log) + 1, index))
        game.play_index(seat, index)
    judge = Noting(game.map)
    reviewer = Reviewer(Record.of(game), judge=judge)
    for view, n, index in views[number % every :: every]:
        judge.forget()
        cost = reviewer.judged(view, n, index).cost
        first = judge.first if judge.preferred or judge.second_opinion is not None else cost
        yield Row(map, level, number, n, first, judge.second_opinion, judge.preferred)


def cost_of(row: Row) -> Estimate:
    """What a review makes of it: the smaller of two opinions, and nothing where the policy would have done the same."""
    cost = row.first if row.second is None or row.second.value >= row.first.value else row.second
    return Estimate(0.0, cost.error) if row.preferred or cost.value <= cost.error else cost


def told(rows: Sequence[Row], thresholds: Sequence[tuple[float, Grade]]) -> Iterator[str]:
    """Grades in a hundred decisions, by map and level, as lines of a table."""
    names = GRADES[1:]
    yield "| | games | decisions | inaccuracies | mistakes | blunders | any | mean cost |"
    yield "|---|---|---|" + "---|" * (len(names) + 2)
    for map, level in product(MAPS, LEVELS):
        some = [row for row in rows if (row.map, row.level) == (map, level)]
        if not some:
            continue
        costs = [cost_of(row) for row in some]
        grades = [grade_of(cost, thresholds) for cost in costs]
        shares = " | ".join(f"{100 * grades.count(name) / len(some):.1f}" for name in names)
        bad = 1 - grades.count("none") / len(some)
        error = 1.96 * sqrt(max(bad, 1 / len(some)) * (1 - bad) / len(some))
        mean = sum(cost.value for cost in costs) / len(some)
        games = len({row.game for row in some})
        yield (
            f"| `{level}`, {map} | {games} | {len(some)} | {shares} | "
            f"{100 * bad:.1f} ± {100 * error:.1f} | {100 * mean:.1f} % |"
        )


def fitted(rows: Sequence[Row]) -> list[tuple[float, Grade]]:
    """The least cost for each grade, in half hundredths, at which `expert` gets it so seldom on each map."""
    out: list[tuple[float, Grade]] = []
    for grade, most in ALLOWED:
        least = next(
            (
                n / 200
                for n in range(round(200 * DOUBTED), 200)
                if all(_share(rows, map, n / 200) <= most for map in MAPS)
            ),
            1.0,
        )
        out.append((least, grade))
    return out


def _share(rows: Sequence[Row], map: str, least: float) -> float:
    """How often `expert` gets a cost so high."""
    costs = [cost_of(row) for row in rows if (row.map, row.level) == (map, "expert")]
    return sum(cost.value >= least and is_sure(cost) for cost in costs) / max(1, len(costs))


def _read(data: list[Any]) -> Row:
    map, level, game, n, first, second, preferred = data
    return Row(map, level, game, n, Estimate(*first), None if second is None else Estimate(*second), preferred)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rows", type=Path, help="the file of judged decisions, gone on with")
    parser.add_argument("--games", type=int, default=0, help="of each level, on each map; those in the file count")
    parser.add_argument("--map", choices=MAPS, help="on this one alone")
    parser.add_argument("--every", type=int, default=3, help="one decision in so many is judged")
    args = parser.parse_args()
    lines = args.rows.read_text("utf-8").splitlines() if args.rows.exists() else []
    rows = [_read(json.loads(line)) for line in lines]
    done = {row[:3] for row in rows}
    for number in range(args.games):
        for map, level in product(MAPS if args.map is None else (args.map,), LEVELS):
            if (map, level, number) in done:
                continue
            new = list(judged(map, level, number, args.every))
            with args.rows.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row) + "\n" for row in new)
            rows += new
    for title, thresholds in (("in use", THRESHOLDS), ("fitted", fitted(rows))):
        lines = [f"The thresholds {title}: {thresholds}", "", *told(rows, thresholds), ""]
        sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
