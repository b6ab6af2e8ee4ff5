"""What one seat's tickets still need: cars missing, and the open routes that lie on their ways.

A ticket's ways are looked at anew only when a route that lies on or near them was closed, or an own claim came near.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from branchline.engine.board import NONE, filled, zeros
from branchline.engine.stages import OPENING, TICKET_OFFER
from branchline.observation.layout import Layout, byte
from branchline.observation.ways import FAR
from branchline.observation.witness import Witness, own_offer

NEAR: Final[i64] = 2
"""A way so many cars longer than the shortest is still near it."""


class Aims:
    """The tickets that a seat holds or is offered, and their ways."""

    def __init__(self, layout: Layout, witness: Witness, seat: i64, out: vec[u8], at: i64) -> None:
        """What lies on the ways stands in the seat's observation, in `out` from `at` on."""
        board = witness.state.board
        self.out = out
        self.on_way: i64 = at + layout.on_way
        self.near_way: i64 = at + layout.near_way
        self.points: i64 = at + layout.way_points
        self.witness = witness
        self.seat: i64 = seat
        self.version: i64 = 0
        """Changes whenever anything here may have."""
        self.gained: i64 = 0
        """How many own claims and how many closed routes of its ways have been taken in."""
        self.closed: i64 = 0
        self.hand: i64 = NONE
        """For which tickets: how many are held, whether there is an offer, and whether it was answered."""
        self.tickets = vec[i64]()
        """Own tickets, then offered ones."""
        self.own: i64 = 0
        """How many are own."""
        self.missing = filled(board.tickets, NONE)
        """For each of `tickets`, the fewest cars that would join it; FAR if none can, NONE for all others."""
        self.marks = [vec[i64]()] * int(board.tickets)
        """The open routes on or near the shortest ways of each: twice the route, and one more if it is only near."""
        self.counted = zeros(board.tickets)
        """Whether the marks of each ticket are counted in the observation: it can still be joined."""
        self.way_points = zeros(board.routes)
        """The same as in the observation, which is cut to a byte."""

    def refresh(self) -> None:
        """Bring everything up to date."""
        state = self.witness.state
        ways = self.witness.ways[self.seat]
        hand = state.held[self.seat] * 4
        if state.stage == OPENING:
            hand += 2
            if state.answers[self.seat] != NONE:
                hand += 1
        elif state.stage == TICKET_OFFER and state.seat == self.seat:
            hand += 2
        gained: i64 = len(ways.gained)
        closed: i64 = len(ways.closed)
        if hand == self.hand and gained == self.gained and closed == self.closed:
            return
        self.version += 1
        if hand != self.hand:
            self.hand = hand
            self._gather()
        for ticket in self.tickets:
            self._follow(ticket)
        self.gained = gained
        self.closed = closed

    def _gather(self) -> None:
        """Find the tickets; forget those that were offered and not kept."""
        state = self.witness.state
        before = self.tickets
        self.tickets = vec[i64](capacity=8)
        ticket: i64 = 0
        while ticket < state.board.tickets:
            if state.holder[ticket] == self.seat:
                self.tickets = append(self.tickets, ticket)
            ticket += 1
        self.own = len(self.tickets)
        for ticket in own_offer(state, self.seat):
            self.tickets = append(self.tickets, ticket)
        for ticket in before:
            if ticket not in self.tickets:
                self._count(ticket, False)
                self.missing[ticket] = NONE

    def _follow(self, ticket: i64) -> None:
        """Take in what has happened to the ways of a ticket."""
        missing = self.missing[ticket]
        if missing == 0 or missing == FAR:  # joined or cut off, it stays so
            return
        cars = self.witness.state.cars[self.seat]
        # A ticket that the cars left can't join never can again: only its shortest ways are of interest.
        near = NEAR if missing <= cars else i64(0)
        if missing == NONE or self._is_cut(ticket) or self._is_eased(ticket, missing + near):
            self._count(ticket, False)
            ways = self.witness.ways[self.seat]
            board = ways.board
            a = ways.row(board.ticket_a[ticket])
            missing = i64(ways.rows[a + board.ticket_b[ticket]])
            self.missing[ticket] = missing
            if 0 < missing < FAR:
                self._mark(ticket, missing, NEAR if missing <= cars else i64(0))
        self._count(ticket, 0 < missing <= cars)

    def _is_cut(self, ticket: i64) -> bool:
        """Whether a route on or near its ways was closed."""
        closed = self.witness.ways[self.seat].closed
        i = self.closed
        while i < len(closed):
            for mark in self.marks[ticket]:
                if mark >> 1 == closed[i]:
                    return True
            i += 1
        return False

    def _is_eased(self, ticket: i64, most: i64) -> bool:
        """Whether an own claim came so near that its ways may have changed: on a way of so many cars at most."""
        ways = self.witness.ways[self.seat]
        if len(ways.gained) == self.gained:
            return False
        board = ways.board
        a = ways.row_at_most(board.ticket_a[ticket])
        b = ways.row_at_most(board.ticket_b[ticket])
        rows = ways.rows
        gained = ways.gained
        i = self.gained
        while i < len(gained):
            x = board.route_a[gained[i]]
            y = board.route_b[gained[i]]
            if i64(rows[a + x]) + i64(rows[b + y]) <= most or i64(rows[a + y]) + i64(rows[b + x]) <= most:
                return True
            i += 1
        return False

    def _mark(self, ticket: i64, missing: i64, near: i64) -> None:
        """Note each open route that lies on a shortest way of a ticket, or on one that is so much longer at most."""
        ways = self.witness.ways[self.seat]
        board = ways.board
        b = ways.row(board.ticket_b[ticket])
        a = ways.row_at[board.ticket_a[ticket]]
        rows = ways.rows
        cost = ways.cost
        near_start = board.near_start
        near_route = board.near_route
        near_city = board.near_city
        marks = vec[i64](capacity=16)
        most = missing + near
        x: i64 = 0
        while x < board.cities:
            from_a = i64(rows[a + x])
            from_b = i64(rows[b + x])
            if from_a + from_b <= most:  # a way through a city is no shorter, and most cities are far from it
                i = near_start[x]
                end = near_start[x + 1]
                while i < end:
                    y = near_city[i]
                    if x < y:  # each route at one of its ends
                        route = near_route[i]
                        length = cost[route]
                        if 0 < length < FAR:
                            over = from_a + i64(rows[b + y])
                            other = from_b + i64(rows[a + y])
                            if other < over:
                                over = other
                            over += length
                            if over == missing:
                                marks = append(marks, 2 * route)
                            elif over <= most:
                                marks = append(marks, 2 * route + 1)
                    i += 1
            x += 1
        self.marks[ticket] = marks

    def _count(self, ticket: i64, counts: bool) -> None:
        """Let the marks of a ticket count, or count no more."""
        by: i64 = -self.counted[ticket]
        if counts:
            by += 1
        if by == 0:
            return
        self.counted[ticket] += by
        points = self.witness.state.board.ticket_points[ticket] * by
        out = self.out
        way_points = self.way_points
        for mark in self.marks[ticket]:
            route = mark >> 1
            if mark & 1:
                here = self.near_way + route
            else:
                here = self.on_way + route
                way_points[route] += points
                out[self.points + route] = byte(way_points[route])
            out[here] = u8(i64(out[here]) + by)
