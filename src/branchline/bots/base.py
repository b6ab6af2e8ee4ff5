"""The Bot protocol: a class with one method."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from branchline.actions import Action
from branchline.engine.shuffle import Rng
from branchline.views import View


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a bot may think about one decision; a bot that does not search ignores it."""

    nodes: int | None = None
    """Games it may play out in its head, about; results of a node budget in one process repeat on any machine."""
    seconds: float | None = None
    """Seconds it may take."""
    cores: int = 1
    """Processes it may think in."""


@runtime_checkable
class Bot(Protocol):
    """Anything with this method.

    It returns one of `view.legal_actions()`, or the index of one (`view.legal_indices()`). All it knows is the view;
    all its chance comes from `rng`. It may leave a reason in `self.why`, as data. It may be asked about many games.
    """

    def choose(self, view: View, rng: Rng, budget: Budget) -> Action | int:
        """What the view's seat does now."""
        ...


class Telling:
    """A bot that says why: its reason is worked out when somebody asks."""

    told: Callable[[], Mapping[str, object]] | None = None
    """The reason for the last choice."""

    @property
    def why(self) -> Mapping[str, object] | None:
        """The reason for the last choice, as data; None before the first."""
        return None if self.told is None else self.told()


def to_index(view: View, choice: object) -> int:
    """The index of what a bot chose; ValueError if it is not one of the view's legal actions."""
    legal = view.legal_indices()
    if isinstance(choice, int) and not isinstance(choice, bool):
        if choice in legal:
            return choice
    else:
        for index in legal:
            if view.action(index) == choice:
                return index
    raise ValueError(f"not a legal action here: {choice!r}")


def why(bot: object) -> Mapping[str, object] | None:
    """The reason a bot left for its last choice, if it leaves any."""
    reason = getattr(bot, "why", None)
    return reason if isinstance(reason, Mapping) else None
