"""Whether data has the shape of a map: the part of JSON Schema that map.schema.json uses, told in words."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from branchline.maps.fault import Place, Problem

Schema = Mapping[str, Any]


def problems(data: object) -> Iterator[Problem]:
    """Every place where the data is not shaped like a map."""
    yield from _problems(data, schema(), ())


@cache
def schema() -> Schema:
    """The published schema of a map file."""
    read: Schema = json.loads((Path(__file__).parent / "map.schema.json").read_bytes())
    return read


def _problems(data: object, rule: Schema, place: Place) -> Iterator[Problem]:
    if "$ref" in rule:
        yield from _problems(data, schema()["$defs"][rule["$ref"].removeprefix("#/$defs/")], place)
    elif "const" in rule:
        if data != rule["const"]:
            yield place, f"must be {_text(rule['const'])}, not {_text(data)}"
    elif "enum" in rule:
        if data not in rule["enum"]:
            yield place, f"must be one of {', '.join(rule['enum'])}, not {_text(data)}"
    else:
        fits, word, look = TYPES[rule["type"]]
        if fits(data):
            yield from look(data, rule, place)
        else:
            yield place, f"must be {word}, not {_text(data)}"


def _object(data: Mapping[str, object], rule: Schema, place: Place) -> Iterator[Problem]:
    known = rule.get("properties", {})
    others = rule["additionalProperties"]
    for key in rule.get("required", ()):
        if key not in data:
            yield place, f"the key '{key}' is missing"
    if len(data) > rule.get("maxProperties", math.inf):
        yield place, f"has more than {rule['maxProperties']} entries"
        return
    for key, value in data.items():
        if key in known:
            yield from _problems(value, known[key], (*place, key))
        elif others is False:
            yield (*place, key), "is not a key of a map file"
        else:
            yield from _problems(key, rule.get("propertyNames", {"type": "string"}), (*place, key))
            yield from _problems(value, others, (*place, key))


def _array(data: list[object], rule: Schema, place: Place) -> Iterator[Problem]:
    if len(data) < rule.get("minItems", 0):
        yield place, f"has fewer than {rule['minItems']} entries"
    if len(data) > rule["maxItems"]:
        yield place, f"has more than {rule['maxItems']} entries"
        return
    for n, value in enumerate(data):
        yield from _problems(value, rule["items"], (*place, n))


def _string(data: str, rule: Schema, place: Place) -> Iterator[Problem]:
    if len(data) > rule.get("maxLength", math.inf):
        yield place, f"is longer than {rule['maxLength']} characters"
    # Python's $ would let a line break pass at the end.
    elif "pattern" in rule and not re.fullmatch(rule["pattern"], data):
        yield place, f"{_text(data)} is not {rule['title']}"


def _number(data: float, rule: Schema, place: Place) -> Iterator[Problem]:
    if not rule["minimum"] <= data <= rule["maximum"]:
        yield place, f"must be from {rule['minimum']} to {rule['maximum']}, not {_text(data)}"


def _boolean(data: bool, rule: Schema, place: Place) -> Iterator[Problem]:
    yield from ()


TYPES: dict[str, tuple[Callable[[object], bool], str, Callable[[Any, Schema, Place], Iterator[Problem]]]] = {
    "object": (lambda data: isinstance(data, Mapping), "an object", _object),
    "array": (lambda data: isinstance(data, list), "a list", _array),
    "string": (lambda data: isinstance(data, str), "text", _string),
    "boolean": (lambda data: isinstance(data, bool), "true or false", _boolean),
    # To Python, true is 1.
    "integer": (lambda data: isinstance(data, int) and not isinstance(data, bool), "a whole number", _number),
    "number": (lambda data: isinstance(data, int | float) and not isinstance(data, bool), "a number", _number),
}


def _text(data: object) -> str:
    try:
        text = json.dumps(data, ensure_ascii=False, default=lambda value: type(value).__name__, skipkeys=True)
    except (RecursionError, ValueError):  # nested too deeply, or in itself
        return "that"
    return text if len(text) <= 40 else f"{text[:39]}…"
