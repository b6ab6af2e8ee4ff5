"""A contest between candidates: each is tried in the same worlds, and the weaker half leaves whenever a share is spent.

Trying all candidates in the same worlds takes much of the luck out of their differences; halving their number whenever
a share of the budget is spent (sequential halving) leaves the most worlds to the hardest questions. Everything is told
as a difference to the first candidate, which is what would be done without any search.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import zeros
from branchline.engine.scoring import Scores
from branchline.engine.stages import OPENING, SECOND_DRAW, TICKET_OFFER
from branchline.engine.state import State

SURE: Final[i64] = 300
"""Hundredths of a standard error that decide before the budget is spent."""
NO_POINTS: Final[i64] = -1_000_000
"""Fewer points than anybody has, also in hundredths."""
SURE_FROM: Final[i64] = 24
"""Worlds before that is asked."""


class Share:
    """A part of a search's budget."""

    def __init__(self, until: i64, left: i64, whole: bool) -> None:
        self.until: i64 = until
        """Where it ends, in hundredths of the budget."""
        self.left: i64 = left
        """Candidates that may stay after it, at least."""
        self.whole = whole
        """Whether games are played to their end."""


def add_shares(out: list[Share], alive: i64, left: i64, begin: i64, end: i64, whole: bool) -> i64:
    """Shares of equal size in which candidates are halved until few are left; how many are left."""
    rounds: i64 = 1
    while alive > left << rounds:
        rounds += 1
    share: i64 = 1
    while share <= rounds:
        out.append(Share(begin + (end - begin) * share // rounds, left, whole))
        alive = max(left, (alive + 1) // 2)
        share += 1
    return alive


class Contest:
    """The candidates of one decision, by number; the first is number 0."""

    def __init__(self, n: i64) -> None:
        self.tried = zeros(n)
        self.differences = zeros(n)
        """To the first candidate in the same worlds, summed up."""
        self.squares = zeros(n)
        """Of these differences."""
        self.order = vec[i64]()
        """The candidates; those that are left stand first, and the first candidate before them."""
        i: i64 = 0
        while i < n:
            self.order = append(self.order, i)
            i += 1
        self.alive: i64 = n

    def count_anew(self) -> None:
        """Forget all that was counted; who has left stays away."""
        n: i64 = len(self.order)
        self.tried = zeros(n)
        self.differences = zeros(n)
        self.squares = zeros(n)

    def note(self, which: i64, difference: i64) -> None:
        """One more world for a candidate: by how much it did better than the first."""
        self.tried[which] += 1
        self.differences[which] += difference
        self.squares[which] += difference * difference

    def tally(self, which: i64) -> tuple[i64, i64, i64]:
        """What was counted for a candidate: worlds, differences, their squares."""
        return self.tried[which], self.differences[which], self.squares[which]

    def add(self, which: i64, tally: tuple[i64, i64, i64]) -> None:
        """Count the worlds of a candidate that another contest kept with one's own; it stands again if it had left."""
        place = self.alive
        while place < len(self.order):
            if self.order[place] == which:
                self.order[place] = self.order[self.alive]
                self.order[self.alive] = which
                self.alive += 1
            place += 1
        self.tried[which] += tally[0]
        self.differences[which] += tally[1]
        self.squares[which] += tally[2]

    def mean(self, which: i64) -> i64:
        """By how much a candidate is better than the first."""
        return self.differences[which] // max(self.tried[which], i64(1))

    def differs(self, which: i64, errors: i64) -> bool:
        """Whether a candidate differs from the first by more than so many hundredths of a standard error."""
        n = self.tried[which]
        if n < 2:  # one world tells nothing of how far worlds differ
            return False
        total = self.differences[which]
        # |mean| > errors * sqrt(spread / n), without a root, and times n
        spread = max(i64(0), self.squares[which] - total * total // n)
        return total * total // n * 10_000 > errors * errors * (spread // n)

    def decided(self) -> bool:
        """Whether more worlds would hardly change the choice: all others are worse, or the only other is better."""
        if self.tried[0] < SURE_FROM:
            return False
        i: i64 = 1
        while i < self.alive:
            which = self.order[i]
            if not self.differs(which, SURE) or (self.mean(which) > 0 and self.alive > 2):
                return False
            i += 1
        return True

    def halve(self, left: i64) -> None:
        """Keep the better half, but so many; the first candidate always stays, and first."""
        if self.alive <= left:
            return
        i: i64 = 2
        while i < self.alive:
            j = i
            while j > 1 and self.mean(self.order[j - 1]) < self.mean(self.order[j]):
                kept = self.order[j]
                self.order[j] = self.order[j - 1]
                self.order[j - 1] = kept
                j -= 1
            i += 1
        self.alive = max(left, (self.alive + 1) // 2)

    def best(self, trust: i64) -> i64:
        """The number of the best: the first, unless another is better by so many hundredths of a standard error."""
        best: i64 = 0
        best_mean: i64 = 0
        i: i64 = 1
        while i < self.alive:
            which = self.order[i]
            mean = self.mean(which)
            if mean > best_mean and self.differs(which, trust):
                best = which
                best_mean = mean
            i += 1
        return best


class Search:
    """One decision: what every search has in common. What a world shows is for `step` to find."""

    def __init__(self, stage: i64, trust: i64) -> None:
        """`trust`: hundredths of a standard error by which another candidate has to beat the first.

        `stage`: what the game waits for, which tells how much of a budget the question deserves.
        """
        self.stage: i64 = stage
        self.trust: i64 = trust
        self.candidates = vec[i64]()
        """Indices of actions."""
        self.contest = Contest(0)
        self.nodes: i64 = 0
        """Playouts so far."""
        self.ends: list[vec[i64]] = []
        """For each candidate what came of its playouts that went to the end, world by world: the final points of every
        seat, and which of them won, as bits."""

    def compare(self, candidates: vec[i64]) -> None:
        """Begin with these candidates."""
        self.candidates = candidates
        self.contest = Contest(len(candidates))
        self.ends = [vec[i64]() for _ in candidates]

    def consider(self, index: i64) -> None:
        """Make another action a candidate, before the first world."""
        if index not in self.candidates:
            self.compare(append(self.candidates, index))

    def only(self, indices: vec[i64]) -> None:
        """Make these actions the candidates and no others, before the first world."""
        self.compare(vec[i64]())
        for index in indices:
            self.consider(index)

    def shares(self) -> list[Share]:
        """The shares in which a budget is spent."""
        out: list[Share] = []
        add_shares(out, len(self.candidates), 2, 0, 100, True)
        return out

    def begin(self, share: Share) -> None:
        """Start with a share."""

    def step(self) -> None:
        """One more world, in which every candidate that is left is tried."""
        raise NotImplementedError

    def count(self, state: State, which: i64) -> None:
        """Take down the end of a playout."""
        scores = Scores(state)
        winners: i64 = 0
        one: i64 = 1
        end = self.ends[which]
        seat: i64 = 0
        while seat < state.seats:
            end = append(end, scores.total[seat])
            if scores.rank[seat] == 1:
                winners |= one << seat
            seat += 1
        self.ends[which] = append(end, winners)

    def decided(self) -> bool:
        """Whether more playouts would hardly change the choice."""
        return self.contest.decided()

    def run(self, nodes: i64) -> None:
        """Spend about so many playouts: fewer on small questions, and where more would change nothing.

        A share that is less than one world for each candidate that is left takes that world all the same.
        """
        nodes = nodes * importance(self.stage) // 100
        for share in self.shares():
            self.begin(share)
            limit = nodes * share.until // 100
            before = self.nodes
            while self.nodes < limit and (self.nodes == before or self.nodes + self.contest.alive <= limit):
                self.step()
                if self.decided():
                    return
            self.contest.halve(share.left)

    def best(self) -> i64:
        """The index of what to do: the first candidate, unless another is clearly better."""
        return self.candidates[self.contest.best(self.trust)]


def lead_of(ends: vec[i64], seats: i64, seat: i64) -> i64:
    """How far ahead of the best other a seat ended in the playout taken down last."""
    most = NO_POINTS
    at = len(ends) - seats - 1
    i: i64 = 0
    while i < seats:
        if i != seat:
            most = max(most, ends[at + i])
        i += 1
    return ends[at + seat] - most


def importance(stage: i64) -> i64:
    """The hundredths of a budget that a question deserves: tickets shape the whole game, a second card little."""
    if stage == OPENING or stage == TICKET_OFFER:
        return 100
    return 30 if stage == SECOND_DRAW else 60
