"""A table as it was stored, brought to life. Where its log and its state disagree, the log is the truth."""

import hashlib
import logging
from typing import Any

import orjson

from branchline.game import Game
from branchline.server.head import Head, head_from_json
from branchline.server.refused import Refused, cannot_store
from branchline.server.standing import Standing, replay
from branchline.server.store import LogRow, Store, TableRow

_log = logging.getLogger("branchline.table")

AT_ONCE = 500
"""Log entries read at once."""
SEED = 32
"""Bytes of a seed."""
TRIES = 8
"""How often a table is looked at again that another server goes on with meanwhile."""


def digest(version: int, state: str | None) -> str:
    """What tells that a state belongs to a version."""
    return hashlib.sha256(f"{version} {state}".encode()).hexdigest()


async def load(id: str, store: Store) -> tuple[TableRow, Standing, bool] | None:
    """A table's row, how it stands, and whether that had to be found out by replaying its log; None if there is none.

    Refused if the log leads nowhere. Where row and log do not fit because another server wrote between two looks, it is
    looked at again.
    """
    row = await store.table(id)
    for _ in range(TRIES):
        if row is None:
            return None
        try:
            head, seed = head_from_json(row.head), bytes.fromhex(row.seed)
            if len(seed) < SEED:
                raise ValueError(f"its seed has {len(seed)} bytes, not {SEED}")
            found = _stored(row, head, await store.last_entry(id))
            if isinstance(found, Standing):
                return row, found, False
            standing = replay(id, head, seed, await whole_log(id, store))
        except ValueError as error:
            _log.error("table %s can't be played on: %s", id, error)
            raise Refused("broken", "this table was damaged and can't be played on", status=503) from None
        before, row = row, await store.table(id)
        if row is not None and row.revision == before.revision:
            _log.error("table %s: %s; repaired from its log, as of entry %s", id, found, standing.version)
            return row, standing, True
    raise cannot_store()


async def whole_log(table: str, store: Store) -> list[LogRow]:
    """Every entry of a table."""
    found: list[LogRow] = []
    while rows := await store.entries(table, found[-1].n if found else 0, AT_ONCE):
        found += rows
    return found


def _stored(row: TableRow, head: Head, last: int) -> Standing | str:
    """The standing that was stored, or why it can't be the one that the log led to."""
    if last != row.version:
        return f"its log ends with entry {last}, its state with {row.version}"
    if row.digest is not None and row.digest != digest(row.version, row.state):
        return f"its state is not the one that was stored with entry {row.version}"
    if (row.state is None) != (row.version == 0) or (row.state is None) != (row.status == "open"):
        return f"it is {row.status}, with {last} entries and {'no' if row.state is None else 'a'} state"
    try:
        game, before = _game(row.state), _game(row.before)
    except ValueError as error:
        return f"its state can't be read ({error})"
    if game is not None and row.status == "playing" and game.to_act != head.to_act:
        return "its head waits for other seats than its state"
    return Standing(row.status, row.version, head, game, before)


def _game(state: str | None) -> Game | None:
    if state is None:
        return None
    data: Any = orjson.loads(state)
    return Game.from_dict(data)
