"""Rewards, from final counts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

REWARDS = ("win", "rank", "margin", "shaped")
"""What a game may be played for.

- "win": 1 for the winner, -1 for the others; who shares the first place shares: with two of them 0 each.
- "rank": 1 for the first to -1 for the last; equal seats share.
- "margin": points ahead of the best other seat, in hundreds.
- "shaped": like "win", and on the way what a potential gains: route points and joined tickets, in hundreds. The
  potential is 0 when the game is over, so that what is best to do stays the same.
"""


def final(reward: str, totals: NDArray[Any], ranks: NDArray[Any]) -> NDArray[np.float32]:
    """What each seat of some games gets at their ends, the shaping aside; both arrays are (games, seats)."""
    seats = totals.shape[1]
    if reward in ("win", "shaped"):
        first = ranks == 1
        out = np.where(first, 2 / first.sum(1, keepdims=True), 0) - 1
    elif reward == "rank":
        place = ranks + ((ranks[:, :, None] == ranks[:, None, :]).sum(2) - 1) / 2
        out = 1 - 2 * (place - 1) / (seats - 1)
    elif reward == "margin":
        others = np.where(np.eye(seats, dtype=bool), np.iinfo(np.int64).min, totals[:, None, :]).max(2)
        out = (totals - others) / 100
    else:
        raise ValueError(f"reward: one of {', '.join(REWARDS)}, not {reward!r}")
    return out.astype(np.float32)
