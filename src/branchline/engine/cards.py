"""Deck, row and discards, and the order in which they are kept (R3.11)."""

from typing import TYPE_CHECKING

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import EMPTY, NOBODY
from branchline.engine.happenings import RESHUFFLED, ROW_FILLED, ROW_RESET
from branchline.engine.shuffle import CARDS

if TYPE_CHECKING:
    from branchline.engine.state import State


def pile(counts: vec[i64]) -> vec[i64]:
    """So many cards of each colour, in canonical order: the pile before a shuffle."""
    out = vec[i64](capacity=128)
    colour: i64 = 0
    while colour < len(counts):
        i: i64 = 0
        while i < counts[colour]:
            out = append(out, colour)
            i += 1
        colour += 1
    return out


def reshuffle_if_empty(state: "State") -> None:
    """When the deck is used up the discards become the new deck at once (R3.7)."""
    if state.deck_left > 0:
        return
    deck = pile(state.discards)
    if len(deck) == 0:
        return
    state.shuffler.shuffle(deck, CARDS, state.shuffles)
    state.shuffles += 1
    state.deck = deck
    state.deck_left = len(deck)
    colour: i64 = 0
    while colour < state.board.kinds:
        state.discards[colour] = 0
        colour += 1
    if state.happenings is not None:
        state.happenings.add(vec[i64]([RESHUFFLED, NOBODY, state.deck_left]))


def draw(state: "State") -> i64:
    """Take the top card of the deck, or EMPTY where deck and discards are both empty (R3.8)."""
    reshuffle_if_empty(state)
    if state.deck_left == 0:
        return EMPTY
    state.deck_left -= 1
    return state.deck[state.deck_left]


def settle(state: "State") -> None:
    """Card keeping after every change of deck, row or discards, in the order of R3.11."""
    resets: i64 = 0
    while True:
        reshuffle_if_empty(state)
        _fill(state)
        if resets == state.board.rules.row_resets or not _must_reset(state):
            return
        resets += 1
        _reset(state)


def _fill(state: "State") -> None:
    slot: i64 = 0
    while slot < len(state.row):
        if state.row[slot] == EMPTY:
            card = draw(state)
            if card == EMPTY:
                return
            state.row[slot] = card
            if state.happenings is not None:
                state.happenings.add(vec[i64]([ROW_FILLED, NOBODY, slot, card]))
            reshuffle_if_empty(state)
        slot += 1


def _must_reset(state: "State") -> bool:
    """Whether too many of the row are wild and turning up new cards could help (R3.6)."""
    wild = state.board.wild
    wilds: i64 = 0
    coloured: i64 = 0
    for card in state.row:
        if card == wild:
            wilds += 1
        elif card != EMPTY:
            coloured += 1
    if wilds < state.board.rules.row_wilds:
        return False
    i: i64 = 0
    while i < state.deck_left:
        if state.deck[i] != wild:
            coloured += 1
        i += 1
    colour: i64 = 0
    while colour < wild:
        coloured += state.discards[colour]
        colour += 1
    # With so many coloured cards beside the wilds there are enough cards for a row, too.
    return coloured > state.board.rules.row - state.board.rules.row_wilds


def _reset(state: "State") -> None:
    if state.happenings is not None:
        happening = vec[i64]([ROW_RESET, NOBODY])
        for card in state.row:
            happening = append(happening, card)
        state.happenings.add(happening)
    slot: i64 = 0
    while slot < len(state.row):
        if state.row[slot] != EMPTY:
            state.discards[state.row[slot]] += 1
            state.row[slot] = EMPTY
        slot += 1
