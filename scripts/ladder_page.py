"""Fills the tables of docs/ladder.md from the results in docs/ladder/."""

import json
import re
from pathlib import Path

from branchline.arena.match import Match
from branchline.arena.stats import summary

PAGE = Path("docs/ladder.md")
HEADS = {
    "REGULAR": "| map | against | games | win | 95 % | points | turns each |",
    "FOUR": "| with | games | win | 95 % | points |",
    "NOVICE": "| map | against | games | win | 95 % | tickets completed |",
    "EXPERT": "| map | match | games | win | 95 % | points | ms a decision (wall) |",
}


def results() -> list[dict]:  # type: ignore[type-arg]
    out = []
    for path in sorted(Path("docs/ladder").glob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]
        head = {key: value for key, value in lines[0].items() if key != "format"}
        out.append(summary(Match.from_dict(head), lines[1:]))
    return [result for result in out if result["bots"]]


def share(bot: dict) -> str:  # type: ignore[type-arg]
    return f"{100 * bot['win']:.1f} % | {100 * bot['low']:.1f}-{100 * bot['high']:.1f}"


def tables() -> dict[str, list[str]]:
    rows: dict[str, list[str]] = {name: [] for name in HEADS}
    for result in results():
        one, other = result["bots"][0], result["bots"][-1]
        map, games = result["match"]["map"], result["games"]
        points = f"{one['points']:.1f}" if one is other else f"{one['points']:.1f} to {other['points']:.1f}"
        if one["name"].startswith("expert"):
            names = " v ".join(bot["name"] for bot in result["bots"])
            if one is other:  # a table of nothing but experts: its points are the figure
                names, won = f"{len(result['match']['bots'])} experts", "- | -"
            else:
                won = share(one)
            if result["match"]["nodes"]:
                names += f", {result['match']['nodes']} nodes"
            rows["EXPERT"].append(f"| {map} | {names} | {games} | {won} | {points} | {one['ms']:.0f} |")
        elif len(result["match"]["bots"]) == 4:
            names = ", ".join(bot["name"] for bot in result["bots"][1:])
            rows["FOUR"].append(f"| {names} | {games} | {share(one)} | {one['points']:.1f} |")
        elif "novice" in (one["name"], other["name"]):
            novice = one if one["name"] == "novice" else other
            done = f"{novice['completed']:.1f} of {novice['tickets']:.1f}"
            rows["NOVICE"].append(f"| {map} | {one['name']} v {other['name']} | {games} | {share(one)} | {done} |")
        else:
            turns = result["turns"]
            rows["REGULAR"].append(f"| {map} | {other['name']} | {games} | {share(one)} | {points} | {turns:.1f} |")
    return rows


def ladders() -> str:
    """The tables of all ladders, as the arena wrote them."""
    parts = []
    for path in sorted(Path("docs/ladder").glob("*/ladder-*.md")):
        match = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["matches"][0]["match"]
        seats = len(match["bots"])
        head = f"{match['map']}, {seats} seats, {match['games']} games a pair, {match['nodes']} nodes:"
        parts += [head, "", path.read_text(encoding="utf-8")]
    return "\n".join(["<!-- LADDERS -->", "", *parts, "<!-- /LADDERS -->"])


def main() -> None:
    text = PAGE.read_text(encoding="utf-8")
    text = re.sub(r"<!-- LADDERS -->.*<!-- /LADDERS -->", lambda _: ladders(), text, flags=re.DOTALL)
    for name, rows in tables().items():
        rule = "|---" * (HEADS[name].count("|") - 1) + "|"
        table = "\n".join([f"<!-- {name} -->", "", HEADS[name], rule, *rows, "", f"<!-- /{name} -->"])
        text = text.replace(f"@@{name}@@", table)
        text = re.sub(rf"<!-- {name} -->.*?<!-- /{name} -->", table.replace("\\", ""), text, flags=re.DOTALL)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
