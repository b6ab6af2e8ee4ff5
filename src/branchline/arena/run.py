"""Runs a match on all cores, writes every game down as it comes, and goes on where it was stopped."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from branchline.arena.match import Match, play, seated
from branchline.bots.base import Bot

FORMAT = "branchline-arena-1"

_bots: dict[Match, list[Bot]] = {}


def run(
    match: Match,
    out: Path | None = None,
    workers: int | None = None,
    seen: Callable[[list[dict[str, Any]]], None] = lambda rows: None,
) -> tuple[list[dict[str, Any]], bool]:
    """Play what is missing of a match; all its games, and whether it is whole. Ctrl-C stops it with what there is.

    `out` is the checkpoint, a file of JSON lines; `seen` is called with all rows after each game.
    """
    rows = read(match, out) if out is not None else []
    done = {(row["deal"], row["rotation"]) for row in rows}
    jobs = [(d, r) for d in range(match.deals) for r in range(match.seats) if (d, r) not in done]
    seen(rows)
    try:
        for row in _played(match, jobs, workers or os.cpu_count() or 1):
            rows.append(row)
            if out is not None:
                with out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
            seen(rows)
    except KeyboardInterrupt:
        return rows, False
    return rows, True


def read(match: Match, path: Path) -> list[dict[str, Any]]:
    """The games of a checkpoint, which is begun if there is none; ValueError if it belongs to another match."""
    head = {"format": FORMAT, **match.to_dict()}
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(head) + "\n", encoding="utf-8")
        return []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    found = json.loads(lines[0])
    if {**found, "games": 0} != {**head, "games": 0}:
        raise ValueError(f"{path} holds another match: {', '.join(found.get('bots', []))} on {found.get('map')}")
    rows = [json.loads(line) for line in lines[1:] if line.endswith("\n")]
    if lines and not lines[-1].endswith("\n"):  # the last run was cut off in the middle of a line
        path.write_text("".join(line for line in lines if line.endswith("\n")), encoding="utf-8")
    return [row for row in rows if row["deal"] < match.deals]


def _played(match: Match, jobs: list[tuple[int, int]], workers: int) -> Iterator[dict[str, Any]]:
    if workers == 1:
        bots = [seated(spec) for spec in match.bots]
        for deal, rotation in jobs:
            yield play(match, deal, rotation, bots)
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_ignore_interrupt)
    try:
        waiting: set[Future[dict[str, Any]]] = set()
        left = iter(jobs)
        while True:
            while len(waiting) < workers * 2 and (job := next(left, None)) is not None:
                waiting.add(pool.submit(_play, match, *job))
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _play(match: Match, deal: int, rotation: int) -> dict[str, Any]:
    if match not in _bots:
        _bots[match] = [seated(spec) for spec in match.bots]
    return play(match, deal, rotation, _bots[match])


def _ignore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
