"""The count at the end, as readable values."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from branchline.engine import scoring
from branchline.engine.board import NONE
from branchline.engine.network import path
from branchline.engine.state import State
from branchline.names import Names


@dataclass(frozen=True, slots=True)
class TicketScore:
    """What became of one ticket (R5.4)."""

    ticket: str
    points: int
    """Added if completed, subtracted if not."""
    completed: bool
    path: tuple[str, ...]
    """The shortest way over own and borrowed routes, in order; empty if there is none."""


@dataclass(frozen=True, slots=True)
class SeatScore:
    """Every part of one seat's points (R7.6)."""

    seat: int
    routes: int
    """Points for claimed routes."""
    tickets: tuple[TicketScore, ...]
    ticket_points: int
    """Points of the completed tickets less those of the others."""
    completed: int
    """Tickets completed."""
    stations: int
    """Points for unbuilt stations."""
    stations_built: int
    borrowed: Mapping[str, str | None]
    """For each city with a station of this seat, the route it borrows; None if it is of no use (R6.5)."""
    trail: tuple[str, ...]
    """The longest trail, as routes in order (R7.2)."""
    trail_length: int
    bonus: int
    """Points for the longest trail of all."""
    attractions: int
    """Points for attractions (R7.3)."""
    total: int
    rank: int
    """1 for the winner; seats that are tied to the end share a rank."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The count of a whole table."""

    seats: tuple[SeatScore, ...]
    winners: tuple[int, ...]
    """More than one where the win is shared."""
    decided_by: str
    """What told the winner from the others: points, tickets, stations, trail; or shared (R7.4, R7.5)."""

    def __getitem__(self, seat: int) -> SeatScore:
        return self.seats[seat]

    def to_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return asdict(self)


def count(state: State, names: Names) -> Scores:
    """Score a position as if the game ended now."""
    scores = scoring.Scores(state)
    seats = tuple(_seat_score(state, names, scores, seat) for seat in range(state.seats))
    winners = tuple(score.seat for score in seats if score.rank == 1)
    return Scores(seats, winners, scoring.DECIDED_BY[scores.decided])


def _seat_score(state: State, names: Names, scores: scoring.Scores, seat: int) -> SeatScore:
    cities = [city for city, owner in enumerate(state.station) if owner == seat]
    borrowed = dict(zip(cities, scores.borrowed[seat], strict=True))
    usable = usable_routes(state, seat, [route for route in borrowed.values() if route >= 0])
    tickets = tuple(ticket_score(names, ticket, usable) for ticket, holder in enumerate(state.holder) if holder == seat)
    return SeatScore(
        seat=seat,
        routes=scores.routes[seat],
        tickets=tickets,
        ticket_points=scores.tickets[seat],
        completed=scores.completed[seat],
        stations=scores.stations[seat],
        stations_built=scores.built[seat],
        borrowed={names.cities[c]: names.routes[route] if route >= 0 else None for c, route in borrowed.items()},
        trail=tuple(names.routes[route] for route in scores.trails[seat]),
        trail_length=scores.trail[seat],
        bonus=scores.bonus[seat],
        attractions=scores.attractions[seat],
        total=scores.total[seat],
        rank=scores.rank[seat],
    )


def usable_routes(state: State, seat: int, borrowed: list[int]) -> "vec[i64]":
    """The length of each route that `seat` owns or borrows; NONE for the others."""
    length = state.board.length
    return vec[i64](
        [length[route] if owner == seat or route in borrowed else NONE for route, owner in enumerate(state.owner)]
    )


def ticket_score(names: Names, ticket: int, usable: "vec[i64]") -> TicketScore:
    """What a ticket would score over these routes."""
    board = names.board
    way = path(board, usable, board.ticket_a[ticket], board.ticket_b[ticket])
    routes = tuple(names.routes[route] for route in way)
    return TicketScore(names.tickets[ticket], board.ticket_points[ticket], bool(routes), routes)
