"""R7: the last round, bonuses, the count and the winner."""

import pytest

from branchline import Game
from tests.builder import Position, made_up, play, refused

TWO = {"europe": "bruxelles-paris-red", "new-york": "lincoln-center-midtown-west"}
"""A red route of two spaces on each board."""


def draws(game: Game, seat: int) -> list[str]:
    """A whole turn of drawing."""
    return play(game, seat, "draw ?") + play(game, seat, "draw ?")


# R7.1: the last round


@pytest.mark.parametrize(("left", "last"), [(0, True), (1, True), (2, True), (3, False), (4, False)])
def test_r7_1_a_turn_ended_with_two_cars_or_fewer_begins_the_last_round(board: Position, left: int, last: bool) -> None:
    """Case 45."""
    game = board.seats(3).hand(0, red=2).cars(0, left + 2).game()
    told = play(game, 0, f"claim {TWO[board.map.id]} 2 red")
    assert ("last-round 0" in told) is last
    assert game.view(None).last_turns == (3 if last else None)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("who", [0, 1])
def test_r7_1_then_everyone_has_exactly_one_more_turn(seats: int, who: int) -> None:
    """Case 45: that player too, whose turn is the last."""
    board = Position.on("europe" if seats == 5 else "new-york").seats(seats)
    game = board.hand(who, red=2).cars(who, 4).on_turn(who).game()
    play(game, who, f"claim {TWO[board.map.id]} 2 red")
    turns: list[int] = []
    told: list[str] = []
    while not game.over:
        turns.append(game.to_act[0])
        told = draws(game, turns[-1])
    assert turns == [(who + n) % seats for n in range(1, seats + 1)]
    assert turns[-1] == who
    assert told[-1] == "ended"
    assert (game.stage, game.to_act) == ("over", ())


@pytest.mark.parametrize(
    "turn",
    [
        ["draw ?", "draw ?"],
        ["draw 0"],
        ["claim rostov-sochi 2 red"],
        ["claim constantinople-smyrna 2 red", "pay 1 red"],
        ["claim constantinople-smyrna 2 red", "take-back"],
        ["tickets", "keep amsterdam-pamplona"],
        ["build paris 1 red"],
    ],
)
def test_r7_1_whatever_is_done_with_it(europe: Position, turn: list[str]) -> None:
    """Case 45: every kind of turn uses up one of the last."""
    game = europe.seats(3).hand(0, red=3).row("wild blue blue blue blue").top("red green green").last_turns(3).game()
    for line in turn:
        assert (game.view(None).last_turns, game.to_act) == (3, (0,))
        play(game, 0, line)
    assert (game.view(None).last_turns, game.to_act) == (2, (1,))


def test_r7_1_the_trigger_counts_once(board: Position) -> None:
    """Case 45: another player who comes down to two cars changes nothing."""
    two = TWO[board.map.id]
    other = {"europe": "barcelona-madrid 2 yellow", "new-york": "lincoln-center-central-park 2 orange"}[board.map.id]
    cards = {other.split()[2]: 2}
    game = board.seats(3).hand(0, red=2).cars(0, 4).hand(1, **cards).cars(1, 4).game()
    play(game, 0, f"claim {two} 2 red")
    told = play(game, 1, f"claim {other}")
    assert not any(line.startswith("last-round") for line in told)
    assert game.view(None).last_turns == 2
    draws(game, 2)
    assert draws(game, 0)[-1] == "ended"


def test_r7_1_few_cars_at_the_end_of_any_turn_will_do(board: Position) -> None:
    """The trigger is how many cars there are, not the claim."""
    game = board.cars(0, 2).game()
    assert "last-round 0" in draws(game, 0)


def test_r7_1_the_cars_of_others_do_not_count(board: Position) -> None:
    game = board.seats(3).cars(1, 0).game()
    assert "last-round 0" not in draws(game, 0)
    assert game.view(None).last_turns is None


def test_r7_1_when_the_game_is_over_nothing_is_legal(board: Position) -> None:
    game = board.hand(0, red=2).last_turns(1).game()
    draws(game, 0)
    assert game.over
    assert [game.legal_actions(seat) for seat in (0, 1)] == [[], []]
    for seat in (0, 1):
        for line in ("draw ?", "pass", f"claim {TWO[board.map.id]} 2 red", "tickets", "take-back"):
            assert refused(game, seat, line) == "R7.1 game-over"


# R7.2: the longest trail


@pytest.mark.parametrize(
    ("routes", "length"),
    [
        pytest.param("a-b 2, b-c 3, c-d 1", 6, id="a line"),
        pytest.param("a-b 4, b-c 3, b-d 2", 7, id="a branch: the two longest arms"),
        pytest.param("a-b 1, b-c 1, b-d 4, d-e 4", 9, id="a branch that a greedy walk misses"),
        pytest.param("a-b 2, b-c 2, c-a 2", 6, id="a loop"),
        pytest.param("a-b 2, b-c 2, c-a 2, a-d 1", 7, id="a loop with a tail"),
        pytest.param("a-b 2, b-c 2, c-a 2, a-d 1, b-e 4", 10, id="a loop with two tails, of which it takes one"),
        pytest.param("a-b 1, b-c 1, c-a 1, a-d 2, d-e 2, e-a 2", 9, id="a city passed twice"),
        pytest.param("a-b 1, b-c 1, c-d 1, d-a 1, a-c 1, b-d 1", 5, id="four cities all joined: one route is left out"),
        pytest.param("a-b 4, c-d 3, d-e 2", 5, id="two pieces are not added up"),
        pytest.param("a-b 1, b-c 1, c-d 1, e-f 4", 4, id="cars count, not routes"),
        pytest.param("a-h 1, b-h 2, c-h 3, d-h 4", 7, id="a star"),
    ],
)
def test_r7_2_the_longest_unbranched_stroke_that_uses_no_route_twice(routes: str, length: int) -> None:
    """Case 46."""
    board = made_up(routes)
    own = board.owns(0, *(route.id for route in board.map.routes if route.a[0] != "y")).scores()[0]
    assert own.trail_length == length
    assert len(set(own.trail)) == len(own.trail)
    lengths = {route.id: route.length for route in board.map.routes}
    assert sum(lengths[route] for route in own.trail) == length


def test_r7_2_the_longest_gets_ten_points(europe: Position) -> None:
    scores = europe.seats(3).owns(0, "kyiv-warszawa").owns(1, "palermo-smyrna").scores()
    assert [seat.bonus for seat in scores.seats] == [0, 10, 0]


def test_r7_2_tied_players_get_ten_each(europe: Position) -> None:
    """Case 46."""
    scores = europe.seats(3).owns(0, "kyiv-warszawa").owns(1, "kharkov-kyiv").owns(2, "rostov-sochi").scores()
    assert [seat.bonus for seat in scores.seats] == [10, 10, 0]


def test_r7_2_own_routes_only(europe: Position) -> None:
    scores = europe.owns(0, "kyiv-warszawa").owns(1, "kharkov-kyiv", "kharkov-rostov").scores()
    assert [seat.trail_length for seat in scores.seats] == [4, 6]


def test_r7_2_with_no_route_claimed_by_anybody_there_is_no_bonus(europe: Position) -> None:
    """Case 47."""
    assert [seat.bonus for seat in europe.seats(3).scores().seats] == [0, 0, 0]


def test_r7_2_new_york_has_no_such_bonus(new_york: Position) -> None:
    """Case 50."""
    own = new_york.owns(0, "chelsea-soho", "soho-wall-street").scores()[0]
    assert (own.bonus, own.total) == (0, 7 + 2 + own.attractions)
    assert (own.trail_length, own.trail) == (0, ())


def test_r7_2_a_trail_of_one_car_may_be_the_longest_and_a_bonus_may_be_one_point(europe: Position) -> None:
    one = europe.owns(0, "budapest-wien-white")
    assert [(seat.trail_length, seat.bonus) for seat in one.scores().seats] == [(1, 10), (0, 0)]
    assert [seat.bonus for seat in one.ruleset(trail_points=1).scores().seats] == [1, 0]


# R7.3: attractions


def test_r7_3_an_attraction_at_the_end_of_a_route_gives_a_point(new_york: Position) -> None:
    """Case 50."""
    assert new_york.scores()[0].attractions == 0
    assert new_york.owns(0, "lincoln-center-midtown-west").scores()[0].attractions == 0
    assert new_york.owns(0, "midtown-west-times-square").scores()[0].attractions == 1
    assert new_york.owns(0, "central-park-united-nations").scores()[0].attractions == 2


def test_r7_3_once_per_attraction(new_york: Position) -> None:
    """Case 50."""
    routes = ("midtown-west-times-square", "lincoln-center-times-square-green", "times-square-united-nations")
    assert new_york.owns(0, *routes).scores()[0].attractions == 2


def test_r7_3_in_any_number_of_pieces(new_york: Position) -> None:
    """Case 50: they need not be joined."""
    routes = ("midtown-west-times-square", "chelsea-soho", "lower-east-side-brooklyn")
    assert new_york.owns(0, *routes).scores()[0].attractions == 3


def test_r7_3_several_players_may_score_the_same_one(new_york: Position) -> None:
    """Case 50."""
    scores = new_york.owns(0, "midtown-west-times-square").owns(1, "lincoln-center-times-square-blue").scores()
    assert [seat.attractions for seat in scores.seats] == [1, 1]


def test_r7_3_also_the_first_city_of_a_map() -> None:
    board = made_up("a-b 1, b-c 1", attractions="a", attraction_points=1)
    assert board.owns(0, "a-b").owns(1, "b-c").scores()[0].attractions == 1
    assert board.owns(0, "b-c").scores()[0].attractions == 0


def test_r7_3_all_nine(new_york: Position) -> None:
    assert sum(city.attraction for city in new_york.map.cities) == 9
    halves = {frozenset((route.a, route.b)): route.id for route in new_york.map.routes}
    assert new_york.ruleset(cars=100).owns(0, *halves.values()).scores()[0].attractions == 9


# R7.4: the winner in Europe. Routes of one space are worth 1, the others what makes a tie; a trail of three is longest.

EUROPE = "a-b 1, b-c 1, c-d 1, e-f 1, f-g 1, g-h 1, i-j 1, j-k 1, k-l 1, m-n 3, o-p 2, p-q 2, r-s 4"
EUROPE_TICKETS = "a-b 2, b-c 2, a-d 4, e-f 2, f-g 2, e-h 4, i-j 2, j-k 2, i-l 4, m-n 4, o-p 4"
WORTH = {1: 1, 2: 13, 3: 7, 4: 4}


def tie(seats: int) -> Position:
    """Each seat has three routes of one space in a line: 3 points, 10 for the trail and 12 for stations."""
    board = made_up(EUROPE, EUROPE_TICKETS, points=WORTH).seats(seats)
    lines = (("a-b", "b-c", "c-d"), ("e-f", "f-g", "g-h"), ("i-j", "j-k", "k-l"))
    for seat in range(min(seats, 3)):
        board = board.owns(seat, *lines[seat])
    return board


def result(board: Position) -> tuple[list[int], list[int], str]:
    """Totals, ranks, and what decided."""
    scores = board.scores()
    return [s.total for s in scores.seats], [s.rank for s in scores.seats], scores.decided_by


def test_r7_4_most_points_win() -> None:
    board = tie(3).tickets(1, "e-h").tickets(2, "i-j")
    assert result(board) == ([25, 29, 27], [3, 1, 2], "points")
    assert board.scores().winners == (1,)


def test_r7_4_tied_the_most_completed_tickets() -> None:
    """Case 48."""
    assert result(tie(2).tickets(0, "a-d").tickets(1, "e-f", "f-g")) == ([29, 29], [2, 1], "tickets")


def test_r7_4_borrowed_routes_complete_tickets_too() -> None:
    """Case 48: seat 1 completes one ticket more, of no more points, over a route of seat 2."""
    board = made_up("a-b 1, c-d 1, d-e 1", "a-b 6, c-d 2, c-e 4").seats(3).tickets(0, "a-b")
    board = board.owns(0, "a-b").owns(1, "c-d").owns(2, "d-e").station(1, "d").tickets(1, "c-d", "c-e").station(0, "a")
    totals, ranks, decided = result(board)
    assert totals[0] == totals[1]
    assert (ranks[:2], decided) == ([2, 1], "tickets")


def test_r7_4_tied_the_fewest_stations_built() -> None:
    """Case 48: seat 1 has a route of three spaces worth 7 instead, and one station less to count."""
    board = made_up(EUROPE, points=WORTH).owns(0, "a-b", "b-c", "c-d").owns(1, "m-n").station(1, "a")
    assert result(board) == ([25, 25], [1, 2], "stations")


def test_r7_4_tied_who_holds_the_trail_bonus() -> None:
    """Case 48: seat 1 has 13 points in a route of two spaces, seat 0 has 3 and the bonus."""
    board = made_up(EUROPE, points=WORTH).owns(0, "a-b", "b-c", "c-d").owns(1, "o-p")
    assert result(board) == ([25, 25], [1, 2], "trail")


def test_r7_4_still_tied_the_win_is_shared_by_several_holders() -> None:
    """Case 48."""
    board = tie(3).tickets(2, "m-n")
    assert result(board) == ([25, 25, 21], [1, 1, 3], "shared")
    assert board.scores().winners == (0, 1)


def test_r7_4_or_by_several_who_do_not_hold_it() -> None:
    """Case 48: the length of their trails tells nothing: seat 0 has two spaces, seat 1 one."""
    board = made_up("a-b 2, c-d 1, e-f 3", points={1: 5, 2: 5, 3: 1}).seats(3)
    board = board.owns(0, "a-b").owns(1, "c-d").owns(2, "e-f").station(2, "a", "b", "c")
    assert result(board) == ([17, 17, 11], [1, 1, 3], "shared")


def three(tickets: str) -> Position:
    """Three seats with 25 points each; seat 2 has the fewest stations and no ticket."""
    board = made_up(EUROPE, EUROPE_TICKETS, points=WORTH).seats(3)
    board = board.owns(0, "a-b", "b-c", "c-d").tickets(0, *tickets.split()).station(0, "a")  # 3 + 4 + 8 + 10
    board = board.owns(1, "m-n").tickets(1, "m-n").station(1, "e", "f")  # 7 + 4 + 4 + 10
    return board.owns(2, "i-j", "j-k", "k-l")  # 3 + 12 + 10


def test_r7_4_a_later_step_never_overrules_an_earlier_one() -> None:
    """Case 48: tickets decide, and fewer stations do not help seat 2."""
    assert result(three("a-b b-c")) == ([25, 25, 25], [1, 2, 3], "tickets")


def test_r7_4_each_step_compares_only_those_still_tied() -> None:
    """Case 48: tickets leave seats 0 and 1, and stations tell these apart; seat 2 has the fewest but is out by then."""
    assert result(three("a-d")) == ([25, 25, 25], [1, 2, 3], "stations")


def test_r7_4_also_at_the_trail() -> None:
    """Case 48: seats 0 and 2 hold the bonus, seats 0 and 1 have a ticket."""
    board = made_up(EUROPE, EUROPE_TICKETS, points=WORTH).seats(3)
    board = board.owns(0, "a-b", "b-c", "c-d").tickets(0, "a-d")  # 3 + 4 + 12 + 10
    board = board.owns(1, "o-p").tickets(1, "o-p")  # 13 + 4 + 12
    board = board.owns(2, "m-n")  # 7 + 12 + 10
    assert result(board) == ([29, 29, 29], [1, 2, 3], "trail")


def test_r7_4_lower_places_are_ranked_alike() -> None:
    """Case 48."""
    first = tie(3).tickets(0, "a-d", "a-b")
    by_tickets = first.tickets(1, "e-h").tickets(2, "i-j", "j-k")
    assert result(by_tickets) == ([31, 29, 29], [1, 3, 2], "points")
    assert result(first) == ([31, 25, 25], [1, 2, 2], "points")


# R7.5: the winner in New York


def test_r7_5_most_points_win(new_york: Position) -> None:
    board = new_york.owns(0, "chelsea-soho").owns(1, "midtown-west-times-square")
    assert result(board)[1:] == ([1, 2], "points")


def test_r7_5_tied_the_most_completed_tickets(new_york: Position) -> None:
    """Case 49: seat 1 has a ticket of 2 done, seat 0 has two points more in attractions."""
    board = new_york.seats(3).owns(0, "lower-east-side-chinatown").tickets(0)
    board = board.owns(0, "chinatown-wall-street-green").tickets(0, "lower-east-side-wall-street")  # 2 + 2 + 2
    board = board.owns(1, "lincoln-center-times-square-green", "lincoln-center-central-park")  # 4 + 2
    assert result(board) == ([6, 6, 0], [1, 2, 3], "tickets")


def test_r7_5_still_tied_the_win_is_shared(new_york: Position) -> None:
    """Case 49: the longer trail of seat 1 tells nothing."""
    board = new_york.seats(3).owns(0, "soho-wall-street")  # 2 + 1
    board = board.owns(1, "gramercy-park-east-village", "east-village-lower-east-side")  # 2 + 1
    assert result(board) == ([3, 3, 0], [1, 1, 3], "shared")
    assert board.scores().winners == (0, 1)


# R7.6: the count


def test_r7_6_europe_routes_tickets_stations_and_trail(europe: Position) -> None:
    own = (
        europe.owns(0, "rostov-sochi", "erzurum-sochi", "kyiv-warszawa")
        .tickets(0, "rostov-erzurum", "berlin-roma")
        .station(0, "paris")
        .scores()[0]
    )
    assert (own.routes, own.ticket_points, own.stations, own.bonus) == (2 + 4 + 7, 5 - 9, 8, 10)
    assert own.total == 13 - 4 + 8 + 10


def test_r7_6_new_york_routes_tickets_and_attractions(new_york: Position) -> None:
    own = (
        new_york.owns(0, "lower-east-side-chinatown", "chinatown-wall-street-green", "chelsea-soho")
        .tickets(0, "lower-east-side-wall-street", "chelsea-brooklyn")
        .scores()[0]
    )
    assert (own.routes, own.ticket_points, own.attractions) == (1 + 1 + 7, 2 - 8, 3)
    assert own.total == 9 - 6 + 3


def test_r7_6_a_total_may_be_negative(europe: Position, new_york: Position) -> None:
    own = europe.tickets(0, "cadiz-stockholm", "berlin-roma").scores()[0]
    assert own.total == 12 - 21 - 9
    scores = new_york.tickets(0, "chelsea-brooklyn").tickets(1, "lower-east-side-wall-street").scores()
    assert [seat.total for seat in scores.seats] == [-8, -2]
    assert scores.winners == (1,)


def test_r7_6_at_the_end_all_tickets_are_shown(board: Position) -> None:
    one, two, three = (ticket.id for ticket in board.map.tickets[:3])
    game = board.tickets(0, one, two).tickets(1, three).last_turns(1).game()
    assert game.view(1).opened is None
    draws(game, 0)
    for seat in (0, 1, None):
        opened = game.view(seat).opened
        assert opened is not None
        assert [set(tickets) for tickets in opened.tickets] == [{one, two}, {three}]
