"""Reviews of finished games, and practice in them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from branchline.server.messages.base import STRICT, Level, SeatNumber
from branchline.server.messages.tables import BotPace

Estimate = tuple[float, float]
"""A mean, and its standard error."""


class AskReview(BaseModel):
    """A finished game to be judged."""

    model_config = STRICT

    depth: Annotated[int, Field(ge=1, le=3)] = 2
    """How deep: each depth takes four times as long as the one before."""


class ReviewChance(TypedDict):
    """What a seat could expect, by what it knew."""

    win: Estimate
    """The chance to win, from 0 to 1."""
    points: Estimate


class ReviewOption(TypedDict):
    """One of the actions that were compared."""

    action: str
    """A line, as in a record."""
    win: Estimate
    points: Estimate
    behind: Estimate
    """By how much less it wins than the best, in worlds in which both were tried."""


class ReviewDecision(TypedDict):
    """One action of one seat, judged by what that seat knew then."""

    n: int
    """The log entry, counted from 1: the step of the replay."""
    turn: int
    seat: int
    stage: Literal["opening", "turn", "second-draw", "tunnel-owed", "ticket-offer"]
    action: str
    forced: bool
    before: ReviewChance
    after: ReviewChance
    best: str
    cost: Estimate
    grade: Literal["none", "inaccuracy", "mistake", "blunder"]
    reason: dict[str, Any]
    """Why `best` is good, as hints have it."""
    options: list[ReviewOption]
    choice: list[float]
    """By how much the action changed everybody's chance, before chance had its say."""


class ReviewLuck(TypedDict):
    """What chance did between two decisions."""

    n: int
    turn: int
    seat: int | None
    cause: Literal["deal", "deck", "row", "tunnel", "tickets", "shuffle"]
    change: list[float]
    error: float


class ReviewSeat(TypedDict):
    """One seat in all: even + luck + own + others = result."""

    even: float
    luck: float
    own: float
    others: float
    result: float
    accuracy: float
    cost: float
    grades: dict[str, int]
    judged: int


class ReviewPlayer(TypedDict):
    """Who sat in a seat."""

    name: str
    bot: str | None


class ReviewJson(TypedDict):
    """A finished game, judged: docs/review.md says how."""

    format: str
    record: str
    map: str
    map_hash: str
    players: list[ReviewPlayer]
    depth: int
    seed: int
    judge: str
    totals: list[int]
    winners: list[int]
    series: list[list[float]]
    """Everybody's chance after the deal and after each log entry."""
    points: list[list[float]]
    decisions: list[ReviewDecision]
    luck: list[ReviewLuck]
    seats: list[ReviewSeat]


ReviewTrouble = Literal["record", "too-much", "cannot-store", "failed"]
"""Why a review failed: by what is in the game, the time or memory there is for it, the database, the server."""


class ReviewState(TypedDict):
    """How far a review is."""

    game: str
    """The table, or `r-` and the hash of the game for a record that somebody sent."""
    depth: int
    state: Literal["none", "waiting", "running", "done", "failed"]
    done: int
    """Steps that have been judged."""
    total: int
    """Steps in all; 0 where that is not known yet."""
    ahead: int
    """Reviews that come first."""
    problem: ReviewTrouble | None
    """Why it failed."""
    review: ReviewJson | None


class Practise(BaseModel):
    """Play on from a moment of a finished game."""

    model_config = STRICT

    at: Annotated[int, Field(ge=0, le=100_000)]
    """After so many log entries: 0 is the deal."""
    seat: SeatNumber
    """The seat to play."""
    levels: Annotated[tuple[Level | None, ...], Field(min_length=2, max_length=10, strict=False)]
    """By seat, the bots in the others."""
    redeal: bool = False
    """Whether everything that the seat did not know is dealt anew; otherwise it is as it really was."""
    bots: BotPace = "normal"
