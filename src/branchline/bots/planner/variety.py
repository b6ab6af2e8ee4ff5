"""Planners of many styles, drawn by chance: whoever learns against them does not learn to beat one style only."""

from typing import Final

from mypy_extensions import i64

from branchline.bots.planner.weights import NEVER, Weights, fitted, is_short
from branchline.engine.board import Board
from branchline.engine.shuffle import Rng

ALIKE: Final[i64] = 2
"""One in so many weights is turned; the others stay those of `regular`."""
TURNED: Final[i64] = 200
"""By so many hundredths of itself at most."""
SILENT: Final[i64] = 4
"""One in so many styles shows nothing before it has nearly all of its cards."""
MOST_LACKING: Final[i64] = 5
"""Cards that may then be missing, at most."""
LEAST_CALM: Final[i64] = 100
"""With fewer turns to spare than these, in hundredths, even a silent one shows itself."""
CALM: Final[i64] = 500
"""By less than so many more it may differ."""
FULL: Final[i64] = 18
"""Cards in the hand of a long game with which it shows itself; `FULL_SHORT` in a short one."""
FULL_SHORT: Final[i64] = 12
FULLER: Final[i64] = 12
"""By fewer cards than these it may differ in a long game; `FULLER_SHORT` in a short one."""
FULLER_SHORT: Final[i64] = 6
MOST_FILL: Final[i64] = 3
"""Routes that may be wanted at a time for their points, at most."""
RACES: Final[i64] = 250
"""A car placed when ahead, for one who races; for one who does not it is nothing."""
SPITE: Final[i64] = 150
"""A route in another's way, for one who stands there; `MALICE` for one who means it."""
MALICE: Final[i64] = 400
CHOOSY: Final[i64] = 600
"""By how much one more ticket has to pay, for one who keeps few; `GREEDY` for one who keeps many."""
GREEDY: Final[i64] = -200
CURIOUS: Final[i64] = -150
"""By how much drawing tickets has to beat a turn, for one who draws them gladly."""


def varied(board: Board, rng: Rng) -> Weights:
    """A style near `regular`'s: it may hoard or spend, rush, stand in others' way, keep many tickets or few."""
    weights = fitted(board)
    weights.turn = _turned(weights.turn, rng)
    weights.points = _turned(weights.points, rng)
    weights.tunnel = _turned(weights.tunnel, rng)
    weights.row_wild = _turned(weights.row_wild, rng)
    weights.spare = _turned(weights.spare, rng)
    weights.join = _turned(weights.join, rng)
    weights.fill_rate = _turned(weights.fill_rate, rng)
    weights.hoard = _turned(weights.hoard, rng)
    weights.wild_share = _turned(weights.wild_share, rng)
    weights.pace = _turned(weights.pace, rng)
    weights.swift = _turned(weights.swift, rng)
    weights.doubt = _turned(weights.doubt, rng)
    weights.free_wild = _turned(weights.free_wild, rng)
    weights.risk = _turned(weights.risk, rng)
    weights.fill = 1 + rng.below(MOST_FILL)
    weights.race = _one_of(weights.race, 0, RACES, rng)
    weights.block = _one_of(weights.block, SPITE, MALICE, rng)
    weights.keep_margin = _one_of(weights.keep_margin, CHOOSY, GREEDY, rng)
    weights.ticket_margin = _one_of(weights.ticket_margin, weights.ticket_margin, CURIOUS, rng)
    weights.least_turns = _one_of(weights.least_turns, weights.least_turns, NEVER, rng)
    if rng.below(SILENT) == 0:
        weights.lacking = rng.below(MOST_LACKING + 1)
        weights.calm = LEAST_CALM + rng.below(CALM)
        if is_short(board.rules):
            weights.full = FULL_SHORT + rng.below(FULLER_SHORT)
        else:
            weights.full = FULL + rng.below(FULLER)
    return weights


def _turned(weight: i64, rng: Rng) -> i64:
    """A weight as it is, or from a third of it to three times as much."""
    if rng.below(ALIKE) != 0:
        return weight
    by = 100 + rng.below(TURNED + 1)
    return weight * by // 100 if rng.below(2) == 0 else weight * 100 // by


def _one_of(usual: i64, one: i64, other: i64, rng: Rng) -> i64:
    """The usual weight half of the time, else one of two others."""
    if rng.below(ALIKE) != 0:
        return usual
    return one if rng.below(2) == 0 else other
