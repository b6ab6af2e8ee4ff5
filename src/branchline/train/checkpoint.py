"""A run on disk: everything it needs to go on after it was killed, in one file that is replaced as a whole."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from branchline.files import aside
from branchline.train.arrays import read_arrays
from branchline.train.curve import COLUMNS, rows
from branchline.train.net import Params
from branchline.train.settings import Settings

FORMAT = "branchline-training-1"
LONGEST = 4 << 20
"""Bytes of what a run tells of itself."""
MOST_PAST = 1000
"""Past selves that a run may keep."""


@dataclass(slots=True)
class Progress:
    """Where a run stands."""

    settings: Settings
    params: Params
    moments: Params
    past: list[Params]
    updates: int = 0
    decisions: int = 0
    games: int = 0
    seconds: float = 0.0
    """Of learning so far, evaluations aside."""
    processor: float = 0.0
    """Seconds of processor time in it: what tells on a machine that has other work too."""
    curve: list[dict[str, Any]] = field(default_factory=list)
    """What each evaluation showed."""
    earlier: list[dict[str, Any]] = field(default_factory=list)
    """What was before: settings with the number of updates they were left at, or the head of the weights it took up."""
    map_hash: str = ""
    """Of the map that it learns on; runs of earlier versions do not say."""


def save(path: Path, progress: Progress) -> None:
    """Write a run down; whoever reads `path` meanwhile gets the one before."""
    arrays = _named("params", progress.params)
    arrays |= _named("mean", progress.moments["mean"]) | _named("square", progress.moments["square"])
    arrays["steps"] = np.asarray(progress.moments["steps"])
    for number, past in enumerate(progress.past):
        arrays |= _named(f"past{number}", past)
    head = {
        "format": FORMAT, "settings": progress.settings.to_dict(), "updates": progress.updates, "games": progress.games,
        "decisions": progress.decisions, "seconds": progress.seconds, "processor": progress.processor,
        "curve": progress.curve, "earlier": progress.earlier, "past": len(progress.past),
        "map_hash": progress.map_hash,
    }  # fmt: skip
    arrays["head"] = np.frombuffer(json.dumps(head).encode(), np.uint8)
    with aside(path) as file:
        np.savez(file, **arrays)


def load(path: Path) -> Progress:
    """The run that `save` wrote; ValueError if the file is none. `check_network` tells whether the network fits."""
    if not path.exists():
        raise ValueError(f"there is no {path}: no training run was kept there")
    try:
        arrays = read_arrays(path)
        head = dict(json.loads(arrays["head"].tobytes()[: LONGEST + 1]))
    except Exception as error:  # zip, zlib and numpy raise a dozen sorts of them, by where the damage is
        raise ValueError(f"{path} is no checkpoint of a training run") from error
    if head.get("format") != FORMAT:
        raise ValueError(f"{path} is a checkpoint of another format: {head.get('format')!r:.50}")
    try:
        _check(head)
        moments = {"mean": _of("mean", arrays), "square": _of("square", arrays), "steps": arrays["steps"]}
        return Progress(
            Settings.from_dict(head["settings"]), _of("params", arrays), moments,
            [_of(f"past{number}", arrays) for number in range(head["past"])],
            head["updates"], head["decisions"], head["games"], head["seconds"], head["processor"], head["curve"],
            head["earlier"], str(head.get("map_hash", "")),
        )  # fmt: skip
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        missing = "it does not say " if isinstance(error, KeyError) else ""
        raise ValueError(f"{path} is no checkpoint of a training run: {missing}{error}") from error


def _check(head: Mapping[str, Any]) -> None:
    """ValueError if a head does not say what whoever goes on counts on."""
    for name, sort in (
        ("updates", int), ("decisions", int), ("games", int), ("seconds", (int, float)), ("processor", (int, float)),
    ):  # fmt: skip
        if not _is_count(head[name], sort):
            raise ValueError(f"{name} is {head[name]!r:.50}")
    if not (_is_count(head["past"], int) and 1 <= head["past"] <= MOST_PAST):
        raise ValueError(f"it has {head['past']!r:.50} past selves, and 1 to {MOST_PAST:,} are known")
    for name in ("earlier", "curve"):
        if not (isinstance(head[name], list) and all(isinstance(one, dict) for one in head[name])):
            raise ValueError(f"{name} is no list of records")
    for point in head["curve"]:
        if not all(_is_count(point[name], (int, float)) for name in ("minutes", "processor", "games", "decisions")):
            raise ValueError("a point of its curve does not say when it was")
    for row in rows(head["curve"]):
        rival, *numbers = row.pop("rival"), *row.values()
        if {"rival", *row} != set(COLUMNS) or not (isinstance(rival, str) and rival.isascii()):
            raise ValueError(f"a row of its curve has {', '.join(sorted(row))!r:.200}")
        if not all(isinstance(number, int | float) and abs(number) < 1 << 53 for number in numbers):
            raise ValueError("its curve has something that is no number")


def _is_count(number: object, sort: Any) -> bool:
    return isinstance(number, sort) and not isinstance(number, bool) and 0 <= number < 1 << 53


def check_network(path: Path, progress: Progress, shapes: Mapping[str, Any]) -> None:
    """ValueError if a run has another network than one of these shapes, or one that is no longer made of numbers."""
    moments = progress.moments
    for what, part in (
        ("network", progress.params), ("moments", moments["mean"]), ("moments", moments["square"]),
        *(("past selves", past) for past in progress.past),
    ):  # fmt: skip
        if {name: np.shape(array) for name, array in part.items()} != {name: one.shape for name, one in shapes.items()}:
            raise ValueError(f"{path} is damaged: its {what} do not fit its settings")
        if not all(array.dtype == np.float32 and np.isfinite(array).all() for array in map(np.asarray, part.values())):
            raise ValueError(f"{path} is damaged: its {what} are not made of numbers")
    if any((np.asarray(part) < 0).any() for part in moments["square"].values()):
        raise ValueError(f"{path} is damaged: its moments have squares below 0")
    steps = np.asarray(moments["steps"])
    if steps.shape != () or steps.dtype != np.float32 or not 0 <= steps < np.inf:
        raise ValueError(f"{path} is damaged: its moments are after {steps!r:.50} steps")


def _named(prefix: str, params: Params) -> dict[str, Any]:
    return {f"{prefix}.{name}": np.asarray(part) for name, part in params.items()}


def _of(prefix: str, arrays: dict[str, Any]) -> Params:
    return {name.partition(".")[2]: part for name, part in arrays.items() if name.startswith(prefix + ".")}
