"""Many requests that are each allowed: what is dear is made once, and who has used up their time waits for it."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from branchline import explain
from branchline.explain import Odds
from branchline.server.guard import limits
from branchline.server.guard.desk import Desk
from branchline.server.guard.limits import Limit
from tests.attack.attacker import PATIENCE
from tests.server.client import Person
from tests.server.house import Running, running

OPEN = {"who": "open"}


async def started(server: Running) -> tuple[Person, str]:
    ada = await Person(server.url, "Ada").arrive()
    table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
    for seat in (0, 1):
        await ada.sit(table, seat)
    await ada.post(f"/api/tables/{table}/start")
    return ada, table


def test_a_finished_game_is_made_once_for_everybody(tmp_path: Path, monkeypatch: Any) -> None:
    made: list[str] = []
    do = Desk.do

    async def counted(self: Desk, who: str, *arguments: Any) -> Any:
        made.append(who)
        return await do(self, who, *arguments)

    monkeypatch.setattr(Desk, "do", counted)

    async def run() -> None:
        async with running(tmp_path) as server:
            ada, table = await started(server)
            asked = [f"/api/tables/{table}/{what}" for what in ("moves", "record") for _ in range(20)]
            assert {answer.status_code for answer in await asyncio.gather(*map(ada.http.get, asked))} == {409}
            assert made == []  # nothing of a running game
            await ada.put(f"/api/tables/{table}/abandon", agree=True)
            answers = await asyncio.gather(*map(ada.http.get, asked))
            assert {answer.status_code for answer in answers} == {200}
            assert len({answer.content for answer in answers}) == 2
            assert sorted(made) == [f"moves {table}", f"record {table}"]

    asyncio.run(run())


def test_an_address_without_time_left_waits_and_others_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ADDRESS_SECONDS", Limit(1e-9, 10))  # what is used up never comes back

    async def run() -> None:
        async with running(tmp_path, rate_limits=1) as server:
            ada, _ = await started(server)
            server.house.limits["address-seconds"].charge("127.0.0.66", 100)
            port = int(server.url.rpartition(":")[2])
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.66", 0))
            # The body never comes, and is not waited for.
            head = f"PUT /api/me HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 50000\r\n\r\n"
            writer.write(head.encode())
            async with asyncio.timeout(PATIENCE):
                assert b" 429 " in await reader.readline()
            writer.close()
            await writer.wait_closed()
            assert (await ada.get("/api/me"))["name"] == "Ada"

    asyncio.run(run())


def test_a_person_without_time_left_waits_wherever_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PERSON_SECONDS", Limit(1e-9, 10))

    async def run() -> None:
        async with running(tmp_path, rate_limits=1) as server:
            ada, table = await started(server)
            bea = await Person(server.url, "Bea").arrive()
            async with ada.socket(table, 0) as mine, bea.socket(table) as theirs:
                await mine.until_view()
                server.house.limits["person-seconds"].charge(ada.id, 100)
                assert (await ada.http.get("/api/me/tables")).status_code == 429
                await mine.send(**{"is": "look", "seat": 0})
                refused = await mine.until(lambda m: m["is"] == "refused")
                assert refused["problem"]["code"] == "too-many"
                assert (await theirs.ask("history", since=0))["is"] == "entries"

    asyncio.run(run())


def test_what_somebody_asks_for_is_charged_to_them(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path, rate_limits=1) as server:
            ada, table = await started(server)
            bea = await Person(server.url, "Bea").arrive()
            person = server.house.limits["person-seconds"]
            before = person._left(ada.id), person._left(bea.id)
            async with ada.socket(table, 0) as mine:
                view = await mine.until_view()
                await mine.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
            assert person._left(ada.id) < before[0]
            assert person._left(bea.id) >= before[1]

    asyncio.run(run())


def test_odds_are_charged_to_who_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are worked out in threads, and compiled code there keeps the loop from its turn all the same."""
    asked: list[float] = []

    def work(*_: Any) -> Odds:
        until = time.thread_time() + 0.2
        asked.append(until)
        while time.thread_time() < until:
            pass
        return Odds((1.0, 0.0, 0.0, 0.0), True)

    monkeypatch.setattr(explain, "tunnel_odds", work)
    monkeypatch.setattr(limits, "PERSON_SECONDS", Limit(1e-9, 0.5))  # what is used up never comes back

    async def run() -> None:
        async with running(tmp_path, rate_limits=1) as server:
            ada, table = await started(server)
            about = {"is": "odds", "route": "x", "payment": {"colour": None, "cards": 0, "wilds": 1}}
            async with ada.socket(table, 0) as socket:
                await socket.until_view()
                for n in range(12):
                    await socket.send(**{"is": "explain", "seat": 0, "about": about, "id": f"o{n}"})
                answers = [await socket.until(lambda message: "id" in message) for _ in range(12)]
            codes = [answer["is"] if answer["is"] == "answer" else answer["problem"]["code"] for answer in answers]
            assert codes.count("answer") == len(asked)
            assert codes.count("too-many") == 12 - len(asked)
            assert 1 <= len(asked) <= 3

    asyncio.run(run())


def test_names_change_a_few_times_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RENAMES", Limit(1e-9, limits.RENAMES.burst))

    async def run() -> None:
        async with running(tmp_path, rate_limits=1) as server:
            ada, _ = await started(server)
            codes = [(await ada.http.put("/api/me", json={"name": f"Ada {n}"})).status_code for n in range(8)]
            assert codes == [200] * 5 + [429] * 3
            assert (await ada.http.put("/api/me", json={"name": "Ada 4"})).status_code == 200  # the same name is none

    asyncio.run(run())
