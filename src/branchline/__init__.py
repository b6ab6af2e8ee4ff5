"""Branchline: Ticket to Ride Europe and New York as a fast, exact Python library."""

from typing import TYPE_CHECKING

from branchline import built

built.check()

from branchline import explain  # noqa: E402
from branchline.actions import (  # noqa: E402
    Action,
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Pass,
    Payment,
    PayTunnel,
    TakeBack,
)
from branchline.engine.refusals import IllegalAction  # noqa: E402
from branchline.engine.shuffle import Rng  # noqa: E402
from branchline.engine.state import State  # noqa: E402
from branchline.events import Event  # noqa: E402
from branchline.game import Game, sample_world  # noqa: E402
from branchline.maps import Map, MapError, load_map  # noqa: E402
from branchline.record import Record  # noqa: E402
from branchline.scores import Scores  # noqa: E402
from branchline.version import __version__  # noqa: E402
from branchline.views import View  # noqa: E402

if TYPE_CHECKING:
    from branchline.drawing import Picture, draw

__all__ = [
    "Action",
    "BuildStation",
    "ClaimRoute",
    "DrawCard",
    "DrawTickets",
    "Event",
    "Game",
    "IllegalAction",
    "KeepTickets",
    "Map",
    "MapError",
    "Pass",
    "PayTunnel",
    "Payment",
    "Picture",
    "Record",
    "Rng",
    "Scores",
    "State",
    "TakeBack",
    "View",
    "__version__",
    "draw",
    "explain",
    "load_map",
    "sample_world",
]


def __getattr__(name: str) -> object:
    """What is drawn with is brought when it is asked for: most programs never draw."""
    if name in ("Picture", "draw"):
        from branchline import drawing

        return getattr(drawing, name)
    raise AttributeError(f"module 'branchline' has no attribute {name!r}")
