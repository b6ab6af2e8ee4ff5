"""Puzzles: positions in which one action is clearly best."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from branchline.explain import Outlook
from branchline.server.messages.base import STRICT
from branchline.server.messages.views import ViewJson

PuzzleKind = Literal["tickets", "route", "tunnel", "station", "race", "cards"]


class PuzzleLine(TypedDict):
    """A puzzle in a list."""

    id: str
    map: str
    kind: PuzzleKind
    rating: int
    """How hard it is, on a scale of Elo."""
    solved: bool | None
    """How one's first try went; None without one."""


class PuzzleList(TypedDict):
    """All puzzles, and which is today's."""

    puzzles: list[PuzzleLine]
    today: str | None


class PuzzleInfo(TypedDict):
    """A puzzle to be solved: what the seat sees, and among which actions to choose."""

    id: str
    map: str
    kind: PuzzleKind
    rating: int
    solved: bool | None
    view: ViewJson
    tickets: list[Outlook]
    """How each ticket of the seat stands."""
    options: list[str]
    """Actions as lines, in an order that tells nothing."""


class TryPuzzle(BaseModel):
    """What one would do."""

    model_config = STRICT

    action: Annotated[str, Field(min_length=1, max_length=400)]
    """A line, as in a record."""


class PuzzleAnswer(TypedDict):
    """How a try went, and what is best and why."""

    solved: bool
    best: str
    win: tuple[float, float]
    """The chance to win with it, and its standard error."""
    lead: tuple[float, float]
    """By how much more it wins than the next best."""
    others: list[tuple[str, float, float]]
    """What was compared with it: an action, how far it is behind, and the error."""
    worlds: int
    reason: dict[str, Any]
    found: dict[str, float]
    """How often bots of each level find it."""
