"""A cable between browser and server that can be cut: it stays plugged in at both ends, and nothing goes through."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Cable:
    """Forwards bytes both ways, until it is cut."""

    def __init__(self, url: str) -> None:
        """`url` is where the server is."""
        self._host, self._port = urlsplit(url).hostname, urlsplit(url).port
        self._loop = asyncio.new_event_loop()
        self._whole = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""

    def cut(self) -> None:
        """From now on nothing arrives, and nobody is told."""
        self._loop.call_soon_threadsafe(self._whole.clear)

    def mend(self) -> None:
        """What was on its way when it was cut is lost with its connection; new ones go through."""

        def whole() -> None:
            for task in self._tasks:
                task.cancel()
            self._whole.set()

        self._loop.call_soon_threadsafe(whole)

    async def _plug(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(self._host, self._port)
        both = [asyncio.create_task(self._carry(*way)) for way in ((reader, back), (there, writer))]
        self._tasks.update(both)
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in (writer, back):
                end.close()
            for task in both:
                task.cancel()
            self._tasks.difference_update(both)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._whole.wait()
                writer.write(data)
                await writer.drain()

    async def _serve(self, ready: threading.Event, done: asyncio.Event) -> None:
        self._whole.set()
        async with await asyncio.start_server(self._plug, "127.0.0.1", 0) as server:
            self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            ready.set()
            await done.wait()
            plugged = asyncio.all_tasks() - {asyncio.current_task()}
            for task in plugged:
                task.cancel()
            await asyncio.gather(*plugged, return_exceptions=True)


@contextmanager
def cable(url: str) -> Iterator[Cable]:
    """A cable to a server, until the end of the block."""
    made, ready, done = Cable(url), threading.Event(), asyncio.Event()

    def run() -> None:
        made._loop.run_until_complete(made._serve(ready, done))
        made._loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait(10)
    try:
        yield made
    finally:
        made._loop.call_soon_threadsafe(done.set)
        thread.join(10)
