"""One row a decision: what the seat saw, what it might do, what it did, and what came of it."""

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from branchline.data.games import KEY, NotThisSeries, arrow, begin, end, header, header_of, part_aside
from branchline.engine.board import ACTIONS_VERSION
from branchline.engine.setup import deal
from branchline.engine.shuffle import Shuffler
from branchline.engine.state import State
from branchline.maps import Map
from branchline.names import names_of
from branchline.observation.layout import OBSERVATION_VERSION, Layout
from branchline.observation.observer import observing
from branchline.observation.spaces import FULL, Space
from branchline.observation.witness import watch
from branchline.simulate import Result, Series, result_of
from branchline.spread import spread

PART = 200
"""Games in a part."""
ROWS = 4096
"""Rows that are written at a time."""
CHUNK = 4
"""Games that one process plays before it reports."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """The decisions of one game, in order; the observations and masks one after the other."""

    seats: tuple[int, ...]
    choices: tuple[int, ...]
    observations: bytes
    masks: bytes


class Recorder:
    """Sees a game played, and writes down what the seat to act sees."""

    def __init__(self, map: Map, seats: int, deal_number: int) -> None:
        board = names_of(map).board
        self._witness = watch(deal(board, seats, Shuffler(b"", deal_number)))
        self._layout = Layout(board, seats)
        self._observer = observing(self._layout, self._witness)
        self._space = Space(board, FULL)
        self._seats: list[int] = []
        self._choices: list[int] = []
        self._observations: list[bytes] = []
        self._masks: list[bytes] = []

    def note(self, seat: int, index: int) -> None:
        """A seat decides."""
        mask = bytearray(int(self._space.size))
        for action in self._space.allowed(self._witness.state, seat):
            mask[action] = 1
        self._seats.append(seat)
        self._choices.append(index)
        self._observations.append(bytes(memoryview(self._observer.observed(seat))))
        self._masks.append(bytes(mask))
        self._witness.act(seat, index)

    def decisions(self) -> Decisions:
        """All of them."""
        return Decisions(tuple(self._seats), tuple(self._choices), b"".join(self._observations), b"".join(self._masks))


Seen = Callable[[int, int], None]
"""Told each decision, before it happens: the seat and the index of its action."""
Play = Callable[[Map, tuple[str, ...], int, int, Seen], State]
"""Plays one game to its end and tells each decision: map, bots, a number for the deal and another for the choices."""


def simulate_decisions(
    series: Series, games: int, play: Play, *, start: int = 0, workers: int | None = None, ray: str | None = None
) -> Generator[tuple[Result, Decisions], None, None]:
    """Like `simulate`, with the decisions of each game."""
    chunks = (range(first, min(first + CHUNK, games)) for first in range(start, games, CHUNK))
    results = spread(partial(_play, series, play), chunks, workers=workers, ray=ray)
    with closing(results):
        for chunk in results:
            yield from chunk


def _play(series: Series, play: Play, chunk: range) -> list[tuple[Result, Decisions]]:
    out = []
    for game in chunk:
        bots = series.sitting(game)
        deal_number, choice_number = series.numbers(game)
        recorder = Recorder(series.map, series.seats, deal_number)
        state = play(series.map, bots, deal_number, choice_number, recorder.note)
        out.append((result_of(game, bots, state), recorder.decisions()))
    return out


def decisions_header(series: Series) -> dict[str, Any]:
    """What all rows have in common: the names of an observation's parts among it."""
    board = names_of(series.map).board
    layout = Layout(board, series.seats)
    return header_of(series) | {
        "observation_version": OBSERVATION_VERSION,
        "actions_version": int(ACTIONS_VERSION),
        "observation": [[field.name, field.at, list(field.shape)] for field in layout.fields],
        "size": int(layout.size),
        "actions": int(board.actions),
    }


class DecisionFolder:
    """A folder of parts with one row a decision; games go into it whole."""

    def __init__(self, path: str | Path, series: Series) -> None:
        """Open or begin a folder; NotThisSeries if it holds other decisions."""
        self._arrow, self._parquet = arrow()
        self._header = decisions_header(series)
        self._path = Path(path)
        self._writer: Any = None
        self._part: Path | None = None
        self._in_part = 0
        self._tables: list[Any] = []
        self._began = begin(self._path)
        self.games = 0
        """How many games are there."""
        for part in sorted(self._path.glob("decisions-*.parquet")):
            found = header(part)
            last = None if found is None else found.pop("last", None)
            if found != self._header or not isinstance(last, int) or last < 0:
                raise NotThisSeries(f"{path} holds other decisions; name another folder, or remove it")
            self.games = last + 1

    def write(self, result: Result, decisions: Decisions) -> None:
        """The decisions of one more game, with what came of them."""
        if self._part is None:
            self._part = self._path / f"decisions-{result.game:010}.parquet"
        self._tables.append(self._table(result, decisions))
        self._in_part += 1
        self.games = result.game + 1
        if sum(table.num_rows for table in self._tables) >= ROWS:
            self._flush(self._part)
        if self._in_part >= PART:
            self.close()

    def close(self) -> None:
        """Make the part whole; a folder that was begun for nothing goes."""
        if self._part is not None:
            self._flush(self._part)
            self._finish(self._part)
        if self._began and not self.games:
            end(self._path)

    def _finish(self, part: Path) -> None:
        try:
            self._writer.add_key_value_metadata({KEY: json.dumps(self._header | {"last": self.games - 1}).encode()})
            self._writer.close()
        except OSError:
            self._drop(part)
            raise
        part_aside(part).replace(part)
        self._writer, self._part, self._in_part = None, None, 0

    def _flush(self, part: Path) -> None:
        if not self._tables:
            return
        table = self._arrow.concat_tables(self._tables)
        self._tables = []
        try:
            if self._writer is None:
                aside = part_aside(part)
                aside.unlink(missing_ok=True)
                self._writer = self._parquet.ParquetWriter(
                    aside, table.schema, compression="zstd", use_dictionary=False
                )
            self._writer.write_table(table)
        except OSError:
            self._drop(part)
            raise

    def _drop(self, part: Path) -> None:
        """Give up a part: after a write that failed Arrow would end the file as if it were whole."""
        if self._writer is not None:
            with suppress(OSError):
                self._writer.close()
        part_aside(part).unlink(missing_ok=True)
        self._writer, self._part, self._in_part = None, None, 0

    def _table(self, result: Result, decisions: Decisions) -> Any:
        arrow = self._arrow
        n = len(decisions.seats)
        winners = sum(seat.rank == 1 for seat in result.seats)
        won = [1 / winners if seat.rank == 1 else 0.0 for seat in result.seats]
        totals = [seat.total for seat in result.seats]
        margin = [total - max(totals[:seat] + totals[seat + 1 :]) for seat, total in enumerate(totals)]

        def by_seat(values: Sequence[float], type: Any) -> Any:
            return arrow.array([values[seat] for seat in decisions.seats], type)

        return arrow.table(
            {
                "game": arrow.array([result.game] * n, arrow.int64()),
                "n": arrow.array(range(n), arrow.int32()),
                "seat": arrow.array(decisions.seats, arrow.int8()),
                "observation": _fixed(arrow, decisions.observations, self._header["size"]),
                "mask": _fixed(arrow, decisions.masks, self._header["actions"]),
                "choice": arrow.array(decisions.choices, arrow.int32()),
                "win": by_seat(won, arrow.float32()),
                "rank": by_seat([seat.rank for seat in result.seats], arrow.int8()),
                "points": by_seat(totals, arrow.int16()),
                "margin": by_seat(margin, arrow.int16()),
            }
        )


def _fixed(arrow: Any, data: bytes, size: int) -> Any:
    """Rows of so many bytes, without a Python object a number."""
    flat = arrow.Array.from_buffers(arrow.uint8(), len(data), [None, arrow.py_buffer(data)])
    return arrow.FixedSizeListArray.from_arrays(flat, size)
