"""Servers behind nginx with the words of docs/hosting.md: what `make cluster` runs."""

import asyncio
from contextlib import ExitStack, closing
from random import Random

import httpx
import pytest

from scripts.cluster import Nginx, Server, settings
from scripts.services import Missing, Postgres, Redis, free_port
from tests.server.client import Json, Person, pick
from tests.server.storm import GONE


def test_nginx_sends_people_to_whoever_is_there(own_postgres: Postgres, own_redis: Redis) -> None:
    port = free_port()
    with ExitStack() as running:
        shared = settings(own_postgres.url, own_redis.url, f"http://127.0.0.1:{port}")
        servers = [running.enter_context(closing(Server(shared))) for _ in range(2)]
        try:
            nginx = running.enter_context(closing(Nginx(port, [server.port for server in servers])))
        except Missing as missing:
            pytest.skip(str(missing))
        assert httpx.get(f"{nginx.url}/metrics", timeout=60).status_code == 404
        assert httpx.get(f"{nginx.url}/", timeout=60).status_code == 200
        asyncio.run(play(nginx, servers))


async def play(nginx: Nginx, servers: list[Server]) -> None:
    """One after the other is killed and comes back, and the game goes on."""
    ada = await Person(nginx.url, "Ada").arrive()
    table = (await ada.post("/api/tables", map="new-york", seats=[{"who": "open"}] * 2))["id"]
    for seat in (0, 1):
        await ada.sit(table, seat)
    await ada.post(f"/api/tables/{table}/start")
    random, numbers = Random(3), []
    for server in servers:
        server.kill()
        numbers.append((await act(ada, table, random))["n"])
        server.start()
    assert numbers == [2, 3]


async def act(person: Person, table: str, random: Random) -> Json:
    """Do something for whichever seat is asked, through whichever server answers."""
    for _ in range(50):
        try:
            for seat in (0, 1):
                async with person.socket(table, seat, open_timeout=10) as socket:
                    view = await socket.until_view(timeout=10)
                    if view["ask"] is not None:
                        return await socket.act(pick(view["view"], random))
        except GONE:
            await asyncio.sleep(0.2)
    raise AssertionError("nobody answers")
