"""Nothing is lost and nothing appears: cards, cars, stations, tickets and points add up after every action."""

from collections import Counter
from typing import Any

from hypothesis import given

from branchline import Game, Map, Rng
from branchline.engine.playout import playout
from tests.properties.tables import Table, examples, tables


def cards_of(position: dict[str, Any]) -> Counter[str]:
    """Every card of a position, wherever it lies."""
    found = (
        Counter(position["deck"]) + Counter(card for card in position["row"] if card) + Counter(position["discards"])
    )
    for seat in position["seats"]:
        found += Counter(seat["hand"])
    if position["tunnel"]:
        laid = position["tunnel"]["payment"]
        found += Counter(position["tunnel"]["turned"]) + Counter({laid["colour"]: laid["cards"], "wild": laid["wilds"]})
    return +found


def tickets_of(position: dict[str, Any]) -> list[str]:
    """Every ticket that has not left the game."""
    return [*position["ticket_deck"], *(t for seat in position["seats"] for t in seat["tickets"] + seat["offer"])]


def check_pieces(map: Map, game: Game, position: dict[str, Any]) -> None:
    routes = {route.id: route for route in map.routes}
    view = game.view(None)
    for n, seat in enumerate(position["seats"]):
        own = [routes[id] for id, owner in position["owners"].items() if owner == n]
        assert seat["cars"] + sum(route.length for route in own) == map.rules.cars
        assert view.seats[n].points == sum(map.points[route.length] for route in own)
        assert view.seats[n].stations + sum(owner == n for owner in position["stations"].values()) == map.rules.stations
        assert seat["cars"] >= 0
        assert view.seats[n].stations >= 0
        assert all(count > 0 for count in seat["hand"].values())


@examples(150)
@given(tables())
def test_cards_cars_stations_and_tickets_are_conserved(table: Table) -> None:
    game = table.deal()
    rules = table.map.rules
    dealt = (rules.opening_long + rules.opening_tickets) * table.seats
    ordinary = sum(not ticket.long for ticket in table.map.tickets)
    all_cards = +Counter(dict(table.map.cards))
    opening = game.to_dict()
    assert cards_of(opening) == all_cards
    assert len(tickets_of(opening)) == ordinary + rules.opening_long * table.seats
    in_play: set[str] = set()
    for game, _, _, _ in table.play():
        position = game.to_dict()
        assert cards_of(position) == all_cards
        check_pieces(table.map, game, position)
        tickets = tickets_of(position)
        assert len(tickets) == len(set(tickets))
        if game.stage == "opening":
            assert sorted(tickets) == sorted(tickets_of(opening))
        elif not in_play:
            in_play = set(tickets)
            held = sum(len(seat["tickets"]) for seat in position["seats"])
            gone = 0 if rules.opening_under else dealt - held
            assert len(tickets_of(opening)) - len(tickets) == gone
        else:
            assert set(tickets) == in_play


@examples(150)
@given(tables())
def test_every_game_ends(table: Table) -> None:
    """Two seats failing tunnels for ever is legal, but nobody who plays at random does."""
    *_, last = table.play()
    assert last[0].over or last[0].turn > 400
    state = table.deal().state
    assert playout(state, Rng(table.seed))
    assert state.over
    assert list(state.to_act()) == []
