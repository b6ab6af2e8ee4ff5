"""R4: claiming routes, double routes, ferries and tunnels."""

from collections import Counter
from itertools import combinations

import pytest

from branchline import Game
from branchline.maps import Route
from tests.builder import Position, deck, every_card, hand, legal, lines, play, play_all, refused

# R4.1: what is paid


def test_r4_1_a_coloured_route_takes_its_colour_and_wilds(europe: Position) -> None:
    """Case 19: the example of the rulebook, three yellow spaces."""
    position = europe.hand(0, yellow=3, red=3, wild=3)
    assert position.payments(0, "amsterdam-essen") == {"3 yellow", "2 yellow 1 wild", "1 yellow 2 wild", "3 wild"}


def test_r4_1_a_coloured_route_of_new_york_too(new_york: Position) -> None:
    """Case 19."""
    position = new_york.hand(0, blue=3, red=3, wild=3)
    payments = {"3 blue", "2 blue 1 wild", "1 blue 2 wild", "3 wild"}
    assert position.payments(0, "wall-street-brooklyn-blue") == payments


def test_r4_1_a_grey_route_takes_any_one_colour(europe: Position) -> None:
    """Case 19."""
    position = europe.hand(0, red=2, yellow=1, white=1, wild=2)
    payments = {"2 red", "1 red 1 wild", "1 yellow 1 wild", "1 white 1 wild", "2 wild"}
    assert position.payments(0, "rostov-sochi") == payments


def test_r4_1_a_grey_route_of_new_york_too(new_york: Position) -> None:
    """Case 19."""
    position = new_york.hand(0, red=2, pink=1, wild=1)
    assert position.payments(0, "soho-wall-street") == {"2 red", "1 red 1 wild", "1 pink 1 wild"}


def test_r4_1_the_player_chooses_how_many_wilds(board: Position) -> None:
    """Case 19: wilds may be played though the colour is at hand, and they are what leaves the hand."""
    route = {"europe": "marseille-pamplona 2 red 2 wild", "new-york": "chelsea-greenwich-village-red 1 red 2 wild"}
    game = board.hand(0, red=4, wild=2).game()
    play(game, 0, f"claim {route[board.map.id]}")
    assert game.view(0).discards == {"red": 2 if board.map.id == "europe" else 1, "wild": 2}


def test_r4_1_colours_do_not_mix(board: Position) -> None:
    grey = {"europe": "rostov-sochi", "new-york": "soho-wall-street"}[board.map.id]
    position = board.hand(0, red=1, blue=1)
    assert grey not in position.claimable(0)


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("2 yellow", "R4.1 wrong-count"),
        ("4 yellow", "R4.1 wrong-count"),
        ("2 yellow 2 wild", "R4.1 wrong-count"),
        ("3 red", "R4.1 wrong-colour"),
        ("2 red 1 wild", "R4.1 wrong-colour"),
        ("1 yellow 2 wild", "R4.1 few-cards"),
        ("3 wild", "R4.1 few-cards"),
    ],
)
def test_r4_1_other_payments_are_refused(europe: Position, line: str, refusal: str) -> None:
    game = europe.hand(0, yellow=4, red=4, wild=1).game()
    assert refused(game, 0, f"claim amsterdam-essen {line}") == refusal


def test_r4_1_the_cards_must_be_in_the_hand(board: Position) -> None:
    red = {"europe": "kyiv-smolensk", "new-york": "chinatown-brooklyn-red"}[board.map.id]
    assert red not in board.hand(0, red=2).claimable(0)
    assert red in board.hand(0, red=3).claimable(0)
    assert red in board.hand(0, red=2, wild=1).claimable(0)
    assert refused(board.hand(0, red=2).game(), 0, f"claim {red} 3 red") == "R4.1 few-cards"


# R4.2: where


def test_r4_2_the_route_must_be_unclaimed(board: Position) -> None:
    route = board.map.routes[0]
    for owner in (0, 1):
        position = board.seats(4).owns(owner, route.id).hand(0, wild=4)
        assert route.id not in position.claimable(0)
        assert refused(position.game(), 0, f"claim {route.id} {route.length} wild") == "R4.2 route-taken"


@pytest.mark.parametrize("cars", [3, 4, 5])
def test_r4_2_a_car_for_each_space_or_no_claim(board: Position, cars: int) -> None:
    """Case 18: cars never run below nought."""
    four = {"europe": "marseille-pamplona", "new-york": "chelsea-soho"}[board.map.id]
    game = board.hand(0, wild=4).cars(0, cars).game()
    if cars < 4:
        assert refused(game, 0, f"claim {four} 4 wild") == "R4.2 few-cars"
        assert f"claim {four} 4 wild" not in legal(game)
    else:
        play(game, 0, f"claim {four} 4 wild")
        assert game.view(1).seats[0].cars == cars - 4


def test_r4_2_a_car_is_put_on_each_space(board: Position) -> None:
    route = board.map.routes[0]
    game = board.hand(0, wild=4).game()
    play(game, 0, f"claim {route.id} {route.length} wild")
    view = game.view(1)
    assert view.owners == {route.id: 0}
    assert [seat.cars for seat in view.seats] == [board.map.rules.cars - route.length, board.map.rules.cars]


def test_r4_2_the_whole_route_and_one_route_a_turn(board: Position) -> None:
    game = board.hand(0, wild=8).game()
    route = board.map.routes[0]
    assert all(line.split()[2] == str(length_of(board, line)) for line in legal(game) if line.startswith("claim"))
    play(game, 0, f"claim {route.id} {route.length} wild")
    assert game.to_act == (1,)
    other = board.map.routes[1]
    assert refused(game, 0, f"claim {other.id} {other.length} wild") == "R3.1 not-your-turn"


def length_of(board: Position, line: str) -> int:
    return next(route.length for route in board.map.routes if route.id == line.split()[1])


def test_r4_2_it_need_not_touch_other_routes_of_the_player(europe: Position, new_york: Position) -> None:
    assert "erzurum-sochi" in europe.owns(0, "cadiz-lisboa").hand(0, red=3).claimable(0)
    far = new_york.owns(0, "lincoln-center-central-park").hand(0, red=3)
    assert "chinatown-brooklyn-red" in far.claimable(0)


def test_r4_2_with_cards_and_cars_every_open_route_can_be_claimed(board: Position) -> None:
    position = board.hand(0, wild=8)
    if board.map.id == "europe":
        position = position.hand(0, wild=14)
    assert position.claimable(0) == {route.id for route in board.map.routes}


# R4.3: cards and points


def test_r4_3_the_cards_go_to_the_discards(board: Position) -> None:
    red = {"europe": "kyiv-smolensk", "new-york": "chinatown-brooklyn-red"}[board.map.id]
    game = board.hand(0, red=4, wild=2).discards(blue=1, red=1).game()
    play(game, 0, f"claim {red} 2 red 1 wild")
    assert hand(game, 0) == {"red": 2, "wild": 1}
    assert game.view(1).discards == {"blue": 1, "red": 3, "wild": 1}


def test_r4_3_the_points_are_public_at_once(board: Position) -> None:
    """Case 22: New York adds them up at the end, but the sum is public either way."""
    red = {"europe": "kyiv-smolensk", "new-york": "chinatown-brooklyn-red"}[board.map.id]
    game = board.hand(0, red=3).game()
    assert f"claimed 0 {red} 3 red 4" in play(game, 0, f"claim {red} 3 red")
    assert [seat.points for seat in game.view(1).seats] == [4, 0]
    assert game.scores()[0].routes == 4


# R4.4 to R4.6: double routes


def doubles(board: Position) -> list[tuple[Route, Route]]:
    """All pairs of routes between the same two cities."""
    pairs = combinations(board.map.routes, 2)
    return [(one, other) for one, other in pairs if {one.a, one.b} == {other.a, other.b}]


def rich(board: Position, seats: int) -> Position:
    """Seat 0 can pay for anything."""
    return board.seats(seats).hand(0, wild=board.map.cards["wild"])


def test_r4_4_a_double_route_is_two_of_one_length_between_the_same_cities(board: Position) -> None:
    assert len(doubles(board)) == 11
    assert all(one.length == other.length for one, other in doubles(board))


def test_r4_4_one_player_never_owns_both(board: Position) -> None:
    """Case 14: at no number of seats."""
    for seats in range(board.map.rules.seats_min, board.map.rules.seats_max + 1):
        for pair in doubles(board):
            for mine, twin in (pair, pair[::-1]):
                game = rich(board, seats).owns(0, mine.id).game()
                assert refused(game, 0, f"claim {twin.id} {twin.length} wild") == "R4.4 twin-yours"
                assert f"claim {twin.id} {twin.length} wild" not in legal(game)


def test_r4_4_two_identical_grey_halves_are_two_routes(board: Position) -> None:
    """Case 16: nothing but the id tells them apart; there are two such pairs on each board."""
    grey = [pair for pair in doubles(board) if pair[0].colour == pair[1].colour == "grey"]
    assert len(grey) == 2
    for one, other in grey:
        game = rich(board, 4).owns(1, one.id).game()
        play(game, 0, f"claim {other.id} {other.length} wild")
        assert game.view(None).owners == {one.id: 1, other.id: 0}


CLOSED = [("europe", 2), ("europe", 3), ("new-york", 2)]
OPEN = [("europe", 4), ("europe", 5), ("new-york", 3), ("new-york", 4)]


@pytest.mark.parametrize(("map", "seats"), CLOSED)
def test_r4_5_in_small_games_one_half_closes_the_other_to_all(map: str, seats: int) -> None:
    """Case 13."""
    board = Position.on(map)
    for pair in doubles(board):
        for taken, twin in (pair, pair[::-1]):
            game = rich(board, seats).owns(1, taken.id).game()
            assert refused(game, 0, f"claim {twin.id} {twin.length} wild") == "R4.5 twin-closed"
            assert twin.id not in game.view(0).choices.claims
            assert game.view(None).closed == (twin.id,)


@pytest.mark.parametrize(("map", "seats"), OPEN)
def test_r4_5_in_larger_games_it_stays_open_to_the_others(map: str, seats: int) -> None:
    """Case 13."""
    board = Position.on(map)
    for pair in doubles(board):
        for taken, twin in (pair, pair[::-1]):
            game = rich(board, seats).owns(1, taken.id).game()
            assert game.view(None).closed == ()
            assert f"claim {twin.id} {twin.length} wild" in legal(game)


def test_r4_5_nothing_is_closed_while_both_are_free(board: Position) -> None:
    position = rich(board, 2)
    halves = {half.id for pair in doubles(board) for half in pair}
    assert halves <= position.claimable(0)


def test_r4_6_side_by_side_to_different_cities_is_no_double_route(board: Position) -> None:
    """Case 15: owning what runs beside a route, into one of its cities, never bars it."""
    pairs = {frozenset((route.a, route.b)) for route in board.map.routes}
    for pair in sorted(pairs, key=sorted)[::6]:
        between = [route.id for route in board.map.routes if {route.a, route.b} == pair]
        mine = [route.id for route in board.map.routes if {route.a, route.b} & pair and route.id not in between]
        position = rich(board, 2).ruleset(cars=60)
        for route in mine:
            twins = {half.id for double in doubles(board) for half in double if route in (d.id for d in double)}
            if not twins & set(position._owners):
                position = position.owns(0, route)
        assert set(between) <= position.claimable(0)


# R4.7: ferries


def test_r4_7_a_ferry_wants_its_wilds(europe: Position) -> None:
    """Case 20."""
    game = europe.seats(3).hand(0, red=5, wild=1)
    assert "palermo-smyrna" not in game.claimable(0)  # six spaces, two wilds
    assert "palermo-smyrna" in game.hand(0, red=4, wild=2).claimable(0)


def test_r4_7_a_ferry_is_grey_and_the_rest_is_of_one_colour(europe: Position) -> None:
    """Case 20."""
    position = europe.hand(0, red=2, blue=3, wild=3)
    assert position.payments(0, "constantinople-sevastopol") == {
        "2 red 2 wild",
        "1 red 3 wild",
        "2 blue 2 wild",
        "1 blue 3 wild",
    }
    assert all(route.colour == "grey" for route in europe.map.routes if route.kind == "ferry")
    assert all(route.wilds >= 1 for route in europe.map.routes if route.kind == "ferry")


def test_r4_7_further_wilds_are_allowed_up_to_all(europe: Position) -> None:
    """Case 20."""
    position = europe.hand(0, red=4, wild=6)
    assert position.payments(0, "palermo-smyrna") == {
        "4 red 2 wild",
        "3 red 3 wild",
        "2 red 4 wild",
        "1 red 5 wild",
        "6 wild",
    }
    assert europe.hand(0, wild=2).payments(0, "amsterdam-london") == {"2 wild"}


def test_r4_7_without_enough_wilds_it_is_refused(europe: Position) -> None:
    game = europe.hand(0, red=6, wild=2).game()
    assert refused(game, 0, "claim palermo-smyrna 6 red") == "R4.7 few-wilds"
    assert refused(game, 0, "claim palermo-smyrna 5 red 1 wild") == "R4.7 few-wilds"


def test_r4_7_every_card_of_a_ferry_is_discarded(europe: Position) -> None:
    """Case 20: its wilds do not leave the game."""
    game = europe.hand(0, red=4, wild=2).game()
    play(game, 0, "claim palermo-smyrna 4 red 2 wild")
    assert game.view(1).discards == {"red": 4, "wild": 2}
    assert every_card(game) == europe.map.cards


# R4.8: tunnels


def dig(europe: Position, turned: str, payment: str, **cards: int) -> Game:
    """Lay a payment for the grey tunnel from Constantinople to Smyrna, two spaces, and turn up these cards."""
    game = europe.seats(3).hand(0, **cards).top(turned).game()
    play(game, 0, f"claim constantinople-smyrna {payment}")
    return game


def owed(game: Game) -> int:
    tunnel = game.view(None).tunnel
    return 0 if tunnel is None else tunnel.owed


def test_r4_8_the_payment_is_laid_down_and_three_cards_are_turned_up(europe: Position) -> None:
    game = europe.hand(0, red=3).top("blue red green white").game()
    assert play(game, 0, "claim constantinople-smyrna 2 red") == [
        "laid 0 constantinople-smyrna 2 red",
        "turned 0 blue",
        "turned 0 red",
        "turned 0 green",
        "owed 0 1",
    ]
    assert hand(game, 0) == {"red": 1}
    assert deck(game)[0] == "white"
    assert game.view(None).discards == {}
    assert game.view(None).owners == {}


@pytest.mark.parametrize(
    ("turned", "cards"),
    [
        ("blue green white", 0),
        ("red green white", 1),
        ("wild green white", 1),
        ("red wild white", 2),
        ("red red red", 3),
        ("wild wild red", 3),
        ("wild wild wild", 3),
    ],
)
def test_r4_8_one_more_for_each_of_the_colour_and_for_each_wild(europe: Position, turned: str, cards: int) -> None:
    """Case 23."""
    assert owed(dig(europe, turned, "2 red", red=5)) == cards


@pytest.mark.parametrize(("turned", "cards"), [("red wild blue", 2), ("blue blue blue", 0), ("red red green", 2)])
def test_r4_8_with_a_mixed_payment_its_colour_counts_and_wilds(europe: Position, turned: str, cards: int) -> None:
    """Case 26."""
    assert owed(dig(europe, turned, "1 red 1 wild", red=5, wild=1)) == cards


def test_r4_8_on_a_coloured_tunnel_too(europe: Position) -> None:
    game = europe.hand(0, white=5).top("white black wild").game()
    play(game, 0, "claim madrid-pamplona-white 3 white")
    assert owed(game) == 2


@pytest.mark.parametrize("turned", ["red red red", "wild wild wild", "red wild wild"])
def test_r4_8_what_is_owed_is_paid_in_the_colour_or_in_wilds_as_one_chooses(europe: Position, turned: str) -> None:
    """Case 24: also what is owed for a turned-up wild."""
    game = dig(europe, turned, "2 red", red=5, wild=3)
    assert legal(game) == ["take-back", "pay 3 red", "pay 2 red 1 wild", "pay 1 red 2 wild", "pay 3 wild"]


@pytest.mark.parametrize(
    ("payment", "left"), [("2 red", {"red": 1, "wild": 2}), ("1 red 1 wild", {"red": 2, "wild": 1})]
)
def test_r4_8_what_is_paid_leaves_the_hand(europe: Position, payment: str, left: dict[str, int]) -> None:
    """Case 24."""
    game = dig(europe, "red wild blue", "2 red", red=5, wild=2)
    play(game, 0, f"pay {payment}")
    assert hand(game, 0) == left
    assert game.view(None).owners == {"constantinople-smyrna": 0}
    assert game.to_act == (1,)


@pytest.mark.parametrize("payment", ["1 red", "3 red", "2 blue", "1 blue 1 wild", "1 wild", "3 wild", "1 red 1 wild"])
def test_r4_8_nothing_else_pays_it(europe: Position, payment: str) -> None:
    """Not too few, not too many, no other colour, and no cards one does not have."""
    game = dig(europe, "red wild blue", "2 red", red=4, blue=3)
    assert refused(game, 0, f"pay {payment}") == "R4.8 owed-cards"


def test_r4_8_with_nothing_owed_the_route_is_claimed_at_once(europe: Position) -> None:
    game = europe.hand(0, red=3).top("blue green white").game()
    told = play(game, 0, "claim constantinople-smyrna 2 red")
    assert told[-3:] == ["owed 0 0", "claimed 0 constantinople-smyrna 2 red 2", "turn 1 2"]
    assert game.stage == "turn"


@pytest.mark.parametrize(
    ("position", "refusal"),
    [
        (Position.on("europe").cars(0, 2), "R4.2 few-cars"),
        (Position.on("europe").owns(1, "madrid-pamplona-white"), "R4.2 route-taken"),
        (Position.on("europe").seats(4).owns(0, "madrid-pamplona-black"), "R4.4 twin-yours"),
        (Position.on("europe").seats(3).owns(1, "madrid-pamplona-black"), "R4.5 twin-closed"),
        (Position.on("europe"), "R4.1 few-cards"),
    ],
)
def test_r4_8_cars_owners_and_twins_are_checked_before(position: Position, refusal: str) -> None:
    cards = {"white": 2} if refusal.endswith("cards") else {"white": 3}
    game = position.hand(0, **cards).game()
    assert refused(game, 0, "claim madrid-pamplona-white 3 white") == refusal


def test_r4_8_a_new_deck_is_made_if_the_deck_runs_out_meanwhile(europe: Position) -> None:
    """Case 29: first the discards are shuffled, then the rest is turned up."""
    game = europe.hand(0, red=3).row("blue blue blue blue blue").deck("green").discards(red=4).game()
    told = play(game, 0, "claim constantinople-smyrna 2 red")
    assert told[1:] == ["turned 0 green", "reshuffled 4", "turned 0 red", "turned 0 red", "owed 0 2"]


# R4.9 to R4.12


@pytest.mark.parametrize(
    ("turned", "cards"), [("red red red", 0), ("blue red green", 0), ("wild red blue", 1), ("wild wild wild", 3)]
)
def test_r4_9_to_wilds_alone_only_wilds_count(europe: Position, turned: str, cards: int) -> None:
    """Case 25."""
    assert owed(dig(europe, turned, "2 wild", red=5, wild=5)) == cards


def test_r4_9_and_what_is_owed_is_paid_in_wilds(europe: Position) -> None:
    """Case 25."""
    game = dig(europe, "wild wild red", "2 wild", red=5, wild=4)
    assert legal(game) == ["take-back", "pay 2 wild"]
    for payment in ("2 red", "1 red 1 wild"):
        assert refused(game, 0, f"pay {payment}") == "R4.9 owed-wilds"
    assert refused(game, 0, "pay 1 wild") == "R4.8 owed-cards"


def test_r4_9_also_on_a_coloured_tunnel(europe: Position) -> None:
    """Case 25: the colour of the route does not matter, only what was laid down."""
    game = europe.hand(0, white=3, wild=4).top("white white wild").game()
    play(game, 0, "claim madrid-pamplona-white 3 wild")
    assert owed(game) == 1
    assert legal(game) == ["take-back", "pay 1 wild"]


def test_r4_10_who_cannot_pay_takes_all_back_and_the_turn_ends(europe: Position) -> None:
    """Case 27, case 31: the question is put even to one who has no choice."""
    game = dig(europe, "red red blue", "2 red", red=3, green=1)
    assert (game.stage, game.to_act) == ("tunnel-owed", (0,))
    assert legal(game) == ["take-back"]
    assert play(game, 0, "take-back") == ["taken-back 0 constantinople-smyrna", "turn 1 2"]
    assert hand(game, 0) == {"red": 3, "green": 1}


def test_r4_10_who_can_pay_may_decline(europe: Position) -> None:
    """Case 27."""
    game = dig(europe, "red red blue", "1 red 1 wild", red=5, wild=2)
    assert "take-back" in legal(game)
    play(game, 0, "take-back")
    assert hand(game, 0) == {"red": 5, "wild": 2}
    assert game.to_act == (1,)


def test_r4_10_nothing_is_placed_scored_or_closed(europe: Position) -> None:
    """Case 17: a failed tunnel leaves both halves of a double route open."""
    game = europe.seats(3).hand(0, white=3).hand(1, white=3, black=3).top("white red red").game()
    play_all(game, (0, "claim madrid-pamplona-white 3 white"), (0, "take-back"))
    view = game.view(1)
    assert (view.owners, view.closed) == ({}, ())
    assert (view.seats[0].cars, view.seats[0].points) == (45, 0)
    assert {"madrid-pamplona-white", "madrid-pamplona-black"} <= set(view.choices.claims)


def test_r4_10_a_failed_tunnel_shows_nothing_on_the_way(europe: Position) -> None:
    """Case 17: nor is anything closed while the payment lies there."""
    game = europe.seats(3).hand(0, white=3).top("white red red").game()
    play(game, 0, "claim madrid-pamplona-white 3 white")
    assert (game.view(1).owners, game.view(1).closed) == ({}, ())


def test_r4_10_extra_cards_take_no_extra_cars(europe: Position) -> None:
    """Case 18: two cars are enough for a tunnel of two, whatever it costs."""
    game = europe.hand(0, red=5).cars(0, 2).top("red red red").game()
    play_all(game, (0, "claim constantinople-smyrna 2 red"), (0, "pay 3 red"))
    assert game.view(1).seats[0].cars == 0
    assert game.view(1).seats[0].points == 2


def test_r4_11_a_new_deck_holds_neither_laid_down_nor_turned_up_cards(europe: Position) -> None:
    """Case 28."""
    start = europe.hand(0, red=4).row("blue blue blue blue blue").deck("red red").discards(green=2, white=2)
    for seed in range(10):
        game = start.seed(seed).game()
        told = play(game, 0, "claim constantinople-smyrna 2 red")
        assert told[3] == "reshuffled 4"
        assert told[4] in ("turned 0 green", "turned 0 white")
        assert Counter(deck(game)) + Counter([told[4].split()[2]]) == {"green": 2, "white": 2}


def test_r4_11_nor_does_one_made_when_the_third_card_was_the_last(europe: Position) -> None:
    """Case 28: while the question is open the new deck lies there already (R3.7)."""
    game = europe.hand(0, red=4).row("blue " * 5).deck("red red white").discards(green=4).game()
    told = play(game, 0, "claim constantinople-smyrna 2 red")
    assert told[-2:] == ["reshuffled 4", "owed 0 2"]
    assert deck(game) == ["green"] * 4


def test_r4_11_at_the_end_of_the_turn_everything_is_discarded_together(europe: Position) -> None:
    """Case 28: payment, extra and turned-up cards."""
    game = dig(europe, "red wild blue", "1 red 1 wild", red=5, wild=3)
    assert game.view(None).discards == {}
    play(game, 0, "pay 1 red 1 wild")
    assert game.view(None).discards == {"red": 3, "wild": 3, "blue": 1}
    assert every_card(game) == europe.map.cards


def test_r4_11_also_where_the_third_card_was_the_last_and_nothing_is_owed(europe: Position) -> None:
    """The new deck is made at once (R3.7), so it holds the old discards and not the cards of this tunnel."""
    game = europe.hand(0, red=2).row("blue " * 5).deck("white white white").discards(green=4).game()
    told = play(game, 0, "claim constantinople-smyrna 2 red")
    assert told[-4:-1] == ["reshuffled 4", "owed 0 0", "claimed 0 constantinople-smyrna 2 red 2"]
    assert deck(game) == ["green"] * 4


def test_r4_11_with_nothing_owed_too(europe: Position) -> None:
    game = dig(europe, "green white blue", "2 red", red=5)
    assert game.view(None).discards == {"red": 2, "green": 1, "white": 1, "blue": 1}


def test_r4_11_after_a_failed_tunnel_only_the_turned_up_cards(europe: Position) -> None:
    """Case 28."""
    game = dig(europe, "red wild blue", "2 red", red=2)
    play(game, 0, "take-back")
    assert game.view(None).discards == {"red": 1, "wild": 1, "blue": 1}


def test_r4_11_then_r3_11(europe: Position) -> None:
    """The discards of the tunnel make a new deck where there is none, and fill the row."""
    game = europe.hand(0, red=5).row("blue blue blue blue -").deck("red").game()
    play(game, 0, "claim constantinople-smyrna 2 red")
    assert game.view(None).row[4] is None
    told = play(game, 0, "pay 1 red")
    assert told == ["claimed 0 constantinople-smyrna 3 red 2", "reshuffled 4", "filled 4 red", "turn 1 2"]


@pytest.mark.parametrize(("cards", "owes"), [("red", 1), ("red red", 2), ("red blue", 1)])
def test_r4_12_with_fewer_than_three_cards_only_those_count(europe: Position, cards: str, owes: int) -> None:
    """Case 29."""
    game = europe.hand(0, red=5).row("blue blue blue blue blue").deck(cards).game()
    told = play(game, 0, "claim constantinople-smyrna 2 red")
    assert [line for line in told if line.startswith("turned")] == [f"turned 0 {card}" for card in cards.split()]
    assert owed(game) == owes


def test_r4_12_discards_are_turned_up_too_before_it_comes_to_that(europe: Position) -> None:
    """Case 29."""
    game = europe.hand(0, red=5).row("blue blue blue blue blue").deck("red").discards(red=1).game()
    play(game, 0, "claim constantinople-smyrna 2 red")
    assert owed(game) == 2


def test_r4_12_with_none_the_tunnel_costs_nothing_extra(europe: Position) -> None:
    """Case 30: the row is not touched."""
    game = europe.hand(0, red=5).row("red red red red wild").deck("").game()
    assert play(game, 0, "claim constantinople-smyrna 2 red")[:3] == [
        "laid 0 constantinople-smyrna 2 red",
        "owed 0 0",
        "claimed 0 constantinople-smyrna 2 red 2",
    ]


def test_r4_8_new_york_has_neither_ferries_nor_tunnels(new_york: Position) -> None:
    """Case 50."""
    assert {route.kind for route in new_york.map.routes} == {"track"}
    game = new_york.hand(0, red=2).top("red wild red").game()
    told = lines(game.play(0, next(a for a in game.legal_actions(0) if "lincoln-center-midtown-west" in str(a))))
    assert told == ["claimed 0 lincoln-center-midtown-west 2 red 2", "turn 1 2"]
