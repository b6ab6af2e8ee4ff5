"""How hard a puzzle is, on a scale of Elo: which bots find it how often."""

from collections.abc import Mapping

LEVELS = {"novice": 1000, "amateur": 1200, "regular": 1400, "expert": 1800}
"""Where the levels stand; four hundred points are ten to one."""
EASIEST, HARDEST = 600, 2200


def rating(found: Mapping[str, float]) -> int:
    """The rating at which these levels would find it as often, taken together, as they did."""
    hits = sum(found[level] for level in LEVELS)
    low, high = EASIEST, HARDEST
    while high - low > 1:
        middle = (low + high) // 2
        if sum(1 / (1 + 10 ** ((middle - elo) / 400)) for elo in LEVELS.values()) > hits:
            low = middle
        else:
            high = middle
    return low
