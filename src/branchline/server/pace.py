"""How long a turn may take: no clock, seconds, or days. Deadlines are wall-clock times, so they outlive the process."""

from branchline.server.messages import DAYS, SECONDS, Pace

DAY = 86_400.0
GRACE = 15.0
"""Seconds that people get at least, after a restart, to come back before a clock runs out."""


def seconds(pace: Pace) -> float | None:
    """How long a turn may take; None without a clock."""
    if pace.kind == SECONDS:
        return float(pace.length)
    if pace.kind == DAYS:
        return pace.length * DAY
    return None


def deadline(pace: Pace, now: float) -> float | None:
    """When a turn that begins now is over."""
    length = seconds(pace)
    return None if length is None else now + length


def is_absent(pace: Pace, gone: float | None, missed: int, patience: float) -> bool:
    """Whether a person has been away for longer than the table should wait.

    `gone` is for how many seconds they have had no socket, None with one; `missed` counts the turns in a row that
    the clock played for them.
    """
    length = seconds(pace)
    if length is not None and missed:
        return True
    return gone is not None and gone >= (patience if length is None else length)
