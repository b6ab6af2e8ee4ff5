"""Who plays the tables of a run: this process, several of this machine, or a Ray cluster, with a part of them each."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from time import process_time
from typing import Any

import jax
import numpy as np

from branchline.maps import Map
from branchline.spread import Cluster, Processes
from branchline.train.net import Params
from branchline.train.ppo import Batch, collect
from branchline.train.settings import Settings
from branchline.train.tables import SavedTables, Tables

APART = 1 << 32
"""Deals of one part lie so far from those of the next."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the tables, as they stand: all that somebody needs to play on at them."""

    sitting: list[list[str]]
    seed: int
    saved: SavedTables | None
    """None before they were first played at."""


class Crew:
    """Plays on at all tables of a run for one batch after the other.

    In one part the tables stay here. In several, each part travels as it stands and comes back with its decisions: what
    is lost with a node is played again from where it stood, and the same parts give the same batches anywhere.
    """

    def __init__(
        self,
        map: Map,
        sitting: Sequence[list[str]],
        seed: int,
        settings: Settings,
        others: Cluster | Processes | None = None,
    ) -> None:
        """`others`: who plays; this process where nobody else is given."""
        self.map = map
        self.settings = settings
        self.others = others
        self.tables: Tables | None = None
        self.parts: list[Part] = []
        if settings.parts == 1 and others is None:
            self.tables = _tables(map, sitting, seed, settings)
        else:
            shares = shared_out(sitting, settings.parts)
            self.parts = [Part(share, seed + number * APART, None) for number, share in enumerate(shares)]

    def collect(self, params: Params, past: Params, matrix: Any, key: Any) -> Batch:
        """The next decisions of the learner at all tables."""
        if self.tables is not None:
            return collect(self.tables, params, past, matrix, key, self.settings)
        params, past = jax.tree_util.tree_map(np.asarray, (params, past))
        work = partial(_play, self.map, self.settings, params, past, np.asarray(matrix))
        keys = [np.asarray(one) for one in jax.random.split(key, len(self.parts))]
        jobs = list(zip(self.parts, keys, strict=True))
        done = [work(job) for job in jobs] if self.others is None else self.others.all(work, jobs)
        self.parts = [part for part, _, _ in done]
        elsewhere = 0.0 if self.others is None else sum(took for _, _, took in done)
        return _together([batch for _, batch, _ in done], elsewhere)


def shared_out(sitting: Sequence[list[str]], parts: int) -> list[list[list[str]]]:
    """The tables in parts, of which each has as many of every sort as the others, or one more or less.

    In the order of tables alike they are dealt round: what `mix` repeats after so many tables is no multiple of it.
    """
    order = sorted(range(len(sitting)), key=lambda table: sitting[table])
    return [[sitting[table] for table in sorted(order[part::parts])] for part in range(parts)]


def _tables(map: Map, sitting: Sequence[list[str]], seed: int, settings: Settings) -> Tables:
    return Tables(map, sitting, seed, advised=settings.advice, places=settings.places, nodes=settings.nodes)


def _play(
    map: Map, settings: Settings, params: Params, past: Params, matrix: Any, job: tuple[Part, Any]
) -> tuple[Part, Batch, float]:
    """The part as it stands then, its decisions, and the processor time that took."""
    began = process_time()
    part, key = job
    tables = _tables(map, part.sitting, part.seed, settings)
    if part.saved is not None:
        tables.load(part.saved)
    batch = collect(tables, params, past, matrix, key, settings)
    return Part(part.sitting, part.seed, tables.save()), batch, process_time() - began


COLUMNS = tuple(field.name for field in fields(Batch) if field.name not in ("games", "elsewhere"))


def _together(batches: Sequence[Batch], elsewhere: float) -> Batch:
    """One batch of several."""
    columns = {name: np.concatenate([getattr(batch, name) for batch in batches]) for name in COLUMNS}
    return Batch(**columns, games=sum(batch.games for batch in batches), elsewhere=elsewhere)
