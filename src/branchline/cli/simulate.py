"""`branchline simulate`: many games between bots, summed up."""

import itertools
import json
import os
import secrets
import signal
import sys
from argparse import Namespace
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from stat import S_IMODE
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from branchline.cli.named_bots import BotFailed, bot_called, bot_game, bot_names, finish_with
from branchline.cli.parser import Parser, Trouble, map_for, positive, processes
from branchline.cli.tables import open_decisions, open_writer, seed_of
from branchline.data import DecisionFolder, NotThisSeries, simulate_decisions
from branchline.maps import Map
from branchline.simulate import PARTS, Result, Series, Summary, simulate
from branchline.spread import NoCluster, WorkerDied, cores

MOST_CLAIMED = 10
PLACES = ("first", "second", "third", "fourth", "fifth")


def parser() -> Parser:
    """What `branchline simulate` takes."""
    parser = Parser(
        "branchline simulate",
        "Let bots play many games on all cores and sum them up. Ctrl-C stops and sums up what there is.",
        "branchline simulate europe --seats 4 --games 10000 --bot random",
        "branchline simulate new-york --seats 2 --games 1000 --seed 7 --out games.csv",
        "branchline simulate europe --bot regular --bot hungry --out games.parquet --decisions decisions.parquet",
        notes="""Several bots take the seats in turn and move on by one seat with each game.
A .jsonl file has a game a line, a .csv file a row for each seat of each game. A .parquet is a folder with a row a game:
the same command goes on where it was stopped, and branchline plot draws charts of it.""",
    )
    parser.add_map()
    parser.add_seats(4)
    parser.add_argument("--games", type=positive, default=1000, metavar="N", help="how many games (1000 if left out)")
    parser.add_argument(
        "--bot",
        action="append",
        metavar="NAME",
        help=f"who plays, once for each bot: {bot_names()}, or file.py:Class (random if left out)",
    )
    parser.add_seed("the same seed plays the same games (any if left out)")
    parser.add_argument(
        "--workers", type=processes, default=cores(), metavar="N", help="processes (one for each core if left out)"
    )
    parser.add_argument("--ray", metavar="ADDRESS", help="play on this Ray cluster (auto finds one here)")
    parser.add_argument("--out", metavar="FILE", help="write all games to a .jsonl, .csv or .parquet file")
    parser.add_argument(
        "--decisions",
        metavar="FOLDER",
        help="write every decision to a .parquet folder: observation, mask, choice and what came of it",
    )
    parser.add_json()
    return parser


def run(args: Namespace) -> int:
    """Simulate, and print the summary; after Ctrl-C that of the games that were finished."""
    map = map_for(args.map, args.seats)
    bots = tuple(args.bot or ["random"])
    for bot in bots:
        bot_called(bot)
    if len(bots) > args.seats:
        raise Trouble(f"--bot: {len(bots)} bots for {args.seats} seats")
    if args.ray is not None and any(":" in bot for bot in bots):
        raise Trouble("--bot: a cluster's nodes do not have your file; name bots of the house")
    seed = args.seed
    if seed is None:
        with _in_words("--out", args.out):
            seed = seed_of(args.out)
    if seed is None:
        seed = secrets.randbelow(1 << 32)
    series = Series(map, args.seats, seed, bots)
    summary = Summary(map, args.seats)
    stopped: str | None = None
    with (
        _in_words("--out", args.out),
        _replacing(args.out) as out,
        open_writer(out, series) as writer,
        _in_words("--decisions", args.decisions),
        open_decisions(args.decisions, series) as decisions,
        _in_words("the processes that play"),
        _bar() as bar,
        Interrupt() as interrupt,
    ):
        task = bar.add_task(f"{map.id}, {args.seats} seats, {', '.join(bots)}", total=args.games)
        with _in_words("--out", args.out):
            for result in itertools.islice(writer.before(), args.games):
                summary.add(result)
        if decisions is not None and args.out is not None and decisions.games != summary.seen:
            raise Trouble(f"--decisions: has {decisions.games} games and {args.out} {summary.seen}; name other folders")
        start = summary.seen if decisions is None else decisions.games
        with closing(_played(series, args, start, decisions)) as results:
            try:
                for result in results:
                    with interrupt.held_back(), _in_words("--out", args.out):
                        summary.add(result)
                        writer.write(result)
                    if summary.seen % 50 == 0 or summary.seen == args.games:
                        bar.update(task, completed=summary.seen, refresh=True)
            except KeyboardInterrupt:
                stopped = ""
            except (BotFailed, NoCluster, WorkerDied) as error:
                stopped = str(error)
    if stopped and not summary.seen:
        raise Trouble(stopped)
    data = {"bots": list(bots), "seed": seed, "asked": args.games} | summary.to_dict()
    if args.json:
        print(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        _print(data, map)
        if args.out and summary.seen:
            print(f"\nAll games: {args.out}")
    if stopped:
        raise Trouble(stopped)
    return 0 if stopped is None else 130


def _played(
    series: Series, args: Namespace, start: int, decisions: DecisionFolder | None
) -> Generator[Result, None, None]:
    """The games, their decisions written down on the way."""
    if decisions is None:
        yield from simulate(
            series.map, series.seats, args.games, series.seed, finish_with(series.bots), args.workers,
            bots=series.bots, start=start, ray=args.ray,
        )  # fmt: skip
        return
    told = simulate_decisions(series, args.games, bot_game, start=start, workers=args.workers, ray=args.ray)
    with closing(told):
        for result, made in told:
            with _in_words("--decisions", args.decisions):
                decisions.write(result, made)
            yield result


@contextmanager
def _in_words(*what: str | None) -> Iterator[None]:
    """What the system refuses `what`, and what is wrong with a folder of games, in one sentence."""
    try:
        yield
    except BrokenPipeError:
        raise  # who reads has enough
    except OSError as error:
        said = os.strerror(error.errno) if error.errno else str(error)
        raise Trouble(": ".join(word for word in (*what, said) if word)) from None
    except NotThisSeries as error:
        raise Trouble(f"{what[0]}: {error}") from None


@contextmanager
def _replacing(path: str | None) -> Iterator[str | None]:
    """A new file for a table, which takes the place of the one there when games are in it; after a failure it goes.

    Pipes and devices are written as they are, and a folder of Parquet looks after itself.
    """
    special = path is not None and os.path.exists(path) and not os.path.isfile(path)
    if path is None or special or Path(path).suffix not in (".jsonl", ".csv"):
        yield path
        return
    place = Path(os.path.realpath(path))  # a link stays one
    new = place.with_name(f"{place.stem[:40]}-{secrets.token_hex(4)}{Path(path).suffix}")
    rights = None
    if place.exists():
        place.open("ab").close()  # a file that may not be written is not replaced either
        rights = S_IMODE(place.stat().st_mode)
    new.touch(exist_ok=False)
    failed = False
    try:
        if rights is not None:
            new.chmod(rights)
        yield str(new)
    except Exception:
        failed = True
        raise
    finally:  # also after Ctrl-C
        if failed or not new.stat().st_size:
            new.unlink()
        else:
            new.replace(place)


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
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(file=sys.stderr),
        auto_refresh=False,
        disable=not sys.stderr.isatty(),
        transient=True,
    )


def _print(data: dict[str, Any], map: Map) -> None:
    name = map.name.get("en", map.id)
    games = f"{data['games']:,} of {data['asked']:,} games"
    print(f"{name}, {data['seats']} seats, {', '.join(data['bots'])}: {games}, seed {data['seed']}")
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
    if len(data["bots"]) > 1:
        print("\nWins by bot")
        for bot, share in data["by_bot"].items():
            wins, error = share["wins"], share["standard_error"]
            print(f"  {bot:<24}{wins:>7.1%} ± {1.96 * error:.1%}   {share['points']:>7.1f} points")
    print(f"\nWins by turn order (an even share is {1 / data['seats']:.1%})")
    for place, share in zip(PLACES, data["order"], strict=False):
        wins, error = share["wins"], share["standard_error"]
        print(f"  {place:<8}{wins:>7.1%} ± {1.96 * error:.1%}   {share['points']:>7.1f} points")
    print("\nRoutes claimed most, in how many of the games")
    most = list(data["claimed"].items())[:MOST_CLAIMED]
    width = max(len(route) for route, _ in most)
    for route, share in most:
        print(f"  {route:<{width}}{share:>8.1%}")
