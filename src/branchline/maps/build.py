"""Turns the faultless data of a map file into values, section by section."""

import json
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from branchline.engine.ruleset import FIELDS, Ruleset
from branchline.maps.model import WILD, City, Map, Route, Ticket

Row = Mapping[str, Any]


def build(data: Row) -> Map:
    """The map that the data describes."""
    return Map(
        id=data["id"],
        name=MappingProxyType(dict(data["name"])),
        size=(data["size"]["width"], data["size"]["height"]),
        cities=tuple(map(city, data["cities"])),
        routes=tuple(map(route, data["routes"])),
        tickets=tuple(map(ticket, data["tickets"])),
        colours=tuple(colour for colour in data["cards"] if colour != WILD),
        cards=MappingProxyType(dict(data["cards"])),
        points=MappingProxyType(points(data["points"])),
        rules=Ruleset(**data["ruleset"]),
        hash=sha256(canonical(data).encode()).hexdigest(),
    )


def city(row: Row) -> City:
    """One of the map's cities."""
    name = MappingProxyType(dict(row["name"]))
    return City(row["id"], name, row["x"], row["y"], row.get("attraction", False))


def route(row: Row) -> Route:
    """One of the map's routes."""
    bends = tuple((x, y) for x, y in row.get("bends", ()))
    return Route(row["id"], row["a"], row["b"], row["length"], row["colour"], row["kind"], row["wilds"], bends)


def ticket(row: Row) -> Ticket:
    """One of the map's tickets."""
    return Ticket(row["a"], row["b"], row["points"], row.get("long", False))


def points(row: Row) -> dict[int, int]:
    """Points by length, shortest first."""
    return dict(sorted((int(length), worth) for length, worth in row.items()))


def canonical(data: Row) -> str:
    """Everything that a rule reads, as the one text that the map's hash is taken over (docs/adding-a-map.md)."""
    rules = {
        "ruleset": {name: data["ruleset"][name] for name in FIELDS},
        "cards": list(data["cards"].items()),
        "points": list(points(data["points"]).items()),
        "cities": [[row["id"], row.get("attraction", False)] for row in data["cities"]],
        "routes": [
            [row[key] for key in ("id", "a", "b", "length", "colour", "kind", "wilds")] for row in data["routes"]
        ],
        "tickets": [[row["a"], row["b"], row["points"], row.get("long", False)] for row in data["tickets"]],
    }
    return json.dumps(rules, sort_keys=True, separators=(",", ":"))
