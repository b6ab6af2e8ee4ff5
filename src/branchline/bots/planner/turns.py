"""Time: the turns there are, and those that a network takes. All in hundredths of a turn."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from branchline.bots.planner.facts import cards_of
from branchline.bots.planner.ways import Network
from branchline.bots.planner.weights import Weights
from branchline.engine.board import GREY, NOBODY, NONE, TUNNEL, zeros
from branchline.engine.state import State

TURN: Final[i64] = 100
"""A whole one."""
TUNNEL_TURNS: Final[i64] = 20
"""A tunnel fails about one time in five, and is tried again."""
STATION_TURNS: Final[i64] = 150
"""Building a station, and drawing what it is paid with."""
GREY_NUMERATOR: Final[i64] = 3
GREY_DENOMINATOR: Final[i64] = 4
"""Of the cards that coloured routes leave, so many pay for grey ones: the rest are single cards of other colours."""

NO_END: Final[i64] = 100_000
"""Turns to go before anybody has been looked at."""
PACE_TURNS: Final[i64] = 10
"""How many turns at the usual pace the turns that a seat has played are mixed with: its first claims tell little."""
SLOWEST: Final[i64] = 30
"""Nobody is taken to place fewer cars in a turn than these hundredths."""
CAR_TURNS: Final[i64] = 33
"""What placing a car takes at least: three to a route, which is a turn."""
LAST_ROUTE: Final[i64] = 2
"""Cars that the route which ends a game takes beyond those that have to go."""


def turns_to_go(state: State, seat: i64, weights: Weights) -> i64:
    """Turns that a seat can expect before another one ends the game."""
    if state.last != NONE:
        return TURN
    least = NO_END
    other: i64 = 0
    while other < state.seats:
        if other != seat:
            least = min(least, _turns_of(state, other, weights) + TURN)
        other += 1
    return max(least, TURN)


def _turns_of(state: State, seat: i64, weights: Weights) -> i64:
    """Turns in which a seat could end the game: at the pace it has shown, but not much slower than its cards allow."""
    rules = state.board.rules
    cars = state.cars[seat] - rules.last_cars
    placed = rules.cars - state.cars[seat]
    pace = (placed * TURN + weights.pace * PACE_TURNS) // (state.turn // state.seats + PACE_TURNS)
    turns = cars * TURN * TURN // max(pace, SLOWEST)
    missing = max(i64(0), cars - cards_of(state, seat))
    able = (cars + LAST_ROUTE) * CAR_TURNS + missing * weights.card_turns
    return min(turns, able * weights.swift // 100)


def turns_for(state: State, seat: i64, hand: vec[i64], network: Network, weights: Weights) -> i64:
    """Turns that a seat needs for a network: to claim, to borrow, and to draw the cards it has not."""
    board = state.board
    need = zeros(board.kinds)
    grey: i64 = 0
    turns: i64 = 0
    route: i64 = 0
    while route < board.routes:
        if network.has[route]:
            owner = state.owner[route]
            if owner == NOBODY:
                least = board.wilds[route]
                need[board.wild] += least
                if board.colour[route] == GREY:
                    grey += board.length[route] - least
                else:
                    need[board.colour[route]] += board.length[route] - least
                turns += TURN + TUNNEL_TURNS if board.kind[route] == TUNNEL else TURN
            elif owner != seat:
                turns += STATION_TURNS
        route += 1
    return turns + _missing(hand, need, grey) * weights.card_turns


def _missing(hand: vec[i64], need: vec[i64], grey: i64) -> i64:
    """Cards that a hand lacks for what is needed by colour, and in any colour for grey routes."""
    wild: i64 = len(hand) - 1
    short: i64 = 0
    left: i64 = 0
    colour: i64 = 0
    while colour < wild:
        rest = hand[colour] - need[colour]
        if rest > 0:
            left += rest
        else:
            short -= rest
        colour += 1
    short += max(i64(0), grey - left * GREY_NUMERATOR // GREY_DENOMINATOR)
    wilds = hand[wild] - need[wild]
    return max(i64(0), short - wilds) if wilds > 0 else short - wilds
