"""Tickets: in which order they are joined, and what drawing more of them would bring."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.planner.turns import STATION_TURNS, TURN
from branchline.bots.planner.ways import FAR, Ways
from branchline.bots.planner.weights import Weights
from branchline.engine.board import NOBODY, NONE, Board
from branchline.engine.network import other_end
from branchline.engine.state import State

SPACE_TURNS: Final[i64] = 40
"""What a space of a new ticket's way takes, in hundredths of a turn: no cards have been drawn for it."""
DRAWING: Final[i64] = TURN
"""Drawing tickets is a turn itself."""


def by_points(board: Board, tickets: vec[i64]) -> vec[i64]:
    """The same tickets, the dearest first, equal ones as they stood."""
    out = tickets[:]
    i: i64 = 1
    while i < len(out):
        j = i
        while j > 0 and board.ticket_points[out[j - 1]] < board.ticket_points[out[j]]:
            out[j - 1], out[j] = out[j], out[j - 1]
            j -= 1
        i += 1
    return out


def without(tickets: vec[i64], at: i64) -> vec[i64]:
    """The same tickets but one, by its place."""
    out = vec[i64](capacity=len(tickets))
    i: i64 = 0
    while i < len(tickets):
        if i != at:
            out = append(out, tickets[i])
        i += 1
    return out


def gain_of_drawing(state: State, seat: i64, ways: Ways, turns: i64, weights: Weights) -> i64:
    """What drawing tickets can be expected to bring with so many turns to go: the mean of the best of those drawn."""
    board = state.board
    gains = vec[i64](capacity=board.tickets)
    start: i64 = NONE
    ticket: i64 = 0
    while ticket < board.tickets:
        if state.holder[ticket] != seat and not (board.rules.opening_long > 0 and board.ticket_long[ticket]):
            if board.ticket_a[ticket] != start:  # tickets stand by their first city: one search serves several
                start = board.ticket_a[ticket]
                ways.spread(ways.cost, start, NONE)
            goal = board.ticket_b[ticket]
            points = board.ticket_points[ticket] * 100
            far = ways.distance[goal]
            gain = points * weights.doubt // 100 - far
            if far >= FAR or gain < -points or (far > 0 and not _is_reached(state, seat, ways, start, goal, turns)):
                gain = -points
            gains = append(gains, gain)
        ticket += 1
    return mean_of_best(gains, min(board.rules.ticket_draw, i64(len(state.ticket_deck))))


def _is_reached(state: State, seat: i64, ways: Ways, start: i64, goal: i64, turns: i64) -> bool:
    """Whether cars and turns suffice for the way that was searched last."""
    board = state.board
    cars: i64 = 0
    takes = DRAWING
    here = goal
    while here != start:
        route = ways.by[here]
        if state.owner[route] == NOBODY:
            cars += board.length[route]
            takes += TURN + board.length[route] * SPACE_TURNS
        elif state.owner[route] != seat:
            takes += STATION_TURNS
        here = other_end(board, route, here)
    return cars <= state.cars[seat] and takes <= turns


def mean_of_best(gains: vec[i64], drawn: i64) -> i64:
    """The mean of the best of so many drawn from these."""
    n: i64 = len(gains)
    if n == 0 or drawn <= 0:
        return -FAR
    falling = _falling(gains)
    # The i-th is the best of those drawn if it is drawn and all others drawn come after it.
    total: i64 = 0
    chances: i64 = 0
    i: i64 = 0
    while i < n:
        after = n - i - 1
        ways: i64 = 1
        k: i64 = 1
        while k < drawn:  # in how many ways these may come
            ways = ways * (after - k + 1) // k
            k += 1
        total += falling[i] * ways
        chances += ways
        i += 1
    return total // max(chances, i64(1))


def _falling(numbers: vec[i64]) -> vec[i64]:
    """The same numbers, the highest first."""
    out = numbers[:]
    i: i64 = 1
    while i < len(out):
        j = i
        while j > 0 and out[j - 1] < out[j]:
            out[j - 1], out[j] = out[j], out[j - 1]
            j -= 1
        i += 1
    return out
