"""One live table: the game and its turn, and whoever is looking. What it says has been stored before."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import Any, TypeVar

from branchline.actions import Action
from branchline.codec import to_json
from branchline.engine.shuffle import Rng
from branchline.game import Game
from branchline.review.deals import bot_rng
from branchline.server import crash, metrics, pace, seeds, standing
from branchline.server.audience import Audience
from branchline.server.chat import Chat
from branchline.server.frames import Views, table_info
from branchline.server.guard.meter import metered
from branchline.server.head import Change, Head, own
from branchline.server.messages import Close, TableInfo
from branchline.server.optimistic import Stored
from branchline.server.outlooks import Outlooks
from branchline.server.presence import Presence
from branchline.server.refused import Refused, not_yours, stale
from branchline.server.services import Services
from branchline.server.standing import Asked, Standing, Step
from branchline.server.store import Busy, TableRow

T = TypeVar("T")

_log = logging.getLogger("branchline.table")

MINDED = frozenset(("bot", "stand-in", "fallback", "clock"))
"""Who acts for a seat that does not play itself: only on the server that has the lease."""


class Table:
    """A table with its people."""

    def __init__(self, row: TableRow, stands: Standing, services: Services) -> None:
        """The table as it was stored, and how it stands."""
        self.id = row.id
        self.code = row.code
        self.created = row.created
        self.services = services
        self.now = services.now
        self.loaded = self.used = services.now()
        self.stored = Stored(row, stands, services, self)
        self.audience = Audience(self)
        self.presence = Presence(self.audience.watchers.keys(), self.loaded)
        self.chat = Chat(self)
        self.outlooks = Outlooks()
        self.numbering = 0
        """Grows when seats get other numbers: what was said about a seat before is about another one."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._heard = False
        self._catching: asyncio.Task[None] | None = None
        self._behind = False
        """Whether another server has done something here that nobody at this one has looked at."""

    @property
    def status(self) -> str:
        """open, playing, over or abandoned."""
        return self.stored.stands.status

    @property
    def version(self) -> int:
        """The number of the last log entry."""
        return self.stored.stands.version

    @property
    def head(self) -> Head:
        """Settings and seats."""
        return self.stored.stands.head

    @property
    def game(self) -> Game | None:
        """The game; None before the start."""
        return self.stored.stands.game

    @property
    def wake(self) -> float | None:
        """When the server has to look after the table by itself."""
        return self.stored.stands.wake

    @property
    def minded(self) -> bool:
        """Whether this server plays for its bots and its clock."""
        return self.services.leases.holds(self.stored.minder)

    @property
    def attended(self) -> bool:
        """Whether somebody looks through this server, or it minds the table: else it need not follow it."""
        return bool(self.audience.watchers) or self.minded

    @property
    def idle(self) -> bool:
        """Whether nobody looks and nothing is under way."""
        return not self.audience.watchers and not self._tasks

    # What happens.

    async def submit(self, seat: int, action: Action, ask: int, asked: Asked) -> int:
        """Do an action, stored before it is so; returns its log number. A repeated message gets its old number."""
        if asked.message is not None:
            asked = replace(asked, wish=("act", seat, standing.written(to_json(action))))

        async def attempt() -> Step:
            if ask > self.version:
                await self.stored.catch_up()  # another server may have put that question
            self._own(seat, asked)
            asking = self.head.asked
            if self.status != "playing" or not 0 <= seat < len(asking) or ask != asking[seat]:
                raise self._not_asked(seat, ask)
            if asked.by in MINDED and not self.minded:
                raise Refused("stale", "another server minds this table")
            return standing.act(self.stored.stands, self.id, seat, action, asked, self.now())

        return await self._run(self._log_it(attempt, asked))

    async def undo(self, seat: int, n: int, asked: Asked) -> int:
        """Undo a seat's last action: an entry of its own."""
        asked = replace(asked, wish=("undo", seat, None))

        async def attempt() -> Step:
            self._own(seat, asked)
            undoable = self.head.undoable
            if self.stored.stands.before is None or undoable is None or (undoable.seat, undoable.n) != (seat, n):
                raise Refused("no-undo", "this can't be taken back any more")
            return standing.undo(self.stored.stands, self.id, asked, self.now())

        return await self._run(self._log_it(attempt, asked))

    async def start(self, person: str, position: str | None = None) -> int:
        """Deal the game, or begin in a position."""

        async def attempt() -> Step:
            if self.status != "open":
                raise Refused("started", "the game has begun")
            if self.head.challenge is None or person not in self.head.people:
                own(self.head, person)  # a club's tables begin when those at them are there
            if any(not sitter.ready for sitter in self.head.sitters):
                raise Refused("not-ready", "fill or close the open seats first")
            return standing.start(
                self.stored.stands, self.id, self.stored.seed, Asked("table", person), self.now(), position
            )

        return await self._run(self._log_it(attempt, Asked("table", person)))

    async def change(self, change: Change, *, status: str | None = None) -> None:
        """Change settings or seats; refused if the table's status is another than `status`."""
        await self._run(self._change(change, status))

    async def abandon(self, person: str, agree: bool) -> None:
        """Agree to abandon the game, or no longer; it ends when everybody still there agrees."""

        def agreed(head: Head) -> Head:
            if person not in head.people:
                raise Refused("no-seat", "only somebody with a seat can", status=403)
            others = [other for other in head.abandoning if other != person]
            # One who wants to play on has answered for all: whoever still wants to stop asks again.
            return replace(head, abandoning=(*others, person) if agree else ())

        await self.change(agreed, status="playing")
        if agree and self.head.all_agree:
            await self.end(Asked("table", person), agreed=True)

    async def skip(self, person: str) -> None:
        """Let bots act at once until the person is asked something; refused where others would miss it."""

        def hurried(head: Head) -> Head:
            if person not in head.people or not head.alone:
                raise Refused("not-alone", "others would miss what happens meanwhile")
            return replace(head, hurried=True)

        await self.change(hurried)

    async def end(self, asked: Asked, *, agreed: bool = False) -> int:
        """End a running game where it is; if it was `agreed`, only while it still is."""

        async def attempt() -> Step:
            if self.status != "playing" or (agreed and not self.head.all_agree):
                raise Refused("status", f"the table is {self.status}")
            return standing.abandon(self.stored.stands, self.id, asked, self.now())

        return await self._run(self._log_it(attempt, asked))

    async def say(self, person: str, text: str, message: str) -> int:
        """Say something to everybody who has not muted the person."""

        async def say() -> int:
            async with self.stored.lock:
                return await self.chat.say(person, text, message)

        return await self._run(say())

    def mind(self) -> None:
        """Let bots and clock be played for, if this server has the lease on them."""
        if self.status == "playing" and self.minded:
            self.services.minder.look_after(self)
        else:
            self.services.minder.forget(self)

    async def catch_up(self) -> None:
        """See what other servers have done. Several who ask at once make one look."""
        await asyncio.shield(self._catch_up())

    def hear(self) -> None:
        """Another server has done something: that is looked at now, or when somebody comes."""
        if self.attended:
            self._catch_up()
        else:
            self._behind = True

    def attend(self) -> None:
        """Somebody has come."""
        if self._behind:
            self._catch_up()

    def _catch_up(self) -> "asyncio.Task[None]":
        self._heard = True
        if self._catching is None or self._catching.done():
            self._catching = self._begin(self._look())
        return self._catching

    async def _look(self) -> None:
        while self._heard:
            self._heard = self._behind = False
            async with self.stored.lock:
                await self.stored.catch_up()

    async def keep(self) -> None:
        """Store the table as it stands."""
        async with self.stored.lock:
            await self.stored.settled(lambda: self.stored.save(self.head), Asked("table"))

    # What is seen.

    def info(self) -> TableInfo:
        """The table as everybody at it may see it."""
        return table_info(self)

    def view_frame(self, person: str, seat: int | None) -> str | None:
        """What somebody sees through a seat, or past all of them if it is not theirs; None before the start."""
        return Views(self).frame(person, seat)

    def is_absent(self, seat: int) -> bool:
        """Whether the others may hand a seat to a bot now."""
        sitter = self.head.sitters[seat]
        if sitter.who != "person" or sitter.person is None:
            return sitter.who == "open"
        if sitter.left:
            return True
        return pace.is_absent(
            self.head.pace, self.presence.away(sitter.person, self.now()), sitter.missed, self.services.patience
        )

    def is_gone(self, seat: int) -> bool:
        """Whether a seat may be freed: before the start any, then one that is absent and has no socket."""
        if self.status == "open":
            return True
        person = self.head.sitters[seat].person
        return person is not None and self.is_absent(seat) and not self.presence.has(person)

    def is_ownerless(self) -> bool:
        """Whether somebody else with a seat may own the running game: its owner is absent and has no socket."""
        owner = self.head.owner
        if self.status != "playing" or (owner is not None and self.presence.has(owner)):
            return False
        if owner is None:
            return True
        seats = self.head.seats_of(owner)
        if seats:
            return all(self.is_absent(seat) for seat in seats)
        return pace.is_absent(self.head.pace, self.presence.away(owner, self.now()), 0, self.services.patience)

    def secrets(self) -> tuple[bytes, bytes]:
        """Seed and entropy of the shuffles; refused while they are secret (R8.3)."""
        if self.status not in ("over", "abandoned"):
            raise Refused("running", "that is told when the game is over", "R8.3")
        return self.stored.seed, seeds.entropy_of(self.head, self.id)

    def chance(self, seat: int) -> Rng | None:
        """The randomness of a bot's next choice, where everybody is to meet the same bots; None elsewhere."""
        if self.head.challenge is None or self.game is None:
            return None
        return bot_rng(self.game.key, seat, self.game.turn, self.game.stage)

    # How it is stored.

    async def _log_it(self, attempt: Callable[[], Awaitable[Step]], asked: Asked) -> int:
        """Store a step, be what it says, then announce it. Who asked the same before gets the old answer."""
        async with self.stored.lock:
            try:
                step = await self.stored.settled(lambda: self.stored.append(attempt), asked)
            except Refused as refused:
                old = await self.stored.old_answer(asked) if refused.status == 409 else None
                if old is None:
                    raise
                return old
            if isinstance(step, int):
                return step
        crash.point(crash.BEFORE_ANNOUNCING)
        with metrics.ANNOUNCE.time():
            self.audience.show(Views(self, step.entry, step.events))
        return step.entry.n

    async def _change(self, change: Change, status: str | None) -> None:
        async def attempt() -> None:
            if status is not None and self.status != status:
                raise Refused("status", f"the table is {self.status}")
            head = change(self.head)
            if head != self.head:
                await self.stored.save(head)

        async with self.stored.lock:
            await self.stored.settled(attempt, Asked("table"))

    def changed(self, was: Standing) -> None:
        """Everybody sits where the head says, and whoever plays by themselves is looked after."""
        renumbered = len(was.head.sitters) != len(self.head.sitters)  # closed seats vanish at the start
        if renumbered:
            self.numbering += 1
        self.audience.reseat(self.head, renumbered)
        if self.version == was.version or self.head.sitters != was.head.sitters or self.status != was.status:
            self.audience.send_soon()
        if self.status == "playing" or was.status == "playing":
            self.mind()

    def stepped(self, step: Step) -> None:
        """Everybody sees what was done through another server."""
        self.audience.show(Views(self, step.entry, step.events))

    def reloaded(self) -> None:
        """Everybody sees what another server wrote."""
        self.audience.show(Views(self))
        self.audience.send_soon()

    def vanished(self) -> None:
        """Nobody has anything to look at any more."""
        self.audience.drop(Close.NO_TABLE)

    def _own(self, seat: int, asked: Asked) -> None:
        """Refuse what a person does for a seat that is not theirs, or no longer."""
        if asked.person is not None and seat not in self.head.seats_of(asked.person):
            raise not_yours()

    def _not_asked(self, seat: int, ask: int) -> Refused:
        if self.status in ("over", "abandoned"):
            return Refused("over", "the game is over", "R7.1")
        if self.game is None:
            return Refused("open", "the game has not begun")
        if 0 <= seat < len(self.head.asked) and self.head.asked[seat] is None and ask >= self.version:
            return Refused("not-your-turn", "it is not this seat's turn", "R3.1")
        return stale()

    async def _run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in a task of the table: who asked may vanish, the table goes on."""
        return await asyncio.shield(self._begin(work))

    def _begin(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.get_running_loop().create_task(metered(work))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            error = task.exception()
            if error is not None and not isinstance(error, Refused | Busy):
                _log.error("table %s: a task failed", self.id, exc_info=error)
