"""How every command reads its arguments: an example in its help, one sentence where something is wrong."""

import argparse
from typing import NoReturn

from branchline.files import is_text
from branchline.maps import Map, MapError, load_map


class Trouble(Exception):
    """Wrong input, in one sentence for the person who typed it."""


class Parser(argparse.ArgumentParser):
    """An argument parser with an example in its help."""

    def __init__(self, prog: str, about: str, *examples: str, notes: str = "") -> None:
        """`about` is what the command does, `notes` stand between the options and the examples."""
        lines = [*([notes, ""] if notes else []), "example:" if len(examples) == 1 else "examples:"]
        super().__init__(
            prog=prog,
            description=about,
            epilog="\n".join([*lines, *(f"  {example}" for example in examples)]),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """One sentence and the way to the help."""
        raise Trouble(f"{message} (see {self.prog} --help)")

    def add_json(self) -> None:
        self.add_argument("--json", action="store_true", help="print the report as JSON")

    def add_map(self, default: str | None = None) -> None:
        self.add_argument(
            "map",
            metavar="MAP",
            nargs=None if default is None else "?",
            default=default,
            help="europe, new-york, or a map file" + (f" ({default} if left out)" if default else ""),
        )

    def add_seats(self, default: int) -> None:
        self.add_argument("--seats", type=positive, default=default, metavar="N", help=f"seats ({default} if left out)")

    def add_seed(self, about: str) -> None:
        self.add_argument("--seed", type=seed, metavar="SEED", help=about)


def positive(text: str) -> int:
    """A whole number from 1 on."""
    return _number(text, 1)


def processes(text: str) -> int:
    """How many processes are wanted: a whole number from 1 on that a machine can bear."""
    return _number(text, 1, 256)


def games(text: str) -> int:
    """How many games, or decisions of them, are kept in memory: from 0 to what there may be room for."""
    return _number(text, 0, 1_000_000)


def natural(text: str) -> int:
    """A whole number from 0 on."""
    return _number(text, 0)


def _number(text: str, least: int, most: int = 999_999_999) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9 or not least <= int(text) <= most:
        room = "on" if most == 999_999_999 else f"to {most}"
        raise argparse.ArgumentTypeError(f"expected a whole number from {least} {room}, not {text!r:.100}")
    return int(text)


def seed(text: str) -> int | str:
    """A seed as it is typed: digits are a number, anything else is text."""
    if not is_text(text):
        raise argparse.ArgumentTypeError("expected text in UTF-8")
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 1000 else text


def map_for(name: str, seats: int) -> Map:
    """The map of this name, if so many can play on it."""
    try:
        map = load_map(name)
    except MapError as error:
        faults = error.faults
        more = "" if len(faults) == 1 else f"; that and {len(faults) - 1} more: branchline check-map {name}"
        raise Trouble(f"{faults[0]}{more}") from None
    rules = map.rules
    if not rules.seats_min <= seats <= rules.seats_max:
        raise Trouble(f"{map.id} is for {rules.seats_min} to {rules.seats_max} seats, not {seats}")
    return map
