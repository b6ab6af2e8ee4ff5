"""Branchline: Ticket to Ride Europe and New York as a fast, exact Python library."""

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
from branchline.views import View  # noqa: E402

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
    "Record",
    "Rng",
    "Scores",
    "State",
    "TakeBack",
    "View",
    "explain",
    "load_map",
    "sample_world",
]
