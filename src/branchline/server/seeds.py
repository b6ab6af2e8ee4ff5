"""The verifiable shuffle: a secret committed to first, nonces from the people after, all of it told at the end."""

import hashlib
import json
from collections.abc import Sequence


def commitment(seed: bytes) -> str:
    """What is published of a seed when its table is opened: its SHA-256, which no other seed has."""
    return hashlib.sha256(seed).hexdigest()


def entropy(table: str, nonces: Sequence[str]) -> bytes:
    """What is mixed into the seed: the table's id and one nonce a seat, empty for bots, as compact JSON."""
    return json.dumps({"table": table, "nonces": list(nonces)}, separators=(",", ":")).encode()
