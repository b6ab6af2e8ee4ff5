"""The answers to people's questions against a slow and simple judge (tests/oracles/answers.py)."""

from hypothesis import given

from branchline import ClaimRoute, Game, explain
from branchline.maps import Route
from tests.oracles import answers, networks, rules
from tests.properties.tables import Table, examples, tables


def claimable(game: Game, position: rules.Position, seat: int) -> set[str]:
    return {action.route for action in rules.legal_actions(game.map, position, seat) if isinstance(action, ClaimRoute)}


@examples(60, 5)
@given(tables(small=True))
def test_why_not_claim_says_what_bars_and_what_is_missing(table: Table) -> None:
    for game in table.positions(apart=5):
        position = game.to_dict()
        for seat in range(game.seats):
            view = game.view(seat)
            may = claimable(game, position, seat)
            for route in game.map.routes:
                reasons = explain.why_not_claim(view, route.id)
                assert bool(reasons) != (route.id in may)
                check_reasons(game, position, seat, route, reasons)


def check_reasons(game: Game, position: rules.Position, seat: int, route: Route, reasons: list[explain.WhyNot]) -> None:
    missing = [reason for reason in reasons if reason.missing and "cars" not in reason.missing]
    assert sum(sum(reason.missing.values()) for reason in missing) == answers.cards_missing(
        game.map, position, seat, route
    )
    barred = answers.barred(game.map, position, seat, route)
    said = [reason for reason in reasons if reason.reason in ("route-taken", "twin-yours", "twin-closed", "few-cars")]
    assert [reason.rule for reason in said] == ([] if barred is None else [barred])
    for reason in said:
        if "cars" in reason.missing:
            assert reason.missing["cars"] == route.length - position["seats"][seat]["cars"]
    others = [reason for reason in reasons if reason not in missing and reason not in said]
    assert bool(others) == (position["stage"] != "turn" or position["on_turn"] != seat)


@examples(60, 5)
@given(tables(small=True))
def test_what_is_said_to_be_missing_is_enough(table: Table) -> None:
    """With those cards in the hand the route can be claimed, on a turn on which nothing bars it."""
    for game in table.positions(apart=5):
        position = game.to_dict()
        seat = position["on_turn"]
        if position["stage"] != "turn":
            continue
        for route in game.map.routes:
            if answers.barred(game.map, position, seat, route) is None:
                hand = dict(position["seats"][seat]["hand"])
                for reason in explain.why_not_claim(game.view(seat), route.id):
                    for colour, cards in reason.missing.items():
                        hand[colour] = hand.get(colour, 0) + cards
                seats = [own | {"hand": hand} if n == seat else own for n, own in enumerate(position["seats"])]
                assert route.id in claimable(game, position | {"seats": seats}, seat)


@examples(30, 3)
@given(tables())
def test_the_shortest_way_takes_the_fewest_cars(table: Table) -> None:
    for game in table.positions(apart=11):
        position = game.to_dict()
        routes = {route.id: route for route in game.map.routes}
        seat = position["on_turn"]
        view, graph = game.view(seat), answers.ways(game.map, position, seat)
        for ticket in game.map.tickets[game.turn % 3 :: 3]:
            way = explain.shortest_way(view, ticket.id)
            fewest = answers.fewest_cars(graph, ticket.a, ticket.b)
            if way is None:
                assert fewest is None
                continue
            assert way.spaces == fewest == sum(routes[id].length for id in way.claim)
            assert list(way.claim) == [id for id in way.routes if position["owners"].get(id) != seat]
            stroke = [routes[id] for id in way.routes]
            assert networks.is_trail(stroke)
            assert networks.completed(game.map, [ticket.id], stroke) == {ticket.id}
            assert all(answers.barred(game.map, position, seat, routes[id]) is None for id in way.claim)
