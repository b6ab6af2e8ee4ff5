"""A process that works for this one and can be killed: compiled code can't be interrupted any other way.

Bots think in such processes, at the tables of a server and in the arena, and what strangers upload is looked at in one.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

START = 60.0
"""Seconds that a new process gets until it is ready."""

Function = Callable[..., Any]


class Ended(Exception):
    """The process is no more, and what it was asked is not answered."""


class TooMuch(Ended):
    """It took more time or memory than it may, and has been ended."""


class Failed(Exception):
    """The function raised something; the process is well."""

    def __init__(self, kind: str, text: str) -> None:
        """The name of what was raised, and its words; they may hold what a stranger sent."""
        super().__init__(kind)
        self.text = text


class Told(Exception):
    """What a function raises to have its arguments told to whoever asked; it must be able to travel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What one function may take; None is without bound."""

    processor: float | None = None
    """Seconds of processor time for one function, kept by the system also when this process was killed meanwhile."""
    life: float | None = None
    """Seconds of processor time for all of them together."""
    memory: int | None = None
    """Bytes in all, beyond a bare start."""
    nice: int = 0
    """How much it lets others go first."""


class Killable:
    """A process that runs one function after another."""

    def __init__(self, bounds: Bounds, prepare: Function | None = None, *arguments: Any) -> None:
        """Starts it, and waits until it has run `prepare`: Failed if that failed, TooMuch if it does not end."""
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        given = (theirs, bounds, prepare, arguments)
        self._process = context.Process(target=_serve, args=given, daemon=True, name="branchline")
        self._process.start()
        theirs.close()
        try:
            self._answer(START)
        except Exception:
            self.kill()
            raise

    @property
    def alive(self) -> bool:
        """Whether it can be asked something."""
        return self._process.is_alive()

    def run(self, seconds: float, function: Function, *arguments: Any) -> Any:
        """What a function of some module returns. Blocks, for so long at most."""
        try:
            self._pipe.send((function, arguments))
        except (OSError, ValueError):
            self.kill()
            raise Ended from None
        return self._answer(seconds)

    def hold(self, held: bool) -> None:
        """Let it stand still where it is, or go on; where the system can't, it goes on."""
        with contextlib.suppress(Exception):
            os.kill(self._process.pid or 0, signal.SIGSTOP if held else signal.SIGCONT)

    def kill(self) -> None:
        """End it, whatever it does, and what it has begun."""
        pid = self._process.pid
        if pid is not None and hasattr(os, "killpg") and self._process.is_alive():
            with contextlib.suppress(OSError):  # it may not have got as far as to lead a group
                os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(Exception):
            self._process.kill()
            self._process.join(1)
            self._pipe.close()

    def _answer(self, seconds: float) -> Any:
        try:
            if not self._pipe.poll(seconds):
                self.kill()
                raise TooMuch
            answer = self._pipe.recv()
        except (EOFError, OSError):
            self.kill()
            raise Ended from None
        if isinstance(answer, MemoryError):
            self.kill()  # what is left of it is not to be trusted with anything else
            raise TooMuch
        if isinstance(answer, _Raised):
            raise Failed(answer.kind, answer.text)
        if isinstance(answer, Told):
            raise answer
        return answer


@dataclass(frozen=True, slots=True)
class _Raised:
    kind: str
    text: str


def _serve(pipe: Connection, bounds: Bounds, prepare: Function | None, given: tuple[Any, ...]) -> None:
    """The life of such a process: answer until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(AttributeError, OSError):
        os.setpgid(0, 0)  # what it begins ends with it
    if bounds.nice and hasattr(os, "nice"):
        os.nice(bounds.nice)
    end_with_parent()
    _say(pipe, _run(_ready, (prepare, given)))
    if bounds.memory is not None:
        _bound_memory(bounds.memory)
    if bounds.life is not None:
        _bound_time(bounds.life)
    while True:
        try:
            function, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        if bounds.processor is not None:
            _bound_time(bounds.processor)
        _say(pipe, _run(function, arguments))


def _say(pipe: Connection, answer: Any) -> None:
    """Whoever asked may have been killed meanwhile: nobody's log is to tell of that."""
    with contextlib.suppress(BrokenPipeError):
        pipe.send(answer)


def _ready(prepare: Function | None, given: tuple[Any, ...]) -> None:
    if prepare is not None:
        prepare(*given)  # what it makes stays here


def _run(function: Function, arguments: tuple[Any, ...]) -> Any:
    try:
        return function(*arguments)
    except (Told, MemoryError) as said:
        return said
    except BaseException as error:
        return _Raised(type(error).__name__, str(error))


def _bound_memory(memory: int) -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        now = pages * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + memory, now + memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _bound_time(seconds: float) -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        used = time.process_time()
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds) + 1, hard))


def end_with_parent() -> None:
    """End this process when the one that began it ends: one that hangs or computes would outlive a parent's death."""
    threading.Thread(target=_end_after_parent, daemon=True).start()


def _end_after_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)
