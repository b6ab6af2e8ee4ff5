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
    """One server's end: one connection, on which it speaks and hears.

    It is used as it is: every action is published and heard of, and by way of redis-py's pools, pipelines and PubSub
    that takes several times the processor time. By its third protocol Redis (since 6.0) takes commands from whoever
    listens, and answers what is said and what is heard in one piece.
    """

    def __init__(self, url: str, server: str) -> None:
        """`server` is the name under which it does not hear itself. Nothing connects before `start`."""
        # Channels are the same in all of a Redis' databases: the number keeps two sites apart.
        self._prefix = f"branchline:{urlsplit(url).path.strip('/') or '0'}:"
        self._name = server
        self._own = f"{server} ".encode()
        self._probe: tuple[bytes, float] | None = None
        # Without a timeout for what is read and written: nobody speaks for hours, and `_doubt` sees to the rest.
        self._redis = redis.asyncio.from_url(
            url, protocol=3, socket_timeout=None, socket_connect_timeout=TIMEOUT, socket_keepalive=True
        )
        self._outgoing: deque[News] = deque(maxlen=WAITING)
        self._followed: set[str] = set()
        self._asked: dict[str, bool] = {}
        """Tables to follow (True) or to leave, which Redis has not been told yet."""
        self._something = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._connection: Any = None
        self._patience: asyncio.Timeout | None = None
        self._sent = self._answered = 0
        """News that went out, and that Redis has said it got."""
        self._doubting: asyncio.TimerHandle | None = None
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
            async with asyncio.timeout(TIMEOUT):
                await self._publish_some()
                while self._connection is not None and self._answered < self._sent:
                    await asyncio.sleep(0.005)
        if self._doubting is not None:
            self._doubting.cancel()
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
            # A connection that fails is noticed by who listens to it, and what it was told last is lost.
            with contextlib.suppress(*LOST):
                await self._subscribe_some()
                await self._publish_some()

    async def _publish_some(self) -> None:
        while self._outgoing and (connection := self._connection) is not None:
            batch = [self._outgoing.popleft() for _ in range(min(len(self._outgoing), TOGETHER))]
            words = [self._word(news) for news in batch]
            if self._probe is None:
                self._probe = (words[0].encode(), time.monotonic())
            self._sent += len(batch)
            if self._doubting is None:
                self._doubting = asyncio.get_running_loop().call_later(TIMEOUT, self._doubt, self._sent)
            commands = [
                ("PUBLISH", self._channel(news.about, news.id), word) for news, word in zip(batch, words, strict=True)
            ]
            await connection.send_packed_command(connection.pack_commands(commands), check_health=False)

    def _doubt(self, sent: int) -> None:
        """Give up a Redis that has not said for so long that it got something."""
        self._doubting = None
        if self._answered < sent and self._patience is not None:
            self._patience.reschedule(asyncio.get_running_loop().time())
        elif self._answered < self._sent:
            self._doubting = asyncio.get_running_loop().call_later(TIMEOUT, self._doubt, self._sent)

    async def _subscribe_some(self) -> None:
        connection = self._connection
        if connection is None:
            return  # all that is followed is asked for at once, when it connects
        asked, self._asked = self._asked, {}
        for command, follow in (("SUBSCRIBE", True), ("UNSUBSCRIBE", False)):
            channels = [self._channel("table", table) for table, wanted in asked.items() if wanted is follow]
            for begin in range(0, len(channels), TOGETHER):
                await connection.send_command(command, *channels[begin : begin + TOGETHER], check_health=False)

    async def _listen(self, hear: Hear) -> None:
        while True:
            connection = self._redis.connection_pool.make_connection()  # type: ignore[no-untyped-call]
            try:
                async with asyncio.timeout(TIMEOUT):
                    await connection.connect()
                    await connection.send_command("SUBSCRIBE", *(self._channel(about) for about in sorted(COMMON)))
                self._answered = self._sent
                self._connection, self._asked = connection, dict.fromkeys(self._followed, True)
                self._something.set()
                self._found()
                hear(News("lost", ""))
                async with asyncio.timeout(None) as self._patience:
                    while True:
                        self._heard(await connection.read_response(push_request=True), hear)
            except LOST as error:
                self._lost(error)
            finally:
                self._connection = self._patience = None
                with contextlib.suppress(*LOST):
                    await connection.disconnect(nowait=True)
            await asyncio.sleep(PAUSE)
            self._outgoing.clear()  # who was away longer than that compares

    def _heard(self, message: Any, hear: Hear) -> None:
        if not isinstance(message, list):
            self._answered += 1  # how many heard what we said
        elif message[0] == b"message":
            data: bytes = message[2]
            if data.startswith(self._own):
                self._measure(data)
            elif (news := _read(data)) is not None:
                hear(news)
        elif message[0] == b"subscribe":
            # Whatever was said about a table while nobody listened is asked for once.
            table = message[1].decode().removeprefix(self._prefix + "table:")
            if table in self._followed:
                hear(News("table", table))

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
