"""The last turn: what brings the most at once."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from branchline.bots.planner.facts import unjoined
from branchline.bots.planner.needs import Needs
from branchline.bots.planner.payments import claim, station
from branchline.engine.board import FERRY, NOBODY, NONE, TUNNEL
from branchline.engine.network import groups, root
from branchline.engine.scoring import Borrowing
from branchline.engine.state import State

TUNNEL_CHANCE: Final[i64] = 75
"""A tunnel succeeds in about so many of a hundred tries."""
JOINED: Final[i64] = 200
"""Hundredths of its points that a ticket is worth: it brings them, and does not cost them."""
FERRY_MORE: Final[i64] = 1
"""A ferry before what brings as much: its wilds are good for nothing else now."""


def best_now(state: State, seat: i64, needs: Needs) -> i64:
    """The index of the claim or the station that brings the most; NONE if nothing brings anything."""
    board = state.board
    parent = groups(state, seat)
    tickets = unjoined(state, seat, parent)
    best: i64 = NONE
    best_gain: i64 = 0
    route: i64 = 0
    while route < board.routes:
        index = claim(state, seat, needs, route).index
        if index != NONE:
            gain = _gain(state, route, parent, tickets)
            if gain > best_gain:
                best = index
                best_gain = gain
        route += 1
    if len(tickets) > 0 and state.stations[seat] > 0:
        city = _best_site(state, seat, best_gain, needs.plan.weights.station)
        if city != NONE:
            index = station(state, seat, needs, city)
            if index != NONE:
                return index
    return best


def _gain(state: State, route: i64, parent: vec[i64], tickets: vec[i64]) -> i64:
    """What a route brings, in hundredths of a point: its own, and those of the tickets that it joins."""
    board = state.board
    gain = board.points[route] * 100
    a, b = root(parent, board.route_a[route]), root(parent, board.route_b[route])
    for ticket in tickets:
        x, y = root(parent, board.ticket_a[ticket]), root(parent, board.ticket_b[ticket])
        if (x == a and y == b) or (x == b and y == a):
            gain += board.ticket_points[ticket] * JOINED
    if board.kind[route] == TUNNEL:
        return gain * TUNNEL_CHANCE // 100
    return gain + FERRY_MORE if board.kind[route] == FERRY else gain


def _best_site(state: State, seat: i64, least: i64, price: i64) -> i64:
    """Where a station would bring more than `least` beyond its price; NONE if nowhere."""
    before = Borrowing(state, seat).points
    best: i64 = NONE
    city: i64 = 0
    while city < state.board.cities:
        if state.station[city] == NOBODY:
            new = state.copy()
            new.station = state.station[:]
            new.station[city] = seat
            gain = (Borrowing(new, seat).points - before) * 100 - price
            if gain > least:
                best = city
                least = gain
        city += 1
    return best
