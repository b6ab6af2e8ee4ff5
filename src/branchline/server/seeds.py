"""The verifiable shuffle: a secret committed to first, nonces from the people after, all of it told at the end."""

import json
from collections.abc import Sequence

from branchline.record import commitment
from branchline.review import deals
from branchline.server.head import Head

__all__ = ["DAY", "commitment", "entropy", "entropy_of"]

DAY = "day-"
"""How the id of a deal of the day begins."""


def entropy(table: str, nonces: Sequence[str]) -> bytes:
    """What is mixed into the seed: the table's id and one nonce a seat, empty for bots, as compact JSON."""
    return json.dumps({"table": table, "nonces": list(nonces)}, separators=(",", ":")).encode()


def entropy_of(head: Head, table: str) -> bytes:
    """What is mixed into a table's seed; in a challenge the same for everybody who plays it."""
    if head.challenge is None:
        return entropy(table, [sitter.nonce for sitter in head.sitters])
    day = head.challenge.removeprefix(DAY)
    name = head.challenge if day == head.challenge else f"day {day}"
    return deals.entropy(name, head.map, len(head.sitters))
