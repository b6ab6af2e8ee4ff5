"""`expert`: searches sampled worlds, guided by a learned policy, or by the planner on maps that no policy knows."""

import json
from functools import cache, partial
from importlib.resources import files
from pathlib import Path

from librt.vecs import vec

from branchline.bots import learner, regular
from branchline.bots.base import Budget, Telling
from branchline.bots.learned.policy import ONE, Policy
from branchline.bots.learner import LearnedBot
from branchline.bots.planner.weights import is_short
from branchline.bots.search.contest import Search
from branchline.bots.search.guided import GuidedSearch, How
from branchline.bots.search.judge import Judge
from branchline.bots.search.planned import PlannerSearch, fitting
from branchline.bots.search.styles import styles
from branchline.bots.thinking import think
from branchline.engine.board import Board
from branchline.engine.shuffle import Rng
from branchline.engine.sight import Sight
from branchline.engine.stages import OPENING, TICKET_OFFER
from branchline.views import View

SOON = 3
"""Decisions of each seat after which the value judges a playout of a long game; twice as many when its end is near."""
NEAR = 20
"""Cars left to somebody from which on the end of a long game is near: the value tells choices apart badly there."""
MANY = 10
"""Candidates at most, where worlds tell also unlikely ones apart."""
UNLIKELY = 7
"""How far below the policy's favourite these may be: one in e to the so many-th."""


class ExpertBot(Telling):
    """Tries its candidates in worlds that agree with all it has seen."""

    def __init__(self, weights: Path | None = None, how: How | None = None) -> None:
        """Guided by the weights that come with the package, or by those of a file; `how`: for experiments."""
        self.how = how
        self.nodes = 0
        """Playouts of the last decision."""
        self._learned = LearnedBot(weights)

    def policy(self, view: View) -> Policy | None:
        """What guides it, see `LearnedBot.policy`."""
        return self._learned.policy(view)

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        """The candidate that did best."""
        policy = self.policy(view)
        search, self.nodes = think(lambda rng: begin(view, rng, policy, self.how), rng, budget)
        index = int(search.best())
        self.told = partial(_reason, view, search, index, self.nodes)
        return index


def begin(view: View, rng: Rng, policy: Policy | None, how: How | None = None) -> Search:
    """The search of one decision: guided by the policy, or by the planner where no policy knows the map."""
    if policy is None:
        return planned(view, rng)
    return GuidedSearch(view.sight, rng, policy, how or suited(view.sight))


def planned(view: View, rng: Rng) -> PlannerSearch:
    """The planner's search of one decision."""
    board, seats = view.sight.board, view.sight.seats
    return PlannerSearch(view.sight, rng, styles(board, seats), fitting(board, seats), judge_of(board))


def suited(sight: Sight) -> How:
    """How a guided search goes about a decision; what was measured is in docs/ladder-diary.md.

    In a short game, and wherever tickets are chosen, worlds tell well what comes of choices that the policy thinks
    little of. A long game is judged sooner while its end is far, which leaves less to luck, and the others play on
    like the planner, which takes half the time.
    """
    how = How()
    long = not is_short(sight.board.rules)
    how.planned = long
    if long:
        how.depth = SOON * sight.seats * (1 if min(sight.cars) > NEAR else 2)
    if not long or sight.stage in (OPENING, TICKET_OFFER):
        how.most = MANY
        how.gap = UNLIKELY * ONE
    return how


def _reason(view: View, search: Search, index: int, nodes: int) -> dict[str, object]:
    agrees = index == int(search.candidates[0])
    out: dict[str, object] = {"reason": "playouts"}  # against the planner, whose reasons are not those of what is done
    if isinstance(search, GuidedSearch):
        out = learner.reason(view, int(search.value), index)
    elif agrees and isinstance(search, PlannerSearch):
        out = regular.reason(view, search.planner, index)
    return {**out, "nodes": nodes, "agrees": agrees}


def judge_of(board: Board) -> Judge | None:
    """The judge of a board; a short game needs none, it is soon played out."""
    return None if is_short(board.rules) else _long_judge()


@cache
def _long_judge() -> Judge:
    data = json.loads(files("branchline.bots.search").joinpath("judge.json").read_text("utf-8"))
    return Judge(data["hidden"], vec[float](data["numbers"]))
