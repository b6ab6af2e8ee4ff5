"""Where the names of the cities stand: on no car, no city and no other name, if there is any such place."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import cos, sin
from unicodedata import east_asian_width

from branchline.maps.layout import Layout, layout_of
from branchline.maps.model import City, Map

SIDES = (
    (1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (0.8, -0.8), (-0.8, -0.8), (0.8, 0.8), (-0.8, 0.8),
)  # fmt: skip
"""Where a name may stand beside its city, the best first."""
DISTANCES = (1.0, 1.4, 1.9, 2.6)
"""How far from its city, in radii of it."""


@dataclass(frozen=True, slots=True)
class Lettering:
    """A name in its place."""

    city: str
    text: str
    x: float
    y: float
    """The middle of the text."""
    width: float
    height: float

    def cost(self, other: "Lettering") -> float:
        """How much of two names lies over each other."""
        across = min(self.x + self.width / 2, other.x + other.width / 2) - max(
            self.x - self.width / 2, other.x - other.width / 2
        )
        down = min(self.y + self.height / 2, other.y + other.height / 2) - max(
            self.y - self.height / 2, other.y - other.height / 2
        )
        return across * down if across > 0 and down > 0 else 0.0


def width_of(text: str, size: float) -> float:
    """About how wide a text is; fonts differ, so rather too wide than too narrow."""
    return size * sum(1.0 if east_asian_width(letter) in "WF" else 0.58 for letter in text)


def size_of(map: Map, language: str) -> float:
    """How large names are written: as the cars allow, but not larger than a reader of the whole board needs."""
    return min(layout_of(map).car_length * (0.56 if language == "en" else 0.6), max(map.size) / 52)


@lru_cache(maxsize=16)
def letter(map: Map, language: str) -> tuple[Lettering, ...]:
    """A place for every name, those with the fewest good places first, then each moved while that helps."""
    layout, size = layout_of(map), size_of(map, language)
    spots = _spots(map, layout)
    choices = {city.id: _choices(map, layout, city, language, size, spots) for city in map.cities}
    placed: dict[str, Lettering] = {}
    for id in sorted(choices, key=lambda id: sum(cost < 1 for cost, _ in choices[id])):
        placed[id] = _best(choices[id], placed)
    for _ in range(3):
        for id in choices:
            placed[id] = _best(choices[id], placed)
    return tuple(placed.values())


def _best(choices: list[tuple[float, Lettering]], placed: Mapping[str, Lettering]) -> Lettering:
    def cost(choice: tuple[float, Lettering]) -> float:
        return choice[0] + sum(2 * choice[1].cost(other) for id, other in placed.items() if id != choice[1].city)

    return min(choices, key=cost)[1]


def _spots(map: Map, layout: Layout) -> list[tuple[float, float, float]]:
    """What names keep clear of, as discs: x, y and radius."""
    spots = [(city.x, city.y, layout.radius(city.attraction) * 1.15) for city in map.cities]
    for laid in layout.routes:
        for space in laid.spaces:
            for along in (-0.33, 0.0, 0.33):
                reach = along * space.length
                spots.append(
                    (space.x + cos(space.angle) * reach, space.y + sin(space.angle) * reach, layout.car_width * 0.62)
                )
    return spots


def _choices(
    map: Map, layout: Layout, city: City, language: str, size: float, spots: list[tuple[float, float, float]]
) -> list[tuple[float, Lettering]]:
    text = city.name.get(language, city.name["en"])
    width, height = width_of(text, size), size * 1.05
    radius = layout.radius(city.attraction)
    reach = width + radius * max(DISTANCES) + layout.car_width
    spots = [spot for spot in spots if abs(spot[0] - city.x) < reach and abs(spot[1] - city.y) < reach]
    out = []
    for far in DISTANCES:
        for rank, (dx, dy) in enumerate(SIDES):
            x = city.x + dx * (radius * far + width / 2 + size * 0.15)
            y = city.y + dy * (radius * far + height / 2)
            place = Lettering(city.id, text, x, y, width, height)
            cost = 0.35 * rank + 6 * (far - 1) + _outside(place, map) * 20
            cost += sum(_covered(place, spot) for spot in spots)
            out.append((cost, place))
    return out


def _outside(place: Lettering, map: Map) -> float:
    across, down = abs(place.x - map.size[0] / 2), abs(place.y - map.size[1] / 2)
    return max(0.0, across + place.width / 2 - map.size[0] / 2) + max(0.0, down + place.height / 2 - map.size[1] / 2)


def _covered(place: Lettering, spot: tuple[float, float, float]) -> float:
    """About how much of a disc a name covers."""
    x, y, radius = spot
    dx = max(0.0, abs(x - place.x) - place.width / 2)
    dy = max(0.0, abs(y - place.y) - place.height / 2)
    near = radius - (dx * dx + dy * dy) ** 0.5
    return near * radius if near > 0 else 0.0
