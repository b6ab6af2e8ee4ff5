"""Where everything on a board is drawn: the spaces of each route, the line it runs along, the size of its cities.

Made from the map's x, y and bends exactly as the browser client does (`web/src/board/geometry.ts`; a test of both
compares them number by number), so that a picture shows the board that people know. No rule is read off it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import atan2, ceil, cos, floor, hypot, pi, sin
from typing import Any

from branchline.maps.model import Map, Route

Point = tuple[float, float]

STEPS = 24
"""Points of a spline between two bends."""
ATTRACTION = 1.45
"""How much larger an attraction is than another city."""
STRETCH = 1.16
"""How much longer than usual a car may be where there is room."""


@dataclass(frozen=True, slots=True)
class Space:
    """Where one car lies."""

    x: float
    y: float
    angle: float
    """Its direction in radians."""
    length: float


@dataclass(frozen=True, slots=True)
class LaidRoute:
    """A route as it is drawn."""

    route: Route
    twin: str | None
    """The other half of a double route."""
    line: tuple[Point, ...]
    """From city to city through the middle of the spaces; what pointing is measured against."""
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """A board as it is drawn, in the units of the map's x and y."""

    car_length: float
    car_width: float
    gap: float
    city_radius: float
    routes: tuple[LaidRoute, ...]

    def radius(self, attraction: bool) -> float:
        """How large a city is."""
        return self.city_radius * (ATTRACTION if attraction else 1)

    def to_dict(self) -> dict[str, Any]:
        """As JSON data, in the order of the map's routes."""
        return {
            "car_length": self.car_length,
            "car_width": self.car_width,
            "gap": self.gap,
            "city_radius": self.city_radius,
            "attraction": ATTRACTION,
            "routes": [
                {
                    "twin": laid.twin,
                    "line": [[tidy(x), tidy(y)] for x, y in laid.line],
                    "spaces": [
                        [round(s.x, 2), round(s.y, 2), round(s.angle, 4), round(s.length, 2)] for s in laid.spaces
                    ],
                }
                for laid in self.routes
            ],
        }


@lru_cache(maxsize=16)
def layout_of(map: Map) -> Layout:
    """Lay out a map."""
    places = {city.id: (city.x, city.y) for city in map.cities}
    car_length = _car_length(map, places)
    bare = Layout(car_length, tidy(car_length * 0.47), tidy(car_length * 0.09), tidy(car_length * 0.27), ())
    radius = {city.id: bare.radius(city.attraction) for city in map.cities}
    pairs: dict[frozenset[str], list[Route]] = {}
    for route in map.routes:
        pairs.setdefault(frozenset((route.a, route.b)), []).append(route)
    routes = []
    for route in map.routes:
        pair = pairs[frozenset((route.a, route.b))]
        twin = next((other.id for other in pair if other.id != route.id), None)
        leader = pair[0]
        same_way = leader.a == route.a
        # Both halves bend together, along the first one's bends, so that they stay parallel.
        bends = leader.bends if same_way else leader.bends[::-1]
        centre = _through([places[route.a], *bends, places[route.b]])
        side = pair.index(route) - (len(pair) - 1) / 2
        apart = bare.car_width * (1.42 if route.kind == "tunnel" else 1.22)
        offset = side * apart * (1 if same_way else -1)
        line = centre.beside(offset, car_length * 1.1)
        spaces = _spread(centre, offset, route.length, bare, radius[route.a], radius[route.b])
        routes.append(LaidRoute(route, twin, tuple(line.points), tuple(spaces)))
    return Layout(bare.car_length, bare.car_width, bare.gap, bare.city_radius, tuple(routes))


def tidy(number: float) -> float:
    """To a tenth, which is finer than a screen shows."""
    return floor(number * 10 + 0.5) / 10


class _Curve:
    """A polyline that knows how far along it each of its points is."""

    def __init__(self, points: Sequence[Point]) -> None:
        self.points = points
        self._at = [0.0]
        for p, q in pairwise(points):
            self._at.append(self._at[-1] + hypot(q[0] - p[0], q[1] - p[1]))

    @property
    def length(self) -> float:
        return self._at[-1]

    def along(self, distance: float) -> tuple[float, float, float]:
        """The place so far along, and the direction there."""
        points, at = self.points, self._at
        i = 1
        while i < len(points) - 1 and at[i] < distance:
            i += 1
        (px, py), (qx, qy) = points[i - 1], points[i]
        span = at[i] - at[i - 1]
        t = 0.0 if span == 0 else (distance - at[i - 1]) / span
        return px + t * (qx - px), py + t * (qy - py), atan2(qy - py, qx - px)

    def beside(self, offset: float, taper: float) -> "_Curve":
        """Moved sideways, running back into its ends within `taper`."""
        if offset == 0:
            return self
        steps = max(12, ceil(self.length / 8))
        out = []
        for i in range(steps + 1):
            distance = self.length * i / steps
            near = min(distance, self.length - distance)
            ease = sin(min(1.0, near / taper) * pi / 2)
            x, y, angle = self.along(distance)
            out.append((x - sin(angle) * offset * ease, y + cos(angle) * offset * ease))
        return _Curve(out)


def _through(points: Sequence[Point]) -> _Curve:
    """A smooth line through all the points: an arc through three, a Catmull-Rom spline through more."""
    if len(points) < 3:
        return _Curve(points)
    if len(points) == 3:
        (ax, ay), (mx, my), (bx, by) = points
        cx, cy = 2 * mx - (ax + bx) / 2, 2 * my - (ay + by) / 2
        ts = [i / (STEPS * 2) for i in range(STEPS * 2 + 1)]
        return _Curve(
            [
                (
                    (1 - t) ** 2 * ax + 2 * t * (1 - t) * cx + t * t * bx,
                    (1 - t) ** 2 * ay + 2 * t * (1 - t) * cy + t * t * by,
                )
                for t in ts
            ]
        )
    out: list[Point] = []
    for i, (p1, p2) in enumerate(pairwise(points)):
        p0 = points[i - 1] if i else (2 * p1[0] - p2[0], 2 * p1[1] - p2[1])
        p3 = points[i + 2] if i + 2 < len(points) else (2 * p2[0] - p1[0], 2 * p2[1] - p1[1])
        out += [(_spline(p0[0], p1[0], p2[0], p3[0], t), _spline(p0[1], p1[1], p2[1], p3[1], t)) for t in _SPLINE]
    return _Curve([*out, points[-1]])


_SPLINE = [k / STEPS for k in range(STEPS)]


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)


def _car_length(map: Map, places: dict[str, Point]) -> float:
    """As long as the tightest routes allow, but for a few that may squeeze."""
    pitches = []
    for route in map.routes:
        (ax, ay), (bx, by) = places[route.a], places[route.b]
        pitches.append(hypot(ax - bx, ay - by) / (route.length + 0.8))
    tight = sorted(pitches)[int(len(pitches) * 0.06)]
    return tidy(min(tight * 0.91, min(map.size) / 16))


def _spread(
    centre: _Curve, offset: float, count: int, scale: Layout, start_radius: float, end_radius: float
) -> list[Space]:
    """Cars of one length, evenly spread over what the two cities leave free."""
    start = start_radius + scale.gap * 1.2
    free = centre.length - start - end_radius - scale.gap * 1.2
    length = min(scale.car_length * STRETCH, (free - (count - 1) * scale.gap) / count)
    rest = (free - count * length) / (count + 1)
    # A tight train closes up to its ends; a loose one shares the room out.
    gap = max(rest, min(scale.gap, (free - count * length) / (count - 1))) if count > 1 else rest
    lead = (free - count * length - (count - 1) * gap) / 2
    places = []
    for i in range(count):
        x, y, angle = centre.along(start + lead + length / 2 + i * (length + gap))
        places.append((x - sin(angle) * offset, y + cos(angle) * offset, angle))
    # On the inside of a bend the places draw together, and the cars with them.
    pitch = [hypot(q[0] - p[0], q[1] - p[1]) - scale.gap * 0.8 for p, q in pairwise(places)]
    fits = min([length, *pitch])
    return [Space(x, y, angle, fits) for x, y, angle in places]
