"""`branchline arena`: bots against bots on the same deals."""

import argparse
import itertools
import json
import os
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from branchline.arena.match import Match, result_of_row, short
from branchline.arena.report import chart, ladder_markdown, markdown, table
from branchline.arena.run import run as play
from branchline.arena.stats import meetings, ratings, shares, summary
from branchline.bots.registry import added, load, names
from branchline.cli.named_bots import check_policies
from branchline.cli.parser import Parser, Trouble, map_for, natural, positive, processes
from branchline.cli.plain import plain
from branchline.data import NoArrow, NotThisSeries, write_games
from branchline.data.games import Games
from branchline.maps import Map
from branchline.simulate import Series
from branchline.spread import NoCluster, WorkerDied

POLICIED = ("learned", "expert")
"""Bots whose weights BRANCHLINE_POLICY may name."""
GLANCE = 20
"""A result on its way is told again when so many times what that takes has gone by."""


def parser() -> Parser:
    """What `branchline arena` takes."""
    parser = Parser(
        "branchline arena",
        "Let bots play each other: the same deals replayed with the seats moved on. Ctrl-C prints what there is.",
        "branchline arena europe regular hungry --seats 2 --games 400",
        "branchline arena europe random --bot my_bot.py:MyBot --seats 2",
        "branchline arena new-york regular path hungry --ladder",
        "branchline arena new-york regular novice --games 20 --records games",
        notes=f"bots: {', '.join(names())}, or file.py:Class",
    )
    parser.add_map()
    parser.add_argument("bots", nargs="*", metavar="BOT", help="who plays; the last one fills the seats that are left")
    parser.add_argument("--bot", action="append", default=[], help="one more bot, first in line")
    parser.add_argument("--seats", type=positive, metavar="N", help="seats at the table (as many as bots if left out)")
    parser.add_argument("--games", type=positive, default=200, metavar="N", help="games, up to whole deals (200)")
    parser.add_argument("--seed", type=natural, default=1, metavar="N", help="which deals (1)")
    parser.add_argument("--nodes", metavar="N", help="budget of a decision: N, or one for each bot: 800,200")
    parser.add_argument("--seconds", type=float, metavar="S", help="the same in seconds: then the machine matters")
    parser.add_argument("--cores", type=processes, default=1, metavar="N", help="processes each bot may think in (1)")
    parser.add_argument("--ladder", action="store_true", help="every bot against every other, with ratings")
    parser.add_argument("--workers", type=processes, metavar="N", help="processes (one for each core if left out)")
    parser.add_argument("--ray", metavar="ADDRESS", help="play on this Ray cluster (auto finds one here)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the results there; a rerun goes on")
    parser.add_argument(
        "--records", type=Path, metavar="DIR", help="keep every game there, for branchline replay (other deals then)"
    )
    parser.add_argument("--parquet", type=Path, metavar="FOLDER", help="write a row a game, for branchline plot")
    parser.add_argument("--report", action="store_true", help="with --out: also write tables and charts there")
    parser.add_json()
    return parser


def run(options: argparse.Namespace) -> int:
    """Play, and return 0 if all games were played, 1 if a bot failed, 130 after Ctrl-C."""
    try:
        return _run(options)
    except OSError as error:
        raise Trouble(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from None


def _run(options: argparse.Namespace) -> int:
    bots = [*options.bot, *options.bots]
    try:
        loaded = [load(bot) for bot in bots]
    except ValueError as error:
        raise Trouble(str(error)) from error
    map = map_for(options.map, _seats(bots, options))
    try:
        matches = line_ups(bots, options)
    except ValueError as error:
        raise Trouble(str(error)) from error
    check_policies(loaded, map, matches[0].seats)  # a bot without its weights would play at random
    if options.report and options.out is None:
        raise Trouble("--report: name the folder for its tables and charts with --out")
    if options.parquet is not None and len(matches) > 1:
        raise Trouble("--parquet: holds the games of one match, not of a ladder")
    if options.ray is not None and (options.records is not None or any(_is_yours(bot) for bot in bots)):
        raise Trouble("--ray: a cluster's nodes have neither your files nor a folder of yours")
    if options.parquet is not None:
        _check_parquet(map, matches[0], options.parquet)
    _make_folders(options.out, options.records, options.parquet)
    console = Console(stderr=options.json)
    results, whole = [], True
    for match in matches:
        rows, whole = _show_run(match, options, console)
        results.append((match, rows))
        if options.report:
            _write(match, rows, options.out)
        if options.parquet is not None:
            _write_parquet(map, match, rows, options.parquet)
        if not options.json and rows:
            print(*(plain(line) for line in table(summary(match, rows)).split("\n")), sep="\n")
        if not whole:
            console.print(
                "stopped: the result so far"
                + (f"; the same command goes on from {options.out}" if options.out else ""),
                markup=False,
            )
            break
    _finish(results, options, console)
    failed = any(player["faults"] for _, rows in results for row in rows for player in row["players"])
    return 130 if not whole else 1 if failed else 0


def _is_yours(bot: str) -> bool:
    """Whether a bot is made of what a file or the environment here says."""
    return ":" in bot or bot in added() or (bot in POLICIED and "BRANCHLINE_POLICY" in os.environ)


def _make_folders(*folders: Path | None) -> None:
    for folder in folders:
        try:
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Trouble(f"{folder}: {error.strerror}") from None


def _check_parquet(map: Map, match: Match, path: Path) -> None:
    """Say that Parquet can't be written there before the games are played."""
    try:
        there = Games(path, Series(map, match.seats, match.seed, tuple(sorted(set(match.bots)))), match.to_dict())
    except (NoArrow, NotThisSeries) as error:
        raise Trouble(f"--parquet: {error}") from None
    if there.games > match.whole:
        raise Trouble(f"--parquet: {path} holds {there.games:,} games of this match already; name another folder")


def _write_parquet(map: Map, match: Match, rows: list[dict[str, Any]], path: Path) -> None:
    try:
        results = [result_of_row(match, row) for row in rows if "owners" in row]
        write_games(path, map, match.seed, results, match=match.to_dict())
    except NotThisSeries as error:
        raise Trouble(f"--parquet: {error}") from None
    except OSError as error:
        raise Trouble(f"--parquet: {path}: {error.strerror}") from None


def line_ups(bots: list[str], options: argparse.Namespace) -> list[Match]:
    """The matches to play: one, or for a ladder one for every two bots."""
    if not bots:
        raise ValueError("name at least one bot")
    budgets: tuple[int | None, ...] = ()
    nodes = None
    given = [_nodes(text) for text in (options.nodes or "").split(",") if options.nodes]
    if len(given) > 1:
        budgets = tuple(given)
        if len(budgets) != len(bots):
            raise ValueError("--nodes: one number, or one for each bot")
    elif given:
        nodes = given[0]
    if given and options.seconds is not None:
        raise ValueError("--seconds: a budget is in --nodes or in seconds, not in both")
    if options.seconds is not None and not 0 < options.seconds <= 3600:
        raise ValueError(f"--seconds: more than 0 and at most 3600, not {options.seconds:g}")
    if options.ladder and len(bots) < 2:
        raise ValueError("--ladder: takes two bots or more")
    seats = _seats(bots, options)
    tables = list(itertools.combinations(range(len(bots)), 2)) if options.ladder else [tuple(range(len(bots)))]
    out = []
    for places_of in tables:
        if len(places_of) > seats:
            raise ValueError(f"{len(places_of)} bots for {seats} seats")
        # With more seats than bots the last one fills up; on a ladder the two take turns.
        more = seats - len(places_of)
        places = [places_of[i % 2] for i in range(seats)] if options.ladder else [*places_of, *[places_of[-1]] * more]
        out.append(
            Match(
                options.map, tuple(bots[i] for i in places), options.games, options.seed, nodes, options.seconds,
                tuple(budgets[i] for i in places) if budgets else (), options.cores, options.records is not None,
            )
        )  # fmt: skip
    return out


def _seats(bots: list[str], options: argparse.Namespace) -> int:
    return options.seats or max(len(bots), 2)


def _nodes(text: str) -> int:
    try:
        return positive(text)
    except argparse.ArgumentTypeError as error:
        raise ValueError(f"--nodes: {error}") from None


def _show_run(match: Match, options: argparse.Namespace, console: Console) -> tuple[list[dict[str, Any]], bool]:
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    path = options.out / f"{match.slug}.jsonl" if options.out else None
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(" v ".join(dict.fromkeys(match.bots)), total=match.whole)

        again = 0.0

        def seen(rows: list[dict[str, Any]]) -> None:
            nonlocal again
            if rows and console.is_terminal and (began := perf_counter()) > again:
                bot = summary(match, rows)["bots"][0]
                text = f"{bot['name']} {100 * bot['win']:.1f} % ({100 * bot['low']:.0f}-{100 * bot['high']:.0f})"
                progress.update(task, description=text)
                again = began + GLANCE * (perf_counter() - began)
            progress.update(task, completed=len(rows))

        try:
            return play(match, path, options.workers, seen, records=options.records, ray=options.ray)
        except (NoCluster, WorkerDied, ValueError) as error:  # a checkpoint of another match, or of other code
            raise Trouble(str(error)) from None


def _write(match: Match, rows: list[dict[str, Any]], folder: Path) -> None:
    if not rows:
        return
    result = summary(match, rows)
    base = folder / match.slug
    base.with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    base.with_suffix(".md").write_text(markdown(result), encoding="utf-8")
    base.with_suffix(".svg").write_text(chart(result), encoding="utf-8")


def _finish(results: list[tuple[Match, list[dict[str, Any]]]], options: argparse.Namespace, console: Console) -> None:
    data: dict[str, Any] = {"matches": [summary(match, rows) for match, rows in results]}
    if options.ladder:
        met = [meeting for match, rows in results for meeting in meetings(match, rows)]
        rated = ratings(met)
        data["ratings"] = rated
        text = ladder_markdown(rated, shares(met))
        if options.report:
            bots = "-".join(dict.fromkeys(bot for match, _ in results for bot in match.bots))
            name = short(f"ladder-{Path(options.map).stem}-{results[0][0].seats}-{bots}")
            (options.out / f"{name}.md").write_text(text, encoding="utf-8")
            (options.out / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        if not options.json:
            console.print(text, markup=False)
    if options.json:
        print(json.dumps(data, indent=1))
