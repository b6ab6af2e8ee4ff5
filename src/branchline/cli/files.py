"""Reads what a person names on the command line."""

from branchline.cli.parser import Trouble
from branchline.cli.plain import plain
from branchline.maps import MapError
from branchline.record import Player, Record


def load_record(path: str) -> Record:
    """The record in a file, or words for what is wrong with it."""
    try:
        return Record.load(path)
    except MapError as error:
        raise Trouble(plain(f"{path}: its map can't be played: {error.faults[0]}")) from None
    except ValueError as error:
        raise Trouble(plain(str(error))) from None


def names(players: tuple[Player, ...]) -> list[str]:
    """What to call each seat."""
    given = [plain(player.name) for player in players]
    if all(given) and len(set(given)) == len(given):
        return given
    return [f"{name} (seat {seat})" if name else f"Seat {seat}" for seat, name in enumerate(given)]
