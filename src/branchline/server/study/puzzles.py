"""Puzzles: which there are, what one sees of them before one has answered, and how one's first try went."""

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, cast

from branchline import explain
from branchline.codec import action_from_line, to_line
from branchline.review.puzzles import Puzzle, by_id, of_the_day, shipped
from branchline.review.puzzles.format import meaning
from branchline.server.messages import PuzzleAnswer, PuzzleInfo, PuzzleList
from branchline.server.refused import Refused, not_found
from branchline.server.services import Clock
from branchline.server.store import Store

OPTIONS = 6
"""Actions to choose from, where there are as many."""
TODAY = "today"


class Puzzles:
    """The shipped set, and everybody's tries."""

    def __init__(self, store: Store, now: Clock) -> None:
        """The set is read when it is first asked for."""
        self._store = store
        self._now = now

    async def all(self, person: str | None) -> PuzzleList:
        """All puzzles, with how one's own tries went."""
        found = await asyncio.to_thread(shipped)
        tried = {} if person is None else await self._store.tried(person)
        return {
            "puzzles": [
                {
                    "id": puzzle.id,
                    "map": puzzle.map,
                    "kind": puzzle.kind,
                    "rating": puzzle.rating,
                    "solved": tried.get(puzzle.id),
                }
                for puzzle in found
            ],
            "today": self._today().id if found else None,
        }

    async def one(self, id: str, person: str | None) -> PuzzleInfo:
        """A puzzle without its answer; `today` for the one of the day."""
        puzzle = await self._find(id)
        tried = {} if person is None else await self._store.tried(person)
        view = puzzle.view()
        return {
            "id": puzzle.id,
            "map": puzzle.map,
            "kind": puzzle.kind,
            "rating": puzzle.rating,
            "solved": tried.get(puzzle.id),
            "view": cast(Any, view.to_dict(memory=False)),
            "tickets": cast(Any, [asdict(outlook) for outlook in explain.outlooks(view)]),
            "options": _options(puzzle),
        }

    async def answer(self, id: str, line: str, person: str) -> PuzzleAnswer:
        """Whether an action solves a puzzle, and everything about it; the first try is kept."""
        puzzle = await self._find(id)
        try:
            solved = puzzle.solved_by(action_from_line(line))
        except ValueError:
            raise Refused("question", "that can't be done in this position", status=422) from None
        await self._store.save_try(person, puzzle.id, solved, self._now())
        return {
            "solved": solved,
            "best": to_line(puzzle.best),
            "win": (puzzle.win.value, puzzle.win.error),
            "lead": (puzzle.lead.value, puzzle.lead.error),
            "others": [(to_line(other.action), *other.behind) for other in puzzle.others],
            "worlds": puzzle.worlds,
            "reason": dict(puzzle.reason),
            "found": dict(puzzle.found),
        }

    async def _find(self, id: str) -> Puzzle:
        found = await asyncio.to_thread(shipped)
        puzzle = self._today() if id == TODAY and found else by_id(id)
        if puzzle is None:
            raise not_found("puzzle")
        return puzzle

    def _today(self) -> Puzzle:
        return of_the_day(datetime.fromtimestamp(self._now(), UTC).date())


def _options(puzzle: Puzzle) -> list[str]:
    """The best action, those it was compared with, and others that are legal: each meaning once."""
    view = puzzle.view()
    legal = sorted(view.legal_actions(), key=lambda action: sha256(f"{puzzle.id} {to_line(action)}".encode()).digest())
    chosen: dict[object, str] = {}
    for action in (puzzle.best, *(other.action for other in puzzle.others), *legal):
        if len(chosen) < max(OPTIONS, 1 + len(puzzle.others)):
            chosen.setdefault(meaning(view, action), to_line(action))
    return sorted(chosen.values())
