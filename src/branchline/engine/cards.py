"""Deck, row and discards, and the order in which they are kept (R3.11)."""

from typing import TYPE_CHECKING

from librt.vecs import vec
from mypy_extensions import i64

from branchline.engine.board import EMPTY, zeros
from branchline.engine.happenings import Reshuffled, RowFilled, RowReset, ints
from branchline.engine.shuffle import CARDS

if TYPE_CHECKING:
    from branchline.engine.state import State


def pile(counts: vec[i64]) -> vec[i64]:
    """So many cards of each colour, in canonical order: the pile before a shuffle."""
    cards: i64 = 0
    for count in counts:
        cards += count
    out = zeros(cards)  # to be written: appending a card costs several times as much
    at: i64 = 0
    colour: i64 = 0
    for count in counts:
        end = at + count
        while at < end:
            out[at] = colour
            at += 1
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
        state.happenings.add(Reshuffled(state.deck_left))


def draw(state: "State") -> i64:
    """Take the top card of the deck, or EMPTY where deck and discards are both empty (R3.8)."""
    reshuffle_if_empty(state)
    if state.deck_left == 0:
        return EMPTY
    state.deck_left -= 1
    return state.deck[state.deck_left]


def settle(state: "State") -> None:
    """Card keeping after every change of deck, row or discards, in the order of R3.11."""
    rules = state.board.rules
    resets: i64 = 0
    while True:
        reshuffle_if_empty(state)
        if _fill(state) < rules.row_wilds or resets == rules.row_resets or not _can_change(state):  # R3.6
            return
        resets += 1
        _reset(state)


def _fill(state: "State") -> i64:
    """Fill the gaps of the row, as far as there are cards; returns how many wilds then lie in it."""
    row = state.row
    wild = state.board.wild
    wilds: i64 = 0
    slot: i64 = 0
    for card in row:
        if card == EMPTY:
            card = draw(state)
            if card != EMPTY:
                row[slot] = card
                if state.happenings is not None:
                    state.happenings.add(RowFilled(slot, card))
                reshuffle_if_empty(state)
        if card == wild:
            wilds += 1
        slot += 1
    return wilds


def _can_change(state: "State") -> bool:
    """Whether turning up new cards could help a row with too many wilds (R3.6)."""
    wild = state.board.wild
    coloured: i64 = 0
    for card in state.row:
        if card != wild and card != EMPTY:
            coloured += 1
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
        state.happenings.add(RowReset(ints(state.row)))
    slot: i64 = 0
    while slot < len(state.row):
        if state.row[slot] != EMPTY:
            state.discards[state.row[slot]] += 1
            state.row[slot] = EMPTY
        slot += 1
