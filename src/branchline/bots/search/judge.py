"""What a position in the middle of a game is worth: an evaluation fitted on self-play games (docs/ladder-diary.md).

For each seat it guesses the points of the end from what that seat has, wants and still has time for. A small network of
one hidden layer; `scripts.fit.judge` plays the games and fits it.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.planner.facts import cards_of, hand_of, is_joined, unjoined
from branchline.bots.planner.plan import FOR_POINTS, FOR_TICKETS, Plan
from branchline.bots.planner.play import Planner
from branchline.engine.board import NOBODY, Board, zeros
from branchline.engine.network import groups, root
from branchline.engine.state import State

FEATURES: Final[i64] = 26
LEAST_SLACK: Final[i64] = 1000
"""Hundredths of a turn too few that count: more is no worse."""
MOST_SLACK: Final[i64] = 3000
"""Hundredths of a turn to spare that count."""
NO_SLACK: Final[i64] = 400
"""With fewer of them than these there is hardly any."""
MOST_TURNS: Final[i64] = 6000
"""Hundredths of turns to go that count."""
NEVER_FEWER: Final[i64] = 1000
"""More cars than anybody has."""
FAR_AHEAD: Final[i64] = 15
"""Spaces by which a network may be larger than another; more count no further."""
LONG: Final[i64] = 13
"""A route is long that takes so many hundredths of all cars."""


class Judge:
    """Guesses the final points of a seat."""

    def __init__(self, hidden: i64, numbers: vec[float]) -> None:
        """`numbers`: for each hidden cell its bias and a weight for each feature; then the same over the cells."""
        self.hidden: i64 = hidden
        self.numbers = numbers

    def points(self, features: vec[float]) -> float:
        """The points this seat can expect in the end."""
        numbers = self.numbers
        at: i64 = self.hidden * (FEATURES + 1)
        total = numbers[at]
        cell: i64 = 0
        i: i64 = 0
        while cell < self.hidden:
            heat = numbers[i]
            i += 1
            feature: i64 = 0
            while feature < FEATURES:
                heat += numbers[i] * features[feature]
                i += 1
                feature += 1
            if heat > 0.0:
                total += heat * numbers[at + 1 + cell]
            cell += 1
        return total * 100.0


def features(state: State, planner: Planner) -> vec[float]:
    """What counts for the planner's seat, each roughly between 0 and 1. The plan is made anew."""
    needs = planner.look(state)
    wants = Wants(planner.plan)
    out = vec[float](capacity=FEATURES)
    out = append(out, float(state.points[planner.seat]) / 100.0)
    out = _add_tickets(out, state, planner.plan)
    out = _add_time(out, planner.plan, wants)
    out = _add_means(out, state, planner.seat, wants)
    out = append(out, float(needs.short) / 20.0)
    out = append(out, float(wants.fill_points) / 50.0)
    return _add_table(out, state, planner.plan)


class Wants:
    """What the routes that a plan wants bring and take."""

    def __init__(self, plan: Plan) -> None:
        self.points: i64 = 0
        """Points of those for tickets; `fill_points` of those for points."""
        self.cars: i64 = 0
        """Cars that those for tickets take."""
        self.fill_points: i64 = 0
        for route in plan.routes:
            if plan.wanted[route] == FOR_TICKETS:
                self.points += plan.board.points[route]
                self.cars += plan.board.length[route]
            elif plan.wanted[route] == FOR_POINTS:
                self.fill_points += plan.board.points[route]


def _add_tickets(out: vec[float], state: State, plan: Plan) -> vec[float]:
    """Points of tickets that are joined, that may still be, and that are given up; how many are open."""
    board = plan.board
    done: i64 = 0
    ticket: i64 = 0
    while ticket < board.tickets:
        if state.holder[ticket] == plan.seat and is_joined(board, plan.parent, ticket):
            done += board.ticket_points[ticket]
        ticket += 1
    left = unjoined(state, plan.seat, plan.parent)
    dropped = _points_of(board, plan.dropped)
    out = append(out, float(done) / 50.0)
    out = append(out, float(_points_of(board, left) - dropped) / 50.0)
    out = append(out, float(dropped) / 50.0)
    return append(out, float(len(left)) / 5.0)


def _points_of(board: Board, tickets: vec[i64]) -> i64:
    points: i64 = 0
    for ticket in tickets:
        points += board.ticket_points[ticket]
    return points


def _add_time(out: vec[float], plan: Plan, wants: Wants) -> vec[float]:
    """Turns that the tickets take, that there are, and that are to spare."""
    needed = plan.ticket_turns
    if wants.cars == 0 and len(plan.borrow) == 0:
        needed = 0
    slack = min(max(plan.turns - needed, -LEAST_SLACK), MOST_SLACK)
    out = append(out, float(needed) / 2000.0)
    out = append(out, float(min(plan.turns, MOST_TURNS)) / 4000.0)
    out = append(out, float(slack) / 2000.0)
    out = append(out, 1.0 if slack < 0 else 0.0)
    return append(out, float(min(slack, NO_SLACK)) / float(NO_SLACK))


def _add_means(out: vec[float], state: State, seat: i64, wants: Wants) -> vec[float]:
    """What the plan brings and takes, beside the cars and cards there are for it."""
    full = float(state.board.rules.cars)
    cars = state.cars[seat]
    hand = hand_of(state, seat)
    cards = cards_of(state, seat)
    out = append(out, float(wants.points) / 50.0)
    out = append(out, float(wants.cars) / full)
    out = append(out, float(cars) / full)
    out = append(out, float(cars - wants.cars) / full)
    out = append(out, float(min(cards, cars)) / full)
    out = append(out, float(cards) / full)
    return append(out, float(hand[state.board.wild]) / 6.0)


def _add_table(out: vec[float], state: State, plan: Plan) -> vec[float]:
    """The largest networks, stations, how near the end is, whose turn it is, and what is left to claim."""
    seat = plan.seat
    full = float(state.board.rules.cars)
    mine = largest(state, seat, plan.parent)
    rival: i64 = 0
    least_cars = NEVER_FEWER
    other: i64 = 0
    while other < state.seats:
        if other != seat:
            rival = max(rival, largest(state, other, groups(state, other)))
            least_cars = min(least_cars, state.cars[other])
        other += 1
    out = append(out, float(mine) / full)
    out = append(out, float(min(max(mine - rival, -FAR_AHEAD), FAR_AHEAD)) / float(FAR_AHEAD))
    out = append(out, float(state.stations[seat]) / 3.0)
    out = append(out, float(len(plan.borrow)) / 3.0)
    out = append(out, float(least_cars) / full)
    out = append(out, float((seat - state.seat + state.seats) % state.seats) / float(state.seats))
    return append(out, float(_rich(state)) / 100.0)


def _rich(state: State) -> i64:
    """Points of the long routes that nobody has claimed."""
    board = state.board
    rich: i64 = 0
    route: i64 = 0
    while route < board.routes:
        if state.owner[route] == NOBODY and board.length[route] * 100 >= board.rules.cars * LONG:
            rich += board.points[route]
        route += 1
    return rich


def largest(state: State, seat: i64, parent: vec[i64]) -> i64:
    """The spaces of the largest connected network of a seat: a bound for its trail that costs little."""
    board = state.board
    spaces = zeros(board.cities)
    most: i64 = 0
    route: i64 = 0
    while route < board.routes:
        if state.owner[route] == seat:
            at = root(parent, board.route_a[route])
            spaces[at] += board.length[route]
            most = max(most, spaces[at])
        route += 1
    return most
