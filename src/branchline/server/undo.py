"""Which actions may be taken back: those whose events drew, turned up and revealed nothing."""

from collections.abc import Sequence

from branchline import events
from branchline.events import Event

_HARMLESS = (
    events.RouteClaimed,
    events.StationBuilt,
    events.TunnelTakenBack,
    events.TicketsKept,
    events.Passed,
    events.TurnBegan,
    events.LastRoundBegan,
)
"""A list of what is harmless, so that a new kind of event is not until somebody thought about it. An answer in the
opening is final (R2.5)."""


def can_be_undone(happened: Sequence[Event]) -> bool:
    """Whether an action with these events leaves nobody wiser when it is taken back."""
    return all(isinstance(event, _HARMLESS) for event in happened)
