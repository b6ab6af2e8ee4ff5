"""The longest trail of a tangled network: a frontier moves over it, route by route.

A trail can use all routes of a connected network in which an odd number of them meet in at most two cities (Euler), so
the longest trail is the longest such part of a network. Each route is taken or left, one after the other, and of all
that was decided only the frontier counts for what may follow: the cities with both decided and undecided routes, which
of them are joined, and in which an odd number of taken routes meet. Of all decisions that look the same there the
longest is kept. A search over trails meets the same routes again in every order; this looks at each frontier once.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import NONE, Board, filled, zeros

SLOT: Final = 6
"""Bits for one city of a frontier: whether an odd number of routes meet in it, and its group, 0 where none is taken."""
ENDS: Final = 2
"""Bits for how many ends of the trail lie behind the frontier."""


class Frontier:
    """The longest trail of one connected part of a network."""

    def __init__(self, board: Board, routes: vec[i64], best: i64) -> None:
        """`routes` are the part's; only a trail longer than `best` is looked for."""
        self.board = board
        self.routes = routes
        self.size: int = len(routes)
        self.best: i64 = best
        self.taken = 0
        """The routes of the best trail, a bit for each, that of the first highest; 0 if none is longer."""
        self.work: i64 = 0
        """How many frontiers there were: what the search costs."""
        self.mine = zeros(board.routes)
        self.degree = zeros(board.cities)
        self.total: i64 = 0
        for route in routes:
            self.mine[route] = 1
            self.degree[board.route_a[route]] += 1
            self.degree[board.route_b[route]] += 1
            self.total += board.length[route]
        self.distance = self._distances()
        self.order = self._route_order()
        self._begin()

    def _begin(self) -> None:
        """Nothing is decided."""
        self.ahead = self.degree[:]
        """How many routes of each city are undecided."""
        self.left: i64 = self.total
        """The length of all undecided routes."""
        self.cities = vec[i64]()
        """The cities of the frontier, each in its slot."""
        self.group = vec[i64]()
        """The group of each slot, in the frontier that is looked at."""
        self.odd = vec[i64]()
        """Whether an odd number of taken routes meet there."""
        self.open_routes = vec[i64]()
        """How many routes of each slot are undecided."""
        self.slot_waste = vec[i64]()
        self.number = vec[i64]()
        """How groups are numbered anew."""
        self.known: dict[int, int] = {0: 0}
        """The longest way to each frontier: its length, then a bit for each of its routes."""
        self.next: dict[int, int] = {}
        self.waste = zeros(self.board.cities)
        """Where a number of undecided routes has to be left that is odd: how far the next such city is at least."""
        self.waste_ahead: i64 = 0
        """The sum of these for the cities beyond the frontier."""
        self.waste_most: i64 = 0
        self._look_ahead()

    def run(self) -> vec[i64]:
        """The routes of the longest trail in the order of a walk; none if `best` is not beaten."""
        beaten = self.best
        # Little looks like it could reach a high aim, so each is quickly given up until the right one is met.
        self.best = self._most(0, 0) - 1
        while self.best >= beaten:
            aim = self.best
            for place in self.order:
                self._decide(place)
            if self.taken:
                break
            self.best = aim - 1
            self._begin()
        routes = vec[i64]()
        bit = self.size
        for route in self.routes:
            bit -= 1
            if self.taken >> bit & 1:
                routes = append(routes, route)
        return walk(self.board, routes)

    def _most(self, wrong: i64, ends: i64) -> i64:
        """What undecided routes can add at most.

        Those that are left join, two by two, the cities where an odd number of them has to be left, but for the ends of
        the trail: each such city costs half the way to the next. `wrong` is the sum of these ways in the frontier.
        """
        spare = wrong + self.waste_ahead - (2 - ends) * self.waste_most
        return self.left - (max(i64(0), spare) + 1) // 2

    def _decide(self, place: i64) -> None:
        """Take or leave one route in every frontier."""
        board = self.board
        route = self.routes[place]
        a, b = board.route_a[route], board.route_b[route]
        for city in (a, b):
            if city not in self.cities:
                self.cities = append(self.cities, city)
            self.ahead[city] -= 1
        self.left -= board.length[route]
        self._look_ahead()
        worth = (int(board.length[route]) << self.size) + (1 << (self.size - 1 - int(place)))
        self._lay_out()
        self.next = {}
        at_a, at_b = self._slot(a), self._slot(b)
        for frontier, value in self.known.items():
            self._unpack(frontier >> ENDS)
            ends: i64 = frontier & 3
            self._keep(value, ends)
            self._join(at_a, at_b)
            self._keep(value + worth, ends)
        self.known = self.next
        self.work += len(self.known)
        left = vec[i64]()
        for city in self.cities:
            if self.ahead[city] > 0:
                left = append(left, city)
        self.cities = left

    def _lay_out(self) -> None:
        """Tables with a place for each slot."""
        slots: i64 = len(self.cities)
        self.group = zeros(slots)
        self.odd = zeros(slots)
        self.number = zeros(slots + 2)
        self.open_routes = zeros(slots)
        self.slot_waste = zeros(slots)
        slot: i64 = 0
        while slot < slots:
            self.open_routes[slot] = self.ahead[self.cities[slot]]
            self.slot_waste[slot] = self.waste[self.cities[slot]]
            slot += 1

    def _look_ahead(self) -> None:
        """How far it is between cities where an odd number of undecided routes may have to be left."""
        cities = self.board.cities
        odd = vec[i64]()
        """Beyond the frontier it is known which they are; in the frontier they could be all."""
        city: i64 = 0
        while city < cities:
            if self.ahead[city] > 0 and (self.ahead[city] & 1 or city in self.cities):
                odd = append(odd, city)
            city += 1
        self.waste_ahead = 0
        self.waste_most = 0
        for city in odd:
            nearest: i64 = self.left
            for other in odd:
                if other != city:
                    nearest = min(nearest, self.distance[city * cities + other])
            self.waste[city] = nearest
            self.waste_most = max(self.waste_most, nearest)
            if city not in self.cities:
                self.waste_ahead += nearest

    def _distances(self) -> vec[i64]:
        """The length of the shortest way between any two cities of the part."""
        board = self.board
        cities = board.cities
        far = filled(cities * cities, self.total)
        part = vec[i64]()
        for route in self.routes:
            far[board.route_a[route] * cities + board.route_b[route]] = board.length[route]
            far[board.route_b[route] * cities + board.route_a[route]] = board.length[route]
        city: i64 = 0
        while city < cities:
            if self.degree[city] > 0:
                part = append(part, city)
            city += 1
        for over in part:
            for a in part:
                way = far[a * cities + over]
                for b in part:
                    far[a * cities + b] = min(far[a * cities + b], way + far[over * cities + b])
        return far

    def _slot(self, city: i64) -> i64:
        slot: i64 = 0
        while self.cities[slot] != city:
            slot += 1
        return slot

    def _unpack(self, bits: int) -> None:
        odd, group = self.odd, self.group
        slot: i64 = 0
        while slot < len(odd):
            own: i64 = bits & 63
            odd[slot] = own & 1
            group[slot] = own >> 1
            bits >>= SLOT
            slot += 1

    def _join(self, a: i64, b: i64) -> None:
        """Take the route between two slots."""
        odd, group = self.odd, self.group
        odd[a] ^= 1
        odd[b] ^= 1
        fresh: i64 = len(group) + 1
        if group[a] == 0:
            group[a] = fresh
        if group[b] == 0:
            group[b] = group[a]
        kept, gone = group[a], group[b]
        slot: i64 = 0
        while slot < len(group):
            if group[slot] == gone:
                group[slot] = kept
            slot += 1

    def _keep(self, value: int, ends: i64) -> None:
        """Note the frontier that is looked at, without the cities it leaves behind, unless it can't beat the best."""
        odd, open_routes, waste = self.odd, self.open_routes, self.slot_waste
        wrong: i64 = 0
        slot: i64 = 0
        while slot < len(odd):
            if open_routes[slot] == 0:
                ends += odd[slot]
            elif (open_routes[slot] ^ odd[slot]) & 1:
                wrong += waste[slot]
            slot += 1
        length: i64 = value >> self.size
        if ends <= 2 and not self._ends_here(value, length) and length + self._most(wrong, ends) > self.best:
            self._note(value, ends)

    def _ends_here(self, value: int, length: i64) -> bool:
        """Whether a whole group lies behind the frontier: a trail, if there is no other, and nothing can follow it."""
        group, open_routes = self.group, self.open_routes
        slot: i64 = 0
        while slot < len(group):
            if group[slot] > 0 and open_routes[slot] == 0:
                others: i64 = 0
                other: i64 = 0
                while other < len(group):
                    if group[other] == group[slot]:
                        if open_routes[other] > 0:
                            break
                    elif group[other] > 0:
                        others += 1
                    other += 1
                else:
                    if others == 0 and length > self.best:
                        self.best = length
                        self.taken = value & ((1 << self.size) - 1)
                    return True
            slot += 1
        return False

    def _note(self, value: int, ends: i64) -> None:
        """Groups are numbered by their first slots, so that what is the same looks the same."""
        odd, group, open_routes, number = self.odd, self.group, self.open_routes, self.number
        slot: i64 = 0
        while slot < len(number):
            number[slot] = 0
            slot += 1
        groups: i64 = 0
        bits: int = ends
        shift = ENDS
        slot = 0
        while slot < len(group):
            if open_routes[slot] > 0:
                own = group[slot]
                if own > 0 and number[own] == 0:
                    groups += 1
                    number[own] = groups
                bits |= int(number[own] << 1 | odd[slot]) << shift
                shift += SLOT
            slot += 1
        if value > self.next.get(bits, -1):
            self.next[bits] = value

    def _route_order(self) -> vec[i64]:
        """The places of the routes in an order that keeps the frontier small: with each city those to earlier ones."""
        board = self.board
        when = filled(board.cities, NONE)
        cities = self._city_order()
        i: i64 = 0
        while i < len(cities):
            when[cities[i]] = i
            i += 1
        order = vec[i64]()
        later: i64 = 1
        while later < len(cities):
            earlier: i64 = 0
            while earlier < later:
                place: i64 = 0
                while place < len(self.routes):
                    a, b = when[board.route_a[self.routes[place]]], when[board.route_b[self.routes[place]]]
                    if min(a, b) == earlier and max(a, b) == later:
                        order = append(order, place)
                    place += 1
                earlier += 1
            later += 1
        return order

    def _city_order(self) -> vec[i64]:
        """From each city on, always the one that leaves the smallest frontier; of these orders the cheapest."""
        best = vec[i64]()
        least: i64 = NONE
        start: i64 = 0
        while start < self.board.cities:
            if self.degree[start] > 0:
                order = vec[i64]()
                beyond = self.degree[:]
                done = zeros(self.board.cities)
                city = start
                width: i64 = 0
                cost: i64 = 0
                while city != NONE:
                    width += self._growth(city, beyond, done)
                    cost += i64(1) << (2 * width)
                    order = append(order, city)
                    self._pass(city, beyond, done)
                    city = self._next_city(beyond, done)
                if least == NONE or cost < least:
                    least = cost
                    best = order
            start += 1
        return best

    def _next_city(self, beyond: vec[i64], done: vec[i64]) -> i64:
        best: i64 = NONE
        least: i64 = 0
        city: i64 = 0
        while city < self.board.cities:
            if not done[city] and beyond[city] < self.degree[city]:
                growth = self._growth(city, beyond, done)
                if best == NONE or growth < least:
                    best = city
                    least = growth
            city += 1
        return best

    def _growth(self, city: i64, beyond: vec[i64], done: vec[i64]) -> i64:
        """By how much the frontier would grow with this city; `beyond` counts each city's routes to cities not done."""
        board = self.board
        growth: i64 = 1 if beyond[city] > 0 else 0
        i = board.near_start[city]
        while i < board.near_start[city + 1]:
            route = board.near_route[i]
            if self.mine[route]:
                other = board.route_a[route] + board.route_b[route] - city
                if done[other] and beyond[other] == 1:
                    growth -= 1
            i += 1
        return growth

    def _pass(self, city: i64, beyond: vec[i64], done: vec[i64]) -> None:
        board = self.board
        done[city] = 1
        i = board.near_start[city]
        while i < board.near_start[city + 1]:
            route = board.near_route[i]
            if self.mine[route]:
                beyond[board.route_a[route] + board.route_b[route] - city] -= 1
            i += 1


def walk(board: Board, routes: vec[i64]) -> vec[i64]:
    """The order in which connected routes, an odd number of them in two cities at most, are walked (Hierholzer)."""
    trail = vec[i64]()
    if len(routes) == 0:
        return trail
    unused = zeros(board.routes)
    odd = zeros(board.cities)
    for route in routes:
        unused[route] = 1
        odd[board.route_a[route]] ^= 1
        odd[board.route_b[route]] ^= 1
    start = board.route_a[routes[0]]
    city: i64 = board.cities - 1
    while city >= 0:
        if odd[city]:
            start = city
        city -= 1
    cities = vec[i64]([start])
    by = vec[i64]([NONE])
    depth: i64 = 1
    while depth > 0:
        city = cities[depth - 1]
        i = board.near_start[city]
        while i < board.near_start[city + 1] and not unused[board.near_route[i]]:
            i += 1
        if i < board.near_start[city + 1]:
            route = board.near_route[i]
            unused[route] = 0
            cities = append(cities[:depth], board.route_a[route] + board.route_b[route] - city)
            by = append(by[:depth], route)
            depth += 1
        else:
            depth -= 1
            if depth > 0:
                trail = append(trail, by[depth])
    return trail
