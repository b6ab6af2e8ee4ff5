"""A match as a table for the terminal, as Markdown and as a chart."""

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

BOARD_PARTS = ("trail", "stations", "attractions")
"""Parts that not every map has."""


def facts(summary: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """What the table says: a name, and its value for each bot."""
    bots = summary["bots"]
    has = [part for part in BOARD_PARTS if any(bot["parts"][part] for bot in bots)]
    return [
        ("bot", [bot["name"] + (f" x{bot['seats']}" if bot["seats"] > 1 else "") for bot in bots]),
        ("win", [f"{100 * bot['win']:.1f} %" for bot in bots]),
        ("95 %", [f"{100 * bot['low']:.1f}-{100 * bot['high']:.1f}" for bot in bots]),
        ("points", [f"{bot['points']:.1f}" for bot in bots]),
        ("routes", [f"{bot['parts']['routes']:.1f}" for bot in bots]),
        ("tickets", [f"{bot['parts']['done']:.1f}{bot['parts']['failed']:+.1f}" for bot in bots]),
        *((part, [f"{bot['parts'][part]:.1f}" for bot in bots]) for part in has),
        ("done", [f"{bot['completed']:.1f} of {bot['tickets']:.1f}" for bot in bots]),
        ("ms", [f"{bot['ms']:.2f}" for bot in bots]),
        *([("faults", [str(bot["faults"]) for bot in bots])] if any(bot["faults"] for bot in bots) else []),
    ]


def table(summary: Mapping[str, Any], width: int = 80) -> str:
    """The table for a terminal or a pipe: a bot a column, a fact a line."""
    rows = facts(summary)
    room = (width - 10) // len(summary["bots"]) - 2
    wide = [min(room, max(len(values[n]) for _, values in rows)) for n in range(len(summary["bots"]))]
    lines = [title(summary)]
    for name, values in rows:
        cells = [f"{value[:room]:>{space}}" for value, space in zip(values, wide, strict=True)]
        lines.append(f"  {'' if name == 'bot' else name:<12}" + "  ".join(cells).rstrip())
    return "\n".join([*lines, *failures(summary)])


def failures(summary: Mapping[str, Any]) -> list[str]:
    """A line for each bot that failed, with what it raised first."""
    return [
        f"{bot['name']} failed in {bot['faults']} of {bot['decisions']} decisions, where a random action was taken: "
        f"{bot['fault']}"
        for bot in summary["bots"]
        if bot["faults"]
    ]


def title(summary: Mapping[str, Any]) -> str:
    """What was played."""
    match = summary["match"]
    seats = len(match["bots"])
    return f"{match['map']}, {seats} seats, {summary['games']} games, {summary.get('turns', 0)} turns each"


def markdown(summary: Mapping[str, Any]) -> str:
    """The table, with win rates by place in the order of play."""
    told = facts(summary)
    lines = [f"**{title(summary)}**", "", _row([name for name, _ in told]), _row(["---"] * len(told))]
    lines += [_row([values[n] for _, values in told]) for n in range(len(summary["bots"]))]
    lines.append("")
    for bot in summary["bots"]:
        places = [f"{100 * p[0]:.0f} % ({100 * p[1]:.0f}-{100 * p[2]:.0f})" for p in bot["by_place"] if p]
        lines.append(f"{bot['name']} by place in the order of play: {', '.join(places)}.")
    lines += failures(summary)
    return "\n".join(lines) + "\n"


def ladder_markdown(ratings: Mapping[str, float], table: Mapping[tuple[str, str], float]) -> str:
    """Ratings, and how often the row beat the column."""
    names = list(ratings)
    lines = [_row(["bot", "rating", *names]), _row(["---"] * (len(names) + 2))]
    for a in names:
        shares = [f"{100 * table[a, b]:.0f}" if (a, b) in table else "" for b in names]
        lines.append(_row([a, f"{ratings[a]:.0f}", *shares]))
    return "\n".join(lines) + "\n"


def chart(summary: Mapping[str, Any]) -> str:
    """Win rates with their intervals, as SVG."""
    bots = summary["bots"]
    width, step = 640, 34
    height = 60 + step * len(bots)
    par = 1 / len(summary["match"]["bots"])

    def x(share: float) -> float:
        return 160 + 440 * share

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" style="font:13px sans-serif">',
        f'<text x="12" y="22" font-weight="bold">{escape(title(summary))}</text>',
        f'<line x1="{x(par):.0f}" x2="{x(par):.0f}" y1="32" y2="{height - 14}" stroke="#999" stroke-dasharray="3"/>',
    ]
    for n, bot in enumerate(bots):
        y = 52 + n * step
        parts += [
            f'<text x="12" y="{y + 4}">{escape(bot["name"])}</text>',
            f'<rect x="160" y="{y - 9}" width="{440 * bot["win"]:.1f}" height="18" fill="#4a7ba6"/>',
            f'<line x1="{x(bot["low"]):.1f}" x2="{x(bot["high"]):.1f}" y1="{y}" y2="{y}" stroke="#111"/>',
            f'<text x="{x(1) + 4:.0f}" y="{y + 4}" font-size="11">{100 * bot["win"]:.0f} %</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
