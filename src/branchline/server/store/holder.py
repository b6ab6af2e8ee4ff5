"""One server for each file: who holds it stands in a file beside it, under a lock that dies with its process."""

import os
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from branchline.files import lock


class Held(ValueError):
    """Another process serves this database."""


class Holder:
    """The lock on a database, from here until it is let go or the process ends."""

    def __init__(self, database: Path) -> None:
        """Take it; Held if another process has it, in words that say which; by whatever name the file goes."""
        names = database.stat().st_nlink
        if names > 1:  # a lock and a WAL for each of them would let two servers write over one another
            raise Held(
                f"database: {database} has {names} names (hard links); it may have one: copy it, or remove the others"
            )
        real = database.resolve()
        self.path = real.with_name(real.name + ".lock")
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        self._file: IO[str] = os.fdopen(handle, "r+", encoding="utf-8", errors="replace")
        if not lock(self._file):
            with self._file:
                self._file.seek(_OFFSET)
                by = self._file.read(400).strip() or "another process"
            raise Held(
                f"database: {database} is in use by {by}; one server serves a file. "
                "Stop that one, or give this one another --database or --data"
            )
        since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        self._file.seek(_OFFSET)
        self._file.truncate()
        self._file.write(f"process {os.getpid()} ({shlex.join(_command())[:200]}), since {since}\n")
        self._file.flush()

    def let_go(self) -> None:
        """Another process may have it. The file stays: who waits for it may have opened it already."""
        self._file.close()


def _command() -> list[str]:
    name = Path(sys.argv[0]).name
    # Under `python -m` the program is called __main__.
    return ["branchline" if name == "__main__.py" else name, *_harmless(sys.argv[1:])]


SECRET = ("--secret", "--metrics-token", "--bus")
"""What is nobody's business: secrets, and addresses that may hold a password."""


def _harmless(arguments: list[str]) -> list[str]:
    """What was asked for on the command line, without secrets."""
    shown: list[str] = []
    hide = False
    for argument in arguments:
        name = argument.partition("=")[0]
        shown.append("…" if hide else f"{name}=…" if name in SECRET and name != argument else argument)
        hide = argument in SECRET
    return shown


# What is locked on Windows can't be read by others: the lock is on the first byte, the words come after it.
_OFFSET = 1 if sys.platform == "win32" else 0
