"""Judges a recorded game, one log entry at a time: it can be left, taken up again and cut into any slices.

A `Step` follows from the record, its number, the depth and the seed, and from nothing else; a `Review` from its steps.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from branchline.actions import Action
from branchline.bots.planner.weights import is_short
from branchline.engine.board import DRAW_ROW
from branchline.engine.shuffle import Rng
from branchline.events import Event, TicketsOffered
from branchline.record import Record
from branchline.review.chances import Chances
from branchline.review.format import DEFAULT_DEPTH, DEPTHS, Chance, Decision, Estimate, Option, Review
from branchline.review.games import NotReviewed, check
from branchline.review.grades import DOUBTED, grade_of, is_sure
from branchline.review.judge import HouseJudge, Judge, Sample, estimate
from branchline.review.luck import cause_of, promise
from branchline.review.steps import Step, grid, summed
from branchline.views import View

WORLDS = (12, 24, 64, 32)
"""At depth 1: worlds in which all options are tried, then the best few, then the best against the one taken; and the
worlds of the second opinion. Half of it on maps of many cars, where each world takes several times as long."""
FEW = 3
"""The best few."""
SEEDS = 1 << 32


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a review is."""

    done: int
    total: int


def review(
    record: Record, depth: int = DEFAULT_DEPTH, seed: int = 0, judge: Judge | None = None
) -> Iterator[Progress | Review]:
    """Judge a finished game: how far it is after each log entry, and at last the review."""
    reviewer = Reviewer(record, depth, seed, judge)
    steps = []
    for n in range(reviewer.total):
        steps.append(reviewer.step(n))
        yield Progress(n + 1, reviewer.total)
    yield reviewer.finish(steps)


class Reviewer:
    """Judges one record. Steps may be asked for in any order; ascending is quickest."""

    def __init__(self, record: Record, depth: int = DEFAULT_DEPTH, seed: int = 0, judge: Judge | None = None) -> None:
        """NotReviewed says why it can't be."""
        if depth not in DEPTHS:
            raise NotReviewed(f"depth: from {DEPTHS[0]} to {DEPTHS[-1]}, not {depth}")
        if not 0 <= seed < SEEDS:
            raise NotReviewed(f"seed: a number from 0 to {SEEDS - 1}")
        check(record)
        self.record, self.depth, self.seed = record, depth, seed
        self.judge: Judge = HouseJudge(record.map) if judge is None else judge
        self.total = len(record.log) + 1
        """Steps in all: the deal and each log entry."""
        self._rewind()
        self._chances = Chances(self._game.state.board, self._game.seats)

    def step(self, n: int) -> Step:
        """Judge one log entry; 0 is the deal."""
        if not 0 <= n < self.total:
            raise ValueError(f"step: from 0 to {self.total - 1}, not {n}")
        if n <= self._at:
            self._rewind()
        while self._at < n - 1:
            self._forward()
        return self._deal() if n == 0 else self._judge(n)

    def judged(self, view: View, n: int, taken: int) -> Decision:
        """The judgement of one action, by its view alone; `n` tells which worlds are sampled."""
        judge, rng = self.judge, Rng(self.seed, 2 * n + 1)
        half = 1 if is_short(view.sight.board.rules) else 2
        few, more, most, second = (worlds * 4 ** (self.depth - 1) // half for worlds in WORLDS)
        if len(view.legal_indices()) == 1:
            samples = {taken: judge.compare(view, [taken], few, rng)[0]}
            return _decision(view, n, (taken, taken), samples, samples, Estimate(0.0, 0.0), {})
        options = with_taken(view, judge.options(view), taken)
        samples = dict(zip(options, judge.compare(view, options, few, rng), strict=True))
        best = list(dict.fromkeys((*_ranked(samples)[:FEW], taken)))
        for index, sample in zip(best, judge.compare(view, best, more, rng), strict=True):
            samples[index] = samples[index].joined(sample)
        favourite = _ranked({index: samples[index] for index in best})[0]
        tried = dict(samples)
        cost = samples[favourite].lead(samples[taken])
        if cost.value > cost.error:
            # Chosen in some worlds, measured in others: the best of many is flattered by the worlds that chose it.
            pair = [favourite, taken]
            samples |= zip(pair, judge.compare(view, pair, most, rng), strict=True)
            cost = samples[favourite].lead(samples[taken])
            if cost.value >= DOUBTED and is_sure(cost):
                samples, cost = self._doubted(view, pair, samples, cost, second, rng)
        if cost.value <= cost.error:
            favourite, cost = taken, Estimate(0.0, cost.error)
        return _decision(view, n, (favourite, taken), samples, tried, cost, judge.reason(view, favourite))

    def _doubted(
        self, view: View, pair: Sequence[int], samples: dict[int, Sample], cost: Estimate, worlds: int, rng: Rng
    ) -> tuple[dict[int, Sample], Estimate]:
        """What is left of a cost: nothing where the policy would do the same, else the smaller of two opinions."""
        favourite, taken = pair
        if self.judge.prefers(view, taken, favourite):
            return samples, Estimate(0.0, cost.error)
        again = dict(zip(pair, self.judge.second(view, pair, worlds, rng), strict=True))
        other = again[favourite].lead(again[taken])
        if other.value >= cost.value:
            return samples, cost
        return samples | {index: Sample(again[index].wins, samples[index].points) for index in pair}, other

    def finish(self, steps: Sequence[Step]) -> Review:
        """The review that all steps, in order, make."""
        if [step.n for step in steps] != list(range(self.total)):
            raise ValueError(f"steps: all from 0 to {self.total - 1}, in order")
        return summed(self.record, steps, self.depth, self.seed, self.judge.name)

    def _rewind(self) -> None:
        self._game = self.record.deal()
        self._at = 0
        self._unseen = len(self._game.state.ticket_deck)
        """Tickets at the top of their deck that nobody has seen."""

    def _forward(self) -> list[Event]:
        seat, action = self.record.log[self._at]
        events = self._game.play(seat, action)
        drawn = sum(len(event.tickets) for event in events if isinstance(event, TicketsOffered))
        self._unseen = max(0, self._unseen - drawn)
        self._at += 1
        return events

    def _deal(self) -> Step:
        outlook = self._chances.of(self._game.state)
        even = tuple(grid(1 / self._game.seats) for _ in outlook.wins)
        return Step(0, 0, _on_grid(outlook.wins), _points(outlook.points), even, 0.0, "deal", None)

    def _judge(self, n: int) -> Step:
        game, (seat, action) = self._game, self.record.log[n - 1]
        state, unseen, turn = game.state, self._unseen, game.turn
        index = game.index(action, seat)
        decision = self.judged(game.view(seat), n, index)
        events = self._forward()
        after = self._chances.of(self._game.state)
        wins = promised = _on_grid(after.wins)
        error = 0.0
        cause = cause_of(events)
        if cause is not None:
            found = promise(self._chances, state, seat, index, unseen, Rng(self.seed, 2 * n))
            promised, error = _on_grid(found.wins), found.error
        return Step(n, turn, wins, _points(after.points), promised, error, cause, decision)


def with_taken(view: View, options: Sequence[int], taken: int) -> list[int]:
    """The options with the one taken among them; a card of the row stands for all of its colour."""
    board, row = view.sight.board, view.sight.row

    def meaning(index: int) -> int:
        return -1 - int(row[board.action_what[index]]) if board.action_kind[index] == DRAW_ROW else index

    others = [index for index in options if meaning(index) != meaning(taken)]
    return [taken, *others]


def _ranked(samples: Mapping[int, Sample]) -> list[int]:
    return sorted(samples, key=lambda index: -samples[index].chance().win.value)


def _decision(
    view: View,
    n: int,
    pair: tuple[int, int],
    samples: Mapping[int, Sample],
    tried: Mapping[int, Sample],
    cost: Estimate,
    reason: Mapping[str, Any],
) -> Decision:
    """`samples` is what is believed of the best and the one taken; `tried` has all options in the same worlds."""
    best, taken = pair
    before, after = samples[best].chance(), samples[taken].chance()
    told = {best: Option(view.action(best), before, Estimate(0.0, 0.0))}
    told[taken] = Option(view.action(taken), after, cost)
    for index, sample in tried.items():
        if index not in pair:
            told[index] = _behind(view.action(index), before, tried[best].first(len(sample.wins)), sample)
    ranked = sorted(told, key=lambda index: (index != best, told[index].behind.value))
    assert view.seat is not None
    return Decision(
        n=n,
        turn=view.turn,
        seat=view.seat,
        stage=view.stage,
        action=view.action(taken),
        forced=len(view.legal_indices()) == 1,
        before=before,
        after=after,
        best=view.action(best),
        cost=cost,
        grade=grade_of(cost),
        reason=reason,
        options=tuple(told[index] for index in ranked),
    )


def _behind(action: Action, top: Chance, best: Sample, other: Sample) -> Option:
    """An option that was only tried beside the best: what it is worth is the best's, less what it was behind there.

    Its own figures would stand beside those of other worlds, or of another opinion, and might seem to be better.
    """
    lead = best.lead(other)
    behind = Estimate(max(0.0, lead.value), lead.error)
    win = Estimate(round(max(0.0, top.win.value - behind.value), 4), round(hypot(top.win.error, lead.error), 4))
    fewer = estimate([one - two for one, two in zip(best.points, other.points, strict=True)], 2)
    points = Estimate(round(top.points.value - fewer.value, 2), round(hypot(top.points.error, fewer.error), 2))
    return Option(action, Chance(win, points), behind)


def _on_grid(chances: Sequence[float]) -> tuple[float, ...]:
    return tuple(grid(chance) for chance in chances)


def _points(points: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(one, 2) for one in points)
