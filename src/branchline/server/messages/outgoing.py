"""What the server sends over a socket. `is` is no name for a field in a class body, so some are written as calls."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from branchline.explain import Odds, Outlook, WhyNot
from branchline.scores import Scores
from branchline.server.messages.base import ActionJson, EventJson, Problem
from branchline.server.messages.tables import TableInfo
from branchline.server.messages.views import ViewJson

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
        "tickets": list[Outlook],
        "scores": Scores | None,
    },
)
ViewMessage.__doc__ = """The whole view after log entry `n`. Numbers follow each other; after a gap, `look` again.

`ask` goes back with an action: None if nothing is asked of this seat. `entry` tells what led here, None where a view
was asked for. `undo` tells whether this seat may take back its last action, which is then `n`. `tickets` tell how
each ticket stands that this seat holds or is offered; with the end `scores` come instead."""

HelloMessage = TypedDict(
    "HelloMessage", {"is": Literal["hello"], "heartbeat": float, "silence": float, "muted": list[str]}
)
HelloMessage.__doc__ = """The first word on a socket: seconds between two beats, and of silence until one is gone;
and whom the person has muted."""

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
RefusedMessage.__doc__ = (
    """What `id` asked for was not done. The code `cannot-store` may be tried again later, as it is."""
)

AnswerMessage = TypedDict(
    "AnswerMessage",
    {
        "is": Literal["answer"],
        "id": str,
        "answer": list[WhyNot] | Odds | dict[str, str | None],
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
    detour: NotRequired[list[str]]
    """Further tickets that a claim brings nearer, by fewer cars than it takes."""
    idle: NotRequired[bool]
    """That a claim brings no ticket nearer, by however little."""
    near: NotRequired[list[int]]
    """The other seats that have routes at its ends and could take it, where something would be lost."""
    lost: NotRequired[dict[str, int | None]]
    """What each ticket would miss more if one of them did: cars, or null where the own cars could join it no more."""


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
    HelloMessage
    | ViewMessage
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
