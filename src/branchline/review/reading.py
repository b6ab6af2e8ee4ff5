"""Reads JSON that somebody else may have written: each value has its kind and its bounds."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any, TypeVar

from branchline.codec import shortened

T = TypeVar("T")


class Fault(ValueError):
    """What is wrong, with the field where it is."""

    def __init__(self, field: str, what: object) -> None:
        super().__init__(f"{field}: {what}")


def get(data: Mapping[str, Any], name: str, read: Callable[[Any], T]) -> T:
    """What one field says; what is wrong with it is said with its name."""
    if name not in data:
        raise Fault(name, "is missing")
    try:
        return read(data[name])
    except ValueError as error:
        raise Fault(name, error) from None


def object_of(value: object, what: str) -> Mapping[str, Any]:
    """A JSON object."""
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise ValueError(f"a {what} is an object, not {shortened(value)}")
    return value


def each(value: object, read: Callable[[Any], T], most: int, exactly: int | None = None) -> tuple[T, ...]:
    """A list of values, so many at most or exactly so many."""
    if not isinstance(value, list | tuple) or len(value) > most:
        raise ValueError(f"expected a list of at most {most}")
    if exactly is not None and len(value) != exactly:
        raise ValueError(f"expected a list of {exactly}, not of {len(value)}")
    out = []
    for place, item in enumerate(value):
        try:
            out.append(read(item))
        except ValueError as error:
            raise Fault(str(place), error) from None
    return tuple(out)


def number(value: object, least: int, most: int) -> int:
    """A whole number between bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"expected a whole number from {least} to {most}, not {shortened(value)}")
    return value


def real(value: object) -> float:
    """A number of a size that chances and points can have."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite(value) or abs(value) > 100_000:
        raise ValueError(f"expected a number, not {shortened(value)}")
    return float(value)


def text(value: object, most: int) -> str:
    """Text of so many letters at most."""
    if not isinstance(value, str) or len(value) > most:
        raise ValueError(f"expected text of at most {most} letters, not {shortened(value)}")
    return value


def one_of(value: object, words: Sequence[T]) -> T:
    """One of a few words."""
    for word in words:
        if value == word:
            return word
    raise ValueError(f"one of {', '.join(map(str, words))}, not {shortened(value)}")
