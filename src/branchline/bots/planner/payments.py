"""How a seat pays: with the cards that its plan misses least."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from branchline.bots.planner.needs import Needs
from branchline.engine.board import GREY, NONE, Board
from branchline.engine.legal import barred, station_price
from branchline.engine.refusals import LEGAL
from branchline.engine.state import State

ROUTE_WILD: Final[i64] = 25
"""What a wild is missed that pays for a route."""
STATION_WILD: Final[i64] = 30
"""The same for a station, which may be paid in any colour."""
NEEDED: Final[i64] = 10
"""What a card is missed that other routes want. Of equal ones the colour is paid of which the most is held."""


class Payment:
    """Cards of one colour and wilds."""

    def __init__(self, index: i64, colour: i64, wilds: i64) -> None:
        self.index: i64 = index
        """Of the action that pays it; NONE if the hand can't."""
        self.colour: i64 = colour
        """The wild, where it pays everything."""
        self.wilds: i64 = wilds


def claim(state: State, seat: i64, needs: Needs, route: i64) -> Payment:
    """The claim of a route that hurts a plan least."""
    board = state.board
    least = board.wilds[route]
    if needs.hand[board.wild] < least or barred(state, route, seat) != LEGAL:
        return Payment(NONE, NONE, 0)
    colour, wilds = _cheapest(
        board, needs.hand, needs.spare_for(route), board.colour[route], board.length[route], least, ROUTE_WILD
    )
    index = NONE if colour == NONE else board.claim_index(route, colour, wilds)
    return Payment(index, colour, wilds)


def station(state: State, seat: i64, needs: Needs, city: i64) -> i64:
    """The index of building in a city with the cards that are missed least; NONE if it can't be paid."""
    board = state.board
    price = station_price(state, seat)
    colour, wilds = _cheapest(board, needs.hand, needs.purse.left, GREY, price, 0, STATION_WILD)
    return NONE if colour == NONE else board.build_index(city, board.station_payment(colour, wilds))


def _cheapest(
    board: Board, hand: vec[i64], spare: vec[i64], colour: i64, price: i64, least: i64, wild_harm: i64
) -> tuple[i64, i64]:
    """The colour, and how many wilds with it, for a price of so many cards and `least` wilds; NONE if it can't be paid.

    `colour`: the only one that will do, GREY for any.
    """
    wilds = hand[board.wild]
    first: i64 = 0 if colour == GREY else colour
    last = board.wild - 1 if colour == GREY else colour
    best: i64 = NONE
    best_wilds: i64 = 0
    best_harm: i64 = 0
    colour = first
    while colour <= last:
        used = min(hand[colour], price - least)
        if used > 0 and price - used <= wilds:
            harm = (price - used) * wild_harm + max(i64(0), used - spare[colour]) * NEEDED - hand[colour]
            if best == NONE or harm < best_harm:
                best = colour
                best_wilds = price - used
                best_harm = harm
        colour += 1
    if best == NONE and wilds >= price:
        return board.wild, price
    return best, best_wilds
