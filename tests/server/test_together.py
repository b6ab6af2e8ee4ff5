"""Playing together: names, who begins, the bots' pace, stopping, and what is left when a game is over."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from branchline.server.head import BOT_NAMES
from tests.server.client import Person, play
from tests.server.house import running

OPEN = {"who": "open"}
BOT = {"who": "bot", "level": "random"}


@asynccontextmanager
async def two(server: Any) -> AsyncIterator[tuple[Person, Person]]:
    ada, bo = [await Person(server.url, name).arrive() for name in ("Ada", "Bo")]
    yield ada, bo


def test_guests_and_bots_have_names_of_their_own(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, two(server) as (ada, _):
            seats = [OPEN, OPEN, BOT, BOT, BOT]
            table = await ada.post("/api/tables", map="europe", seats=seats)
            bots = [seat["name"] for seat in table["seats"][2:]]
            assert len(set(bots)) == 3
            assert set(bots) <= set(BOT_NAMES)
            id = table["id"]
            await ada.sit(id, 0)
            await ada.sit(id, 1, name="  Grandma ")
            await ada.sit(id, 1, colour="green")
            await ada.put("/api/me", name="Ada Lovelace", language="en")
            table = await ada.get(f"/api/tables/{id}")
            assert [seat["name"] for seat in table["seats"][:2]] == ["Ada Lovelace", "Grandma"]

    asyncio.run(run())


def test_the_owner_names_the_first_seat_and_the_bots_pace(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, two(server) as (ada, bo):
            id = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            await ada.sit(id, 0)
            await bo.sit(id, 1)
            assert (await ada.put(f"/api/tables/{id}/first", seat=1))["first"] == 1
            assert (await ada.put(f"/api/tables/{id}/bots", pace="quick"))["bots"] == "quick"
            for path, body in (("first", {"seat": 0}), ("bots", {"pace": "slow"})):
                with pytest.raises(Exception, match="not-owner"):
                    await bo.put(f"/api/tables/{id}/{path}", **body)
            await ada.post(f"/api/tables/{id}/start")
            with pytest.raises(Exception, match="status"):
                await ada.put(f"/api/tables/{id}/first", seat=0)
            async with bo.socket(id, 1) as socket:
                assert (await socket.until_view())["view"]["first"] == 1

    asyncio.run(run())


def test_one_who_plays_on_ends_the_question_and_an_abandoned_game_is_kept(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, two(server) as (ada, bo):
            id = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            await ada.sit(id, 0)
            await bo.sit(id, 1)
            await ada.post(f"/api/tables/{id}/start")
            at = f"/api/tables/{id}"
            assert (await ada.put(f"{at}/abandon", agree=True))["abandoning"] == [ada.id]
            assert (await bo.put(f"{at}/abandon", agree=False))["abandoning"] == []
            await ada.post(f"{at}/seats/0/hand-to-bot")
            await ada.post(f"{at}/seats/0/take-back")
            await bo.put(f"{at}/abandon", agree=True)
            over = await ada.put(f"{at}/abandon", agree=True)
            assert over["status"] == "abandoned"
            record = await ada.get(f"{at}/record")
            moves = await ada.get(f"{at}/moves")
            assert moves["scores"] is None
            assert moves["levels"] == [None, None]
            assert (await ada.post("/api/records", **record))["verdict"]["ok"]
            assert (await bo.post(f"{at}/rematch"))["status"] == "open"

    asyncio.run(run())


def test_nobody_stands_in_after_the_end(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, two(server) as (ada, _):
            id = (await ada.post("/api/tables", map="new-york", seats=[OPEN, BOT]))["id"]
            await ada.sit(id, 0)
            await ada.post(f"/api/tables/{id}/start")
            await ada.post(f"/api/tables/{id}/seats/0/hand-to-bot")
            async with ada.socket(id, 0) as socket:
                while (await socket.until_view())["view"]["stage"] != "over":
                    pass
            table = await ada.get(f"/api/tables/{id}")
            assert table["status"] == "over"
            assert table["seats"][0]["level"] is None

    asyncio.run(run())


def test_skipping_is_for_those_who_play_alone(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path, bot_pace=60.0) as server, two(server) as (ada, bo):
            id = (await ada.post("/api/tables", map="new-york", seats=[OPEN, BOT, BOT], first=0))["id"]
            await ada.sit(id, 0)
            await ada.post(f"/api/tables/{id}/start")
            with pytest.raises(Exception, match="not-alone"):
                await bo.post(f"/api/tables/{id}/skip")
            async with ada.socket(id, 0) as socket:
                view = await socket.until_view()
                await socket.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
                # Bots that think for a minute choose their tickets now.
                await ada.post(f"/api/tables/{id}/skip")
                while view["view"]["stage"] == "opening":
                    view = await socket.until_view()
                assert view["view"]["to_act"] == [0]

    asyncio.run(run())


def test_a_person_who_was_muted_is_heard_again(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, two(server) as (ada, bo):
            id = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            async with ada.socket(id, None) as mine, bo.socket(id, None) as theirs:
                await mine.send(**{"is": "mute", "person": bo.id, "muted": True})
                await theirs.ask("say", text="hello")
                await mine.send(**{"is": "mute", "person": bo.id, "muted": False})
                said = await mine.until(lambda message: message["is"] == "said" and bool(message["lines"]))
                assert [line["text"] for line in said["lines"]] == ["hello"]
                await mine.send(**{"is": "mute", "person": bo.id, "muted": True})
                await mine.ask("history", since=0)
            async with ada.socket(id, None) as again:
                hello = await again.until(lambda message: message["is"] == "hello")
                assert hello["muted"] == [bo.id]

    asyncio.run(run())


def test_the_greeting_tells_the_heartbeat(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path, heartbeat=30.0) as server, two(server) as (ada, _):
            id = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            async with ada.socket(id) as socket:
                hello = await socket.next()
                assert hello == {"is": "hello", "heartbeat": 30.0, "silence": 75.0, "muted": []}

    asyncio.run(run())


def test_a_link_tells_messengers_what_it_leads_to(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, two(server) as (ada, _):
            await ada.put("/api/me", name='<b>"Ada', language="en")
            id = (await ada.post("/api/tables", map="europe", seats=[OPEN, OPEN]))["id"]
            await ada.sit(id, 0)
            async with httpx.AsyncClient(base_url=server.url, trust_env=False) as messenger:
                page = (await messenger.get(f"/table/{id}")).text
                assert '<meta property="og:title" content="Play with us: Europe · Branchline">' in page
                assert "&lt;b&gt;&quot;Ada at the table. 1 free seat" in page
                assert "<b>" not in page
                picture = page.split('property="og:image" content="')[1].split('"')[0]
                assert picture == f"{server.url}/preview.png"
                shown = await messenger.get(picture)
                assert shown.headers["content-type"] == "image/png"
                assert "og:title" in (await messenger.get("/table/nowhere")).text
                assert "og:title" in (await messenger.get("/")).text

    asyncio.run(run())


def test_the_whole_game_at_once(tmp_path: Path) -> None:
    """A table whose bots act at once is over as soon as its person is."""

    async def run() -> None:
        async with running(tmp_path, bot_pace=30.0) as server, two(server) as (ada, _):
            asked = {"map": "new-york", "seats": [OPEN, BOT], "bots": "at-once"}
            id = (await ada.post("/api/tables", **asked))["id"]
            await ada.sit(id, 0)
            await ada.post(f"/api/tables/{id}/start")
            async with ada.socket(id, 0) as socket:
                assert (await asyncio.wait_for(play(socket, Random(3)), 100))["view"]["stage"] == "over"

    asyncio.run(run())
