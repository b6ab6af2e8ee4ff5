"""Files that others may lay a hand on: one process at a time, what is half written replaces nothing, text is text."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import fstat, fsync
from os.path import samestat
from pathlib import Path
from typing import IO, Any

if sys.platform == "win32":
    import msvcrt

    def lock(file: IO[Any]) -> bool:
        """Whether this process has the file alone from now on, until it closes it or ends."""
        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def lock(file: IO[Any]) -> bool:
        """Whether this process has the file alone from now on, until it closes it or ends."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class InUse(ValueError):
    """Another process writes the same file."""


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Nobody else has this file meanwhile; InUse if somebody has. A mark beside it says so, which goes with us."""
    mark = path.with_name(path.name + ".lock")
    if mark.exists() and not mark.is_file():  # to open a pipe is to wait for somebody who reads
        raise InUse(f"{mark} is no file")
    with mark.open("ab") as file:
        if not lock(file) or not mark.exists() or not samestat(fstat(file.fileno()), mark.stat()):
            raise InUse(f"{path} is in use by another process; wait for that one, or name another folder")
        try:
            yield
        finally:
            with suppress(OSError):
                mark.unlink()


@contextmanager
def aside(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes the place of this one when it is whole; until then whoever reads gets the one before."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)  # of somebody who was killed; a link is not followed
    with new.open("xb") as file:
        yield file
        file.flush()
        fsync(file.fileno())
    new.replace(path)


def is_text(text: str) -> bool:
    """Whether text can be written as UTF-8: what came from a broken file name or a careless JSON may not."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)
