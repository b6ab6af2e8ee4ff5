"""Rows in parts, over and over in another order, at a rate that falls like a cosine."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

LEAST = 0.05
"""What part of the rate is left in the end."""


def batches(
    rows: NDArray[np.int64], size: int, rounds: int, rate: float, rng: np.random.Generator
) -> Iterator[tuple[NDArray[np.int64], float]]:
    """So many rows at a time, each about `rounds` times in all, with the rate to learn from them at.

    `rows` are shuffled in place.
    """
    count = rounds * len(rows) // size
    size = min(size, len(rows))
    for number in range(count):
        at = number * size % max(len(rows) - size, 1)
        if at < size:
            rng.shuffle(rows)
        yield rows[at : at + size], rate * (LEAST + (1 - LEAST) * 0.5 * (1 + np.cos(np.pi * number / count)))
