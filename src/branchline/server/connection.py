"""One socket: frames to messages to the table, and back through a bounded queue."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import orjson
from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from branchline import explain
from branchline.codec import event_from_json, to_json
from branchline.engine.refusals import IllegalAction
from branchline.game import Game
from branchline.server import crash, messages
from branchline.server.bots import REGULAR
from branchline.server.identity import clean_text
from branchline.server.limits import Limiter
from branchline.server.messages import Problem, from_client
from branchline.server.refused import Refused, busy, too_many
from branchline.server.settings import Settings
from branchline.server.store import Busy, PersonRow, Store
from branchline.server.table import Asked, Table, entry_message, said_frame
from branchline.server.workers import Workers

_log = logging.getLogger("branchline.connection")

BEAT = '{"is":"beat"}'
SILENCE = 2.5
"""Heartbeats without a sign of life after which a socket is dead."""
CHAT_SHOWN = 50
HISTORY = 200
"""Log entries in one answer."""

TOO_SLOW = 4008
NOT_HERE = 4010
REPLACED = 4409
"""Close codes: does not read; gave no sign of life; a newer socket of the same person took its place."""


class Connection:
    """A person's socket at a table."""

    def __init__(
        self,
        socket: WebSocket,
        table: Table,
        person: PersonRow,
        store: Store,
        workers: Workers,
        limits: dict[str, Limiter],
        settings: Settings,
        seed: Callable[[], int],
    ) -> None:
        """A socket that was accepted; `seed` is for what bots advise."""
        self.person = person.id
        self.seat: int | None = None
        self.muted: set[str] = set()
        self.name = person.name
        self._socket = socket
        self._table = table
        self._store = store
        self._workers = workers
        self._limits = limits
        self._queue: asyncio.Queue[str | None] = asyncio.Queue(settings.queue)
        self._heartbeat = settings.heartbeat
        self._at_once = settings.sockets_per_person
        self._seed = seed
        self._heard = asyncio.get_running_loop().time()
        self._closing: int | None = None
        self._questions: set[asyncio.Task[None]] = set()

    def put(self, frame: str) -> None:
        """Queue a frame; who does not read is dropped, and nobody waits for them."""
        try:
            self._queue.put_nowait(frame)
        except asyncio.QueueFull:
            self.drop(TOO_SLOW)

    def drop(self, code: int) -> None:
        """Close soon, whatever still waits."""
        if self._closing is None:
            self._closing = code
            self._table.watchers.pop(self, None)
            while not self._queue.empty():
                self._queue.get_nowait()
            self._queue.put_nowait(None)

    async def run(self, seat: int | None) -> None:
        """Serve the socket until it closes."""
        self.muted = await self._store.muted(self.person)
        if seat is not None and seat in self._table.head.seats_of(self.person):
            self.seat = seat
        await self._greet()
        tasks = [asyncio.create_task(work) for work in (self._send(), self._receive(), self._beat())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._table.leave(self)
            for task in [*tasks, *self._questions]:
                task.cancel()
            for result in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect | RuntimeError):
                    _log.error("a socket failed", exc_info=result)
            await self._close()

    async def _greet(self) -> None:
        lines = [line for line in await self._store.said(self._table.id, CHAT_SHOWN) if line.person not in self.muted]
        # From here to the first view nothing awaits: what happens meanwhile comes after it, and nothing is missed.
        mine = [watcher for watcher in self._table.watchers if watcher.person == self.person]
        for oldest in mine[: max(0, len(mine) + 1 - self._at_once)]:
            oldest.drop(REPLACED)
        self._table.enter(self)
        self._put({"is": "table", "table": self._table.info()})
        self.put(said_frame(lines))
        self._look(self.seat)

    async def _send(self) -> None:
        while (frame := await self._queue.get()) is not None:
            await self._socket.send_text(frame)
            if frame.startswith('{"is":"done"'):
                crash.point(crash.AFTER_ACKNOWLEDGEMENT)

    async def _receive(self) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            self._heard = asyncio.get_running_loop().time()
            if not self._limits["messages"].allows(self.person):
                self._refuse(None, too_many().problem())
                await asyncio.sleep(0.2)
                continue
            text = message.get("text")
            if text is None:
                self._refuse(None, {"code": "malformed", "text": "messages are JSON in text frames", "rule": None})
                continue
            try:
                parsed = from_client.validate_json(text)
            except ValidationError as error:
                self._refuse(_id_in(text), _malformed(error))
                continue
            await self._handle(parsed)

    async def _beat(self) -> None:
        clock = asyncio.get_running_loop().time
        due = clock() + self._heartbeat
        while (left := self._heard + SILENCE * self._heartbeat - clock()) > 0:
            await asyncio.sleep(min(left, due - clock()))
            if clock() >= due:
                self.put(BEAT)
                due += self._heartbeat
        self.drop(NOT_HERE)

    async def _handle(self, message: Any) -> None:
        try:
            match message:
                case messages.Act():
                    self._own(message.seat)
                    asked = Asked("person", self.person, message.id)
                    self._done(message.id, await self._table.submit(message.seat, message.action(), message.ask, asked))
                case messages.Undo():
                    self._own(message.seat)
                    asked = Asked("person", self.person, message.id)
                    self._done(message.id, await self._table.take_back(message.seat, message.n, asked))
                case messages.Look():
                    if message.seat is not None:
                        self._own(message.seat)
                    self._look(message.seat)
                case messages.Say():
                    await self._say(message)
                case messages.Mute():
                    await self._mute(message)
                case messages.Explain():
                    self._ask(message.id, self._explain(message))
                case messages.Hint():
                    self._ask(message.id, self._hint(message))
                case messages.History():
                    self._ask(message.id, self._history(message))
                case messages.Beat():
                    pass
        except Refused as refused:
            self._refuse(getattr(message, "id", None), refused.problem())
            if refused.code == "stale":
                self._look(self.seat)
        except Busy:
            self._refuse(getattr(message, "id", None), busy().problem())

    def _look(self, seat: int | None) -> None:
        self.seat = seat
        frame = self._table.view_frame(seat)
        if frame is not None:
            self.put(frame)

    async def _say(self, message: messages.Say) -> None:
        if not self._limits["chat"].allows(self.person):
            raise too_many()
        text = clean_text(message.text)
        self._done(message.id, await self._table.say(self.person, self.name, text, message.id))

    async def _mute(self, message: messages.Mute) -> None:
        await self._store.mute(self.person, message.person, message.muted)
        for watcher in self._table.watchers:
            if watcher.person == self.person:
                (watcher.muted.add if message.muted else watcher.muted.discard)(message.person)

    def _ask(self, id: str, work: Any) -> None:
        """Answer a question beside the messages that follow it."""
        if not self._limits["questions"].allows(self.person):
            work.close()
            raise too_many()

        async def answer() -> None:
            try:
                self._put(await work)
            except Refused as refused:
                self._refuse(id, refused.problem())
            except Busy:
                self._refuse(id, busy().problem())

        task = asyncio.create_task(answer())
        self._questions.add(task)
        task.add_done_callback(self._questions.discard)

    async def _explain(self, message: messages.Explain) -> dict[str, Any]:
        view = self._game(message.seat).view(message.seat)
        about = message.about
        answer: Any
        try:
            match about:
                case messages.WhyNotQuestion():
                    answer = [asdict(reason) for reason in explain.why_not_claim(view, about.route)]
                case messages.OddsQuestion():
                    odds = await asyncio.to_thread(explain.tunnel_odds, view, about.route, about.payment.payment())
                    answer = asdict(odds)
                case messages.TicketsQuestion():
                    answer = [asdict(ticket) for ticket in explain.tickets(view)]
                case messages.WayQuestion():
                    way = explain.shortest_way(view, about.ticket)
                    answer = None if way is None else asdict(way)
                case messages.BorrowedQuestion():
                    answer = explain.borrowed(view, about.city)
        except IllegalAction as error:
            raise Refused(error.reason, error.message, error.rule, 422) from None
        except ValueError as error:
            raise Refused("question", str(error), status=422) from None
        return {"is": "answer", "id": message.id, "answer": answer}

    async def _hint(self, message: messages.Hint) -> dict[str, Any]:
        game = self._game(message.seat)
        ask = self._table.head.asked[message.seat]
        if not self._table.head.hints:
            raise Refused("no-hints", "this table plays without hints", status=403)
        if ask is None:
            raise Refused("not-your-turn", "nothing is asked of this seat now", "R3.1")
        choice = await self._workers.choose(REGULAR, game.view(message.seat), self._seed())
        if choice is None:
            raise Refused("no-advice", "the bot has no advice now; try again", status=503)
        why = {name: choice.why[name] for name in messages.Reason.__annotations__ if name in choice.why}
        return {"is": "advice", "id": message.id, "ask": ask, "action": to_json(choice.action), "why": why}

    async def _history(self, message: messages.History) -> dict[str, Any]:
        game, seat = self._table.game, self.seat
        if game is None:
            return {"is": "entries", "id": message.id, "entries": [], "more": False}
        rows = await self._store.entries(self._table.id, message.since, HISTORY + 1)
        entries = []
        for row in rows[:HISTORY]:
            events = [event_from_json(data) for data in orjson.loads(row.events)]
            entries.append(entry_message(row, [to_json(game.event_for(event, seat)) for event in events]))
        return {"is": "entries", "id": message.id, "entries": entries, "more": len(rows) > HISTORY}

    def _game(self, seat: int) -> Game:
        self._own(seat)
        if self._table.game is None:
            raise Refused("open", "the game has not begun")
        return self._table.game

    def _own(self, seat: int) -> None:
        """Refuse what concerns a seat of somebody else, whether or not there is such a seat."""
        if seat not in self._table.head.seats_of(self.person):
            raise Refused("not-yours", "this is not your seat", status=403)

    def _done(self, id: str, n: int) -> None:
        self._put({"is": "done", "id": id, "n": n})

    def _refuse(self, id: str | None, problem: Problem) -> None:
        self._put({"is": "refused", "id": id, "problem": problem})

    def _put(self, message: Any) -> None:
        self.put(orjson.dumps(message).decode())

    async def _close(self) -> None:
        if self._closing == TOO_SLOW or self._closing == NOT_HERE:
            # A closing handshake would wait behind what is not read.
            abort = self._socket.scope.get("state", {}).get("abort")
            if abort is not None:
                abort()
                return
        if self._socket.application_state == WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError):
                await self._socket.close(self._closing or 1000)


def _id_in(text: str) -> str | None:
    """The id of a message that is wrong otherwise, so that its sender knows which it was."""
    try:
        data = orjson.loads(text)
    except ValueError:
        return None
    id = data.get("id") if isinstance(data, dict) else None
    return id if isinstance(id, str) and len(id) <= 40 else None


def _malformed(error: ValidationError) -> Problem:
    """What is wrong with a message, in words of ours: what was sent is not sent back."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:80]
    return {"code": "malformed", "text": f"{where}: {first['type']}" if where else str(first["type"]), "rule": None}
