"""Standing: how a table stands, and what each kind of log entry makes of it. Live play and replay both go this way."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import orjson

from branchline.actions import Action
from branchline.codec import action_from_json, to_json
from branchline.engine.refusals import IllegalAction
from branchline.events import Event
from branchline.game import Game
from branchline.server import pace, seeds
from branchline.server.head import Head, Undoable, at_rest, without_closed
from branchline.server.refused import Refused
from branchline.server.store import LogRow
from branchline.server.undo import can_be_undone


@dataclass(frozen=True, slots=True)
class Standing:
    """What a table's log has led to, and its head. Whoever changes it makes another."""

    status: str
    version: int
    head: Head
    game: Game | None = None
    before: Game | None = None
    """The game before the last entry, where that may be taken back."""

    @property
    def wake(self) -> float | None:
        """When the server has to look after the table by itself; None for never."""
        if self.status != "playing":
            return None
        if any(self.head.sitters[seat].plays_itself for seat in self.head.to_act):
            return 0.0
        return self.head.deadline


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asked for something, under which id."""

    by: str
    person: str | None = None
    message: str | None = None
    wish: tuple[str, int, str | None] | None = None
    """Kind, seat and action of the entry that the message is to make."""


@dataclass(frozen=True, slots=True)
class Step:
    """An entry to be added, what happened in it, and where it leads."""

    entry: LogRow
    events: Sequence[Event]
    to: Standing


def start(standing: Standing, table: str, seed: bytes, asked: Asked, now: float, position: str | None = None) -> Step:
    """Deal the game, or begin in a given position; refused if there are too few seats."""
    head = without_closed(standing.head)
    try:
        if position is not None:
            game = Game.from_dict(orjson.loads(position))
        else:
            entropy = seeds.entropy_of(head, table)
            game = Game.new(head.map, len(head.sitters), seed, first=head.first, entropy=entropy)
    except ValueError as error:
        raise Refused("seats", str(error).removeprefix("seats: "), "R1.1") from None
    head = replace(
        head,
        to_act=game.to_act,
        asked=tuple(1 if seat in game.to_act else None for seat in range(game.seats)),
        deadline=pace.deadline(head.pace, now),
        undoable=None,
        unattended=0,
        insiders=tuple(dict.fromkeys((*head.insiders, *head.people, *([head.owner] if head.owner else [])))),
    )
    events = game.opening_events() if position is None else []
    entry = replace(_entry(table, 1, "start", None, asked, None, events, now), action=position)
    return Step(entry, events, Standing("playing", 1, head, game))


def act(standing: Standing, table: str, seat: int, action: Action, asked: Asked, now: float) -> Step:
    """Do an action; refused if the rules do."""
    events, to = _acted(standing, seat, action, asked, now)
    return Step(_entry(table, to.version, "act", seat, asked, to_json(action), events, now), events, to)


def _acted(standing: Standing, seat: int, action: Action, asked: Asked, now: float) -> tuple[Sequence[Event], Standing]:
    """What happens in an action, and where it leads."""
    game = standing.game
    assert game is not None
    after, n = game.copy(), standing.version + 1
    try:
        events = after.play(seat, action)
    except IllegalAction as error:
        raise Refused.illegal(error) from None
    head = _after_action(standing.head, game, after, seat, n, now, asked, events)
    if after.over:
        head = at_rest(head)
    return events, Standing(
        "over" if after.over else "playing", n, head, after, None if head.undoable is None else game
    )


def undo(standing: Standing, table: str, asked: Asked, now: float) -> Step:
    """Undo the last action: an entry of its own."""
    head, before = standing.head, standing.before
    undoable = head.undoable
    assert before is not None
    assert undoable is not None
    n, to_act = standing.version + 1, before.to_act
    head = replace(
        head,
        to_act=to_act,
        asked=tuple(n if seat in to_act else None for seat in range(before.seats)),
        deadline=undoable.deadline,
        undoable=None,
    )
    entry = _entry(table, n, "undo", undoable.seat, asked, None, [], now)
    return Step(entry, [], Standing("playing", n, head, before))


def abandon(standing: Standing, table: str, asked: Asked, now: float) -> Step:
    """End the game where it is."""
    n = standing.version + 1
    to = Standing("abandoned", n, at_rest(standing.head), standing.game)
    return Step(_entry(table, n, "abandon", None, asked, None, [], now), [], to)


def followed(standing: Standing, table: str, seed: bytes, row: LogRow) -> Step:
    """Where an entry of a log leads; ValueError if it does not follow, or leads nowhere."""
    asked = Asked(row.by, row.person, row.message)
    if row.n != standing.version + 1 or (row.kind == "start") != (standing.game is None):
        raise ValueError(f"log: entry {row.n} ({row.kind}) does not follow entry {standing.version}")
    try:
        if row.kind == "start":
            sitters = tuple(replace(sitter, missed=0) for sitter in standing.head.sitters)
            fresh = replace(standing, head=replace(standing.head, sitters=sitters))
            return start(fresh, table, seed, asked, row.at, row.action)
        if row.kind == "act" and row.seat is not None and row.action is not None:
            action = action_from_json(orjson.loads(row.action))
            return Step(row, *_acted(standing, row.seat, action, asked, row.at))
        if row.kind == "undo" and standing.before is not None:
            return undo(standing, table, asked, row.at)
        if row.kind == "abandon":
            return abandon(standing, table, asked, row.at)
    except Refused as refused:
        raise ValueError(f"log: entry {row.n} is refused, {refused.text}") from None
    raise ValueError(f"log: entry {row.n} ({row.kind}) says too little")


def replay(table: str, head: Head, seed: bytes, log: Iterable[LogRow]) -> Standing:
    """Where a log leads, with the people that the head names; ValueError if it leads nowhere."""
    standing = Standing("open", 0, head)
    for row in log:
        standing = followed(standing, table, seed, row).to
    return standing


def _after_action(
    head: Head, game: Game, after: Game, seat: int, n: int, now: float, asked: Asked, events: Sequence[Event]
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
        unattended=0 if asked.by == "person" else head.unattended + 1,
        hurried=head.hurried and all(head.sitters[s].plays_itself for s in to_act),
    )


def written(action: object) -> str:
    """An action's JSON as the log keeps it; Refused if a number in it is one that no log keeps."""
    try:
        return orjson.dumps(action).decode()
    except TypeError:
        raise Refused("malformed", "act: a number in it has more than 64 bits") from None


def _entry(
    table: str, n: int, kind: str, seat: int | None, asked: Asked, action: object, events: Sequence[Event], at: float
) -> LogRow:
    return LogRow(
        table=table,
        n=n,
        kind=kind,
        seat=seat,
        by=asked.by,
        person=asked.person,
        message=asked.message,
        action=None if action is None else written(action),
        events=orjson.dumps([to_json(event) for event in events]).decode(),
        at=at,
    )
