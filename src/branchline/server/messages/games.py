"""One's own finished games: known to the person alone."""

from typing_extensions import TypedDict

from branchline.scores import SeatScore


class GameLine(TypedDict):
    """One finished game of one's own."""

    table: str
    map: str
    ended: float
    turns: int
    mine: int
    """One's seat; the first, where one had several."""
    names: list[str]
    levels: list[str | None]
    """By seat, the bot that sat there; None for a person."""
    scores: list[SeatScore]
    winners: list[int]
    routes: list[str]
    """One's own routes at the end."""
    challenge: str | None
    accuracy: float | None
    """One's own, where the game was reviewed."""


class MyGames(TypedDict):
    """One's finished games, the latest first; practice is left out."""

    games: list[GameLine]
    counting: int
    """Games that are still to be counted: ask again."""


class Forgotten(TypedDict):
    """What was deleted."""

    games: int
