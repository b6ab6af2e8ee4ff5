"""`branchline bench`: how fast the engine, the server or the bots are here."""

import json
import platform
import sys
from argparse import Namespace
from statistics import median
from typing import Any

from rich.console import Console
from rich.progress import Progress

from branchline.built import compiled
from branchline.cli import bench_bots, bench_server
from branchline.cli.measures import Course, import_milliseconds
from branchline.cli.parser import Parser, positive
from branchline.cli.yardsticks import yardsticks
from branchline.maps import BUNDLED, load_map
from branchline.version import __version__

GAMES = 200
"""Games for each number of seats where no number is given."""
HEADLINES = (
    "playouts_per_second",
    "step_microseconds",
    "copy_nanoseconds",
    "view_microseconds",
    "world_microseconds",
)
"""Europe's figures that also stand at the top of the JSON report."""


def parser() -> Parser:
    """What `branchline bench` takes."""
    parser = Parser(
        "branchline bench",
        "Measure the engine on one core: full rules with the final count, equal numbers of games for each number of\n"
        "seats, the median and the best of some runs. docs/performance.md says what each figure means.",
        "branchline bench engine",
        "branchline bench engine --json",
        "branchline bench server --tables 200 --seconds 20",
        "branchline bench bots",
        "branchline bench env",
    )
    parser.add_argument(
        "what", choices=["engine", "env", "server", "bots"], metavar="WHAT", help="engine, env, server or bots"
    )
    parser.add_argument("--repeats", type=positive, default=5, metavar="N", help="runs of each measure (5 if left out)")
    parser.add_argument(
        "--games", type=positive, metavar="N", help="games for each number of seats (200 if left out; 5 for bots)"
    )
    bench_server.add_arguments(parser)
    parser.add_json()
    return parser


def run(args: Namespace) -> int:
    """Measure, and print."""
    if args.what == "server":
        return bench_server.run(args)
    if args.what == "bots":
        return bench_bots.run(args)
    if args.what == "env":
        from branchline.cli import bench_env  # late: it needs NumPy

        return bench_env.run(args)
    report = measure(args.repeats, args.games or GAMES)
    if args.json:
        print(json.dumps(report, indent=2))
    else:
        _print(report)
    return 0


def measure(repeats: int, games: int) -> dict[str, Any]:
    """All figures."""
    courses = {map: Course(load_map(map), games).measures() for map in BUNDLED}
    others = yardsticks(min(1.0, games / 100))
    runs: dict[str, dict[str, list[float]]] = {map: {name: [] for name in names} for map, names in courses.items()}
    beside: dict[str, list[dict[str, float]]] = {name: [] for name in others}
    steps = repeats * (sum(len(measures) for measures in courses.values()) + len(others)) + 1
    bar = Progress(console=Console(file=sys.stderr), disable=not sys.stderr.isatty(), transient=True)
    with bar:
        task = bar.add_task("", total=steps)
        # Round by round, so that a noisy minute spoils one run of each figure and not all runs of one.
        for _ in range(repeats):
            for map, measures in courses.items():
                for name, figure in measures.items():
                    bar.update(task, description=f"{map} {name}")
                    runs[map][name].append(figure())
                    bar.advance(task)
            for name, other in others.items():
                bar.update(task, description=name)
                beside[name].append(other())
                bar.advance(task)
        bar.update(task, description="import")
        importing = import_milliseconds()
    maps = {map: {name: median(values) for name, values in names.items()} for map, names in runs.items()}
    best = {map: {name: _best(name, values) for name, values in names.items()} for map, names in runs.items()}
    return {
        "branchline": __version__,
        "compiled": compiled(),
        "python": platform.python_version(),
        "machine": platform.platform(),
        "clock": "CPU time of one core",
        "repeats": repeats,
        "games": games,
        **{name: maps["europe"][name] for name in HEADLINES},
        "import_milliseconds": importing,
        "maps": maps,
        "best": best,
        "yardsticks": {
            name: {figure: median(run[figure] for run in runs) for figure in runs[0]} for name, runs in beside.items()
        },
    }


def _print(report: dict[str, Any]) -> None:
    how = "compiled" if report["compiled"] else "UNCOMPILED: these are not the figures of the compiled engine"
    print(f"Branchline {report['branchline']}, {how}; Python {report['python']}, {report['machine']}")
    print(f"Medians of {report['repeats']} runs in {report['clock']}, {report['games']} games for each number of seats")
    maps, best = report["maps"], report["best"]
    print("\n" + "".ljust(34) + "".join(f"{map:>14}{'best':>10}" for map in maps))
    for name in next(iter(maps.values())):
        figures = [f"{_figure(maps[map][name]):>14}{_figure(best[map][name]):>10}" for map in maps]
        print(name.replace("_", " ").ljust(34) + "".join(figures))
    print(f"\n{'import milliseconds':<34}{_figure(report['import_milliseconds']):>14}")
    if not report["yardsticks"]:
        print("\nNo yardstick is installed: pip install 'branchline[yardsticks]'")
    for name, figures in report["yardsticks"].items():
        print(f"{name:<34}" + ", ".join(f"{_figure(figures[f])} {f.replace('_', ' ')}" for f in figures))


def _best(name: str, values: list[float]) -> float:
    """The run that others disturbed least."""
    return max(values) if name.endswith("per_second") else min(values)


def _figure(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.2f}"
