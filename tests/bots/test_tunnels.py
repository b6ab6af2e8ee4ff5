"""A bot that learned does not try one tunnel again and again where a card to spare could be had."""

import pytest

from branchline import Game, Rng
from branchline.bots import Budget, load, to_index
from branchline.bots.expert import begin
from branchline.bots.learned.tunnels import LIKELY, WHOLE, chance, is_hasty
from branchline.bots.learner import LearnedBot
from branchline.engine.board import CLAIM, DRAW_DECK, DRAW_ROW
from branchline.explain import tunnel_odds
from branchline.observation.witness import recall
from tests.builder import Position

EXACT = Position.on("europe").hand(0, orange=3).row("red blue green black white")
TUNNEL_ROUTE = "angora-smyrna"


def claim(position: Position, wilds: int = 0) -> tuple[Game, int]:
    """The game, and the index of claiming the tunnel of three orange spaces with so many wilds."""
    game = position.game()
    board = game.state.board
    for index in game.legal_indices(0):
        route = game.map.routes[int(board.action_what[index])].id if board.action_kind[index] == CLAIM else None
        if route == TUNNEL_ROUTE and board.action_wilds[index] == wilds:
            return game, index
    raise AssertionError("it can't be paid")


def hasty(position: Position, wilds: int = 0) -> bool:
    game, index = claim(position, wilds)
    return bool(is_hasty(recall(game.view(0).sight).state, 0, index))


GONE = EXACT.discards(orange=8, wild=12)
"""Few are left of what would be owed for."""


def test_a_tunnel_can_wait_for_a_card_that_lies_open() -> None:
    assert not hasty(GONE)
    assert hasty(GONE.row("red blue orange black white"))
    assert hasty(GONE.row("red blue green black wild"))
    assert not hasty(GONE.hand(0, orange=4).row("red blue green black wild")), "it has one to spare"
    assert not hasty(GONE.hand(0, orange=3, wild=1).row("red blue green black wild"))
    assert not hasty(GONE.row("red blue green black wild").last_turns(2)), "nothing can wait"


def test_a_tunnel_that_is_likely_to_fail_can_wait() -> None:
    assert hasty(EXACT), "9 orange cards and 14 wilds of 102: three turned let it pass in 46 of 100 tries"
    assert not hasty(EXACT.hand(0, orange=4))


@pytest.mark.parametrize("row", ["red blue green black white", "red blue orange black wild"])
def test_the_chance_is_that_of_the_rules(row: str) -> None:
    game, index = claim(EXACT.row(row))
    view = game.view(0)
    told = tunnel_odds(view, TUNNEL_ROUTE, view.action(index).payment)  # type: ignore[union-attr]
    board = game.state.board
    state = recall(view.sight).state
    assert int(chance(state, 0, board.action_colour[index])) / int(WHOLE) == pytest.approx(told.chances[0], abs=0.001)


@pytest.mark.parametrize("name", ["learned", "advanced"])
def test_whoever_learned_waits(name: str) -> None:
    """Games of five, in which tunnels were tried seven times running."""
    bot, rng, waited = load(name), Rng(1), 0
    for seed in range(4):
        game = Game.new("europe", seats=5, seed=seed)
        board = game.state.board
        while not game.over:
            seat = game.to_act[0]
            view = game.view(seat)
            index = to_index(view, bot.choose(view, rng, Budget()))
            draws = any(board.action_kind[one] in (DRAW_DECK, DRAW_ROW) for one in view.legal_indices())
            assert not (draws and is_hasty(game.state, seat, index, LIKELY if name == "learned" else 0))
            policy = LearnedBot().policy(view)
            assert policy is not None
            if name == "learned" and game.stage == "turn":
                search = begin(view, Rng(1), policy)
                assert search.candidates[0] == policy.choose(view.sight)
                waited += any(is_hasty(game.state, seat, one) for one in search.candidates[1:])
            game.play_index(seat, index)
    assert name == "advanced" or waited > 0, "there were tunnels to wait with"
