"""What is made of finished games, outside the loop: records, their moves with everything open, and verdicts.

These functions run in a process of the desk's, which imports this file and nothing of the web.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import orjson

from branchline.actions import Action
from branchline.codec import action_from_json, to_json
from branchline.events import Event
from branchline.game import Game
from branchline.killable import Told
from branchline.record import Player, Record

if TYPE_CHECKING:
    from branchline.server.messages import Looked, Move, Moves

Walked = tuple[Game, int | None, Action | None, list[Event]]
"""A game as it moves on, who acted, and what happened."""

MOVES = 2_000
"""Actions of the longest record that is replayed: several times as many as any game has."""

ANSWER = 8 * 1024 * 1024
"""Bytes of the longest answer to a record, several times as many as to a real one: they wait in memory."""


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game as the store has it."""

    map: str
    seed: bytes
    entropy: bytes
    first: int | None
    players: tuple[tuple[str, str | None], ...]
    """Name and bot, by seat."""
    log: tuple[tuple[int, str], ...]
    """Who did what, as JSON, without what was taken back."""
    commitment: str
    position: str | None = None
    """Where a practice game began, as JSON: it was not dealt, and has no record."""


def recorded(played: Played) -> bytes:
    """The record of a game, as JSON."""
    game = Game.new(played.map, len(played.players), played.seed, first=played.first, entropy=played.entropy)
    for seat, action in played.log:
        game.play(seat, action_from_json(orjson.loads(action)))
    players = [Player(name, bot) for name, bot in played.players]
    record = Record.of(game, players, seed=played.seed, entropy=played.entropy)
    return orjson.dumps(replace(record, commitment=played.commitment).to_dict())


def replayed(record: bytes) -> bytes:
    """The moves of a record of our own, as JSON."""
    return orjson.dumps(_moves(Record.from_dict(orjson.loads(record))))


def gone_on(played: Played) -> bytes:
    """The moves of a game that went on from a position, as JSON."""
    game = Game.from_dict(orjson.loads(played.position or ""))
    players = [Player(name, bot) for name, bot in played.players]

    def steps() -> Iterator[Walked]:
        yield game, None, None, []
        for seat, line in played.log:
            action = action_from_json(orjson.loads(line))
            yield game, seat, action, game.play(seat, action)

    return orjson.dumps(_moves_of(steps(), played.map, players))


def looked_at(upload: bytes) -> bytes:
    """What verifying somebody's record shows, and its moves if it holds, as JSON."""
    try:
        record = Record.from_dict(orjson.loads(upload))
        if len(record.log) > MOVES:
            raise ValueError(f"log: more than {MOVES} actions")
        verdict = record.verify()
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Told("record", str(error)[:300] or "not a record", None, 422) from None
    looked: Looked = {
        "verdict": {
            "ok": verdict.ok,
            "checks": [{"what": check.what, "ok": check.ok, "detail": check.detail} for check in verdict.checks],
            "vouches": list(verdict.vouches),
            "cannot": list(verdict.cannot),
        },
        "moves": _moves(record) if verdict.ok else None,
    }
    answer = orjson.dumps(looked)
    if len(answer) > ANSWER:
        raise Told("too-large", f"its moves take more than {ANSWER} bytes to show", None, 422)
    return answer


def _moves(record: Record) -> "Moves":
    return _moves_of(record.replay(), record.map.id, record.players)


def _moves_of(played: Iterable[Walked], map: str, players: Sequence[Player]) -> "Moves":
    """A game step by step: what a spectator saw, and what each seat saw beside that."""
    steps: list[Move] = []
    scores = None
    for game, who, action, events in played:
        seats = range(game.seats)
        public, *seen = [[to_json(game.event_for(event, seat)) for event in events] for seat in (None, *seats)]
        steps.append(
            {
                "seat": who,
                "action": None if action is None else to_json(action),
                "events": public,
                "seen": {str(seat): told for seat, told in zip(seats, seen, strict=True) if told != public},
                "view": cast(Any, game.view(None).to_dict(memory=False)),
                "own": [cast(Any, game.view(seat).own) for seat in seats],
            }
        )
        if game.over:
            scores = game.scores()
    return {
        "map": map,
        "names": [player.name for player in players],
        "levels": [player.bot for player in players],
        "moves": steps,
        "scores": scores,
    }
