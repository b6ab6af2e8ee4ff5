"""What messages are made of: words with their bounds, actions and events as JSON, and why something was refused."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from branchline.codec import ACTIONS, EVENTS

STRICT: Final = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)
EXACT: Final = ConfigDict(extra="forbid")


COLOURS: Final = ("blue", "red", "green", "yellow", "black")
Colour = Literal["blue", "red", "green", "yellow", "black"]
"""The colours of the seats' cars."""

Level = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,23}$")]
"""The name of a bot, of those that `GET /api/bots` lists."""
MessageId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
"""Chosen by the client, one for each thing it asks for: the same again gets its old answer, another is refused."""
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


class Problem(TypedDict):
    """Why something was refused."""

    code: str
    """A word that a program can compare, one of `CODES`."""
    text: str
    """A sentence."""
    rule: str | None
    """The rule that refuses, where one does."""
