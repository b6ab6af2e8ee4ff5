"""Finished games as records: downloads, uploads, and moves as one seat saw them."""

from dataclasses import replace
from typing import Any, cast

import orjson

from branchline.codec import action_from_json, to_json
from branchline.game import Game
from branchline.record import Player, Record
from branchline.server.messages import Looked, Move, Moves
from branchline.server.refused import Refused
from branchline.server.store import Store
from branchline.server.table import Table

MOVES = 2_000
"""Actions of the longest record that is replayed: several times as many as any game has."""


async def record_of(table: Table, store: Store) -> Record:
    """The record of a finished or abandoned game, its seed told (R8.5)."""
    seed, entropy = table.secrets()
    head = table.head
    game = Game.new(head.map, len(head.sitters), seed, first=head.first, entropy=entropy)
    done: list[tuple[int, str]] = []
    since = 0
    while rows := await store.entries(table.id, since, 500):
        for row in rows:
            if row.kind == "act" and row.seat is not None and row.action is not None:
                done.append((row.seat, row.action))
            elif row.kind == "undo":
                done.pop()
        since = rows[-1].n
    for seat, action in done:
        game.play(seat, action_from_json(orjson.loads(action)))
    players = [Player(s.name or s.level or "", s.level if s.who == "bot" else None) for s in head.sitters]
    return replace(Record.of(game, players, seed=seed, entropy=entropy), commitment=head.commitment)


def moves(record: Record, seat: int | None) -> Moves:
    """A game step by step, as one seat saw it; None for what a spectator saw."""
    if seat is not None and not 0 <= seat < len(record.players):
        raise Refused("no-seat", "there is no such seat", status=404)
    steps: list[Move] = []
    scores = None
    for game, who, action, events in record.replay():
        steps.append(
            {
                "seat": who,
                # What somebody chose is in its events, as far as this seat may know it.
                "action": to_json(action) if action is not None and (who == seat or game.over) else None,
                "events": [to_json(game.event_for(event, seat)) for event in events],
                "view": cast(Any, game.view(seat).to_dict(memory=False)),
            }
        )
        if game.over:
            scores = game.scores()
    return {
        "map": record.map.id,
        "names": [player.name for player in record.players],
        "moves": steps,
        "scores": scores,
    }


def look_at(data: object, seat: int | None) -> Looked:
    """Verify an uploaded record and show its moves; they are left out if it does not hold."""
    try:
        orjson.dumps(data)  # what can't be written, like lone surrogates, could not be answered either
        record = Record.from_dict(data)
        if len(record.log) > MOVES:
            raise ValueError(f"log: more than {MOVES} actions")
        verdict = record.verify()
    except Refused:
        raise
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Refused("record", str(error)[:300] or "not a record", status=422) from None
    return {
        "verdict": {
            "ok": verdict.ok,
            "checks": [{"what": check.what, "ok": check.ok, "detail": check.detail} for check in verdict.checks],
            "vouches": list(verdict.vouches),
            "cannot": list(verdict.cannot),
        },
        "moves": moves(record, seat) if verdict.ok else None,
    }
