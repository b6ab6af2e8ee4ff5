"""A map as values: what it says, without a way to play it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal

from branchline.engine.ruleset import FIELDS, Ruleset

FORMAT = "branchline-map-1"
WILD = "wild"
GREY = "grey"
"""The colour of a route that takes any one colour."""

Kind = Literal["track", "tunnel", "ferry"]


@dataclass(frozen=True, slots=True)
class City:
    """A place on the map."""

    id: str
    name: Mapping[str, str] = field(hash=False)
    """The name by language: `en`, `zh-Hant`, `zh-Hans` and any others."""
    x: float
    y: float
    attraction: bool = False
    """Whether it scores as a tourist attraction (R7.3)."""

    def __reduce__(self) -> tuple[Callable[..., "City"], tuple[object, ...]]:
        # A read-only mapping does not pickle.
        return _city, (self.id, dict(self.name), self.x, self.y, self.attraction)


def _city(id: str, name: dict[str, str], x: float, y: float, attraction: bool) -> City:
    return City(id, MappingProxyType(name), x, y, attraction)


@dataclass(frozen=True, slots=True)
class Route:
    """A connection between two cities that one seat can claim."""

    id: str
    a: str
    b: str
    length: int
    """Spaces: cards to pay and cars to lay (R4.1, R4.2)."""
    colour: str
    """The colour to pay in, or `grey` for any one."""
    kind: Kind
    wilds: int
    """Wild symbols of a ferry (R4.7)."""
    bends: tuple[tuple[float, float], ...] = ()
    """Points its drawing passes through between the two cities."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """A goal: two cities to join."""

    a: str
    b: str
    points: int
    long: bool = False
    """Whether it belongs to the long tickets of the opening (R2.2)."""

    @property
    def id(self) -> str:
        return f"{self.a}-{self.b}"


@dataclass(frozen=True, slots=True)
class Map:
    """A board with the ruleset played on it."""

    id: str
    name: Mapping[str, str]
    """The name by language."""
    size: tuple[float, float]
    """Width and height of the drawing that the cities' x and y belong to."""
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    colours: tuple[str, ...]
    """The colours of the cards in their canonical order, without the wild."""
    cards: Mapping[str, int]
    """How many cards there are of each colour, the wild last (R1.4)."""
    points: Mapping[int, int]
    """What a route is worth, by its length (R1.8)."""
    rules: Ruleset
    hash: str
    """SHA-256 over everything that a rule reads: two maps with this in common play the same game."""

    def __hash__(self) -> int:
        return hash(self.hash)

    def to_dict(self) -> dict[str, Any]:
        """The map as the data of a map file, which `load_map` takes back."""
        return {
            "format": FORMAT,
            "id": self.id,
            "name": dict(self.name),
            "size": dict(zip(("width", "height"), self.size, strict=True)),
            "ruleset": {name: getattr(self.rules, name) for name in FIELDS},
            "cards": dict(self.cards),
            "points": {str(length): points for length, points in self.points.items()},
            "cities": [_values(city) | {"name": dict(city.name)} for city in self.cities],
            "routes": [_values(route) | {"bends": [list(bend) for bend in route.bends]} for route in self.routes],
            "tickets": [_values(ticket) for ticket in self.tickets],
        }


def _values(row: City | Route | Ticket) -> dict[str, Any]:
    return {column.name: getattr(row, column.name) for column in fields(row)}
