"""A bus over Redis: its channels carry news between servers, and Redis itself keeps none of it.

While Redis is away news is lost, which the servers make up for by comparing revisions every few seconds.
"""

import asyncio
import contextlib
import logging
import time
from collections import deque
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import redis.asyncio
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from branchline.server import metrics
from branchline.server.bus.base import ABOUT, COMMON, Hear, News
from branchline.server.ending import end

_log = logging.getLogger("branchline.bus")

TIMEOUT = 3.0
"""Seconds after which a Redis that does not answer is away."""
PAUSE = 0.5
"""Seconds before it is tried again."""
WAITING = 10_000
"""News that may wait to be sent; older ones are lost."""
TOGETHER = 200
"""News and channels in one go."""
LONGEST = 300
"""Bytes of one message; ours have some eighty."""
LOST = (RedisError, OSError, TimeoutError)


class RedisBus:
    """One server's end."""

    def __init__(self, url: str, server: str) -> None:
        """`server` is the name under which it does not hear itself. Nothing connects before `start`."""
        # Channels are the same in all of a Redis' databases: the number keeps two sites apart.
        self._prefix = f"branchline:{urlsplit(url).path.strip('/') or '0'}:"
        self._name = server
        self._own = f"{server} ".encode()
        self._probe: tuple[bytes, float] | None = None
        self._redis = redis.asyncio.from_url(
            url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, socket_keepalive=True
        )
        self._outgoing: deque[News] = deque(maxlen=WAITING)
        self._followed: set[str] = set()
        self._asked: dict[str, bool] = {}
        """Tables to follow (True) or to leave, which Redis has not been told yet."""
        self._something = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._listening: PubSub | None = None
        self.away = True

    def start(self, hear: Hear) -> None:
        self._tasks = [asyncio.create_task(self._send()), asyncio.create_task(self._listen(hear))]

    def publish(self, news: News) -> None:
        self._outgoing.append(news)
        self._something.set()

    def follow(self, table: str) -> None:
        self._followed.add(table)
        self._ask(table, True)

    def leave(self, table: str) -> None:
        self._followed.discard(table)
        self._ask(table, False)

    async def close(self) -> None:
        with contextlib.suppress(*LOST):  # what was stored last is told, if Redis is there
            await self._publish_some()
        await end(*self._tasks)
        with contextlib.suppress(*LOST):
            await self._redis.aclose()

    def _ask(self, table: str, follow: bool) -> None:
        self._asked[table] = follow
        self._something.set()

    async def _send(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            try:
                await self._subscribe_some()
                await self._publish_some()
            except LOST as error:
                self._lost(error)
                self._outgoing.clear()
                await asyncio.sleep(PAUSE)

    async def _publish_some(self) -> None:
        while self._outgoing:
            batch = [self._outgoing.popleft() for _ in range(min(len(self._outgoing), TOGETHER))]
            if self._probe is None:
                self._probe = (self._word(batch[0]).encode(), time.monotonic())
            await self._publish([("PUBLISH", self._channel(news.about, news.id), self._word(news)) for news in batch])

    async def _publish(self, commands: list[tuple[str, str, str]]) -> None:
        """Through a connection as it is: every action publishes, and a pipeline takes twice the processor time."""
        pool = self._redis.connection_pool
        connection = await pool.get_connection()  # type: ignore[no-untyped-call]
        try:
            await connection.send_packed_command(connection.pack_commands(commands))
            for _ in commands:
                await connection.read_response()
        except BaseException:
            await connection.disconnect(nowait=True)  # whatever it was about to answer is nobody's any more
            raise
        finally:
            await pool.release(connection)

    async def _subscribe_some(self) -> None:
        listening = self._listening
        if listening is None:
            return  # all that is followed is asked for at once, when it connects
        asked, self._asked = self._asked, {}
        for follow in (True, False):
            channels = [self._channel("table", table) for table, wanted in asked.items() if wanted is follow]
            for begin in range(0, len(channels), TOGETHER):
                part = channels[begin : begin + TOGETHER]
                await (listening.subscribe(*part) if follow else listening.unsubscribe(*part))

    async def _listen(self, hear: Hear) -> None:
        while True:
            listening = self._redis.pubsub()
            try:
                common = [self._channel(about) for about in sorted(COMMON)]
                await listening.subscribe(*common)
                self._listening, self._asked = listening, dict.fromkeys(self._followed, True)
                self._something.set()
                self._found()
                hear(News("lost", ""))
                while True:
                    # Without a timeout of its own this waits for as long as nothing is said.
                    message = await listening.get_message(timeout=None)
                    if message is not None:
                        self._heard(message, hear)
            except LOST as error:
                self._lost(error)
            finally:
                self._listening = None
                with contextlib.suppress(*LOST):
                    await listening.aclose()  # type: ignore[no-untyped-call]
            await asyncio.sleep(PAUSE)

    def _heard(self, message: dict[str, Any], hear: Hear) -> None:
        if message["type"] == "subscribe":
            # Whatever was said about a table while nobody listened is asked for once.
            table = message["channel"].decode().removeprefix(self._prefix + "table:")
            if table in self._followed:
                hear(News("table", table))
        elif message["type"] == "message":
            data: bytes = message["data"]
            if data.startswith(self._own):
                self._measure(data)
            elif (news := _read(data)) is not None:
                hear(news)

    def _measure(self, data: bytes) -> None:
        """How long a message of our own took to come back; one at a time."""
        if self._probe is not None:
            sent, at = self._probe
            took = time.monotonic() - at
            if data == sent:
                metrics.LAG.observe(took)
            if data == sent or took > TIMEOUT:  # nobody follows what that one was about
                self._probe = None

    def _channel(self, about: str, id: str = "") -> str:
        return f"{self._prefix}{about}" if about in COMMON else f"{self._prefix}table:{id}"

    def _word(self, news: News) -> str:
        return f"{self._name} {news.about} {quote(news.id)} {news.version} {news.revision}"

    def _lost(self, error: BaseException) -> None:
        if not self.away or not self._tasks:
            _log.warning("Redis is away: changes by other servers are seen some seconds later (%s)", error)
        self.away = True

    def _found(self) -> None:
        if self.away:
            _log.info("Redis is there")
        self.away = False


def _read(data: bytes) -> News | None:
    """What a message says; None if it is none of ours."""
    parts = data[:LONGEST].decode("ascii", "replace").split(" ")
    if len(parts) != 5 or parts[1] not in ABOUT or not (parts[3].isdigit() and parts[4].isdigit()):
        return None
    return News(parts[1], unquote(parts[2]), int(parts[3]), int(parts[4]))  # type: ignore[arg-type]
