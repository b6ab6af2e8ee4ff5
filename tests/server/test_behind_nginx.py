"""Servers behind nginx with the words of docs/hosting.md: what `make cluster` runs."""

import asyncio
from contextlib import AsyncExitStack, ExitStack, closing
from random import Random

import httpx
import pytest

from scripts.cluster import TOKEN, Nginx, Server, settings
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


def test_nginx_sends_a_tables_people_to_one_server_and_to_one_other_when_it_dies(
    own_postgres: Postgres, own_redis: Redis
) -> None:
    port = free_port()
    with ExitStack() as running:
        shared = settings(own_postgres.url, own_redis.url, f"http://127.0.0.1:{port}")
        servers = [running.enter_context(closing(Server(shared))) for _ in range(3)]
        try:
            nginx = running.enter_context(closing(Nginx(port, [server.port for server in servers])))
        except Missing as missing:
            pytest.skip(str(missing))
        asyncio.run(together(nginx, servers))


async def together(nginx: Nginx, servers: list[Server]) -> None:
    """At each of some tables two people: where they are, and where they go."""
    ada, bea = [await Person(nginx.url, name).arrive() for name in ("Ada", "Bea")]
    table, used = "", []
    for _ in range(8):
        table = (await ada.post("/api/tables", map="new-york", seats=[{"who": "open"}] * 2))["id"]
        for seat, person in enumerate((ada, bea)):
            await person.sit(table, seat)
        await ada.post(f"/api/tables/{table}/start")
        used.append(await where(table, (ada, bea), servers))
    assert len(set(used)) > 1  # not all at the same one: one in 2,187 times, they would be
    dead = servers[used[-1]]
    dead.kill()
    for _ in range(3):
        assert await where(table, (ada, bea), servers) != used[-1]
    dead.start()


async def where(table: str, people: tuple[Person, Person], servers: list[Server]) -> int:
    """The one server through which both look at a table."""
    async with AsyncExitStack() as stack:
        for seat, person in enumerate(people):
            socket = await stack.enter_async_context(person.socket(table, seat, open_timeout=10))
            await socket.until_view(timeout=10)
        counted = [sockets(server) for server in servers]
    assert sorted(counted) == [0, 0, 2], counted
    return counted.index(2)


def sockets(server: Server) -> int:
    """Of people with a seat, through one server; 0 if it is dead."""
    try:
        text = httpx.get(f"{server.url}/metrics", headers={"authorization": f"Bearer {TOKEN}"}, timeout=60).text
    except httpx.ConnectError:
        return 0
    (line,) = [line for line in text.splitlines() if line.startswith('branchline_sockets{of="seated"}')]
    return int(float(line.split()[1]))


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
