"""How bad a choice was, in chess players' words, and how accurate a seat was in all."""

from collections.abc import Iterable, Sequence
from math import exp

from branchline.review.format import Estimate, Grade

THRESHOLDS: tuple[tuple[float, Grade], ...] = ((0.12, "blunder"), (0.09, "mistake"), (0.06, "inaccuracy"))
"""What a choice has to cost, as chance to win, for each grade; fitted so that `expert` gets few (docs/review.md)."""
DOUBTED = 0.02
"""The cost from which on a first opinion needs a second."""
SURE = 1.96
"""A cost counts only if it is so many standard errors from nothing."""
SHARP = 25.0
"""How quickly accuracy falls with the mean cost."""


def is_sure(cost: Estimate) -> bool:
    """Whether a cost is more than its noise."""
    return cost.value > SURE * cost.error


def grade_of(cost: Estimate, thresholds: Sequence[tuple[float, Grade]] = THRESHOLDS) -> Grade:
    """The grade of a cost: none where it is within its noise."""
    if not is_sure(cost):
        return "none"
    return next((grade for least, grade in thresholds if cost.value >= least), "none")


def accuracy(costs: Iterable[float]) -> float:
    """From 0 to 100: falls with the mean of what the decisions cost, those that were forced left out."""
    known = list(costs)
    return round(100 * exp(-SHARP * sum(known) / len(known)), 1) if known else 100.0
