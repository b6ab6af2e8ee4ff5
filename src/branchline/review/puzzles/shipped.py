"""The set that comes with the package, and the puzzle of the day by a public rule."""

import json
from datetime import date
from functools import cache
from hashlib import sha256
from importlib.resources import files

from branchline.review.puzzles.format import FORMAT, Puzzle

MAPS = ("europe", "new-york")


@cache
def shipped() -> tuple[Puzzle, ...]:
    """All puzzles that come with the package, those of Europe first."""
    found: list[Puzzle] = []
    for map in MAPS:
        data = json.loads(files("branchline.review.puzzles").joinpath(f"{map}.json").read_text("utf-8"))
        if data["format"] != FORMAT:
            raise ValueError(f"{map}.json: expected {FORMAT!r}")
        found += (Puzzle.from_dict(puzzle) for puzzle in data["puzzles"])
    return tuple(found)


def by_id(id: str) -> Puzzle | None:
    """The puzzle of this id, if there is one."""
    return next((puzzle for puzzle in shipped() if puzzle.id == id), None)


def of_the_day(day: date, puzzles: tuple[Puzzle, ...] | None = None) -> Puzzle:
    """The puzzle of a day: none comes again before all have come (docs/puzzles.md).

    Days are counted from 0001-01-01. In each round of as many days as there are puzzles these are ordered by the
    SHA-256 of "round id", and come one a day.
    """
    known = shipped() if puzzles is None else puzzles
    number, place = divmod(day.toordinal(), len(known))
    return sorted(known, key=lambda puzzle: sha256(f"{number} {puzzle.id}".encode()).digest())[place]
