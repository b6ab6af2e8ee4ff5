"""Writes simulated games to a file: JSON lines, CSV or Parquet, by the end of its name."""

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TextIO

from branchline.cli.parser import Trouble
from branchline.maps import Map
from branchline.simulate import Result, to_row, to_rows

ROW_GROUP = 20_000
"""Rows that a Parquet file gets at a time."""


class Writer(Protocol):
    """Takes results one by one."""

    def write(self, result: Result) -> None: ...

    def close(self) -> None: ...


@contextmanager
def open_writer(path: str | None, map: Map) -> Iterator[Writer]:
    """A writer for a file, or one that writes nothing; the file is whole when it is left, also by Ctrl-C."""
    writer = _writer(path, map)
    try:
        yield writer
    finally:
        writer.close()


def _writer(path: str | None, map: Map) -> Writer:
    if path is None:
        return _Nowhere()
    end = Path(path).suffix
    if end not in (".jsonl", ".csv", ".parquet"):
        raise Trouble(f"--out: {path} should end in .jsonl, .csv or .parquet")
    try:
        if end == ".parquet":
            return _Parquet(path)
        file = open(path, "w", encoding="utf-8", newline="")  # noqa: SIM115
    except OSError as error:
        raise Trouble(f"--out: {path}: {error.strerror}") from None
    return _Jsonl(file, map) if end == ".jsonl" else _Csv(file)


class _Nowhere:
    def write(self, result: Result) -> None:
        pass

    def close(self) -> None:
        pass


class _Jsonl:
    def __init__(self, file: TextIO, map: Map) -> None:
        self._file = file
        self._map = map

    def write(self, result: Result) -> None:
        self._file.write(json.dumps(to_row(result, self._map), separators=(",", ":")) + "\n")

    def close(self) -> None:
        self._file.close()


class _Csv:
    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._writer: csv.DictWriter[str] | None = None

    def write(self, result: Result) -> None:
        rows = to_rows(result)
        if self._writer is None:
            self._writer = csv.DictWriter(self._file, list(rows[0]), lineterminator="\n")
            self._writer.writeheader()
        self._writer.writerows(rows)

    def close(self) -> None:
        self._file.close()


class _Parquet:
    def __init__(self, path: str) -> None:
        try:
            self._arrow: Any = import_module("pyarrow")
            self._parquet: Any = import_module("pyarrow.parquet")
        except ImportError:
            raise Trouble("--out: a .parquet file needs pyarrow: pip install 'branchline[parquet]'") from None
        self._path = path
        self._rows: list[dict[str, Any]] = []
        open(path, "wb").close()
        self._file: Any = None

    def write(self, result: Result) -> None:
        self._rows += to_rows(result)
        if len(self._rows) >= ROW_GROUP:
            self._flush()

    def close(self) -> None:
        if self._rows:
            self._flush()
        if self._file is not None:
            self._file.close()

    def _flush(self) -> None:
        table = self._arrow.Table.from_pylist(self._rows)
        if self._file is None:
            self._file = self._parquet.ParquetWriter(self._path, table.schema)
        self._file.write_table(table)
        self._rows = []
