"""Search over sampled worlds: a few candidates, each tried in the same worlds, the weaker ones dropped on the way.

In a world all seats go on with quick planners to the end of the game, and the points are counted.
Trying all candidates in the same worlds takes most of the luck out of their differences; halving their number whenever
a share of the budget is spent (sequential halving) leaves the most worlds to those that are hard to tell apart.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.planner.plan import seen_by
from branchline.bots.planner.play import Planner
from branchline.bots.planner.weights import Weights
from branchline.engine.apply import act
from branchline.engine.board import BUILD, CLAIM, DRAW_ROW, DRAW_TICKETS, EMPTY, NONE, zeros
from branchline.engine.legal import actor, barred, legal
from branchline.engine.refusals import LEGAL
from branchline.engine.scoring import Scores
from branchline.engine.shuffle import Rng
from branchline.engine.sight import Sight
from branchline.engine.stages import OVER, TURN
from branchline.engine.state import State
from branchline.engine.worlds import Worlds

ENDLESS: Final[i64] = 1500
"""Decisions after which a playout is counted as it stands."""


class SearchWeights:
    """How the search weighs; fitted by the arena (docs/ladder.md)."""

    def __init__(self) -> None:
        self.others: i64 = 4
        """Routes tried that the plan does not want: the most valuable the hand can pay."""
        self.win: i64 = 1500
        """A win, in hundredths of a point."""
        self.trust: i64 = 100
        """By how many hundredths of a standard error another candidate has to beat the planner's own choice."""
        self.lead: i64 = 10_000
        """More points ahead or behind than these, in hundredths, count no further."""


class Search:
    """One decision."""

    def __init__(self, sight: Sight, rng: Rng, weights: Weights, how: SearchWeights) -> None:
        """Find the candidates, the planner's own choice first."""
        self.sight = sight
        self.how = how
        self.weights = weights
        self.seat: i64 = sight.seat
        self.own = seen_by(sight)
        self.planner = Planner(sight.board, sight.seat, weights, True)
        self.candidates = vec[i64]()
        self._find()
        n: i64 = len(self.candidates)
        self.sums = zeros(n)
        self.squares = zeros(n)
        """Of the differences to the planner's own choice."""
        self.differences = zeros(n)
        self.tried = zeros(n)
        self.alive = n
        self.order = vec[i64]()
        i: i64 = 0
        while i < n:
            self.order = append(self.order, i)
            i += 1
        self.worlds = Worlds(sight, rng)
        self.nodes: i64 = 0
        self.players: list[Planner] = []
        seat: i64 = 0
        while seat < sight.seats:
            self.players.append(Planner(sight.board, seat, weights, False))
            seat += 1

    def _find(self) -> None:
        board = self.sight.board
        own = self.own
        actions = legal(own, self.seat)
        first = self.planner.choose(own)
        self._add(first)
        if own.stage != TURN:
            cards = zeros(board.kinds)
            for index in actions:
                if board.action_kind[index] == DRAW_ROW:
                    card = own.row[board.action_what[index]]
                    if cards[card]:
                        continue
                    cards[card] = 1
                self._add(index)
            return
        for route in self.planner.plan.routes:
            index = self.planner.payment(own, route)
            if index != NONE:
                self._add(index)
        self._find_others()
        seen = zeros(board.kinds)
        for index in actions:
            kind = board.action_kind[index]
            if kind == DRAW_ROW:
                card = own.row[board.action_what[index]]
                if card != EMPTY and not seen[card]:
                    seen[card] = 1
                    if card == board.wild or self.planner.worth[card] >= 60:
                        self._add(index)
            elif kind == DRAW_TICKETS:
                if len(self.planner.plan.dropped) == 0 and own.last == NONE and own.held[self.seat] < 8:
                    self._add(index)
            elif kind != CLAIM and kind != BUILD:
                self._add(index)
        site = self.planner.plan.site(own)
        if site != NONE and own.stations[self.seat] > 0:
            index = self.planner.build(own, site)
            if index != NONE:
                self._add(index)

    def _find_others(self) -> None:
        """Routes that the plan does not want, for their points or to be in someone's way."""
        board = self.sight.board
        tried = zeros(board.routes)
        n: i64 = 0
        while n < self.how.others:
            best: i64 = NONE
            best_index: i64 = NONE
            route: i64 = 0
            while route < board.routes:
                if (
                    not tried[route]
                    and not self.planner.plan.wanted[route]
                    and (best == NONE or board.points[route] > board.points[best])
                    and barred(self.own, route, self.seat) == LEGAL
                ):
                    index = self.planner.payment(self.own, route)
                    if index != NONE:
                        best = route
                        best_index = index
                route += 1
            if best == NONE:
                return
            tried[best] = 1
            self._add(best_index)
            n += 1

    def _add(self, index: i64) -> None:
        for other in self.candidates:
            if other == index:
                return
        self.candidates = append(self.candidates, index)

    def run(self, nodes: i64) -> None:
        """Spend so many playouts, in shares: after each share the weaker half is dropped."""
        n: i64 = len(self.candidates)
        if n == 1:
            return
        shares: i64 = 1
        while (i64(1) << shares) < n:
            shares += 1
        share: i64 = 0
        while share < shares:
            limit = nodes * (share + 1) // shares
            before = self.nodes
            while self.nodes < limit and (self.nodes == before or self.nodes + self.alive <= limit):
                self.step()
            self.halve()
            share += 1

    def step(self) -> None:
        """One more world, in which every candidate that is left is tried."""
        world = self.worlds.sample()
        base: i64 = 0
        i: i64 = 0
        while i < self.alive:
            which = self.order[i]
            value = self._try(world.copy(), self.candidates[which])
            if which == 0:
                base = value
            self.sums[which] += value
            self.tried[which] += 1
            self.differences[which] += value - base
            self.squares[which] += (value - base) * (value - base) // 100
            self.nodes += 1
            i += 1

    def halve(self) -> None:
        """Keep the better half; the planner's own choice always stays, and first."""
        if self.alive <= 2:
            return
        i: i64 = 2
        while i < self.alive:
            j = i
            while j > 1 and self._mean(self.order[j - 1]) < self._mean(self.order[j]):
                kept = self.order[j]
                self.order[j] = self.order[j - 1]
                self.order[j - 1] = kept
                j -= 1
            i += 1
        self.alive = max(i64(2), (self.alive + 1) // 2)

    def _mean(self, which: i64) -> i64:
        return self.differences[which] // max(self.tried[which], i64(1))

    def best(self) -> i64:
        """The candidate to play: the planner's own, unless another is clearly better."""
        best: i64 = 0
        best_mean: i64 = 0
        i: i64 = 1
        while i < self.alive:
            which = self.order[i]
            n = max(self.tried[which], i64(1))
            mean = self.differences[which] // n
            spread = max(i64(0), self.squares[which] * 100 // n - mean * mean)
            # mean > trust * sqrt(spread / n), without a root
            trust = self.how.trust
            if mean > best_mean and mean * mean * n * 10_000 > trust * trust * spread:
                best = which
                best_mean = mean
            i += 1
        return self.candidates[best]

    def _try(self, state: State, index: i64) -> i64:
        act(state, self.seat, index)
        for player in self.players:
            player.plan.held = NONE
        n: i64 = 0
        while state.stage != OVER and n < ENDLESS:
            who = actor(state)
            act(state, who, self.players[who].choose(state))
            n += 1
        return self._value(state)

    def _value(self, state: State) -> i64:
        """How far ahead this seat ends, with something for winning."""
        seat = self.seat
        mine: i64 = 0
        most: i64 = -1_000_000
        other: i64 = 0
        scores = Scores(state)
        while other < state.seats:
            if other == seat:
                mine = scores.total[other] * 100
            else:
                most = max(most, scores.total[other] * 100)
            other += 1
        lead = mine - most
        value = min(max(lead, -self.how.lead), self.how.lead)
        # A win counts from a small lead on; around nought it comes in gradually.
        edge = min(max(lead, i64(-500)), i64(500))
        return value + self.how.win * edge // 500
