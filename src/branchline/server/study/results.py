"""What finished tables came to: counted once, in the desk's process, and kept."""

from collections.abc import Sequence
from typing import Any

import orjson

from branchline.server.guard.desk import Desk
from branchline.server.store import Outcome, Store
from branchline.server.study.summaries import summed

AT_ONCE = 40
"""Finished games that are counted for one question; the next question finds the others."""


class Results:
    """Counts what nobody has counted yet."""

    def __init__(self, store: Store, desk: Desk) -> None:
        """`desk` counts."""
        self._store = store
        self._desk = desk

    async def of(self, outcomes: Sequence[Outcome]) -> dict[str, dict[str, Any]]:
        """By table, what it came to; those that were not played out, or have to wait, are left out."""
        found: dict[str, dict[str, Any]] = {}
        left = AT_ONCE
        for outcome in outcomes:
            if outcome.status != "over":
                continue
            summary = outcome.summary
            if summary is None and left > 0:
                left -= 1
                summary = await self._count(outcome.table)
            if summary is not None:
                found[outcome.table] = orjson.loads(summary)
        return found

    async def _count(self, table: str) -> str | None:
        row = await self._store.table(table)
        if row is None or row.status != "over" or row.state is None:
            return None
        made: bytes = await self._desk.do(f"sum {table}", summed, row.state.encode())
        await self._store.save_result(table, made.decode())
        return made.decode()
