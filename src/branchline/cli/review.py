"""`branchline review`: a recorded game judged, as a table, as JSON, or as one HTML file to send around."""

import sys
from argparse import Namespace
from pathlib import Path

from branchline.bots.learner import LearnedBot
from branchline.cli.files import load_record, names
from branchline.cli.named_bots import check_policies
from branchline.cli.paper import Paper
from branchline.cli.parser import Parser, Trouble, natural
from branchline.cli.plain import plain, plain_json
from branchline.record import Record
from branchline.review import NotReviewed, Review, review
from branchline.review.format import DEFAULT_DEPTH, DEPTHS
from branchline.review.page import costly, page
from branchline.review.words import LANGUAGES, Words


def parser() -> Parser:
    """What `branchline review` takes."""
    parser = Parser(
        "branchline review",
        "Judge every decision of a finished game by what its seat knew then: what it cost, what was better and why,\n"
        "and what luck did beside it.",
        "branchline review game.json",
        "branchline review game.json --html review.html --language zh-Hant",
        notes="The same record, depth and seed give the same review. How it judges: docs/review.md.",
    )
    parser.add_argument("file", metavar="RECORD", help="the record")
    depths = f"{DEPTHS[0]} to {DEPTHS[-1]}, each four times as long as the one before ({DEFAULT_DEPTH} if left out)"
    parser.add_argument("--depth", type=int, choices=list(DEPTHS), default=DEFAULT_DEPTH, metavar="N", help=depths)
    parser.add_argument("--seed", type=natural, default=0, metavar="N", help="of the sampled worlds (0 if left out)")
    parser.add_argument("--language", choices=list(LANGUAGES), default="en", help="en if left out")
    parser.add_argument("--html", metavar="FILE", help="write a page that needs nothing else")
    parser.add_json()
    return parser


def run(args: Namespace) -> int:
    """Judge, and tell."""
    record = load_record(args.file)
    check_policies([LearnedBot()], record.map, len(record.players))
    found = _review(record, args)
    if args.html is not None:
        try:
            Path(args.html).write_text(page(record, found, args.language), encoding="utf-8")
        except OSError as error:
            raise Trouble(f"--html: {args.html}: {error.strerror}") from None
        print(args.html)
    if args.json:
        print(plain_json(found.to_dict()))
    elif args.html is None:
        _print(record, found, Words(record.map, args.language))
    return 0


def _review(record: Record, args: Namespace) -> Review:
    shown = sys.stderr.isatty()
    try:
        for found in review(record, args.depth, args.seed):
            if isinstance(found, Review):
                return found
            if shown:
                print(f"\r{100 * found.done // found.total:>3} %", end="", file=sys.stderr, flush=True)
    except NotReviewed as error:
        raise Trouble(plain(f"{args.file}: {error}")) from None
    finally:
        if shown:
            print("\r     \r", end="", file=sys.stderr)
    raise AssertionError("a review ends with itself")


def _print(record: Record, found: Review, words: Words) -> None:
    paper, who = Paper(), names(record.players)
    paper.rule(plain(words("title", map=words.map_name())))
    heads = ["player", "result", "accuracy", "inaccuracies", "mistakes", "blunders", "even", "luck", "own", "others"]
    rows = [[words(head) for head in heads]]
    for seat, told in enumerate(found.seats):
        won = f", {words('won')}" if seat in found.winners else ""
        grades = [str(told.grades[grade]) for grade in ("inaccuracy", "mistake", "blunder")]
        parts = [f"{100 * part:+.0f} %" for part in (told.luck, told.own, told.others)]
        result = f"{found.totals[seat]}{won}"
        rows.append([who[seat], result, f"{told.accuracy:.0f}", *grades, f"{100 * told.even:.0f} %", *parts])
    paper.table(rows)
    paper.rule(words("moments"))
    listed = sorted(costly(found), key=lambda decision: decision.n)
    row_before = _rows(record) if listed else []
    for decision in listed:
        low, high = decision.interval
        grade = words(f"grade.{decision.grade}")
        paper.print(
            f"{decision.n:>4}  {who[decision.seat]}, {grade}: {words.moment(decision, row_before[decision.n - 1])}"
        )
        cost = words("cost", cost=f"{100 * decision.cost.value:.0f}", low=f"{100 * low:.0f}", high=f"{100 * high:.0f}")
        paper.print(f"      {cost}")
    if not listed:
        paper.print(f"  {words('none')}")
    paper.print("", words("method", judge=found.judge, depth=found.depth, seed=found.seed))


def _rows(record: Record) -> list[tuple[str | None, ...]]:
    """The row before each log entry."""
    return [game.view(None).row for game, *_ in record.replay()]
