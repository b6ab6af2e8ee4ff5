"""Bots that one address keeps busy: its own wait, everybody else's do not."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from branchline import Game
from branchline.server import connection
from branchline.server.guard import limits
from branchline.server.guard.limits import Limit
from branchline.server.workers import Workers
from tests.server.client import Person
from tests.server.house import running
from tests.server.test_griefing import open_from, until
from tests.server.test_tables import BOT, OPEN


def test_who_wants_the_most_thinking_waits_for_themselves() -> None:
    async def run() -> None:
        workers, view = Workers(1, 0.1), Game.new("new-york", 2, 1).view(0)
        thought: list[str] = []

        async def choose(who: str) -> None:
            await workers.choose("random", view, 1, who)
            thought.append(who)

        many = [asyncio.create_task(choose("eve")) for _ in range(40)]
        await asyncio.sleep(0)
        await choose("ada")
        assert thought.count("eve") < 5
        await asyncio.gather(*many)
        assert workers.turns.wanted("eve") == workers.turns.wanted("ada") == 0
        workers.close()

    asyncio.run(run())


def test_bots_of_an_address_without_time_left_wait_and_others_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables of bots that act at once: who opened them pays for what they take of the loop, also after the request."""
    monkeypatch.setattr(limits, "ADDRESS_SECONDS", Limit(1e-9, 0.03))  # what is used up never comes back

    async def run() -> None:
        async with running(tmp_path, rate_limits=1) as server:
            seconds, lobby = server.house.limits["address-seconds"], server.house.lobby
            hers = [await lobby.find(await open_from(server, "den", "eve", BOT, BOT, sits=False)) for _ in range(5)]
            for table in hers:
                await table.start("eve")
            await until(lambda: seconds.is_spent("den"))
            for _ in range(20):  # what was under way is done: thought, stored and told
                await until(lambda: not server.house.workers.waiting and all(table.idle for table in hers))
                await asyncio.sleep(0)
            before = [table.version for table in hers]
            assert max(before) < 100
            ours = await lobby.find(await open_from(server, "home", "ada", BOT, BOT, sits=False))
            await ours.start("ada")
            await until(lambda: ours.version > 5)
            assert [table.version for table in hers] == before

    asyncio.run(run())


def test_an_address_waits_for_so_many_hints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            never = asyncio.Event()

            async def choose(*_: Any, **__: Any) -> None:
                async with server.house.workers.turns.turn("127.0.0.1"):
                    await never.wait()

            monkeypatch.setattr(server.house.workers, "choose", choose)
            ada = await Person(server.url, "Ada").arrive()
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            for seat in (0, 1):
                await ada.sit(table, seat)
            await ada.post(f"/api/tables/{table}/start")
            async with ada.socket(table, 0) as socket:
                await socket.until_view()
                for n in range(connection.HINTS + 3):
                    await socket.send(**{"is": "hint", "seat": 0, "id": f"h{n}"})
                answers = [await socket.until(lambda message: message["is"] == "refused") for _ in range(3)]
                assert {answer["problem"]["code"] for answer in answers} == {"busy"}
                assert [answer["id"] for answer in answers] == [f"h{connection.HINTS + n}" for n in range(3)]

    asyncio.run(run())
