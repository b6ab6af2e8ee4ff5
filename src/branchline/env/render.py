"""A view as an environment renders it: text, SVG or pixels."""

import io
from typing import Any

import numpy as np

from branchline.drawing import draw
from branchline.views import View

MODES = ("ansi", "human", "svg", "rgb_array")
"""What `render_mode` may be; "human" prints the text."""


def render(mode: str, view: View) -> Any:
    """The view, as text ("ansi"), an SVG document ("svg") or an array of pixels, three bytes each ("rgb_array")."""
    if mode == "svg":
        return draw(view).svg
    if mode == "rgb_array":
        from PIL import Image

        with Image.open(io.BytesIO(draw(view).png(1.0))) as image:
            return np.asarray(image.convert("RGB"))
    if mode == "human":
        print(text(view))  # noqa: T201 - what this mode is for
        return None
    return text(view)


def text(view: View) -> str:
    """What a seat sees, in a few lines."""
    lines = [f"{view.map.id}, turn {view.turn}, {view.stage}"]
    lines.append(f"row: {' '.join(card or '-' for card in view.row)}; deck {view.deck}, tickets {view.ticket_deck}")
    for number, seat in enumerate(view.seats):
        mark = "*" if number in view.to_act else " "
        stations = f", {seat.stations} stations" if view.map.rules.stations else ""
        lines.append(
            f"{mark}seat {number}: {seat.points} points, {seat.cars} cars{stations}, {seat.cards} cards, "
            f"{seat.tickets} tickets"
        )
    for number in range(len(view.seats)):
        routes = [route for route, owner in view.owners.items() if owner == number]
        lines.append(f" routes of seat {number}: {', '.join(routes) or 'none'}")
    if view.own is not None:
        hand = ", ".join(f"{n} {colour}" for colour, n in view.own.hand.items())
        lines.append(f"hand: {hand or 'none'}")
        lines.append(f"tickets: {', '.join(view.own.tickets) or 'none'}")
    return "\n".join(lines)
