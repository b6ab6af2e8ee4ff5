"""Tangled networks and many stations: whatever a map allows is counted exactly, and within a bound."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchline import load_map
from branchline.engine.board import Board, to_vec
from branchline.engine.frontier import Frontier
from branchline.engine.network import STEPS, TrailSearch, groups
from branchline.engine.scoring import Borrowing
from branchline.engine.setup import empty
from branchline.engine.shuffle import Shuffler
from branchline.engine.state import State
from branchline.maps import Route
from branchline.maps.sense import CITY_ROUTES, SEAT_ROUTES
from tests.oracles import networks
from tests.properties.tables import examples

Network = list[tuple[int, int, int]]
"""Each route's cities and length."""

FRONTIERS = 50_000
"""More than any network costs that scripts/worst_map.py has found."""


WORST = """
0-14 0-18 1-17 1-19 1-20 2-19 2-20 2-21 3-15 3-19
3-20 4-15 4-16 4-20 5-15 5-16 5-20 5-21 6-16 6-17
6-21 7-16 7-17 7-18 8-18 8-20 8-21 9-17 9-18 9-19
10-15 10-16 10-17 11-14 11-15 11-16 12-14 12-18 12-21 13-14
"""
"""The worst network that scripts/worst_map.py has found."""
WORST_TRAIL = 30
WORST_COST = 13913


def owned(network: Network) -> State:
    """A seat that owns all these routes, and nothing else."""
    cities = 1 + max(max(a, b) for a, b, _ in network)
    routes = [(a, b, length, -1, 0, 0) for a, b, length in network]
    board = Board(
        load_map("europe").rules, [12] * 9, [0] * cities, routes, [(0, 1, 1, 0)], {n: n for n in range(1, 13)}
    )
    state = empty(board, 2, Shuffler(b""))
    state.owner = to_vec([0] * len(routes))
    return state


def searching(network: Network) -> TrailSearch:
    state = owned(network)
    return TrailSearch(state, 0, groups(state, 0))


def as_routes(network: Network) -> list[Route]:
    return [Route(str(n), str(a), str(b), length, "grey", "track", 0) for n, (a, b, length) in enumerate(network)]


def complete(cities: int) -> Network:
    return [(a, b, 1) for a, b in combinations(range(cities), 2)]


@st.composite
def tangles(draw: st.DrawFn) -> Network:
    cities = draw(st.integers(3, 8))
    pairs = draw(st.permutations(list(combinations(range(cities), 2))))
    longest = draw(st.sampled_from([1, 1, 2, 4]))
    return [(a, b, draw(st.integers(1, longest))) for a, b in pairs[: draw(st.integers(2, 13))]]


@examples(300, 40)
@given(tangles())
def test_r7_2_a_frontier_finds_what_trying_all_finds(network: Network) -> None:
    routes = as_routes(network)
    for part in parts(network):
        own = [network[n] for n in part]
        frontier = Frontier(owned(network).board, to_vec(part), 0)
        trail = [routes[n] for n in frontier.run()]
        assert frontier.best == networks.longest_trail([routes[n] for n in part]), own
        assert networks.is_trail(trail)
        assert sum(route.length for route in trail) == frontier.best
        # Where nothing is longer than what is known already nothing is found.
        again = Frontier(owned(network).board, to_vec(part), frontier.best)
        assert list(again.run()) == []


def parts(network: Network) -> list[list[int]]:
    """The numbers of the routes of each connected part."""
    group = {city: {city} for a, b, _ in network for city in (a, b)}
    for a, b, _ in network:
        both = group[a] | group[b]
        group.update(dict.fromkeys(both, both))
    return [
        [n for n, (a, _, _) in enumerate(network) if a in part] for part in {frozenset(part) for part in group.values()}
    ]


@pytest.mark.parametrize(
    ("network", "trail"),
    [
        (complete(7), 21),  # all routes: six meet in each city
        (complete(8), 25),  # seven meet in each: three of 28 stay out, one for each two cities but the ends
        (complete(9), 36),
        ([(a, b, 1) for a in range(3) for b in range(3, 16)], 28),
        ([(a, b, 1) for a in range(5) for b in range(5, 13)], 34),
    ],
    ids=("7 cities", "8 cities", "9 cities", "3 with 13", "5 with 8"),
)
def test_r7_2_a_tangle_that_a_walk_would_never_end_in(network: Network, trail: int) -> None:
    """28 routes between 8 cities once took a minute, and 45 between 10 would have taken for ever."""
    assert len(network) <= SEAT_ROUTES
    search = searching(network)
    assert search.run() == trail
    assert search.steps >= -2 * STEPS
    assert search.work <= FRONTIERS
    routes = as_routes(network)
    assert networks.is_trail([routes[n] for n in search.best_trail])
    assert len(search.best_trail) == trail


def test_r7_2_the_worst_network_that_was_found() -> None:
    network = [(int(a), int(b), 1) for a, b in (ends.split("-") for ends in WORST.split())]
    assert len(network) == SEAT_ROUTES
    search = searching(network)
    assert search.run() == WORST_TRAIL
    assert WORST_COST == search.work <= FRONTIERS


def test_r6_5_four_stations_among_as_many_routes_as_a_city_may_have() -> None:
    """Every station has 16 routes of others to choose from, each to a city of its own, and 200 tickets want them."""
    hubs = range(4)
    routes = [(hub, 4 + CITY_ROUTES * hub + n, 1, -1, 0, 0) for hub in hubs for n in range(CITY_ROUTES)]
    far = 4 + CITY_ROUTES * 4
    routes += [(hub, far, 1, -1, 0, 0) for hub in hubs]
    goals = [(a, b, 1 + (a + b) % 5, 0) for a, b in list(combinations(range(4, far), 2))[5::10][:198]]
    tickets = [*goals, (4, 4 + CITY_ROUTES, 500, 0), (4, 4 + 2 * CITY_ROUTES, 500, 0)]
    assert len(set(tickets)) == 200
    board = Board(load_map("europe").rules, [12] * 9, [0] * (far + 1), routes, tickets, {1: 1})
    state = empty(board, 2, Shuffler(b""))
    # The hubs are joined by the seat's own routes, everything else is another's.
    state.owner = to_vec([1] * (4 * CITY_ROUTES) + [0] * 4)
    state.station = to_vec([0] * 4 + [-1] * (far - 3))
    state.holder = to_vec([0] * len(tickets))
    borrowing = Borrowing(state, 0)
    assert borrowing.work <= (CITY_ROUTES + 1) ** 3
    assert list(borrowing.best)[:3] == [0, CITY_ROUTES, 2 * CITY_ROUTES]
    assert borrowing.completed >= 2
