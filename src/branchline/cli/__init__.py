"""The command `branchline`. A command is a module with `parser` and `run`; only the one asked for is imported."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

from branchline.built import compiled
from branchline.cli.parser import Parser, Trouble
from branchline.cli.plain import plain
from branchline.version import __version__

COMMANDS = {
    "play": "play in the browser, or against bots in the terminal",
    "serve": "run the server that people play on",
    "bots": "think for the bots of several servers",
    "backup": "copy the server's database, also while it runs",
    "move": "carry a SQLite database over to PostgreSQL",
    "simulate": "let bots play many games and sum them up",
    "arena": "let bots play each other and say who is stronger, and how surely",
    "train": "let a policy learn a map by playing against itself",
    "review": "judge a recorded game decision by decision: what was better, and what luck did",
    "puzzles": "make puzzles from bots' games, or show one",
    "replay": "print a recorded game step by step",
    "draw": "draw a recorded game: a picture of a turn, or an animation",
    "plot": "draw charts of simulated games",
    "verify": "derive a recorded game again and say what holds",
    "check-map": "name each fault of a map file",
    "count": "count the lines of play to a depth",
    "bench": "measure how fast the engine or the server is",
}
"""The commands, with what each does."""
UNCOMPILED = (
    "Branchline runs uncompiled: the results are the same, many times slower. A wheel for this Python and machine, or "
    "`make build` in a checkout, has the compiled engine."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 2 for wrong input, 130 after Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character shows ?, and the command goes on
    try:
        code = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
    except Trouble as trouble:
        print(*(plain(line) for line in f"branchline: {trouble}".split("\n")), sep="\n", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        from branchline.cli.extras import lacking  # importlib.metadata is a quarter of what starting costs

        words = lacking(error)
        if words is None:
            raise
        print(f"branchline: {words}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        if sys.stdout.isatty():
            print()  # the terminal has written ^C
        return 130
    except BrokenPipeError:
        # Whoever read the output, `head` perhaps, has enough. Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


def _run(words: list[str]) -> int:
    name = words[0] if words else "--help"
    if name in COMMANDS:
        if not compiled() and os.environ.get("BRANCHLINE_PURE") != "1":
            print(UNCOMPILED, file=sys.stderr)
        module = import_module(f"branchline.cli.{name.replace('-', '_')}")
        code: int = module.run(module.parser().parse_args(words[1:]))
        return code
    if name not in ("-h", "--help", "--version"):
        raise Trouble(f"there is no command {name!r}; there are {', '.join(COMMANDS)}")
    parser = Parser(
        "branchline",
        "Two train games, Europe and New York.",
        "branchline play --text europe --seats 3",
        notes="\n".join(["commands:", *(f"  {command:<12}{about}" for command, about in COMMANDS.items())]),
    )
    parser.add_argument("--version", action="version", version=_version())
    parser.add_argument("command", metavar="COMMAND", help="one of those below; each has its own --help")
    parser.parse_args([name])
    return 0


def _version() -> str:
    return f"branchline {__version__}, engine {'compiled' if compiled() else 'uncompiled'}"
