"""`expert`: searches sampled worlds, guided by the planner. Anytime, by nodes or by seconds."""

from collections.abc import Mapping
from time import perf_counter

from branchline.bots.base import Budget
from branchline.bots.planner.weights import SHORT, Weights, fitted
from branchline.bots.regular import reason
from branchline.bots.search.search import Search, SearchWeights
from branchline.engine.shuffle import Rng
from branchline.views import View

SECONDS = 1.0
"""What a decision takes where no budget is given."""


LONG_TRUST = 250
"""In a long game a budget buys few playouts, and one of many candidates soon looks better by chance."""


class ExpertBot:
    """Tries its candidates in worlds that agree with all it has seen."""

    def __init__(self, how: SearchWeights | None = None, weights: Weights | None = None) -> None:
        self.how = how
        self.weights = weights
        self.why: Mapping[str, object] | None = None
        self.nodes = 0
        """Playouts of the last decision."""

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        """The candidate that did best."""
        how = self.how
        if how is None:
            how = SearchWeights()
            if view.sight.board.rules.cars >= SHORT:
                how.trust = LONG_TRUST
        search = Search(view.sight, rng, self.weights or fitted(view.sight.board), how)
        if len(search.candidates) > 1:
            if budget.nodes is not None:
                search.run(budget.nodes)
            else:
                self._timed(search, SECONDS if budget.seconds is None else budget.seconds)
        index = int(search.best())
        self.nodes = int(search.nodes)
        self.why = {**reason(view, search.planner), "nodes": self.nodes, "agrees": index == int(search.candidates[0])}
        return index

    def _timed(self, search: Search, seconds: float) -> None:
        """Shares of the time instead of shares of the nodes."""
        began = perf_counter()
        shares = max(1, int(len(search.candidates) - 1).bit_length())
        for share in range(shares):
            until = began + seconds * (share + 1) / shares
            search.step()
            while perf_counter() < until:
                search.step()
            search.halve()
