"""R1: what is in the box."""

from dataclasses import fields

import pytest

from branchline import Game, load_map
from branchline.views import PublicSeat
from tests.builder import Position, every_card, kinds, play, refused


@pytest.mark.parametrize(("map", "seats"), [("europe", range(2, 6)), ("new-york", range(2, 5))])
def test_r1_1_so_many_may_play(map: str, seats: range) -> None:
    for n in seats:
        assert Game.new(map, seats=n, seed=1).seats == n
    for n in (0, 1, seats.stop):
        with pytest.raises(ValueError, match=r"R1\.1"):
            Game.new(map, seats=n, seed=1)


@pytest.mark.parametrize(("map", "cars"), [("europe", 45), ("new-york", 15)])
def test_r1_2_each_starts_with_so_many_cars(map: str, cars: int) -> None:
    game = Game.new(map, seats=3, seed=1)
    assert [seat.cars for seat in game.view(None).seats] == [cars] * 3


def test_r1_3_europe_has_three_stations_each() -> None:
    assert [seat.stations for seat in Game.new("europe", seats=5, seed=1).view(None).seats] == [3] * 5


def test_r1_3_new_york_has_no_stations(new_york: Position) -> None:
    game = new_york.hand(0, red=3, wild=3).game()
    assert [seat.stations for seat in game.view(None).seats] == [0, 0]
    assert "build" not in kinds(game)
    assert refused(game, 0, "build chelsea 1 red") == "R1.3 no-stations"


def test_r1_4_the_cards_of_europe() -> None:
    """Case 53."""
    cards = load_map("europe").cards
    colours = ["purple", "blue", "orange", "white", "green", "yellow", "black", "red"]
    assert cards == {**dict.fromkeys(colours, 12), "wild": 14}
    assert sum(cards.values()) == 110


def test_r1_4_the_cards_of_new_york() -> None:
    """Case 53."""
    cards = load_map("new-york").cards
    assert cards == {**dict.fromkeys(["blue", "green", "black", "pink", "red", "orange"], 6), "wild": 8}
    assert sum(cards.values()) == 44


def test_r1_4_all_cards_are_dealt_and_stay_in_the_game(board: Position) -> None:
    """Case 53: cards are conserved; `tests/properties` asks this of whole games."""
    game = Game.new(board.map, seats=4, seed=3)
    assert every_card(game) == board.map.cards
    for turn in range(60):
        seat = game.to_act[0]
        actions = game.legal_actions(seat)
        game.play(seat, actions[turn * 7 % len(actions)])
        assert every_card(game) == board.map.cards


def test_r1_5_the_tickets_of_europe() -> None:
    """Case 53."""
    tickets = load_map("europe").tickets
    assert (len(tickets), sum(ticket.long for ticket in tickets)) == (46, 6)


def test_r1_5_the_tickets_of_new_york() -> None:
    """Case 53."""
    tickets = load_map("new-york").tickets
    assert (len(tickets), sum(ticket.long for ticket in tickets)) == (18, 0)


@pytest.mark.parametrize(("map", "cards"), [("europe", 4), ("new-york", 2)])
def test_r1_6_the_opening_hand(map: str, cards: int) -> None:
    game = Game.new(map, seats=4, seed=1)
    assert [seat.cards for seat in game.view(None).seats] == [cards] * 4


def test_r1_7_five_cards_lie_face_up(board: Position) -> None:
    row = Game.new(board.map, seats=2, seed=1).view(None).row
    assert len(row) == 5
    assert None not in row


@pytest.mark.parametrize(
    ("route", "payment", "points"),
    [
        ("amsterdam-bruxelles", "1 black", 1),
        ("amsterdam-frankfurt", "2 white", 2),
        ("amsterdam-essen", "3 yellow", 4),
        ("kyiv-warszawa", "4 red", 7),
        ("palermo-smyrna", "4 red 2 wild", 15),
        ("petrograd-stockholm", "8 red", 21),
    ],
)
def test_r1_8_route_points_of_europe(europe: Position, route: str, payment: str, points: int) -> None:
    """Case 21."""
    game = europe.hand(0, black=1, white=2, yellow=3, red=8, wild=2).top("blue blue blue").game()
    assert f"claimed 0 {route} {payment} {points}" in play(game, 0, f"claim {route} {payment}")
    assert game.view(None).seats[0].points == points


@pytest.mark.parametrize(
    ("route", "payment", "points"),
    [
        ("midtown-west-times-square", "1 red", 1),
        ("lincoln-center-midtown-west", "2 red", 2),
        ("central-park-united-nations", "3 pink", 4),
        ("chelsea-soho", "4 pink", 7),
    ],
)
def test_r1_8_route_points_of_new_york(new_york: Position, route: str, payment: str, points: int) -> None:
    """Case 21."""
    game = new_york.hand(0, red=2, pink=4).game()
    assert f"claimed 0 {route} {payment} {points}" in play(game, 0, f"claim {route} {payment}")
    assert game.view(None).seats[0].points == points


def test_r1_8_there_are_no_other_lengths() -> None:
    """Case 21: Europe has no route of length 5 or 7."""
    assert {route.length for route in load_map("europe").routes} == {1, 2, 3, 4, 6, 8}
    assert {route.length for route in load_map("new-york").routes} == {1, 2, 3, 4}


def test_r1_9_the_bonuses_of_europe(europe: Position) -> None:
    own = europe.owns(0, "kyiv-warszawa").station(0, "paris").scores()[0]
    assert (own.bonus, own.stations, own.attractions) == (10, 2 * 4, 0)


def test_r1_9_the_bonus_of_new_york(new_york: Position) -> None:
    own = new_york.owns(0, "central-park-united-nations").scores()[0]
    assert (own.bonus, own.stations, own.attractions) == (0, 0, 2)


def test_r1_10_a_seat_is_a_number_whose_colour_is_the_painters_business() -> None:
    """There are as many colours as seats; no rule knows which seat has which."""
    assert load_map("europe").rules.seats_max == len(["blue", "red", "green", "yellow", "black"])
    assert load_map("new-york").rules.seats_max == 4
    assert "colour" not in {field.name for field in fields(PublicSeat)}
