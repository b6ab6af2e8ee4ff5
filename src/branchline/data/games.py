"""One row a game."""

import json
from collections.abc import Iterator, Mapping, Sequence
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


class NoArrow(Exception):
    """pyarrow is not installed; in one sentence."""


class NotThisSeries(Exception):
    """A folder holds other games than those asked for; in one sentence."""


def write_games(path: str | Path, map: Map, seed: int | str, results: Sequence[Result]) -> None:
    """Write games that were played already, as one folder; another one there is replaced if it holds the same match."""
    if not results:
        return
    bots = tuple(dict.fromkeys(bot for result in results for bot in result.bots))
    series = Series(map, len(results[0].seats), seed, bots)
    for part in Path(path).glob("games-*.parquet"):
        if header(part) != header_of(series):
            raise NotThisSeries(f"{path} holds other games; name another folder, or remove it")
        part.unlink()
    games = Games(path, series)
    for result in sorted(results, key=lambda result: result.game):
        games.write(result)
    games.close()


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

    def __init__(self, path: str | Path, series: Series) -> None:
        """Open or begin a folder; NotThisSeries if it holds other games."""
        self._arrow, self._parquet = arrow()
        self._header = header_of(series)
        self._schema = schema(self._arrow).with_metadata({KEY: json.dumps(self._header).encode()})
        self._path = Path(path)
        self._rows: list[Result] = []
        self._path.mkdir(parents=True, exist_ok=True)
        for stray in self._path.glob("*.part"):
            stray.unlink()
        self.games = 0
        """How many there are."""
        for part in self._parts():
            if header(part) != self._header:
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

    def close(self) -> None:
        """Write what is left."""
        if self._rows:
            self._flush()

    def _parts(self) -> list[Path]:
        return sorted(self._path.glob("games-*.parquet"))

    def _flush(self) -> None:
        table = self._arrow.Table.from_pylist([_row(result) for result in self._rows], self._schema)
        part = self._path / f"games-{self._rows[0].game:010}.parquet"
        aside = part.with_suffix(".part")
        self._parquet.write_table(table, aside, compression="zstd")
        aside.rename(part)
        self.games += len(self._rows)
        self._rows = []


def arrow() -> tuple[Any, Any]:
    """Pyarrow and its Parquet; NoArrow where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise NoArrow("Parquet is written and read with pyarrow: pip install 'branchline[data]'") from None
    return pyarrow, pyarrow.parquet


def header(part: Path) -> dict[str, Any] | None:
    """What the rows of a file have in common; None if it is none of ours."""
    _, parquet = arrow()
    found = parquet.read_metadata(part).metadata or {}
    data: dict[str, Any] | None = json.loads(found[KEY]) if KEY in found else None
    return data


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
        for batch in parquet.ParquetFile(part).iter_batches(1000):
            yield from map(_result, batch.to_pylist())
