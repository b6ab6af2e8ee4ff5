"""One socket: frames to messages to the table, and back through a bounded queue."""

import asyncio
import contextlib
import logging
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import orjson
from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from branchline import explain
from branchline.codec import event_from_json, to_json
from branchline.engine.refusals import IllegalAction
from branchline.game import Game
from branchline.server import crash, messages
from branchline.server.bots import ADVISER
from branchline.server.bus import News
from branchline.server.chat import SHOWN
from branchline.server.frames import entry_message, said_frame
from branchline.server.guard.door import Rank, Visit
from branchline.server.guard.meter import in_thread, metered, payer
from branchline.server.guard.safety import PAUSE
from branchline.server.identity import clean_text
from branchline.server.messages import Close, Problem, from_client
from branchline.server.refused import Refused, cannot_store, not_yours, too_many
from branchline.server.sessions import Known
from branchline.server.standing import Asked
from branchline.server.store import Busy
from branchline.server.table import Table
from branchline.views import View

if TYPE_CHECKING:
    from branchline.server.house import House

_log = logging.getLogger("branchline.connection")

BEAT = '{"is":"beat"}'
SILENCE = 2.5
"""Heartbeats without a sign of life after which a socket is dead."""
HISTORY = 200
"""Log entries in one answer."""
AT_ONCE = 20
"""Log entries that are worded before anybody else has a turn."""
HINTS = 8
"""Hints that an address may wait for."""

MUTES = 200
"""People whom one person does not hear, at most."""


class Connection:
    """A person's socket at a table."""

    def __init__(
        self,
        socket: WebSocket,
        table: Table,
        known: Known,
        house: "House",
    ) -> None:
        """A socket that was accepted, of somebody who is known."""
        settings = house.settings
        self.person = known.person.id
        self.session = known.session.id
        self.seat: int | None = None
        self.muted: set[str] = set()
        self.revision = known.person.revision
        self._socket = socket
        self._visit = visit_of(socket)
        self._account = payer.get()
        if self._account is not None:
            self._account.also(house.limits["person-seconds"], self.person)
        self._table = table
        self._sessions = house.sessions
        self._store = house.store
        self._workers = house.workers
        self._thinking = house.thinking
        self._limits = house.limits
        self._queue: asyncio.Queue[str | None] = asyncio.Queue(settings.queue)
        self._heartbeat = settings.heartbeat
        self._at_once = settings.sockets_per_person
        self._most = settings.sockets_per_table
        self._seed = house.seed
        self._heard = asyncio.get_running_loop().time()
        self._closing: int | None = None
        self._questions: set[asyncio.Task[None]] = set()

    def put(self, frame: str) -> None:
        """Queue a frame; who does not read is dropped, and nobody waits for them."""
        try:
            self._queue.put_nowait(frame)
        except asyncio.QueueFull:
            self.drop(Close.TOO_SLOW)

    def drop(self, code: int) -> None:
        """Close soon, whatever still waits; who does not read or is gone is cut off at once."""
        if self._closing is None:
            self._closing = code
            self._table.audience.watchers.pop(self, None)
            while not self._queue.empty():
                self._queue.get_nowait()
            self._queue.put_nowait(None)
            if code in (Close.TOO_SLOW, Close.NOT_HERE) and self._visit is not None:
                # A closing handshake would wait behind what is not read, and sending with it.
                self._visit.cut()

    async def run(self, seat: int | None, numbering: int) -> None:
        """Serve the socket until it closes; it asked for a seat by the number that it had at the time."""
        if not await self._greet(seat, numbering):
            await self._close()
            return
        tasks = [asyncio.create_task(metered(work)) for work in (self._send(), self._receive(), self._beat())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._table.audience.leave(self)
            for task in [*tasks, *self._questions]:
                task.cancel()
            for result in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect | RuntimeError):
                    _log.error("a socket failed", exc_info=result)
            await self._close()

    async def _greet(self, seat: int | None, numbering: int) -> bool:
        """Let the socket in, or say why not: what was true when it knocked may not be any more."""
        table = self._table
        self.muted = await self._store.muted(self.person)
        lines = [line for line in await table.chat.read() if line.person not in self.muted]
        # From here to the first view nothing awaits: what happens meanwhile comes after it, and nothing is missed.
        if self._sessions.has_ended(self.person, self.session):
            self._closing = Close.NOBODY
        elif table.head.is_closed_to(self.person):
            self._closing = Close.KEPT_AWAY
        elif self._is_spent:
            self._closing = Close.FULL
        else:
            mine = [watcher for watcher in table.audience.watchers if watcher.person == self.person]
            for oldest in mine[: max(0, len(mine) + 1 - self._at_once)]:
                oldest.drop(Close.REPLACED)
            if not table.audience.make_room(self.person, self._most):
                self._closing = Close.FULL
        if self._closing is not None:
            return False
        table.audience.enter(self)
        self._rank()
        self._put(
            {
                "is": "hello",
                "heartbeat": self._heartbeat,
                "silence": SILENCE * self._heartbeat,
                "muted": sorted(self.muted),
            }
        )
        self._put({"is": "table", "table": table.info()})
        self.put(said_frame(lines))
        # A number from before the seats were numbered anew is about another seat.
        self._look(seat if numbering == table.numbering else None)
        return True

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
            if not self._limits["messages"].allows(self.person) or self._is_spent:
                self._refuse(_id_in(message.get("text") or ""), too_many().problem())
                await asyncio.sleep(PAUSE)
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
                self._rank()
                self.put(BEAT)
                due += self._heartbeat
        self.drop(Close.NOT_HERE)

    def _rank(self) -> None:
        """Who has a seat is kept when connections run out, who watches is not."""
        if self._visit is not None:
            self._visit.becomes(Rank.SEATED if self.person in self._table.head.people else Rank.WATCHING)

    @property
    def _is_spent(self) -> bool:
        return self._account is not None and self._account.is_spent

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
                    self._done(message.id, await self._table.undo(message.seat, message.n, asked))
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
        except Busy as busy:
            self._refuse(getattr(message, "id", None), cannot_store(busy.unsure).problem())

    def _look(self, seat: int | None) -> None:
        self.seat = self._table.head.through(self.person, seat)
        frame = self._table.view_frame(self.person, seat)
        if frame is not None:
            self.put(frame)

    async def _say(self, message: messages.Say) -> None:
        if not self._limits["chat"].allows(self.person):
            raise too_many()
        text = clean_text(message.text)
        self._done(message.id, await self._table.say(self.person, text, message.id))

    async def _mute(self, message: messages.Mute) -> None:
        if not message.muted:
            await self._store.unmute(self.person, message.person)
        elif not await self._store.mute(self.person, message.person, MUTES):
            raise Refused("too-long", f"{MUTES} people are muted already; hear one of them again first")
        for watcher in self._table.audience.watchers:
            if watcher.person == self.person:
                (watcher.muted.add if message.muted else watcher.muted.discard)(message.person)
        self._table.services.bus.publish(News("person", self.person))
        if not message.muted:
            lines = await self._store.said(self._table.id, SHOWN)
            self.put(said_frame([line for line in lines if line.person not in self.muted]))

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
                self._refuse(id, cannot_store().problem())

        task = asyncio.create_task(metered(answer()))
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
                    answer = asdict(await self._odds(view, about))
                case messages.BorrowedQuestion():
                    answer = explain.borrowed(view, about.city)
        except IllegalAction as error:
            raise Refused.illegal(error) from None
        except ValueError as error:
            raise Refused("question", str(error), status=422) from None
        return {"is": "answer", "id": message.id, "answer": answer}

    async def _odds(self, view: View, about: messages.OddsQuestion) -> explain.Odds:
        """Some milliseconds of work: one at a time for each address, while it has time left."""
        async with self._thinking.turn(self.person if self._account is None else self._account.who):
            if self._is_spent:
                raise too_many()
            return await in_thread(explain.tunnel_odds, view, about.route, about.payment.payment())

    async def _hint(self, message: messages.Hint) -> dict[str, Any]:
        game = self._game(message.seat)
        ask = self._table.head.asked[message.seat]
        if not self._table.head.hints:
            raise Refused("no-hints", "this table plays without hints", status=403)
        if ask is None:
            raise Refused("not-your-turn", "nothing is asked of this seat now", "R3.1")
        who = self.person if self._account is None else self._account.who
        if self._workers.turns.wanted(who) >= HINTS:
            raise Refused("busy", "the last one you asked for is not done yet; wait for it", status=503)
        choice = await self._workers.choose(ADVISER, game.view(message.seat), self._seed(), who, by_clock=False)
        if choice is None:
            raise Refused("no-advice", "the bot has no advice now; try again", status=503)
        why = {name: choice.why[name] for name in messages.Reason.__annotations__ if name in choice.why}
        return {"is": "advice", "id": message.id, "ask": ask, "action": to_json(choice.action), "why": why}

    async def _history(self, message: messages.History) -> dict[str, Any]:
        rows = await self._store.entries(self._table.id, message.since, HISTORY + 1)
        game = self._table.game
        if game is None:
            return {"is": "entries", "id": message.id, "entries": [], "more": False}
        entries = []
        for number, row in enumerate(rows[:HISTORY]):
            if number % AT_ONCE == AT_ONCE - 1:
                await asyncio.sleep(0)  # others' actions come between
            seat = self._table.head.through(self.person, self.seat)
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
            raise not_yours()

    def _done(self, id: str, n: int) -> None:
        self._put({"is": "done", "id": id, "n": n})

    def _refuse(self, id: str | None, problem: Problem) -> None:
        self._put({"is": "refused", "id": id, "problem": problem})

    def _put(self, message: Any) -> None:
        self.put(orjson.dumps(message).decode())

    async def _close(self) -> None:
        if self._socket.application_state == WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError):
                await self._socket.close(self._closing or 1000)


def visit_of(socket: WebSocket) -> Visit | None:
    """The connection that a socket is spoken on; None under another server than ours."""
    visit: Visit | None = getattr(socket, "scope", {}).get("state", {}).get("visit")
    return visit


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
