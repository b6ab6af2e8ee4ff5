"""What the search tries: actions that the planner sees, and whole styles to go on in."""

import pytest

from branchline import Game, Rng, View
from branchline.bots import Budget, load
from branchline.bots.expert import ExpertBot, judge_of
from branchline.bots.search.search import Search, fitting
from branchline.bots.search.styles import styles
from branchline.engine.stages import TURN


def seen(map: str, seats: int, played: int) -> View:
    """What a seat sees at the start of a turn, after so many actions of `regular`."""
    game, bot, rng = Game.new(map, seats=seats, seed=4), load("regular"), Rng(1)
    n = 0
    while n < played or game.state.stage != TURN:
        seat = game.to_act[0]
        index = bot.choose(game.view(seat), rng, Budget())
        assert isinstance(index, int)
        game.play_index(seat, index)
        n += 1
    return game.view(game.to_act[0])


def searched(view: View, alone: bool = False) -> Search:
    board, seats = view.sight.board, view.sight.seats
    tried = styles(board, seats)
    return Search(view.sight, Rng(3), tried[:1] if alone else tried, fitting(board, seats), judge_of(board))


@pytest.mark.parametrize("seats", [2, 4])
def test_a_long_game_tries_other_styles_where_they_want_other_routes(seats: int) -> None:
    view = seen("europe", seats, 10)
    search, alone = searched(view), searched(view, alone=True)
    assert any(search.style)
    assert not any(alone.style)
    assert list(search.candidates)[: len(alone.candidates)] == list(alone.candidates)
    assert set(search.candidates) <= set(view.legal_indices())
    search.run(200)
    assert search.best() in view.legal_indices()


def test_a_short_game_has_one_style() -> None:
    assert not any(searched(seen("new-york", 2, 8)).style)


def test_a_full_table_is_played_by_weights_of_its_own() -> None:
    board = seen("europe", 2, 4).sight.board
    two, four = styles(board, 2), styles(board, 4)
    assert two[0].pace != four[0].pace
    assert two[0].pace == four[1].pace, "regular's own style is among those tried"


def test_against_the_planner_the_expert_does_not_give_its_reasons() -> None:
    bot, reasons = ExpertBot(), {}
    for seed in range(12):
        bot.choose(Game.new("new-york", seats=2, seed=seed).view(0), Rng(seed), Budget(nodes=400))
        assert bot.why is not None
        reasons[bot.why["agrees"]] = bot.why["reason"]
    assert reasons == {True: "keep-tickets", False: "playouts"}
