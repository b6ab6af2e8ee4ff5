"""Setting up: shuffle, deal, first seat (R2)."""

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from branchline.engine.board import EMPTY, NOBODY, NONE, Board, filled, zeros
from branchline.engine.cards import draw, pile, settle
from branchline.engine.happenings import Dealt, Happenings, Offered, ints
from branchline.engine.shuffle import CARDS, FIRST, LONG, TICKETS, Shuffler
from branchline.engine.state import State


def empty(board: Board, seats: i64, shuffler: Shuffler) -> State:
    """A table with nothing dealt: tables of the right sizes, all pieces with their owners."""
    state = State(board, seats, shuffler)
    rules = board.rules
    state.row = filled(rules.row, EMPTY)
    state.discards = zeros(board.kinds)
    state.hands = zeros(seats * board.kinds)
    state.owner = filled(board.routes, NOBODY)
    state.station = filled(board.cities, NOBODY)
    state.cars = filled(seats, rules.cars)
    state.stations = filled(seats, rules.stations)
    state.points = zeros(seats)
    state.holder = filled(board.tickets, NOBODY)
    state.held = zeros(seats)
    state.answers = filled(seats, NONE)
    return state


def deal(board: Board, seats: i64, shuffler: Shuffler, first: i64 = -1, happenings: Happenings | None = None) -> State:
    """A new game, waiting for the opening choices; the shuffle names the first seat unless `first` does (R2.6)."""
    state = empty(board, seats, shuffler)
    state.happenings = happenings
    if first == NONE:
        state.first = shuffler.pick(seats, FIRST, state.shuffles)
        state.shuffles += 1
    else:
        state.first = first
    state.seat = state.first
    _deal_cards(state)
    _deal_tickets(state)
    return state


def _deal_cards(state: State) -> None:
    """Shuffle, deal each seat its hand, turn up the row (R2.1)."""
    board = state.board
    deck = pile(board.cards)
    state.shuffler.shuffle(deck, CARDS, state.shuffles)
    state.shuffles += 1
    state.deck = deck
    state.deck_left = len(deck)
    seat: i64 = 0
    while seat < state.seats:
        dealt = vec[i64](capacity=board.rules.opening_cards)
        i: i64 = 0
        while i < board.rules.opening_cards:
            card = draw(state)
            state.hands[seat * board.kinds + card] += 1
            dealt = append(dealt, card)
            i += 1
        if state.happenings is not None:
            state.happenings.add(Dealt(seat, ints(dealt)))
        seat += 1
    settle(state)


def _deal_tickets(state: State) -> None:
    """Offer each seat its long and ordinary tickets; long ones not dealt leave the game (R2.2, R2.4)."""
    rules = state.board.rules
    long_deck = vec[i64](capacity=state.board.tickets)
    deck = vec[i64](capacity=state.board.tickets)
    ticket: i64 = 0
    while ticket < state.board.tickets:
        if rules.opening_long > 0 and state.board.ticket_long[ticket]:
            long_deck = append(long_deck, ticket)
        else:
            deck = append(deck, ticket)
        ticket += 1
    if rules.opening_long > 0:
        state.shuffler.shuffle(long_deck, LONG, state.shuffles)
        state.shuffles += 1
    state.shuffler.shuffle(deck, TICKETS, state.shuffles)
    state.shuffles += 1
    long_left: i64 = len(long_deck)
    left: i64 = len(deck)
    offer = vec[i64](capacity=state.seats * state.board.opening)
    seat: i64 = 0
    while seat < state.seats:
        own = vec[i64](capacity=state.board.opening)
        i: i64 = 0
        while i < rules.opening_long:
            long_left -= 1
            own = append(own, long_deck[long_left])
            i += 1
        i = 0
        while i < rules.opening_tickets:
            left -= 1
            own = append(own, deck[left])
            i += 1
        offer = extend(offer, own)
        if state.happenings is not None:
            state.happenings.add(Offered(seat, ints(own)))
        seat += 1
    state.offer = offer
    state.ticket_deck = deck[:left]
