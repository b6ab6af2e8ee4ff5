"""Everybody's chance to win with all hands and tickets open and the decks unknown: the curve of a review.

Two small networks, fitted on games of planners (`scripts.fit.chances`), guess the points of the end and the chance to
win from what each seat has, wants and has time for. Questions in the middle of a turn are first answered as a planner
would, and the last round is played out by planners, in a few decks that are the same every time: so this is a function
of what lies open, and of nothing else.
"""

import json
from functools import cache
from importlib.resources import files
from math import exp
from typing import NamedTuple

from librt.vecs import vec

from branchline.bots.planner.play import Planner
from branchline.bots.planner.weights import fitted, is_short
from branchline.bots.search.judge import Judge, features
from branchline.engine.apply import act
from branchline.engine.board import NONE, Board, to_vec
from branchline.engine.cards import pile
from branchline.engine.legal import actor
from branchline.engine.ruleset import Ruleset
from branchline.engine.scoring import Scores
from branchline.engine.shuffle import Rng, Shuffler
from branchline.engine.stages import OVER, TURN
from branchline.engine.state import State

DECKS = 6
"""Decks in which what is left of a turn, or of the last round, is played out."""
ENDLESS = 1500
"""Decisions after which a playout is counted as it stands."""


class Outlook(NamedTuple):
    """What every seat can expect."""

    wins: tuple[float, ...]
    """Chances to win; they add up to 1."""
    points: tuple[float, ...]
    """Points of the end."""


class Chances:
    """Judges positions of one board and number of seats."""

    def __init__(self, board: Board, seats: int) -> None:
        self.seats = seats
        self._points, self._strength = _nets(nets_of(board.rules), seats)
        self._players = [Planner(board, seat, fitted(board), False) for seat in range(seats)]

    def of(self, state: State) -> Outlook:
        """What every seat can expect; the state is left as it is."""
        if state.stage == OVER:
            return _ended(state)
        if state.stage == TURN and state.last == NONE:
            return self._guess(state)
        found = []
        for deck in range(DECKS):
            world = redealt(state, Rng(deck, 1), 0)
            self._play_on(world)
            found.append(_ended(world) if world.stage == OVER else self._guess(world))
        return Outlook(
            tuple(sum(each.wins[seat] for each in found) / DECKS for seat in range(self.seats)),
            tuple(sum(each.points[seat] for each in found) / DECKS for seat in range(self.seats)),
        )

    def after(self, state: State, rounds: int) -> Outlook:
        """The same after so many rounds by planners, in the deck as it lies; the state is played on."""
        self._begin()
        until = state.turn + rounds * self.seats
        for _ in range(ENDLESS):
            if state.stage == OVER:
                return _ended(state)
            if state.turn >= until and state.stage == TURN and state.last == NONE:
                return self._guess(state)
            who = actor(state)
            act(state, who, self._players[who].choose(state))
        return _ended(state)

    def _begin(self) -> None:
        for player in self._players:
            player.plan.forget()

    def _play_on(self, state: State) -> None:
        """To the beginning of the next turn; in the last round to the end."""
        self._begin()
        for _ in range(ENDLESS):
            if state.stage == OVER or (state.stage == TURN and state.last == NONE):
                return
            who = actor(state)
            act(state, who, self._players[who].choose(state))

    def _guess(self, state: State) -> Outlook:
        self._begin()
        rows = [features(state, player) for player in self._players]
        strengths = [self._strength.points(row) / 100 for row in rows]
        top = max(strengths)
        raised = [exp(strength - top) for strength in strengths]
        whole = sum(raised)
        return Outlook(tuple(one / whole for one in raised), tuple(self._points.points(row) for row in rows))


def redealt(state: State, rng: Rng, tickets: int) -> State:
    """A copy whose deck, and so many tickets at the top of theirs, lie in another order; later shuffles are others too.

    What order they had does not matter: the deck is gathered colour by colour before it is shuffled.
    """
    new = state.copy()
    new.shuffler = Shuffler(b"", rng.next())
    counts = [0] * state.board.kinds
    for card in state.deck[: state.deck_left]:
        counts[card] += 1
    new.deck = pile(to_vec(counts))
    rng.shuffle(new.deck)
    new.deck_left = len(new.deck)
    if tickets > 0:
        rest = len(state.ticket_deck) - tickets
        top = to_vec(sorted(state.ticket_deck[rest:]))
        rng.shuffle(top)
        new.ticket_deck = to_vec([*state.ticket_deck[:rest], *top])
    return new


def shares(state: State) -> tuple[float, ...]:
    """Each seat's share of the win in a game that is over."""
    return _ended(state).wins


def _ended(state: State) -> Outlook:
    scores = Scores(state)
    ranks = list(scores.rank)
    wins = tuple((rank == 1) / ranks.count(1) for rank in ranks)
    return Outlook(wins, tuple(float(total) for total in scores.total))


def nets_of(rules: Ruleset) -> str:
    """Which networks judge games by these rules."""
    return "new-york" if is_short(rules) else "europe"


@cache
def _nets(name: str, seats: int) -> tuple[Judge, Judge]:
    """What guesses points, and strength among so many seats; of the nearest number that was fitted."""
    data = json.loads(files("branchline.review.nets").joinpath(f"{name}.json").read_text("utf-8"))
    nearest = min(data["strength"], key=lambda fitted: abs(int(fitted) - seats))
    points, strength = data["points"], data["strength"][nearest]
    return Judge(data["hidden"], vec[float](points)), Judge(data["hidden"], vec[float](strength))
