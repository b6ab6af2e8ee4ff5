"""A review in a process that can be killed: left, found again, and the same in the end."""

from pathlib import Path
from typing import Any

import pytest

from branchline import Record
from branchline.killable import Bounds, Ended, Failed, Killable
from branchline.review import Review
from branchline.review.work import begin, finish, judge_step, total_steps

GAME = Path(__file__).parent.parent / "records" / "new-york-2.json"
SECONDS = 300.0
"""What a slow machine may take for anything."""


def start() -> Killable:
    return Killable(Bounds(nice=1), begin, Record.load(GAME).to_dict(), 1, 5)


def test_killed_in_the_middle_it_goes_on_where_it_was() -> None:
    first = start()
    total = first.run(SECONDS, total_steps)
    steps: list[Any] = [first.run(SECONDS, judge_step, n) for n in range(total // 2)]
    first.kill()
    with pytest.raises(Ended):
        first.run(SECONDS, judge_step, total // 2)
    second = start()
    steps += [second.run(SECONDS, judge_step, n) for n in range(total // 2, total)]
    found = Review.from_dict(second.run(SECONDS, finish, steps))
    assert second.run(SECONDS, judge_step, 3) == steps[3]
    second.kill()
    assert (found.depth, found.seed, len(found.decisions)) == (1, 5, total - 1)


def test_what_can_not_be_reviewed_is_told() -> None:
    data = {**Record.load(GAME).to_dict(), "result": None}
    with pytest.raises(Failed) as failed:
        Killable(Bounds(), begin, data, 1, 0)
    assert "has not ended" in failed.value.text
