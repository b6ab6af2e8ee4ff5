"""What a choice serves, and what is to be feared for it: facts of the position, true whoever decides and why.

A ticket is measured by the cars that its cheapest way still takes: own routes take none, open ones their length, and a
station that stands may borrow one route of another that ends in its city. Stations that are not built yet count for
nothing.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product

from branchline.engine.board import BUILD, CLAIM, KEEP, NOBODY, NONE, to_vec
from branchline.engine.legal import is_open
from branchline.engine.network import path
from branchline.engine.worlds import shadow
from branchline.names import names_of
from branchline.views import View

Cars = dict[int, int | None]
"""For each ticket the cars that it misses; None for one that can't be joined any more."""


class Stakes:
    """The tickets of a view's seat, and what one action does for them."""

    def __init__(self, view: View) -> None:
        self.names = names_of(view.map)
        self.sight = view.sight
        self.board = view.sight.board
        self.seat = int(view.sight.seat)
        self.state = shadow(view.sight)
        self.cars = int(view.sight.cars[self.seat])

    @cached_property
    def missing(self) -> Cars:
        """As things stand."""
        return self._missing(self._costs(), self._stations())

    def serves(self, index: int) -> list[str]:
        """The own tickets that an action brings nearer by all that it places; for an answer to an offer those kept.

        What a claim brings nearer by a part of its cars only is told by `along`.
        """
        kind, what = self.board.action_kind[index], int(self.board.action_what[index])
        if kind == KEEP:
            return [self.names.tickets[ticket] for place, ticket in enumerate(self.sight.offer) if what >> place & 1]
        if kind == CLAIM:
            return self._nearer(self._claimed(what), int(self.board.length[what]))
        if kind == BUILD:
            return self._nearer(self._missing(self._costs(), [*self._stations(), what]), 0)
        return []

    def along(self, route: int) -> list[str]:
        """The own tickets that would come nearer at all by claiming a route."""
        return self._nearer(self._claimed(route), int(self.board.length[route]), 1)

    def is_idle(self, route: int) -> bool:
        """Whether no ticket would miss fewer cars by claiming a route, not even one that can't be joined any more."""
        before = self.missing
        return all(cars is None or cars == before[ticket] for ticket, cars in self._claimed(route).items())

    def _nearer(self, after: Cars, placed: int, least: int | None = None) -> list[str]:
        """The tickets that come nearer by so many cars, and within those that are left when some are placed.

        By all that were placed where `least` says nothing, or at all where none were. What is joined has come near
        enough, whatever the way took.
        """
        least = max(placed, 1) if least is None else least
        out = []
        for ticket, before in self.missing.items():
            now = after[ticket]
            if now is None or now > self.cars - placed:
                continue
            if before is None or before - now >= least or now == 0 < before:
                out.append(self.names.tickets[ticket])
        return out

    def collected_for(self, colour: int) -> tuple[str, list[str]] | None:
        """A route on the way of tickets that a card of a colour pays for, and these tickets: as many as can be."""
        best: tuple[str, list[str]] | None = None
        held, wilds = self.sight.hand[colour], self.sight.hand[self.board.wild]
        for route, cost in enumerate(self._costs()):
            if self.board.colour[route] == colour and cost > held + wilds:
                tickets = self._nearer(self._claimed(route), cost)
                if tickets and (best is None or len(tickets) > len(best[1])):
                    best = self.names.routes[route], tickets
        return best

    def lost(self, route: int) -> dict[str, int | None]:
        """What the tickets would miss more if another took a route: cars, or None where their way would be cut off.

        Cut off is also what takes more cars than there are. A half of a double route that stays open is no loss.
        """
        closed = {route: int(NONE)}
        twin = int(self.board.twin[route])
        if twin != NONE and self.sight.seats < self.board.rules.twins_from:  # R4.5
            closed[twin] = int(NONE)
        out: dict[str, int | None] = {}
        after = self._missing(self._costs(closed), self._stations(), taken=route)
        for ticket, before in self.missing.items():
            if before is not None and 0 < before <= self.cars:
                later = after[ticket]
                if later is None or later > self.cars:
                    out[self.names.tickets[ticket]] = None
                elif later > before:
                    out[self.names.tickets[ticket]] = later - before
        return out

    def near(self, route: int) -> list[int]:
        """The other seats that have routes at an end of a route, and cars enough to take it."""
        board, owner = self.board, self.state.owner
        ends = {int(board.route_a[route]), int(board.route_b[route])}
        there = {
            int(owner[other])
            for other in range(board.routes)
            if owner[other] not in (NOBODY, self.seat) and ends & {int(board.route_a[other]), int(board.route_b[other])}
        }
        return sorted(
            seat for seat in there if is_open(self.state, route, seat) and self.sight.cars[seat] >= board.length[route]
        )

    def open(self, index: int) -> list[str]:
        """The own tickets that are not joined yet and still can be after a turn's action, with the cars left."""
        kind, what = self.board.action_kind[index], int(self.board.action_what[index])
        missing, cars = self.missing, self.cars
        if kind == CLAIM:
            missing, cars = self._claimed(what), cars - int(self.board.length[what])
        elif kind == BUILD:
            missing = self._missing(self._costs(), [*self._stations(), what])
        return [self.names.tickets[ticket] for ticket, cost in missing.items() if cost is not None and 0 < cost <= cars]

    def fears(self, route: int) -> dict[str, object]:
        """For a claim: who comes near the route, and what would be lost without it; empty where nothing is."""
        near = self.near(route)
        lost = self.lost(route) if near else {}
        return {"near": near, "lost": lost} if lost else {}

    def _claimed(self, route: int) -> Cars:
        """What the tickets would miss with a route claimed."""
        return self._missing(self._costs({route: 0}), self._stations())

    def _costs(self, changed: dict[int, int] | None = None) -> list[int]:
        """Cars that each route takes; NONE for those that can't be had."""
        out = []
        for route in range(self.board.routes):
            if self.state.owner[route] == self.seat:
                out.append(0)
            elif is_open(self.state, route, self.seat):
                out.append(int(self.board.length[route]))
            else:
                out.append(int(NONE))
        for route, cost in (changed or {}).items():
            out[route] = cost
        return out

    def _stations(self) -> list[int]:
        """The cities of the own stations."""
        return [city for city in range(self.board.cities) if self.state.station[city] == self.seat]

    def _missing(self, costs: list[int], stations: Sequence[int], taken: int = NONE) -> Cars:
        """What each own ticket misses at these costs with stations in these cities; `taken`: by another, by then."""
        out: Cars = dict.fromkeys(int(ticket) for ticket in self.sight.tickets)
        for borrowed in self._borrowings(stations, taken):
            tried = list(costs)
            for route in borrowed:
                tried[route] = 0
            table = to_vec(tried)
            for ticket, least in out.items():
                way = path(self.board, table, self.board.ticket_a[ticket], self.board.ticket_b[ticket])
                if len(way):
                    cars = sum(tried[route] for route in way)
                    out[ticket] = cars if least is None else min(least, cars)
        return out

    def _borrowings(self, stations: Sequence[int], taken: int) -> Iterator[tuple[int, ...]]:
        """Every way in which stations may borrow a route each."""
        board, owner = self.board, self.state.owner
        choices = [
            [
                route
                for route in range(board.routes)
                if (route == taken or owner[route] not in (NOBODY, self.seat))
                and city in (board.route_a[route], board.route_b[route])
            ]
            for city in stations
        ]
        return product(*(routes for routes in choices if routes))
