"""Makes puzzles: bots play, and positions in which one action is clearly best are looked at deeper and deeper.

A position has to pass four sieves, each with worlds of its own: a quick look at what bots would consider, a longer one
at the best two, and, once a look at every legal action has told the nearest others, twice whole games. Then the lead is
measured in whole games of other worlds, which decide nothing: whatever was chosen for its figures is flattered by them.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from branchline.actions import Action, BuildStation, ClaimRoute, KeepTickets
from branchline.bots import Bot, Budget, load, to_index
from branchline.engine.board import TUNNEL
from branchline.engine.playout import ENDLESS
from branchline.engine.shuffle import Rng
from branchline.game import Game
from branchline.maps import Map
from branchline.names import names_of
from branchline.review.format import Estimate
from branchline.review.judge import HouseJudge, Judge, Sample
from branchline.review.puzzles.format import LEVELS, Answer, Kind, Puzzle, meaning
from branchline.review.puzzles.rating import rating
from branchline.views import View

QUICK, LONGER, EVERY = 8, 48, 8
"""Worlds of the first two sieves, and of the look at every legal action."""
PLAYED, WHOLE = (24, 120), (100, 400)
"""Worlds of the last two sieves: far from the end, and near it, where a game is soon played out."""
MEASURED = (200, 400)
"""Worlds in which the lead of what passed is measured, likewise."""
LEAD = 0.05
"""By how much the best has to lead the next, as chance to win, in each sieve."""
SURE = 2.0
"""The standard errors that the lead has to be from nothing."""
NEAREST = 3
"""Actions that the best is compared with in whole games; the last sieve takes one less."""
STAKE = (0.05, 0.95)
"""The chance to win with the best action: what is lost or won anyhow teaches nothing."""
TRIES = 4
"""How often a bot of each level is asked."""
LINEUPS = (("regular",), ("regular", "novice"), ("regular", "hoarder"), ("regular", "long-route"))
"""Who sits at the tables, by turns."""


def make(map: Map, seats: int, number: int, full: Collection[Kind] = ()) -> Iterator[Puzzle]:
    """The puzzles of one game of bots, at most one for each turn; kinds of which there are enough are passed over.

    What a seat was asked for once is not asked for again: who does not claim the best route has the same puzzle before
    them next turn, and the one after.
    """
    maker = Maker(map)
    lineup = LINEUPS[number % len(LINEUPS)]
    bots = [load(lineup[seat % len(lineup)]) for seat in range(seats)]
    game = Game.new(map, seats, f"puzzles {map.id} {seats} {number}")
    rngs = [Rng(number, seat) for seat in range(seats)]
    asked: list[set[object]] = [set() for _ in range(seats)]
    last = -2
    while not game.over and game.turn <= ENDLESS:
        seat = game.to_act[0]
        view = game.view(seat)
        if game.turn != last:
            n = len(game.log)
            puzzle = maker.look(view, Rng(number, 1000 + n), f"{map.id}-{number}-{n}", full, asked[seat])
            if puzzle is not None:
                last = game.turn
                asked[seat].add(meaning(view, puzzle.best))
                yield puzzle
        game.play_index(seat, to_index(view, bots[seat].choose(view, rngs[seat], Budget(nodes=40))))


class Maker:
    """Looks at positions."""

    def __init__(self, map: Map) -> None:
        self.judge: Judge = HouseJudge(map)
        self.levels: Mapping[str, Bot] = {level: load(level) for level in LEVELS}

    def look(
        self, view: View, rng: Rng, id: str, full: Collection[Kind] = (), asked: Collection[object] = ()
    ) -> Puzzle | None:
        """The puzzle that a position is, if it is one, not of a kind that is `full`, nor with an answer `asked` for."""
        if not worth_it(view) or kinds_of(view) <= set(full):
            return None
        options = distinct(view, self.judge.options(view))
        if len(options) < 2:
            return None
        best = self._leader(view, options, QUICK, rng)
        if best is None or meaning(view, view.action(best[0])) in asked or not self._leader(view, best, LONGER, rng):
            return None
        every = distinct(view, [*best, *view.legal_indices()])
        ranked = self._ranked(view, every, EVERY, rng)[0]
        nearest = [index for index in ranked if index != best[0]][:NEAREST]
        return self._judge(view, [best[0], *nearest], rng, id, full)

    def _leader(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[int] | None:
        """The best two, if the first of them leads clearly enough."""
        ranked, samples = self._ranked(view, options, worlds, rng)
        lead = samples[ranked[0]].lead(samples[ranked[1]])
        return ranked[:2] if lead.value >= LEAD and lead.value > lead.error else None

    def _ranked(
        self, view: View, options: Sequence[int], worlds: int, rng: Rng
    ) -> tuple[list[int], Mapping[int, Sample]]:
        """Options, the best first, and what each led to."""
        samples = dict(zip(options, self.judge.compare(view, options, worlds, rng), strict=True))
        return sorted(options, key=lambda index: -samples[index].chance().win.value), samples

    def _judge(self, view: View, options: Sequence[int], rng: Rng, id: str, full: Collection[Kind]) -> Puzzle | None:
        """Whole games decide, in new worlds: first whether it is worth while, then whether it is sure."""
        late = near_the_end(view)
        best, *others = self.judge.whole(view, options, PLAYED[late], rng)
        behind = _nearest_first(best, options[1:], others)
        if behind[0][0].value < LEAD:
            return None
        nearest = [index for _, index in behind[: NEAREST - 1]]
        best, *others = self.judge.whole(view, [options[0], *nearest], WHOLE[late], rng)
        lead, second = _nearest_first(best, nearest, others)[0]
        stake = best.chance().win.value
        if lead.value < LEAD or lead.value < SURE * lead.error or not STAKE[0] <= stake <= STAKE[1]:
            return None
        kind = kind_of(view, view.action(options[0]), view.action(second))
        return None if kind in full else self.measured(view, [options[0], *nearest], kind, rng, id)

    def measured(self, view: View, options: Sequence[int], kind: Kind, rng: Rng, id: str) -> Puzzle:
        """The puzzle whose best action is the first option, measured against the others in worlds of its own."""
        worlds = MEASURED[near_the_end(view)]
        best, *others = self.judge.whole(view, options, worlds, rng)
        behind = _nearest_first(best, options[1:], others)
        action = view.action(options[0])
        found = {level: self._finds(view, action, bot, rng) for level, bot in self.levels.items()}
        return Puzzle(
            id=id,
            map=view.map.id,
            kind=kind,
            sight=tuple(view.to_dict()["sight"]),
            best=action,
            lead=behind[0][0],
            second=view.action(behind[0][1]),
            win=best.chance().win,
            others=tuple(Answer(view.action(index), estimate) for estimate, index in behind),
            worlds=worlds,
            reason=self.judge.reason(view, options[0]),
            found=found,
            rating=rating(found),
        )

    def _finds(self, view: View, best: Action, bot: Bot, rng: Rng) -> float:
        """How often a bot finds the best action."""
        hits = 0
        for _ in range(TRIES):
            chosen = view.action(to_index(view, bot.choose(view, Rng(rng.next()), Budget(nodes=40))))
            hits += meaning(view, chosen) == meaning(view, best)
        return round(hits / TRIES, 3)


def worth_it(view: View) -> bool:
    """Whether a position is worth a look: tickets to choose from, a tunnel to pay, and near the end whatever it is.

    Early turns are seldom clear, and take the longest to play out.
    """
    if view.stage != "turn":
        return view.stage != "second-draw"
    if near_the_end(view):
        return True
    shaped = min(view.sight.cars) * 2 <= view.sight.board.rules.cars
    return shaped and (bool(view.choices.claims) or bool(view.choices.station))


def kinds_of(view: View) -> set[Kind]:
    """Of which kinds a puzzle made of a position can be."""
    if view.stage in ("opening", "ticket-offer"):
        return {"tickets"}
    if view.stage == "tunnel-owed":
        return {"tunnel"}
    kinds: set[Kind] = {"race"} if near_the_end(view) else {"route", "tunnel", "cards"}
    return kinds | {"station"} if view.choices.station else kinds


def near_the_end(view: View) -> bool:
    """Whether somebody's cars run out."""
    return view.last_turns is not None or min(view.sight.cars) * 5 <= view.sight.board.rules.cars


def _nearest_first(best: Sample, options: Sequence[int], samples: Sequence[Sample]) -> list[tuple[Estimate, int]]:
    """How far behind the best each option is."""
    behind = [(best.lead(sample), index) for index, sample in zip(options, samples, strict=True)]
    return sorted(behind, key=lambda one: one[0].value)


def distinct(view: View, options: Sequence[int]) -> list[int]:
    """Of actions that mean the same, the first."""
    by_meaning: dict[object, int] = {}
    for index in options:
        by_meaning.setdefault(meaning(view, view.action(index)), index)
    return list(by_meaning.values())


def kind_of(view: View, best: Action, second: Action) -> Kind:
    """What a puzzle is about: the end, where it is near; else what the best action and the next best are."""
    names, board = names_of(view.map), view.sight.board
    if isinstance(best, KeepTickets):
        return "tickets"
    if view.stage == "tunnel-owed":
        return "tunnel"
    if isinstance(best, BuildStation) or isinstance(second, BuildStation):
        return "station"
    if near_the_end(view):
        return "race"
    for action in (best, second):
        if isinstance(action, ClaimRoute) and board.kind[names.route[action.route]] == TUNNEL:
            return "tunnel"
    return "route" if isinstance(best, ClaimRoute) or isinstance(second, ClaimRoute) else "cards"
