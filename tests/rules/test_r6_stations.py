"""R6: stations, which Europe has."""

import pytest

from branchline import BuildStation, Game, explain
from tests.builder import Position, hand, legal, made_up, play, refused


def prices(game: Game, city: str) -> set[str]:
    """The payments for a station in a city."""
    return {line.removeprefix(f"build {city} ") for line in legal(game) if line.startswith(f"build {city} ")}


def cities(game: Game) -> set[str]:
    return {line.split()[1] for line in legal(game) if line.startswith("build")}


def test_r6_1_in_any_city_that_has_none(europe: Position) -> None:
    """Case 40: whether or not one has a route there."""
    game = europe.owns(0, "paris-zurich").owns(1, "rostov-sochi").hand(0, red=1).game()
    assert cities(game) == {city.id for city in europe.map.cities}
    play(game, 0, "build cadiz 1 red")
    assert game.view(1).stations == {"cadiz": 0}
    assert [seat.stations for seat in game.view(1).seats] == [2, 3]


def test_r6_1_but_not_where_one_stands(europe: Position) -> None:
    """Case 40: whoever owns it."""
    game = europe.station(0, "paris").station(1, "roma").hand(0, red=2).game()
    assert cities(game) == {city.id for city in europe.map.cities} - {"paris", "roma"}
    assert refused(game, 0, "build paris 2 red") == "R6.1 city-taken"
    assert refused(game, 0, "build roma 2 red") == "R6.1 city-taken"


@pytest.mark.parametrize(
    ("built", "payments"),
    [
        ((), {"1 red", "1 blue", "1 wild"}),
        (("paris",), {"2 red", "1 red 1 wild", "1 blue 1 wild", "2 wild"}),
        (("paris", "roma"), {"3 red", "2 red 1 wild", "1 red 2 wild", "1 blue 2 wild", "3 wild"}),
    ],
)
def test_r6_2_one_card_then_two_then_three_of_one_colour(
    europe: Position, built: tuple[str, ...], payments: set[str]
) -> None:
    """Case 39: wilds stand for any of them, as the player chooses."""
    game = europe.station(0, *built).hand(0, red=3, blue=1, wild=3).game()
    assert prices(game, "wien") == payments


@pytest.mark.parametrize("payment", ["1 red", "3 red", "2 red 1 wild", "1 wild"])
def test_r6_2_neither_more_nor_fewer(europe: Position, payment: str) -> None:
    game = europe.station(0, "paris").hand(0, red=3, wild=3).game()
    assert refused(game, 0, f"build wien {payment}") == "R6.2 station-count"


def test_r6_2_the_cards_must_be_in_the_hand_and_of_one_colour(europe: Position) -> None:
    game = europe.station(0, "paris").hand(0, red=1, blue=1).game()
    assert cities(game) == set()
    for payment in ("2 red", "1 red 1 wild", "2 wild"):
        assert refused(game, 0, f"build wien {payment}") == "R6.2 station-cards"


def test_r6_2_the_price_counts_ones_own_stations_only(europe: Position) -> None:
    """Case 39."""
    game = europe.station(1, "paris", "roma").hand(0, red=3).game()
    assert prices(game, "wien") == {"1 red"}


def test_r6_2_the_cards_are_discarded(europe: Position) -> None:
    game = europe.station(0, "paris", "roma").hand(0, red=3, wild=2).game()
    assert play(game, 0, "build wien 2 red 1 wild")[0] == "built 0 wien 2 red 1 wild"
    assert hand(game, 0) == {"red": 1, "wild": 1}
    assert game.view(1).discards == {"red": 2, "wild": 1}


def test_r6_3_one_station_a_turn(europe: Position) -> None:
    game = europe.hand(0, red=3).game()
    play(game, 0, "build paris 1 red")
    assert game.to_act == (1,)
    assert refused(game, 0, "build roma 2 red") == "R3.1 not-your-turn"


def test_r6_3_three_in_a_game(europe: Position) -> None:
    """Case 39."""
    game = europe.station(0, "paris", "roma", "wien").hand(0, red=6, wild=6).game()
    assert cities(game) == set()
    for payment in ("1 red", "3 red", "4 red", "1 red 3 wild", "2 red 2 wild", "4 wild"):
        assert refused(game, 0, f"build berlin {payment}") == "R6.3 stations-used"


def test_r6_3_a_station_is_never_moved(europe: Position) -> None:
    game = europe.station(0, "paris").hand(0, red=3).hand(1, red=3).game()
    play(game, 0, "build roma 2 red")
    play(game, 1, "build wien 1 red")
    assert game.view(None).stations == {"paris": 0, "roma": 0, "wien": 1}


def test_r6_3_building_is_never_required_where_something_else_is_legal(europe: Position) -> None:
    assert "draw ?" in legal(europe.hand(0, red=3).game())


def test_r6_3_except_where_it_is_the_only_legal_action(europe: Position) -> None:
    game = europe.no_route_left().row("- - - - -").deck("").ticket_deck().hand(0, red=1).game()
    assert {line.split()[0] for line in legal(game)} == {"build"}
    assert refused(game, 0, "pass") == "R3.10 not-stuck"


@pytest.mark.parametrize(("built", "points"), [(0, 12), (1, 8), (2, 4), (3, 0)])
def test_r6_4_each_unbuilt_station_is_worth_four(europe: Position, built: int, points: int) -> None:
    """Case 43: a built one is worth nothing, of use or not."""
    own = europe.station(0, *("paris", "roma", "wien")[:built]).scores()[0]
    assert (own.stations, own.stations_built, own.total) == (points, built, points)


# R6.5: borrowing. A star: the hub h with a, b and c around it, and a way round the outside.

STAR = "h-a 1, h-b 1, h-c 1, a-b 2, b-c 2, c-d 1"
GOALS = "h-a 3, h-b 5, h-c 4, a-b 6, a-c 7, a-d 8, b-d 2"


def star() -> Position:
    return made_up(STAR, GOALS).seats(3)


def test_r6_5_a_station_lends_a_route_of_another_player() -> None:
    """Case 41."""
    own = star().station(0, "h").owns(1, "h-a").tickets(0, "h-a").scores()[0]
    assert own.borrowed == {"h": "h-a"}
    assert (own.ticket_points, own.completed) == (3, 1)
    assert own.tickets[0].path == ("h-a",)


def test_r6_5_one_route_and_the_same_for_all_tickets() -> None:
    """Case 41: of two routes that would each complete a ticket only the better one is used."""
    own = star().station(0, "h").owns(1, "h-a", "h-b").tickets(0, "h-a", "h-b").scores()[0]
    assert own.borrowed == {"h": "h-b"}
    assert (own.ticket_points, own.completed) == (5 - 3, 1)


def test_r6_5_one_borrowed_route_may_serve_several_tickets() -> None:
    """Case 41."""
    own = star().station(0, "h").owns(1, "h-a").owns(0, "h-b", "h-c").tickets(0, "h-a", "a-b", "a-c").scores()[0]
    assert own.borrowed == {"h": "h-a"}
    assert (own.ticket_points, own.completed) == (3 + 6 + 7, 3)


def test_r6_5_the_route_must_end_in_that_city() -> None:
    """Case 41."""
    own = star().station(0, "a").owns(0, "h-a").owns(1, "h-b").tickets(0, "a-b").scores()[0]
    assert own.borrowed == {"a": None}
    assert own.ticket_points == -6


def test_r6_5_an_unclaimed_route_cannot_be_borrowed() -> None:
    """Case 41."""
    own = star().station(0, "h").tickets(0, "h-a").scores()[0]
    assert (own.borrowed, own.ticket_points) == ({"h": None}, -3)


def test_r6_5_nor_a_closed_one(europe: Position) -> None:
    """Case 41: the half of a double route that nobody may claim any more; the other half can be."""
    board = (
        europe.seats(3).station(0, "madrid").tickets(0, "madrid-dieppe").owns(0, "pamplona-paris-blue", "dieppe-paris")
    )
    mine = board.owns(0, "madrid-pamplona-white")
    assert mine.game().view(None).closed == ("madrid-pamplona-black", "pamplona-paris-green")
    assert mine.scores()[0].borrowed == {"madrid": None}
    other = board.owns(1, "madrid-pamplona-white")
    assert other.scores()[0].borrowed == {"madrid": "madrid-pamplona-white"}
    assert other.scores()[0].completed == 1


def test_r6_5_nor_a_route_of_ones_own() -> None:
    """Case 41: it is of no use, the route is there already."""
    own = star().station(0, "h").owns(0, "h-a").tickets(0, "h-a").scores()[0]
    assert (own.borrowed, own.ticket_points) == ({"h": None}, 3)


def test_r6_5_only_for_ones_own_station() -> None:
    """Case 41: a station lends nothing to others."""
    own = star().station(2, "h").owns(1, "h-a").tickets(0, "h-a").scores()[0]
    assert (own.borrowed, own.ticket_points) == ({}, -3)


def test_r6_5_several_stations_may_serve_one_path() -> None:
    """Case 42."""
    board = star().station(0, "a", "c").owns(1, "h-a", "h-c").tickets(0, "a-c")
    own = board.scores()[0]
    assert own.borrowed == {"a": "h-a", "c": "h-c"}
    assert (own.ticket_points, own.completed) == (7, 1)
    three = board.owns(2, "c-d").tickets(0, "a-d").station(0, "d").scores()[0]
    assert three.borrowed == {"a": "h-a", "c": "h-c", "d": "c-d"}
    assert three.ticket_points == 8


def test_r6_5_two_players_may_borrow_the_same_route() -> None:
    """Case 42."""
    board = star().station(0, "h").station(2, "a").owns(1, "h-a").tickets(0, "h-a").tickets(2, "a-b")
    scores = board.owns(2, "h-b").scores()
    assert scores[0].borrowed == {"h": "h-a"}
    assert scores[2].borrowed == {"a": "h-a"}
    assert (scores[0].ticket_points, scores[2].ticket_points) == (3, 6)


def test_r6_5_both_may_even_stand_at_its_ends() -> None:
    """Case 42: two stations of one player at one route; the second is of no further use and shows none."""
    own = star().station(0, "a", "h").owns(1, "h-a").tickets(0, "h-a").scores()[0]
    assert own.borrowed == {"a": None, "h": "h-a"}  # the last in the map's order has it, always


def test_r6_5_the_choice_with_the_most_ticket_points() -> None:
    """Case 42: 8 points beat two tickets of 3 and 2."""
    board = made_up("h-a 1, h-b 1, b-d 1, b-e 1", "h-a 8, h-d 3, h-e 2").seats(3).station(0, "h")
    own = board.owns(1, "h-a", "h-b").owns(0, "b-d", "b-e").tickets(0, "h-a", "h-d", "h-e").scores()[0]
    assert own.borrowed == {"h": "h-a"}
    assert (own.ticket_points, own.completed) == (8 - 5, 1)


def test_r6_5_then_with_the_most_completed_tickets() -> None:
    """Case 42: 8 points in two tickets beat 8 in one; `h-a` is first by number and found first."""
    board = made_up("h-a 1, h-b 1, b-d 1, b-e 1", "h-a 8, h-d 5, h-e 3").seats(3).station(0, "h")
    own = board.owns(1, "h-a", "h-b").owns(0, "b-d", "b-e").tickets(0, "h-a", "h-d", "h-e").scores()[0]
    assert own.borrowed == {"h": "h-b"}
    assert (own.ticket_points, own.completed) == (0, 2)


def test_r6_5_then_with_the_fewest_borrowed_routes() -> None:
    """Case 42: the way straight across with one station, not round by two; lower numbers do not matter yet."""
    board = made_up("a-h 1, h-b 1, a-b 2", "a-b 6").seats(3).station(0, "a", "b").owns(1, "a-h", "h-b", "a-b")
    own = board.tickets(0, "a-b").scores()[0]
    assert list(own.borrowed.values()).count("a-b") == 1
    assert list(own.borrowed.values()).count(None) == 1
    assert own.tickets[0].path == ("a-b",)


def test_r6_5_then_with_the_lowest_route_numbers() -> None:
    """Case 42: of two ways alike, the one that stands first in the map."""
    for routes, first in (("a-b 1, a-b+ 1", "a-b"), ("a-b+ 1, a-b 1", "a-b-2")):
        board = made_up(routes, "a-b 6").seats(4).station(0, "a").owns(1, "a-b").owns(2, "a-b-2")
        assert board.tickets(0, "a-b").scores()[0].borrowed == {"a": first}


def test_r6_5_the_lowest_numbers_of_several() -> None:
    """Case 42: the set with the lower numbers in ascending order, whatever station has which."""
    routes = "a-x 1, y-b 1, a-y 1, x-b 1"
    board = made_up(routes, "a-b 6").seats(4).station(0, "a", "b").owns(1, "a-x", "y-b", "a-y", "x-b")
    own = board.tickets(0, "a-b").scores()[0]
    assert own.borrowed == {"a": "a-x", "b": "x-b"}


def test_r6_5_a_useless_station_shows_none() -> None:
    """Case 43."""
    own = star().station(0, "h", "d").owns(1, "h-a", "c-d").tickets(0, "h-a").scores()[0]
    assert own.borrowed == {"d": None, "h": "h-a"}
    nothing = star().station(0, "h").owns(1, "h-a").scores()[0]
    assert nothing.borrowed == {"h": None}


def test_r6_5_what_completes_nothing_is_not_borrowed() -> None:
    own = star().station(0, "h").owns(1, "h-a").tickets(0, "b-d").scores()[0]
    assert (own.borrowed, own.ticket_points) == ({"h": None}, -2)


# Stations are weighed in the order of the map, and the last one's routes all at once: which of them has the route that
# does it must not matter. Here it is the first.


def test_r6_5_the_first_station_alone_may_do_it() -> None:
    own = made_up("a-b 1, d-e 1", "a-b 6").seats(3).station(0, "a", "d").owns(1, "a-b", "d-e").tickets(0, "a-b")
    score = own.scores()[0]
    assert score.borrowed == {"a": "a-b", "d": None}
    assert (score.ticket_points, score.completed) == (6, 1)


def test_r6_5_each_station_has_the_routes_that_end_in_its_city() -> None:
    """The first has two to choose from, and the second is the one; nor does it get one of those that the last has."""
    own = made_up("a-b 1, a-c 1, d-e 1", "a-c 6").seats(3).station(0, "a", "d").owns(1, "a-b", "a-c", "d-e")
    assert own.tickets(0, "a-c").scores()[0].borrowed == {"a": "a-c", "d": None}
    own = made_up("a-b 1, d-e 1, d-f 1", "d-e 6, d-f 5").seats(3).station(0, "a", "d").owns(1, "a-b", "d-e", "d-f")
    score = own.tickets(0, "d-e", "d-f").scores()[0]
    assert score.borrowed == {"a": None, "d": "d-e"}
    assert (score.ticket_points, score.completed) == (1, 1)


@pytest.mark.parametrize(
    ("routes", "borrowed"),
    [("a-m 1, d-n 1", {"a": "a-m", "d": None}), ("d-n 1, a-m 1", {"a": None, "d": "d-n"})],
)
def test_r6_5_of_two_stations_that_would_do_the_one_with_the_lower_route(
    routes: str, borrowed: dict[str, str | None]
) -> None:
    """Own routes lead from `m` to `d` and from `n` to `a`: either station can close the gap, the other shows none."""
    board = made_up(f"{routes}, m-d 1, a-n 1", "a-d 6").seats(3).station(0, "a", "d").owns(1, "a-m", "d-n")
    score = board.owns(0, "m-d", "a-n").tickets(0, "a-d").scores()[0]
    assert score.borrowed == borrowed
    assert (score.ticket_points, score.completed) == (6, 1)


def test_r6_5_of_sets_that_begin_alike_the_next_number_tells() -> None:
    """Both borrow `b-z`; beside it `a-m` or `c-n` would do, and `a-m` comes first in the map."""
    board = made_up("b-z 1, a-m 1, c-n 1, m-c 1, a-n 1", "a-c 6, b-z 5").seats(3).station(0, "a", "b", "c")
    score = board.owns(1, "b-z", "a-m", "c-n").owns(0, "m-c", "a-n").tickets(0, "a-c", "b-z").scores()[0]
    assert score.borrowed == {"a": "a-m", "b": "b-z", "c": None}


def test_r6_5_the_route_is_chosen_at_the_end() -> None:
    """Case 41: building names a city only, and a route claimed later can be borrowed."""
    assert set(BuildStation.__dataclass_fields__) == {"city", "payment"}
    board = star().station(0, "h").tickets(0, "h-a")
    game = board.hand(1, red=1).on_turn(1).game()
    assert game.scores()[0].ticket_points == -3
    play(game, 1, "claim h-a 1 red")
    assert game.scores()[0].ticket_points == 3
    assert explain.borrowed(game.view(0)) == {"h": "h-a"}


def test_r6_6_borrowed_routes_do_not_count_for_the_longest_trail() -> None:
    """Case 44: they neither add length nor join two pieces."""
    board = made_up("a-b 2, b-c 3, c-d 2", "a-d 9").seats(2).owns(0, "a-b", "c-d").owns(1, "b-c")
    scores = board.station(0, "b").tickets(0, "a-d").scores()
    assert scores[0].borrowed == {"b": "b-c"}
    assert scores[0].completed == 1
    assert [seat.trail_length for seat in scores.seats] == [2, 3]
    assert [seat.bonus for seat in scores.seats] == [0, 10]
    assert scores[0].trail in (("a-b",), ("c-d",))
