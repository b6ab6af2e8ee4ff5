"""A match as a table for the terminal, as Markdown and as a chart."""

from collections.abc import Mapping, Sequence
from typing import Any

COLUMNS = ("bot", "win", "95 %", "points", "routes", "tickets", "trail", "stations", "done", "ms")


def cells(summary: Mapping[str, Any]) -> list[list[str]]:
    """The table's rows: one for each bot."""
    out = []
    for bot in summary["bots"]:
        parts = bot["parts"]
        tickets = f"{parts['done']:.1f}{parts['failed']:+.1f}"
        extra = parts["stations"] if not parts["attractions"] else parts["attractions"]
        out.append(
            [
                bot["name"] + (f" x{bot['seats']}" if bot["seats"] > 1 else ""),
                f"{100 * bot['win']:.1f} %",
                f"{100 * bot['low']:.1f}-{100 * bot['high']:.1f}",
                f"{bot['points']:.1f}",
                f"{parts['routes']:.1f}",
                tickets,
                f"{parts['trail']:.1f}",
                f"{extra:.1f}",
                f"{bot['completed']:.1f} of {bot['tickets']:.1f}",
                f"{bot['ms']:.2f}",
            ]
        )
    return out


def title(summary: Mapping[str, Any]) -> str:
    """What was played."""
    match = summary["match"]
    seats = len(match["bots"])
    return f"{match['map']}, {seats} seats, {summary['games']} games, {summary.get('turns', 0)} turns each"


def markdown(summary: Mapping[str, Any]) -> str:
    """The table, with win rates by place in the order of play."""
    lines = [f"**{title(summary)}**", "", _row(COLUMNS), _row(["---"] * len(COLUMNS))]
    lines += [_row(row) for row in cells(summary)]
    lines.append("")
    for bot in summary["bots"]:
        places = [f"{100 * p[0]:.0f} % ({100 * p[1]:.0f}-{100 * p[2]:.0f})" for p in bot["by_place"] if p]
        lines.append(f"{bot['name']} by place in the order of play: {', '.join(places)}.")
    faults = sum(bot["faults"] for bot in summary["bots"])
    if faults:
        lines.append(f"{faults} decisions failed and were replaced by a random one.")
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
        f'<text x="12" y="22" font-weight="bold">{title(summary)}</text>',
        f'<line x1="{x(par):.0f}" x2="{x(par):.0f}" y1="32" y2="{height - 14}" stroke="#999" stroke-dasharray="3"/>',
    ]
    for n, bot in enumerate(bots):
        y = 52 + n * step
        parts += [
            f'<text x="12" y="{y + 4}">{bot["name"]}</text>',
            f'<rect x="160" y="{y - 9}" width="{440 * bot["win"]:.1f}" height="18" fill="#4a7ba6"/>',
            f'<line x1="{x(bot["low"]):.1f}" x2="{x(bot["high"]):.1f}" y1="{y}" y2="{y}" stroke="#111"/>',
            f'<text x="{x(1) + 4:.0f}" y="{y + 4}" font-size="11">{100 * bot["win"]:.0f} %</text>',
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
