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
from branchline.server.table import Asked
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

    async def _lay(self, id: str, position: Position) -> None:
        table = await self._house.lobby.find(id)
        async with table._turn:
            game, n = position.game(), table.version + 1
            asked = tuple(n if seat in game.to_act else None for seat in range(game.seats))
            head = replace(table.head, to_act=game.to_act, asked=asked, deadline=None, undoable=None)
            entry = table._entry(n, "start", None, Asked("table"), None, [], self._house.now())
            await table._append(head, game, entry, None)


@contextmanager
def desk(folder: Path) -> Iterator[Desk]:
    """Run it until the end of the block, in a thread of its own."""
    given = {"bot_pace": 0.0, "rate_limits": 0.0, "log_level": "warning", "data": str(folder), "port": 0}
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
