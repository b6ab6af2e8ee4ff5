"""The words by which the server refuses, and the numbers by which it closes a socket, as the client is to know them."""

from enum import IntEnum
from typing import Final, Literal, get_args

from branchline.engine.refusals import REFUSALS

Code = Literal[
    "banned",
    "broken",
    "busy",
    "cannot-store",
    "challenge",
    "challenge-over",
    "colour",
    "empty",
    "failed",
    "first",
    "host",
    "insider",
    "level",
    "link",
    "malformed",
    "name",
    "no-advice",
    "no-hints",
    "no-method",
    "no-seat",
    "no-undo",
    "nobody",
    "not-absent",
    "not-alone",
    "not-found",
    "not-owner",
    "not-ready",
    "not-your-turn",
    "not-yours",
    "one-seat",
    "open",
    "origin",
    "over",
    "pace",
    "played",
    "practice",
    "question",
    "record",
    "reviews",
    "running",
    "seats",
    "self",
    "silenced",
    "somebody",
    "stale",
    "started",
    "status",
    "stranger",
    "taken",
    "too-large",
    "too-long",
    "too-many",
    "too-many-tables",
]
"""Why the server itself refuses; a game's own reasons are words of `branchline.engine.refusals`."""

CODES: Final = tuple(sorted({*get_args(Code), *(word for word, _, _ in REFUSALS[1:])}))
"""Every code a `Problem` may have."""

RULES: Final = tuple(
    sorted(
        {"R1.1", "R8.3", *(rule for _, rule, _ in REFUSALS[1:])}, key=lambda rule: [int(n) for n in rule[1:].split(".")]
    )
)
"""Every rule a `Problem` may name."""


class Close(IntEnum):
    """Why a socket was closed, beside what the protocol of sockets itself says."""

    RESTART = 1012
    """The server is being stopped: connect again at once, to whichever answers."""
    TOO_SLOW = 4008
    """It did not read what it was sent."""
    NOT_HERE = 4010
    """It gave no sign of life."""
    NOBODY = 4401
    """Nobody: `PUT /api/me` comes first, or this device was signed out."""
    KEPT_AWAY = 4403
    """The table's owner keeps this person away."""
    NO_TABLE = 4404
    """There is no such table."""
    REPLACED = 4409
    """A newer socket of the same person took its place."""
    FULL = 4429
    """Too many: the table is full of spectators, or too much came at once. Who has a seat always gets in."""
    CANNOT_STORE = 4503
    """The server cannot store just now."""


FINAL: Final = (Close.NOBODY, Close.KEPT_AWAY, Close.NO_TABLE, Close.REPLACED)
"""After these nobody connects again by themselves."""
