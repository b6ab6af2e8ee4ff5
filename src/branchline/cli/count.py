"""`branchline count`: lines of play to a depth, in all and per first action."""

import json
from argparse import Namespace

from branchline.cli.parser import Parser, map_for, natural
from branchline.codec import to_line
from branchline.count import breakdown, count
from branchline.game import Game


def parser() -> Parser:
    """What `branchline count` takes."""
    parser = Parser(
        "branchline count",
        "Count the lines of play to a depth from a seeded deal, the opening answered in seat order.\n"
        "Two programs of the same rules and shuffles give the same numbers.",
        "branchline count europe --seats 2 --seed 7 --depth 3",
    )
    parser.add_map()
    parser.add_seats(2)
    parser.add_seed("the seed of the deal (0 if left out)")
    parser.add_argument("--depth", type=natural, default=2, metavar="D", help="actions in each line (2 if left out)")
    parser.add_json()
    return parser


def run(args: Namespace) -> int:
    """Count, and print."""
    seed = 0 if args.seed is None else args.seed
    game = Game.new(map_for(args.map, args.seats), args.seats, seed)
    lines = {to_line(action): n for action, n in breakdown(game, args.depth).items()}
    total = sum(lines.values()) if args.depth else count(game, 0)
    if args.json:
        report = {
            "map": game.map.id,
            "seats": args.seats,
            "seed": seed,
            "depth": args.depth,
            "lines": total,
            "breakdown": lines,
        }
        print(json.dumps(report, indent=2))
    else:
        for line, n in lines.items():
            print(f"{n:>12,}  {line}")
        print(f"{total:>12,}  lines of {args.depth} actions")
    return 0
