"""Loads a map: one of ours by its id, a file, or data already parsed."""

import copyreg
import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from branchline.maps.build import build
from branchline.maps.check import check, check_data
from branchline.maps.fault import Fault, MapError
from branchline.maps.model import Map

BUNDLED = ("europe", "new-york")
"""The ids of the maps that come with Branchline."""


LARGEST = 2_000_000
"""Bytes of a map file; the largest map within the limits has a fraction of that."""


def load_map(source: str | Path | Mapping[str, Any]) -> Map:
    """Load a map by its id (`"europe"`), from a map file, or from the data of one.

    Raises MapError with all faults of a map that cannot be played. A text that is no id is a path, and opened: what
    came from elsewhere goes to `map_from_data`.
    """
    if isinstance(source, Mapping):
        faults = check_data(source)
        if faults:
            raise MapError(faults)
        return build(source)
    if not isinstance(source, str | Path):
        raise MapError([Fault(0, "map", "expected the id of a map, a map file, or the data of one")])
    if source in BUNDLED:
        return _bundled(str(source))
    content = _content(source)
    faults = check(content)
    if faults:
        raise MapError(faults)
    return build(json.loads(content))


def map_from_data(data: object, maps: Iterable[Map] = ()) -> Map:
    """The map that a record or a position names or holds: ours or one of `maps` by its id, or the data of any other.

    No file is ever opened: what strangers send can't name one.
    """
    if isinstance(data, Mapping):
        return load_map(data)
    offered = {map.id: map for map in maps}
    if isinstance(data, str) and data in offered:
        return offered[data]
    if isinstance(data, str) and data in BUNDLED:
        return _bundled(data)
    name = repr(data[:40]) if isinstance(data, str) else "that"
    known = " or ".join([*BUNDLED, *offered])
    raise MapError([Fault(0, "map", f"no map is called {name}; expected {known}, or the whole data of another")])


def _content(path: str | Path) -> bytes:
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        message = f"{reason}; the maps that come along are {' and '.join(BUNDLED)}"
        raise MapError([Fault(0, str(path), message)]) from None
    if len(content) > LARGEST:
        raise MapError([Fault(0, str(path), f"larger than {LARGEST // 1_000_000} MB")])
    return content


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
