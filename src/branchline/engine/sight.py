"""The only place that knows who sees what (R8). A sight is built up from what one seat may see, never blanked out."""

from typing import TYPE_CHECKING

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import NONE, Board, filled, to_vec, zeros
from branchline.engine.evidence import HIDDEN, Choice
from branchline.engine.happenings import ANSWERED_OPENING, DEALT, DRAWN, KEPT, OFFERED
from branchline.engine.memory import Memory, restore_memory
from branchline.engine.stages import OPENING, OVER, TICKET_OFFER

if TYPE_CHECKING:
    from branchline.engine.state import State

SPECTATOR = -1
"""The seat of someone who has none."""


class Sight:
    """What one seat may see, as small ints, with what it could remember."""

    def __init__(self, board: Board, seats: i64, seat: i64, memory: Memory) -> None:
        """An empty sight; `look` fills it."""
        self.board = board
        self.seats: i64 = seats
        self.seat: i64 = seat
        self.memory = memory
        """Draws and tickets of others are HIDDEN in it."""
        self.stage: i64 = OPENING
        self.first: i64 = 0
        self.on_turn: i64 = 0
        self.turn: i64 = 0
        self.passes: i64 = 0
        self.last: i64 = NONE
        self.shuffles: i64 = 0
        self.deck_left: i64 = 0
        self.row = vec[i64]()
        self.discards = vec[i64]()
        self.cards = vec[i64]()
        """How many cards each seat holds."""
        self.owner = vec[i64]()
        self.station = vec[i64]()
        self.cars = vec[i64]()
        self.stations = vec[i64]()
        self.points = vec[i64]()
        self.tickets_left: i64 = 0
        """Tickets in the deck."""
        self.held = vec[i64]()
        self.answered = vec[i64]()
        """Who has answered the opening (R2.5)."""
        self.route: i64 = NONE
        self.laid_colour: i64 = NONE
        self.laid_wilds: i64 = 0
        self.owed: i64 = 0
        self.turned = vec[i64]()

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
        return [
            [
                self.seats, self.seat, self.stage, self.first, self.on_turn, self.turn, self.passes, self.last,
                self.shuffles, self.deck_left, self.tickets_left, self.route, self.laid_colour, self.laid_wilds,
                self.owed, self.answer,
            ],
            list(self.row), list(self.discards), list(self.cards), list(self.owner), list(self.station),
            list(self.cars), list(self.stations), list(self.points), list(self.held), list(self.answered),
            list(self.turned), list(self.hand), list(self.tickets), list(self.offer), list(self.hands),
            list(self.holder),
        ]  # fmt: skip

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return restore_sight, (self.board, self.numbers(), self.memory.numbers())


def restore_sight(board: Board, numbers: list[list[int]], memory: list[list[int]]) -> Sight:
    """The sight that gave these numbers."""
    scalars = numbers[0]
    sight = Sight(board, scalars[0], scalars[1], restore_memory(board, scalars[0], memory))
    sight.stage = scalars[2]
    sight.first = scalars[3]
    sight.on_turn = scalars[4]
    sight.turn = scalars[5]
    sight.passes = scalars[6]
    sight.last = scalars[7]
    sight.shuffles = scalars[8]
    sight.deck_left = scalars[9]
    sight.tickets_left = scalars[10]
    sight.route = scalars[11]
    sight.laid_colour = scalars[12]
    sight.laid_wilds = scalars[13]
    sight.owed = scalars[14]
    sight.answer = scalars[15]
    sight.row = to_vec(numbers[1])
    sight.discards = to_vec(numbers[2])
    sight.cards = to_vec(numbers[3])
    sight.owner = to_vec(numbers[4])
    sight.station = to_vec(numbers[5])
    sight.cars = to_vec(numbers[6])
    sight.stations = to_vec(numbers[7])
    sight.points = to_vec(numbers[8])
    sight.held = to_vec(numbers[9])
    sight.answered = to_vec(numbers[10])
    sight.turned = to_vec(numbers[11])
    sight.hand = to_vec(numbers[12])
    sight.tickets = to_vec(numbers[13])
    sight.offer = to_vec(numbers[14])
    sight.hands = to_vec(numbers[15])
    sight.holder = to_vec(numbers[16])
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
    sight.stage = state.stage
    sight.first = state.first
    sight.on_turn = state.seat
    sight.turn = state.turn
    sight.passes = state.passes
    sight.last = state.last
    sight.shuffles = state.shuffles
    sight.deck_left = state.deck_left
    sight.row = state.row[:]
    sight.discards = state.discards[:]
    sight.owner = state.owner[:]
    sight.station = state.station[:]
    sight.cars = state.cars[:]
    sight.stations = state.stations[:]
    sight.points = state.points[:]
    sight.tickets_left = len(state.ticket_deck)
    sight.held = state.held[:]
    sight.route = state.route
    sight.laid_colour = state.laid_colour
    sight.laid_wilds = state.laid_wilds
    sight.owed = state.owed
    sight.turned = state.turned[:]
    sight.cards = zeros(state.seats)
    sight.answered = zeros(state.seats)
    seat: i64 = 0
    while seat < state.seats:
        if state.answers[seat] != NONE:
            sight.answered[seat] = 1
        colour: i64 = 0
        while colour < state.board.kinds:
            sight.cards[seat] += state.hands[seat * state.board.kinds + colour]
            colour += 1
        seat += 1


def _see_own(sight: Sight, state: "State") -> None:
    """What only its owner knows (R8.2)."""
    seat = sight.seat
    kinds = state.board.kinds
    sight.hand = state.hands[seat * kinds : (seat + 1) * kinds]
    sight.answer = state.answers[seat]
    ticket: i64 = 0
    while ticket < state.board.tickets:
        if state.holder[ticket] == seat:
            sight.tickets = append(sight.tickets, ticket)
        ticket += 1
    if state.stage == OPENING:
        sight.offer = state.offer[seat * state.board.opening : (seat + 1) * state.board.opening]
    elif state.stage == TICKET_OFFER and state.seat == seat:
        sight.offer = state.offer[:]


def remembered(memory: Memory, seat: i64) -> Memory:
    """What `seat` could remember: what is public, and its own draws and tickets."""
    new = memory.copy()
    new.draw_card = vec[i64](capacity=len(memory.draw_seat))
    i: i64 = 0
    while i < len(memory.draw_seat):
        new.draw_card = append(new.draw_card, memory.draw_card[i] if memory.draw_seat[i] == seat else HIDDEN)
        i += 1
    new.choices = []
    for choice in memory.choices:
        if choice.seat == seat:
            new.choices.append(choice)
        else:
            offered = filled(len(choice.offered), HIDDEN)
            # The numbers kept become public with the last answer (R2.5); until then `number` is NONE.
            kept = vec[i64]() if choice.number == NONE else filled(choice.number, HIDDEN)
            new.choices.append(Choice(choice.seat, offered, kept, choice.number))
    return new


def seen(happening: tuple[int, ...], seat: i64) -> tuple[int, ...]:
    """A happening as `seat` may know it: what is secret in it becomes HIDDEN."""
    kind: i64 = happening[0]
    if happening[1] == seat:
        return happening
    if kind == DRAWN or kind == DEALT or kind == OFFERED:
        public = 2
    elif kind == ANSWERED_OPENING:
        return happening[:2]
    elif kind == KEPT:
        public = 4
    else:
        return happening
    return happening[:public] + (int(HIDDEN),) * (len(happening) - public)
