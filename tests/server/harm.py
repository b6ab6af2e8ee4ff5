"""What may go wrong in a process that works for the server: functions that can travel there."""

import os
import signal
import time

from branchline.killable import Told


def double(number: int) -> int:
    return number * 2


def forever() -> None:
    sum(1 for _ in iter(int, 1))


def asleep() -> None:
    time.sleep(1_000)


def hoard() -> int:
    return len([bytes(10_000_000) for _ in range(1_000)])


def refuse() -> None:
    raise Told("record", "log: not a list", None, 422)


def crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def wrong() -> None:
    raise KeyError("secret")
