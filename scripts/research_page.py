"""Write the tables of docs/research.md that are made from the source: python scripts/research_page.py [--check]"""

import sys
from pathlib import Path

from branchline.maps import load_map
from branchline.names import names_of
from branchline.observation.layout import Field, Layout

PAGE = Path(__file__).parents[1] / "docs" / "research.md"
BEGIN, END = "<!-- layout: scripts/research_page.py -->", "<!-- end of layout -->"


def table() -> str:
    """Every field of an observation, for two seats on either map, the outlook among them."""
    layouts = {map: Layout(names_of(load_map(map)).board, 2, True) for map in ("europe", "new-york")}
    plain = {map: Layout(layout.board, 2) for map, layout in layouts.items()}
    rows = ["| field | Europe | New York | at most | known by | |", "|---|---|---|---|---|---|"]
    for europe, other in zip(layouts["europe"].fields, layouts["new-york"].fields, strict=True):
        if europe.at == plain["europe"].size:
            rows.append("| *outlook* | | | | | *only where asked for* |")
        high = max(europe.high, other.high)
        rows.append(f"| `{europe.name}` | {shape(europe)} | {shape(other)} | {high} | {europe.rule} | {europe.about} |")
    sizes = [f"{layouts[map].size:,} ({plain[map].size:,} without the outlook)" for map in layouts]
    return "\n".join([*rows, "", f"In all {sizes[0]} bytes on Europe, {sizes[1]} on New York."])


def shape(field: Field) -> str:
    return " × ".join(map(str, field.shape)) if field.size else "–"


def page() -> str:
    """The page as it should be."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
