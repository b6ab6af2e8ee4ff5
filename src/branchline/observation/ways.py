"""How many cars each seat needs from city to city, kept up as routes are claimed.

A row holds the distances from one city over own routes (nothing) and open ones (their length). Rows are made when they
are asked for; what happened since then is taken in by mending only what own claims made nearer and closed routes cut
off. Own claims are cheap to take in and closed routes are not, so there is a way to ask for the first alone.
"""

from typing import Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64, u8

from branchline.engine.board import NOBODY, NONE, Board, filled, zeros
from branchline.engine.legal import is_open
from branchline.engine.state import State

FAR: Final[i64] = 99
"""As many cars as no way needs: there is none."""


class Spread:
    """Distances spread from city to city until nothing gets nearer."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.queue = zeros(board.cities)
        self.queued = zeros(board.cities)
        """Whether each city waits in the queue; all 0 between two runs."""
        self.waiting: i64 = 0
        self.lost = zeros(board.cities)
        """Cities whose distance has to be found again; only the first so many count."""
        self.shaken = zeros(board.routes)
        """Cities that a closed route led to on a shortest way; only the first so many count."""

    def wait(self, city: i64) -> None:
        """Let a run begin here too."""
        if not self.queued[city]:
            self.queued[city] = 1
            self.queue[self.waiting] = city
            self.waiting += 1

    def run(self, cost: vec[i64], rows: vec[u8], at: i64) -> None:
        """Bring the neighbours of all that wait nearer, and theirs, in the row at `at`."""
        board = self.board
        near_start = board.near_start
        near_route = board.near_route
        near_city = board.near_city
        queue = self.queue
        queued = self.queued
        cities = board.cities
        head: i64 = 0
        waiting = self.waiting
        while waiting > 0:
            here = queue[head]
            head += 1
            if head == cities:
                head = 0
            waiting -= 1
            queued[here] = 0
            base = i64(rows[at + here])
            i = near_start[here]
            end = near_start[here + 1]
            while i < end:
                far = base + cost[near_route[i]]
                there = near_city[i]
                i += 1
                if far < i64(rows[at + there]):
                    rows[at + there] = u8(far)
                    if not queued[there]:
                        queued[there] = 1
                        tail = head + waiting
                        if tail >= cities:
                            tail -= cities
                        queue[tail] = there
                        waiting += 1
        self.waiting = 0


class Start:
    """The distances on an empty board, which every game of it begins with, and a place to work."""

    def __init__(self, board: Board) -> None:
        self.spread = Spread(board)
        self.rows = vec[u8]()
        """City by city; empty until somebody asks."""
        self.nowhere = vec[u8]()
        """A row in which everything is FAR."""
        far = u8(FAR)
        city: i64 = 0
        while city < board.cities:
            self.nowhere = append(self.nowhere, far)
            city += 1

    def row(self, city: i64) -> vec[u8]:
        """The distances from one city."""
        board = self.spread.board
        if len(self.rows) == 0:
            start: i64 = 0
            while start < board.cities:
                self.rows = extend(self.rows, self.nowhere)
                self.rows[start * board.cities + start] = 0
                self.spread.wait(start)
                self.spread.run(board.length, self.rows, start * board.cities)
                start += 1
        return self.rows[city * board.cities : (city + 1) * board.cities]


class Ways:
    """The distances of one seat."""

    def __init__(self, state: State, seat: i64, start: Start) -> None:
        board = state.board
        self.board = board
        self.seat: i64 = seat
        self.start = start
        self.fresh = state.turn == 0
        """Whether it is here from an empty board on, so that rows begin as they stand in `start`."""
        self.cost = board.length[:]
        """Cars each route would take: none if it is the seat's own, FAR if it is closed to it."""
        if not self.fresh:
            route: i64 = 0
            while route < board.routes:
                if state.owner[route] == seat:
                    self.cost[route] = 0
                elif not is_open(state, route, seat):
                    self.cost[route] = FAR
                route += 1
        self.gained = vec[i64]()
        """Routes that the seat has claimed since this began, in order."""
        self.closed = vec[i64]()
        """Routes that were closed to it since then, in order; each took as many cars as it is long."""
        self.row_at = filled(board.cities, NONE)
        """Where the row of each city begins in `rows`; NONE if it was never asked for."""
        self.row_gained = zeros(board.cities)
        """How many of `gained` the row of each city has taken in."""
        self.row_closed = zeros(board.cities)
        """And how many of `closed`."""
        self.rows = vec[u8]()
        """Bytes, because many games' rows are to stay near the processor."""

    def borrow(self, state: State) -> None:
        """Let every station of the seat borrow all routes that end in its city: more than it may, but near it."""
        route: i64 = 0
        while route < self.board.routes:
            if state.owner[route] != NOBODY:
                a = self.board.route_a[route]
                b = self.board.route_b[route]
                if state.station[a] == self.seat or state.station[b] == self.seat:
                    self.cost[route] = 0
            route += 1

    def note_claim(self, state: State, route: i64) -> None:
        """Take in that somebody has claimed a route."""
        if state.owner[route] == self.seat:
            self.gained = append(self.gained, route)
            self.cost[route] = 0
        else:
            self._close(route)
        twin = self.board.twin[route]
        if twin != NONE and state.owner[twin] == NOBODY and not is_open(state, twin, self.seat):
            self._close(twin)

    def _close(self, route: i64) -> None:
        if self.cost[route] != FAR:
            self.closed = append(self.closed, route)
            self.cost[route] = FAR

    def row(self, city: i64) -> i64:
        """Where in `rows` the distances from a city stand, up to date."""
        at = self.row_at_most(city)
        if self.row_closed[city] < len(self.closed):
            self._lengthen(at, self.row_closed[city])
            self.row_closed[city] = len(self.closed)
        return at

    def row_at_most(self, city: i64) -> i64:
        """Where distances from a city stand that are right or too short: not all closed routes are taken in."""
        at = self.row_at[city]
        if at == NONE:
            at = len(self.rows)
            self.row_at[city] = at
            if self.fresh:
                self.rows = extend(self.rows, self.start.row(city))
            else:
                self.rows = extend(self.rows, self.start.nowhere)
                self._measure(city, at)
                self.row_gained[city] = len(self.gained)
                self.row_closed[city] = len(self.closed)
        if self.row_gained[city] < len(self.gained):
            self._shorten(at, self.row_gained[city], self.row_closed[city])
            self.row_gained[city] = len(self.gained)
        return at

    def _measure(self, city: i64, at: i64) -> None:
        """Fill a row in which everything is FAR."""
        self.rows[at + city] = 0
        self.start.spread.wait(city)
        self.start.spread.run(self.cost, self.rows, at)

    def _shorten(self, at: i64, gained: i64, closed: i64) -> None:
        """Take in all own claims but the first `gained`, in a row that knows of the first `closed` closed routes."""
        board = self.board
        rows = self.rows
        spread = self.start.spread
        i = gained
        while i < len(self.gained):
            route = self.gained[i]
            i += 1
            a = board.route_a[route]
            b = board.route_b[route]
            if rows[at + a] < rows[at + b]:
                spread.wait(a)
            elif rows[at + b] < rows[at + a]:
                spread.wait(b)
        if spread.waiting == 0:
            return
        i = closed
        while i < len(self.closed):  # still open for all that this row knows
            self.cost[self.closed[i]] = board.length[self.closed[i]]
            i += 1
        spread.run(self.cost, rows, at)
        i = closed
        while i < len(self.closed):
            self.cost[self.closed[i]] = FAR
            i += 1

    def _lengthen(self, at: i64, closed: i64) -> None:
        """Take in all closed routes but the first `closed`: find anew what was reached by them alone."""
        board = self.board
        rows = self.rows
        spread = self.start.spread
        # Which cities they led to has to be asked while all distances still stand.
        shaken: i64 = 0
        i = closed
        while i < len(self.closed):
            route = self.closed[i]
            i += 1
            a = board.route_a[route]
            b = board.route_b[route]
            apart = i64(rows[at + a]) - i64(rows[at + b])
            length = board.length[route]
            if apart == length:
                spread.shaken[shaken] = a
                shaken += 1
            elif apart == -length:
                spread.shaken[shaken] = b
                shaken += 1
        lost: i64 = 0
        i = 0
        while i < shaken:
            lost = self._lose(spread.shaken[i], at, lost)
            i += 1
        if lost > 0:
            self._find(lost, at)

    def _find(self, lost: i64, at: i64) -> None:
        """Find the distances of the lost cities, from those that are not and from each other."""
        board = self.board
        near_start, near_route, near_city = board.near_start, board.near_route, board.near_city
        rows, cost = self.rows, self.cost
        spread = self.start.spread
        n: i64 = 0
        while n < lost:
            here = spread.lost[n]
            n += 1
            best = FAR
            i = near_start[here]
            end = near_start[here + 1]
            while i < end:
                far = i64(rows[at + near_city[i]]) + cost[near_route[i]]
                if far < best:
                    best = far
                i += 1
            if best < FAR:
                rows[at + here] = u8(best)
                spread.wait(here)
        spread.run(cost, rows, at)

    def _lose(self, city: i64, at: i64, lost: i64) -> i64:
        """Put a city, those joined to it and all behind them on the list of the lost, unless another way leads there.

        Cities that own routes join are near or far together, and must not vouch for each other.
        """
        far = i64(self.rows[at + city])
        if far == 0 or far == FAR:
            return lost
        board = self.board
        near_start, near_route, near_city = board.near_start, board.near_route, board.near_city
        rows, costs = self.rows, self.cost
        group = self.start.spread.lost
        nowhere = u8(FAR)
        first = lost
        end = lost + 1
        group[first] = city
        n = first
        while n < end:
            here = group[n]
            n += 1
            i = near_start[here]
            stop = near_start[here + 1]
            while i < stop:
                cost = costs[near_route[i]]
                there = near_city[i]
                i += 1
                if cost > 0:
                    if i64(rows[at + there]) + cost == far:
                        return lost
                elif not _among(group, first, end, there):
                    group[end] = there
                    end += 1
        n = first
        while n < end:
            rows[at + group[n]] = nowhere
            n += 1
        lost = end
        n = first
        while n < end:
            here = group[n]
            n += 1
            i = near_start[here]
            stop = near_start[here + 1]
            while i < stop:
                cost = costs[near_route[i]]
                there = near_city[i]
                i += 1
                if 0 < cost < FAR and i64(rows[at + there]) == far + cost:
                    lost = self._lose(there, at, lost)
        return lost


def _among(cities: vec[i64], first: i64, end: i64, city: i64) -> bool:
    while first < end:
        if cities[first] == city:
            return True
        first += 1
    return False
