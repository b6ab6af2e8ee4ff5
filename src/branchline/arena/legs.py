"""Games on disk: JSON lines while they are played, one compressed file when a leg is whole.

A leg is a match, or several of a ladder one after the other: a line with the match, then a line for each game.
"""

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from branchline.arena.match import Match
from branchline.bots.registry import fingerprint

FORMAT = "branchline-arena-1"

Leg = list[tuple[Match, list[dict[str, Any]]]]


def packed(path: Path) -> Path:
    """Where the games of a checkpoint stand once they are all there."""
    return path.with_name(path.name + ".gz")


def read(match: Match, path: Path) -> list[dict[str, Any]]:
    """The games of a checkpoint, which is begun if there is none; ValueError if it belongs to another match."""
    head = {"format": FORMAT, **match.to_dict(), "code": {bot: fingerprint(bot) for bot in dict.fromkeys(match.bots)}}
    whole = gzip.decompress(packed(path).read_bytes()) if packed(path).exists() else None
    if whole is None and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(head) + "\n", encoding="utf-8")
        return []
    text = path.read_text(encoding="utf-8") if whole is None else whole.decode()
    lines = text.splitlines(keepends=True)
    found = json.loads(lines[0])
    changed = [bot for bot, code in head["code"].items() if found.get("code", {}).get(bot) != code]
    if changed and {**found, "games": 0, "code": 0} == {**head, "games": 0, "code": 0}:
        raise ValueError(f"{path} was played by other code of {', '.join(changed)}; name another folder")
    others = [name for name in head if name not in ("games", "code") and found.get(name) != head[name]]
    if others or {**found, "games": 0} != {**head, "games": 0}:
        told = ", ".join(f"{name} {json.dumps(found.get(name))} and not {json.dumps(head[name])}" for name in others)
        raise ValueError(f"{path} holds another match: {told or 'of another version'}; name another folder")
    if whole is not None:
        path.write_bytes(whole)
        packed(path).unlink()
    rows = [json.loads(line) for line in lines[1:] if line.endswith("\n")]
    if lines and not lines[-1].endswith("\n"):  # the last run was cut off in the middle of a line
        path.write_text("".join(line for line in lines if line.endswith("\n")), encoding="utf-8")
    return [row for row in rows if row["deal"] < match.deals and row["rotation"] < match.rotations]


def add(path: Path, row: Mapping[str, Any]) -> None:
    """Write one more game down."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def pack(path: Path) -> None:
    """Compress a checkpoint that is whole; the same games give the same file."""
    new = packed(path).with_suffix(".new")
    new.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    new.replace(packed(path))
    path.unlink()


def write_leg(path: Path, leg: Iterable[tuple[Match, Iterable[Mapping[str, Any]]]]) -> None:
    """Write several matches into one compressed file."""
    lines = []
    for match, rows in leg:
        lines += [json.dumps({"format": FORMAT, **match.to_dict()}), *(json.dumps(row) for row in rows)]
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))


def read_leg(path: Path) -> Leg:
    """The matches of a compressed file, with their games."""
    out: Leg = []
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        row = json.loads(line)
        if row.pop("format", None) == FORMAT:
            row.pop("code", None)
            out.append((Match.from_dict(row), []))
        else:
            out[-1][1].append(row)
    return out
