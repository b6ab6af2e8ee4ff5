"""Networks, the slow way: longest trail, completed tickets and borrowed routes by trying everything, with networkx."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import networkx as nx

from branchline import Map
from branchline.maps import Route

Position = dict[str, Any]


def routes_of(map: Map, position: Position, seat: int) -> list[Route]:
    return [route for route in map.routes if position["owners"].get(route.id) == seat]


def longest_trail(routes: Collection[Route]) -> int:
    """The longest stroke over routes none of which is used twice (R7.2)."""
    own = list(routes)

    @cache
    def onwards(city: str, used: int) -> int:
        best = 0
        for n, route in enumerate(own):
            if not used >> n & 1 and city in (route.a, route.b):
                there = route.b if city == route.a else route.a
                best = max(best, route.length + onwards(there, used | 1 << n))
        return best

    return max((onwards(end, 0) for route in own for end in (route.a, route.b)), default=0)


def is_trail(trail: list[Route]) -> bool:
    """Whether these routes, in this order, can be drawn in one stroke."""
    ends = [{route.a, route.b} for route in trail]
    here = set(ends[0]) if ends else set()
    for pair in ends:
        here = {city for city in pair for other in pair if other != city and other in here}
        if not here:
            return False
    return len({route.id for route in trail}) == len(trail)


@dataclass(frozen=True)
class Borrowed:
    """The best that stations can do (R6.5)."""

    points: int
    completed: int
    routes: tuple[int, ...]
    """The numbers of the routes borrowed, ascending."""


def completed(map: Map, tickets: Collection[str], routes: Collection[Route]) -> set[str]:
    """Which of these tickets the routes complete (R5.4)."""
    graph: nx.Graph[str] = nx.Graph((route.a, route.b) for route in routes)
    graph.add_nodes_from(city.id for city in map.cities)
    ends = {ticket.id: ticket for ticket in map.tickets}
    return {id for id in tickets if nx.has_path(graph, ends[id].a, ends[id].b)}


def borrow(map: Map, position: Position, seat: int) -> Borrowed:
    """Try every station with every route of another that ends in its city, or none."""
    own = routes_of(map, position, seat)
    tickets = position["seats"][seat]["tickets"]
    worth = {ticket.id: ticket.points for ticket in map.tickets}
    others = [n for n, route in enumerate(map.routes) if position["owners"].get(route.id, seat) != seat]
    offers = [
        [None, *(n for n in others if city in (map.routes[n].a, map.routes[n].b))]
        for city, owner in position["stations"].items()
        if owner == seat
    ]
    best: tuple[tuple[int, int, int, tuple[int, ...]], Borrowed] | None = None
    for choice in product(*offers):
        borrowed = tuple(sorted(n for n in choice if n is not None))
        done = completed(map, tickets, [*own, *(map.routes[n] for n in borrowed)])
        points = sum(worth[id] if id in done else -worth[id] for id in tickets)
        rank = (-points, -len(done), len(borrowed), borrowed)
        if best is None or rank < best[0]:
            best = rank, Borrowed(points, len(done), borrowed)
    assert best is not None
    return best[1]


@dataclass(frozen=True)
class Count:
    """What one seat scores (R7.6)."""

    routes: int
    ticket_points: int
    completed: int
    borrowed: tuple[int, ...]
    stations: int
    stations_built: int
    trail_length: int
    bonus: int
    attractions: int

    @property
    def total(self) -> int:
        return self.routes + self.ticket_points + self.stations + self.bonus + self.attractions

    @property
    def key(self) -> tuple[int, int, int, int]:
        """What ranks are decided by, in this order (R7.4, R7.5)."""
        return self.total, self.completed, -self.stations_built, self.bonus


def score(map: Map, position: Position) -> list[Count]:
    """Count a whole table."""
    rules = map.rules
    trails = [longest_trail(routes_of(map, position, seat)) for seat in range(len(position["seats"]))]
    counts = []
    for seat, trail in enumerate(trails):
        own = routes_of(map, position, seat)
        borrowed = borrow(map, position, seat)
        built = sum(owner == seat for owner in position["stations"].values())
        ends = {city for route in own for city in (route.a, route.b)}
        counts.append(
            Count(
                routes=sum(map.points[route.length] for route in own),
                ticket_points=borrowed.points,
                completed=borrowed.completed,
                borrowed=borrowed.routes,
                stations=(rules.stations - built) * rules.station_points,
                stations_built=built,
                trail_length=trail if rules.trail_points else 0,
                bonus=rules.trail_points if trail and trail == max(trails) else 0,
                attractions=rules.attraction_points * sum(city.attraction and city.id in ends for city in map.cities),
            )
        )
    return counts
