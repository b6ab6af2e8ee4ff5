"""Finished games: their moves, and what verifying a record showed."""

from typing_extensions import TypedDict

from branchline.scores import Scores
from branchline.server.messages.base import ActionJson, EventJson
from branchline.server.messages.views import ViewJson
from branchline.views import OwnSeat


class Moves(TypedDict):
    """A finished game, everything open."""

    map: str
    names: list[str]
    levels: list[str | None]
    """By seat, the bot that sat there; None for a person."""
    moves: list["Move"]
    scores: Scores | None


class Move(TypedDict):
    """One step of a game."""

    seat: int | None
    """Who acted; None for the deal."""
    action: ActionJson | None
    events: list[EventJson]
    """As a spectator saw it."""
    seen: dict[str, list[EventJson]]
    """By seat, the same as that seat saw it, where it saw more."""
    view: ViewJson
    """What a spectator saw."""
    own: list[OwnSeat]
    """By seat, what only that seat saw."""


class CheckLine(TypedDict):
    """One thing that was verified."""

    what: str
    ok: bool
    detail: str


class VerdictJson(TypedDict):
    """What verifying a record showed."""

    ok: bool
    checks: list[CheckLine]
    vouches: list[str]
    cannot: list[str]


class Looked(TypedDict):
    """An uploaded record: what verifying it showed, and its moves."""

    verdict: VerdictJson
    moves: Moves | None
