"""Routes that are wanted for their points, with the cards, cars and turns that the tickets leave."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.planner.facts import is_joined, new_attractions, stopped, touches
from branchline.bots.planner.purse import Purse
from branchline.bots.planner.survey import Survey
from branchline.bots.planner.turns import TURN
from branchline.engine.board import FERRY, GREY, NOBODY, NONE, TUNNEL
from branchline.engine.legal import barred
from branchline.engine.refusals import LEGAL
from branchline.engine.state import State

TICKET_GUESS: Final[i64] = 7
"""Points that another's ticket is taken to bring."""
TUNNEL_TURNS: Final[i64] = 30
"""What a tunnel takes beyond a turn, in hundredths: more than one for tickets, since nobody waits for it."""
WILD_TURNS: Final[i64] = 90
"""What a ferry's wild takes that is not there: most of a turn, since the row gives one and no second card."""


class Riches:
    """Looks for the routes that bring the most points a turn."""

    def __init__(self, survey: Survey, routes: vec[i64], wanted: vec[i64], turns: i64) -> None:
        """`routes` and `wanted`: what the tickets take; `turns`: what they leave, in hundredths."""
        self.survey = survey
        self.wanted = wanted
        """Not nought for each route that is wanted already."""
        self.turns: i64 = turns
        self.purse = Purse(survey.state.board, survey.hand)
        self.cars: i64 = survey.state.cars[survey.seat]
        for route in routes:
            self._pay(route)
        self.least: i64 = 0 if len(routes) == 0 else survey.weights.fill_rate
        """What a route has to bring a turn."""
        self.race: i64 = 0
        """What placing a car is worth."""
        if len(routes) == 0 and survey.weights.race > 0 and is_ahead(survey.state, survey.seat, survey.parent):
            self.race = survey.weights.race

    def _pay(self, route: i64) -> None:
        self.purse.pay(route)
        self.cars -= self.survey.state.board.length[route]

    def find(self, most: i64) -> vec[i64]:
        """At most so many routes, the richest first; each has to leave enough for the next."""
        wanted = self.wanted[:]
        out = vec[i64]()
        while len(out) < most:
            best = self._richest(wanted)
            if best == NONE:
                break
            self.turns -= self._takes(best, self.purse.left[self.purse.fullest()])
            self._pay(best)
            wanted[best] = 1
            out = append(out, best)
        return out

    def _richest(self, wanted: vec[i64]) -> i64:
        """The route that brings the most a turn; NONE if none brings enough."""
        state, seat = self.survey.state, self.survey.seat
        board = state.board
        stack = self.purse.left[self.purse.fullest()]
        best: i64 = NONE
        best_rate = self.least
        route: i64 = 0
        while route < board.routes:
            if board.length[route] <= self.cars and wanted[route] == 0 and state.owner[route] == NOBODY:
                takes = self._takes(route, stack)
                rate = self._worth(route) * 100 // takes
                if rate > best_rate and takes <= self.turns and barred(state, route, seat) == LEGAL:
                    twin = board.twin[route]
                    if twin == NONE or wanted[twin] == 0:
                        best = route
                        best_rate = rate
            route += 1
        return best

    def _takes(self, route: i64, stack: i64) -> i64:
        """The turns that a route takes, in hundredths; `stack`: cards that could pay for a grey one."""
        board = self.survey.state.board
        left = self.purse.left
        wilds = board.wilds[route]
        held = stack if board.colour[route] == GREY else left[board.colour[route]]
        missing = max(i64(0), board.length[route] - wilds - held)
        takes = TURN + missing * self.survey.weights.card_turns
        if board.kind[route] == TUNNEL:
            takes += TUNNEL_TURNS
        elif board.kind[route] == FERRY:
            takes += max(i64(0), wilds - left[board.wild]) * WILD_TURNS
        return takes

    def _worth(self, route: i64) -> i64:
        """What a route brings, in hundredths of a point."""
        state, seat, weights = self.survey.state, self.survey.seat, self.survey.weights
        board = state.board
        worth = board.points[route] * 100 + self.race * board.length[route]
        if board.attraction[board.route_a[route]] or board.attraction[board.route_b[route]]:
            worth += new_attractions(state, route, seat) * board.rules.attraction_points * 100
        if board.rules.trail_points > 0 and touches(state, route, seat):
            worth += weights.join
        if weights.block > 0:
            worth += weights.block * stopped(state, route, seat)
        return worth


def is_ahead(state: State, seat: i64, parent: vec[i64]) -> bool:
    """Whether a seat's points, its tickets counted, are more than any other's; `parent`: the cities it has joined."""
    board = state.board
    mine = state.points[seat]
    ticket: i64 = 0
    while ticket < board.tickets:
        if state.holder[ticket] == seat:
            points = board.ticket_points[ticket]
            mine += points if is_joined(board, parent, ticket) else -points
        ticket += 1
    other: i64 = 0
    while other < state.seats:
        if other != seat and state.points[other] + TICKET_GUESS * state.held[other] >= mine:
            return False
        other += 1
    return True
