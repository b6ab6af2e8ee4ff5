"""The small map of docs/adding-a-map.md: all kinds of routes on four cities."""

import json
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"


def islands_text() -> str:
    page = (DOCS / "adding-a-map.md").read_text(encoding="utf-8")
    return page.split("```json\n")[1].split("```")[0]


def islands(**ruleset: int | bool) -> dict[str, Any]:
    """Its data, with other numbers in the ruleset."""
    data: dict[str, Any] = json.loads(islands_text())
    data["ruleset"].update(ruleset)
    return data
