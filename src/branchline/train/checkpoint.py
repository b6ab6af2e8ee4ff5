"""A run on disk: everything it needs to go on after it was killed, in one file that is replaced as a whole."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from branchline.train.net import Params
from branchline.train.settings import Settings

FORMAT = "branchline-training-1"


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
    }  # fmt: skip
    arrays["head"] = np.frombuffer(json.dumps(head).encode(), np.uint8)
    new = path.with_name(path.name + ".new")
    with new.open("wb") as file:
        np.savez(file, **arrays)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def load(path: Path) -> Progress:
    """The run that `save` wrote; ValueError if the file is none."""
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            arrays = {name: file[name] for name in file.files}
        head = dict(json.loads(arrays["head"].tobytes()))
    except Exception as error:  # zip, zlib and numpy raise a dozen sorts of them, by where the damage is
        raise ValueError(f"{path} is no checkpoint of a training run") from error
    if head.get("format") != FORMAT:
        raise ValueError(f"{path} is a checkpoint of another format: {head.get('format')}")
    try:
        moments = {"mean": _of("mean", arrays), "square": _of("square", arrays), "steps": arrays["steps"]}
        return Progress(
            Settings.from_dict(head["settings"]), _of("params", arrays), moments,
            [_of(f"past{number}", arrays) for number in range(head["past"])],
            head["updates"], head["decisions"], head["games"], head["seconds"], head["processor"], head["curve"],
            head["earlier"],
        )  # fmt: skip
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path} is no checkpoint of a training run") from error


def _named(prefix: str, params: Params) -> dict[str, Any]:
    return {f"{prefix}.{name}": np.asarray(part) for name, part in params.items()}


def _of(prefix: str, arrays: dict[str, Any]) -> Params:
    return {name.partition(".")[2]: part for name, part in arrays.items() if name.startswith(prefix + ".")}
