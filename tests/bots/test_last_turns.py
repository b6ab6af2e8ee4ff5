"""In its last turn a bot that learned leaves nothing that can be counted: judged by playing every action for real."""

from collections.abc import Iterator
from itertools import chain

import pytest

from branchline import Game, Rng
from branchline.bots.base import Budget, to_index
from branchline.bots.expert import begin
from branchline.bots.learned.ending import TUNNEL_CHANCE, Ending, counted
from branchline.bots.learner import LearnedBot
from branchline.bots.planner.blind import seen_by
from branchline.bots.planner.weights import fitted
from branchline.bots.registry import load
from branchline.engine.board import BUILD, CLAIM, NONE, TUNNEL
from branchline.engine.fields import state_numbers
from branchline.engine.scoring import Scores
from branchline.engine.stages import TURN
from branchline.observation.witness import recall
from tests.builder import Position


def last_turns(map: str, deals: range, name: str) -> Iterator[Game]:
    """Games of one bot as they stand at a last turn."""
    bot, rng = load(name), Rng(1)
    for seed in deals:
        game = Game.new(map, seats=2, seed=seed)
        while not game.over:
            seat = game.to_act[0]
            if game.state.stage == TURN and game.state.last != NONE:
                yield game
            view = game.view(seat)
            game.play_index(seat, to_index(view, bot.choose(view, rng, Budget())))


def gained(game: Game, index: int) -> int:
    """The points that an action brings at once, by all that is scored in the end."""
    seat, after = game.to_act[0], game.copy()
    after.play_index(seat, index)
    return int(Scores(after.state).total[seat] - Scores(game.state).total[seat])


def is_tunnel(game: Game, index: int) -> bool:
    board = game.state.board
    return bool(board.action_kind[index] == CLAIM and board.kind[board.action_what[index]] == TUNNEL)


@pytest.mark.parametrize("map", ["europe", "new-york"])
def test_no_claim_or_station_would_leave_more(map: str) -> None:
    """But for tunnels, of which nobody knows whether they succeed."""
    changed, kinds = 0, set()
    for game in chain(last_turns(map, range(20), "regular"), last_turns(map, range(12), "hoarder")):
        seat, board = game.to_act[0], game.state.board
        view = game.view(seat)
        gains = dict.fromkeys(view.legal_indices(), 0)
        gains |= {
            index: gained(game, index)
            for index in gains
            if board.action_kind[index] in (CLAIM, BUILD) and not is_tunnel(game, index)
        }
        policy = LearnedBot().policy(view)
        assert policy is not None
        own = policy.choose(view.sight)
        chosen = to_index(view, load("learned").choose(view, Rng(1), Budget()))
        for index in (chosen, to_index(view, load("advanced").choose(view, Rng(1), Budget()))):
            assert is_tunnel(game, index) or gains[index] == max(gains.values())
        if chosen != own and not is_tunnel(game, chosen):
            changed += 1
            assert is_tunnel(game, own) or gains[chosen] > gains[own], "its own choice stays where it does as well"
        kinds.add(board.action_kind[chosen])
        search = begin(view, Rng(1), policy)
        space, shadow = policy.space, recall(view.sight).state
        tried = [space.action(shadow, seat, index) for index in search.candidates]
        assert space.action(shadow, seat, chosen) in tried, "though it may be paid in another colour"
        assert len(set(search.candidates)) == len(search.candidates)
    assert changed > 0, "it is not what the policy would have done anyway"
    assert CLAIM in kinds
    assert map == "new-york" or BUILD in kinds


def ending(position: Position) -> Ending:
    return Ending(seen_by(position.game().view(0).sight), 0)


def claim(position: Position, route: str) -> int:
    game = position.game()
    return int(
        next(
            index
            for index in game.legal_indices(0)
            if game.state.board.action_kind[index] == CLAIM
            and game.map.routes[int(game.state.board.action_what[index])].id == route
        )
    )


NEW_YORK = Position.on("new-york").last_turns(2).hand(0, orange=4, green=2, wild=2)


def test_attractions_count() -> None:
    """Times Square and the Empire State Building have one each; Chelsea-Gramercy Park ends at neither."""
    assert ending(NEW_YORK).gain(claim(NEW_YORK, "times-square-empire-state-building-orange")) == 100 * (1 + 2)
    there = NEW_YORK.owns(0, "times-square-empire-state-building-pink")
    assert ending(there).gain(claim(there, "lincoln-center-times-square-green")) == 100 * 2
    assert ending(there).gain(claim(there, "midtown-west-times-square")) == 100 * 1


def test_the_longest_trail_counts() -> None:
    board = Position.on("europe").last_turns(2).hand(0, red=2, blue=2)
    routes = {route.id: route for route in board.map.routes}
    other = next(route for route in routes.values() if route.length == 2 and route.kind == "track" and route.colour)
    behind = board.owns(1, other.id)
    mine = next(
        name
        for name, route in routes.items()
        if route.kind == "track" and route.length == 2 and route.colour in ("red", "blue") and route != other
    )
    assert ending(behind).gain(claim(behind, mine)) == 100 * (2 + 10), "as long as the other's: both get the bonus"


def test_a_tunnel_may_fail() -> None:
    board = Position.on("europe").last_turns(2).hand(0, orange=3).owns(1, "palermo-smyrna")
    assert ending(board).gain(claim(board, "angora-smyrna")) == 4 * TUNNEL_CHANCE


def test_a_station_costs_its_points_and_a_card_brings_nothing() -> None:
    board = Position.on("europe").last_turns(2).hand(0, orange=3)
    game = board.game()
    kinds = game.state.board.action_kind
    build = next(index for index in game.legal_indices(0) if kinds[index] == BUILD)
    assert ending(board).gain(build) == -100 * board.map.rules.station_points
    assert ending(board).gain(game.legal_indices(0)[0]) == 0


def test_what_is_asked_changes_nothing() -> None:
    state = seen_by(Position.on("europe").last_turns(2).hand(0, orange=4, red=4).game().view(0).sight)
    before = state_numbers(state)
    counted(state, 0, fitted(state.board), state.legal(0)[0])
    assert state_numbers(state) == before
