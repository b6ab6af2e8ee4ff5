"""What can be wrong with a map, and where."""

from collections.abc import Sequence
from dataclasses import dataclass

Place = tuple[str | int, ...]
"""The way to a value inside the map's data: `("routes", 3, "length")`."""

Problem = tuple[Place, str]
"""A place, and what is wrong there."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a map."""

    line: int
    """The line of the file, from 1; 0 where the map did not come as text."""
    where: str
    """The value at fault: `routes[3].length`."""
    message: str
    """What is wrong with it."""

    def __str__(self) -> str:
        line = f"line {self.line}: " if self.line else ""
        return f"{line}{self.where}: {self.message}"


class MapError(ValueError):
    """A map that cannot be played, with all its faults."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults)
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))


def words(place: Place) -> str:
    """A place as a person would write it."""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return path.removeprefix(".") or "map"
