"""`branchline puzzles`: makes puzzles from bots' games, and shows the ones that come with the package."""

import json
from argparse import Namespace
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from branchline.bots.learner import LearnedBot
from branchline.cli.named_bots import check_policies
from branchline.cli.paper import Paper
from branchline.cli.parser import Parser, Trouble, map_for, natural, positive
from branchline.cli.sheet import print_claimed, print_own, print_table
from branchline.codec import to_line
from branchline.review.judge import HouseJudge
from branchline.review.puzzles import by_id, of_the_day
from branchline.review.puzzles.sets import PuzzleSet
from branchline.review.words import Words


def parser() -> Parser:
    """What `branchline puzzles` takes."""
    parser = Parser(
        "branchline puzzles",
        "Make puzzles: positions of bots' games in which one action is clearly best, judged deep before any is taken.\n"
        "Or show one: that of the day, or by its id.",
        "branchline puzzles make new-york --games 100 --out new-york.json",
        "branchline puzzles show",
        notes="How they are made, and how sure they are: docs/puzzles.md.",
    )
    parser.add_argument("what", metavar="WHAT", choices=["make", "show"], help="make or show")
    parser.add_argument("name", metavar="MAP|ID", nargs="?", help="make: the map. show: the puzzle's id")
    parser.add_argument(
        "--games",
        type=positive,
        default=20,
        metavar="N",
        help="games that bots play, those in the file counted (20 if left out)",
    )
    parser.add_argument("--first", type=natural, default=0, metavar="N", help="the number of the first game (0)")
    parser.add_argument("--most", type=positive, metavar="N", help="at most so many of each kind, the first")
    parser.add_argument("--out", metavar="FILE", help="the file to write; one that is there is gone on with")
    parser.add_json()
    return parser


def run(args: Namespace) -> int:
    """Make, or show."""
    if args.what == "show":
        return _show(args.name, args.json)
    if args.name is None or args.out is None:
        raise Trouble("make: name a map, and a file with --out")
    map = map_for(args.name, 2)
    check_policies([LearnedBot()], map, 2)
    out = Path(args.out)
    puzzles = _begun(out, PuzzleSet(map.id, HouseJudge(map).name, args.first, 0, args.most))
    while puzzles.games < args.games:
        for puzzle in puzzles.grow(map):
            if not args.json:
                print(f"{puzzle.id}  {puzzle.kind:<8}{puzzle.rating:>5}  {to_line(puzzle.best)}", flush=True)
        puzzles.write(out)
    kinds = Counter(puzzle.kind for puzzle in puzzles.puzzles)
    if args.json:
        print(json.dumps({"out": str(out), "puzzles": len(puzzles.puzzles), "kinds": kinds}))
    else:
        told = ", ".join(f"{n} {kind}" for kind, n in kinds.items()) or "none"
        print(f"{len(puzzles.puzzles)} puzzles of {puzzles.games} games: {told}; written to {out}")
    return 0


def _begun(out: Path, new: PuzzleSet) -> PuzzleSet:
    """The set of a file that is there already, to be gone on with, or a new one."""
    if not out.exists():
        return new
    try:
        old = PuzzleSet.from_dict(json.loads(out.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Trouble(f"--out: {out} is there and holds no puzzles: {error}") from None
    for what in ("map", "judge", "first", "most"):
        if getattr(old, what) != getattr(new, what):
            raise Trouble(f"--out: {out} was made with {what} {getattr(old, what)}, not {getattr(new, what)}")
    return old


def _show(id: str | None, as_json: bool) -> int:
    puzzle = of_the_day(datetime.now(UTC).date()) if id is None else by_id(id)
    if puzzle is None:
        raise Trouble(f"there is no puzzle {id!r}")
    if as_json:
        print(json.dumps(puzzle.to_dict(), ensure_ascii=False))
        return 0
    paper, view = Paper(), puzzle.view()
    who = [f"Seat {seat}" for seat in range(len(view.seats))]
    paper.rule(f"Puzzle {puzzle.id}: {puzzle.kind}, rated {puzzle.rating}. You are seat {view.seat}.")
    print_table(paper, view, who)
    print_own(paper, view)
    print_claimed(paper, view, who)
    paper.print("", f"Best: {to_line(puzzle.best)}")
    if why := Words(view.map, "en").why(puzzle.reason):
        paper.print(why)
    paper.print(
        f"It wins {100 * puzzle.lead.value:.0f} % (± {196 * puzzle.lead.error:.0f}) more than {to_line(puzzle.second)}."
    )
    return 0
