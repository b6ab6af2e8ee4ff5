"""The cheapest network that joins the two cities of every ticket, nearly: a Steiner-tree heuristic."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from branchline.engine.board import NONE, Board, zeros
from branchline.engine.network import other_end

FAR: Final[i64] = 1_000_000_000
"""Farther than any way: where there is none."""


class Network:
    """Routes that join the cities of some tickets."""

    def __init__(self, cost: i64, has: vec[i64]) -> None:
        self.cost: i64 = cost
        """FAR if they can't be joined."""
        self.has = has
        """1 for each route that belongs to it."""


class Ways:
    """Searches over one board."""

    def __init__(self, board: Board, cost: vec[i64]) -> None:
        """`cost`: what each route costs; NONE if it can't be had."""
        self.board = board
        self.cost = cost
        self.distance = zeros(board.cities)
        """How far each city is from where the last search began; FAR for those it did not come to."""
        self.by = zeros(board.cities)
        """The route by which the last search came to each city."""
        self.front = zeros(board.cities)
        """Cities that a search has come to and not gone on from; only its first so many count."""

    def spread(self, cost: vec[i64], start: i64, goal: i64) -> i64:
        """Search from `start`: how far `goal` is, FAR if it can't be reached. With goal NONE, all distances."""
        board = self.board
        distance, by, front = self.distance, self.by, self.front
        self._forget()
        distance[start] = 0
        front[0] = start
        n: i64 = 1
        while n > 0:
            at = _nearest(front, n, distance)
            here = front[at]
            if here == goal:
                return distance[here]
            n -= 1
            front[at] = front[n]
            far = distance[here]
            i = board.near_start[here]
            stop = board.near_start[here + 1]
            while i < stop:
                route = board.near_route[i]
                step = cost[route]
                if step != NONE:
                    there = other_end(board, route, here)
                    if far + step < distance[there]:
                        if distance[there] == FAR:
                            front[n] = there
                            n += 1
                        distance[there] = far + step
                        by[there] = route
                i += 1
        return FAR

    def _forget(self) -> None:
        """Begin a search."""
        city: i64 = 0
        while city < self.board.cities:
            self.distance[city] = FAR
            self.by[city] = NONE
            city += 1

    def join(self, tickets: vec[i64], thorough: bool) -> Network:
        """A cheap network for these tickets: one after the other, over what the ones before have.

        A thorough search begins with each of them in turn, and takes the cheapest.
        """
        n: i64 = len(tickets)
        if n == 0:
            return Network(0, zeros(self.board.routes))
        best = self._join_from(tickets, 0)
        first: i64 = 1
        while thorough and best.cost < FAR and first < n:
            other = self._join_from(tickets, first)
            if other.cost < best.cost:
                best = other
            first += 1
        return best

    def _join_from(self, tickets: vec[i64], first: i64) -> Network:
        """Join the tickets in their order, beginning with one of them."""
        board = self.board
        has = zeros(board.routes)
        cost = self.cost[:]
        total: i64 = 0
        n: i64 = len(tickets)
        i: i64 = 0
        while i < n:
            ticket = tickets[(first + i) % n]
            start, goal = board.ticket_a[ticket], board.ticket_b[ticket]
            far = self.spread(cost, start, goal)
            if far >= FAR:
                return Network(FAR, has)
            total += far
            here = goal
            while here != start:
                route = self.by[here]
                has[route] = 1
                cost[route] = 0
                here = other_end(board, route, here)
            i += 1
        return Network(total, has)


def _nearest(front: vec[i64], n: i64, distance: vec[i64]) -> i64:
    """Where the nearest of the first `n` cities stands, of equally near ones that of the lowest number."""
    best: i64 = 0
    i: i64 = 1
    while i < n:
        nearer = distance[front[i]] - distance[front[best]]
        if nearer < 0 or (nearer == 0 and front[i] < front[best]):
            best = i
        i += 1
    return best
