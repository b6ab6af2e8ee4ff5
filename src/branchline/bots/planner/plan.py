"""What a seat wants: the routes that complete its tickets, those worth their points, and how long there is for it.

A plan reads only what its seat may see of a state: its own hand and tickets, what lies on the table, and how many cards
others hold. So it works alike on the shadow of a sight and on a sampled world.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.planner.facts import building_site, is_joined
from branchline.bots.planner.riches import Riches
from branchline.bots.planner.survey import Selection, Survey
from branchline.bots.planner.weights import Weights
from branchline.engine.board import GREY, NOBODY, NONE, Board, zeros
from branchline.engine.legal import barred
from branchline.engine.network import root
from branchline.engine.refusals import LEGAL
from branchline.engine.state import State

FOR_TICKETS: Final[i64] = 1
FOR_POINTS: Final[i64] = 2
STALE: Final[i64] = 5
"""Turns of each seat after which a plan is made anew, whatever became of it."""


class Plan:
    """The plan of one seat, made anew when what it wants is gone."""

    def __init__(self, board: Board, seat: i64, weights: Weights, thorough: bool) -> None:
        """A thorough plan tries more orders of tickets; a quick one is for playouts."""
        self.board = board
        self.seat: i64 = seat
        self.weights = weights
        self.thorough = thorough
        self.wanted = zeros(board.routes)
        """FOR_TICKETS or FOR_POINTS, where a route is wanted."""
        self.routes = vec[i64]()
        """The wanted routes: those for tickets first, coloured ones before grey ones."""
        self.borrow = vec[i64]()
        """Routes of others that stations are to borrow."""
        self.turns: i64 = 0
        """Turns this seat can still expect, in hundredths."""
        self.ticket_turns: i64 = 0
        """Turns the tickets' routes still take, in hundredths."""
        self.more_tickets = False
        """Whether tickets should be drawn once the present ones are joined."""
        self.held: i64 = NONE
        """Tickets held when the plan was made; NONE before the first plan."""
        self.made: i64 = 0
        """The turn of the game in which it was made."""
        self.dropped = vec[i64]()
        """Tickets given up."""
        self.aims = vec[i64]()
        """Tickets to be joined."""
        self.parent = vec[i64]()
        """Which cities the own routes joined when the plan was made."""

    def forget(self) -> None:
        """Make the next plan from scratch: another game, or other tickets."""
        self.held = NONE

    def keep_up(self, state: State) -> None:
        """Plan again if something wanted is gone, done or dated."""
        if self._is_dated(state):
            self.make(state)
            return
        kept = vec[i64](capacity=len(self.routes))
        for route in self.routes:
            if state.owner[route] != self.seat:
                kept = append(kept, route)
        if len(kept) == len(self.routes):
            return
        for route in self.routes:
            if state.owner[route] == self.seat:
                self.wanted[route] = 0
        self.routes = kept
        if not self.wants_for_tickets():
            self.make(state)

    def _is_dated(self, state: State) -> bool:
        if self.held != state.held[self.seat] or len(self.routes) == 0 or state.turn - self.made > STALE * state.seats:
            return True
        for route in self.routes:
            if state.owner[route] != self.seat and barred(state, route, self.seat) != LEGAL:
                return True
        return False

    def make(self, state: State) -> None:
        """Plan from scratch."""
        survey = Survey(state, self.seat, self.weights, self.thorough)
        selection = survey.select(survey.open)
        self.held = state.held[self.seat]
        self.made = state.turn
        self.turns = survey.turns
        self.parent = survey.parent
        self.aims = selection.aims
        self.dropped = selection.dropped
        self.ticket_turns = survey.turns_for(selection.network)
        self._want(state, selection)
        joined = not self.wants_for_tickets()
        self.more_tickets = joined and len(self.dropped) == 0 and survey.wants_tickets()
        left = self.turns if joined else self.turns - self.ticket_turns
        for route in Riches(survey, self.routes, self.wanted, left).find(self.weights.fill):
            self.wanted[route] = FOR_POINTS
        self.routes = self._listed()

    def _want(self, state: State, selection: Selection) -> None:
        """Want what the tickets take."""
        self.wanted = zeros(self.board.routes)
        self.borrow = vec[i64]()
        route: i64 = 0
        while route < self.board.routes:
            if selection.network.has[route]:
                if state.owner[route] == NOBODY:
                    self.wanted[route] = FOR_TICKETS
                elif state.owner[route] != self.seat:
                    self.borrow = append(self.borrow, route)
            route += 1
        self.routes = self._listed()

    def _listed(self) -> vec[i64]:
        """The wanted routes in their order."""
        out = vec[i64]()
        reason: i64 = FOR_TICKETS
        while reason <= FOR_POINTS:
            out = self._add(self._add(out, reason, False), reason, True)
            reason += 1
        return out

    def _add(self, out: vec[i64], reason: i64, grey: bool) -> vec[i64]:
        route: i64 = 0
        while route < self.board.routes:
            if self.wanted[route] == reason and (self.board.colour[route] == GREY) == grey:
                out = append(out, route)
            route += 1
        return out

    def wants_for_tickets(self) -> bool:
        """Whether a route is still wanted for tickets."""
        return len(self.routes) > 0 and self.wanted[self.routes[0]] == FOR_TICKETS

    def open_routes(self) -> i64:
        """How many routes are still wanted for tickets."""
        n: i64 = 0
        for route in self.routes:
            if self.wanted[route] == FOR_TICKETS:
                n += 1
        return n

    def served(self, route: i64) -> vec[i64]:
        """The tickets that a wanted route serves: without it the plan would not join them."""
        board = self.board
        out = vec[i64]()
        if self.wanted[route] != FOR_TICKETS:
            return out
        parent = self.parent[:]
        for other in self.routes:
            if other != route and self.wanted[other] == FOR_TICKETS:
                parent[root(parent, board.route_a[other])] = root(parent, board.route_b[other])
        for other in self.borrow:
            parent[root(parent, board.route_a[other])] = root(parent, board.route_b[other])
        for ticket in self.aims:
            if not is_joined(board, parent, ticket):
                out = append(out, ticket)
        return out

    def site(self, state: State) -> i64:
        """Where a station would help the plan; NONE if nowhere."""
        for route in self.borrow:
            a, b = self.board.route_a[route], self.board.route_b[route]
            if state.station[a] != self.seat and state.station[b] != self.seat:
                return building_site(state, route)
        return NONE
