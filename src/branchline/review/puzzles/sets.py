"""A set of puzzles as a file: which games were looked through, by which judge, and what they came to.

A set follows from its map, its judge, the number of its first game, how many games there were and how many puzzles of
each kind are taken at most: whoever makes it again makes the same one, in one go or in several.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from branchline.files import aside
from branchline.maps import Map
from branchline.review.puzzles.format import FORMAT, KINDS, Kind, Puzzle
from branchline.review.puzzles.making import make
from branchline.review.reading import get, number, object_of, text


@dataclass(slots=True)
class PuzzleSet:
    """Puzzles of a map, in the order of the games they come from."""

    map: str
    judge: str
    """Whose whole games they are judged by, with its version."""
    first: int = 0
    """The number of the first game."""
    games: int = 0
    """How many games were looked through."""
    most: int | None = None
    """Puzzles of a kind after which no more are taken of it."""
    puzzles: list[Puzzle] = field(default_factory=list)

    def full(self) -> set[Kind]:
        """Kinds of which there are enough."""
        counts = Counter(puzzle.kind for puzzle in self.puzzles)
        return set() if self.most is None else {kind for kind in KINDS if counts[kind] >= self.most}

    def grow(self, map: Map) -> list[Puzzle]:
        """Look through one more game; what it added."""
        game = self.first + self.games
        seats = map.rules.seats_min + game % (min(4, map.rules.seats_max) - map.rules.seats_min + 1)
        added = []
        for puzzle in make(map, seats, game, self.full()):
            if puzzle.kind not in self.full():
                self.puzzles.append(puzzle)
                added.append(puzzle)
        self.games += 1
        return added

    def write(self, path: Path) -> None:
        """Write the set, a puzzle a line."""
        head: dict[str, Any] = {"format": FORMAT, "map": self.map, "judge": self.judge}
        head |= {"first": self.first, "games": self.games, "most": self.most}
        lines = ",\n".join(
            json.dumps(puzzle.to_dict(), ensure_ascii=False, separators=(",", ":")) for puzzle in self.puzzles
        )
        with aside(path) as file:
            file.write(f'{json.dumps(head)[:-1]}, "puzzles": [\n{lines}\n]}}\n'.encode())

    @classmethod
    def from_dict(cls, data: object) -> "PuzzleSet":
        """The set that data describes; ValueError names what is wrong."""
        known = object_of(data, "puzzles")
        if known.get("format") != FORMAT:
            raise ValueError(f"format: expected {FORMAT!r}")
        listed: Any = known.get("puzzles")
        if not isinstance(listed, list):
            raise ValueError("puzzles: expected a list")
        return cls(
            map=get(known, "map", lambda v: text(v, 40)),
            judge=get(known, "judge", lambda v: text(v, 100)),
            first=get(known, "first", lambda v: number(v, 0, 1 << 32)),
            games=get(known, "games", lambda v: number(v, 0, 1 << 32)),
            most=get(known, "most", lambda v: None if v is None else number(v, 1, 1 << 32)),
            puzzles=[Puzzle.from_dict(puzzle) for puzzle in listed],
        )
