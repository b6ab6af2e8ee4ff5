"""What the strongest bot thinks of a decision: for each action worth a thought the chance to win and the lead.

    from branchline.bots.evaluation import evaluate

    told = evaluate(view, Rng(1), nodes=400, also=[index_played])
    told.best.index, told.best.win, told.best.win_error
    told.behind(index_played)        # by how much it wins less often than the best, and the standard error of that
    told.seats[2].win                # every seat's chance if the best is done

All candidates are played out in the same worlds, to the end of the game and equally often, by the policy of the map in
every seat, or by planners where no policy knows the map or its games are long. So differences are known better than the
figures themselves: ask `behind`. The same view, generator and number of nodes give the same figures everywhere, and
what an action leads to in a world depends neither on the others nor on their order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from librt.vecs import vec
from mypy_extensions import i64

from branchline.bots.expert import planned
from branchline.bots.learner import LearnedBot
from branchline.bots.planner.weights import is_short
from branchline.bots.search.contest import Search, Share
from branchline.bots.search.guided import ENDLESS, GuidedSearch, How
from branchline.engine.shuffle import Rng
from branchline.views import View


@dataclass(frozen=True, slots=True)
class Candidate:
    """One action, as its playouts ended."""

    index: int
    playouts: int
    win: float
    """The chance to win, from 0 to 1; a shared win counts as its share."""
    win_error: float
    """Its standard error."""
    lead: float
    """Points ahead of the best other, in the mean."""
    lead_error: float
    wins: tuple[float, ...]
    """World by world, the same worlds for all candidates."""
    leads: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seat:
    """What one seat can expect if the best is done."""

    win: float
    win_error: float
    points: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was found of one decision."""

    candidates: tuple[Candidate, ...]
    """The best first: by chance to win, then by lead."""
    seats: tuple[Seat, ...]
    learned: bool
    """Whether a policy played the worlds on; otherwise planners did."""

    @property
    def best(self) -> Candidate:
        """The candidate that won most."""
        return self.candidates[0]

    def of(self, index: int) -> Candidate:
        """The candidate with this index; KeyError if it was none: name it in `also`."""
        for candidate in self.candidates:
            if candidate.index == index:
                return candidate
        raise KeyError(index)

    def behind(self, index: int) -> tuple[float, float]:
        """How much less often an action wins than the best, and the standard error of that, world by world."""
        pairs = zip(self.best.wins, self.of(index).wins, strict=True)
        return _mean([best - own for best, own in pairs])


def evaluate(
    view: View,
    rng: Rng,
    nodes: int,
    also: Sequence[int] = (),
    learned: LearnedBot | None = None,
    only: Sequence[int] = (),
) -> Evaluation:
    """Play the likeliest actions of a view's seat out, and those of `also` too, with so many playouts in all.

    With `only`, these and no others are compared. `learned` may be kept from one call to the next: it holds the
    network.
    """
    search = _whole_games(view, rng, learned or LearnedBot())
    legal = view.legal_indices()
    named = sorted({*only, *also})  # so that the order in which they were named decides nothing, not even a tie
    for index in named:
        if index not in legal:
            raise ValueError(f"{index} is no legal action here")
    if only:
        search.only(vec[i64](named))
    else:
        for index in named:
            search.consider(index)
    search.begin(Share(100, 1, True))
    for _ in range(max(2, nodes // len(search.candidates))):
        search.step()
    seats, own = view.sight.seats, view.sight.seat
    ends = [[int(x) for x in end] for end in search.ends]
    found = [_candidate(int(index), end, seats, own) for index, end in zip(search.candidates, ends, strict=True)]
    order = sorted(range(len(found)), key=lambda i: (-found[i].win, -found[i].lead, i))
    first: dict[int, Candidate] = {}
    for i in order:  # the planner may have tried an action in several styles: the best one stands for it
        first.setdefault(found[i].index, found[i])
    best = ends[order[0]]
    return Evaluation(
        tuple(first.values()),
        tuple(_seat(best, seats, seat) for seat in range(seats)),
        isinstance(search, GuidedSearch),
    )


def _whole_games(view: View, rng: Rng, learned: LearnedBot) -> Search:
    """Who plays on: the policy in short games that it knows; in long ones it would take too long for whole games."""
    policy = learned.policy(view) if is_short(view.sight.board.rules) else None
    if policy is None:
        return planned(view, rng)
    how = How()
    how.depth = ENDLESS
    return GuidedSearch(view.sight, rng, policy, how)


def _rows(end: list[int], seats: int) -> list[list[int]]:
    return [end[i : i + seats + 1] for i in range(0, len(end), seats + 1)]


def _share(winners: int, seat: int) -> float:
    return 1 / winners.bit_count() if winners >> seat & 1 else 0.0


def _candidate(index: int, end: list[int], seats: int, own: int) -> Candidate:
    rows = _rows(end, seats)
    wins = [_share(row[-1], own) for row in rows]
    leads = [row[own] - max(row[seat] for seat in range(seats) if seat != own) for row in rows]
    win, win_error = _mean(wins)
    lead, lead_error = _mean(leads)
    return Candidate(index, len(rows), win, win_error, lead, lead_error, tuple(wins), tuple(leads))


def _seat(end: list[int], seats: int, seat: int) -> Seat:
    rows = _rows(end, seats)
    win, error = _mean([_share(row[-1], seat) for row in rows])
    return Seat(win, error, _mean([row[seat] for row in rows])[0])


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error."""
    n = len(values)
    mean = sum(values) / n
    return mean, sqrt(sum((value - mean) ** 2 for value in values) / max(1, n - 1) / n)
