"""One live table: a lock, a game, a version, and whoever is looking."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar, cast

import orjson

from branchline.actions import Action
from branchline.codec import to_json
from branchline.engine.refusals import IllegalAction
from branchline.events import Event
from branchline.game import Game
from branchline.server import crash, pace, seeds
from branchline.server.head import Change, Head, Undoable, head_from_json, without_closed
from branchline.server.messages import Entry, SeatInfo, TableInfo, ViewMessage
from branchline.server.refused import Refused, busy, stale
from branchline.server.store import Busy, ChatRow, Conflict, LogRow, Store, TableRow
from branchline.server.undo import can_be_undone

T = TypeVar("T")

_log = logging.getLogger("branchline.table")


class Clock(Protocol):
    """Where the time comes from."""

    def __call__(self) -> float: ...


class Watcher(Protocol):
    """Somebody looking at the table: a socket."""

    person: str
    name: str
    """What the person is called in the chat."""
    seat: int | None
    """The seat whose view it asked for."""
    muted: set[str]
    """Whom it does not hear."""

    def put(self, frame: str) -> None: ...

    def drop(self, code: int) -> None: ...


class Minder(Protocol):
    """Who plays for seats that do not play themselves."""

    def look_after(self, table: "Table") -> None:
        """Called after every change."""
        ...

    def forget(self, table: "Table") -> None: ...


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asked for something, under which id."""

    by: str
    person: str | None = None
    message: str | None = None


class Table:
    """A table with its people. What it says has been stored before."""

    def __init__(self, row: TableRow, store: Store, minder: Minder, now: Clock, patience: float) -> None:
        """The table as it was stored. `patience` is for how long an absent person is waited for without a clock."""
        self.id = row.id
        self.code = row.code
        self.created = row.created
        self.status = row.status
        self.version = row.version
        self.head = head_from_json(row.head)
        self.game = None if row.state is None else Game.from_dict(orjson.loads(row.state))
        self.before = None if row.before is None else Game.from_dict(orjson.loads(row.before))
        self.watchers: dict[Watcher, None] = {}
        """In the order in which they came."""
        self.loaded = self.used = now()
        self._seed = bytes.fromhex(row.seed)
        self._state = row.state
        self._before = row.before
        self._store = store
        self._minder = minder
        self._now = now
        self._patience = patience
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.gone: dict[str, float] = {}
        """Since when somebody has had no socket; if not here, since it was loaded."""
        self._telling: asyncio.TimerHandle | None = None
        self._lines: int | None = None

    # What happens.

    async def submit(self, seat: int, action: Action, ask: int, asked: Asked) -> int:
        """Do an action, stored before it is so; returns its log number. A repeated message gets its old number."""
        return await self._run(self._submit(seat, action, ask, asked))

    async def take_back(self, seat: int, n: int, asked: Asked) -> int:
        """Undo a seat's last action: an entry of its own."""
        return await self._run(self._take_back(seat, n, asked))

    async def start(self, person: str) -> int:
        """Deal the game."""
        return await self._run(self._start(person))

    async def change(self, change: Change, *, status: str | None = None) -> None:
        """Change settings or seats; refused if the table's status is another than `status`."""
        await self._run(self._change(change, status))

    async def abandon(self, person: str, agree: bool) -> None:
        """Agree to abandon the game, or no longer; it ends when everybody still there agrees."""
        await self._run(self._abandon(person, agree))

    async def say(self, person: str, name: str, text: str, message: str) -> int:
        """Say something to everybody who has not muted the person."""
        return await self._run(self._say(person, name, text, message))

    async def _submit(self, seat: int, action: Action, ask: int, asked: Asked) -> int:
        async with self._turn:
            head, game = self.head, self.game
            if game is None or self.status != "playing" or not 0 <= seat < len(head.asked) or ask != head.asked[seat]:
                return await self._old_answer(asked, self._not_asked(seat, ask))
            after = game.copy()
            try:
                events = after.play(seat, action)
            except IllegalAction as error:
                raise Refused(error.reason, error.message, error.rule, 422) from None
            n, now = self.version + 1, self._now()
            entry = self._entry(n, "act", seat, asked, to_json(action), events, now)
            head = self._after_action(head, game, after, seat, n, now, asked, events)
            try:
                await self._append(head, after, entry, game)
            except Conflict:
                return await self._old_answer(asked, stale())
        self._announce(entry, events)
        return n

    async def _take_back(self, seat: int, n: int, asked: Asked) -> int:
        async with self._turn:
            head, before = self.head, self.before
            undoable = head.undoable
            if before is None or undoable is None or undoable.seat != seat or undoable.n != n or n != self.version:
                return await self._old_answer(asked, Refused("no-undo", "this can't be taken back any more"))
            entry = self._entry(n + 1, "undo", seat, asked, None, [], self._now())
            to_act = before.to_act
            head = replace(
                head,
                to_act=to_act,
                asked=tuple(n + 1 if s in to_act else None for s in range(before.seats)),
                deadline=undoable.deadline,
                undoable=None,
            )
            try:
                await self._append(head, before, entry, None)
            except Conflict:
                return await self._old_answer(asked, stale())
        self._announce(entry, [])
        return n + 1

    async def _start(self, person: str) -> int:
        async with self._turn:
            if self.status != "open":
                raise Refused("started", "the game has begun")
            self._check_owner(person)
            head = without_closed(self.head)
            if any(not sitter.ready for sitter in head.sitters):
                raise Refused("not-ready", "fill or close the open seats first")
            nonces = [sitter.nonce for sitter in head.sitters]
            try:
                game = Game.new(
                    head.map, len(head.sitters), self._seed, first=head.first, entropy=seeds.entropy(self.id, nonces)
                )
            except ValueError as error:
                raise Refused("seats", str(error).removeprefix("seats: "), "R1.1") from None
            now = self._now()
            head = replace(
                head,
                to_act=game.to_act,
                asked=tuple(1 if seat in game.to_act else None for seat in range(game.seats)),
                deadline=pace.deadline(head.pace, now),
            )
            events = game.opening_events()
            entry = self._entry(1, "start", None, Asked("table", person), None, events, now)
            try:
                await self._append(head, game, entry, None, status="playing")
            except Conflict:
                raise stale() from None
        self._announce(entry, events)
        self.tell()
        return 1

    async def _change(self, change: Change, status: str | None) -> None:
        async with self._turn:
            if status is not None and self.status != status:
                raise Refused("status", f"the table is {self.status}")
            head = change(self.head)
            if head == self.head:
                return
            await self._save(head, self.status)
        self.tell()

    async def _abandon(self, person: str, agree: bool) -> None:
        async with self._turn:
            if self.status != "playing":
                raise Refused("status", f"the table is {self.status}")
            if person not in self.head.people:
                raise Refused("no-seat", "only somebody with a seat can", status=403)
            agreed = [other for other in self.head.abandoning if other != person] + [person] * agree
            head = replace(self.head, abandoning=tuple(agreed))
            waiting = {s.person for s in head.sitters if s.who == "person" and not s.left and s.level is None}
            if not agree or not waiting <= set(agreed):
                await self._save(head, self.status)
                self.tell()
                return
            entry = self._entry(self.version + 1, "abandon", None, Asked("table", person), None, [], self._now())
            head = replace(head, to_act=(), asked=tuple(None for _ in head.asked), deadline=None, undoable=None)
            assert self.game is not None
            try:
                await self._append(head, self.game, entry, None, status="abandoned")
            except Conflict:
                raise stale() from None
        self._announce(entry, [])
        self.tell()

    async def _say(self, person: str, name: str, text: str, message: str) -> int:
        async with self._turn:
            if self._lines is None:
                last = await self._store.said(self.id, 1)
                self._lines = last[0].n if last else 0
            line = ChatRow(self.id, self._lines + 1, person, name, message, text, self._now())
            try:
                await self._store.say(line)
            except Busy:
                raise busy() from None
            except Conflict:
                return await self._old_answer(Asked("person", person, message), stale())
            self._lines = line.n
        frame = said_frame([line])
        for watcher in list(self.watchers):
            if person not in watcher.muted:
                watcher.put(frame)
        return line.n

    # What is seen.

    def info(self) -> TableInfo:
        """The table as everybody at it may see it."""
        head = self.head
        return {
            "id": self.id,
            "code": self.code,
            "map": head.map,
            "status": cast(Any, self.status),
            "owner": head.owner,
            "public": head.public,
            "hints": head.hints,
            "pace": cast(Any, head.pace.model_dump()),
            "first": head.first,
            "seats": [self._seat_info(seat) for seat in range(len(head.sitters))],
            "commitment": head.commitment,
            "n": self.version,
            "to_act": list(head.to_act),
            "deadline": head.deadline,
            "watching": sum(watcher.person not in head.people for watcher in self.watchers),
            "abandoning": list(head.abandoning),
            "next": head.next,
            "created": self.created,
        }

    def view_frame(self, seat: int | None, entry: Entry | None = None) -> str | None:
        """The view of a seat as a frame; None before the start."""
        if self.game is None:
            return None
        head, over = self.head, self.game.over
        undoable = head.undoable
        message: ViewMessage = {
            "is": "view",
            "n": self.version,
            "seat": seat,
            "ask": None if seat is None else head.asked[seat],
            "entry": entry,
            "undo": undoable is not None and undoable.seat == seat,
            "deadline": head.deadline,
            "view": cast(Any, self.game.view(seat).to_dict(memory=False)),
            "scores": cast(Any, self.game.scores().to_dict()) if over else None,
        }
        return orjson.dumps(message).decode()

    def is_absent(self, seat: int) -> bool:
        """Whether the others may hand a seat to a bot now."""
        sitter = self.head.sitters[seat]
        if sitter.who != "person" or sitter.person is None:
            return sitter.who == "open"
        if sitter.left:
            return True
        gone = None if self.is_here(sitter.person) else self._now() - self.gone.get(sitter.person, self.loaded)
        return pace.is_absent(self.head.pace, gone, sitter.missed, self._patience)

    def is_here(self, person: str) -> bool:
        """Whether a person has a socket open."""
        return any(watcher.person == person for watcher in self.watchers)

    @property
    def idle(self) -> bool:
        """Whether nobody looks and nothing is under way."""
        return not self.watchers and not self._tasks

    @property
    def wake(self) -> float | None:
        """When the server has to look after the table by itself."""
        return self._wake(self.head, self.status)

    def secrets(self) -> tuple[bytes, bytes]:
        """Seed and entropy of the shuffles; refused while they are secret (R8.3)."""
        if self.status not in ("over", "abandoned"):
            raise Refused("running", "that is told when the game is over", "R8.3")
        return self._seed, seeds.entropy(self.id, [sitter.nonce for sitter in self.head.sitters])

    # Who looks.

    def enter(self, watcher: Watcher) -> None:
        """Somebody opened a socket."""
        self.watchers[watcher] = None
        self.gone.pop(watcher.person, None)
        self.tell()

    def leave(self, watcher: Watcher) -> None:
        """A socket closed."""
        self.watchers.pop(watcher, None)
        if not self.is_here(watcher.person):
            self.gone[watcher.person] = self._now()
            if self.status == "playing":
                # The others are told when they may hand the seat to a bot.
                patience = pace.seconds(self.head.pace) or self._patience
                asyncio.get_running_loop().call_later(min(patience, pace.DAY) + 0.5, self.tell)
        self.tell()

    def tell(self) -> None:
        """Send the table to everybody soon; several changes at once make one message, the more so in a crowd."""
        if self._telling is None and self.watchers:
            soon = 0.02 + 0.005 * len(self.watchers)
            self._telling = asyncio.get_running_loop().call_later(soon, self._tell)

    def _tell(self) -> None:
        self._telling = None
        frame = orjson.dumps({"is": "table", "table": self.info()}).decode()
        for watcher in list(self.watchers):
            watcher.put(frame)

    def _announce(self, row: LogRow, events: Sequence[Event]) -> None:
        crash.point(crash.BEFORE_ANNOUNCING)
        if self.game is None:
            return
        frames: dict[int | None, str] = {}
        for watcher in list(self.watchers):
            frame = frames.get(watcher.seat)
            if frame is None:
                seen = [to_json(self.game.event_for(event, watcher.seat)) for event in events]
                frame = frames[watcher.seat] = self.view_frame(watcher.seat, entry_message(row, seen)) or ""
            watcher.put(frame)

    # How it is stored.

    async def _append(
        self, head: Head, game: Game, entry: LogRow, before: Game | None, *, status: str | None = None
    ) -> None:
        """Store an entry, then be what it says."""
        status = status or ("over" if game.over else "playing")
        state = orjson.dumps(game.to_dict()).decode()
        kept = None if head.undoable is None else self._state
        row = self._row(head, status, entry.n, entry.at, state, kept)
        try:
            await self._store.append(row, entry, head.people)
        except Busy:
            raise busy() from None
        self.status, self.version = status, entry.n
        if head.sitters != self.head.sitters:
            self.tell()
        self._seat_all(head)
        self.game, self.before = game, before if kept is not None else None
        self._state, self._before = state, kept
        if status == "playing":
            self._minder.look_after(self)
        else:
            self._minder.forget(self)
            self.tell()

    async def _save(self, head: Head, status: str) -> None:
        try:
            row = self._row(head, status, self.version, self._now(), self._state, self._before)
            await self._store.save_table(row, head.people)
        except Busy:
            raise busy() from None
        self._seat_all(head)
        if self.status == "playing":
            self._minder.look_after(self)

    def _seat_all(self, head: Head) -> None:
        """Who lost a seat, or had its number changed by the start, looks at the public side until they ask again."""
        self.head = head
        for watcher in self.watchers:
            if watcher.seat is not None and watcher.seat not in head.seats_of(watcher.person):
                watcher.seat = None

    def _row(self, head: Head, status: str, n: int, now: float, state: str | None, before: str | None) -> TableRow:
        return TableRow(
            id=self.id,
            code=self.code,
            status=status,
            public=head.public,
            version=n,
            wake=self._wake(head, status),
            created=self.created,
            updated=now,
            head=head.to_json(),
            seed=self._seed.hex(),
            state=state,
            before=before,
        )

    def _wake(self, head: Head, status: str) -> float | None:
        if status != "playing":
            return None
        if any(head.sitters[seat].plays_itself for seat in head.to_act):
            return 0.0
        return head.deadline

    def _entry(
        self, n: int, kind: str, seat: int | None, asked: Asked, action: object, events: Sequence[Event], at: float
    ) -> LogRow:
        return LogRow(
            table=self.id,
            n=n,
            kind=kind,
            seat=seat,
            by=asked.by,
            person=asked.person,
            message=asked.message,
            action=None if action is None else orjson.dumps(action).decode(),
            events=orjson.dumps([to_json(event) for event in events]).decode(),
            at=at,
        )

    def _after_action(
        self, head: Head, game: Game, after: Game, seat: int, n: int, now: float, asked: Asked, events: Sequence[Event]
    ) -> Head:
        """The head after an action: who is asked what since when, and whether it can be taken back."""
        to_act = after.to_act
        # A question stays the same one while others answer theirs (R2.5).
        kept = [head.asked[s] if s != seat and s in head.to_act else n for s in range(after.seats)]
        missed = head.sitters[seat].missed
        if asked.by == "clock":
            missed += 1
        elif asked.by == "person":
            missed = 0
        if missed != head.sitters[seat].missed:
            head = head.with_sitter(seat, replace(head.sitters[seat], missed=missed))
        undoable = None
        if asked.by == "person" and not after.over and can_be_undone(events):
            undoable = Undoable(n, seat, head.deadline)
        deadline = head.deadline if after.turn == game.turn else pace.deadline(head.pace, now)
        return replace(
            head,
            to_act=to_act,
            asked=tuple(kept[s] if s in to_act else None for s in range(after.seats)),
            deadline=None if after.over else deadline,
            undoable=undoable,
        )

    def _not_asked(self, seat: int, ask: int) -> Refused:
        if self.status in ("over", "abandoned"):
            return Refused("over", "the game is over", "R7.1")
        if self.game is None:
            return Refused("open", "the game has not begun")
        if 0 <= seat < len(self.head.asked) and self.head.asked[seat] is None and ask >= self.version:
            return Refused("not-your-turn", "it is not this seat's turn", "R3.1")
        return stale()

    async def _old_answer(self, asked: Asked, otherwise: Refused) -> int:
        """What a message was answered when it came first; refused if it never came."""
        if asked.person is not None and asked.message is not None:
            try:
                n = await self._store.entry_of(self.id, asked.person, asked.message)
            except Busy:
                raise busy() from None
            if n is not None:
                return n
        raise otherwise

    async def _run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in a task of the table: who asked may vanish, the table goes on."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            error = task.exception()
            if error is not None and not isinstance(error, Refused):
                _log.error("table %s: a task failed", self.id, exc_info=error)

    def _check_owner(self, person: str) -> None:
        if self.head.owner != person:
            raise Refused("not-owner", "only the table's owner can", status=403)

    def _seat_info(self, seat: int) -> SeatInfo:
        sitter = self.head.sitters[seat]
        return {
            "who": sitter.who,
            "person": sitter.person,
            "name": sitter.name,
            "level": sitter.level,
            "colour": sitter.colour,
            "ready": sitter.ready,
            "nonce": sitter.nonce,
            "here": sitter.person is not None and self.is_here(sitter.person),
            "left": sitter.left,
            "absent": self.status == "playing" and sitter.who in ("person", "open") and self.is_absent(seat),
        }


def entry_message(row: LogRow, events: list[dict[str, Any]]) -> Entry:
    """A log entry as a message, with its events as somebody may know them."""
    return {
        "n": row.n,
        "is": cast(Any, row.kind),
        "seat": row.seat,
        "by": cast(Any, row.by),
        "events": events,
        "at": row.at,
    }


def said_frame(lines: Sequence[ChatRow]) -> str:
    """Lines of chat as a frame."""
    shown = [
        {"n": line.n, "person": line.person, "name": line.name, "text": line.text, "at": line.at} for line in lines
    ]
    return orjson.dumps({"is": "said", "lines": shown}).decode()
