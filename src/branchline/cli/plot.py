"""`branchline plot`: charts of simulated games."""

from argparse import Namespace
from pathlib import Path

from branchline.cli.parser import Parser, Trouble
from branchline.data import NoArrow, NotThisSeries, read
from branchline.drawing.words import WORDS
from branchline.maps import BUNDLED, MapError, load_map
from branchline.plot import FORMATS, gathered, plot


def parser() -> Parser:
    """What `branchline plot` takes."""
    parser = Parser(
        "branchline plot",
        "Draw charts of many games: points by part, how often each route is claimed, tickets, turn order, length.",
        "branchline plot games.parquet",
        "branchline plot games.parquet --language zh-Hans --format svg -o figures",
    )
    parser.add_argument("games", metavar="GAMES", help="what branchline simulate or arena wrote: a .parquet folder")
    parser.add_argument("-o", "--out", default="charts", metavar="FOLDER", help="where to (charts if left out)")
    parser.add_argument("--format", choices=FORMATS, default="pdf", help="pdf if left out")
    parser.add_argument("--language", choices=list(WORDS), default="en", help="en if left out")
    parser.add_argument("--map", metavar="FILE", help="the map file, if it is one of your own")
    return parser


def run(args: Namespace) -> int:
    """Draw, and say where the charts are."""
    if not Path(args.games).exists():
        raise Trouble(f"{args.games}: there is no such file or folder")
    try:
        head, results = read(args.games)
        if args.map is None and head["map"] not in BUNDLED:
            raise Trouble(f"--map: the games are on {head['map']}; name its map file")
        map = load_map(args.map or head["map"])
        if map.hash != head["map_hash"]:
            raise Trouble(f"--map: the games were played on another {head['map']}")
        tally = gathered(map, head["seats"], results)
        for path in plot(tally, args.out, language=args.language, kind=args.format):
            print(path)
    except MapError as error:
        raise Trouble(f"--map: {error.faults[0]}") from None
    except (NoArrow, NotThisSeries, ValueError, ModuleNotFoundError) as error:
        raise Trouble(str(error)) from None
    except OSError as error:
        raise Trouble(f"--out: {args.out}: {error.strerror}") from None
    return 0
