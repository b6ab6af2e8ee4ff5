"""Each rival plays its own style: what it does is told apart from what `regular` does on the same deals."""

from collections.abc import Iterator
from itertools import groupby

from branchline import ClaimRoute, DrawCard, DrawTickets, Game, Rng, View
from branchline.actions import Action
from branchline.bots import Budget, load, to_index
from branchline.bots.planner.blind import seen_by
from branchline.bots.planner.plan import FOR_TICKETS
from branchline.bots.planner.play import Planner
from branchline.bots.planner.weights import fitted
from branchline.bots.registry import BUNDLED, LITERATURE, RIVALS
from branchline.bots.rivals.blocker import LONG_GAME, hurts
from branchline.engine.board import NOBODY, NONE
from branchline.server.bots import levels

DEALS = range(8)


def chosen(name: str, view: View) -> Action:
    return view.action(to_index(view, load(name).choose(view, Rng(1), Budget())))


def decisions(map: str, name: str, deal: int) -> Iterator[tuple[Game, View, Action]]:
    """What `name` in seat 0 does against `regular`, and the game before it."""
    game = Game.new(map, seats=2, seed=deal, first=deal % 2)
    while not game.over:
        seat = game.to_act[0]
        view = game.view(seat)
        action = chosen("regular" if seat else name, view)
        if seat == 0:
            yield game, view, action
        game.play(seat, action)


def plan_wants(view: View) -> set[str]:
    """The routes that a seat's tickets want, as its planner sees it."""
    sight = view.sight
    planner = Planner(sight.board, sight.seat, fitted(sight.board), True)
    planner.look(seen_by(sight))
    return {route.id for n, route in enumerate(view.map.routes) if planner.plan.wanted[n] == FOR_TICKETS}


def test_rivals_are_no_levels() -> None:
    assert set(RIVALS) <= set(BUNDLED)
    assert not set(levels()) & {*RIVALS, *LITERATURE, "learned"}


def claiming(name: str, deal: int) -> list[bool]:
    """For each turn of seat 0 whether it claimed."""
    turns: dict[int, bool] = {}
    for _, view, action in decisions("europe", name, deal):
        if view.stage != "opening":
            turns[view.turn] = turns.get(view.turn, False) or isinstance(action, ClaimRoute)
    return list(turns.values())


def test_striker_claims_late_and_then_turn_after_turn() -> None:
    first: dict[str, list[int]] = {}
    longest: dict[str, list[int]] = {}
    for name in ("regular", "striker"):
        turns = [claiming(name, deal) for deal in DEALS]
        first[name] = [claims.index(True) for claims in turns]
        longest[name] = [max(len(list(run)) for claims, run in groupby(all) if claims) for all in turns]
    assert all(late >= soon for late, soon in zip(first["striker"], first["regular"], strict=True)), first
    assert sum(first["striker"]) > 2 * sum(first["regular"]), first
    assert sum(longest["striker"]) > 1.5 * sum(longest["regular"]), longest


def test_rusher_spends_where_regular_would_draw() -> None:
    spent = saved = 0
    for deal in DEALS:
        for _, view, action in decisions("europe", "rusher", deal):
            assert not isinstance(action, DrawTickets)
            if view.stage == "turn":
                regular = chosen("regular", view)
                spent += isinstance(action, ClaimRoute) and isinstance(regular, DrawCard | DrawTickets)
                saved += isinstance(action, DrawCard) and isinstance(regular, ClaimRoute)
    assert spent > 3 * saved, (spent, saved)


def in_the_way(name: str) -> int:
    """How often a bot claims what its own tickets do not want and the other's do."""
    n = 0
    for deal in DEALS:
        for game, view, action in decisions("europe", name, deal):
            if isinstance(action, ClaimRoute) and action.route not in plan_wants(view):
                n += action.route in plan_wants(game.view(1))
    return n


def test_blocker_takes_what_another_needs() -> None:
    blocker, regular = in_the_way("blocker"), in_the_way("regular")
    assert blocker > 3 * regular, (blocker, regular)
    assert blocker >= 5


def test_r4_5_blocker_knows_that_one_half_of_a_double_route_closes_the_other() -> None:
    """With two seats a double route is worth blocking; with four the other half stays open."""
    for seats in (2, 4):
        found = set()
        for deal in range(2):
            game = Game.new("europe", seats=seats, seed=deal)
            while game.turn < 12 * seats:
                seat = game.to_act[0]
                view = game.view(seat)
                state, board = seen_by(view.sight), view.sight.board
                for route, hurt in hurts(state, seat, LONG_GAME).items() if view.stage == "turn" else ():
                    if board.twin[route] != NONE and state.owner[board.twin[route]] == NOBODY:
                        found.add(hurt > 0)
                game.play(seat, chosen("regular", view))
        assert (True in found) == (seats == 2)
