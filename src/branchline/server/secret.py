"""The server's secret: made once, on the disk before it is used, and never a short one."""

import contextlib
import hmac
import os
import secrets
from pathlib import Path

SHORTEST = 32


def given(text: str) -> bytes:
    """A secret that the host chose; ValueError if it is too short."""
    key = text.strip().encode()
    if len(key) < SHORTEST:
        raise ValueError(f"secret: give at least {SHORTEST} characters, or none and one is made")
    return key


def kept(path: Path) -> bytes:
    """The secret of a file, made if there is none; ValueError, in words, if it can't be or is too short."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            _make(path)
        key = path.read_bytes().strip()
    except OSError as error:
        raise ValueError(f"secret: {path}: {error.strerror or error}") from None
    if len(key) < SHORTEST:
        raise ValueError(
            f"secret: {path} holds {len(key)} bytes, where {SHORTEST} are the least: it was cut off. Bring it back "
            "from a backup; or delete it, and a new one is made, which nobody's cookie fits any more"
        )
    return key


def mark(key: bytes) -> str:
    """What tells one secret from another and does not tell it."""
    return hmac.new(key, b"branchline: which secret this is", "sha256").hexdigest()


def _make(path: Path) -> None:
    """Write, sync, then name it: whatever happens meanwhile, there is a whole one under that name or none."""
    made = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48) + "\n")
            file.flush()
            os.fsync(file.fileno())
        # Two servers may start at once: the first to name its secret has made it, for both.
        if hasattr(os, "link"):
            with contextlib.suppress(FileExistsError):
                os.link(made, path)
        else:
            made.rename(path)
    finally:
        made.unlink(missing_ok=True)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    if os.name == "nt":
        return  # folders can't be opened there
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
