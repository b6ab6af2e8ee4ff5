"""What a position in the middle of a game is worth: an evaluation fitted on self-play games (docs/ladder.md).

For each seat it guesses the points of the end from what that seat has, wants and still has time for. A small network of
one hidden layer; `scripts.fit.judge` plays the games and fits it.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.planner.facts import cards_of, is_joined
from branchline.bots.planner.plan import FOR_POINTS, FOR_TICKETS
from branchline.bots.planner.play import Planner
from branchline.engine.board import NOBODY, zeros
from branchline.engine.network import groups, root
from branchline.engine.state import State

FEATURES: Final[i64] = 26


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
    board = planner.board
    seat = planner.seat
    plan = planner.plan
    needs = planner.look(state)
    done: i64 = 0
    ticket: i64 = 0
    open_points: i64 = 0
    open_tickets: i64 = 0
    while ticket < board.tickets:
        if state.holder[ticket] == seat:
            if is_joined(board, plan.parent, ticket):
                done += board.ticket_points[ticket]
            else:
                open_points += board.ticket_points[ticket]
                open_tickets += 1
        ticket += 1
    dropped: i64 = 0
    for ticket in plan.dropped:
        dropped += board.ticket_points[ticket]
    plan_points: i64 = 0
    plan_cars: i64 = 0
    fill_points: i64 = 0
    for route in plan.routes:
        if plan.wanted[route] == FOR_TICKETS:
            plan_points += board.points[route]
            plan_cars += board.length[route]
        elif plan.wanted[route] == FOR_POINTS:
            fill_points += board.points[route]
    needed = plan.ticket_turns
    if plan_cars == 0 and len(plan.borrow) == 0:
        needed = 0
    slack = min(max(plan.turns - needed, i64(-1000)), i64(3000))
    cars = state.cars[seat]
    cards = cards_of(state, seat)
    mine = largest(state, seat, plan.parent)
    rival: i64 = 0
    most_points: i64 = 0
    least_cars: i64 = 1000
    other: i64 = 0
    while other < state.seats:
        if other != seat:
            rival = max(rival, largest(state, other, groups(state, other)))
            most_points = max(most_points, state.points[other])
            least_cars = min(least_cars, state.cars[other])
        other += 1
    rich: i64 = 0
    route = 0
    while route < board.routes:
        if state.owner[route] == NOBODY and board.length[route] * 100 >= board.rules.cars * 13:
            rich += board.points[route]
        route += 1
    full = float(board.rules.cars)
    out = vec[float](capacity=FEATURES)
    out = append(out, float(state.points[seat]) / 100.0)
    out = append(out, float(done) / 50.0)
    out = append(out, float(open_points - dropped) / 50.0)
    out = append(out, float(dropped) / 50.0)
    out = append(out, float(open_tickets) / 5.0)
    out = append(out, float(needed) / 2000.0)
    out = append(out, float(min(plan.turns, i64(6000))) / 4000.0)
    out = append(out, float(slack) / 2000.0)
    out = append(out, 1.0 if slack < 0 else 0.0)
    out = append(out, float(min(slack, i64(400))) / 400.0)
    out = append(out, float(plan_points) / 50.0)
    out = append(out, float(plan_cars) / full)
    out = append(out, float(cars) / full)
    out = append(out, float(cars - plan_cars) / full)
    out = append(out, float(min(cards, cars)) / full)
    out = append(out, float(cards) / full)
    out = append(out, float(state.hands[seat * board.kinds + board.wild]) / 6.0)
    out = append(out, float(needs.short) / 20.0)
    out = append(out, float(fill_points) / 50.0)
    out = append(out, float(mine) / full)
    out = append(out, float(min(max(mine - rival, i64(-15)), i64(15))) / 15.0)
    out = append(out, float(state.stations[seat]) / 3.0)
    out = append(out, float(len(plan.borrow)) / 3.0)
    out = append(out, float(least_cars) / full)
    out = append(out, float((seat - state.seat + state.seats) % state.seats) / float(state.seats))
    return append(out, float(rich) / 100.0)


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
