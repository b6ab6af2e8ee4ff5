"""Joined cities, paths and the longest trail."""

from typing import TYPE_CHECKING, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import NONE, Board, filled, zeros
from branchline.engine.frontier import Frontier

if TYPE_CHECKING:
    from branchline.engine.state import State


def root(parent: vec[i64], city: i64) -> i64:
    """The representative of the group of joined cities that `city` is in."""
    while parent[city] != city:
        parent[city] = parent[parent[city]]
        city = parent[city]
    return city


def groups(state: "State", seat: i64) -> vec[i64]:
    """Which cities the routes of `seat` join: a parent for each city, to be read with `root`."""
    board = state.board
    parent = board.each_city[:]
    route: i64 = 0
    for owner in state.owner:
        if owner == seat:
            parent[root(parent, board.route_a[route])] = root(parent, board.route_b[route])
        route += 1
    return parent


def path(board: Board, cost: vec[i64], start: i64, goal: i64) -> vec[i64]:
    """The cheapest way from `start` to `goal`, as routes in order; empty if there is none.

    `cost` is what each route counts, NONE if it can't be used. Of equally cheap ways the one of fewest routes is taken,
    then the one that the lower route numbers give.
    """
    far: i64 = 1_000_000_000
    distance = filled(board.cities, far)
    by = filled(board.cities, NONE)
    done = zeros(board.cities)
    distance[start] = 0
    while True:
        here: i64 = NONE
        city: i64 = 0
        while city < board.cities:
            if not done[city] and distance[city] < far and (here == NONE or distance[city] < distance[here]):
                here = city
            city += 1
        if here == NONE or here == goal:
            break
        done[here] = 1
        i = board.near_start[here]
        while i < board.near_start[here + 1]:
            route = board.near_route[i]
            if cost[route] != NONE:
                there = other_end(board, route, here)
                # One route more weighs less than one space more.
                total = distance[here] + cost[route] * 1024 + 1
                if total < distance[there]:
                    distance[there] = total
                    by[there] = route
            i += 1
    backwards = vec[i64]()
    here = goal
    while here != start and by[here] != NONE:
        backwards = append(backwards, by[here])
        here = other_end(board, by[here], here)
    out = vec[i64]()
    i = i64(len(backwards)) - 1
    while i >= 0:
        out = append(out, backwards[i])
        i -= 1
    return out


def other_end(board: Board, route: i64, city: i64) -> i64:
    """The city at the far end of a route."""
    return board.route_a[route] + board.route_b[route] - city


STEPS: Final[i64] = 20_000
"""Steps of a search over trails: thirty times as many as any of 2400 games of our bots took, and half a millisecond."""


class TrailSearch:
    """The longest trail of one seat: depth first over unused routes, given up where the rest can't beat the best.

    A tangled network, which would take this for ever, goes to a `Frontier`.
    """

    def __init__(self, state: "State", seat: i64, parent: vec[i64]) -> None:
        """Gather the routes of `seat`; `parent` tells which cities they join."""
        board = state.board
        self.board = board
        self.parent = parent
        unused, degree, length = zeros(board.routes), zeros(board.cities), zeros(board.cities)
        route: i64 = 0
        for owner in state.owner:
            if owner == seat:
                unused[route] = 1
                city = board.route_a[route]
                degree[city] += 1
                length[root(parent, city)] += board.length[route]
                city = board.route_b[route]
                degree[city] += 1
            route += 1
        self.unused = unused
        """A 1 for each own route that the trail has not used yet."""
        self.degree = degree
        self.length = length
        """The length of all routes of each connected part, in the place of its root."""
        self.best: i64 = 0
        self.best_trail = vec[i64]()
        self.trail = vec[i64]()
        """The routes of the trail under way; only the first `depth` count."""
        self.steps: i64 = STEPS
        """Steps that may still be made."""
        self.work: i64 = 0
        """What the frontiers have cost."""

    def run(self) -> i64:
        """Search every connected part, and return the length in cars."""
        board = self.board
        seen = zeros(board.cities)
        city: i64 = 0
        while city < board.cities:
            if self.degree[city] > 0 and not seen[city]:
                total = self.length[root(self.parent, city)]
                if total > self.best:
                    self._search_part(city, seen, total)
            city += 1
        return self.best

    def _search_part(self, city: i64, seen: vec[i64], total: i64) -> None:
        """A longest trail that is not a closed one over everything starts where an odd number of routes meet."""
        board, unused = self.board, self.unused
        part = append(vec[i64](capacity=board.cities), city)
        seen[city] = 1
        odd: i64 = 0
        at: i64 = 0
        while at < len(part):
            here = part[at]
            at += 1
            if self.degree[here] & 1:
                odd += 1
            i = board.near_start[here]
            here += 1
            end = board.near_start[here]
            while i < end:
                route = board.near_route[i]
                if unused[route]:
                    there = board.near_city[i]
                    if not seen[there]:
                        seen[there] = 1
                        part = append(part, there)
                i += 1
        if len(self.trail) == 0:
            self.trail = zeros(board.routes)
        for start in part:
            if odd == 0 or self.degree[start] & 1:
                self._walk(start, 0, 0, total)
                if self.best == total:
                    return
                if self.steps < 0:
                    self._untangle(part)
                    return

    def _untangle(self, part: vec[i64]) -> None:
        """Leave a part that takes too many steps to a frontier."""
        board = self.board
        here = zeros(board.cities)
        for city in part:
            here[city] = 1
        routes = vec[i64]()
        route: i64 = 0
        while route < board.routes:
            if self.unused[route] and here[board.route_a[route]]:
                routes = append(routes, route)
            route += 1
        frontier = Frontier(board, routes, self.best)
        trail = frontier.run()
        self.work += frontier.work
        if frontier.best > self.best:
            self.best = frontier.best
            self.best_trail = trail

    def _walk(self, city: i64, depth: i64, length: i64, left: i64) -> None:
        """Go on from `city`; `left` is the length of all unused routes of this part."""
        board = self.board
        self.steps -= 1
        if self.steps < 0:
            return
        if length > self.best:
            self.best = length
            self.best_trail = self.trail[:depth]
        i = board.near_start[city]
        city += 1
        end = board.near_start[city]
        while i < end:
            if length + left <= self.best:
                return
            route = board.near_route[i]
            if self.unused[route]:
                self.unused[route] = 0
                self.trail[depth] = route
                cars = board.length[route]
                self._walk(board.near_city[i], depth + 1, length + cars, left - cars)
                self.unused[route] = 1
            i += 1


def longest_trail(state: "State", seat: i64) -> i64:
    """The length in cars of the longest trail of `seat` (R7.2)."""
    return TrailSearch(state, seat, groups(state, seat)).run()
