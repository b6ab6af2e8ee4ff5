"""Puzzle: what one seat sees, the action that is best, by how much, and why; as values and as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from branchline.actions import Action, BuildStation, ClaimRoute, DrawCard
from branchline.bots.base import to_index
from branchline.codec import action_from_line, to_line
from branchline.maps import load_map
from branchline.review.format import Estimate
from branchline.review.reading import Fault, each, get, number, object_of, one_of, real, text
from branchline.views import View

FORMAT = "branchline-puzzles-1"
Kind = Literal["tickets", "route", "tunnel", "station", "race", "cards"]
KINDS: tuple[Kind, ...] = ("tickets", "route", "tunnel", "station", "race", "cards")
"""Which tickets to keep; which route now; a tunnel or not; a station or not; a race at the end; which card."""
LEVELS = ("novice", "amateur", "regular", "expert")


@dataclass(frozen=True, slots=True)
class Answer:
    """One of the actions that were compared, and how far behind the best it is."""

    action: Action
    behind: Estimate


@dataclass(frozen=True)
class Puzzle:
    """A position as one seat sees it, with the action that is best."""

    id: str
    map: str
    kind: Kind
    sight: tuple[Any, Any]
    """What the seat sees and remembers, as `View.from_dict` reads it."""
    best: Action
    lead: Estimate
    """By how much more it wins than the next best, in worlds that had no part in finding it."""
    second: Action
    win: Estimate
    """The chance to win with the best action."""
    others: tuple[Answer, ...]
    """Actions compared with it in depth, the nearest first."""
    worlds: int
    """Worlds in which they were compared."""
    reason: Mapping[str, Any]
    """Why it is best, as the hints have it."""
    found: Mapping[str, float]
    """How often bots of each level find it."""
    rating: int
    """How hard it is, on a scale of Elo on which the levels stand (docs/puzzles.md)."""

    def view(self) -> View:
        """The position, as the seat sees it."""
        return View.from_dict(load_map(self.map), {"sight": self.sight})

    def solved_by(self, action: Action) -> bool:
        """Whether an action is the best one: the same thing paid in another way counts, and a card of its colour.

        ValueError if it is not legal in the position.
        """
        view = self.view()
        to_index(view, action)
        return meaning(view, action) == meaning(view, self.best)

    def to_dict(self) -> dict[str, Any]:
        """The puzzle as JSON data."""
        return {
            "id": self.id,
            "map": self.map,
            "kind": self.kind,
            "sight": self.sight,
            "best": to_line(self.best),
            "lead": list(self.lead),
            "second": to_line(self.second),
            "win": list(self.win),
            "others": [[to_line(answer.action), *answer.behind] for answer in self.others],
            "worlds": self.worlds,
            "reason": dict(self.reason),
            "found": dict(self.found),
            "rating": self.rating,
        }

    @classmethod
    def from_dict(cls, data: object) -> "Puzzle":
        """The puzzle that data describes; ValueError names what is wrong. The sight is trusted: sets come with us."""
        known = object_of(data, "puzzle")
        sight = known.get("sight")
        if not isinstance(sight, list | tuple) or len(sight) != 2:
            raise Fault("sight", "expected what a seat sees and what it remembers")
        return cls(
            id=get(known, "id", lambda v: text(v, 40)),
            map=get(known, "map", lambda v: text(v, 40)),
            kind=get(known, "kind", lambda v: one_of(v, KINDS)),
            sight=(sight[0], sight[1]),
            best=get(known, "best", _line),
            lead=get(known, "lead", _estimate),
            second=get(known, "second", _line),
            win=get(known, "win", _estimate),
            others=get(known, "others", lambda v: each(v, _answer, 40)),
            worlds=get(known, "worlds", lambda v: number(v, 1, 1_000_000)),
            reason=get(known, "reason", lambda v: object_of(v, "reason")),
            found=get(known, "found", lambda v: {name: real(share) for name, share in object_of(v, "found").items()}),
            rating=get(known, "rating", lambda v: number(v, 0, 4000)),
        )


def meaning(view: View, action: Action) -> object:
    """What an action does, however it is paid for: two that mean the same are the same answer."""
    if isinstance(action, ClaimRoute):
        return "claim", action.route
    if isinstance(action, BuildStation):
        return "build", action.city
    if isinstance(action, DrawCard) and action.slot is not None:
        return "draw", view.row[action.slot]
    return action


def _line(value: object) -> Action:
    return action_from_line(text(value, 400))


def _estimate(data: object) -> Estimate:
    value, error = each(data, real, 2, 2)
    return Estimate(value, error)


def _answer(data: object) -> Answer:
    if not isinstance(data, list | tuple) or len(data) != 3:
        raise ValueError("expected an action, and how far behind it is")
    return Answer(_line(data[0]), _estimate(data[1:]))
