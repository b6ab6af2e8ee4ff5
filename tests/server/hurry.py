"""A loop in which nobody waits: when nothing is left to do but wait, its clock is at the next appointment."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Hurried(asyncio.SelectorEventLoop):
    _ready: Any
    _scheduled: Any
    _ahead = 0.0

    def time(self) -> float:
        return self._ahead

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:
            self._ahead = max(self._ahead, self._scheduled[0].when())
        super()._run_once()  # type: ignore[misc]


def hurry(work: Coroutine[Any, Any, T]) -> T:
    """Run something that sleeps, without the sleep; it must wait for nothing outside the loop."""
    with asyncio.Runner(loop_factory=_Hurried) as runner:
        return runner.run(work)
