"""Tables: opening one, sitting down, and how a table looks to those at it and to those who pass by."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from branchline.server.messages.base import STRICT, Colour, Id, Level, MapId, Nonce, SeatNumber

NONE: Final = "none"
SECONDS: Final = "seconds"
DAYS: Final = "days"


class Pace(BaseModel):
    """How long a turn may take. When it is over, a bot plays that one turn."""

    model_config = STRICT

    kind: Literal["none", "seconds", "days"] = "none"
    length: Annotated[int, Field(ge=0, le=86_400)] = 0
    """So many seconds (10 to 86400) or days (1 to 30)."""


BotPace = Literal["slow", "normal", "quick", "at-once"]
"""How long bots seem to think before they act."""


class SeatPlan(BaseModel):
    """What a seat is for, before somebody sits there."""

    model_config = STRICT

    who: Literal["open", "bot", "closed"]
    level: Level | None = None
    """The bot, for a seat with one."""


class NewTable(BaseModel):
    """A table to be opened."""

    model_config = STRICT

    map: MapId
    seats: Annotated[tuple[SeatPlan, ...], Field(min_length=2, max_length=10, strict=False)]
    first: SeatNumber | None = None
    """The seat that begins; None lets the shuffle choose (R2.6)."""
    public: bool = False
    """Listed in the lobby; otherwise only those with link or code find it."""
    pace: Pace = Pace()
    hints: bool = True
    """Whether players may ask a bot for advice."""
    bots: BotPace = "normal"
    """How long bots seem to think."""


class Sit(BaseModel):
    """Take a seat."""

    model_config = STRICT

    nonce: Nonce
    colour: Colour | None = None
    """The colour wanted; a free one without."""
    name: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """What whoever sits here is called, where several people share a device; the person's own name without."""


class First(BaseModel):
    """Who is to begin."""

    model_config = STRICT

    seat: SeatNumber | None
    """None lets the shuffle choose (R2.6)."""


class BotTempo(BaseModel):
    """How long bots are to seem to think."""

    model_config = STRICT

    pace: BotPace


class NewOwner(BaseModel):
    """Who is to own the table."""

    model_config = STRICT

    person: Id


class Ban(BaseModel):
    """Somebody to be kept away from the table, or let in again."""

    model_config = STRICT

    person: Id
    banned: bool


class Silence(BaseModel):
    """Somebody whom nobody is to hear at the table, or whom all may hear again."""

    model_config = STRICT

    person: Id
    silenced: bool


class Agreement(BaseModel):
    """Whether one agrees to abandon the game."""

    model_config = STRICT

    agree: bool


class MapLine(TypedDict):
    """A map that can be played."""

    id: str
    name: dict[str, str]
    """By language."""
    seats: tuple[int, int]
    """Fewest and most."""


class BotLine(TypedDict):
    """A bot that can be invited."""

    level: str
    text: str


class SeatInfo(TypedDict):
    """Who sits in a seat."""

    who: Literal["open", "person", "bot", "closed"]
    person: str | None
    name: str
    level: str | None
    """The bot; for a person's seat, the one that plays for them now."""
    colour: Colour
    ready: bool
    """Whether the game can start with this seat: a person's browser has added its nonce."""
    nonce: str
    here: bool
    """Whether the person has a socket open."""
    left: bool
    """Whether the person has left the running game."""
    absent: bool
    """Whether the others may hand the seat to a bot now."""


class Somebody(TypedDict):
    """A person, and what they were called then."""

    person: str
    name: str


class PracticeInfo(TypedDict):
    """Which game a practice game began in."""

    game: str | None
    """Its table; None for a record that somebody sent."""
    at: int
    turn: int
    seat: int
    redeal: bool
    totals: list[int]
    """Everybody's points in the original."""
    names: list[str]
    """Who sat there."""


class TableInfo(TypedDict):
    """A table as everybody at it may see it."""

    id: str
    code: str
    """Short, to be read out."""
    map: str
    status: Literal["open", "playing", "over", "abandoned"]
    owner: str | None
    ownerless: bool
    """Whether the owner of a running game is gone for so long that whoever has a seat may own it."""
    public: bool
    hints: bool
    pace: Pace
    bots: BotPace
    first: int | None
    seats: list[SeatInfo]
    commitment: str
    """SHA-256 of the seed, told before anybody sat down."""
    n: int
    """The number of the last log entry; 0 before the start."""
    to_act: list[int]
    deadline: float | None
    """When the turn is over, in seconds since 1970."""
    watching: int
    """Sockets of people without a seat."""
    abandoning: list[str]
    """Who agrees to abandon the game."""
    banned: list[Somebody]
    """Whom the owner keeps away: they may neither sit nor watch."""
    silenced: list[Somebody]
    """Whom the owner lets nobody hear."""
    next: str | None
    """The table of the rematch."""
    challenge: str | None
    """The challenge whose deal is played here."""
    practice: PracticeInfo | None
    """The game that this one goes on from."""
    created: float


class TableLine(TypedDict):
    """A table in a list."""

    id: str
    map: str
    status: Literal["open", "playing", "over", "abandoned"]
    names: list[str]
    """By seat; empty for an open one."""
    open: int
    """Seats that are free."""
    pace: Pace
    mine: list[int]
    """The seats of the one who asks."""
    to_act: list[int]
    my_turn: bool
    challenge: str | None
    """The challenge whose deal is played here."""
    practice: bool
    """Whether it goes on from a moment of another game."""
    deadline: float | None
    updated: float


class Health(TypedDict):
    """That the server is there."""

    ok: bool
    version: str


class Ready(TypedDict):
    """Whether the server can do its work."""

    ok: bool
    store: Literal["ok", "full", "locked", "read-only", "corrupt", "unreachable", "failed"]
    """What is wrong with the database."""
    bus: Literal["ok", "away"]
    """Whether news from other servers comes at once; where there is no other, it does."""
