"""A board as SVG: the land, the routes with what lies on them, the cities and their names."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from html import escape
from importlib.resources import files
from math import cos, degrees, sin
from typing import Any

from branchline.drawing import ink
from branchline.drawing.ink import Theme
from branchline.drawing.lettering import letter, size_of
from branchline.maps import BUNDLED
from branchline.maps.layout import LaidRoute, Layout, Space, layout_of
from branchline.maps.model import GREY, City, Map

HEAT = ("#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725")
"""Viridis, which reads in grey and through most eyes."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be seen on a board."""

    map: Map
    owners: Mapping[str, int] = field(default_factory=dict)
    """The seat that owns each claimed route."""
    stations: Mapping[str, int] = field(default_factory=dict)
    """The seat whose station stands in each city."""
    closed: frozenset[str] = frozenset()
    """Routes that nobody can claim any more."""
    marked: frozenset[str] = frozenset()
    """Routes and cities to be lit."""
    heat: Mapping[str, float] | None = None
    """For a heat map: 0 to 1 for each route."""


def board(scene: Scene, theme: Theme, language: str) -> str:
    """The board in the map's own units, as an <svg>."""
    layout = layout_of(scene.map)
    width, height = scene.map.size
    parts = [
        # An <svg> of its own cuts off the land at the board's edge.
        f'<svg width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">',
        f'<rect width="{width:g}" height="{height:g}" fill="{theme.sea}"/>',
    ]
    parts += _land(scene.map, theme)
    for laid in layout.routes:
        parts += _route(scene, layout, laid, theme)
    for city in scene.map.cities:
        parts += _city(scene, layout, city, theme)
    parts += _names(scene.map, theme, language)
    return "\n".join([*parts, "</svg>"])


def definitions(theme: Theme) -> str:
    """What is drawn once and used everywhere: signs, cars, stations."""
    parts = [f'<path id="sign-{name}" d="{d}" transform="translate(-12 -12)" fill-rule="evenodd"/>' for name, d in (
        *ink.SIGNS.items(), ("other", ink.OTHER_SIGN), ("star", ink.STAR),
    )]  # fmt: skip
    wedges = "".join(f'<path d="{d}" fill="{ink.CARDS[colour]}"/>' for colour, d in ink.WHEEL)
    parts.append(
        '<g id="sign-wild" transform="translate(-12 -12)"><circle cx="12" cy="12" r="13" fill="#1f2328"/>'
        f'{wedges}<circle cx="12" cy="12" r="4.6" fill="#fffdf6"/></g>'
    )
    long, wide = ink.CAR_LENGTH, ink.CAR_WIDTH
    for colour in ink.SEATS:
        boxes = "".join(
            f'<rect x="{-long / 2 + inset:g}" y="{-wide / 2 + inset:g}" width="{long - 2 * inset}" '
            f'height="{wide - 2 * inset}" rx="{rx}" fill="{fill}"/>'
            for inset, rx, fill in ((-3, 13, "#16181c"), (1, 10, "#fffdf6"), (6, 6, theme.cars[colour]))
        )
        mark = f'<path d="{ink.PATTERNS[colour]}" fill="{ink.MARKS[colour]}"/>' if ink.PATTERNS[colour] else ""
        parts.append(f'<g id="car-{colour}">{boxes}{mark}</g>')
        parts.append(
            f'<g id="station-{colour}"><path d="M-12 12V-2L-14.5 -2L0 -14L14.5 -2L12 -2V12Z" fill="#fffdf6" '
            'stroke="#16181c" stroke-width="2.5" stroke-linejoin="round"/>'
            f'<path d="M-9.5 10V-3L0 -11L9.5 -3V10Z" fill="{theme.cars[colour]}"/>'
            '<path d="M-3 10V6A3 3 0 0 1 3 6V10Z" fill="#fffdf6"/></g>'
        )
    return f"<defs>{''.join(parts)}</defs>"


def heat_colour(share: float) -> str:
    """The colour of a share between 0 and 1 on a heat map."""
    at = max(0.0, min(1.0, share)) * (len(HEAT) - 1)
    low = min(int(at), len(HEAT) - 2)
    return ink.mixed(HEAT[low + 1], HEAT[low], at - low)


@cache
def _geography(id: str) -> dict[str, Any]:
    """The land under a map that has a picture; any other map is drawn on plain paper."""
    if id not in BUNDLED:
        return {}
    geography: dict[str, Any] = json.loads(
        files("branchline.maps").joinpath(f"geography/{id}.json").read_text(encoding="utf-8")
    )
    return geography


def _land(map: Map, theme: Theme) -> Iterable[str]:
    geography = _geography(map.id)
    if not geography:
        width, height = map.size
        yield f'<rect width="{width:g}" height="{height:g}" fill="{theme.land}"/>'
        return
    yield '<g fill="none" stroke-linejoin="round" stroke-linecap="round">'
    if "grid" in geography:
        yield f'<path d="{geography["grid"]}" stroke="{theme.sea_line}" stroke-width="0.7" opacity="0.55"/>'
    coast = geography["land"]
    for stroke, wide in (
        (ink.mixed(theme.sea_near, theme.sea, 0.55), 34.0),
        (theme.sea_line, 10.4),
        (theme.sea_near, 8.8),
    ):
        yield f'<path d="{coast}" stroke="{stroke}" stroke-width="{wide}"/>'
    yield f'<path d="{coast}" fill="{theme.land}" stroke="{theme.coast}" stroke-width="1.5"/>'
    for name, fill, stroke, wide in (
        ("streets", "none", theme.land_edge, 1.1), ("parks", theme.park, theme.park_edge, 1.2),
        ("ponds", theme.sea_near, theme.park_edge, 1.0), ("rivers", "none", theme.river, 1.6),
        ("bridges", "none", theme.coast, 6.0), ("bridges", "none", theme.land, 3.6),
    ):  # fmt: skip
        if name in geography:
            yield f'<path d="{geography[name]}" fill="{fill}" stroke="{stroke}" stroke-width="{wide}"/>'
    ridge = "".join(
        f"M{x - s * 0.55:.1f} {y + s * 0.36:.1f}L{x:g} {y - s * 0.44:.1f}L{x + s * 0.55:.1f} {y + s * 0.36:.1f}"
        for x, y, s in geography.get("peaks", ())
    )
    if ridge:
        yield f'<path d="{ridge}" stroke="{theme.relief}" stroke-width="1.1"/>'
    yield "</g>"


def _route(scene: Scene, layout: Layout, laid: LaidRoute, theme: Theme) -> Iterable[str]:
    route, wide = laid.route, layout.car_width
    owner = scene.owners.get(route.id)
    yield f'<g id="route-{escape(route.id)}">'
    if route.id in scene.marked:
        halo = f'stroke="{theme.brass}" stroke-width="{wide * 1.7:.1f}"'
        yield f'<path d="{_line(laid.spaces, 0.5)}" fill="none" {halo}/>'
    if route.kind == "tunnel" and owner is None:
        teeth = f'stroke-width="{wide * 1.6:.1f}" stroke-dasharray="{layout.car_length * 0.12:.1f}"'
        yield f'<path d="{_line(laid.spaces, 0.52)}" fill="none" stroke="{theme.tunnel}" {teeth}/>'
    if owner is not None and scene.heat is None:
        colour = ink.SEATS[owner]
        for space in laid.spaces:
            yield (
                f'<use href="#car-{colour}" transform="translate({space.x:.1f} {space.y:.1f}) '
                f"rotate({degrees(space.angle):.1f}) scale({space.length / ink.CAR_LENGTH:.3f} "
                f'{wide * 1.04 / ink.CAR_WIDTH:.3f})"/>'
            )
    else:
        yield from _slots(scene, layout, laid, theme)
    yield "</g>"


def _slots(scene: Scene, layout: Layout, laid: LaidRoute, theme: Theme) -> Iterable[str]:
    route, wide = laid.route, layout.car_width
    paint = ink.CARDS.get(route.colour, ink.OTHER)
    if scene.heat is not None:
        fill = heat_colour(scene.heat.get(route.id, 0.0))
    elif route.id in scene.closed:
        fill = theme.land_edge
    elif route.colour == GREY:
        fill = theme.land
    else:
        fill = ink.mixed(paint, theme.land, theme.slot)
    edge = theme.edge if scene.heat is not None or route.colour in (GREY, "white", "black") else paint
    d = "".join(_box(space, wide) for space in laid.spaces)
    yield f'<path d="{d}" fill="{fill}" stroke="{edge}" stroke-width="{wide * 0.085:.2f}" stroke-linejoin="round"/>'
    if scene.heat is not None or route.id in scene.closed:
        return
    first = (route.length - route.wilds) // 2  # a ferry's wilds sit in the middle of the train
    for i, space in enumerate(laid.spaces):
        at = f"translate({space.x:.1f} {space.y:.1f})"
        if first <= i < first + route.wilds:
            yield f'<use href="#sign-wild" transform="{at} scale({wide * 0.86 / 24:.3f})"/>'
        elif route.colour != GREY:
            sign = route.colour if route.colour in ink.SIGNS else "other"
            tint = theme.ink if route.colour in ("white", "black") else ink.mixed(paint, theme.ink, 0.75)
            yield f'<use href="#sign-{sign}" fill="{tint}" transform="{at} scale({wide * 0.7 / 24:.3f})"/>'


def _box(space: Space, wide: float) -> str:
    along, across = (cos(space.angle), sin(space.angle)), (-sin(space.angle), cos(space.angle))
    corners = [
        (
            space.x + along[0] * s * space.length / 2 + across[0] * t * wide / 2,
            space.y + along[1] * s * space.length / 2 + across[1] * t * wide / 2,
        )
        for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z"


def _line(spaces: Iterable[Space], reach: float) -> str:
    """From the start of the first space to the end of the last."""
    return "M" + "L".join(
        f"{space.x + cos(space.angle) * t * space.length:.1f} {space.y + sin(space.angle) * t * space.length:.1f}"
        for space in spaces
        for t in (-reach, reach)
    )


def _city(scene: Scene, layout: Layout, city: City, theme: Theme) -> Iterable[str]:
    radius = layout.radius(city.attraction)
    seat = scene.stations.get(city.id)
    yield f'<g id="city-{escape(city.id)}" transform="translate({city.x:g} {city.y:g})">'
    if city.id in scene.marked:
        yield f'<circle r="{radius * 1.75:.1f}" fill="none" stroke="{theme.brass}" stroke-width="{radius * 0.42:.1f}"/>'
    if seat is not None:
        scale = radius / (9 if city.attraction else 7.8)
        lift = -radius * 0.25
        yield f'<use href="#station-{ink.SEATS[seat]}" transform="translate(0 {lift:.1f}) scale({scale:.3f})"/>'
    elif city.attraction:
        yield f'<circle r="{radius:.1f}" fill="#a5701c" stroke="#3a2608" stroke-width="{radius * 0.26:.1f}"/>'
        yield f'<use href="#sign-star" fill="#fff6dc" transform="scale({radius * 1.05 / 24:.3f})"/>'
    else:
        yield f'<circle r="{radius:.1f}" fill="#fffdf6" stroke="#23201b" stroke-width="{radius * 0.26:.1f}"/>'
        yield f'<circle r="{radius * 0.46:.1f}" fill="#9a2f25"/>'
    yield "</g>"


def _names(map: Map, theme: Theme, language: str) -> Iterable[str]:
    size = size_of(map, language)
    yield (
        f'<g font-size="{size:.1f}" fill="{theme.ink}" stroke="{theme.name_halo}" stroke-width="{size * 0.26:.1f}" '
        'stroke-linejoin="round" paint-order="stroke" text-anchor="middle">'
    )
    for name in letter(map, language):
        yield f'<text x="{name.x:.1f}" y="{name.y + size * 0.36:.1f}">{escape(name.text)}</text>'
    yield "</g>"
