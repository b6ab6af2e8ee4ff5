"""Games of planners against planners, without views: the quickest way to compare weights."""

from statistics import mean, stdev

from branchline.bots.planner.play import Planner
from branchline.bots.planner.weights import Weights, fitted
from branchline.engine.apply import act
from branchline.engine.board import Board
from branchline.engine.legal import actor
from branchline.engine.scoring import Scores
from branchline.engine.shuffle import Shuffler
from branchline.engine.stages import OVER
from branchline.engine.state import State
from branchline.game import Game
from branchline.maps import Map, load_map
from branchline.names import names_of

ENDLESS = 1500
"""Decisions after which a game is counted as it stands."""


def board_of(map: Map) -> Board:
    return names_of(map).board


def changed(board: Board, **values: int) -> Weights:
    """The weights of `regular` on a board, with some others."""
    weights = fitted(board)
    for name, value in values.items():
        setattr(weights, name, value)
    return weights


def dealt(map: Map, seats: int, seed: int, first: int) -> State:
    return Game.dealt(map, seats, Shuffler(b"", seed), first).state


def played(state: State, players: list[Planner]) -> list[int]:
    """The points of all seats in the end."""
    for player in players:
        player.plan.forget()
    for _ in range(ENDLESS):
        if state.stage == OVER:
            break
        who = actor(state)
        act(state, who, players[who].choose(state))
    return list(Scores(state).total)


class Duel:
    """How one set of weights does against another: the same deals, the first set in each seat in turn."""

    def __init__(self, map: str, seats: int, thorough: bool) -> None:
        self.map = load_map(map)
        self.board = board_of(self.map)
        self.seats = seats
        self.thorough = thorough

    def wins(self, one: Weights, others: Weights, deals: range) -> tuple[float, float, float]:
        """The share of games the first set wins, its standard error, and the mean lead in points."""
        seats = range(self.seats)
        first = [Planner(self.board, seat, one, self.thorough) for seat in seats]
        rest = [Planner(self.board, seat, others, self.thorough) for seat in seats]
        shares: list[float] = []
        leads: list[float] = []
        for deal in deals:
            won = 0.0
            for mine in seats:
                players = [first[seat] if seat == mine else rest[seat] for seat in seats]
                points = played(dealt(self.map, self.seats, deal, deal % self.seats), players)
                most = max(points)
                won += (points[mine] == most) / points.count(most)
                leads.append(points[mine] - mean(points[seat] for seat in seats if seat != mine))
            shares.append(won / self.seats)
        return mean(shares), stdev(shares) / len(shares) ** 0.5, mean(leads)
