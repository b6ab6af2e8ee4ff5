"""The styles in which the search may go on: they want other networks, and now and then one of them does better."""

from typing import Final

from mypy_extensions import i64

from branchline.bots.planner.weights import Weights, fitted, is_short
from branchline.engine.board import Board

CROWD: Final[i64] = 3
"""From so many seats on a long game is crowded: routes go early, and the end comes sooner for each."""


def styles(board: Board, seats: i64) -> list[Weights]:
    """The weights that all planners of a search go by, then others that its own seat may follow instead."""
    if is_short(board.rules):
        return [fitted(board)]
    out = [_best(board, seats)]
    if seats >= CROWD:
        out.append(fitted(board))
    out.append(_scaled(board, seats, 50, 100, 100))
    out.append(_scaled(board, seats, 200, 100, 100))
    out.append(_scaled(board, seats, 300, 100, 100))
    out.append(_scaled(board, seats, 100, 80, 100))
    out.append(_scaled(board, seats, 100, 100, 140))
    return out


def _scaled(board: Board, seats: i64, points: i64, swift: i64, card_turns: i64) -> Weights:
    """A style that cares more or less for points, or takes others or itself to be quicker or slower; in hundredths."""
    weights = _best(board, seats)
    weights.points = weights.points * points // 100
    weights.swift = weights.swift * swift // 100
    weights.card_turns = weights.card_turns * card_turns // 100
    return weights


def _best(board: Board, seats: i64) -> Weights:
    return fitted(board) if seats < CROWD else _crowded()


def _crowded() -> Weights:
    """A long game at a full table; fitted with four seats."""
    weights = Weights()
    weights.turn = 126
    weights.points = 37
    weights.tunnel = 183
    weights.ferry_wild = 116
    weights.station = 195
    weights.row_wild = 30
    weights.spare = 37
    weights.ticket_margin = 81
    weights.least_turns = 3
    weights.join = 53
    weights.fill_rate = 3296
    weights.ticket_cars = 18
    weights.hoard = 14
    weights.wild_share = 86
    weights.pace = 121
    weights.swift = 71
    weights.keep_margin = 166
    weights.doubt = 36
    weights.card_turns = 19
    weights.need = 90
    weights.need_points = 70
    weights.nearly = 62
    weights.need_wild = 51
    weights.free_wild = 155
    weights.ferry_short = 30
    weights.row_ferry = 105
    weights.risk = 527
    weights.rich = 12
    weights.extra_wild = 67
    weights.hurry = 93
    weights.race = 0
    weights.block = 61
    return weights
