"""Ctrl-C, heeded also where JAX would lose it."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LOSES = "_xla_gc_callback"
"""JAX tidies up in this function whenever Python does, and what is raised there never comes out of it."""
AGAIN = 0.05
"""Seconds after which an interrupt that would have been lost is tried again."""


@contextmanager
def heeding() -> Iterator[None]:
    """Ctrl-C interrupts what is done meanwhile, also when it is pressed while JAX tidies up."""
    ours = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    alarm = signal.signal(signal.SIGALRM, _press)
    signal.signal(signal.SIGINT, _press)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGALRM, alarm)


def _press(_: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_code.co_name == LOSES:
            signal.setitimer(signal.ITIMER_REAL, AGAIN)
            return
        frame = frame.f_back
    raise KeyboardInterrupt
