"""Runs a match on all cores or on a cluster, writes every game down as it comes, and goes on where it was stopped."""

from collections.abc import Callable
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from branchline.arena.legs import add, pack, read
from branchline.arena.match import Match, play, seated
from branchline.bots.base import Bot
from branchline.files import alone
from branchline.spread import spread

_bots: dict[Match, list[Bot]] = {}


def run(
    match: Match,
    out: Path | None = None,
    workers: int | None = None,
    seen: Callable[[list[dict[str, Any]]], None] = lambda rows: None,
    *,
    records: Path | None = None,
    ray: str | None = None,
) -> tuple[list[dict[str, Any]], bool]:
    """Play what is missing of a match; all its games, and whether it is whole. Ctrl-C stops it with what there is.

    `out` is the checkpoint, a file of JSON lines that is compressed when the match is whole; `seen` is called with all
    rows after each game. `records` is a folder for the games of a keyed match, `ray` the address of a cluster.
    """
    with alone(out) if out is not None else nullcontext():
        return _run(match, out, workers, seen, records, ray)


def _run(
    match: Match,
    out: Path | None,
    workers: int | None,
    seen: Callable[[list[dict[str, Any]]], None],
    records: Path | None,
    ray: str | None,
) -> tuple[list[dict[str, Any]], bool]:
    rows = read(match, out) if out is not None else []
    done = {(row["deal"], row["rotation"]) for row in rows}
    jobs = ((d, r) for d in range(match.deals) for r in range(match.rotations) if (d, r) not in done)
    seen(rows)
    played = spread(partial(_play, match, records), jobs, workers=workers, ray=ray, ordered=False)
    try:
        with closing(played):
            for row in played:
                rows.append(row)
                if out is not None:
                    add(out, row)
                seen(rows)
    except KeyboardInterrupt:
        return rows, False
    if out is not None:
        pack(out)
    return rows, True


def _play(match: Match, records: Path | None, job: tuple[int, int]) -> dict[str, Any]:
    if match not in _bots:
        _bots[match] = [seated(spec) for spec in match.bots]
    return play(match, *job, _bots[match], records)
