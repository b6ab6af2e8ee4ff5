"""Luck apart from choice: what an action promised before chance had its say, with all hands open.

The chance that follows an action is averaged over what could have come: so whatever the evaluator believes, what it
calls luck is zero in the mean, for everybody, in every game.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from branchline.engine.apply import act
from branchline.engine.board import DRAW_DECK, DRAW_ROW, to_vec
from branchline.engine.shuffle import Rng
from branchline.engine.state import State
from branchline.events import CardDrawn, DeckReshuffled, Event, RowFilled, TicketsOffered, TunnelCardTurned
from branchline.review.chances import Chances, redealt
from branchline.review.format import Cause
from branchline.review.judge import estimate

SAMPLES = 24
"""What could have come, where it can't be listed."""

_CAUSES: tuple[tuple[type, Cause], ...] = (
    (TunnelCardTurned, "tunnel"),
    (TicketsOffered, "tickets"),
    (CardDrawn, "deck"),
    (RowFilled, "row"),
    (DeckReshuffled, "shuffle"),
)


class Promise(NamedTuple):
    """What an action promises each seat, in the mean over what chance can do."""

    wins: tuple[float, ...]
    error: float
    """The largest standard error among them."""


def cause_of(events: Iterable[Event]) -> Cause | None:
    """Which chance an action met, the weightiest; None where it met none."""
    kinds = {type(event) for event in events}
    return next((cause for kind, cause in _CAUSES if kind in kinds), None)


def promise(chances: Chances, state: State, seat: int, index: int, tickets: int, rng: Rng) -> Promise:
    """What an action of `seat` promises; so many `tickets` at the top of their deck are known to nobody."""
    rows, weights = [], []
    for world, weight in _outcomes(state, index, tickets, rng):
        act(world, seat, index)
        rows.append(chances.of(world).wins)
        weights.append(weight)
    listed = len(set(weights)) > 1
    wins = tuple(sum(w * row[who] for w, row in zip(weights, rows, strict=True)) for who in range(chances.seats))
    error = 0.0 if listed else max(estimate([row[who] for row in rows], 4).error for who in range(chances.seats))
    return Promise(wins, error)


def _outcomes(state: State, index: int, tickets: int, rng: Rng) -> Iterator[tuple[State, float]]:
    """Worlds with their weights: one for each colour of the next card where one is drawn, else samples."""
    if state.board.action_kind[index] not in (DRAW_DECK, DRAW_ROW) or state.deck_left == 0:
        for _ in range(SAMPLES):
            yield redealt(state, rng, tickets), 1 / SAMPLES
        return
    cards = state.deck_left
    for colour in range(state.board.kinds):
        world = redealt(state, rng, tickets)
        deck = list(world.deck)
        if many := deck.count(colour):
            deck.remove(colour)
            world.deck = to_vec([*deck, colour])
            yield world, many / cards
