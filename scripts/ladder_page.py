"""Fills the tables of docs/ladder.md from the games in docs/ladder/.

A ladder's legs are first packed into one file: `python -m scripts.ladder_page FOLDER`, where FOLDER is what
`branchline arena --ladder --out FOLDER` was given; its name is the file's.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from branchline.arena.legs import read_leg, write_leg
from branchline.arena.match import Match
from branchline.arena.report import ladder_markdown
from branchline.arena.stats import distinct, meetings, ratings, shares, summary

PAGE = Path("docs/ladder.md")
GAMES = Path("docs/ladder")
LADDER = "-ladder.jsonl.gz"
HEADS = {
    "REGULAR": "| map | against | games | win | 95 % | points | turns each | seed |",
    "FOUR": "| with | games | win | 95 % | points |",
    "NOVICE": "| map | against | games | win | 95 % | tickets completed |",
    "AMATEUR": "| map | match | games | win | 95 % | points |",
    "ADVANCED": "| map | match | games | win | 95 % | points | seed |",
    "EXPERT": "| map | seats | match | games | win | 95 % | points | ms a decision | seed |",
    "LEARNED": "| map | seats | against | games | win | 95 % | points | ms a decision | seed |",
}

Result = dict[str, Any]


def legs(ladders: bool) -> Iterator[list[tuple[Match, list[Result]]]]:
    for path in sorted(GAMES.glob("*.jsonl.gz")):
        if path.name.endswith(LADDER) == ladders:
            yield read_leg(path)


def pack(folder: Path) -> None:
    """Put the legs of a ladder into one file."""
    found = sorted(folder.glob("*.jsonl.gz"))
    if not found:
        raise SystemExit(f"{folder}: no whole legs of a ladder there")
    write_leg(GAMES / f"{folder.name}{LADDER}", [match for path in found for match in read_leg(path)])


def share(bot: Result) -> str:
    return f"{100 * bot['win']:.1f} % | {100 * bot['low']:.1f}-{100 * bot['high']:.1f}"


def tables() -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {name: [] for name in HEADS}
    for ((match, games),) in legs(ladders=False):
        if games:
            name, row = cells(match, summary(match, games))
            rows[name].append(row)
    return rows


def cells(match: Match, result: Result) -> tuple[str, str]:
    """Which table a match belongs to, and its row there."""
    one, other = result["bots"][0], result["bots"][-1]
    games, seed = result["games"], match.seed
    points = f"{one['points']:.1f}" if one is other else f"{one['points']:.1f} to {other['points']:.1f}"
    if "advanced" in (one["name"], other["name"]):
        names = f"{one['name']} v {other['name']}" + (f", {match.nodes} nodes" if match.nodes else "")
        return "ADVANCED", f"| {match.map} | {names} | {games} | {share(one)} | {points} | {seed} |"
    if one["name"] == "learned":
        rival = other["name"] + (f", {match.nodes} nodes" if match.nodes else "")
        return (
            "LEARNED",
            f"| {match.map} | {match.seats} | {rival} | {games} | {share(one)} | {points} | {one['ms']:.2f} | {seed} |",
        )
    if one["name"].startswith("expert"):
        names, won = " v ".join(bot["name"] for bot in result["bots"]), share(one)
        if one is other:  # a table of nothing but experts: its points are the figure
            names, won = f"{match.seats} experts", "- | -"
        if match.nodes:
            names += f", {match.nodes} nodes"
        row = f"| {match.map} | {match.seats} | {names} | {games} | {won} | {points} | {one['ms']:.0f} | {seed} |"
        return "EXPERT", row
    if match.seats == 4:
        names = ", ".join(bot["name"] for bot in result["bots"][1:])
        return "FOUR", f"| {names} | {games} | {share(one)} | {one['points']:.1f} |"
    if "amateur" in (one["name"], other["name"]):
        return "AMATEUR", f"| {match.map} | {one['name']} v {other['name']} | {games} | {share(one)} | {points} |"
    if "novice" in (one["name"], other["name"]):
        novice = one if one["name"] == "novice" else other
        done = f"{novice['completed']:.1f} of {novice['tickets']:.1f}"
        return "NOVICE", f"| {match.map} | {one['name']} v {other['name']} | {games} | {share(one)} | {done} |"
    turns = result["turns"]
    return "REGULAR", f"| {match.map} | {other['name']} | {games} | {share(one)} | {points} | {turns:.1f} | {seed} |"


def ladders() -> str:
    """Ratings and shares of all ladders."""
    parts = []
    for leg in legs(ladders=True):
        match = leg[0][0]
        pair = sorted({len(distinct(match, rows)) for match, rows in leg})
        met = [meeting for match, rows in leg for meeting in meetings(match, rows)]
        played = f"{pair[0]}-{pair[-1]}" if len(pair) > 1 else str(pair[0])
        parts += [f"{match.map}, {match.seats} seats, {played} games a pair, {match.nodes} nodes:", ""]
        parts += [ladder_markdown(ratings(met), shares(met))]
    return "\n".join(["<!-- LADDERS -->", "", *parts, "<!-- /LADDERS -->"])


def filled(text: str) -> str:
    """The page with its tables made anew."""
    text = re.sub(r"<!-- LADDERS -->.*<!-- /LADDERS -->", lambda _: ladders(), text, flags=re.DOTALL)
    for name, rows in tables().items():
        rule = "|---" * (HEADS[name].count("|") - 1) + "|"
        table = "\n".join([f"<!-- {name} -->", "", HEADS[name], rule, *rows, "", f"<!-- /{name} -->"])
        text = re.sub(rf"<!-- {name} -->.*?<!-- /{name} -->", table.replace("\\", ""), text, flags=re.DOTALL)
    return text


def main() -> None:
    for folder in sys.argv[1:]:
        pack(Path(folder))
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
