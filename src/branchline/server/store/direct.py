"""A few connections to PostgreSQL for single statements: what every action does, and nothing beside the driver.

The driver's own pool wraps, resets and shields each connection each time: as much processor time as a statement takes.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import asyncpg


class Direct:
    """Connections that are opened when they are needed, and lent for one statement at a time."""

    def __init__(self, connect: Callable[[], Awaitable[Any]], most: int, patience: float) -> None:
        """`connect` opens one, `most` are open at once, and for a free one is waited `patience` seconds."""
        self._connect = connect
        self._most = most
        self._patience = patience
        self._free: list[Any] = []
        """The last one used first: the others may be closed by whoever stands between."""
        self._open = 0
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._closed = False

    async def fetch(self, sql: str, values: Sequence[Any]) -> list[Any]:
        """The rows of a statement."""
        connection = await self._borrow()
        try:
            rows: list[Any] = await connection.fetch(sql, *values)
        except BaseException as error:
            self._give_back(connection, sound=isinstance(error, asyncpg.PostgresError))
            raise
        self._give_back(connection)
        return rows

    async def execute(self, sql: str, values: Sequence[Any]) -> str:
        """What a statement did, in the words of the database."""
        connection = await self._borrow()
        try:
            done: str = await connection.execute(sql, *values)
        except BaseException as error:
            self._give_back(connection, sound=isinstance(error, asyncpg.PostgresError))
            raise
        self._give_back(connection)
        return done

    async def close(self) -> None:
        """Close those that are free; the rest as they come back."""
        self._closed = True
        free, self._free = self._free, []
        self._open -= len(free)
        for connection in free:
            await connection.close()

    async def _borrow(self) -> Any:
        while self._free:
            connection = self._free.pop()
            if not connection.is_closed():
                return connection
            self._open -= 1
        if self._open < self._most:
            self._open += 1
            return await self._another()
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        try:
            async with asyncio.timeout(self._patience):
                connection = await waiting
        except BaseException:
            if waiting.done() and not waiting.cancelled():  # it came at the last moment
                self._give_back(waiting.result())
            raise
        return connection if connection is not None else await self._another()

    async def _another(self) -> Any:
        """Open one, in a place that is counted already."""
        try:
            if self._closed:
                raise asyncpg.InterfaceError("the store is closed")
            return await self._connect()
        except BaseException:
            self._give_back(None)
            raise

    def _give_back(self, connection: Any, sound: bool = True) -> None:
        """Lend it to who waits longest; in place of one that is closed or still at something, they open another."""
        if connection is not None and (not sound or self._closed or connection.is_closed()):
            connection.terminate()
            connection = None
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(connection)
                return
        if connection is None:
            self._open -= 1
        else:
            self._free.append(connection)
