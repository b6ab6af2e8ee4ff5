"""Who judges a decision: the options worth comparing, what each leads to in sampled worlds, and why one is good.

All that a review knows of bots stands behind the protocol `Judge`. It is asked with a view, never with a game, so that
a decision is judged by what its seat knew.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import sqrt
from typing import Any, NamedTuple, Protocol

from branchline.bots.evaluation import evaluate
from branchline.bots.expert import planned
from branchline.bots.learner import LearnedBot
from branchline.bots.planner.blind import seen_by
from branchline.bots.planner.play import Planner
from branchline.bots.planner.weights import fitted, is_short
from branchline.bots.policies import of_map
from branchline.bots.search.guided import GuidedSearch, How
from branchline.engine.apply import act
from branchline.engine.shuffle import Rng
from branchline.engine.worlds import Worlds
from branchline.maps import Map
from branchline.review.chances import Chances, nets_of
from branchline.review.format import Chance, Estimate
from branchline.review.reasons import reason_for
from branchline.views import View


class Sample(NamedTuple):
    """What one option led to, world by world; the worlds of options compared together are the same."""

    wins: tuple[float, ...]
    points: tuple[float, ...]
    """Points of the end; in a second opinion, points ahead of the best other."""

    def chance(self) -> Chance:
        """The means, with their standard errors."""
        return Chance(estimate(self.wins, 4), estimate(self.points, 2))

    def lead(self, other: "Sample") -> Estimate:
        """By how much more this one wins than another: worlds in common take luck out of the difference."""
        return estimate([one - two for one, two in zip(self.wins, other.wins, strict=True)], 4)

    def first(self, worlds: int) -> "Sample":
        """What came in the first worlds."""
        return Sample(self.wins[:worlds], self.points[:worlds])

    def joined(self, other: "Sample") -> "Sample":
        """The worlds of both."""
        return Sample(self.wins + other.wins, self.points + other.points)


class Judge(Protocol):
    """Anything that can compare actions from a view."""

    name: str
    """Its name and version: the same name judges alike, bit for bit."""

    def options(self, view: View) -> list[int]:
        """Indices of actions worth comparing, the likeliest first."""
        ...

    def compare(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        """What each option leads to in so many worlds that the view's seat could not tell from the real one."""
        ...

    def second(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        """The same by other means: a choice is held against somebody only where both opinions agree."""
        ...

    def whole(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        """The same by whole games: the only opinion that believes nothing, and the noisiest."""
        ...

    def prefers(self, view: View, one: int, other: int) -> bool:
        """Whether the strongest that knows the map would itself rather do the one: then it is not held against it."""
        ...

    def reason(self, view: View, index: int) -> Mapping[str, Any]:
        """Why an action is good, as data that a client can word."""
        ...


class HouseJudge:
    """Two opinions: planners for a few rounds and then `Chances`; and the same much later, or whole games.

    The first is quick and has little luck in it, and the prejudices of planners. In the second, on a short map that the
    learned policy knows, it plays all seats to the end, as `expert` does in its head. A long game would take it too
    long, and who wins a whole one says little of one choice: there planners go on for more rounds before `Chances` is
    asked, and the policy, where one knows the map, has its word by `prefers`, which takes one look.
    """

    def __init__(self, map: Map) -> None:
        self.name = f"house-2-{_weights(map.hash, nets_of(map.rules))}"
        self._chances: dict[int, Chances] = {}
        self._learned = LearnedBot()

    def options(self, view: View) -> list[int]:
        """What the searches would try: the policy's likeliest, the planner's own choice, other routes, other cards."""
        tried = planned(view, Rng(0)).candidates
        return list(dict.fromkeys((*self._likeliest(view), *(int(index) for index in tried))))

    def compare(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        """Each option in the same worlds, judged soon."""
        return self._judged(view, options, worlds, rng, ROUNDS_SHORT if _is_short(view) else ROUNDS)

    def second(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        """On a long map judged late, on a short one by whole games."""
        if _is_short(view):
            return self.whole(view, options, worlds, rng)
        return self._judged(view, options, worlds, rng, LATE)

    def whole(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        """Whole games: by planners on a long map, else as `expert` plays them out in its head."""
        told = evaluate(view, rng, worlds * len(options), learned=self._learned, only=options)
        found = [told.of(index) for index in options]
        return [Sample(candidate.wins, tuple(map(float, candidate.leads))) for candidate in found]

    def prefers(self, view: View, one: int, other: int) -> bool:
        """Whether the learned policy, where it knows the map, holds the one to be likelier and worth a try."""
        ranked = self._likeliest(view)
        return one in ranked and (other not in ranked or ranked.index(one) < ranked.index(other))

    def reason(self, view: View, index: int) -> Mapping[str, Any]:
        """The planner's own reason where it would do the same; else what the action serves."""
        sight = view.sight
        planner = Planner(sight.board, sight.seat, fitted(sight.board), True)
        same = planner.choose(seen_by(sight)) == index
        return reason_for(view, planner, index, same)

    def _likeliest(self, view: View) -> list[int]:
        """What the policy would do, the likeliest first; nothing where none knows the map."""
        policy = self._learned.policy(view)
        return [] if policy is None else [int(i) for i in GuidedSearch(view.sight, Rng(0), policy, How()).candidates]

    def _judged(self, view: View, options: Sequence[int], worlds: int, rng: Rng, rounds: int) -> list[Sample]:
        """Planners go on for so many rounds in the same worlds; then `Chances` tells."""
        sight = view.sight
        seat = sight.seat
        chances = self._for(view)
        source = Worlds(sight, rng)
        wins: list[list[float]] = [[] for _ in options]
        points: list[list[float]] = [[] for _ in options]
        for _ in range(worlds):
            world = source.sample()
            for which, index in enumerate(options):
                state = world.copy()
                act(state, seat, index)
                outlook = chances.after(state, rounds)
                wins[which].append(outlook.wins[seat])
                points[which].append(outlook.points[seat])
        return [Sample(tuple(w), tuple(p)) for w, p in zip(wins, points, strict=True)]

    def _for(self, view: View) -> Chances:
        seats = int(view.sight.seats)
        if seats not in self._chances:
            self._chances[seats] = Chances(view.sight.board, seats)
        return self._chances[seats]


ROUNDS = 2
"""Rounds that planners go on before a position is judged."""
ROUNDS_SHORT = 3
"""The same on a map of few cars."""
LATE = 8
"""Rounds before the second opinion of a long game."""


def _is_short(view: View) -> bool:
    return bool(is_short(view.sight.board.rules))


@cache
def _weights(map_hash: str, nets: str) -> str:
    """A short hash of what was learned and fitted for a map: with other weights a judge has another name."""
    digest = sha256()
    for file in (*of_map(map_hash), files("branchline.review.nets") / f"{nets}.json"):
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()[:8]


def estimate(numbers: Sequence[float], digits: int) -> Estimate:
    """The mean and its standard error, rounded."""
    n = len(numbers)
    mean = sum(numbers) / n
    spread = sum((number - mean) ** 2 for number in numbers) / max(1, n - 1)
    return Estimate(round(mean, digits), round(sqrt(spread / n), digits))
