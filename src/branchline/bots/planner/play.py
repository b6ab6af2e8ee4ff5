"""How a planner acts on its plan: what to claim, what to draw, when to build, and how to end."""

from typing import Final

from mypy_extensions import i64

from branchline.bots.planner.claims import Claims
from branchline.bots.planner.draws import best_draw
from branchline.bots.planner.ending import best_now
from branchline.bots.planner.facts import hand_of
from branchline.bots.planner.needs import Needs
from branchline.bots.planner.payments import claim, station
from branchline.bots.planner.plan import FOR_POINTS, FOR_TICKETS, Plan
from branchline.bots.planner.silence import waits
from branchline.bots.planner.survey import Survey
from branchline.bots.planner.weights import Weights
from branchline.engine.board import BUILD, CLAIM, NONE, Board
from branchline.engine.legal import fewest, legal
from branchline.engine.stages import OPENING, SECOND_DRAW, TICKET_OFFER, TUNNEL_OWED
from branchline.engine.state import State

WHY_KEEP: Final[i64] = 1
WHY_TICKET: Final[i64] = 2
"""Claims a route of a way that its tickets need."""
WHY_POINTS: Final[i64] = 3
WHY_STATION: Final[i64] = 4
WHY_TICKETS: Final[i64] = 5
"""Draws tickets: those it has are joined."""
WHY_CARDS: Final[i64] = 6
"""Draws cards for the first route it wants."""
WHY_TUNNEL: Final[i64] = 7
WHY_LAST: Final[i64] = 8
"""The last turn: takes what brings the most now."""
WHY_STUCK: Final[i64] = 9

STATIONS_LATE: Final[i64] = 400
"""With no more turns to go than these, in hundredths, stations are built though routes are still open."""
STUCK_WILD: Final[i64] = 10
"""Where nothing can be drawn, in hundredths of a point: what a wild of a claim counts against it."""
STUCK_BUILD: Final[i64] = -500
"""What a station does: more than its points (R6.4)."""
STUCK_TICKETS: Final[i64] = -1200
"""And what drawing tickets does that nobody has the cards for."""


class Planner:
    """Plays one seat. It may be asked again and again in one game, or in many."""

    def __init__(self, board: Board, seat: i64, weights: Weights, thorough: bool) -> None:
        """A thorough one for the table, a quick one for playouts."""
        self.board = board
        self.seat: i64 = seat
        self.weights = weights
        self.thorough = thorough
        self.plan = Plan(board, seat, weights, thorough)
        self.needs: Needs | None = None
        """What the plan needed in the last position that was looked at."""
        self.why: i64 = 0
        self.about: i64 = NONE
        """The route, city or subset the reason is about."""

    def choose(self, state: State) -> i64:
        """The index of what this seat does now; `why` and `about` say the reason."""
        if state.stage == OPENING or state.stage == TICKET_OFFER:
            return self._keep(state)
        if state.stage == TUNNEL_OWED:
            return self._answer_tunnel(state)
        if self.thorough and state.stage != SECOND_DRAW:
            self.plan.make(state)
        else:
            self.plan.keep_up(state)
        needs = Needs(self.plan, hand_of(state, self.seat))
        self.needs = needs
        index = NONE
        if state.stage != SECOND_DRAW and not waits(state, self.seat, needs):
            index = self._take_turn(state, needs)
        if index == NONE:
            index = best_draw(state, self.seat, needs)
            self._because(WHY_CARDS, self.plan.routes[0] if len(self.plan.routes) > 0 else NONE)
        return index if index != NONE else self._anything(state)

    def look(self, state: State) -> Needs:
        """Plan anew, and see what that needs."""
        self.plan.make(state)
        needs = Needs(self.plan, hand_of(state, self.seat))
        self.needs = needs
        return needs

    def _because(self, why: i64, about: i64) -> None:
        self.why = why
        self.about = about

    def _keep(self, state: State) -> i64:
        at = self.seat * self.board.opening
        offer = state.offer[at : at + self.board.opening] if state.stage == OPENING else state.offer
        survey = Survey(state, self.seat, self.weights, self.thorough)
        kept = survey.best_kept(offer, fewest(state))
        self.plan.forget()
        self._because(WHY_KEEP, kept)
        return self.board.keep_index(kept)

    def _answer_tunnel(self, state: State) -> i64:
        """Pay what is owed, with as few wilds as can be."""
        actions = legal(state, self.seat)
        self._because(WHY_TUNNEL, state.route)
        return actions[1] if len(actions) > 1 else actions[0]

    def _take_turn(self, state: State, needs: Needs) -> i64:
        """What to do with a turn; NONE to draw cards."""
        if state.last != NONE:
            index = best_now(state, self.seat, needs)
            if index != NONE:
                self._because(WHY_LAST, NONE)
                return index
        claims = Claims(state, self.seat, needs)
        index, route = claims.best(FOR_TICKETS)
        if index != NONE:
            self._because(WHY_TICKET, route)
            return index
        index = self._build(state, needs)
        if index != NONE:
            return index
        if self.plan.more_tickets and state.last == NONE and len(state.ticket_deck) > 0:
            self._because(WHY_TICKETS, NONE)
            return self.board.tickets_at
        index, route = claims.best(FOR_POINTS)
        if index != NONE:
            self._because(WHY_POINTS, route)
        return index

    def _build(self, state: State, needs: Needs) -> i64:
        """Build where the plan borrows, once its other routes are there or time runs short; NONE if not yet."""
        if len(self.plan.borrow) == 0 or state.stations[self.seat] == 0:
            return NONE
        if self.plan.wants_for_tickets() and self.plan.turns > STATIONS_LATE:
            return NONE
        city = self.plan.site(state)
        if city == NONE:
            return NONE
        self._because(WHY_STATION, city)
        return station(state, self.seat, needs, city)

    def _anything(self, state: State) -> i64:
        """Where nothing can be drawn: the claim of most points, or whatever is legal."""
        board = self.board
        actions = legal(state, self.seat)
        best: i64 = NONE
        best_worth: i64 = 0
        for action in actions:
            kind = board.action_kind[action]
            worth: i64 = 0
            if kind == CLAIM:
                worth = board.points[board.action_what[action]] * 100 - board.action_wilds[action] * STUCK_WILD
            elif kind == BUILD:
                worth = STUCK_BUILD
            elif action == board.tickets_at:
                worth = STUCK_TICKETS
            if best == NONE or worth > best_worth:
                best = action
                best_worth = worth
        self._because(WHY_STUCK, NONE)
        return best

    def claim_of(self, state: State, route: i64) -> i64:
        """The index of claiming a route in the position chosen in last; NONE if the hand can't pay it."""
        needs = self.needs
        return NONE if needs is None else claim(state, self.seat, needs, route).index

    def station_of(self, state: State, city: i64) -> i64:
        """The index of building in a city in the position chosen in last; NONE if the hand can't pay it."""
        needs = self.needs
        return NONE if needs is None or city == NONE else station(state, self.seat, needs, city)

    def worth_of(self, card: i64) -> i64:
        """What one more card of a colour was worth in the position chosen in last."""
        needs = self.needs
        return i64(0) if needs is None else needs.worth[card]
