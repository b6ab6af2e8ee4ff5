"""Measures shipped puzzles anew, in worlds that did not choose them: `python -m scripts.fit.puzzles rows.jsonl`.

Whatever was chosen for its figures is flattered by them; this tells by how much. Each puzzle is a line of the file, so
that it can be stopped and gone on with; they come in an order that does not depend on how good they are. `--write` puts
the new figures, without what is no longer clearly best, in the place of those shipped, and with them the puzzles of
sets that `branchline puzzles make` made. With `--map`, that one alone; `--reasons` only tells anew why the answers of
the shipped ones are good.
"""

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from itertools import chain
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

from branchline.bots import to_index
from branchline.engine.shuffle import Rng
from branchline.maps import load_map
from branchline.review.puzzles import Puzzle, shipped
from branchline.review.puzzles.format import FORMAT, meaning
from branchline.review.puzzles.making import LEAD, Maker
from branchline.review.puzzles.sets import PuzzleSet

MAPS = ("europe", "new-york")
ROOM = Path("src/branchline/review/puzzles")


def digest(puzzle: Puzzle) -> bytes:
    return sha256(f"measured anew {puzzle.id}".encode()).digest()


def anew(maker: Maker, puzzle: Puzzle) -> Puzzle:
    """The same puzzle with other worlds."""
    view = puzzle.view()
    options = [to_index(view, action) for action in (puzzle.best, *(answer.action for answer in puzzle.others))]
    return maker.measured(view, options, puzzle.kind, Rng(int.from_bytes(digest(puzzle)[:7], "big")), puzzle.id)


def holds(puzzle: Puzzle) -> bool:
    """Whether the best is clearly best."""
    return puzzle.lead.value >= LEAD and puzzle.lead.value > 1.96 * puzzle.lead.error


def once(puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """Without what a seat had been asked for before in the same game."""
    asked: dict[object, Puzzle] = {}
    for puzzle in sorted(puzzles, key=place):
        view = puzzle.view()
        asked.setdefault((puzzle.id.rpartition("-")[0], view.seat, meaning(view, puzzle.best)), puzzle)
    return list(asked.values())


def place(puzzle: Puzzle) -> list[int]:
    """Where it stands in a set: by game and log entry."""
    return [int(part) for part in puzzle.id.split("-") if part.isdigit()]


def explained(maker: Maker, puzzle: Puzzle) -> Puzzle:
    """The same puzzle with the reason that would be given now."""
    view = puzzle.view()
    return replace(puzzle, reason=maker.judge.reason(view, to_index(view, puzzle.best)))


def write(map: str, judge: str, puzzles: list[Puzzle]) -> None:
    """Write the shipped set of a map, in the order of games and log entries."""
    head = {"format": FORMAT, "map": map, "judge": judge}
    lines = ",\n".join(
        json.dumps(puzzle.to_dict(), ensure_ascii=False, separators=(",", ":")) for puzzle in sorted(puzzles, key=place)
    )
    (ROOM / f"{map}.json").write_text(f'{json.dumps(head)[:-1]}, "puzzles": [\n{lines}\n]}}\n', encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rows", type=Path, help="the file of puzzles measured anew, gone on with")
    parser.add_argument("--puzzles", type=int, default=1000, help="of each map; those in the file count")
    parser.add_argument("--map", choices=MAPS, help="this one alone")
    parser.add_argument("--reasons", action="store_true", help="measure nothing; write the reasons anew")
    parser.add_argument("--write", nargs="*", type=Path, metavar="SET", help="write the sets, with what these hold")
    args = parser.parse_args()
    lines = args.rows.read_text("utf-8").splitlines() if args.rows.exists() else []
    done = {puzzle.id: puzzle for puzzle in (Puzzle.from_dict(json.loads(line)) for line in lines)}
    makers = {map: Maker(load_map(map)) for map in MAPS if args.map in (None, map)}
    if args.reasons:
        for map, maker in makers.items():
            judge = json.loads((ROOM / f"{map}.json").read_text("utf-8"))["judge"]
            write(map, judge, [explained(maker, puzzle) for puzzle in shipped() if puzzle.map == map])
        return
    order = sorted(shipped(), key=digest)
    for map, maker in makers.items():
        for puzzle in [puzzle for puzzle in order if puzzle.map == map][: args.puzzles]:
            if puzzle.id not in done:
                done[puzzle.id] = anew(maker, puzzle)
                with args.rows.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(done[puzzle.id].to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n")
    for map in makers:
        both = [(puzzle, done[puzzle.id]) for puzzle in order if puzzle.map == map and puzzle.id in done]
        if len(both) > 1:
            change = [100 * (new.lead.value - old.lead.value) for old, new in both]
            leads = [100 * mean(one.lead.value for one in side) for side in zip(*both, strict=True)]
            sure = sum(new.lead.value > 1.96 * new.lead.error for _, new in both)
            above = sum(new.lead.value > 0 for _, new in both)
            error = 1.96 * stdev(change) / sqrt(len(change))
            sys.stdout.write(f"{map}: {len(both)} puzzles, mean lead stored {leads[0]:.1f} %, anew {leads[1]:.1f} %, ")
            sys.stdout.write(f"change {mean(change):+.1f} ± {error:.1f}; above nothing {above}, surely {sure}\n")

    if args.write is not None:
        more = [PuzzleSet.from_dict(json.loads(file.read_text("utf-8"))).puzzles for file in args.write]
        found = {puzzle.id: puzzle for puzzle in (*done.values(), *chain(*more)) if holds(puzzle)}
        for map, maker in makers.items():
            mine = once(puzzle for puzzle in found.values() if puzzle.map == map)
            write(map, maker.judge.name, [explained(maker, puzzle) for puzzle in mine])


if __name__ == "__main__":
    main()
