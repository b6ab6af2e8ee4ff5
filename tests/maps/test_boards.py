"""The counts of the two printed boards."""

from collections import Counter
from itertools import pairwise

import networkx
import pytest

from branchline.maps import Map, load_map


@pytest.fixture
def europe() -> Map:
    return load_map("europe")


@pytest.fixture
def new_york() -> Map:
    return load_map("new-york")


def pairs(map: Map) -> Counter[frozenset[str]]:
    return Counter(frozenset((route.a, route.b)) for route in map.routes)


def test_europe_has_its_cities_and_routes(europe: Map) -> None:
    assert len(europe.cities) == 47
    assert len(europe.routes) == 101
    assert len(pairs(europe)) == 90
    assert sum(route.length for route in europe.routes) == 300


def test_europe_has_its_tunnels_and_ferries(europe: Map) -> None:
    kinds = Counter(route.kind for route in europe.routes)
    assert kinds == {"track": 70, "tunnel": 18, "ferry": 13}
    assert sum(route.wilds for route in europe.routes) == 17


def test_europe_has_eight_routes_of_each_colour(europe: Map) -> None:
    colours = Counter(route.colour for route in europe.routes)
    assert colours.pop("grey") == 37
    assert colours == dict.fromkeys(europe.colours, 8)


def test_europe_has_its_tickets(europe: Map) -> None:
    short = [ticket.points for ticket in europe.tickets if not ticket.long]
    long = [ticket.points for ticket in europe.tickets if ticket.long]
    assert (len(short), sum(short)) == (40, 321)
    assert (len(long), sum(long)) == (6, 123)


def test_r1_europe_has_its_pieces(europe: Map) -> None:
    assert europe.colours == ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
    assert europe.cards == dict.fromkeys(europe.colours, 12) | {"wild": 14}
    assert sum(europe.cards.values()) == 110
    assert europe.points == {1: 1, 2: 2, 3: 4, 4: 7, 6: 15, 8: 21}
    rules = europe.rules
    assert (rules.seats_min, rules.seats_max) == (2, 5)
    assert (rules.cars, rules.stations, rules.opening_cards, rules.row) == (45, 3, 4, 5)
    assert (rules.trail_points, rules.station_points, rules.attraction_points) == (10, 4, 0)


def test_the_switches_of_europe(europe: Map) -> None:
    rules = europe.rules
    assert (rules.row_wilds, rules.row_resets) == (3, 50)
    assert (rules.opening_long, rules.opening_tickets, rules.opening_keep, rules.opening_under) == (1, 3, 2, False)
    assert (rules.ticket_draw, rules.ticket_keep) == (3, 1)
    assert (rules.twins_from, rules.tunnel_cards, rules.last_cars) == (4, 3, 2)


def test_new_york_has_its_places_and_routes(new_york: Map) -> None:
    assert len(new_york.cities) == 15
    assert sum(city.attraction for city in new_york.cities) == 9
    assert len(new_york.routes) == 41
    assert len(pairs(new_york)) == 30
    assert sum(route.length for route in new_york.routes) == 84
    assert {route.kind for route in new_york.routes} == {"track"}


def test_new_york_has_its_tickets(new_york: Map) -> None:
    assert len(new_york.tickets) == 18
    assert sum(ticket.points for ticket in new_york.tickets) == 92
    assert not any(ticket.long for ticket in new_york.tickets)


def test_r1_new_york_has_its_pieces(new_york: Map) -> None:
    assert new_york.colours == ("blue", "green", "black", "pink", "red", "orange")
    assert new_york.cards == dict.fromkeys(new_york.colours, 6) | {"wild": 8}
    assert sum(new_york.cards.values()) == 44
    assert new_york.points == {1: 1, 2: 2, 3: 4, 4: 7}
    rules = new_york.rules
    assert (rules.seats_min, rules.seats_max) == (2, 4)
    assert (rules.cars, rules.stations, rules.opening_cards, rules.row) == (15, 0, 2, 5)
    assert (rules.trail_points, rules.station_points, rules.attraction_points) == (0, 0, 1)


def test_the_switches_of_new_york(new_york: Map) -> None:
    rules = new_york.rules
    assert (rules.row_wilds, rules.row_resets) == (3, 50)
    assert (rules.opening_long, rules.opening_tickets, rules.opening_keep, rules.opening_under) == (0, 2, 1, True)
    assert (rules.ticket_draw, rules.ticket_keep) == (2, 1)
    assert (rules.twins_from, rules.tunnel_cards, rules.last_cars) == (3, 3, 2)


def test_a_ticket_is_worth_its_shortest_way_but_for_two(europe: Map, new_york: Map) -> None:
    unlike = {}
    for map in (europe, new_york):
        board: networkx.Graph[str] = networkx.Graph()
        board.add_weighted_edges_from((route.a, route.b, route.length) for route in map.routes)
        for ticket in map.tickets:
            way = networkx.shortest_path(board, ticket.a, ticket.b, weight="weight")
            length = sum(board[a][b]["weight"] for a, b in pairwise(way))
            if ticket.points != length:
                unlike[ticket.id] = (ticket.points, length)
    assert unlike == {"london-wien": (10, 9), "edinburgh-athina": (21, 20)}


def test_four_double_routes_are_two_identical_grey_entries(europe: Map, new_york: Map) -> None:
    alike = Counter(
        (route.a, route.b, route.length, route.colour, route.kind, route.wilds)
        for route in europe.routes + new_york.routes
    )
    assert {key[:2] for key, count in alike.items() if count == 2} == {
        ("dieppe", "london"),
        ("essen", "kobenhavn"),
        ("empire-state-building", "chelsea"),
        ("greenwich-village", "chinatown"),
    }


@pytest.mark.parametrize("id", ["europe", "new-york"])
def test_cities_lie_inside_the_drawing(id: str) -> None:
    map = load_map(id)
    width, height = map.size
    assert all(0 < city.x < width and 0 < city.y < height for city in map.cities)
