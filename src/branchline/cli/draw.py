"""`branchline draw`: a recorded game as a picture, or as an animation."""

from argparse import Namespace
from pathlib import Path

from branchline.cli.files import load_record
from branchline.cli.parser import Parser, Trouble, natural
from branchline.drawing import draw, film
from branchline.drawing.ink import THEMES
from branchline.drawing.picture import FORMATS
from branchline.drawing.words import WORDS
from branchline.engine.refusals import IllegalAction
from branchline.game import Game
from branchline.record import Record


def parser() -> Parser:
    """What `branchline draw` takes."""
    parser = Parser(
        "branchline draw",
        "Draw the board of a recorded game after some turn, or the whole game as an animation.",
        "branchline draw game.json --turn 42 -o board.svg",
        "branchline draw game.json --seat 0 --language zh-Hant --theme night -o board.png",
        "branchline draw game.json -o game.gif",
        notes="A .gif or .webm shows the whole game; a .webm needs ffmpeg.",
    )
    parser.add_argument("file", metavar="RECORD", help="the record")
    parser.add_argument("--turn", type=natural, metavar="N", help="after this turn (the end if left out)")
    parser.add_argument("--seat", type=natural, metavar="N", help="with the hand and tickets of this seat")
    parser.add_argument("--language", choices=list(WORDS), default="en", help="en if left out")
    parser.add_argument("--theme", choices=list(THEMES), default="day", help="day if left out")
    parser.add_argument("-o", "--out", required=True, metavar="FILE", help=".svg, .png, .pdf, .gif or .webm")
    return parser


def run(args: Namespace) -> int:
    """Draw, and say where it is."""
    record = load_record(args.file)
    kind = Path(args.out).suffix.lower().removeprefix(".")
    if kind not in (*FORMATS, *film.FORMATS):
        raise Trouble(f"--out: {args.out} should end in .svg, .png, .pdf, .gif or .webm")
    if args.seat is not None and args.seat >= len(record.players):
        raise Trouble(f"--seat: the game has the seats 0 to {len(record.players) - 1}")
    try:
        if kind in film.FORMATS:
            if args.turn is not None or args.seat is not None:
                raise Trouble(f"--out: a .{kind} shows the whole game to everybody; leave out --turn and --seat")
            film.film(record, args.out, language=args.language, theme=args.theme)
        else:
            game = _after(record, args.turn)
            names = [player.name for player in record.players]
            picture = draw(game.view(args.seat), language=args.language, theme=args.theme, names=names)
            picture.save(args.out)
    except IllegalAction as error:
        raise Trouble(f"{args.file}: an action is not legal: {error}") from None
    except ModuleNotFoundError as error:
        raise Trouble(str(error)) from None
    except OSError as error:
        raise Trouble(f"--out: {args.out}: {error.strerror}") from None
    print(args.out)
    return 0


def _after(record: Record, turn: int | None) -> Game:
    """The game after a turn: before the next one's first action."""
    game = record.deal()
    for game, *_ in record.replay():
        if turn is not None and game.turn > turn:
            return game
    if turn is not None and turn > game.turn:
        raise Trouble(f"--turn: the game has the turns 0 to {game.turn}")
    return game
