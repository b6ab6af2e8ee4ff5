"""What a socket sends."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, TypeAdapter

from branchline.actions import Action
from branchline.codec import ACTIONS
from branchline.server.messages.base import STRICT, ActionJson, Id, MessageId, SeatNumber
from branchline.server.messages.questions import Question


class Act(BaseModel):
    """Do an action for a seat."""

    model_config = STRICT

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

    model_config = STRICT

    is_: Literal["undo"] = Field(alias="is")
    seat: SeatNumber
    n: Annotated[int, Field(ge=0, le=1_000_000)]
    """The log number of that action."""
    id: MessageId


class Look(BaseModel):
    """Ask for a seat's view, now and after each action; None for what a spectator sees."""

    model_config = STRICT

    is_: Literal["look"] = Field(alias="is")
    seat: SeatNumber | None


class Say(BaseModel):
    """Say something to the table."""

    model_config = STRICT

    is_: Literal["say"] = Field(alias="is")
    text: Annotated[str, Field(min_length=1, max_length=500)]
    id: MessageId


class Mute(BaseModel):
    """Hear no more, or again, what somebody says."""

    model_config = STRICT

    is_: Literal["mute"] = Field(alias="is")
    person: Id
    muted: bool


class Explain(BaseModel):
    """Ask a question about one's own view."""

    model_config = STRICT

    is_: Literal["explain"] = Field(alias="is")
    seat: SeatNumber
    about: Question
    id: MessageId


class Hint(BaseModel):
    """Ask a bot for advice from one's own view, where the table allows it."""

    model_config = STRICT

    is_: Literal["hint"] = Field(alias="is")
    seat: SeatNumber
    id: MessageId


class History(BaseModel):
    """Ask for log entries after `since`, as the seat looked at may know them."""

    model_config = STRICT

    is_: Literal["history"] = Field(alias="is")
    since: Annotated[int, Field(ge=0, le=1_000_000)]
    id: MessageId


class Beat(BaseModel):
    """I am still here: the answer to a heartbeat."""

    model_config = STRICT

    is_: Literal["beat"] = Field(alias="is")


ClientMessage = Annotated[Act | Undo | Look | Say | Mute | Explain | Hint | History | Beat, Field(discriminator="is_")]
"""Everything a socket may send."""

from_client: TypeAdapter[Act | Undo | Look | Say | Mute | Explain | Hint | History | Beat] = TypeAdapter(ClientMessage)
