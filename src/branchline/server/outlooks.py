"""How each seat's tickets stand, told with every view and worked out only when something it depends on has changed."""

from dataclasses import asdict
from typing import Any

from branchline import explain
from branchline.views import View


class Outlooks:
    """What was found last, by seat. Most actions draw cards, and change nothing here."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, list[dict[str, Any]]]] = {}

    def of(self, view: View) -> list[dict[str, Any]]:
        """How the tickets of a view's seat stand; none for a spectator, nor once they are counted."""
        if view.seat is None or view.own is None or view.over:
            return []
        sight, own = view.sight, view.own
        seen = (list(sight.owner), list(sight.station), sight.cars[view.seat], own.tickets, own.offer, own.answer)
        known = self._known.get(view.seat)
        if known is None or known[0] != seen:
            known = self._known[view.seat] = (seen, [asdict(outlook) for outlook in explain.outlooks(view)])
        return known[1]
