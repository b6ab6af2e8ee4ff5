"""The outlook: what a seat could work out from the rest of its observation, worked out for it.

Needs by colour, an offer ticket by ticket, what a station would save, trails, and cars counted one by one: an optional
last part of an observation, for policies that are to be small and to learn soon.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from branchline.engine.board import GREY, NOBODY, NONE, filled, zeros
from branchline.observation.aims import Aims
from branchline.observation.layout import FEW_CARS, OFFER_PARTS, Layout, byte
from branchline.observation.ways import FAR, Ways
from branchline.observation.witness import Witness, own_offer

SLACK: Final[i64] = 4
"""A ticket that misses more cars than are left counts as if it missed so many more than these."""


class Outlook:
    """The outlook of one seat; worked out anew only where routes, stations or tickets changed."""

    def __init__(self, layout: Layout, witness: Witness, aims: Aims) -> None:
        board = witness.state.board
        self.layout = layout
        self.witness = witness
        self.aims = aims
        self.seat: i64 = aims.seat
        self.changes: i64 = NONE
        """What this was worked out for: so many routes and stations of everybody, and which tickets."""
        self.hand: i64 = NONE
        self.eased = vec[i64]()
        """For each of the aims' tickets the cars that it misses, own stations helping."""
        self.on = zeros(board.routes)
        """The tickets with a shortest way over each route, as bits in the order of the aims."""
        self.worth = zeros(board.routes)
        """Their points."""
        self.need = zeros(board.kinds)
        self.saves = zeros(board.cities)
        self.joins = zeros(board.cities)

    def refresh(self) -> bool:
        """Bring everything up to date, as the aims are; whether anything may have changed."""
        changes: i64 = len(self.witness.claimed) + len(self.witness.built)
        if self.changes == changes and self.hand == self.aims.hand:
            return False
        self.changes = changes
        self.hand = self.aims.hand
        self._ease()
        self._count_needs()
        return True

    def _ease(self) -> None:
        """Trace the tickets' ways, over routes of others where an own station may borrow them."""
        state = self.witness.state
        board = state.board
        ways = self.witness.ways[self.seat]
        if state.stations[self.seat] < board.rules.stations:
            ways = Ways(state, self.seat, self.layout.start)
            ways.borrow(state)
        self.on = zeros(board.routes)
        self.worth = zeros(board.routes)
        self.saves = zeros(board.cities)
        self.joins = zeros(board.cities)
        self.eased = vec[i64](capacity=len(self.aims.tickets))
        cars = state.cars[self.seat]
        i: i64 = 0
        while i < len(self.aims.tickets):
            ticket = self.aims.tickets[i]
            a = ways.row(board.ticket_a[ticket])
            missing = i64(ways.rows[a + board.ticket_b[ticket]])
            self.eased = append(self.eased, missing)
            if missing > 0:
                b = ways.row(board.ticket_b[ticket])
                if missing <= cars:
                    self._trace(ways, i, a, b, missing)
                if i < self.aims.own and state.stations[self.seat] > 0:
                    self._try_stations(ways, ticket, a, b, min(missing, cars + SLACK))
            i += 1

    def _trace(self, ways: Ways, i: i64, a: i64, b: i64, missing: i64) -> None:
        board = ways.board
        rows = ways.rows
        one: i64 = 1
        route: i64 = 0
        while route < board.routes:
            length = ways.cost[route]
            if 0 < length < FAR:
                x = board.route_a[route]
                y = board.route_b[route]
                if over(rows, a, b, x, y) + length == missing:
                    self.on[route] |= one << i
                    self.worth[route] += board.ticket_points[self.aims.tickets[i]]
            route += 1

    def _try_stations(self, ways: Ways, ticket: i64, a: i64, b: i64, missing: i64) -> None:
        """What a station in each city would save one ticket, with the best route of another that ends there."""
        state = self.witness.state
        board = state.board
        rows = ways.rows
        best = zeros(board.cities)
        route: i64 = 0
        while route < board.routes:
            owner = state.owner[route]
            if owner != NOBODY and owner != self.seat:
                x = board.route_a[route]
                y = board.route_b[route]
                left = over(rows, a, b, x, y)
                if left < missing:
                    best[x] = max(best[x], missing - left)
                    best[y] = max(best[y], missing - left)
            route += 1
        city: i64 = 0
        while city < board.cities:
            if best[city] > 0 and state.station[city] == NOBODY:
                self.saves[city] += best[city]
                if best[city] == missing:
                    self.joins[city] += board.ticket_points[ticket]
            city += 1

    def _count_needs(self) -> None:
        board = self.layout.board
        self.need = zeros(board.kinds)
        route: i64 = 0
        while route < board.routes:
            if self.on[route]:
                colour = board.colour[route]
                self.need[board.wild if colour == GREY else colour] += board.length[route]
            route += 1

    def write(self, out: vec[u8], at: i64) -> None:
        """Write this part of the observation that begins at `at`, unless what was written last still holds."""
        if not self.refresh():
            return
        state = self.witness.state
        layout = self.layout
        board = state.board
        i: i64 = 0
        while i < board.kinds:
            out[at + layout.need + i] = byte(self.need[i])
            i += 1
        i = 0
        while i < board.routes:
            out[at + layout.worth + i] = byte(self.worth[i])
            i += 1
        if layout.stations:
            i = 0
            while i < board.cities:
                out[at + layout.saves + i] = byte(self.saves[i])
                out[at + layout.joins + i] = byte(self.joins[i])
                i += 1
        i = 0
        while i < board.tickets:
            out[at + layout.eased + i] = 0
            i += 1
        i = 0
        while i < self.aims.own:
            out[at + layout.eased + self.aims.tickets[i]] = byte(min(self.eased[i], FAR))
            i += 1
        self._write_places(out, at)
        self._write_offer(out, at)

    def _write_places(self, out: vec[u8], at: i64) -> None:
        state = self.witness.state
        layout = self.layout
        fewest = state.board.rules.cars
        seat: i64 = 0
        while seat < state.seats:
            if seat != self.seat:
                fewest = min(fewest, state.cars[seat])
            seat += 1
        i: i64 = 0
        while i < FEW_CARS:
            out[at + layout.few_cars + i] = 1 if state.cars[self.seat] <= i else 0
            out[at + layout.few_cars + FEW_CARS + i] = 1 if fewest <= i else 0
            i += 1
        if state.board.rules.trail_points > 0:
            place: i64 = 0
            while place < layout.places:
                there = place < state.seats
                who = (self.seat + place) % state.seats
                out[at + layout.trail + place] = byte(self.witness.trail(who)) if there else u8(0)
                place += 1

    def _write_offer(self, out: vec[u8], at: i64) -> None:
        """The offered tickets in the order of their numbers, and what the ways of each two have in common."""
        state = self.witness.state
        layout = self.layout
        places = filled(layout.offers, NONE)
        for one in own_offer(state, self.seat):
            rank: i64 = 0
            for other in own_offer(state, self.seat):
                if other < one:
                    rank += 1
            i: i64 = self.aims.own
            while self.aims.tickets[i] != one:
                i += 1
            places[rank] = i
        here = at + layout.offer
        own: i64 = (1 << self.aims.own) - 1
        for i in places:
            if i == NONE:
                part: i64 = 0
                while part < OFFER_PARTS:
                    out[here + part] = 0
                    part += 1
            else:
                missing = min(self.eased[i], FAR)
                out[here] = 1
                out[here + 1] = byte(state.board.ticket_points[self.aims.tickets[i]])
                out[here + 2] = byte(missing)
                out[here + 3] = 1 if missing > state.cars[self.seat] else 0
                out[here + 4] = byte(self._common(1 << i, own))
            here += OFFER_PARTS
        here = at + layout.common
        first: i64 = 0
        while first < layout.offers:
            second = first + 1
            while second < layout.offers:
                both = places[first] != NONE and places[second] != NONE
                out[here] = byte(self._common(1 << places[first], 1 << places[second])) if both else u8(0)
                here += 1
                second += 1
            first += 1

    def _common(self, some: i64, others: i64) -> i64:
        """Cars of open routes on ways both of some tickets and of others."""
        board = self.layout.board
        cars: i64 = 0
        route: i64 = 0
        while route < board.routes:
            if self.on[route] & some and self.on[route] & others:
                cars += board.length[route]
            route += 1
        return cars


def over(rows: vec[u8], a: i64, b: i64, x: i64, y: i64) -> i64:
    """The cars of a way between the cities whose rows begin at `a` and `b`, over a route from x to y but without it."""
    return min(i64(rows[a + x]) + i64(rows[b + y]), i64(rows[a + y]) + i64(rows[b + x]))
