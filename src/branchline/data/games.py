"""One row a game."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

from branchline.maps import Map
from branchline.simulate import Result, SeatResult, Series

DATA_VERSION = 1
"""What the columns mean; a reader of another version should refuse them."""
PART = 10_000
"""Games in a part."""
KEY = b"branchline"
"""Under which the file's metadata has what the rows have in common, as JSON."""
SEAT_COLUMNS = tuple(field.name for field in fields(SeatResult))
HEADER: dict[str, type | tuple[type, ...]] = {
    "version": int,
    "map": str,
    "map_hash": str,
    "seats": int,
    "bots": list,
    "seed": (int, str),
    "routes": list,
    "tickets": list,
}
"""What every file says of its rows."""


class NoArrow(Exception):
    """pyarrow is not installed; in one sentence."""


class NotThisSeries(Exception):
    """A folder holds other games than those asked for, more of them, or what can't be read; in one sentence."""


def write_games(
    path: str | Path,
    map: Map,
    seed: int | str,
    results: Sequence[Result],
    *,
    match: Mapping[str, Any] | None = None,
) -> None:
    """Write games that were played already, as one folder; another one there is replaced if it holds the same match.

    `match` is what else tells one match from another, as JSON data; its `games` aside, since more games may replace
    fewer. NotThisSeries if the folder holds another match, or more games of this one: it stays as it is then.
    """
    results = sorted(results, key=lambda result: result.game)
    if not results:
        return
    # In the order of their names, since a match that was stopped may lack its first game.
    bots = tuple(sorted({bot for result in results for bot in result.bots}))
    Games(path, Series(map, len(results[0].seats), seed, bots), match).replace(results)


def header_of(series: Series) -> dict[str, Any]:
    """What all rows have in common."""
    return {
        "version": DATA_VERSION,
        "map": series.map.id,
        "map_hash": series.map.hash,
        "seats": series.seats,
        "bots": list(series.bots),
        "seed": series.seed,
        "routes": [route.id for route in series.map.routes],
        "tickets": [ticket.id for ticket in series.map.tickets],
    }


class Games:
    """A folder of parts with one row a game, which goes on after what is there."""

    def __init__(self, path: str | Path, series: Series, match: Mapping[str, Any] | None = None) -> None:
        """Open or begin a folder; NotThisSeries if it holds other games."""
        self._arrow, self._parquet = arrow()
        told = header_of(series)
        if match is not None:
            told["match"] = {name: value for name, value in match.items() if name != "games"}
        text = json.dumps(told)
        self._schema = schema(self._arrow).with_metadata({KEY: text.encode()})
        self._path = Path(path)
        self._rows: list[Result] = []
        self._began = begin(self._path)
        self.games = 0
        """How many there are."""
        for part in self._parts():
            if header(part) != json.loads(text):
                raise NotThisSeries(f"{path} holds other games; name another folder, or remove it")
            self.games += self._parquet.read_metadata(part).num_rows

    def before(self) -> Iterator[Result]:
        """The games that are there already."""
        return _rows_of(self._parts())

    def write(self, result: Result) -> None:
        """One more game, in order."""
        self._rows.append(result)
        if len(self._rows) >= PART:
            self._flush()

    def replace(self, results: Sequence[Result]) -> None:
        """These games, in order, in place of all that are there; NotThisSeries if they are fewer."""
        if len(results) < self.games:
            raise NotThisSeries(
                f"{self._path} holds {self.games:,} games of this match, and these are {len(results):,}; "
                "name another folder, or remove it"
            )
        old = self._parts()
        runs = [results[start : start + PART] for start in range(0, len(results), PART)]
        new = [self._part(run) for run in runs]
        try:
            for run in runs:
                self._write_aside(run)
        except BaseException:
            for part in new:
                part_aside(part).unlink(missing_ok=True)
            raise
        for part in new:
            part_aside(part).replace(part)
        for part in old:
            if part not in new:
                part.unlink()
        self.games = len(results)

    def close(self) -> None:
        """Write what is left; a folder that was begun for nothing goes."""
        if self._rows:
            self._flush()
        if self._began and not self.games:
            end(self._path)

    def _parts(self) -> list[Path]:
        return sorted(self._path.glob("games-*.parquet"))

    def _part(self, rows: Sequence[Result]) -> Path:
        return self._path / f"games-{rows[0].game:010}.parquet"

    def _flush(self) -> None:
        self._write_aside(self._rows)
        part = self._part(self._rows)
        part_aside(part).replace(part)
        self.games += len(self._rows)
        self._rows = []

    def _write_aside(self, rows: Sequence[Result]) -> None:
        """Write a part beside its place; nothing is left of one that fails."""
        aside = part_aside(self._part(rows))
        aside.unlink(missing_ok=True)
        table = self._arrow.Table.from_pylist([_row(result) for result in rows], self._schema)
        self._parquet.write_table(table, aside, compression="zstd")


def begin(folder: Path) -> bool:
    """Make a folder, and say whether there was none."""
    missing = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    return missing


def end(folder: Path) -> None:
    """Remove a folder that was begun, if it is still empty."""
    with suppress(OSError):
        folder.rmdir()


def part_aside(part: Path) -> Path:
    """Where a part is written until it is whole.

    One that a stopped run left there has to go first: it may be a link by now. Whatever else is in a folder is
    somebody's own, also if its name ends like this.
    """
    return part.with_suffix(".part")


def arrow() -> tuple[Any, Any]:
    """Pyarrow and its Parquet; NoArrow where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise NoArrow("Parquet is written and read with pyarrow: pip install 'branchline[data]'") from None
    return pyarrow, pyarrow.parquet


def header(part: Path) -> dict[str, Any] | None:
    """What the rows of a file have in common; None if it is none of ours, NotThisSeries if it can't be read."""
    _, parquet = arrow()
    if not part.is_file():  # to open a pipe is to wait for somebody who writes
        raise NotThisSeries(f"{part} is no file")
    with _readable(part):
        found = parquet.read_metadata(part).metadata or {}
    if KEY not in found:
        return None
    try:
        data = json.loads(found[KEY])
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or not all(isinstance(data.get(name), type) for name, type in HEADER.items()):
        raise NotThisSeries(f"{part} has no header of ours")
    return data


@contextmanager
def _readable(part: Path) -> Iterator[None]:
    """What Arrow makes nothing of, or has other columns than ours, is NotThisSeries."""
    pyarrow, _ = arrow()
    try:
        yield
    except (pyarrow.ArrowException, KeyError, TypeError, ValueError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the system's; Arrow's own have no number
        raise NotThisSeries(f"{part} is damaged, or no Parquet file of ours") from None


def schema(arrow: Any) -> Any:
    """The columns, as docs/research.md lists them."""
    small = arrow.list_(arrow.int16())
    columns: list[tuple[str, Any]] = [
        ("game", arrow.int64()),
        ("first", arrow.int8()),
        ("turns", arrow.int32()),
        ("ended", arrow.bool_()),
        ("decided_by", arrow.string()),
        ("bots", arrow.list_(arrow.string())),
        *((name, small) for name in SEAT_COLUMNS),
        ("owners", arrow.list_(arrow.int8())),
        ("holders", arrow.list_(arrow.int8())),
        ("done", arrow.list_(arrow.bool_())),
    ]
    return arrow.schema([arrow.field(name, type, nullable=False) for name, type in columns])


def _row(result: Result) -> Mapping[str, Any]:
    row: dict[str, Any] = {name: getattr(result, name) for name in ("game", "first", "turns", "ended", "decided_by")}
    row |= {name: getattr(result, name) for name in ("bots", "owners", "holders", "done")}
    return row | {name: [getattr(seat, name) for seat in result.seats] for name in SEAT_COLUMNS}


def _result(row: Mapping[str, Any]) -> Result:
    columns: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    seats = zip(*(columns.pop(name) for name in SEAT_COLUMNS), strict=True)
    return Result(**columns, seats=tuple(SeatResult(*numbers) for numbers in seats))


def read(path: str | Path) -> tuple[dict[str, Any], Iterator[Result]]:
    """What a folder of parts, or one of them, holds: what its rows have in common, and its games."""
    parts = sorted(Path(path).glob("games-*.parquet")) if Path(path).is_dir() else [Path(path)]
    heads = [header(part) for part in parts]
    if not heads or heads[0] is None or any(head != heads[0] for head in heads):
        raise NotThisSeries(f"{path}: no games that `branchline simulate` or `branchline arena` wrote")
    version = heads[0]["version"]
    if version != DATA_VERSION:
        raise NotThisSeries(f"{path}: has version {version} of the columns; this program reads {DATA_VERSION}")
    return heads[0], _rows_of(parts)


def _rows_of(parts: Sequence[Path]) -> Iterator[Result]:
    _, parquet = arrow()
    for part in parts:
        with _readable(part):
            batches = parquet.ParquetFile(part).iter_batches(1000)
        while True:
            with _readable(part):
                batch = next(batches, None)
                rows = [] if batch is None else [_result(row) for row in batch.to_pylist()]
            if batch is None:
                break
            yield from rows
