"""A server whose process is forked from one that has imported everything: for those that are killed by the hundred."""

import multiprocessing
import os
import signal
import sys
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import IO, Any

from tests.server.client import Server

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["pytest", "branchline.cli", "branchline.server.serving", __name__])


class Forked(Server):
    """`branchline serve` in a real process of its own, without the second that importing it takes."""

    daemon = True
    """Whether it ends with whoever started it; such a process may have no children, and so no bots."""

    def _spawn(self, flags: list[str], environment: dict[str, str], complaints: IO[str]) -> Any:
        arguments = ["serve", f"--data={self.folder}", f"--port={self.port}", *flags]
        ours, theirs = _context.Pipe(duplex=False)
        process = _context.Process(target=_serve, args=(arguments, theirs, complaints.name), daemon=self.daemon)
        process.start()
        theirs.close()
        return _Child(process, ours)


class _Child:
    """A process as `subprocess` shows one."""

    def __init__(self, process: ForkServerProcess, said: Connection) -> None:
        self._process = process
        self.stdout = os.fdopen(os.dup(said.fileno()))
        said.close()

    def poll(self) -> int | None:
        return self._process.exitcode

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def send_signal(self, number: int) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def wait(self, seconds: float) -> int:
        self._process.join(seconds)
        assert self._process.exitcode is not None
        return self._process.exitcode


def _serve(arguments: list[str], said: Connection, complaints: str) -> None:
    from branchline.cli import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    with open(complaints, "a") as file:
        os.dup2(said.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1, closefd=False) for number in (1, 2))
    main(arguments)
