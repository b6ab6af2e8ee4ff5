"""Files of arrays, as numpy writes them: whatever somebody made of such a file, reading it takes bounded memory."""

from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np
from numpy.typing import NDArray

LARGEST = 1 << 30
"""Bytes that all arrays of a file may have together."""
MOST = 1 << 12
"""Arrays of a file."""


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """All arrays of a file, by name. A damaged one raises a dozen sorts of exceptions, by where the damage is."""
    if not path.is_file():  # to open a pipe is to wait for somebody who writes
        raise FileNotFoundError(f"{path} is no file")
    with path.open("rb") as opened:
        with ZipFile(opened) as archive:
            parts = archive.infolist()
        if len(parts) > MOST or sum(part.file_size for part in parts) > LARGEST:
            raise ValueError(f"{path} holds more than {MOST:,} arrays or {LARGEST:,} bytes")
        if any(part.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for part in parts):
            raise ValueError(f"{path} is packed as numpy packs none")  # others unpack more than they say they hold
        opened.seek(0)
        with np.load(opened, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
