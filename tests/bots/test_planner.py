"""The planner's parts: the search for ways, and questions that change nothing."""

from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from branchline import Game, Rng, load_map
from branchline.bots import Budget, load, to_index
from branchline.bots.amateur import Amateur
from branchline.bots.planner.blind import seen_by
from branchline.bots.planner.facts import cards_of, rivals
from branchline.bots.planner.play import Planner
from branchline.bots.planner.silence import waits
from branchline.bots.planner.survey import Survey
from branchline.bots.planner.tickets import mean_of_best
from branchline.bots.planner.variety import varied
from branchline.bots.planner.ways import FAR, Ways
from branchline.bots.planner.weights import NEVER_LACKING, fitted
from branchline.bots.search.styles import styles
from branchline.engine.board import CLAIM, DRAW_DECK, DRAW_ROW, Board
from branchline.engine.stages import SECOND_DRAW, TURN
from branchline.engine.state import State
from branchline.names import names_of

MAPS = ["europe", "new-york"]


def spread(board: Board, cost: list[int], start: int) -> tuple[list[int], list[int]]:
    """How far every city is and by which route, the slow way: always on from the nearest, the lowest number first."""
    far, by = [FAR] * board.cities, [-1] * board.cities
    far[start], todo = 0, set(range(board.cities))
    while todo and min(far[city] for city in todo) < FAR:
        here = min(todo, key=lambda city: (far[city], city))
        todo.remove(here)
        for i in range(board.near_start[here], board.near_start[here + 1]):
            route = board.near_route[i]
            there = board.route_a[route] + board.route_b[route] - here
            if cost[route] >= 0 and far[here] + cost[route] < far[there]:
                far[there], by[there] = far[here] + cost[route], route
    return far, by


@pytest.mark.parametrize("map", MAPS)
def test_ways_are_those_of_a_plain_search_also_where_several_are_as_cheap(map: str) -> None:
    board, random = names_of(load_map(map)).board, Random(4)
    for _ in range(30):
        cost = [random.choice([-1, 0, 1, 1, 2, 5]) for _ in range(board.routes)]
        start, goal = random.sample(range(board.cities), 2)
        far, by = spread(board, cost, start)
        ways = Ways(board, vec[i64](cost))
        assert ways.spread(ways.cost, start, -1) == FAR
        assert (list(ways.distance), list(ways.by)) == (far, by)
        assert ways.spread(ways.cost, start, goal) == far[goal]
        here = goal
        while far[goal] < FAR and here != start:
            assert ways.by[here] == by[here]
            here = board.route_a[by[here]] + board.route_b[by[here]] - here


def positions(map: str, seats: int) -> list[tuple[int, State]]:
    """Who is to act and what the seat sees, all through a game."""
    game, bot, rng, out = Game.new(map, seats=seats, seed=9), load("regular"), Rng(2), []
    while not game.over:
        seat = game.to_act[0]
        view = game.view(seat)
        out.append((seat, seen_by(view.sight)))
        game.play_index(seat, to_index(view, bot.choose(view, rng, Budget())))
    return out


def told(planner: Planner) -> list[list[int]]:
    """All that a planner's plan says."""
    plan = planner.plan
    return [
        list(plan.wanted), list(plan.routes), list(plan.borrow), list(plan.dropped), list(plan.aims),
        [plan.turns, plan.ticket_turns, plan.more_tickets, plan.held, plan.made, planner.why, planner.about],
    ]  # fmt: skip


@pytest.mark.parametrize(("map", "seats"), [("europe", 3), ("new-york", 2)])
def test_questions_change_neither_the_position_nor_the_plan(map: str, seats: int) -> None:
    for seat, state in positions(map, seats)[::3]:
        board, before = state.board, state.numbers()
        planner = Planner(board, seat, fitted(board), True)
        choice = planner.choose(state)
        plan = told(planner)
        for route in range(board.routes):
            planner.plan.served(route)
            planner.claim_of(state, route)
        planner.plan.site(state)
        for city in range(board.cities):
            planner.station_of(state, city)
        assert told(planner) == plan
        assert state.numbers() == before
        survey = Survey(state, seat, fitted(board), True)
        first = [(list(x.aims), list(x.dropped), list(x.network.has), x.worth) for x in (survey.select(survey.open),)]
        survey.wants_tickets()
        again = [(list(x.aims), list(x.dropped), list(x.network.has), x.worth) for x in (survey.select(survey.open),)]
        assert first == again
        assert Planner(board, seat, fitted(board), True).choose(state) == choice


@pytest.mark.parametrize(("map", "seats"), [("europe", 4), ("new-york", 3)])
def test_a_planner_that_was_used_elsewhere_chooses_like_a_new_one(map: str, seats: int) -> None:
    """A thorough one remembers nothing: what it was asked before does not matter."""
    places = positions(map, seats)
    board = places[0][1].board
    for weights in styles(board, seats):
        used = {seat: Planner(board, seat, weights, True) for seat in range(seats)}
        for seat, state in reversed(places[::5]):
            if state.stage != SECOND_DRAW:  # a second card follows the plan of the first
                assert used[seat].choose(state) == Planner(board, seat, weights, True).choose(state)


@pytest.mark.parametrize("map", MAPS)
def test_varied_planners_play_by_the_rules_each_in_its_own_way(map: str) -> None:
    places = positions(map, 2)
    board = places[0][1].board

    def choices(number: int) -> list[int]:
        weights = varied(board, Rng(number))
        return [Planner(board, seat, weights, True).choose(state) for seat, state in places]

    ways = [choices(number) for number in range(12)]
    for way in ways:
        assert all(index in state.legal(seat) for index, (seat, state) in zip(way, places, strict=True))
    assert len({tuple(way) for way in ways}) == len(ways)
    assert choices(3) == ways[3]


@pytest.mark.parametrize("map", MAPS)
def test_a_varied_weight_is_half_of_the_time_turned_by_up_to_three_times(map: str) -> None:
    board = names_of(load_map(map)).board
    usual, styles = fitted(board), [varied(board, Rng(number)) for number in range(400)]
    for name in ("turn", "points", "risk", "wild_share", "swift"):
        shares = [getattr(style, name) / getattr(usual, name) for style in styles]
        turned = [share for share in shares if share != 1]
        assert 140 < len(turned) < 260
        assert 1 / 3.1 < min(turned) < 0.5
        assert 2 < max(turned) <= 3
    silent = [style for style in styles if style.lacking < NEVER_LACKING]
    assert 60 < len(silent) < 140, "one in four"
    assert all(style.full < 40 for style in silent)


def test_an_amateur_minds_only_its_own_tickets() -> None:
    """It takes the shortest way whatever that scores, and what others do to a route does not hurry it."""
    for map in MAPS:
        board = names_of(load_map(map)).board
        weights = Amateur().style(board)
        assert not any((weights.points, weights.join, weights.risk, weights.block, weights.race))
        assert weights.fill_rate > 100 * max(board.points), "no route brings as much a turn"
    places = [(seat, state) for seat, state in positions("europe", 2) if state.stage == TURN]
    for seat, state in places:
        mine, theirs = Amateur().style(state.board), fitted(state.board)
        amateur, regular = Planner(state.board, seat, mine, False), Planner(state.board, seat, theirs, True)
        amateur.look(state)
        regular.look(state)
        assert amateur.plan.turns >= regular.plan.turns, "there is always time"


def test_who_is_silent_draws_while_cards_are_missing_and_there_is_time() -> None:
    places = [(seat, state) for seat, state in positions("europe", 2) if state.stage == TURN]
    board = places[0][1].board
    weights = fitted(board)
    weights.lacking, weights.calm = 1, 300
    waited = claimed = 0
    for seat, state in places:
        usual, silent = Planner(board, seat, fitted(board), True), Planner(board, seat, weights, True)
        choice, needs = silent.choose(state), usual.look(state)
        assert not waits(state, seat, needs)
        if waits(state, seat, silent.look(state)):
            assert board.action_kind[choice] in (DRAW_DECK, DRAW_ROW)
            claimed += board.action_kind[usual.choose(state)] == CLAIM
            waited += 1
        elif needs.short > 1:
            spare = silent.plan.turns - silent.plan.ticket_turns
            crowded = any(rivals(state, route, seat) == 3 for route in silent.plan.routes)
            assert spare < 300 or state.last >= 0 or crowded or cards_of(state, seat) >= weights.full
    assert waited > claimed > 3


def test_the_best_of_those_drawn_is_worth_what_it_is_on_average() -> None:
    assert mean_of_best(vec[i64]([30, 10, 20]), 1) == 20
    assert mean_of_best(vec[i64]([30, 10, 20]), 2) == (30 + 30 + 20) // 3
    assert mean_of_best(vec[i64]([30, 10, 20]), 3) == 30
    assert mean_of_best(vec[i64]([30, 10, 20, 40]), 4) == 40
    assert mean_of_best(vec[i64]([50, 10, 20, 40, 30]), 4) == (4 * 50 + 40) // 5
    assert mean_of_best(vec[i64](), 3) < -1000
