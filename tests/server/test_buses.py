"""Both buses do the same: one suite over the local one and Redis. And what Redis never gets to see."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
import redis.asyncio

from branchline.record import Record
from branchline.server.bus import Bus, LocalBus, News, open_bus
from branchline.server.bus import redis as redis_bus
from branchline.server.bus.redis import RedisBus
from scripts.services import Redis
from tests.server.client import Person, Server, play
from tests.server.test_leaks import search
from tests.server.test_several import eventually
from tests.services import private

Ends = Callable[[], Any]
"""Two servers' ends of one bus, and what each of them heard."""


@pytest.fixture(params=["local", "redis"])
def ends(request: pytest.FixtureRequest) -> Ends:
    url = request.getfixturevalue("redis") if request.param == "redis" else ""

    @asynccontextmanager
    async def made() -> AsyncIterator[tuple[list[Bus], list[list[News]]]]:
        if url:
            buses: list[Bus] = [open_bus(url, f"serve-{n}") for n in range(2)]
        else:
            first = LocalBus()
            buses = [first, LocalBus(first)]
        heard: list[list[News]] = [[], []]
        for bus, told in zip(buses, heard, strict=True):
            bus.start(told.append)
        await eventually(lambda: not any(bus.away for bus in buses))
        try:
            yield buses, heard
        finally:
            for bus in buses:
                await bus.close()

    return made


def run(case: Coroutine[Any, Any, None]) -> None:
    asyncio.run(case)


def of(heard: list[News], about: str) -> list[News]:
    return [news for news in heard if news.about == about and news.revision]


def test_a_bus_closes_though_a_cancellation_is_lost(redis: str) -> None:
    """As `asyncio.wait_for` does before Python 3.12, by which redis-py sends."""

    async def case() -> None:
        bus = RedisBus(redis, "serve-1")
        bus.start(lambda news: None)
        await eventually(lambda: not bus.away)
        sending = asyncio.Event()

        async def subscribe() -> None:
            sending.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

        bus._subscribe_some = subscribe  # type: ignore[method-assign]
        bus.follow("t")
        await sending.wait()
        async with asyncio.timeout(60):
            await bus.close()
        assert all(task.done() for task in bus._tasks)

    run(case())


def test_news_goes_to_whoever_follows_the_table_and_not_to_oneself(ends: Ends) -> None:
    async def case() -> None:
        async with ends() as ((one, two), heard):
            two.follow("t")
            one.follow("t")
            one.follow("u")
            await _until_followed(one, two, heard)
            for n in range(5, 10):
                one.publish(News("table", "t", n, n + 1))
                one.publish(News("table", "u", n, n + 1))
            one.publish(News("chat", "t", revision=3))
            await eventually(lambda: of(heard[1], "chat"))
            assert [(news.id, news.version, news.revision) for news in of(heard[1], "table")[-5:]] == [
                ("t", n, n + 1) for n in range(5, 10)
            ]
            assert {news.id for news in heard[1]} <= {"t", ""}
            assert of(heard[0], "table") == []
            two.leave("t")
            await asyncio.sleep(0.2)
            one.publish(News("table", "t", 99, 99))
            one.publish(News("person", "ada smith/§", revision=1))
            await eventually(lambda: of(heard[1], "person"))
            assert of(heard[1], "person")[0].id == "ada smith/§"
            assert 99 not in {news.version for news in heard[1]}

    run(case())


async def _until_followed(one: Bus, two: Bus, heard: list[list[News]]) -> None:
    """Until news arrives: to follow takes a moment."""

    async def arrived() -> bool:
        one.publish(News("table", "t", 1, 1))
        await asyncio.sleep(0.05)
        return bool(of(heard[1], "table"))

    await eventually(arrived)


def test_a_redis_that_goes_and_comes_back_costs_news_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_bus, "PAUSE", 0.05)

    async def case(service: Redis) -> None:
        buses = [open_bus(service.url, f"serve-{n}") for n in range(2)]
        heard: list[list[News]] = [[], []]
        for bus, told in zip(buses, heard, strict=True):
            bus.start(told.append)
            bus.follow("t")
        await eventually(lambda: not any(bus.away for bus in buses))
        await _until_followed(buses[0], buses[1], heard)
        await asyncio.to_thread(service.stop)
        await eventually(lambda: all(bus.away for bus in buses))
        buses[0].publish(News("table", "t", 50, 50))  # lost, and nobody waits for it
        await asyncio.sleep(0.2)
        for told in heard:
            told.clear()
        await asyncio.to_thread(service.start)
        await eventually(lambda: not any(bus.away for bus in buses))
        await eventually(lambda: any(news.about == "lost" for news in heard[1]))  # so it compares
        await _until_followed(buses[0], buses[1], heard)
        for bus in buses:
            await bus.close()

    with private(Redis) as service:
        run(case(service))


def test_a_redis_that_stands_still_is_away_until_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_bus, "PAUSE", 0.05)
    monkeypatch.setattr(redis_bus, "TIMEOUT", 0.3)

    async def case(service: Redis) -> None:
        buses = [open_bus(service.url, f"serve-{n}") for n in range(2)]
        heard: list[list[News]] = [[], []]
        for bus, told in zip(buses, heard, strict=True):
            bus.start(told.append)
            bus.follow("t")
        await eventually(lambda: not any(bus.away for bus in buses))
        await _until_followed(buses[0], buses[1], heard)
        assert service.process is not None
        service.process.send_signal(signal.SIGSTOP)
        buses[0].publish(News("table", "t", 50, 50))
        await eventually(lambda: buses[0].away)
        service.process.send_signal(signal.SIGCONT)
        await eventually(lambda: not buses[0].away)
        heard[1].clear()
        await _until_followed(buses[0], buses[1], heard)
        for bus in buses:
            await bus.close()

    with private(Redis) as service:
        run(case(service))


def test_what_was_published_last_is_told_before_a_bus_closes(ends: Ends) -> None:
    async def case() -> None:
        async with ends() as ((one, two), heard):
            two.follow("t")
            await _until_followed(one, two, heard)
            one.publish(News("table", "t", 77, 77))
            if isinstance(one, RedisBus):
                await one.close()
            await eventually(lambda: 77 in {news.version for news in heard[1]})

    run(case())


def test_what_is_no_news_of_ours_is_not_heard() -> None:
    for data in (
        b"",
        b"serve-x table t 1",
        b"serve-x elephant t 1 2",
        b"serve-x table t 1 -2",
        b"serve-x table t 1 2 3",
        b"\xff" * 20,
        b"serve-x table " + b"t" * 10_000 + b" 1 2",
    ):
        assert redis_bus._read(data) is None
    assert redis_bus._read(b"serve-x table t 1 2") == News("table", "t", 1, 2)


@pytest.mark.parametrize("map", ["europe", "new-york"])
def test_redis_and_the_logs_of_two_servers_see_no_secret(
    tmp_path: Path, database: str, own_redis: Redis, map: str
) -> None:
    """A whole game through two real servers, with everything that Redis carried, kept and was asked, and their logs."""

    async def case(servers: list[Server], carried: list[bytes]) -> None:
        first = await Person(servers[0].url, "Person 0").arrive()
        people = [first, *[await Person(servers[0].url, f"Person {n}").arrive() for n in (1, 2)]]
        plans = [{"who": "open"}, {"who": "open"}, {"who": "bot", "level": "random"}]
        table = (await first.post("/api/tables", map=map, seats=plans, public=True))["id"]
        for seat in (0, 1):
            await people[seat].sit(table, seat)
        await first.post(f"/api/tables/{table}/start")
        there = Person(servers[1].url, "Person 1")
        there.http.cookies.update(people[1].http.cookies)
        fan = Person(servers[1].url, "Person 2")
        fan.http.cookies.update(people[2].http.cookies)
        async with (
            first.socket(table, 0) as mine,
            there.socket(table, 1) as theirs,
            fan.socket(table) as watching,
        ):
            await mine.ask("say", text="nobody but those at the table reads this")
            await asyncio.gather(play(mine, Random(1)), play(theirs, Random(2)))
            await watching.until_view(lambda message: message["view"]["stage"] == "over")
            record = Record.from_dict(await first.get(f"/api/tables/{table}/record"))
            search(record, [socket.frames for socket in (mine, theirs, watching)])
        assert isinstance(record.seed, bytes)
        tickets = {ticket.id for ticket in record.map.tickets} - {route.id for route in record.map.routes}
        words = [*tickets, *(f'"{colour}"' for colour in ("hand", "own", "deck")), "nobody but those"]
        logged = "".join(server.complaints for server in servers)
        told = b"\n".join(carried).decode()
        assert "table" in told
        for secret in (record.seed.hex(), record.key.hex(), *words):
            assert secret not in told
            assert secret not in logged
        assert f"GET /api/tables/{table}/record" in logged  # it was talkative
        # What is carried is five words: who, about what, of which, and two numbers.
        assert {len(word.split(b" ")) for word in carried} == {5}

    async def listening(servers: list[Server]) -> None:
        client = redis.asyncio.from_url(own_redis.url)
        listener = client.pubsub()
        await listener.psubscribe("*")
        carried: list[bytes] = []

        async def listen() -> None:
            while True:
                message = await listener.get_message(ignore_subscribe_messages=True, timeout=None)
                carried.extend([message["data"]] if message is not None else [])

        task = asyncio.create_task(listen())
        try:
            await case(servers, carried)
            assert await client.keys("*") == []  # nothing is kept there
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await listener.aclose()  # type: ignore[no-untyped-call]
            await client.aclose()

    given = {"database": database, "bus": own_redis.url, "log_level": "debug"}
    folders = [tmp_path / str(n) for n in range(2)]
    for folder in folders:
        folder.mkdir()
    secret = "the same secret on both servers, long enough"
    with (
        Server(folders[0], secret=secret, **given) as one,
        Server(folders[1], secret=secret, **given) as two,
    ):
        asyncio.run(listening([one, two]))
