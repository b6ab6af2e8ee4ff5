"""Counts the lines of play from a position: what an engine says here, any other of the same rules must say too."""

from branchline.actions import Action
from branchline.engine.apply import act
from branchline.engine.legal import actor, legal
from branchline.engine.state import State
from branchline.game import Game


def count(game: Game, depth: int) -> int:
    """How many ways there are to play so many actions from here, the opening answered in seat order.

    A line that ends with the game before that depth is not counted.
    """
    return _count(game.state, depth)


def breakdown(game: Game, depth: int) -> dict[Action, int]:
    """The same count, told apart by the first action; in the order of the action indices."""
    state = game.state
    seat = actor(state)
    lines = {}
    for index in legal(state, seat) if depth > 0 else ():
        after = state.copy()
        act(after, seat, index)
        lines[game.action(index, seat)] = _count(after, depth - 1)
    return lines


def _count(state: State, depth: int) -> int:
    if depth < 1:
        return 1
    seat = actor(state)
    actions = legal(state, seat)
    if depth == 1:
        return len(actions)
    lines = 0
    for index in actions:
        after = state.copy()
        act(after, seat, index)
        lines += _count(after, depth - 1)
    return lines
