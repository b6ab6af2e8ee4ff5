"""The engine against slow and simple judges (tests/oracles), over thousands of positions."""

from random import Random

import pytest
from hypothesis import given

from branchline import Game, Map, explain, load_map
from branchline.codec import to_line
from branchline.count import breakdown, count
from branchline.engine.shuffle import game_key
from branchline.maps import Route
from tests.maps.islands import islands
from tests.oracles import counting, networks, rules, shuffles
from tests.oracles.players import choose
from tests.oracles.small_maps import map_data
from tests.properties.tables import COMPILED, Table, examples, tables


def check_legal(game: Game) -> None:
    position = game.to_dict()
    for seat in range(game.seats):
        assert set(game.legal_actions(seat)) == rules.legal_actions(game.map, position, seat)


@examples(150, 12)
@given(tables(small=True))
def test_legal_actions_on_small_maps(table: Table) -> None:
    for game in table.positions(apart=2):
        check_legal(game)


@pytest.mark.parametrize("id", ["europe", "new-york"])
def test_legal_actions_on_our_maps(id: str) -> None:
    map = load_map(id)
    for seats in range(map.rules.seats_min, map.rules.seats_max + 1):
        for style in ("random", "claimer", "builder", "hoarder") if COMPILED else ("random",):
            table = Table(map, seats, 7 * seats + 1, (style, "claimer"))
            for game in table.positions(apart=37):
                check_legal(game)


def check_scores(game: Game) -> None:
    map, position = game.map, game.to_dict()
    numbers = {route.id: n for n, route in enumerate(map.routes)}
    routes = {route.id: route for route in map.routes}
    counts = networks.score(map, position)
    scores = game.scores()
    for seat, (score, naive) in enumerate(zip(scores.seats, counts, strict=True)):
        borrowed = tuple(sorted(numbers[id] for id in score.borrowed.values() if id is not None))
        assert naive == networks.Count(
            score.routes, score.ticket_points, score.completed, borrowed, score.stations, score.stations_built,
            score.trail_length, score.bonus, score.attractions,
        )  # fmt: skip
        assert score.total == naive.total
        assert score.rank == 1 + sum(other.key > naive.key for other in counts)
        trail = [routes[id] for id in score.trail]
        assert networks.is_trail(trail)
        assert sum(route.length for route in trail) == score.trail_length
        own = networks.routes_of(map, position, seat)
        assert all(route in own for route in trail)
        check_borrowed(score.borrowed, position, routes, seat)
        usable = [*own, *(routes[id] for id in score.borrowed.values() if id is not None)]
        done = networks.completed(map, position["seats"][seat]["tickets"], usable)
        assert {ticket.ticket for ticket in score.tickets if ticket.completed} == done
        for ticket in score.tickets:
            path = [routes[id] for id in ticket.path]
            assert bool(path) == ticket.completed
            assert all(route in usable for route in path)
            assert networks.is_trail(path)
            if path:
                shortest = min_length(usable, *ends(map, ticket.ticket))
                assert sum(route.length for route in path) == shortest
    winners = tuple(seat for seat, score in enumerate(scores.seats) if score.rank == 1)
    assert scores.winners == winners
    assert scores.decided_by == decided_by(counts, winners)


def check_borrowed(borrowed: object, position: networks.Position, routes: object, seat: int) -> None:
    assert isinstance(borrowed, dict)
    assert isinstance(routes, dict)
    for city, id in borrowed.items():
        assert position["stations"][city] == seat
        if id is not None:
            assert city in (routes[id].a, routes[id].b)
            assert position["owners"][id] != seat


def decided_by(counts: list[networks.Count], winners: tuple[int, ...]) -> str:
    if len(winners) > 1:
        return "shared"
    best = counts[winners[0]].key
    others = [count.key for seat, count in enumerate(counts) if seat != winners[0]]
    step = max(next(n for n in range(4) if best[n] != other[n]) for other in others)
    return ("points", "tickets", "stations", "trail")[step]


def ends(map: Map, ticket: str) -> tuple[str, str]:
    return next((t.a, t.b) for t in map.tickets if t.id == ticket)


def min_length(routes: list[Route], a: str, b: str) -> float:
    """The shortest way, by relaxing every route until nothing changes."""
    far = {a: 0.0}
    for _ in routes:
        for route in routes:
            for here, there in ((route.a, route.b), (route.b, route.a)):
                if here in far:
                    far[there] = min(far.get(there, 1e9), far[here] + route.length)
    return far[b]


@examples(250, 25)
@given(tables(small=True))
def test_scores_on_small_maps(table: Table) -> None:
    for game in table.positions(apart=10):
        check_scores(game)


def barred(owner: int | None, seat: int, seats: int, map: Map) -> bool:
    """Whether a twin that belongs to `owner` closes the other half to `seat` (R4.4, R4.5)."""
    return owner is not None and (owner == seat or seats < map.rules.twins_from)


def crowded(map: Map, seats: int, seed: int) -> Game:
    """A position full of routes and stations: loops in every network, and stations that matter."""
    rng = Random(seed)
    game = Game.new(map, seats, seed)
    for seat in range(seats):
        game.play(seat, game.legal_actions(seat)[-1])
    position = game.to_dict()
    cars = [map.rules.cars] * seats
    owners: dict[str, int] = {}
    twins = {route.id: [r.id for r in map.routes if rules.is_twin(route, r)] for route in map.routes}
    near = [{rng.choice(map.cities).id} for _ in range(seats)]
    for _ in range(20 * seats):
        seat = rng.randrange(seats)
        open_to = [
            route
            for route in map.routes
            if route.id not in owners
            and cars[seat] >= route.length
            and not any(barred(owners.get(twin), seat, seats, map) for twin in twins[route.id])
        ]
        # A route with both ends in the own network makes a loop; one end makes it grow.
        for ends_near in (2, 1, 0):
            candidates = [r for r in open_to if (r.a in near[seat]) + (r.b in near[seat]) == ends_near]
            if candidates and rng.random() < 0.9:
                route = rng.choice(candidates)
                owners[route.id] = seat
                cars[seat] -= route.length
                near[seat] |= {route.a, route.b}
                break
    stations: dict[str, int] = {}
    for _ in range(map.rules.stations * seats):
        city, seat = rng.choice(map.cities).id, rng.randrange(seats)
        if city not in stations and list(stations.values()).count(seat) < map.rules.stations:
            stations[city] = seat
    deck = position["ticket_deck"]
    for seat in range(seats):
        take = rng.randrange(0, max(1, len(deck) // (seats + 1)))
        position["seats"][seat]["tickets"] += [deck.pop() for _ in range(take)]
        position["seats"][seat]["cars"] = cars[seat]
    return Game.from_dict(position | {"owners": owners, "stations": stations, "memory": None})


@pytest.mark.parametrize("id", ["europe", "new-york"])
def test_scores_of_crowded_boards(id: str) -> None:
    map = load_map(id)
    borrowed = loops = 0
    for seed in range(100 if COMPILED else 20):
        game = crowded(map, map.rules.seats_min + seed % (map.rules.seats_max - map.rules.seats_min + 1), seed)
        check_scores(game)
        for seat, score in enumerate(game.scores().seats):
            borrowed += any(score.borrowed.values())
            own = networks.routes_of(map, game.to_dict(), seat)
            loops += len(own) >= len({city for route in own for city in (route.a, route.b)}) > 0
            view = game.view(seat)
            assert explain.borrowed(view) == score.borrowed
    assert loops
    assert bool(borrowed) == bool(map.rules.stations)


@examples(200, 40)
@given(tables(small=True))
def test_scores_of_crowded_small_boards(table: Table) -> None:
    """On few cities stations often have several ways to the same end, and the last ruling of R6.5 decides."""
    check_scores(crowded(table.map, table.seats, table.seed))


def test_r6_5_of_equal_choices_the_lowest_route_numbers_are_borrowed() -> None:
    """Two stations could each borrow one route that does it: not the last station's is taken, but the lower number."""
    routes = [("p", "m", 1), ("p", "n", 1), ("m", "q", 1), ("n", "q", 1), ("p", "z", 1)]
    data = map_data(
        islands(stations=2, opening_long=0, cars=9)["ruleset"],
        {"red": 6, "wild": 3},
        [(a, b, length, "grey", "track", 0) for a, b, length in routes],
        [("p", "q", 5, False), ("p", "m", 1, False), ("p", "n", 1, False), ("m", "z", 1, False)],
    )
    for order in (data["routes"], data["routes"][::-1]):
        game = Game.new(load_map(data | {"routes": order}), 2, 1)
        for seat in (0, 1):
            game.play(seat, game.legal_actions(seat)[0])
        position = game.to_dict()
        position["seats"][0]["tickets"], position["seats"][1]["tickets"] = ["p-q"], []
        position |= {
            "owners": {"p-m-0": 0, "p-n-1": 0, "m-q-2": 1, "n-q-3": 1},
            "stations": {"m": 0, "n": 0},
            "ticket_deck": [],
            "memory": None,
        }
        for seat, cars in ((0, 7), (1, 7)):
            position["seats"][seat]["cars"] = cars
        game = Game.from_dict(position)
        check_scores(game)
        lowest = next(route["id"] for route in order if route["id"] in ("m-q-2", "n-q-3"))
        assert [route for route in game.scores()[0].borrowed.values() if route] == [lowest]


@examples(60, 10)
@given(tables())
def test_deals_follow_the_page(table: Table) -> None:
    for first in (None, table.seed % table.seats):
        entropy = b"" if table.seed % 4 else b"more"
        game = Game.new(table.map, table.seats, table.seed, first=first, entropy=entropy)
        deal = shuffles.Deal(table.map, table.seats, shuffles.key(table.seed, entropy), first)
        position = game.to_dict()
        assert game.key == deal.key
        assert position["shuffles"]["done"] == deal.index
        assert position["first"] == deal.first
        assert position["deck"] == deal.deck
        assert position["row"] == deal.row + [None] * (table.map.rules.row - len(deal.row))
        assert position["ticket_deck"] == deal.tickets
        for seat, own in enumerate(position["seats"]):
            assert own["hand"] == {card: deal.hands[seat].count(card) for card in own["hand"]}
            assert sum(own["hand"].values()) == len(deal.hands[seat])
            assert own["offer"] == deal.offers[seat]


@pytest.mark.parametrize("seed", [0, -3, 10**40, "", "seven", "七", b"", b"\x00\xff"])
def test_keys_follow_the_page(seed: int | str | bytes) -> None:
    assert game_key(seed) == shuffles.key(seed)
    assert game_key(seed, b"salt") == shuffles.key(seed, b"salt") != shuffles.key(seed)


@examples(60, 8)
@given(tables(small=True))
def test_counts_of_small_maps(table: Table) -> None:
    for game in table.positions(apart=15):
        if game.over:
            continue
        depth = 2 if len(game.legal_indices(game.to_act[0])) < 40 else 1
        lines = breakdown(game, depth)
        assert {to_line(action): n for action, n in lines.items()} == counting.breakdown(game, depth)
        assert count(game, depth) == sum(lines.values()) == counting.count(game, depth)


def test_players_are_careless_in_all_styles() -> None:
    game = Game.new("europe", 2, 1)
    for style in ("random", "claimer", "builder", "hoarder", "traveller"):
        assert choose(game, 0, Random(1), style) in game.legal_indices(0)
