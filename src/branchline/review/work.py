"""A review in a process of its own that can be killed (`branchline.killable`): plain functions over JSON data.

`begin` is what the process is prepared with; `judge_step` is asked for one number after another, and each answer may be
stored; `finish` makes the review of all of them, in the same process or in another that was prepared alike.
"""

from collections.abc import Sequence
from typing import Any

from branchline.record import Record
from branchline.review.format import DEFAULT_DEPTH
from branchline.review.reviewing import Reviewer
from branchline.review.steps import Step

_reviewer: list[Reviewer] = []
"""The one review of this process."""


def begin(data: object, depth: int = DEFAULT_DEPTH, seed: int = 0) -> int:
    """Take up a record; how many steps it has. ValueError says why it can't be reviewed."""
    _reviewer[:] = [Reviewer(Record.from_dict(data), depth, seed)]
    return total_steps()


def total_steps() -> int:
    """How many steps there are: the deal and each log entry."""
    return _reviewer[0].total


def judge_step(n: int) -> dict[str, Any]:
    """One step as JSON data; the same whatever was asked before."""
    return _reviewer[0].step(n).to_dict()


def finish(steps: Sequence[object]) -> dict[str, Any]:
    """The review that all steps, in order, make, as JSON data."""
    return _reviewer[0].finish([Step.from_dict(step) for step in steps]).to_dict()
