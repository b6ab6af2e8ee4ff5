"""Finished games as records and moves, made once and kept for a while; and records that people send."""

from branchline.server.guard.desk import Desk
from branchline.server.guard.once import Once
from branchline.server.loading import whole_log
from branchline.server.refused import Refused
from branchline.server.replays import Played, gone_on, looked_at, recorded, replayed
from branchline.server.store import Store
from branchline.server.table import Table

QUEUE = 32
"""Finished games that may wait to be made; each is made once, whoever asks."""


class Records:
    """Everything of this server that replays a game. Nothing here runs in the loop."""

    def __init__(self, store: Store, seconds: float) -> None:
        """The processes start when first needed: one for our own games, so that nobody's upload delays those.

        `seconds` of processor time for one upload.
        """
        self._store = store
        self.ours = Desk("replays", waiting=QUEUE)
        self.theirs = Desk("uploads", seconds)
        self._kept = Once()

    async def record(self, table: Table) -> bytes:
        """A finished or abandoned game as a record, its seed told; refused while it runs (R8.5)."""
        table.secrets()
        if table.head.practice is not None:
            raise Refused("practice", "a practice game was not dealt: it has a replay and no record")
        return await self._kept.get(f"record {table.id}", lambda: self._record(table))

    async def moves(self, table: Table) -> bytes:
        """A finished or abandoned game step by step, everything open; refused while it runs."""
        table.secrets()
        return await self._kept.get(f"moves {table.id}", lambda: self._moves(table))

    async def look_at(self, upload: bytes, who: str) -> bytes:
        """Verify somebody's record and show its moves. One at a time for each who asks."""
        looked: bytes = await self.theirs.do(who, looked_at, upload)
        return looked

    def forget(self) -> None:
        """Keep nothing of what was made: some of it may have been deleted."""
        self._kept.clear()

    def close(self) -> None:
        """End whatever is being made."""
        self.ours.close()
        self.theirs.close()

    async def _record(self, table: Table) -> bytes:
        made: bytes = await self.ours.do(f"record {table.id}", recorded, await self._played(table))
        return made

    async def _played(self, table: Table) -> Played:
        seed, entropy = table.secrets()
        head = table.head
        log: list[tuple[int, str]] = []
        position = None
        for row in await whole_log(table.id, self._store):
            if row.kind == "act" and row.seat is not None and row.action is not None:
                log.append((row.seat, row.action))
            elif row.kind == "undo":
                log.pop()
            elif row.kind == "start":
                position = row.action
        players = tuple((s.name or s.level or "", s.level if s.who == "bot" else None) for s in head.sitters)
        return Played(head.map, seed, entropy, head.first, players, tuple(log), head.commitment, position)

    async def _moves(self, table: Table) -> bytes:
        if table.head.practice is not None:
            walked: bytes = await self.ours.do(f"moves {table.id}", gone_on, await self._played(table))
            return walked
        made: bytes = await self.ours.do(f"moves {table.id}", replayed, await self.record(table))
        return made
