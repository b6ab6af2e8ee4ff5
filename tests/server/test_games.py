"""My games: counted once, for the person alone, as files, and gone for good when they say so."""

import asyncio
import csv
import io
from pathlib import Path
from random import Random

from tests.server.client import Person, play
from tests.server.house import running
from tests.server.test_challenges import OPEN, bot, refused
from tests.server.test_practice import HOW, finished


def test_my_games_are_mine_and_go_for_good(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bo = [await Person(server.url, name).arrive() for name in ("Ada", "=Bo()")]
            alone = await finished(ada)
            shared = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            await ada.sit(shared, 0)
            await bo.sit(shared, 1)
            await ada.post(f"/api/tables/{shared}/start")
            async with ada.socket(shared, 0) as mine, bo.socket(shared, 1) as theirs:
                await asyncio.gather(play(mine, Random(1)), play(theirs, Random(2)))
            practice = (await ada.post(f"/api/tables/{alone}/practice", **HOW))["id"]
            async with ada.socket(practice, 0) as socket:
                await play(socket, Random(3))

            told = await ada.get("/api/me/games")
            assert {game["table"] for game in told["games"]} == {alone, shared}
            assert told["counting"] == 0
            for game in told["games"]:
                result = (await ada.get(f"/api/tables/{game['table']}/record"))["result"]
                assert [score["total"] for score in game["scores"]] == [seat["total"] for seat in result["seats"]]
                assert game["winners"] == result["winners"]
                view = (await ada.get(f"/api/tables/{game['table']}/moves"))["moves"][-1]["view"]
                assert set(game["routes"]) == {route for route, seat in view["owners"].items() if seat == game["mine"]}
            assert [game["table"] for game in (await bo.get("/api/me/games"))["games"]] == [shared]
            assert await refused(Person(server.url, "a stranger").get("/api/me/games")) == "stranger"
            rows = list(csv.DictReader(io.StringIO((await ada.http.get("/api/me/games.csv")).text)))
            assert {row["table"] for row in rows} == {alone, shared}
            assert {row["opponents"] for row in rows if row["table"] == shared} == {"'=Bo()"}
            assert (await ada.http.get("/api/me/games.json")).json()["games"] == told["games"]

            assert await ada.delete("/api/me/games") == {"games": 3}
            assert (await ada.get("/api/me/games"))["games"] == []
            assert await ada.get("/api/me/tables") == []
            for gone in (alone, practice):
                for path in ("", "/record", "/moves"):
                    assert await refused(ada.get(f"/api/tables/{gone}{path}")) == "not-found"
                assert await server.house.store.entries(gone, 0, 10) == []
            # Who played with her keeps the game.
            assert [game["table"] for game in (await bo.get("/api/me/games"))["games"]] == [shared]
            # Nor can she play a deal twice by deleting how it went.
            challenge = (await ada.post("/api/challenges", map="new-york", seats=[OPEN, bot("random")]))["id"]
            path = f"/api/challenges/{challenge}"
            twice = await asyncio.gather(*(ada.post(f"{path}/play", bots="at-once") for _ in range(3)))
            assert len({table["id"] for table in twice}) == 1
            async with ada.socket(twice[0]["id"], 0) as socket:
                await play(socket, Random(3))
            await ada.delete("/api/me/games")
            assert await refused(ada.post(f"{path}/play", bots="at-once")) == "played"
            told = await ada.get(path)
            assert (told["mine"], told["mine_over"], told["results"]) == (None, True, [])
            running_table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            await ada.sit(running_table, 0)
            assert await ada.delete("/api/me/games") == {"games": 0}
            assert [line["id"] for line in await ada.get("/api/me/tables")] == [running_table]

    asyncio.run(run())
