"""What whoever runs a server needs: figures for Prometheus, logs as JSON, and an end that sends people elsewhere."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import httpx
import pytest
import websockets

from branchline.cli import UNCOMPILED
from branchline.server.drain import drain
from tests.server.client import Person, Server, Socket, pick
from tests.server.house import running

TOKEN = "a token that only Prometheus has, of course"
BEARER = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, metrics_token=TOKEN, log="json", log_level="info", drain=3) as started:
        yield started


async def seated(url: str) -> tuple[str, Person]:
    """A game of two seats of one person, begun."""
    ada = await Person(url, "Ada Lovelace").arrive()
    table = (await ada.post("/api/tables", map="new-york", seats=[{"who": "open"}] * 2))["id"]
    for seat in (0, 1):
        await ada.sit(table, seat)
    await ada.post(f"/api/tables/{table}/start")
    return table, ada


def figures(text: str) -> dict[str, float]:
    """By name and labels."""
    return {name: float(value) for name, value in re.findall(r"^(branchline_\S+) (\S+)$", text, re.MULTILINE)}


def test_figures_are_for_whoever_has_the_token(server: Server) -> None:
    async def run() -> None:
        table, ada = await seated(server.url)
        async with ada.socket(table, 0) as socket:
            view = await socket.until_view()
            await socket.act(pick(view["view"], Random(1)))
            for headers in ({}, {"authorization": f"Bearer {TOKEN[:-1]}"}, {"authorization": TOKEN}):
                refused = await ada.http.get("/metrics", headers=headers)
                assert (refused.status_code, refused.json()["code"]) == (404, "not-found")
            answer = await ada.http.get("/metrics", headers=BEARER)
            assert answer.headers["content-type"].startswith("text/plain; version=")
            assert not any(secret in answer.text for secret in (table, ada.id, "Ada", TOKEN, "127.0.0.1"))
            found = figures(answer.text)
            assert found['branchline_sockets{of="seated"}'] == 1
            assert found['branchline_sockets{of="spectators"}'] == 0
            assert found["branchline_tables"] == 1
            assert found["branchline_store_up"] == 1
            assert found["branchline_bus_up"] == 1
            assert found["branchline_bots_waiting"] == 0
            assert found['branchline_actions_total{by="person"}'] == 1
            assert found["branchline_commit_seconds_count"] == found["branchline_announce_seconds_count"] == 2
            assert found["branchline_conflicts_total"] == found["branchline_reloads_total"] == 0
            assert "process_cpu_seconds_total" in answer.text

    asyncio.run(run())


def test_without_a_token_there_is_no_such_page(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        assert httpx.get(f"{server.url}/metrics", headers={"authorization": "Bearer"}, timeout=60).status_code == 404


def test_a_token_that_could_be_guessed_is_refused(tmp_path: Path) -> None:
    server = Server(tmp_path, metrics_token="short")
    with pytest.raises(AssertionError, match="metrics_token: at least 32 characters"):
        server.start()
    assert server.wait() == 2


def test_logs_are_objects_one_to_a_line(server: Server) -> None:
    assert httpx.get(f"{server.url}/healthz", timeout=60).status_code == 200
    server.stop()
    said = (server.folder / "stderr").read_text().splitlines()
    lines = [json.loads(line) for line in said if line != UNCOMPILED]  # which comes before there is a server
    assert {"at", "level", "logger", "text", "process"} <= set(lines[0])
    assert any(line["logger"] == "branchline.drain" for line in lines)
    assert TOKEN not in json.dumps(lines)


async def closed_at(socket: Socket) -> tuple[float, int | None]:
    """When, and why, a socket is closed."""
    try:
        while True:
            await socket.next()
    except websockets.ConnectionClosed as closed:
        return time.monotonic(), closed.rcvd.code if closed.rcvd is not None else None


@asynccontextmanager
async def watched(url: str, people: int) -> AsyncIterator[list["asyncio.Task[tuple[float, int | None]]"]]:
    """A table that so many watch, each until their socket is closed."""
    table, _ = await seated(url)
    entered = asyncio.Barrier(people + 1)

    async def watch(person: Person) -> tuple[float, int | None]:
        async with person.socket(table) as socket:
            await socket.until_view()
            await entered.wait()
            return await closed_at(socket)

    async with asyncio.TaskGroup() as group:
        arrived = [await Person(url, f"Watcher {n}").arrive() for n in range(people)]
        watching = [group.create_task(watch(person)) for person in arrived]
        await entered.wait()
        yield watching


def test_a_server_that_is_stopped_sends_everybody_elsewhere(server: Server) -> None:
    async def run() -> None:
        async with watched(server.url, 4) as watching:
            assert server.process is not None
            server.process.terminate()
        assert [task.result()[1] for task in watching] == [1012] * 4
        with pytest.raises(httpx.ConnectError):
            await Person(server.url, "Late").arrive()
        server.wait()

    asyncio.run(run())
    assert "Traceback" not in server.complaints


def test_a_drain_takes_its_time(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, watched(server.url, 20) as watching:
            began = time.monotonic()
            await drain(server.house, 5.0, lambda: False)
            assert time.monotonic() - began >= 1.0  # a fifth of a crowd takes a fifth of the time
            ends = sorted([await task for task in watching])
            assert {code for _, code in ends} == {1012}
            assert ends[-1][0] - ends[0][0] > 0.5

    asyncio.run(run())


def test_a_drain_can_be_cut_short(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, watched(server.url, 2) as watching:
            await drain(server.house, 1_000.0, lambda: True)
            assert not any(task.done() for task in watching)
            await drain(server.house, 0.0, lambda: False)

    asyncio.run(run())
