"""The last turn of a seat, counted out: nothing comes after it but what others do."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.planner.needs import Needs
from branchline.bots.planner.payments import claim, station
from branchline.bots.planner.play import Planner
from branchline.bots.planner.weights import Weights
from branchline.engine.board import BUILD, CLAIM, NOBODY, NONE, TUNNEL
from branchline.engine.fields import unshare
from branchline.engine.scoring import Scores
from branchline.engine.state import State

TUNNEL_CHANCE: Final[i64] = 75
"""A tunnel succeeds in about so many of a hundred tries."""


def counted(state: State, seat: i64, weights: Weights, choice: i64) -> i64:
    """The index of what a seat does in its last turn: `choice`, unless a claim or a station leaves it with more.

    `state`: as the planner of the seat may have it; `weights`: by which that planner says how to pay.
    """
    ending = Ending(state, seat)
    best = choice
    most = ending.gain(choice)
    for index in _payable(state, seat, Planner(state.board, seat, weights, True).look(state)):
        gain = ending.gain(index)
        if gain > most:
            best = index
            most = gain
    return best


def _payable(state: State, seat: i64, needs: Needs) -> vec[i64]:
    """Every route that a seat can claim now and every station that it can build, each paid as its planner would."""
    board = state.board
    out = vec[i64]()
    route: i64 = 0
    while route < board.routes:
        index = claim(state, seat, needs, route).index
        if index != NONE:
            out = append(out, index)
        route += 1
    city: i64 = 0
    while city < board.cities and state.stations[seat] > 0:
        index = station(state, seat, needs, city) if state.station[city] == NOBODY else NONE
        if index != NONE:
            out = append(out, index)
        city += 1
    return out


class Ending:
    """What a seat would end with by what it does in its last turn."""

    def __init__(self, state: State, seat: i64) -> None:
        self.state = state
        self.seat: i64 = seat
        self.before: i64 = Scores(state).total[seat]

    def gain(self, index: i64) -> i64:
        """What an action brings, in hundredths of a point: by all that is scored in the end. Cards bring nothing."""
        board = self.state.board
        kind, what = board.action_kind[index], board.action_what[index]
        if kind != CLAIM and kind != BUILD:
            return 0
        state = self.state.copy()
        unshare(state)
        if kind == CLAIM:
            state.owner[what] = self.seat
            state.points[self.seat] += board.points[what]
        else:
            state.station[what] = self.seat
            state.stations[self.seat] -= 1
        gain = (Scores(state).total[self.seat] - self.before) * 100
        return gain * TUNNEL_CHANCE // 100 if kind == CLAIM and board.kind[what] == TUNNEL else gain
