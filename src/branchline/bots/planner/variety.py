"""Planners of many styles, drawn by chance: whoever learns against them does not learn to beat one style only."""

from typing import Final

from mypy_extensions import i64

from branchline.bots.planner.weights import SHORT, Weights, fitted
from branchline.engine.board import Board
from branchline.engine.shuffle import Rng

ALIKE: Final[i64] = 2
"""One in so many weights is turned; the others stay those of `regular`."""
SILENT: Final[i64] = 4
"""One in so many styles shows nothing before it has nearly all of its cards."""
MOST_LACKING: Final[i64] = 5
"""Cards that may then be missing, at most."""
NEVER: Final[i64] = 1000
"""More turns than a game has: whoever wants as many to go draws no more tickets."""


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
    weights.fill = 1 + rng.below(3)
    weights.race = _one_of(weights.race, 0, 250, rng)
    weights.block = _one_of(weights.block, 150, 400, rng)
    weights.keep_margin = _one_of(weights.keep_margin, 600, -200, rng)
    weights.ticket_margin = _one_of(weights.ticket_margin, weights.ticket_margin, -150, rng)
    weights.least_turns = _one_of(weights.least_turns, weights.least_turns, NEVER, rng)
    if rng.below(SILENT) == 0:
        weights.lacking = rng.below(MOST_LACKING + 1)
        weights.calm = 100 + rng.below(500)
        weights.full = 12 + rng.below(6) if board.rules.cars < SHORT else 18 + rng.below(12)
    return weights


def _turned(weight: i64, rng: Rng) -> i64:
    """A weight as it is, or from a third of it to three times as much."""
    if rng.below(ALIKE) != 0:
        return weight
    by = 100 + rng.below(201)
    return weight * by // 100 if rng.below(2) == 0 else weight * 100 // by


def _one_of(usual: i64, one: i64, other: i64, rng: Rng) -> i64:
    """The usual weight half of the time, else one of two others."""
    if rng.below(ALIKE) != 0:
        return usual
    return one if rng.below(2) == 0 else other
