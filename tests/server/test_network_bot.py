"""The network client of docs/writing-a-bot.md plays a game as printed, and comes back after a restart."""

import asyncio
import json
import re
import sys
from pathlib import Path
from random import Random

from tests.server.client import ROOT, Person, Server, folder, play

PAGE = ROOT / "docs" / "writing-a-bot.md"


def test_the_network_bot_plays_a_game(tmp_path: Path) -> None:
    client = next(
        code for code in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL) if "Cookie" in code
    )
    (tmp_path / "network_bot.py").write_text(client, encoding="utf-8")

    async def run(server: Server) -> None:
        owner = await Person(server.url, "Owner").arrive()
        table = await owner.post("/api/tables", map="new-york", seats=[{"who": "open"}] * 2)
        await owner.sit(table["id"], 0)
        bot = await asyncio.create_subprocess_exec(
            sys.executable, tmp_path / "network_bot.py", server.url, table["code"], stdout=asyncio.subprocess.PIPE
        )
        while (await owner.get(f"/api/tables/{table['id']}"))["seats"][1]["who"] == "open":
            await asyncio.sleep(0.05)
        await owner.post(f"/api/tables/{table['id']}/start")
        async with owner.socket(table["id"], 0) as socket:
            await play(socket, Random(1), until=lambda message: message["n"] > 12)
        server.kill()
        server.start()
        async with owner.socket(table["id"], 0) as socket:
            end = await play(socket, Random(2))
        printed, _ = await bot.communicate()
        assert json.loads(printed) == [seat["total"] for seat in end["scores"]["seats"]]
        assert bot.returncode == 0

    with folder() as path, Server(Path(path)) as server:
        asyncio.run(run(server))
