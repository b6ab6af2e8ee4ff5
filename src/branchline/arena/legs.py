"""Games on disk: JSON lines while they are played, one compressed file when a leg is whole.

A leg is a match, or several of a ladder one after the other: a line with the match, then a line for each game.
"""

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from branchline.arena.match import Match
from branchline.arena.rows import read_line, read_match, read_row
from branchline.bots.registry import fingerprint
from branchline.files import aside
from branchline.maps import load_map

FORMAT = "branchline-arena-1"
LARGEST = 1 << 28
"""Bytes of a file of games, unpacked: some hundred thousand of them."""

Leg = list[tuple[Match, list[dict[str, Any]]]]


def packed(path: Path) -> Path:
    """Where the games of a checkpoint stand once they are all there."""
    return path.with_name(path.name + ".gz")


def read(match: Match, path: Path) -> list[dict[str, Any]]:
    """The games of a checkpoint, which is begun if there is none; ValueError if it belongs to another match."""
    head = {
        "format": FORMAT, **match.to_dict(), "map_hash": load_map(match.map).hash,
        "code": {bot: fingerprint(bot) for bot in dict.fromkeys(match.bots)},
    }  # fmt: skip
    source = packed(path) if packed(path).exists() else path
    data = _bytes(source) if source.exists() else b""
    begun = (json.dumps(head) + "\n").encode()
    if begun.startswith(data):  # nothing, or what was cut off in its first line
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(begun)
        return []
    first, *lines = _lines(source, data)
    with _named(source, 1):
        found = read_line(first)
    found.setdefault("map_hash", head["map_hash"])  # files of earlier versions do not say
    try:
        _check_head(path, found, head)
    except RecursionError:
        raise ValueError(f"{path} holds another match; name another folder") from None
    rows: dict[tuple[int, int], dict[str, Any]] = {}
    map = load_map(match.map)
    sizes = len(map.routes), len(map.tickets)
    for number, line in enumerate(lines, 2):
        with _named(source, number):
            row = read_row(match, line)
            if "owners" in row and (len(row["owners"]), len(row["holders"])) != sizes:
                raise ValueError(f"it has not the {sizes[0]} routes and {sizes[1]} tickets of {map.id}")
        if row["deal"] < match.deals and row["rotation"] < match.rotations:
            rows.setdefault((row["deal"], row["rotation"]), row)
    if source != path:
        path.write_bytes(data)
        source.unlink()
    elif not data.endswith(b"\n"):  # the last run was cut off in the middle of a line
        os.truncate(path, data.rindex(b"\n") + 1)
    return list(rows.values())


def _check_head(path: Path, found: dict[str, Any], head: dict[str, Any]) -> None:
    """ValueError if a file's first line is not the one with which this match would begin it."""
    code = found.get("code")
    code = code if isinstance(code, dict) else {}
    changed = [bot for bot, now in head["code"].items() if code.get(bot) != now]
    if changed and {**found, "games": 0, "code": 0} == {**head, "games": 0, "code": 0}:
        raise ValueError(f"{path} was played by other code of {', '.join(changed)}; name another folder")
    others = [name for name in head if name not in ("games", "code") and found.get(name) != head[name]]
    if others or {**found, "games": 0} != {**head, "games": 0}:
        told = ", ".join(
            f"{name} {json.dumps(found.get(name)):.100} and not {json.dumps(head[name]):.100}" for name in others
        )
        raise ValueError(f"{path} holds another match: {told or 'of another version'}; name another folder")


def _bytes(path: Path) -> bytes:
    """What stands in a file of games, unpacked; ValueError if that is too much, or no such file."""
    try:
        if not path.is_file():  # to open a pipe is to wait for somebody who writes
            raise ValueError(f"{path} is no file")
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ValueError(f"{path} is damaged: it can't be unpacked") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    if len(data) > LARGEST:
        raise ValueError(f"{path} is larger than a file of games may be")
    return bytes(data)


def _lines(path: Path, data: bytes) -> list[str]:
    """The lines that are whole, at least one; ValueError if it is no text."""
    try:
        lines = data.decode().split("\n")[:-1]
    except UnicodeDecodeError:
        lines = []
    if not lines:
        raise ValueError(f"{path} is no file of games")
    return lines


@contextmanager
def _named(path: Path, number: int) -> Iterator[None]:
    """What is wrong with a line is told with where it stands."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{path}, line {number}: {error}") from None


def add(path: Path, row: Mapping[str, Any]) -> None:
    """Write one more game down."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def pack(path: Path) -> None:
    """Compress a checkpoint that is whole; the same games give the same file."""
    with aside(packed(path)) as file:
        file.write(gzip.compress(path.read_bytes(), mtime=0))
    path.unlink()


def write_leg(path: Path, leg: Iterable[tuple[Match, Iterable[Mapping[str, Any]]]]) -> None:
    """Write several matches into one compressed file."""
    lines = []
    for match, rows in leg:
        lines += [json.dumps({"format": FORMAT, **match.to_dict()}), *(json.dumps(row) for row in rows)]
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))


def read_leg(path: Path) -> Leg:
    """The matches of a compressed file, with their games; ValueError if it is none."""
    out: Leg = []
    for number, line in enumerate(_lines(path, _bytes(path)), 1):
        with _named(path, number):
            _add_line(out, line)
    return out


def _add_line(leg: Leg, line: str) -> None:
    """A match is one more; a game belongs to the last."""
    head = read_line(line)
    if head.pop("format", None) == FORMAT:
        for name in ("code", "map_hash"):
            head.pop(name, None)
        leg.append((read_match(head), []))
    elif leg:
        match, rows = leg[-1]
        rows.append(read_row(match, line))
    else:
        raise ValueError("that is no match")
