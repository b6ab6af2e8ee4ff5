"""Who somebody is, on one device or several."""

from typing import Annotated

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from branchline.server.messages.base import STRICT


class Myself(BaseModel):
    """How one wants to be called."""

    model_config = STRICT

    name: Annotated[str, Field(min_length=1, max_length=200)]
    """1 to 24 characters as people count them, without control, bidi-override or zero-width characters."""
    language: Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", max_length=35)] = "en"


class DeviceToken(BaseModel):
    """The token of a device link."""

    model_config = STRICT

    token: Annotated[str, Field(min_length=20, max_length=100)]
    instead: bool = False
    """Whether this device forgets whom it knew before. Without it, somebody with tables is refused as `somebody`."""


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


class Session(TypedDict):
    """A device on which one is known."""

    id: str
    device: str
    """Browser and system, as far as they are known; may be empty."""
    created: float
    seen: float
    """When it was last used, to the hour."""
    here: bool
    """Whether it is the one that asks."""
