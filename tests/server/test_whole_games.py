"""Whole games between scripted clients over real sockets, with bots and pass and play mixed in."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from branchline.record import Record
from tests.server.client import Json, Person, Server, Socket, folder, go_round, play

BOTS = ("random", "novice", "regular")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with folder() as path, Server(Path(path)) as running:
        yield running


async def game(url: str, map: str, sitters: list[str]) -> tuple[Json, list[Json], Person]:
    """Play a game between these people and bots; who is named twice goes round with one socket for all their seats."""
    crowd = {name: await Person(url, name).arrive() for name in dict.fromkeys(sitters) if name not in BOTS}
    owner = next(iter(crowd.values()))
    plans: list[Json] = [{"who": "bot", "level": name} if name in BOTS else {"who": "open"} for name in sitters]
    made = await owner.post("/api/tables", map=map, seats=plans)
    table = made["id"]
    seats = {name: [seat for seat, sitter in enumerate(sitters) if sitter == name] for name in crowd}
    for name, person in crowd.items():
        for seat in seats[name]:
            await person.sit(table, seat)

    async def plays(name: str, socket: Socket) -> Json:
        random = Random(len(name) + seats[name][0])
        return await (play(socket, random) if len(seats[name]) == 1 else go_round(socket, seats[name], random))

    async with AsyncExitStack() as stack:
        sockets = {
            name: await stack.enter_async_context(person.socket(table, seats[name][0]))
            for name, person in crowd.items()
        }
        await owner.post(f"/api/tables/{table}/start")
        ends = await asyncio.gather(*(plays(name, socket) for name, socket in sockets.items()))
    return made, ends, owner


@pytest.mark.parametrize(
    ("map", "sitters"),
    [
        ("europe", "ada bea"),
        ("europe", "ada bea ada"),
        ("europe", "ada novice bea ada"),
        ("europe", "ada bea eve random regular"),
        ("new-york", "ada bea"),
        ("new-york", "ada random ada"),
        ("new-york", "ada bea eve dan"),
        ("new-york", "ada ada bea novice"),
    ],
)
def test_a_whole_game_ends_with_the_engines_scores(server: Server, map: str, sitters: str) -> None:
    async def run() -> None:
        made, ends, owner = await game(server.url, map, sitters.split())
        record = Record.from_dict(await owner.get(f"/api/tables/{made['id']}/record"))
        verdict = record.verify()
        assert verdict.ok, verdict
        assert {check.what for check in verdict.checks} >= {"commitment", "seed", "actions", "result"}
        *_, (replayed, _, _, _) = record.replay()
        assert replayed.over
        assert replayed.seats == len(sitters.split())
        counted = json.loads(json.dumps(replayed.scores().to_dict()))
        for end in ends:
            assert end["scores"] == record.to_dict()["result"] == counted
        info = await owner.get(f"/api/tables/{made['id']}")
        assert info["status"] == "over"
        assert info["commitment"] == made["commitment"] == record.commitment

    asyncio.run(run())
    assert server.complaints == ""
