"""Counting lines of play, the slow way: the naive lister says what is legal, and every line is walked to its end."""

from branchline import Game
from branchline.codec import to_line
from tests.oracles.rules import legal_actions


def count(game: Game, depth: int) -> int:
    """Legal lines of so many actions; in the opening only the lowest seat that has not answered acts."""
    if depth == 0 or game.over:
        return int(depth == 0)
    seat = game.to_act[0]
    total = 0
    for action in legal_actions(game.map, game.to_dict(), seat):
        after = game.copy()
        after.play(seat, action)
        total += count(after, depth - 1)
    return total


def breakdown(game: Game, depth: int) -> dict[str, int]:
    """The same for each first action."""
    lines = {}
    for action in legal_actions(game.map, game.to_dict(), game.to_act[0]):
        after = game.copy()
        after.play(game.to_act[0], action)
        lines[to_line(action)] = count(after, depth - 1)
    return lines
