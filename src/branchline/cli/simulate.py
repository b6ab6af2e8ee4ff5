"""`branchline simulate`: many games between bots, summed up."""

import json
import secrets
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from branchline.cli.bots import bot_called, bot_names
from branchline.cli.parser import Parser, map_for, positive
from branchline.cli.tables import open_writer
from branchline.maps import Map
from branchline.simulate import PARTS, Summary, cores, simulate

MOST_CLAIMED = 10
PLACES = ("first", "second", "third", "fourth", "fifth")


def parser() -> Parser:
    """What `branchline simulate` takes."""
    parser = Parser(
        "branchline simulate",
        "Let bots play many games on all cores and sum them up. Ctrl-C stops and sums up what there is.",
        "branchline simulate europe --seats 4 --games 10000 --bot random",
        "branchline simulate new-york --seats 2 --games 1000 --seed 7 --out games.csv",
        notes="A .jsonl file has a game a line, a .csv or .parquet file a row for each seat of each game.",
    )
    parser.add_map()
    parser.add_seats(4)
    parser.add_argument("--games", type=positive, default=1000, metavar="N", help="how many games (1000 if left out)")
    parser.add_argument(
        "--bot",
        default="random",
        metavar="NAME",
        help=f"who sits in every seat: {bot_names()} (random if left out)",
    )
    parser.add_seed("the same seed plays the same games (any if left out)")
    parser.add_argument(
        "--workers", type=positive, default=cores(), metavar="N", help="processes (one for each core if left out)"
    )
    parser.add_argument("--out", metavar="FILE", help="write all games to a .jsonl, .csv or .parquet file")
    parser.add_json()
    return parser


def run(args: Namespace) -> int:
    """Simulate, and print the summary; after Ctrl-C that of the games that were finished."""
    map = map_for(args.map, args.seats)
    bot = bot_called(args.bot)
    seed = secrets.randbelow(1 << 32) if args.seed is None else args.seed
    summary = Summary(map, args.seats)
    results = simulate(map, args.seats, args.games, seed, bot.finish, args.workers)
    stopped = False
    with open_writer(args.out, map) as writer, _bar() as bar, Interrupt() as interrupt:
        task = bar.add_task(f"{map.id}, {args.seats} seats, {args.bot}", total=args.games)
        try:
            for result in results:
                with interrupt.held_back():
                    summary.add(result)
                    writer.write(result)
                done = summary.games + summary.broken_off
                if done % 50 == 0 or done == args.games:
                    bar.update(task, completed=done, refresh=True)
        except KeyboardInterrupt:
            stopped = True
            results.close()
    data = {"bot": args.bot, "seed": seed, "asked": args.games} | summary.to_dict()
    if args.json:
        print(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        _tell(data, map)
        if args.out:
            print(f"\nAll games: {args.out}")
    return 130 if stopped else 0


class Interrupt:
    """Ctrl-C, which waits while a game is being written down, so that no half of one is in the file."""

    def __init__(self) -> None:
        self._busy = False
        self._heard = False

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Ctrl-C in here takes effect at the end."""
        self._busy = True
        yield
        self._busy = False
        if self._heard:
            raise KeyboardInterrupt

    def _hear(self, *_: object) -> None:
        self._heard = True
        if not self._busy:
            raise KeyboardInterrupt


def _bar() -> Progress:
    """A bar on stderr where that is a terminal; without a thread of its own, because processes are forked meanwhile."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(file=sys.stderr),
        auto_refresh=False,
        disable=not sys.stderr.isatty(),
        transient=True,
    )


def _tell(data: dict[str, Any], map: Map) -> None:
    name = map.name.get("en", map.id)
    games = f"{data['games']:,} of {data['asked']:,} games"
    print(f"{name}, {data['seats']} seats, {data['bot']}: {games}, seed {data['seed']}")
    if data["broken_off"]:
        print(f"{data['broken_off']:,} more would not end, were broken off and are not counted below.")
    if not data["games"]:
        return
    total, turns, tickets = data["total"], data["turns"], data["tickets"]
    print("\nPoints of a seat, on average")
    rules = map.rules
    worth = {"stations": rules.stations, "trail": rules.trail_points, "attractions": rules.attraction_points}
    for part in PARTS:
        if worth.get(part, 1):
            print(f"  {part:<12}{data['points'][part]:>8.1f}")
    print(f"  {'total':<12}{total['mean']:>8.1f}   give or take {total['spread']:.1f}")
    print(f"  from {total['lowest']} to {total['highest']}; winners have {total['winners']:.1f}")
    print(f"\nTurns: {turns['mean']:.1f} on average, half the games {turns['median']:g} or fewer, ", end="")
    print(f"from {turns['fewest']} to {turns['most']}")
    print(f"Tickets of a seat: {tickets['completed']:.2f} of {tickets['kept']:.2f} completed")
    print(f"Games decided by {', '.join(f'{word} {share:.1%}' for word, share in data['decided_by'].items())}")
    print(f"\nWins by turn order (an even share is {1 / data['seats']:.1%})")
    for place, share in zip(PLACES, data["order"], strict=False):
        wins, error = share["wins"], share["standard_error"]
        print(f"  {place:<8}{wins:>7.1%} ± {1.96 * error:.1%}   {share['points']:>7.1f} points")
    print("\nRoutes claimed most, in how many of the games")
    for route, share in list(data["claimed"].items())[:MOST_CLAIMED]:
        print(f"  {route:<28}{share:>7.1%}")
