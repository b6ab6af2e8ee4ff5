"""Rows in parts: how often each is shown, and what the rate does meanwhile."""

import numpy as np
import pytest

from branchline.train.batches import batches


@pytest.mark.parametrize(("rows", "size", "rounds"), [(1000, 64, 3), (65, 64, 4), (64, 64, 5), (10, 64, 20)])
def test_every_row_is_shown_about_as_often_as_was_asked_for(rows: int, size: int, rounds: int) -> None:
    parts = list(batches(np.arange(rows), size, rounds, 1e-3, np.random.default_rng(1)))
    assert len(parts) == rounds * rows // size
    assert all(len(some) == len(set(some)) == min(size, rows) for some, _ in parts)
    if rows > 2 * size:
        shown = np.bincount(np.concatenate([some for some, _ in parts]), minlength=rows)
        assert abs(shown.mean() - rounds) < 0.2
        assert shown.max() <= 2 * rounds
    rates = [rate for _, rate in parts]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] == pytest.approx(1e-3)
    assert all(rate > 0.05e-3 for rate in rates)


def test_fewer_rows_than_a_part_in_all_rounds_teach_nothing() -> None:
    assert not list(batches(np.arange(3), 64, 3, 1e-3, np.random.default_rng(1)))
