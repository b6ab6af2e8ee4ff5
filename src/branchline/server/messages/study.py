"""The same deal for everybody: challenges, and what those who played them came to."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from branchline.scores import SeatScore
from branchline.server.messages.base import STRICT, MapId
from branchline.server.messages.tables import BotPace, SeatPlan


class NewChallenge(BaseModel):
    """One deal for everybody who has the link."""

    model_config = STRICT

    map: MapId
    seats: Annotated[tuple[SeatPlan, ...], Field(min_length=2, max_length=10, strict=False)]
    """Open ones are for people: exactly one where everybody plays alone against the same bots."""
    tables: Annotated[int, Field(ge=0, le=20)] = 0
    """0 for a table for each who comes; else so many tables for a club, compared seat by seat."""
    days: Annotated[int, Field(ge=1, le=30)] = 7
    """For how long it may be begun."""
    title: Annotated[str, Field(max_length=200)] = ""


class PlayChallenge(BaseModel):
    """Play a challenge."""

    model_config = STRICT

    bots: BotPace = "normal"


class ChallengeTable(TypedDict):
    """One of a club's tables."""

    table: str
    status: Literal["open", "playing", "over", "abandoned", "gone"]
    names: list[str]
    """By seat; empty for an open one."""


class ChallengeResult(TypedDict):
    """What one table came to."""

    table: str
    names: list[str]
    levels: list[str | None]
    """By seat, the bot that sat there; None for a person."""
    mine: list[int]
    """The seats of the one who asks."""
    scores: list[SeatScore]
    """By seat; empty where the game was given up."""
    ended: float
    late: bool
    """Whether it ended when the challenge was over, and its deal known."""


class ChallengeInfo(TypedDict):
    """A challenge, as far as the one who asks may know it."""

    id: str
    map: str
    seats: list[SeatPlan]
    title: str
    commitment: str
    """SHA-256 of the seed, told before anybody played. For a deal of the day it is the seed of the day before."""
    owner: str | None
    created: float
    ends: float
    """When it is over: nobody may begin it any more, and everything is open to all once no club plays it on."""
    over: bool
    tables: list[ChallengeTable]
    """A club's tables; empty where everybody plays alone."""
    players: int
    """How many have begun it."""
    finished: int
    """How many of its tables have finished."""
    mine: str | None
    """The table at which the one who asks plays it."""
    mine_over: bool
    """Whether they have finished."""
    seed: str | None
    """As hex; None for whoever has yet to finish, and while a club's table still plays a deal that is over."""
    results: list[ChallengeResult] | None
    """None for whoever has yet to finish."""


class ChallengeLine(TypedDict):
    """A challenge in a list."""

    id: str
    map: str
    title: str
    seats: int
    club: bool
    ends: float
    over: bool
