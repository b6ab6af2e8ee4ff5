"""What a training run is told: one frozen record, written beside its results."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from math import inf
from typing import Any

from branchline.bots.policies import FEWEST_SEATS, MOST_SEATS
from branchline.bots.registry import LITERATURE

MOST = 1_000_000
"""Of tables, steps, games and the like: far more than a machine has room or time for."""
MOST_HIDDEN = 1024
"""Cells of a layer: with more of them a weights file would be larger than it may be."""
SHARES = {"past": 0.15, "regular": 0.15, "varied": 0.1, **dict.fromkeys(LITERATURE, 0.01)}
"""Rivals of other styles keep a policy from knowing only its own; those of the literature are slow, and few suffice."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Deals and first weights follow from these; how far a run gets, and how its rate falls, also from the clock."""

    map: str
    seats: tuple[int, ...] = (2,)
    """Seat counts of the tables, each as often as it is to be played."""
    hidden: int = 256
    """Cells of each of the two hidden layers."""
    seed: int = 1
    tables: int = 512
    """Games played at once."""
    steps: int = 64
    """Decisions of each game between two updates."""
    epochs: int = 2
    """How often the decisions of an update are gone over."""
    batch: int = 2048
    rate: float = 3e-4
    """The learning rate at the beginning; it falls in a line to `rate_end`."""
    rate_end: float = 1e-4
    clip: float = 0.2
    """How far an update may take the probability of an action before it counts no more."""
    entropy: float = 0.004
    """What being undecided is worth."""
    trace: float = 0.95
    """GAE's lambda: how far advantages look ahead."""
    win: float = 0.6
    """What part of the reward is for winning; the rest is for the lead."""
    margin: float = 25.0
    """The lead at which that rest is full."""
    clone: int = 400
    """Steps of all tables that the planner plays first, to be cloned; 0 begins from nothing."""
    distil: int = 0
    """Games that the search plays first, guided by the policy that a run begins with, to teach it what it finds."""
    advice: bool = False
    """Whether the network is told what the planner would do."""
    places: int = 0
    """Seats that observations have room for; 0 is as many as the largest table has."""
    shares: Mapping[str, float] = field(default_factory=lambda: dict(SHARES))
    """Which part of the tables seats the learner with whom: past selves, bots by name; at the rest it plays itself."""
    nodes: int = 1
    """Playouts that a bot at these tables may think a decision over with, if it searches."""
    parts: int = 1
    """Parts in which the tables are played: the cores of a cluster share them out; at home they follow each other."""
    league: int = 20
    """Past selves that are kept; one more is added every 15 updates. 0: only the first stays, who may be exploited."""
    exploits: str = ""
    """Whom this run learns to beat, and meets alone: a bot by its name, another run with a hash of where it lies."""

    def __post_init__(self) -> None:
        for one in fields(self):
            _check(one.name, one.default, getattr(self, one.name))
        for name in ("tables", "steps", "epochs", "batch", "nodes", "parts"):
            if getattr(self, name) < 1:
                raise ValueError(f"settings: {name} is 1 or more, not {getattr(self, name)}")
        if not (
            self.seats and all(_is_number(count, int) and FEWEST_SEATS <= count <= MOST_SEATS for count in self.seats)
        ):
            raise ValueError(f"settings: seats are some of {FEWEST_SEATS} to {MOST_SEATS}, not {self.seats!r:.50}")
        if not self.places:
            object.__setattr__(self, "places", max(self.seats))
        if not max(self.seats) <= self.places <= MOST_SEATS:
            raise ValueError(f"settings: places are {max(self.seats)} to {MOST_SEATS}, not {self.places}")
        for name in ("tables", "steps", "epochs", "batch", "nodes", "parts", "league", "clone", "distil"):
            if getattr(self, name) > MOST:
                raise ValueError(f"settings: {name} is at most {MOST:,}, not {getattr(self, name)}")
        if not 1 <= self.hidden <= MOST_HIDDEN:
            raise ValueError(
                f"settings: hidden is from 1 to {MOST_HIDDEN:,}, not {self.hidden}: more fit no weights file"
            )
        if not all(_is_number(part, int | float) for part in self.shares.values()):
            raise ValueError("settings: shares are a part of the tables for each rival")

    def to_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return {**asdict(self), "seats": list(self.seats), "shares": dict(self.shares)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Settings":
        """The settings that `to_dict` gave; ValueError names what they lack or do not know."""
        known = {one.name for one in fields(cls)}
        if unknown := set(data) - known:
            raise ValueError(f"settings: unknown {', '.join(sorted(unknown))}")
        return cls(**{**data, "seats": tuple(data["seats"])})


def _check(name: str, default: object, value: object) -> None:
    """ValueError if a setting is not of the sort that its default is of, or is less than nothing."""
    if isinstance(default, bool):
        right = isinstance(value, bool)
    elif isinstance(default, int | float):
        right = _is_number(value, int if isinstance(default, int) else int | float)
    else:
        right = name in ("seats", "shares") or isinstance(value, str)
    if not right:
        raise ValueError(f"settings: {name} can't be {value!r:.50}")


def _is_number(value: object, sort: Any) -> bool:
    return isinstance(value, sort) and not isinstance(value, bool) and 0 <= value < inf
