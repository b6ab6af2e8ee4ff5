"""The cheapest network that joins the two cities of every ticket, nearly: a Steiner-tree heuristic."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from branchline.engine.board import NONE, Board, filled, zeros

FAR: Final[i64] = 1_000_000_000


class Ways:
    """Searches over one board; the tables are kept so that a search allocates nothing."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.cost = zeros(board.routes)
        """What each route costs; NONE if it can't be had."""
        self.price = zeros(board.routes)
        """The same while a network grows: what it has already costs nothing."""
        self.distance = zeros(board.cities)
        self.by = zeros(board.cities)
        self.done = zeros(board.cities)
        self.chosen = zeros(board.routes)
        """The network that `join` found."""
        self.total: i64 = 0
        """What it costs."""
        self.trial = zeros(board.routes)

    def spread(self, price: vec[i64], start: i64, goal: i64) -> i64:
        """How far `goal` is from `start`; FAR if it can't be reached. With goal NONE, all distances."""
        board = self.board
        distance, by, done = self.distance, self.by, self.done
        cities = board.cities
        city: i64 = 0
        while city < cities:
            distance[city] = FAR
            by[city] = NONE
            done[city] = 0
            city += 1
        distance[start] = 0
        while True:
            here: i64 = NONE
            least = FAR
            city = 0
            while city < cities:
                if distance[city] < least and not done[city]:
                    least = distance[city]
                    here = city
                city += 1
            if here == NONE:
                return FAR
            if here == goal:
                return least
            done[here] = 1
            i = board.near_start[here]
            stop = board.near_start[here + 1]
            while i < stop:
                route = board.near_route[i]
                step = price[route]
                if step != NONE:
                    there = board.route_a[route] + board.route_b[route] - here
                    if least + step < distance[there]:
                        distance[there] = least + step
                        by[there] = route
                i += 1

    def _add(self, trial: vec[i64], start: i64, goal: i64) -> None:
        """Put the way just found into the network under trial."""
        board = self.board
        here = goal
        while here != start:
            route = self.by[here]
            trial[route] = 1
            self.price[route] = 0
            here = board.route_a[route] + board.route_b[route] - here

    def join(self, tickets: vec[i64], thorough: bool) -> i64:
        """Find a cheap network for these tickets into `chosen`; its cost, FAR if there is none."""
        board = self.board
        best = FAR
        n: i64 = len(tickets)
        rounds: i64 = n if thorough and n > 1 else 1
        begin: i64 = 0
        while begin < rounds:
            trial = self.trial
            route: i64 = 0
            while route < board.routes:
                trial[route] = 0
                self.price[route] = self.cost[route]
                route += 1
            total: i64 = 0
            i: i64 = 0
            while i < n:
                ticket = tickets[(begin + i) % n]
                a = board.ticket_a[ticket]
                far = self.spread(self.price, a, board.ticket_b[ticket])
                if far >= FAR:
                    self.total = FAR
                    return FAR
                total += far
                self._add(trial, a, board.ticket_b[ticket])
                i += 1
            if total < best:
                best = total
                self.trial = self.chosen
                self.chosen = trial
            begin += 1
        if n == 0:
            self.chosen = zeros(board.routes)
            best = 0
        self.total = best
        return best


def by_points(board: Board, tickets: vec[i64]) -> vec[i64]:
    """The same tickets, the dearest first."""
    out = tickets[:]
    i: i64 = 1
    while i < len(out):
        j = i
        while j > 0 and board.ticket_points[out[j - 1]] < board.ticket_points[out[j]]:
            kept = out[j]
            out[j] = out[j - 1]
            out[j - 1] = kept
            j -= 1
        i += 1
    return out


def nothing(n: i64) -> vec[i64]:
    """A table of NONE."""
    return filled(n, NONE)
