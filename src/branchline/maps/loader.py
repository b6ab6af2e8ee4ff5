"""Loads a map: one of ours by its id, a file, or data already parsed."""

import copyreg
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from branchline.maps.build import build
from branchline.maps.check import check, check_data
from branchline.maps.fault import Fault, MapError
from branchline.maps.model import Map

BUNDLED = ("europe", "new-york")
"""The ids of the maps that come with Branchline."""


def load_map(source: str | Path | Mapping[str, Any]) -> Map:
    """Load a map by its id (`"europe"`), from a map file, or from the data of one.

    Raises MapError with all faults of a map that cannot be played.
    """
    if isinstance(source, Mapping):
        faults = check_data(source)
        if faults:
            raise MapError(faults)
        return build(source)
    if source in BUNDLED:
        return _bundled(str(source))
    content = _content(source)
    faults = check(content)
    if faults:
        raise MapError(faults)
    return build(json.loads(content))


def _content(path: str | Path) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        message = f"{reason}; the maps that come along are {' and '.join(BUNDLED)}"
        raise MapError([Fault(0, str(path), message)]) from None


@cache
def _bundled(id: str) -> Map:
    # The tests check these files; checking them again would cost more than the rest of loading.
    return build(json.loads((Path(__file__).parent / f"{id}.json").read_bytes()))


def _pickled(map: Map) -> tuple[Callable[..., Map], tuple[object, ...]]:
    """How a pickle gets a map back: ours by its id, any other from its data."""
    if map.id in BUNDLED and map is _bundled(map.id):
        return load_map, (map.id,)
    return build, (map.to_dict(),)


copyreg.pickle(Map, _pickled)
