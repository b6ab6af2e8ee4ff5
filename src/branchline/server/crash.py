"""Crash points: places where tests let the process die. Without `BRANCHLINE_CRASH` they do nothing."""

import os
import signal
from itertools import count

_POINT, _, _HIT = os.environ.get("BRANCHLINE_CRASH", "").partition(":")
_hits = count(1)

BEFORE_COMMIT = "before-commit"
AFTER_COMMIT = "after-commit"
AFTER_ACKNOWLEDGEMENT = "after-acknowledgement"
BEFORE_ANNOUNCING = "before-announcing"


def point(name: str) -> None:
    """Die here, as by a power cut, if `BRANCHLINE_CRASH=name:hit` asks for this point and hit."""
    if name == _POINT and next(_hits) == int(_HIT or 1):
        os.kill(os.getpid(), signal.SIGKILL)
