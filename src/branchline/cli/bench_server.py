"""`branchline bench server`: how many actions a second, and how long until everybody sees them."""

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress, TaskID

from branchline.cli.parser import Parser, Trouble, natural, positive

if TYPE_CHECKING:
    from branchline.server.bench import Measured


def add_arguments(parser: Parser) -> None:
    """The flags of `branchline bench server`."""
    group = parser.add_argument_group("for the server")
    group.add_argument("--tables", type=positive, default=200, metavar="N", help="live tables (200 if left out)")
    group.add_argument("--people", type=positive, default=2, metavar="N", help="people at each (2 if left out)")
    group.add_argument("--map", default="europe", metavar="MAP", help="the map (europe if left out)")
    group.add_argument("--seconds", type=positive, default=20, metavar="N", help="of each run (20 if left out)")
    group.add_argument(
        "--rate",
        type=positive,
        metavar="N",
        help="actions a second, with --servers for each of them; else the most, then half of that",
    )
    group.add_argument("--clients", type=positive, default=1, metavar="N", help="client processes (1 if left out)")
    group.add_argument("--quiet", type=natural, default=0, metavar="N", help="further tables where nobody plays")
    group.add_argument(
        "--servers",
        type=_counts,
        metavar="N,N",
        help="so many servers, one count after the other, beside one on SQLite",
    )
    group.add_argument(
        "--together",
        action="store_true",
        help="with --servers: the people of a table at one server, as a load balancer by the table's id sends them; "
        "else each at another",
    )
    group.add_argument("--database", metavar="URL", help="their PostgreSQL, whose database is left full of tables")
    group.add_argument("--bus", metavar="URL", help="their Redis")
    group.add_argument(
        "--under-attack",
        action="store_true",
        help="the same tables quiet and while one address floods the server (at most 10 tables)",
    )


def run(args: Namespace) -> int:
    """Measure and tell."""
    if args.under_attack:
        return _under_attack(args)
    if args.servers:
        return _several(args)
    if args.together:
        raise Trouble("--together is for several servers: --servers 1,2,4")
    results = [_one(args, args.rate or 0.0)]
    if args.rate is None:
        results.append(_one(args, max(1.0, results[0].actions_per_second / 2)))
    if args.json:
        print(json.dumps([result.to_dict() for result in results], indent=2))
    else:
        for result in results:
            _print(result)
    return 0


def _under_attack(args: Namespace) -> int:
    from branchline.server import bench_attack
    from branchline.server.bench import Load

    tables = min(args.tables, 10)
    load = Load(tables, args.people, args.map, float(args.seconds), args.rate or 2.0 * tables)
    with _bar() as progress:
        found = bench_attack.measure(load, progress)
    if args.json:
        print(json.dumps(bench_attack.to_dict(found), indent=2))
        return 0
    speed = f"{load.rate:.0f} actions/s for {load.seconds:.0f} s"
    print(f"{load.tables} tables of {load.seats}, {speed}, while one address floods the server with:")
    print(f"{'':12}{'actions/s':>10}{'p50 ms':>10}{'p99 ms':>10}{'server cores':>14}")
    for name, result in found.items():
        figures = f"{result.actions_per_second:>10}{result.p50_ms:>10}{result.p99_ms:>10}{result.server_cpu:>14}"
        print(f"{name:12}{figures}")
    return 0


def _counts(text: str) -> list[int]:
    return [positive(part) for part in text.split(",")]


def _several(args: Namespace) -> int:
    from branchline.server import bench_cluster
    from branchline.server.bench import Load

    if not args.database or not args.bus:
        raise Trouble("--servers needs --database postgresql://… and --bus redis://…")
    load = Load(
        args.tables,
        args.people,
        args.map,
        float(args.seconds),
        args.rate or 0.0,
        args.clients,
        args.quiet,
        args.together,
    )
    with _bar() as progress:
        found = bench_cluster.measure(load, args.servers, args.database, args.bus, progress)
    if args.json:
        print(json.dumps([compared.to_dict() for compared in found], indent=2))
        return 0
    quiet = f" and {load.quiet} quiet ones" if load.quiet else ""
    where = "each table at one server" if load.together else "each seat at another server"
    print(f"{load.tables} tables of {load.seats}{quiet} on {load.map}, {load.seconds:.0f} s, {where},")
    speed = f"{load.rate:.0f} actions/s for each server" if load.rate else "as fast as they go, then at half of that"
    print(f"{speed}; processor time in ms for one action:")
    heads = ("actions/s", "servers", *(() if load.rate else ("at half",)), "p50 ms", "p99 ms", "PostgreSQL", "Redis")
    print(f"{'':12}" + "".join(f"{head:>11}" for head in heads))
    for one in found:
        half = one.half
        first = (half,) if one.fast is None else (one.fast, half)
        figures = (first[0].actions_per_second, *(run.server_ms for run in first), half.p50_ms, half.p99_ms)
        services = ("-" if each is None else each for each in (one.postgres_ms, one.redis_ms))
        print(f"{one.name:12}" + "".join(f"{figure:>11}" for figure in (*figures, *services)))
    return 0


@contextmanager
def _bar() -> Iterator[Callable[[str, float], None]]:
    with Progress(console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def progress(what: str, part: float) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=1.0)
            bar.update(tasks[what], completed=part)

        yield progress


def _one(args: Namespace, rate: float) -> "Measured":
    from branchline.server.bench import Load, measure  # late: the engine's bench need not wait for it

    load = Load(args.tables, args.people, args.map, float(args.seconds), rate, args.clients)
    with _bar() as progress:
        return measure(load, progress)


def _print(result: "Measured") -> None:
    load = result.load
    speed = "as fast as they go" if not load.rate else f"at {load.rate:.0f} actions/s"
    print(f"{load.tables} tables of {load.seats} on {load.map}, {load.seconds:.0f} s, {speed}:")
    print(f"  {result.actions_per_second:.0f} actions/s")
    print(f"  everybody's view after {result.p50_ms} ms (p50), {result.p99_ms} ms (p99)")
    print(f"  the server kept {result.server_cpu} cores busy; {result.table_kb} kB for a table without sockets")
