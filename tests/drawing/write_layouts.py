"""Writes tests/drawing/layouts.json, against which the client's geometry is tested too: both lay a board out alike."""

import json
from pathlib import Path

from branchline import load_map
from branchline.maps import BUNDLED
from branchline.maps.layout import layout_of

PATH = Path(__file__).with_name("layouts.json")


def text() -> str:
    """Each bundled map's layout, a route a line."""
    lines = []
    for id in BUNDLED:
        layout = layout_of(load_map(id)).to_dict()
        routes = ",\n".join(json.dumps(route, separators=(",", ":")) for route in layout.pop("routes"))
        lines.append(f'"{id}": {json.dumps(layout)[:-1]}, "routes": [\n{routes}\n]}}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
