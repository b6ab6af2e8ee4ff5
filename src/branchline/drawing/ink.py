"""Paint, signs and patterns: the same as the browser client's, so that a picture is known at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import cos, pi, sin

SEATS = ("blue", "red", "green", "yellow", "black")
"""The colours of the seats' cars, in the order in which seats get them."""

CARDS = {
    "purple": "#7a3b8a",
    "blue": "#2f78cc",
    "orange": "#e8862e",
    "white": "#f7f6f2",
    "green": "#3f9a57",
    "yellow": "#ebc22e",
    "black": "#242428",
    "red": "#b92b27",
    "pink": "#e07fb0",
    "grey": "#b3b6b8",
}
"""The paint of each card colour."""
OTHER = "#7f8c92"
"""The paint of a colour that we never heard of."""

CARS = {"blue": "#1f66b5", "red": "#c62f2a", "green": "#2c8a49", "yellow": "#f0c52f", "black": "#2b2c31"}
MARKS = {"blue": "#fff", "red": "#ffe9d6", "green": "#eafbe4", "yellow": "#4a3600", "black": "#f2efe6"}
"""The pattern on a car of each colour."""
NIGHT_CARS = {**CARS, "blue": "#4a90e2"}
"""Blue has no pattern to brighten it."""

ON_CARDS = {
    "purple": "#fff",
    "blue": "#fff",
    "orange": "#3a1d02",
    "white": "#4b5159",
    "green": "#fff",
    "yellow": "#4a3600",
    "black": "#f4f1ea",
    "red": "#fff",
    "pink": "#4a0f2e",
    "grey": "#30363c",
}
"""The sign on a card of each colour."""


@dataclass(frozen=True, slots=True)
class Theme:
    """What a board is painted with."""

    paper: str
    ink: str
    quiet: str
    sea: str
    sea_near: str
    sea_line: str
    land: str
    land_edge: str
    coast: str
    relief: str
    river: str
    park: str
    park_edge: str
    brass: str
    tunnel: str
    edge: str
    """The outline of a free space."""
    name_halo: str
    slot: float = field(default=0.3)
    """How much of its colour a free space shows: it is printed on the paper, a car lies on it."""
    cars: Mapping[str, str] = field(default_factory=lambda: CARS)
    """The paint of each seat's pieces."""


THEMES = {
    "day": Theme(
        paper="#f5f0e6", ink="#1e2935", quiet="#56616d", sea="#cfe1e6", sea_near="#dcebee", sea_line="#a9c6cf",
        land="#efe7d2", land_edge="#e2d6b8", coast="#b9aa8b", relief="#cfc09c", river="#b9d2d9", park="#cfddb4",
        park_edge="#a9bf86", brass="#7c5a14", tunnel="#8d7d65", edge="#1f2328", name_halo="#f4eddb",
    ),
    "night": Theme(
        paper="#0f1720", ink="#ece6d9", quiet="#9ba7b2", sea="#12212d", sea_near="#182b38", sea_line="#27404e",
        land="#223039", land_edge="#2b3b45", coast="#41535e", relief="#3a4a54", river="#18303d", park="#2a4036",
        park_edge="#3d5b4b", brass="#d9b45f", tunnel="#6f7a80", edge="#e4dfd2", name_halo="#18242d", slot=0.24,
        cars=NIGHT_CARS,
    ),
}  # fmt: skip


def mixed(paint: str, ground: str, share: float) -> str:
    """So much of a paint on a ground, as an opaque colour: printers and PDF readers differ over transparency."""
    return "#" + "".join(
        f"{round(share * int(paint[i : i + 2], 16) + (1 - share) * int(ground[i : i + 2], 16)):02x}" for i in (1, 3, 5)
    )


def _ray(points: int, outer: float, inner: float) -> str:
    out = []
    for i in range(points * 2):
        angle, radius = -pi / 2 + i * pi / points, inner if i % 2 else outer
        out.append(f"{'L' if i else 'M'}{12 + radius * cos(angle):.1f} {12 + radius * sin(angle):.1f}")
    return "".join(out) + "Z"


def _circle(radius: float) -> str:
    return f"M{12 - radius:g} 12a{radius} {radius} 0 1 0 {radius * 2} 0a{radius} {radius} 0 1 0 {-radius * 2} 0Z"


SIGNS = {
    "purple": "M12 1L21.5 12L12 23L2.5 12Z",
    "pink": "M12 1L21.5 12L12 23L2.5 12Z",
    "blue": "M1 14.5C3.5 5 9 4.5 12.6 10C14.8 13.4 17 13 18.8 8L23 9.7C20.2 19.3 14.8 19.9 11.2 14.3"
    "C9 10.9 6.8 11.3 5.1 16.2Z",
    "orange": "M12 2L23 21.5H1Z",
    "white": _circle(11) + _circle(5.4),
    "green": "M2.5 21.5C.5 9 8 1.8 22.2 1.8C22.2 16 15 23.5 2.5 21.5ZM6 19.6L17.5 8.2L15.8 6.5L4.4 18Z",
    "yellow": _ray(8, 11.8, 7.4),
    "black": "M6.2 2H17.8L23.6 12L17.8 22H6.2L.4 12Z",
    "red": "M8.4 1h7.2v7.4H23v7.2h-7.4V23H8.4v-7.4H1V8.4h7.4Z",
}
"""The sign of each card colour, 24 by 24, by the even-odd rule."""
OTHER_SIGN = "M3 3H21V21H3Z"
STAR = _ray(5, 12, 5)


def _wedge(i: int) -> str:
    points = [f"{12 + 11 * sin(turn * pi / 3):.2f} {12 - 11 * cos(turn * pi / 3):.2f}" for turn in (i, i + 1)]
    return f"M12 12L{points[0]}A11 11 0 0 1 {points[1]}Z"


WHEEL = tuple((colour, _wedge(i)) for i, colour in enumerate(("red", "orange", "yellow", "green", "blue", "purple")))
"""The wild's wheel: its wedges, clockwise from the top."""


def _dot(x: int) -> str:
    return f"M{x - 9} 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0Z"


def _chevron(x: int) -> str:
    return f"M{x - 11} -15H{x - 1}L{x + 11} 0L{x - 1} 15H{x - 11}L{x + 1} 0Z"


PATTERNS = {
    "blue": "",
    "red": "M-29 -15H-19L-27 15H-37ZM-1 -15H9L1 15H-9ZM27 -15H37L29 15H19Z",
    "green": "".join(_dot(x) for x in (-27, 0, 27)),
    "yellow": "".join(_chevron(x) for x in (-25, 0, 25)),
    "black": "M-33 -15h11v15h-11ZM-22 0h11v15h-11ZM-11 -15h11v15h-11ZM0 0h11v15h-11ZM11 -15h11v15h-11ZM22 0h11v15h-11Z",
}
"""What tells one seat's cars from another's besides their paint, on a car of 100 by 46 about 0, 0."""
CAR_LENGTH, CAR_WIDTH = 100, 46
