"""`branchline arena`: bots against bots on the same deals."""

import argparse
import itertools
import json
import re
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from branchline.arena.match import Match
from branchline.arena.report import COLUMNS, cells, chart, ladder_markdown, markdown, title
from branchline.arena.run import run as play
from branchline.arena.stats import meetings, ratings, summary
from branchline.bots.registry import load, names
from branchline.cli.parser import Parser, Trouble, positive


def parser() -> Parser:
    """What `branchline arena` takes."""
    parser = Parser(
        "branchline arena",
        "Let bots play each other: the same deals replayed with the seats moved on. Ctrl-C prints what there is.",
        "branchline arena europe regular hungry --seats 2 --games 400",
        "branchline arena europe random --bot my_bot.py:MyBot --seats 2",
        "branchline arena new-york regular path hungry --ladder",
        notes=f"bots: {', '.join(names())}, or file.py:Class",
    )
    parser.add_map()
    parser.add_argument("bots", nargs="*", metavar="BOT", help="who plays; the last one fills the seats that are left")
    parser.add_argument("--bot", action="append", default=[], help="one more bot, first in line")
    parser.add_argument("--seats", type=positive, metavar="N", help="seats at the table (as many as bots if left out)")
    parser.add_argument("--games", type=positive, default=200, metavar="N", help="games, up to whole deals (200)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which deals (1)")
    parser.add_argument("--nodes", metavar="N", help="budget of a decision: N, or one for each bot: 800,200")
    parser.add_argument("--seconds", type=float, metavar="S", help="the same in seconds: then the machine matters")
    parser.add_argument("--ladder", action="store_true", help="every bot against every other, with ratings")
    parser.add_argument("--workers", type=positive, metavar="N", help="processes (one for each core if left out)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="checkpoints and reports; a rerun goes on there")
    parser.add_json()
    return parser


def run(options: argparse.Namespace) -> int:
    """Play, and return 0 if all games were played, 130 after Ctrl-C."""
    bots = [*options.bot, *options.bots]
    try:
        for bot in bots:
            load(bot)
        matches = line_ups(bots, options)
    except ValueError as error:
        raise Trouble(str(error)) from error
    console = Console(stderr=options.json)
    results, whole = [], True
    for match in matches:
        rows, whole = _show_run(match, options, console)
        results.append((match, rows))
        _write(match, rows, options.out)
        if not options.json and rows:
            _show_table(summary(match, rows), console)
        if not whole:
            console.print(
                "stopped: the result so far" + (f"; the same command goes on from {options.out}" if options.out else "")
            )
            break
    _finish(results, options, console)
    return 0 if whole else 130


def line_ups(bots: list[str], options: argparse.Namespace) -> list[Match]:
    """The matches to play: one, or for a ladder one for every two bots."""
    if not bots:
        raise ValueError("name at least one bot")
    budgets: tuple[int | None, ...] = ()
    nodes = None
    if options.nodes and "," in options.nodes:
        budgets = tuple(int(n) for n in options.nodes.split(","))
        if len(budgets) != len(bots):
            raise ValueError("--nodes: one number, or one for each bot")
    elif options.nodes:
        nodes = int(options.nodes)
    seats = options.seats or max(len(bots), 2)
    tables = list(itertools.combinations(range(len(bots)), 2)) if options.ladder else [tuple(range(len(bots)))]
    out = []
    for table in tables:
        if len(table) > seats:
            raise ValueError(f"{len(table)} bots for {seats} seats")
        # With more seats than bots the last one fills up; on a ladder the two take turns.
        more = seats - len(table)
        places = [table[i % 2] for i in range(seats)] if options.ladder else [*table, *[table[-1]] * more]
        out.append(
            Match(
                options.map, tuple(bots[i] for i in places), options.games, options.seed, nodes, options.seconds,
                tuple(budgets[i] for i in places) if budgets else (),
            )
        )  # fmt: skip
    return out


def slug(match: Match) -> str:
    """A file name for a match."""
    tag = "-".join(dict.fromkeys(match.bots))
    if match.budgets:
        tag += "-" + "-".join(str(n) for n in dict.fromkeys(match.budgets))
    elif match.nodes:
        tag += f"-{match.nodes}"
    return re.sub(r"[^a-zA-Z0-9-]+", "_", f"{Path(match.map).stem}-{match.seats}-{tag}-s{match.seed}")


def _show_run(match: Match, options: argparse.Namespace, console: Console) -> tuple[list[dict[str, Any]], bool]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    path = options.out / f"{slug(match)}.jsonl" if options.out else None
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(" v ".join(dict.fromkeys(match.bots)), total=match.deals * match.seats)

        def seen(rows: list[dict[str, Any]]) -> None:
            if rows and (len(rows) % 10 == 0 or len(rows) == match.deals * match.seats):
                bot = summary(match, rows)["bots"][0]
                text = f"{bot['name']} {100 * bot['win']:.1f} % ({100 * bot['low']:.0f}-{100 * bot['high']:.0f})"
                progress.update(task, description=text)
            progress.update(task, completed=len(rows))

        return play(match, path, options.workers, seen)


def _show_table(result: dict[str, Any], console: Console) -> None:
    table = Table(title=title(result), title_justify="left")
    for column in COLUMNS:
        table.add_column(column, justify="left" if column == "bot" else "right")
    for row in cells(result):
        table.add_row(*row)
    console.print(table)


def _write(match: Match, rows: list[dict[str, Any]], folder: Path | None) -> None:
    if folder is None or not rows:
        return
    result = summary(match, rows)
    base = folder / slug(match)
    base.with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    base.with_suffix(".md").write_text(markdown(result), encoding="utf-8")
    base.with_suffix(".svg").write_text(chart(result), encoding="utf-8")


def _finish(results: list[tuple[Match, list[dict[str, Any]]]], options: argparse.Namespace, console: Console) -> None:
    data: dict[str, Any] = {"matches": [summary(match, rows) for match, rows in results]}
    if options.ladder:
        met = [meeting for match, rows in results for meeting in meetings(match, rows)]
        rated = ratings(met)
        shares: dict[tuple[str, str], list[float]] = {}
        for a, b, share in met:
            shares.setdefault((a, b), []).append(share)
            shares.setdefault((b, a), []).append(1 - share)
        table = {pair: sum(values) / len(values) for pair, values in shares.items()}
        data["ratings"] = rated
        text = ladder_markdown(rated, table)
        if options.out:
            name = f"ladder-{Path(options.map).stem}-{options.seats or 2}"
            (options.out / f"{name}.md").write_text(text, encoding="utf-8")
            (options.out / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        if not options.json:
            console.print(text, markup=False)
    if options.json:
        print(json.dumps(data, indent=1))
