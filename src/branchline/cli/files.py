"""Reads what a person names on the command line."""

from branchline.cli.parser import Trouble, is_text
from branchline.maps import MapError
from branchline.record import Player, Record


def load_record(path: str) -> Record:
    """The record in a file, fit to be dealt."""
    try:
        record = Record.load(path)
    except MapError as error:
        raise Trouble(f"{path}: its map can't be played: {error.faults[0]}") from None
    except ValueError as error:
        raise Trouble(str(error)) from None
    rules = record.map.rules
    if not rules.seats_min <= len(record.players) <= rules.seats_max:
        raise Trouble(f"{path}: players: {record.map.id} is for {rules.seats_min} to {rules.seats_max} seats")
    if record.first is not None and not 0 <= record.first < len(record.players):
        raise Trouble(f"{path}: first: there is no seat {record.first}")
    if len(record.key) != 32:
        raise Trouble(f"{path}: key: has 32 bytes, not {len(record.key)}")
    if isinstance(record.seed, str) and not is_text(record.seed):
        raise Trouble(f"{path}: seed: is not text that UTF-8 can write")
    return record


def names(players: tuple[Player, ...]) -> list[str]:
    """What to call each seat."""
    given = [player.name for player in players]
    if all(given) and len(set(given)) == len(given):
        return given
    return [f"{name} (seat {seat})" if name else f"Seat {seat}" for seat, name in enumerate(given)]
