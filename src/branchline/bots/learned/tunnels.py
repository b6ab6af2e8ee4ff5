"""Tunnels that are tried in haste: with no card to spare, though one lies open, or though they are likely to fail."""

from typing import Final

from mypy_extensions import i64

from branchline.bots.planner.facts import hand_of, unseen
from branchline.engine.board import CLAIM, NONE, TUNNEL
from branchline.engine.state import State

LIKELY: Final[i64] = 60
"""With no card to spare a tunnel should succeed in so many of a hundred tries."""
WHOLE: Final[i64] = 10_000
"""A chance of one."""


def is_hasty(state: State, seat: i64, index: i64, least: i64 = LIKELY) -> bool:
    """Whether an action is a tunnel that can wait for one more card; in the last turn nothing can wait.

    `least`: of a hundred tries so many should succeed where no card that would be one to spare lies open.
    """
    board = state.board
    what = board.action_what[index]
    if state.last != NONE or board.action_kind[index] != CLAIM or board.kind[what] != TUNNEL:
        return False
    hand, wilds, colour = hand_of(state, seat), board.action_wilds[index], board.action_colour[index]
    spare = hand[board.wild] - wilds
    if colour != board.wild:
        spare += hand[colour] - (board.length[what] - wilds)
    if spare > 0:
        return False
    for card in state.row:
        if card == board.wild or card == colour:
            return True
    return chance(state, seat, colour) * 100 < least * WHOLE


def chance(state: State, seat: i64, colour: i64) -> i64:
    """How likely nothing is owed for a tunnel paid in a colour, in ten-thousandths, by the cards that are not seen."""
    board = state.board
    left = unseen(state, seat)
    cards: i64 = 0
    for count in left:
        cards += count
    owing = left[board.wild]
    if colour != board.wild:
        owing += left[colour]
    out = WHOLE
    turned: i64 = 0
    while turned < board.rules.tunnel_cards and turned < cards:
        out = out * max(i64(0), cards - owing - turned) // (cards - turned)
        turned += 1
    return out
