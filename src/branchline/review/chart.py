"""Everybody's chances as a chart, in SVG that can be clicked."""

from collections.abc import Sequence
from html import escape

from branchline.drawing.ink import SEATS
from branchline.review.format import Review
from branchline.review.words import Words

WIDTH, HEIGHT, LEFT, TOP = 1000, 260, 44, 12
INKS = {"blue": "#1f66b5", "red": "#c62f2a", "green": "#2c8a49", "yellow": "#a87b00", "black": "#2b2c31"}
"""The seats' colours, dark enough for a line on paper."""
DASHES = ("", "9 5", "2 5", "14 4 2 4", "5 3")
"""A seat is never told by its colour alone."""
MARKS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def chart(review: Review, names: Sequence[str], words: Words) -> str:
    """The chart: a line for each seat, a mark for each graded choice, a cursor that the page moves."""
    last = max(1, len(review.series) - 1)

    def x(n: int) -> float:
        return LEFT + (WIDTH - LEFT - 10) * n / last

    def y(chance: float) -> float:
        return TOP + (HEIGHT - 2 * TOP) * (1 - chance)

    scale = f'data-left="{LEFT}" data-right="{WIDTH - 10}" data-width="{WIDTH}" data-last="{last}"'
    label = escape(words("chances"))
    parts = [f'<svg id="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}" {scale}>']
    for share in (0, 25, 50, 75, 100):
        at = y(share / 100)
        parts.append(f'<path class="grid" d="M{LEFT} {at:.1f}H{WIDTH - 10}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{share} %</text>')
    for seat, name in enumerate(names):
        points = " ".join(f"{x(n):.1f},{y(row[seat]):.1f}" for n, row in enumerate(review.series))
        dash = f' stroke-dasharray="{DASHES[seat]}"' if DASHES[seat] else ""
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{INKS[SEATS[seat]]}" stroke-width="3"{dash}>'
            f"<title>{escape(name)}</title></polyline>"
        )
    for decision in review.decisions:
        if decision.grade != "none":
            at, high = x(decision.n), y(review.series[decision.n][decision.seat])
            parts.append(
                f'<g class="mark {decision.grade}"><circle cx="{at:.1f}" cy="{high:.1f}" r="9"/>'
                f'<text x="{at:.1f}" y="{high + 4:.1f}" text-anchor="middle">{MARKS[decision.grade]}</text></g>'
            )
    parts.append(f'<path id="cursor" d="M0 {TOP}V{HEIGHT - TOP}" transform="translate({x(last):.1f} 0)"/></svg>')
    return "\n".join(parts)
