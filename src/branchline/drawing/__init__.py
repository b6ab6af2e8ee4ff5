"""Boards as pictures: SVG, PNG and PDF, from the geometry that the browser client draws from."""

from collections.abc import Mapping, Sequence

from branchline.drawing.board import Scene, board, definitions
from branchline.drawing.ink import THEMES
from branchline.drawing.picture import Picture
from branchline.drawing.plates import height_of, plates
from branchline.drawing.words import FONTS, WORDS
from branchline.game import Game
from branchline.maps.model import Map
from branchline.views import View

__all__ = ["Picture", "draw", "framed"]


def draw(
    what: Game | View | Map,
    *,
    language: str = "en",
    theme: str = "day",
    seats: bool = True,
    names: Sequence[str] = (),
    marked: Sequence[str] = (),
    heat: Mapping[str, float] | None = None,
) -> Picture:
    """A game, a seat's view or an empty map as a picture that shows itself in a notebook; `save` writes it to a file.

    A game is drawn as a spectator sees it, a view with its hand and tickets. `language` is en, zh-Hant or zh-Hans,
    `theme` day or night. `seats` puts a plate for each seat under the board, `names` name them. `marked` lights
    routes and cities by their ids; `heat` paints each route by a number from 0 to 1.
    """
    view = what.view(None) if isinstance(what, Game) else what if isinstance(what, View) else None
    map = what if isinstance(what, Map) else what.map
    known = {route.id for route in map.routes} | {city.id for city in map.cities}
    for id in (*marked, *(heat or ())):
        if id not in known:
            raise ValueError(f"{id!r} is no route or city of {map.id}")
    scene = Scene(
        map,
        owners=view.owners if view is not None else {},
        stations=view.stations if view is not None else {},
        closed=frozenset(view.closed) if view is not None else frozenset(),
        marked=frozenset(marked),
        heat=heat,
    )
    under = plates_of(view, language, theme, names) if view is not None and seats else None
    return framed(scene, language, theme, under)


def plates_of(view: View, language: str, theme: str, names: Sequence[str]) -> tuple[str, float]:
    """What stands under the board, and how much room it takes."""
    _check(language, theme)
    return plates(view, THEMES[theme], language, names), height_of(view)


def framed(scene: Scene, language: str, theme: str, under: tuple[str, float] | None = None) -> Picture:
    """A board in a frame, with something 1000 wide under it."""
    _check(language, theme)
    paint = THEMES[theme]
    width, height = scene.map.size
    scale = width / 1000
    room = under[1] * scale if under is not None else 0.0
    fonts = ", ".join(f"'{font}'" for font in FONTS[language])
    size = f'width="{width:g}" height="{height + room:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height + room:g}" {size} lang="{language}">',
        f'<g font-family="{fonts}, sans-serif">',
        definitions(paint),
        f'<rect {size} fill="{paint.paper}"/>',
        board(scene, paint, language),
    ]
    if under is not None:
        parts.append(f'<g transform="translate(0 {height:g}) scale({scale:g})">{under[0]}</g>')
    return Picture("\n".join([*parts, "</g></svg>\n"]), width, height + room)


def _check(language: str, theme: str) -> None:
    if language not in WORDS:
        raise ValueError(f"language: there is {', '.join(WORDS)}, not {language!r}")
    if theme not in THEMES:
        raise ValueError(f"theme: there is {' and '.join(THEMES)}, not {theme!r}")
