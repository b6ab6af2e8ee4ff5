"""Whole games between scripted clients over real sockets, with bots and pass and play mixed in."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import pytest

from branchline.record import Record
from tests.server.client import Json, Person, Server, folder, play


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with folder() as path, Server(Path(path)) as running:
        yield running


async def game(url: str, map: str, people: int, bots: int, both: bool, seed: int) -> tuple[str, list[Json], Person]:
    """Play a game of so many people and bots; `both` gives the first person two seats."""
    crowd = [await Person(url, f"Person {n}").arrive() for n in range(people)]
    owner = crowd[0]
    plans = [{"who": "open"}] * (people + both) + [{"who": "bot", "level": "random"}] * bots
    table = (await owner.post("/api/tables", map=map, seats=plans))["id"]
    holders = [*crowd, owner] if both else crowd
    for seat, person in enumerate(holders):
        await person.sit(table, seat)
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(person.socket(table, seat)) for seat, person in enumerate(holders)]
        await owner.post(f"/api/tables/{table}/start")
        ends = await asyncio.gather(
            *(play(socket, Random(seed + seat)) for seat, socket in enumerate(sockets)),
        )
    return table, ends, owner


@pytest.mark.parametrize(
    ("map", "people", "bots", "both"),
    [
        ("europe", 2, 0, False),
        ("europe", 3, 2, False),
        ("europe", 2, 1, True),
        ("new-york", 2, 0, False),
        ("new-york", 1, 2, True),
        ("new-york", 4, 0, False),
    ],
)
def test_a_whole_game_ends_with_the_engines_scores(
    server: Server, map: str, people: int, bots: int, both: bool
) -> None:
    async def run() -> None:
        table, ends, owner = await game(server.url, map, people, bots, both, 7)
        record = Record.from_dict(await owner.get(f"/api/tables/{table}/record"))
        verdict = record.verify()
        assert verdict.ok, verdict
        assert {check.what for check in verdict.checks} >= {"commitment", "seed", "actions", "result"}
        for end in ends:
            assert end["scores"] == record.to_dict()["result"]
        info = await owner.get(f"/api/tables/{table}")
        assert info["status"] == "over"
        assert info["commitment"] == record.commitment

    asyncio.run(run())
    assert server.complaints == ""
