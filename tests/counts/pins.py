"""What the pinned numbers are taken from. `python -m tests.counts.pins` writes pins.json anew.

A number that changes means that bots, environments or records of before mean something else now: say so in the
changelog, and raise ACTIONS_VERSION or the rules' version with it.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from branchline import Game, Rng, load_map
from branchline.codec import to_line
from branchline.count import count
from branchline.engine.board import ACTIONS_VERSION
from branchline.engine.playout import playout
from branchline.engine.scoring import Scores
from branchline.engine.setup import deal
from branchline.engine.shuffle import Shuffler
from branchline.names import names_of
from tests.maps.islands import islands
from tests.oracles.players import choose

PINS = Path(__file__).parent / "pins.json"
TABLES = [("europe", seats) for seats in (2, 3, 4, 5)] + [("new-york", seats) for seats in (2, 3, 4)]

FAST, FEW_FAST = 400, 24
"""Games of the fast road in the checksum, compiled and not."""
KEYED, FEW_KEYED = 42, 7
"""Games with keyed shuffles in the checksum, compiled and not."""


def position(id: str, seats: int, actions: int) -> Game:
    """A seeded game after so many actions of somebody who claims what he can."""
    game = Game.new(load_map(islands() if id == "islands" else id), seats, seed=1000 + seats)
    rng = Random(actions)
    while len(game.log) < actions:
        seat = game.to_act[0]
        game.play_index(seat, choose(game, seat, rng, "claimer"))
    return game


COUNTED = [
    ("islands", 2, 0, 6), ("islands", 2, 6, 5), ("islands", 2, 14, 5),
    ("europe", 2, 0, 4), ("europe", 3, 0, 3), ("europe", 4, 0, 4), ("europe", 5, 0, 4), ("europe", 2, 40, 4),
    ("europe", 4, 90, 4), ("europe", 5, 200, 4),
    ("new-york", 2, 0, 6), ("new-york", 3, 0, 4), ("new-york", 4, 0, 4), ("new-york", 2, 20, 5), ("new-york", 4, 50, 5),
]  # fmt: skip
"""Map, seats, actions before, depth."""


def counts() -> dict[str, list[int]]:
    """Lines to each depth."""
    return {
        f"{id} {seats} after {actions}": [count(position(id, seats, actions), n) for n in range(1, depth + 1)]
        for id, seats, actions, depth in COUNTED
    }


LISTED = [("islands", 2, 0), ("islands", 2, 6), ("new-york", 3, 12), ("europe", 3, 30)]


def lists() -> dict[str, list[str]]:
    """Legal actions in their order, to be read."""
    out = {}
    for id, seats, actions in LISTED:
        game = position(id, seats, actions)
        out[f"{id} {seats} after {actions}"] = [to_line(action) for action in game.legal_actions(game.to_act[0])]
    return out


def order(id: str, seats: int) -> str:
    """A hash over the legal indices of every seat at every step of a seeded game, and their number."""
    digest = sha256()
    game = Game.new(id, seats, seed=7)
    rng = Random(7)
    for _ in range(400):
        if game.over:
            break
        for seat in game.to_act:
            digest.update(repr(game.legal_indices(seat)).encode())
        seat = game.to_act[0]
        game.play_index(seat, choose(game, seat, rng, ("random", "claimer", "builder")[game.turn % 3]))
    return digest.hexdigest()


def fast_games() -> Iterator[str]:
    """After each game of uniformly random actions, the checksum over all so far."""
    digest = sha256()
    n = 0
    while True:
        id, seats = TABLES[n % len(TABLES)]
        state = deal(names_of(load_map(id)).board, seats, Shuffler(b"", n))
        playout(state, Rng(n))
        scores = Scores(state)
        parts = [scores.total, scores.rank, scores.tickets, scores.completed, scores.trail, scores.attractions]
        digest.update(repr((state.numbers(), [list(part) for part in parts], int(scores.decided))).encode())
        n += 1
        yield digest.hexdigest()


def keyed_games() -> Iterator[str]:
    """The same for games with shuffles that can be verified, with all their events and readable scores."""
    digest = sha256()
    n = 0
    while True:
        id, seats = TABLES[n % len(TABLES)]
        game = Game.new(id, seats, seed=f"checksum {n}")
        rng = Rng(n)
        for event in game.opening_events():
            digest.update(to_line(event).encode())
        while not game.over:
            seat = game.to_act[0]
            indices = game.legal_indices(seat)
            for event in game.play_index(seat, indices[rng.below(len(indices))]):
                digest.update(to_line(event).encode())
        digest.update(json.dumps(game.scores().to_dict()).encode())
        n += 1
        yield digest.hexdigest()


def after(checksums: Iterator[str], games: int) -> str:
    """The checksum over so many games."""
    return next(checksum for n, checksum in enumerate(checksums, 1) if n == games)


def pins() -> dict[str, Any]:
    return {
        "actions_version": ACTIONS_VERSION,
        "actions": {id: int(names_of(load_map(id)).board.actions) for id in ("europe", "new-york")},
        "counts": counts(),
        "order": {f"{id} {seats}": order(id, seats) for id, seats in TABLES},
        "fast": {str(n): after(fast_games(), n) for n in (FEW_FAST, FAST)},
        "keyed": {str(n): after(keyed_games(), n) for n in (FEW_KEYED, KEYED)},
        "lists": lists(),
    }


if __name__ == "__main__":
    PINS.write_text(json.dumps(pins(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
