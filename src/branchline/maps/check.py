"""Names each fault of a map file with its line."""

from collections.abc import Mapping
from typing import Any

from branchline.maps import sense, shape
from branchline.maps.fault import Fault, Place, Problem, words
from branchline.maps.text import TextError, read


def check(text: str | bytes) -> list[Fault]:
    """All faults of a map file, in the order of its lines: none means that it can be played."""
    try:
        data, lines, repeated = read(text)
    except TextError as error:
        return [Fault(error.line, "file", str(error))]
    faults = [Fault(_line(lines, place), words(place), message) for place, message in _problems(data)]
    return sorted(repeated + faults, key=lambda fault: fault.line)


def check_data(data: Mapping[str, Any]) -> list[Fault]:
    """All faults of a map that is already parsed; they have no lines."""
    return [Fault(0, words(place), message) for place, message in _problems(data)]


def _problems(data: object) -> list[Problem]:
    misshapen = list(shape.problems(data))
    if not isinstance(data, Mapping):
        return misshapen
    # A rule about routes can only be asked where all routes have their fields; the others are asked nevertheless.
    sound = {section for section in data if not any(place[:1] == (section,) for place, _ in misshapen)}
    return misshapen + list(sense.problems({section: data[section] for section in sound}))


def _line(lines: Mapping[Place, int], place: Place) -> int:
    while place not in lines:
        place = place[:-1]
    return lines[place]
