"""Every message between a browser and the server, typed, once.

`scripts/wire` makes the client's TypeScript and docs/protocol.md out of this file. What comes in is a pydantic model
and is checked; what goes out is a TypedDict and costs nothing.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from branchline.actions import Action, Payment
from branchline.codec import ACTIONS, EVENTS
from branchline.explain import Odds, Way, WhyNot
from branchline.scores import Scores, TicketScore
from branchline.views import Opened, OwnSeat, PublicSeat, Tunnel

_STRICT: Final = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)
_EXACT: Final = ConfigDict(extra="forbid")

NONE: Final = "none"
SECONDS: Final = "seconds"
DAYS: Final = "days"

COLOURS: Final = ("blue", "red", "green", "yellow", "black")
Colour = Literal["blue", "red", "green", "yellow", "black"]
"""The colours of the seats' cars."""

Level = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,23}$")]
"""The name of a bot, of those that `GET /api/bots` lists."""
MessageId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
"""Chosen by the client, different for each thing it asks for: a repeated one gets its old answer."""
SeatNumber = Annotated[int, Field(ge=0, le=9)]
Nonce = Annotated[str, Field(pattern=r"^[0-9a-f]{32,64}$")]
"""Random bytes as hex, from the person's own browser: what nobody else could choose in the shuffle."""
MapId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
"""The id of a route, city or ticket may be longer: those are `MapWord`."""
MapWord = Annotated[str, Field(min_length=1, max_length=100)]


if TYPE_CHECKING:
    ActionJson = dict[str, Any]
    EventJson = dict[str, Any]
else:

    def _union(kinds: Mapping[str, type]) -> Any:
        """Tagged dictionaries as `branchline.codec` writes them, one for each dataclass."""
        union = None
        for tag, kind in kinds.items():
            columns = {"is": Literal[tag], **{entry.name: entry.type for entry in fields(kind)}}
            shape = TypedDict(f"{kind.__name__}Json", columns)
            shape.__doc__ = kind.__doc__
            shape.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)
            union = shape if union is None else union | shape
        return Annotated[union, Field(discriminator="is")]

    ActionJson = _union(ACTIONS)
    EventJson = _union(EVENTS)


class Pace(BaseModel):
    """How long a turn may take. When it is over, a bot plays that one turn."""

    model_config = _STRICT

    kind: Literal["none", "seconds", "days"] = "none"
    length: Annotated[int, Field(ge=0, le=86_400)] = 0
    """So many seconds (10 to 86400) or days (1 to 30)."""


class SeatPlan(BaseModel):
    """What a seat is for, before somebody sits there."""

    model_config = _STRICT

    who: Literal["open", "bot", "closed"]
    level: Level | None = None
    """The bot, for a seat with one."""


class NewTable(BaseModel):
    """A table to be opened."""

    model_config = _STRICT

    map: MapId
    seats: Annotated[tuple[SeatPlan, ...], Field(min_length=2, max_length=10, strict=False)]
    first: SeatNumber | None = None
    """The seat that begins; None lets the shuffle choose (R2.6)."""
    public: bool = False
    """Listed in the lobby; otherwise only those with link or code find it."""
    pace: Pace = Pace()
    hints: bool = True
    """Whether players may ask a bot for advice."""


class Sit(BaseModel):
    """Take a seat."""

    model_config = _STRICT

    nonce: Nonce
    colour: Colour | None = None
    """The colour wanted; a free one without."""


class Myself(BaseModel):
    """How one wants to be called."""

    model_config = _STRICT

    name: Annotated[str, Field(min_length=1, max_length=200)]
    """1 to 24 characters as people count them, without control, bidi-override or zero-width characters."""
    language: Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", max_length=35)] = "en"


class NewOwner(BaseModel):
    """Who is to own the table."""

    model_config = _STRICT

    person: Id


class Agreement(BaseModel):
    """Whether one agrees to abandon the game."""

    model_config = _STRICT

    agree: bool


class DeviceToken(BaseModel):
    """The token of a device link."""

    model_config = _STRICT

    token: Annotated[str, Field(min_length=20, max_length=100)]


class Problem(TypedDict):
    """Why something was refused."""

    code: str
    """A word that a program can compare."""
    text: str
    """A sentence."""
    rule: str | None
    """The rule that refuses, where one does."""


class Me(TypedDict):
    """Who one is."""

    id: str
    name: str
    language: str


class DeviceLink(TypedDict):
    """A link that makes another device the same person."""

    token: str
    """Goes into the link's fragment, which no server sees, and is redeemed by POST, once."""
    expires: float


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


class TableInfo(TypedDict):
    """A table as everybody at it may see it."""

    id: str
    code: str
    """Short, to be read out."""
    map: str
    status: Literal["open", "playing", "over", "abandoned"]
    owner: str | None
    public: bool
    hints: bool
    pace: Pace
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
    next: str | None
    """The table of the rematch."""
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
    deadline: float | None
    updated: float


class Moves(TypedDict):
    """A finished game as one seat saw it."""

    map: str
    names: list[str]
    moves: list["Move"]
    scores: Scores | None


class Move(TypedDict):
    """One step of a game."""

    seat: int | None
    """Who acted; None for the deal."""
    action: ActionJson | None
    events: list[EventJson]
    view: "ViewJson"


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


class Health(TypedDict):
    """That the server is there."""

    ok: bool
    version: str


PaymentTriple = tuple[str | None, int, int]
"""A payment, kept short: its colour (null for wilds alone), coloured cards and wilds."""


@with_config(_EXACT)
class ChoicesJson(TypedDict):
    """What the seat may do now, grouped."""

    deck: bool
    """Draw from the deck."""
    row: list[int]
    """Places of the row a card may be taken from."""
    tickets: bool
    """Draw tickets."""
    keep: int
    """So many of the offered tickets have to be kept; 0 where none are offered."""
    claims: dict[str, int]
    """By route, the number of its list in `payments`."""
    payments: list[list[PaymentTriple]]
    """Lists of payments, fewest wilds first, that several routes may share."""
    cities: list[str]
    """Where a station may be built."""
    station: list[PaymentTriple]
    """Payments for a station, the same in every city."""
    pay: list[PaymentTriple]
    """Payments of what the tunnel owes."""
    take_back: bool
    passing: bool
    """Nothing else is possible (R3.10)."""


@with_config(_EXACT)
class ViewJson(TypedDict):
    """What a seat sees, as `View.to_dict(memory=False)` writes it."""

    map: str
    seat: int | None
    stage: Literal["opening", "turn", "second-draw", "tunnel-owed", "ticket-offer", "over"]
    first: int
    on_turn: int
    to_act: list[int]
    turn: int
    passes: int
    last_turns: int | None
    row: list[str | None]
    deck: int
    discards: dict[str, int]
    ticket_deck: int
    owners: dict[str, int]
    closed: list[str]
    stations: dict[str, int]
    seats: list[PublicSeat]
    own: OwnSeat | None
    tunnel: Tunnel | None
    opened: Opened | None
    choices: ChoicesJson


# What a socket sends.


class Act(BaseModel):
    """Do an action for a seat."""

    model_config = _STRICT

    is_: Literal["act"] = Field(alias="is")
    seat: SeatNumber
    act: ActionJson
    ask: Annotated[int, Field(ge=0, le=1_000_000)]
    """The `ask` of the view that put the question."""
    id: MessageId

    def action(self) -> Action:
        """The action asked for."""
        return ACTIONS[self.act["is"]](**{name: value for name, value in self.act.items() if name != "is"})


class Undo(BaseModel):
    """Take back this seat's last action, if it drew, turned up and revealed nothing and nobody acted since."""

    model_config = _STRICT

    is_: Literal["undo"] = Field(alias="is")
    seat: SeatNumber
    n: Annotated[int, Field(ge=0, le=1_000_000)]
    """The log number of that action."""
    id: MessageId


class Look(BaseModel):
    """Ask for a seat's view, now and after each action; None for what a spectator sees."""

    model_config = _STRICT

    is_: Literal["look"] = Field(alias="is")
    seat: SeatNumber | None


class Say(BaseModel):
    """Say something to the table."""

    model_config = _STRICT

    is_: Literal["say"] = Field(alias="is")
    text: Annotated[str, Field(min_length=1, max_length=500)]
    id: MessageId


class Mute(BaseModel):
    """Hear no more, or again, what somebody says."""

    model_config = _STRICT

    is_: Literal["mute"] = Field(alias="is")
    person: Id
    muted: bool


class WhyNotQuestion(BaseModel):
    """Why can't I claim this route?"""

    model_config = _STRICT

    is_: Literal["why-not"] = Field(alias="is")
    route: MapWord


class PaymentIn(BaseModel):
    """Cards to lay down."""

    model_config = _STRICT

    colour: MapWord | None
    cards: Annotated[int, Field(ge=0, le=99)]
    wilds: Annotated[int, Field(ge=0, le=99)]

    def payment(self) -> Payment:
        return Payment(self.colour, self.cards, self.wilds)


class OddsQuestion(BaseModel):
    """How likely is this tunnel to owe more?"""

    model_config = _STRICT

    is_: Literal["odds"] = Field(alias="is")
    route: MapWord
    payment: PaymentIn


class TicketsQuestion(BaseModel):
    """How are my tickets doing?"""

    model_config = _STRICT

    is_: Literal["tickets"] = Field(alias="is")


class WayQuestion(BaseModel):
    """Which way completes this ticket with the fewest cars?"""

    model_config = _STRICT

    is_: Literal["way"] = Field(alias="is")
    ticket: MapWord


class BorrowedQuestion(BaseModel):
    """What do my stations borrow, with one more in a city?"""

    model_config = _STRICT

    is_: Literal["borrowed"] = Field(alias="is")
    city: MapWord | None


Question = Annotated[
    WhyNotQuestion | OddsQuestion | TicketsQuestion | WayQuestion | BorrowedQuestion, Field(discriminator="is_")
]


class Explain(BaseModel):
    """Ask a question about one's own view."""

    model_config = _STRICT

    is_: Literal["explain"] = Field(alias="is")
    seat: SeatNumber
    about: Question
    id: MessageId


class Hint(BaseModel):
    """Ask a bot for advice from one's own view, where the table allows it."""

    model_config = _STRICT

    is_: Literal["hint"] = Field(alias="is")
    seat: SeatNumber
    id: MessageId


class History(BaseModel):
    """Ask for log entries after `since`, as the seat looked at may know them."""

    model_config = _STRICT

    is_: Literal["history"] = Field(alias="is")
    since: Annotated[int, Field(ge=0, le=1_000_000)]
    id: MessageId


class Beat(BaseModel):
    """I am still here: the answer to a heartbeat."""

    model_config = _STRICT

    is_: Literal["beat"] = Field(alias="is")


ClientMessage = Annotated[Act | Undo | Look | Say | Mute | Explain | Hint | History | Beat, Field(discriminator="is_")]
"""Everything a socket may send."""

from_client: TypeAdapter[Act | Undo | Look | Say | Mute | Explain | Hint | History | Beat] = TypeAdapter(ClientMessage)


# What the server sends over a socket. `is` is no name for a field in a class body, so these are written as calls.

Entry = TypedDict(
    "Entry",
    {
        "n": int,
        "is": Literal["start", "act", "undo", "abandon"],
        "seat": int | None,
        "by": Literal["person", "bot", "fallback", "clock", "stand-in", "table"],
        "events": list[EventJson],
        "at": float,
    },
)
Entry.__doc__ = """A log entry as one seat may know it.

`by` tells who acted for the seat: its person, its bot, the server with any legal action because the bot failed, a bot
for one turn because the clock ran out, or a bot standing in for somebody absent."""

ViewMessage = TypedDict(
    "ViewMessage",
    {
        "is": Literal["view"],
        "n": int,
        "seat": int | None,
        "ask": int | None,
        "entry": Entry | None,
        "undo": bool,
        "deadline": float | None,
        "view": ViewJson,
        "scores": Scores | None,
    },
)
ViewMessage.__doc__ = """The whole view after log entry `n`. Numbers follow each other; after a gap, `look` again.

`ask` goes back with an action: None if nothing is asked of this seat. `entry` tells what led here, None where a view
was asked for. `undo` tells whether this seat may take back its last action, which is then `n`. `scores` come with the
end."""

TableMessage = TypedDict("TableMessage", {"is": Literal["table"], "table": TableInfo})
TableMessage.__doc__ = """Somebody came, went, sat down or left, or the table's status changed."""


class Saying(TypedDict):
    """A line of chat. It is text, never markup."""

    n: int
    person: str
    name: str
    text: str
    at: float


SayingsMessage = TypedDict("SayingsMessage", {"is": Literal["said"], "lines": list[Saying]})
SayingsMessage.__doc__ = """Chat: the last lines on connecting, then each new one."""

DoneMessage = TypedDict("DoneMessage", {"is": Literal["done"], "id": str, "n": int})
DoneMessage.__doc__ = """What `id` asked for is done and stored, as entry or line `n`."""

RefusedMessage = TypedDict("RefusedMessage", {"is": Literal["refused"], "id": str | None, "problem": Problem})
RefusedMessage.__doc__ = """What `id` asked for was not done. The code `busy` may be tried again as it is."""

AnswerMessage = TypedDict(
    "AnswerMessage",
    {
        "is": Literal["answer"],
        "id": str,
        "answer": list[WhyNot] | Odds | list[TicketScore] | Way | dict[str, str | None] | None,
    },
)
AnswerMessage.__doc__ = """The answer to `explain`."""


class Reason(TypedDict):
    """Why a bot would do something; what does not apply is left out."""

    reason: str
    """keep-tickets, join-tickets, points, station, more-tickets, collect, tunnel, last-turn or nothing-else."""
    route: NotRequired[str]
    """The route it is about."""
    tickets: NotRequired[list[str]]
    """The tickets that route serves."""
    short: NotRequired[int]
    """Cards missing for the routes of all tickets."""


AdviceMessage = TypedDict(
    "AdviceMessage", {"is": Literal["advice"], "id": str, "ask": int, "action": ActionJson, "why": Reason}
)
AdviceMessage.__doc__ = """The answer to `hint`: what a bot would do, asked at `ask`, and why."""

EntriesMessage = TypedDict(
    "EntriesMessage", {"is": Literal["entries"], "id": str, "entries": list[Entry], "more": bool}
)
EntriesMessage.__doc__ = """The answer to `history`; `more` if it was cut."""

BeatMessage = TypedDict("BeatMessage", {"is": Literal["beat"]})
BeatMessage.__doc__ = """A heartbeat: answer with `beat`."""

ServerMessage = Annotated[
    ViewMessage
    | TableMessage
    | SayingsMessage
    | DoneMessage
    | RefusedMessage
    | AnswerMessage
    | AdviceMessage
    | EntriesMessage
    | BeatMessage,
    Field(discriminator="is"),
]
"""Everything a socket may receive."""
