"""`branchline bench server`: how many actions a second, and how long until everybody sees them."""

import argparse
import json
import sys

from rich.console import Console
from rich.progress import Progress

from branchline.server.bench import Load, Measured, measure


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of `branchline bench server`."""
    parser.add_argument("--tables", type=int, default=200, help="live tables at once [200]")
    parser.add_argument("--seats", type=int, default=2, help="people at each [2]")
    parser.add_argument("--map", default="europe", help="the map [europe]")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each measurement takes [20]")
    parser.add_argument(
        "--rate", type=float, help="actions a second; without, first as fast as they go, then half that"
    )
    parser.add_argument("--processes", type=int, default=1, help="client processes [1]")
    parser.add_argument("--json", action="store_true", help="print JSON")


def bench_server(arguments: argparse.Namespace) -> int:
    """Measure and tell; returns the exit code."""
    results = [_one(arguments, arguments.rate or 0.0)]
    if arguments.rate is None:
        results.append(_one(arguments, max(1.0, results[0].actions_per_second / 2)))
    if arguments.json:
        print(json.dumps([result.to_dict() for result in results], indent=2))
    else:
        for result in results:
            _tell(result)
    return 0


def _one(arguments: argparse.Namespace, rate: float) -> Measured:
    load = Load(arguments.tables, arguments.seats, arguments.map, arguments.seconds, rate, arguments.processes)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, object] = {}

        def progress(what: str, part: float) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=1.0)
            bar.update(tasks[what], completed=part)  # type: ignore[arg-type]

        return measure(load, progress)


def _tell(result: Measured) -> None:
    load = result.load
    speed = "as fast as they go" if not load.rate else f"at {load.rate:.0f} actions/s"
    print(f"{load.tables} tables of {load.seats} on {load.map}, {load.seconds:.0f} s, {speed}:")
    print(
        f"  {result.actions_per_second:.0f} actions/s; everybody's view after {result.p50_ms} ms (p50), {result.p99_ms} ms (p99)"
    )
    print(f"  the server kept {result.server_cpu} cores busy; {result.table_kb} kB for a table without sockets")


if __name__ == "__main__":
    _parser = argparse.ArgumentParser(prog="branchline bench server", description=__doc__)
    add_arguments(_parser)
    sys.exit(bench_server(_parser.parse_args()))
