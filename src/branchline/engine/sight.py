"""The only place that knows who sees what (R8). A sight is built up from what one seat may see, never blanked out."""

from typing import TYPE_CHECKING, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import NONE, Board, zeros
from branchline.engine.evidence import HIDDEN
from branchline.engine.fields import copy_public, restore_sight, sight_numbers
from branchline.engine.memory import Memory, restore_memory
from branchline.engine.public import Public
from branchline.engine.stages import OPENING, OVER, TICKET_OFFER

if TYPE_CHECKING:
    from branchline.engine.state import State

SPECTATOR: Final[i64] = -1
"""The seat of someone who has none."""


class Sight(Public):
    """What one seat may see, as small ints, with what it could remember."""

    def __init__(self, board: Board, seats: i64, seat: i64, memory: Memory) -> None:
        """An empty sight; `look` fills it."""
        super().__init__(board, seats)
        self.seat: i64 = seat
        """Who looks."""
        self.memory = memory
        """Draws and tickets of others are HIDDEN in it."""
        self.on_turn: i64 = 0
        self.tickets_left: i64 = 0
        """Tickets in the deck."""
        self.cards = vec[i64]()
        """How many cards each seat holds."""
        self.answered = vec[i64]()
        """Who has answered the opening (R2.5)."""

        self.hand = vec[i64]()
        """The own cards by colour; empty for a spectator."""
        self.tickets = vec[i64]()
        """The own tickets, ascending."""
        self.offer = vec[i64]()
        """The own open offer."""
        self.answer: i64 = NONE
        """The own answer, as in `State.answers`; NONE for a spectator."""

        self.hands = vec[i64]()
        """All hands, once the game is over (R8.5)."""
        self.holder = vec[i64]()
        """Who held each ticket, once the game is over."""

    def numbers(self) -> list[list[int]]:
        """Everything that tells two sights of one board apart, memory aside, as lists of ints."""
        return [[self.seats, self.seat], *sight_numbers(self)]

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return restored_sight, (self.board, self.numbers(), self.memory.numbers())


def restored_sight(board: Board, numbers: list[list[int]], memory: list[list[int]]) -> Sight:
    """The sight that gave these numbers."""
    seats, seat = numbers[0]
    sight = Sight(board, seats, seat, restore_memory(board, seats, memory))
    restore_sight(sight, numbers[1:])
    return sight


def look(state: "State", memory: Memory, seat: i64) -> Sight:
    """What `seat` sees, or a spectator where it is -1."""
    sight = Sight(state.board, state.seats, seat, remembered(memory, seat))
    _see_table(sight, state)
    if seat != SPECTATOR:
        _see_own(sight, state)
    if state.stage == OVER:
        sight.hands = state.hands[:]
        sight.holder = state.holder[:]
    return sight


def _see_table(sight: Sight, state: "State") -> None:
    """What is public (R8.1)."""
    copy_public(state, sight)
    sight.on_turn = state.seat
    sight.tickets_left = len(state.ticket_deck)
    sight.cards = zeros(state.seats)
    sight.answered = zeros(state.seats)
    hands = state.hands
    at: i64 = 0
    seat: i64 = 0
    while seat < state.seats:
        if state.answers[seat] != NONE:
            sight.answered[seat] = 1
        cards: i64 = 0
        end = at + state.board.kinds
        while at < end:
            cards += hands[at]
            at += 1
        sight.cards[seat] = cards
        seat += 1


def _see_own(sight: Sight, state: "State") -> None:
    """What only its owner knows (R8.2)."""
    seat = sight.seat
    kinds = state.board.kinds
    sight.hand = state.hands[seat * kinds : (seat + 1) * kinds]
    sight.answer = state.answers[seat]
    holder = state.holder
    tickets = vec[i64](capacity=state.held[seat])
    ticket: i64 = 0
    while ticket < len(holder):
        if holder[ticket] == seat:
            tickets = append(tickets, ticket)
        ticket += 1
    sight.tickets = tickets
    if state.stage == OPENING:
        sight.offer = state.offer[seat * state.board.opening : (seat + 1) * state.board.opening]
    elif state.stage == TICKET_OFFER and state.seat == seat:
        sight.offer = state.offer[:]


def remembered(memory: Memory, seat: i64) -> Memory:
    """What `seat` could remember: what is public, and its own draws and tickets."""
    new = memory.copy()
    drawers = memory.draw_seat
    cards = memory.draw_card[:]
    i: i64 = 0
    while i < len(drawers):
        if drawers[i] != seat:
            cards[i] = HIDDEN
        i += 1
    new.draw_card = cards
    new.choices = [choice if choice.seat == seat else choice.hidden() for choice in memory.choices]
    return new
