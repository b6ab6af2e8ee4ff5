"""A learning curve as CSV and as a picture."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

COLUMNS = (
    "minutes",
    "processor",
    "games",
    "decisions",
    "seats",
    "rival",
    "played",
    "win",
    "low",
    "high",
    "points",
    "others",
)
COLOURS = ("#1f5f99", "#b5542a", "#3f7f3f", "#7a4f9a", "#8a6d1d", "#444444")


def rows(curve: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One row for each rival and seat count of each evaluation."""
    return [
        {**{name: point[name] for name in ("minutes", "processor", "games", "decisions")},
         **{("played" if name == "games" else name): value for name, value in result.items()}}
        for point in curve for result in point["results"]
    ]  # fmt: skip


def as_csv(curve: Sequence[Mapping[str, Any]]) -> str:
    """The curve as a table."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(curve))
    return out.getvalue()


def as_svg(curve: Sequence[Mapping[str, Any]], title: str) -> str:
    """Win rates with their 95 % intervals over the games played, a line for each rival and seat count."""
    lines: dict[str, list[dict[str, Any]]] = {}
    for row in rows(curve):
        lines.setdefault(f"{row['rival']}, {row['seats']} seats", []).append(row)
    most = max((row["games"] for line in lines.values() for row in line), default=0) or 1

    def x(games: float) -> float:
        return 60 + 540 * games / most

    def y(share: float) -> float:
        return 300 - 250 * share

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 350" style="font:13px sans-serif">',
        '<rect width="760" height="350" fill="#fff"/>',
        f'<text x="60" y="26" font-weight="bold">{escape(title)}</text>',
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        parts.append(f'<line x1="60" x2="600" y1="{y(share):.0f}" y2="{y(share):.0f}" stroke="#ddd"/>')
        parts.append(f'<text x="52" y="{y(share) + 4:.0f}" text-anchor="end">{100 * share:.0f} %</text>')
    parts += [f'<text x="{x(n):.0f}" y="322" text-anchor="middle">{n:,}</text>' for n in (0, most // 2, most)]
    parts.append('<text x="330" y="342" text-anchor="middle">games played</text>')
    for number, (name, line) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        band = [f"{x(row['games']):.1f},{y(row['high']):.1f}" for row in line]
        band += [f"{x(row['games']):.1f},{y(row['low']):.1f}" for row in reversed(line)]
        path = " ".join(f"{x(row['games']):.1f},{y(row['win']):.1f}" for row in line)
        parts.append(f'<polygon points="{" ".join(band)}" fill="{colour}" opacity="0.15"/>')
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="608" y="{y(line[-1]["win"]) + 4:.0f}" fill="{colour}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
