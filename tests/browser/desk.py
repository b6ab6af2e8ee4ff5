"""A server inside the test, at whose tables a position can be laid out as the test wants it."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from branchline.server import serving
from branchline.server.house import House
from branchline.server.settings import Settings
from branchline.server.standing import Asked, Standing, Step
from branchline.server.store import LogRow
from tests.builder import Position


class Desk:
    """Where the server is, and a hand on its tables."""

    def __init__(self, house: House, url: str, loop: asyncio.AbstractEventLoop) -> None:
        self.url = url
        self._house = house
        self._loop = loop

    def lay(self, table: str, position: Position) -> None:
        """Let a running table be in this position; who looks at it sees so at the next look."""
        asyncio.run_coroutine_threadsafe(self._lay(table, position), self._loop).result(30)

    def impatient(self, table: str) -> None:
        """From now on nobody who is away from a table is waited for."""
        asyncio.run_coroutine_threadsafe(self._impatient(table), self._loop).result(30)

    async def _impatient(self, id: str) -> None:
        table = await self._house.lobby.find(id)
        while all(table.presence.has(person) for person in table.head.people):
            await asyncio.sleep(0.05)  # until the socket is gone
        table.services = replace(table.services, patience=0.0)
        table.audience.send_soon()

    def tempo(self, pace: float) -> None:
        """Let bots seem to think for so many times as long as usual."""
        self._house.minder._pace = pace

    async def _lay(self, id: str, position: Position) -> None:
        table = await self._house.lobby.find(id)

        async def laid() -> Step:
            game, n = position.game(), table.version + 1
            asked = tuple(n if seat in game.to_act else None for seat in range(game.seats))
            head = replace(table.head, to_act=game.to_act, asked=asked, deadline=None, undoable=None)
            entry = LogRow(id, n, "start", None, "table", None, None, None, "[]", self._house.now())
            return Step(entry, [], Standing("playing", n, head, game))

        # A bot may act in the same moment; then it is laid upon what the bot did.
        async with table.stored.lock:
            await table.stored.settled(lambda: table.stored.append(laid), Asked("table"))


@contextmanager
def desk(folder: Path) -> Iterator[Desk]:
    """Run it until the end of the block, in a thread of its own."""
    given = {"bot_pace": 0.0, "proxies": ("127.0.0.1",), "log_level": "warning", "data": str(folder), "port": 0}
    settings = Settings.read(given, {})
    house = House(settings)
    with serving.listen(settings) as listening:
        server = serving.server(settings, house)
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=lambda: loop.run_until_complete(server._serve([listening])))
        thread.start()
        try:
            yield Desk(house, f"http://127.0.0.1:{listening.getsockname()[1]}", loop)
        finally:
            server.should_exit = True
            thread.join(30)
            loop.close()
