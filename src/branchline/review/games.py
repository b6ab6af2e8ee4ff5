"""Which records can be learned from, and which game one tells."""

import json
from hashlib import sha256

from branchline.codec import to_line
from branchline.record import Record


class NotReviewed(ValueError):
    """Why a record can't be used, in words."""


def check(record: Record) -> None:
    """Refuse a game that has not ended, or a record that does not hold: NotReviewed says why."""
    if record.result is None:
        raise NotReviewed("the game has not ended: only a finished game can be looked into")
    for found in record.verify().checks:
        if not found.ok:
            raise NotReviewed(f"the record does not hold: {_FAULTS.get(found.what, f'{found.what}: {found.detail}')}")


_FAULTS = {
    "map": "it was played on another map, or on another version of this one",
    "seed": "its seed does not give the key of its shuffles",
    "commitment": "its seed is not the one that was committed to before the deal",
    "result": "its result is not what its actions come to",
}
"""What is wrong where a check says only what should be."""


def game_hash(record: Record) -> str:
    """Which game a record tells: equal for equal games, whoever played them."""
    log = [[seat, to_line(action)] for seat, action in record.log]
    told = [record.map_hash, record.rules, len(record.players), record.key.hex(), record.first, log]
    return sha256(json.dumps(told, separators=(",", ":")).encode()).hexdigest()
