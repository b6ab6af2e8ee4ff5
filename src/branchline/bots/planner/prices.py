"""What each route would cost a seat: its turns, less its points, in hundredths of a point."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from branchline.bots.planner.facts import building_site, hand_of
from branchline.bots.planner.weights import Weights
from branchline.engine.board import GREY, NOBODY, NONE, TUNNEL, zeros
from branchline.engine.legal import barred, largest_stack, station_price
from branchline.engine.refusals import LEGAL
from branchline.engine.state import State

DRAWN_IN_A_TURN: Final[i64] = 2
"""Cards: one that is missing costs this part of a turn."""
HELD_FOR_A_TURN: Final[i64] = 4
"""A card that is held costs this part of a turn: it could pay for something else."""
STATION_CARDS: Final[i64] = 3
"""A card of a station costs this part of a turn: any colour will do, so that many a spare one serves."""
LEAST: Final[i64] = 30
"""No route is cheaper, whatever its points: a way of many routes takes longer than it seems."""


def prices(state: State, seat: i64, weights: Weights) -> vec[i64]:
    """The price of each route to a seat; nothing for its own, NONE for what it can't have."""
    board = state.board
    hand = hand_of(state, seat)
    stack = largest_stack(state, seat)
    station = _station(state, seat, weights)
    out = zeros(board.routes)
    route: i64 = 0
    while route < board.routes:
        owner = state.owner[route]
        if owner == seat:
            out[route] = 0
        elif barred(state, route, seat) == LEGAL:
            held = stack if board.colour[route] == GREY else hand[board.colour[route]]
            out[route] = _price(state, route, held, hand[board.wild], weights)
        elif owner != NOBODY and building_site(state, route) != NONE:
            out[route] = station
        else:
            out[route] = NONE
        route += 1
    return out


def _price(state: State, route: i64, held: i64, wilds: i64, weights: Weights) -> i64:
    """What an open route costs with so many cards of its colour and so many wilds in hand."""
    board = state.board
    length = board.length[route]
    usable = min(held, length)
    price = weights.turn
    price += weights.turn * (length - usable) // DRAWN_IN_A_TURN
    price += weights.turn * usable // HELD_FOR_A_TURN
    if board.kind[route] == TUNNEL:
        price += weights.tunnel
    elif board.wilds[route] > wilds:
        price += weights.ferry_wild * (board.wilds[route] - wilds)
    return max(price - board.points[route] * weights.points, LEAST)


def _station(state: State, seat: i64, weights: Weights) -> i64:
    """What borrowing a route costs; NONE without a station."""
    if state.stations[seat] == 0:
        return NONE
    return weights.station + weights.turn + station_price(state, seat) * weights.turn // STATION_CARDS
