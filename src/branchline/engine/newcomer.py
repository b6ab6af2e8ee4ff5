"""The memory of a table that comes upon a position without its history: what lies open, and nothing of how it came."""

from typing import TYPE_CHECKING

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import NONE, zeros
from branchline.engine.evidence import Choice
from branchline.engine.memory import Memory
from branchline.engine.stages import OPENING

if TYPE_CHECKING:
    from branchline.engine.state import State


def memory_of(state: "State") -> Memory:
    """The memory of a table that comes upon this position without its history."""
    board = state.board
    memory = Memory(board, state.seats)
    memory.row = state.row[:]
    memory.discards = state.discards[:]
    memory.turned = state.turned[:]
    memory.deck_left = state.deck_left
    memory.unseen = zeros(board.kinds)
    i: i64 = 0
    while i < state.deck_left:
        memory.unseen[state.deck[i]] += 1
        i += 1
    i = 0
    while i < len(state.hands):
        n: i64 = 0
        while n < state.hands[i]:
            memory.unseen[i % board.kinds] += 1
            memory.draw_seat = append(memory.draw_seat, i // board.kinds)
            memory.draw_epoch = append(memory.draw_epoch, 0)
            memory.draw_card = append(memory.draw_card, i % board.kinds)
            n += 1
        i += 1
    if state.route != NONE:
        # What lies on the table for a tunnel is as good as taken face up.
        hand = state.seat * board.kinds
        memory.taken[hand + state.laid_colour] += board.length[state.route] - state.laid_wilds
        memory.taken[hand + board.wild] += state.laid_wilds
    if state.stage == OPENING:
        _begin_opening(memory, state)
    else:
        _begin_later(memory, state)
    return memory


def _begin_opening(memory: Memory, state: "State") -> None:
    seat: i64 = 0
    while seat < state.seats:
        offer = state.offer[seat * state.board.opening : (seat + 1) * state.board.opening]
        kept = vec[i64]()
        i: i64 = 0
        while i < len(offer):
            if state.answers[seat] != NONE and (state.answers[seat] >> i) & 1:
                kept = append(kept, offer[i])
            i += 1
        memory.choices.append(Choice(seat, offer, kept, NONE))
        seat += 1


def _begin_later(memory: Memory, state: "State") -> None:
    memory.began = state.turn
    memory.began_deck = len(state.ticket_deck) + len(state.offer)
    seat: i64 = 0
    while seat < state.seats:
        held = vec[i64]()
        ticket: i64 = 0
        while ticket < state.board.tickets:
            if state.holder[ticket] == seat:
                held = append(held, ticket)
            ticket += 1
        memory.choices.append(Choice(seat, held, held, len(held)))
        seat += 1
    if len(state.offer) > 0:
        memory.choices.append(Choice(state.seat, state.offer, vec[i64](), NONE))
