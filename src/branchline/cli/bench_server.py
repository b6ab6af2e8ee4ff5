"""`branchline bench server`: how many actions a second, and how long until everybody sees them."""

import json
from argparse import Namespace
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress, TaskID

from branchline.cli.parser import Parser, positive

if TYPE_CHECKING:
    from branchline.server.bench import Measured


def add_arguments(parser: Parser) -> None:
    """The flags of `branchline bench server`."""
    group = parser.add_argument_group("for the server")
    group.add_argument("--tables", type=positive, default=200, metavar="N", help="live tables (200 if left out)")
    group.add_argument("--people", type=positive, default=2, metavar="N", help="people at each (2 if left out)")
    group.add_argument("--map", default="europe", metavar="MAP", help="the map (europe if left out)")
    group.add_argument("--seconds", type=positive, default=20, metavar="N", help="of each run (20 if left out)")
    group.add_argument("--rate", type=positive, metavar="N", help="actions a second; else the most, then half of that")
    group.add_argument("--clients", type=positive, default=1, metavar="N", help="client processes (1 if left out)")


def run(args: Namespace) -> int:
    """Measure and tell."""
    results = [_one(args, args.rate or 0.0)]
    if args.rate is None:
        results.append(_one(args, max(1.0, results[0].actions_per_second / 2)))
    if args.json:
        print(json.dumps([result.to_dict() for result in results], indent=2))
    else:
        for result in results:
            _tell(result)
    return 0


def _one(args: Namespace, rate: float) -> "Measured":
    from branchline.server.bench import Load, measure  # late: the engine's bench need not wait for it

    load = Load(args.tables, args.people, args.map, float(args.seconds), rate, args.clients)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def progress(what: str, part: float) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=1.0)
            bar.update(tasks[what], completed=part)

        return measure(load, progress)


def _tell(result: "Measured") -> None:
    load = result.load
    speed = "as fast as they go" if not load.rate else f"at {load.rate:.0f} actions/s"
    print(f"{load.tables} tables of {load.seats} on {load.map}, {load.seconds:.0f} s, {speed}:")
    print(f"  {result.actions_per_second:.0f} actions/s")
    print(f"  everybody's view after {result.p50_ms} ms (p50), {result.p99_ms} ms (p99)")
    print(f"  the server kept {result.server_cpu} cores busy; {result.table_kb} kB for a table without sockets")
