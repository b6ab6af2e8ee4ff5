"""Final scores: tickets, borrowed routes, bonuses, ranks."""

from typing import TYPE_CHECKING, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import NOBODY, NONE, filled, zeros
from branchline.engine.network import TrailSearch, groups, other_end, root

if TYPE_CHECKING:
    from branchline.engine.state import State

BY_POINTS: Final[i64] = 0
BY_TICKETS: Final[i64] = 1
BY_STATIONS: Final[i64] = 2
BY_TRAIL: Final[i64] = 3
SHARED: Final[i64] = 4
DECIDED_BY: Final = ("points", "tickets", "stations", "trail", "shared")


class Borrowing:
    """Which route each station of one seat borrows: every way is weighed, the last station's all at once (R6.5)."""

    def __init__(self, state: "State", seat: i64) -> None:
        """Find the stations, and what each could borrow to any use."""
        self.state = state
        self.parent = groups(state, seat)
        """Which cities the seat's own routes join."""
        built = state.board.rules.stations - state.stations[seat]
        self.cities = vec[i64](capacity=built)
        """The cities with a station, in the order of the map."""
        self.start = vec[i64](capacity=built + 1)
        self.routes = vec[i64]()
        """What each station could borrow, station by station, beginning at `start`."""
        self.choice = vec[i64]()
        self.best = vec[i64]()
        """The route each station borrows, or NONE."""
        self.points: i64 = 0
        self.completed: i64 = 0
        self.borrowed: i64 = 0
        self.open = vec[i64](capacity=state.held[seat])
        """The seat's tickets that its own routes do not complete."""
        self.work: i64 = 0
        """How many assignments of all stations but the last were weighed."""
        city: i64 = 0
        for owner in state.station:
            if owner == seat:
                self.cities = append(self.cities, city)
                self.start = append(self.start, len(self.routes))
                self._gather(city, seat)
            city += 1
        self.start = append(self.start, len(self.routes))
        self.choice = filled(len(self.cities), NONE)
        self.best = self.choice[:]
        ticket: i64 = 0
        for holder in state.holder:
            if holder == seat:
                self._judge(ticket)
            ticket += 1
        if len(self.open) > 0 and len(self.routes) > 0:
            own_points, own_completed = self.points, self.completed
            self._try(0, 0, self.parent, own_points, own_completed)

    def _gather(self, city: i64, seat: i64) -> None:
        """Routes of others that end in `city`, the lowest to each group of cities the seat has not joined to it."""
        board = self.state.board
        reached = vec[i64]([root(self.parent, city)])
        i = board.near_start[city]
        while i < board.near_start[city + 1]:
            route = board.near_route[i]
            i += 1
            owner = self.state.owner[route]
            if owner == NOBODY or owner == seat:
                continue
            there = root(self.parent, other_end(board, route, city))
            if there not in reached:
                reached = append(reached, there)
                self.routes = append(self.routes, route)

    def _judge(self, ticket: i64) -> None:
        """Count a ticket as the seat's own routes have it."""
        board = self.state.board
        if root(self.parent, board.ticket_a[ticket]) == root(self.parent, board.ticket_b[ticket]):
            self.points += board.ticket_points[ticket]
            self.completed += 1
        else:
            self.points -= board.ticket_points[ticket]
            self.open = append(self.open, ticket)

    def _try(self, station: i64, borrowed: i64, parent: vec[i64], points: i64, completed: i64) -> None:
        """Weigh what this station and those after it can borrow; points and completed tickets are the seat's own."""
        if station == len(self.cities) - 1:
            self._weigh(station, borrowed, parent, points, completed)
            return
        board = self.state.board
        self.choice[station] = NONE
        self._try(station + 1, borrowed, parent, points, completed)
        i = self.start[station]
        while i < self.start[station + 1]:
            route = self.routes[i]
            a, b = root(parent, board.route_a[route]), root(parent, board.route_b[route])
            if a != b:  # one that joins nothing more is one too many
                joined = parent[:]
                joined[a] = b
                self.choice[station] = route
                self._try(station + 1, borrowed + 1, joined, points, completed)
            i += 1
        self.choice[station] = NONE

    def _weigh(self, station: i64, borrowed: i64, parent: vec[i64], points: i64, completed: i64) -> None:
        """The tickets tell for all routes of the last station at once what each would bring."""
        self.work += 1
        board = self.state.board
        here = root(parent, self.cities[station])
        gain = vec[i64]()
        more = vec[i64]()
        """What each group of cities would bring if it were joined to the station's; empty while none would."""
        for ticket in self.open:
            a, b = root(parent, board.ticket_a[ticket]), root(parent, board.ticket_b[ticket])
            if a == b:
                points += 2 * board.ticket_points[ticket]
                completed += 1
            elif a == here or b == here:
                if len(gain) == 0:
                    gain = zeros(board.cities)
                    more = zeros(board.cities)
                there = a + b - here
                gain[there] += 2 * board.ticket_points[ticket]
                more[there] += 1
        self.choice[station] = NONE
        self._compare(borrowed, points, completed)
        if len(gain) == 0:
            return
        i = self.start[station]
        while i < self.start[station + 1]:
            route = self.routes[i]
            there = root(parent, other_end(board, route, self.cities[station]))
            if more[there] > 0:  # one that completes nothing more is one too many
                self.choice[station] = route
                self._compare(borrowed + 1, points + gain[there], completed + more[there])
            i += 1

    def _compare(self, borrowed: i64, points: i64, completed: i64) -> None:
        """Most ticket points, most completed tickets, fewest borrowed routes, lowest route numbers (R6.5)."""
        better = points - self.points
        if better == 0:
            better = completed - self.completed
        if better == 0:
            better = self.borrowed - borrowed
        if better > 0 or (better == 0 and _lower(self.choice, self.best)):
            self.points = points
            self.completed = completed
            self.borrowed = borrowed
            self.best = self.choice[:]


def _lower(a: vec[i64], b: vec[i64]) -> bool:
    """Whether the routes of `a`, in ascending order, come before those of `b`; both have as many."""
    last: i64 = NONE
    while True:
        x = _next_above(a, last)
        y = _next_above(b, last)
        if x != y:
            return x < y
        if x == NONE:
            return False
        last = x


def _next_above(numbers: vec[i64], last: i64) -> i64:
    least: i64 = NONE
    for n in numbers:
        if n > last and (least == NONE or n < least):
            least = n
    return least


class Scores:
    """Everything that is counted at the end, seat by seat (R7.6)."""

    def __init__(self, state: "State") -> None:
        """Score the position as if the game ended now."""
        seats = state.seats
        rules = state.board.rules
        self.seats: i64 = seats
        self.routes = state.points[:]
        self.tickets = zeros(seats)
        self.completed = zeros(seats)
        self.borrowed: list[vec[i64]] = []
        """For each seat the route that each of its stations borrows, stations in the order of the map's cities."""
        self.stations = zeros(seats)
        self.built = zeros(seats)
        self.trail = zeros(seats)
        self.trails: list[vec[i64]] = []
        self.bonus = zeros(seats)
        self.attractions = zeros(seats)
        self.total = zeros(seats)
        self.rank = zeros(seats)
        """1 for the winners; seats that share a rank are tied to the end."""
        self.decided: i64 = BY_POINTS
        """What told the winner from the next."""
        longest: i64 = 0
        seat: i64 = 0
        while seat < seats:
            borrowing = Borrowing(state, seat)
            self.tickets[seat] = borrowing.points
            self.completed[seat] = borrowing.completed
            self.borrowed.append(borrowing.best)
            self.built[seat] = rules.stations - state.stations[seat]
            self.stations[seat] = rules.station_points * state.stations[seat]
            if rules.trail_points > 0:
                search = TrailSearch(state, seat, borrowing.parent)
                self.trail[seat] = search.run()
                self.trails.append(search.best_trail)
                longest = max(longest, self.trail[seat])
            else:
                self.trails.append(vec[i64]())
            if rules.attraction_points > 0:
                self.attractions[seat] = rules.attraction_points * attractions(state, seat)
            seat += 1
        seat = 0
        while seat < seats:
            if longest > 0 and self.trail[seat] == longest:  # R7.2: nobody without a route
                self.bonus[seat] = rules.trail_points
            self.total[seat] = (
                self.routes[seat] + self.tickets[seat] + self.stations[seat] + self.bonus[seat] + self.attractions[seat]
            )
            seat += 1
        self._rank()

    def _rank(self) -> None:
        """Each step compares only those still tied; lower places are ranked alike (R7.4, R7.5)."""
        seat: i64 = 0
        while seat < self.seats:
            rank: i64 = 1
            other: i64 = 0
            while other < self.seats:
                if self._ahead(other, seat) > 0:
                    rank += 1
                other += 1
            self.rank[seat] = rank
            seat += 1
        self.decided = self._decided()

    def _ahead(self, a: i64, b: i64) -> i64:
        """By which step `a` beats `b`, counted from 1; 0 if it does not."""
        if self.total[a] != self.total[b]:
            return BY_POINTS + 1 if self.total[a] > self.total[b] else 0
        if self.completed[a] != self.completed[b]:
            return BY_TICKETS + 1 if self.completed[a] > self.completed[b] else 0
        if self.built[a] != self.built[b]:
            return BY_STATIONS + 1 if self.built[a] < self.built[b] else 0
        return BY_TRAIL + 1 if self.bonus[a] > self.bonus[b] else 0

    def _decided(self) -> i64:
        """The last step that was needed to tell the winner from every other seat."""
        winner: i64 = 0
        while self.rank[winner] != 1:
            winner += 1
        decided = BY_POINTS
        seat: i64 = 0
        while seat < self.seats:
            if seat != winner:
                step = self._ahead(winner, seat)
                if step == 0:
                    return SHARED
                decided = max(decided, step - 1)
            seat += 1
        return decided


def attractions(state: "State", seat: i64) -> i64:
    """Attractions at which at least one route of `seat` ends, each counted once (R7.3)."""
    board = state.board
    n: i64 = 0
    city: i64 = 0
    while city < board.cities:
        if board.attraction[city]:
            i = board.near_start[city]
            while i < board.near_start[city + 1]:
                if state.owner[board.near_route[i]] == seat:
                    n += 1
                    break
                i += 1
        city += 1
    return n
