"""Writes simulated games to a file by the end of its name: JSON lines, CSV, or a folder of Parquet."""

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TextIO

from branchline.cli.parser import Trouble
from branchline.data import DecisionFolder, Games, NoArrow, NotThisSeries, header
from branchline.maps import Map
from branchline.simulate import Result, Series, to_row, to_rows


class Writer(Protocol):
    """Takes results one by one."""

    def before(self) -> Iterator[Result]:
        """The games that an earlier run left, with which this one goes on."""
        ...

    def write(self, result: Result) -> None: ...

    def close(self) -> None: ...


@contextmanager
def open_writer(path: str | None, series: Series) -> Iterator[Writer]:
    """A writer for a file, or one that writes nothing; the file is whole when it is left, also by Ctrl-C."""
    writer = _writer(path, series)
    try:
        yield writer
    finally:
        writer.close()


@contextmanager
def open_decisions(path: str | None, series: Series) -> Iterator[DecisionFolder | None]:
    """A folder for decisions, if one is asked for; whole when it is left."""
    if path is None:
        yield None
        return
    try:
        folder = DecisionFolder(path, series)
    except (NoArrow, NotThisSeries) as error:
        raise Trouble(f"--decisions: {error}") from None
    except OSError as error:
        raise Trouble(f"--decisions: {path}: {error.strerror}") from None
    try:
        yield folder
    finally:
        folder.close()


def _writer(path: str | None, series: Series) -> Writer:
    if path is None:
        return _Nowhere()
    end = Path(path).suffix
    if end not in (".jsonl", ".csv", ".parquet"):
        raise Trouble(f"--out: {path} should end in .jsonl, .csv or .parquet")
    try:
        if end == ".parquet":
            return Games(path, series)
        file = open(path, "w", encoding="utf-8", newline="")  # noqa: SIM115
    except (NoArrow, NotThisSeries) as error:
        raise Trouble(f"--out: {error}") from None
    except OSError as error:
        raise Trouble(f"--out: {path}: {error.strerror}") from None
    return _Jsonl(file, series.map) if end == ".jsonl" else _Csv(file)


def seed_of(path: str | None) -> int | str | None:
    """The seed of the games in a folder that a run without one goes on with."""
    parts = sorted(Path(path).glob("games-*.parquet")) if path is not None else []
    try:
        head = header(parts[0]) if parts else None
    except NoArrow:
        return None
    return None if head is None else head["seed"]


class _FromNothing:
    def before(self) -> Iterator[Result]:
        return iter(())


class _Nowhere(_FromNothing):
    def write(self, result: Result) -> None:
        pass

    def close(self) -> None:
        pass


class _Jsonl(_FromNothing):
    def __init__(self, file: TextIO, map: Map) -> None:
        self._file = file
        self._map = map

    def write(self, result: Result) -> None:
        self._file.write(json.dumps(to_row(result, self._map), separators=(",", ":")) + "\n")

    def close(self) -> None:
        self._file.close()


class _Csv(_FromNothing):
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
