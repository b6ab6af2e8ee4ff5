"""`branchline count`, and the counting behind it. What the numbers must be is tested in tests/counts."""

import json

from branchline import Game
from branchline.codec import to_line
from branchline.count import breakdown, count
from tests.cli.conftest import Branchline, random_game


def naive(game: Game, depth: int) -> int:
    """By the readable face alone."""
    if depth == 0:
        return 1
    if game.over:
        return 0
    seat = game.to_act[0]
    lines = 0
    for action in game.legal_actions(seat):
        after = game.copy()
        after.play(seat, action)
        lines += naive(after, depth - 1)
    return lines


def test_the_count_is_the_naive_one() -> None:
    for map in ("europe", "new-york"):
        for steps in (0, 2, 9, 60):
            game = random_game(map, 2, 5, steps)
            for depth in (0, 1, 2):
                assert count(game, depth) == naive(game, depth)


def test_the_breakdown_adds_up_and_keeps_the_order() -> None:
    game = random_game("europe", 2, 5, 20)
    lines = breakdown(game, 2)
    assert list(lines) == game.legal_actions(game.to_act[0])
    assert sum(lines.values()) == count(game, 2)
    assert breakdown(game, 0) == {}


def test_counting_changes_nothing() -> None:
    game = random_game("new-york", 2, 5, 12)
    before = game.copy()
    count(game, 2)
    breakdown(game, 2)
    assert game == before


def test_a_game_that_is_over_has_no_lines() -> None:
    game = random_game("new-york", 2, 5)
    assert game.over
    assert count(game, 1) == 0
    assert count(game, 0) == 1


def test_the_command(branchline: Branchline) -> None:
    done = branchline("count", "europe", "--seats", "2", "--seed", "7", "--depth", "2")
    assert done.code == 0
    *lines, total = done.out.splitlines()
    assert len(lines) == 11  # ways to keep two or more of four tickets
    assert all(line.split()[:2] == ["11", "keep"] for line in lines)
    assert total.split() == ["121", "lines", "of", "2", "actions"]


def test_the_command_in_json(branchline: Branchline) -> None:
    data = json.loads(branchline("count", "new-york", "--seats", "2", "--seed", "x", "--depth", "3", "--json").out)
    game = Game.new("new-york", 2, "x")
    assert data["lines"] == count(game, 3)
    assert data["breakdown"] == {to_line(action): n for action, n in breakdown(game, 3).items()}
    assert json.loads(branchline("count", "new-york", "--depth", "0", "--json").out)["lines"] == 1
