"""What a planner asks of a position. No question changes anything."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import NOBODY, NONE, Board, zeros
from branchline.engine.network import root
from branchline.engine.state import State

MOST_RIVALS: Final[i64] = 3
"""More routes of others at a route's ends than these make it no more pressing."""


def hand_of(state: State, seat: i64) -> vec[i64]:
    """The cards of a seat by colour, the wilds last."""
    kinds = state.board.kinds
    return state.hands[seat * kinds : (seat + 1) * kinds]


def cards_of(state: State, seat: i64) -> i64:
    """How many cards a seat holds."""
    cards: i64 = 0
    for held in hand_of(state, seat):
        cards += held
    return cards


def count_only(state: State, seat: i64, cards: i64) -> None:
    """Make a hand one that is only counted: so many cards, of the first colour since none is known."""
    kinds = state.board.kinds
    colour: i64 = 0
    while colour < kinds:
        state.hands[seat * kinds + colour] = cards if colour == 0 else 0
        colour += 1


def unseen(state: State, seat: i64) -> vec[i64]:
    """Cards by colour that a seat can't see: in the deck, or in others' hands."""
    board = state.board
    hand = hand_of(state, seat)
    out = zeros(board.kinds)
    colour: i64 = 0
    while colour < board.kinds:
        out[colour] = board.cards[colour] - state.discards[colour] - hand[colour]
        colour += 1
    for card in state.row:
        if card >= 0:
            out[card] -= 1
    for card in state.turned:
        out[card] -= 1
    return out


def is_joined(board: Board, parent: vec[i64], ticket: i64) -> bool:
    """Whether the cities of a ticket are in one of the groups that `parent` tells."""
    return root(parent, board.ticket_a[ticket]) == root(parent, board.ticket_b[ticket])


def unjoined(state: State, seat: i64, parent: vec[i64]) -> vec[i64]:
    """The tickets of a seat whose cities are not in one of the groups that `parent` tells."""
    out = vec[i64]()
    ticket: i64 = 0
    while ticket < state.board.tickets:
        if state.holder[ticket] == seat and not is_joined(state.board, parent, ticket):
            out = append(out, ticket)
        ticket += 1
    return out


def meets(state: State, city: i64, seat: i64) -> bool:
    """Whether a route of a seat ends in a city."""
    board = state.board
    i = board.near_start[city]
    while i < board.near_start[city + 1]:
        if state.owner[board.near_route[i]] == seat:
            return True
        i += 1
    return False


def touches(state: State, route: i64, seat: i64) -> bool:
    """Whether a route meets the network of a seat."""
    board = state.board
    return meets(state, board.route_a[route], seat) or meets(state, board.route_b[route], seat)


def new_attractions(state: State, route: i64, seat: i64) -> i64:
    """How many attractions a route would be the first of a seat's to reach."""
    board = state.board
    a, b = board.route_a[route], board.route_b[route]
    n: i64 = 0
    if board.attraction[a] and not meets(state, a, seat):
        n += 1
    if board.attraction[b] and not meets(state, b, seat):
        n += 1
    return n


def stopped(state: State, route: i64, seat: i64) -> i64:
    """How many others have routes at both ends of a route, and would find it gone."""
    board = state.board
    n: i64 = 0
    other: i64 = 0
    while other < state.seats:
        if other != seat and meets(state, board.route_a[route], other) and meets(state, board.route_b[route], other):
            n += 1
        other += 1
    return n


def rivals(state: State, route: i64, seat: i64) -> i64:
    """How likely others are to want a route: routes of theirs that meet it, one less where its twin is there too."""
    board = state.board
    n = _of_others(state, board.route_a[route], seat) + _of_others(state, board.route_b[route], seat)
    twin = board.twin[route]
    if twin != NONE and state.seats >= board.rules.twins_from and state.owner[twin] == NOBODY:
        n -= 1
    return min(max(n, i64(0)), MOST_RIVALS)


def _of_others(state: State, city: i64, seat: i64) -> i64:
    """How many routes of others end in a city."""
    board = state.board
    n: i64 = 0
    i = board.near_start[city]
    while i < board.near_start[city + 1]:
        owner = state.owner[board.near_route[i]]
        if owner != NOBODY and owner != seat:
            n += 1
        i += 1
    return n


def building_site(state: State, route: i64) -> i64:
    """A city at an end of a route where a station could be built; NONE if there is none."""
    a, b = state.board.route_a[route], state.board.route_b[route]
    if state.station[a] == NOBODY:
        return a
    return b if state.station[b] == NOBODY else NONE
