"""`expert`: searches sampled worlds, guided by the planner. Anytime, by nodes or by seconds."""

import json
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from importlib.resources import files
from multiprocessing import get_context
from time import perf_counter

from librt.vecs import vec

from branchline.bots.base import Budget
from branchline.bots.planner.weights import SHORT, Weights
from branchline.bots.regular import reason
from branchline.bots.search.judge import Judge
from branchline.bots.search.search import Search, SearchWeights, fitting, weight
from branchline.bots.search.styles import styles
from branchline.engine.board import Board
from branchline.engine.shuffle import Rng
from branchline.views import View

SECONDS = 1.0
"""What a decision takes where no budget is given."""


class ExpertBot:
    """Tries its candidates in worlds that agree with all it has seen."""

    def __init__(self, how: SearchWeights | None = None, styles: list[Weights] | None = None) -> None:
        """Another way to search, or other styles: for experiments on one core."""
        self.how = how
        self.styles = styles
        self.why: Mapping[str, object] | None = None
        self.nodes = 0
        """Playouts of the last decision."""

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        """The candidate that did best."""
        search = _search(view, rng, self.how, self.styles)
        self.nodes = 0
        if len(search.candidates) > 1:
            if budget.cores > 1:
                self.nodes = _spread(search, view, rng, budget)
            else:
                _run(search, budget)
        index = int(search.best())
        self.nodes += int(search.nodes)
        agrees = index == int(search.candidates[0])
        # Where playouts speak against the planner, its reasons are not those of what is done.
        why = reason(view, search.planner) if agrees else {"reason": "playouts"}
        self.why = {**why, "nodes": self.nodes, "agrees": agrees}
        return index


def _search(view: View, rng: Rng, how: SearchWeights | None, other: list[Weights] | None) -> Search:
    board, seats = view.sight.board, view.sight.seats
    return Search(view.sight, rng, other or styles(board, seats), how or fitting(board, seats), judge_of(board))


def _run(search: Search, budget: Budget) -> None:
    if budget.nodes is not None:
        search.run(budget.nodes)
    else:
        _run_for(search, SECONDS if budget.seconds is None else budget.seconds)


def _spread(search: Search, view: View, rng: Rng, budget: Budget) -> int:
    """Let as many processes search as there are cores, each other worlds; their games count together. How many."""
    nodes = None if budget.nodes is None else max(1, budget.nodes // budget.cores)
    share = Budget(nodes, budget.seconds)
    jobs = [_pool(budget.cores).submit(_elsewhere, view, rng.below(1 << 30), share) for _ in range(budget.cores)]
    spent = 0
    for job in jobs:
        tallies, used = job.result()
        spent += used
        for which, tally in enumerate(tallies):
            search.add(which, tally)
    return spent


def _elsewhere(view: View, seed: int, budget: Budget) -> tuple[list[tuple[int, int, int]], int]:
    """One process's part: the tallies of all candidates, and the playouts spent."""
    search = _search(view, Rng(seed), None, None)
    _run(search, budget)
    tallies = [search.tally(which) for which in range(len(search.candidates))]
    return [(int(tried), int(better), int(squares)) for tried, better, squares in tallies], int(search.nodes)


@cache
def _pool(cores: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(cores, mp_context=get_context("spawn"))


def _run_for(search: Search, seconds: float) -> None:
    """Shares of the time instead of shares of the nodes."""
    began = perf_counter()
    seconds *= int(weight(search.own.stage)) / 100
    for share in search.shares():
        search.begin(share)
        until = began + seconds * int(share.until) / 100
        search.step()
        while perf_counter() < until:
            if search.decided():
                return
            search.step()
        search.halve(share.left)


def judge_of(board: Board) -> Judge | None:
    """The judge of a board; a short game needs none, it is soon played out."""
    return None if board.rules.cars < SHORT else _long_judge()


@cache
def _long_judge() -> Judge:
    data = json.loads(files("branchline.bots.search").joinpath("judge.json").read_text("utf-8"))
    return Judge(data["hidden"], vec[float](data["numbers"]))
