"""Several servers on one database: what is done through one is seen through all, and none is missed when it dies."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from branchline.server import follower, leases
from branchline.server.bus import News
from branchline.server.guard import limits
from branchline.server.guard.limits import Limit
from branchline.server.house import House
from branchline.server.messages import Close
from branchline.server.pace import GRACE
from branchline.server.refused import Refused
from branchline.server.settings import Settings
from branchline.server.standing import Asked
from branchline.server.table import Table
from tests.server.client import Json, Person, Socket, pick, play
from tests.server.house import Running
from tests.server.several import PAIRS, Several, pair
from tests.server.test_pace import moved
from tests.server.test_sockets import closed
from tests.server.test_tables import OPEN, crowd

RACES = int(os.environ.get("BRANCHLINE_RACES", "150"))
"""For each kind of store and bus, in CI; `make soak` has ten thousand."""
BOT = {"who": "bot", "level": "random"}


@pytest.fixture(params=PAIRS)
def several(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Several]:
    with pair(request, tmp_path, monkeypatch) as servers:
        yield servers


@pytest.fixture(params=["sqlite-local", "postgres-redis"])
def some(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Several]:
    """The least and the most, for what does not depend on the one without the other."""
    with pair(request, tmp_path, monkeypatch) as servers:
        yield servers


async def started(server: Running, *names: str, bots: int = 0, **more: object) -> tuple[str, list[Person]]:
    people = await crowd(server, *names)
    seats = [*(OPEN for _ in names), *(BOT for _ in range(bots))]
    table = (await people[0].post("/api/tables", map="new-york", seats=seats, **more))["id"]
    for seat, person in enumerate(people):
        await person.sit(table, seat)
    await people[0].post(f"/api/tables/{table}/start")
    return table, people


async def eventually(true: Callable[[], object] | Callable[[], Awaitable[object]], seconds: float = 60) -> None:
    async with asyncio.timeout(seconds):
        while True:
            found = true()
            if await found if isinstance(found, Awaitable) else found:
                return
            await asyncio.sleep(0.02)


def test_a_whole_game_through_two_servers(several: Several) -> None:
    async def run() -> None:
        async with several() as (one, two):
            table, (ada, bea) = await started(one, "Ada", "Bea")
            async with ada.socket(table, 0) as mine, moved(bea, two).socket(table, 1) as theirs:
                await mine.until_view()
                await theirs.until_view()
                await asyncio.gather(play(mine, Random(1)), play(theirs, Random(2)))
                ends = [socket.view for socket in (mine, theirs)]
                assert ends[0] is not None
                assert ends[1] is not None
                assert ends[0]["scores"] == ends[1]["scores"] is not None
                for socket in (mine, theirs):
                    numbers = [view["n"] for view in views(socket)]
                    # Every entry is seen, with what happened in it, by whoever sits elsewhere too.
                    assert sorted(set(numbers)) == list(range(1, ends[0]["n"] + 1))
                    told = [view["entry"]["n"] for view in views(socket) if view["entry"] is not None]
                    assert told == list(range(2, ends[0]["n"] + 1))
            record = await moved(ada, two).get(f"/api/tables/{table}/record")
            assert len(record["log"]) == ends[0]["n"] - 1

    asyncio.run(run())


def views(socket: Socket) -> list[Json]:
    return [message for frame in socket.frames if (message := json.loads(frame))["is"] == "view"]


def test_two_act_for_one_seat_at_the_same_moment(several: Several) -> None:
    async def run() -> None:
        async with several() as (one, two):
            start = Start([one, two])
            random, won, races = Random(2), [0, 0], 0
            while races < RACES:
                table, people = await started(one, "Ada", "Bea")
                races += await race(table, people, [one, two], start, random, won, RACES - races)
            print(f"{races} races: {won[0]} won by one, {won[1]} by the other")
            assert sum(won) == start.races == RACES
            assert min(won) > 0  # each is let go first as often as the other, and the database decides

    asyncio.run(run())


class Start:
    """Where servers wait with what they are about to store, until both are there: then the database is the referee."""

    def __init__(self, servers: list[Running]) -> None:
        """From here on, entries of people are stored two at a time while it is `set`."""
        self.races = 0
        self.set = False
        self._waiting: dict[int, asyncio.Future[None]] = {}
        for side, server in enumerate(servers):
            append = server.house.store.append
            server.house.store.append = partial(self._append, side, append)  # type: ignore[method-assign]

    async def _append(self, side: int, append: Callable[..., Awaitable[None]], *what: Any) -> None:
        if self.set:
            loop = asyncio.get_running_loop()
            go = self._waiting[side] = loop.create_future()
            if len(self._waiting) == 2:
                waiting, self._waiting, self.set = self._waiting, {}, False
                for turn in (0, 1):
                    # Later, not now: who finds it set already would go on before the one that waits wakes up.
                    loop.call_soon(waiting[(self.races + turn) % 2].set_result, None)
                self.races += 1
            await go
        await append(*what)


async def race(
    table: str, people: list[Person], servers: list[Running], start: Start, random: Random, won: list[int], most: int
) -> int:
    """Both ends of each seat act at once, for as long as the game goes on; how often."""
    races = 0
    elsewhere = [[moved(person, server) for person in people] for server in servers]
    async with AsyncExitStack() as stack:
        sockets = [
            [await stack.enter_async_context(person.socket(table, seat)) for seat, person in enumerate(side)]
            for side in elsewhere
        ]
        for side in sockets:
            for socket in side:
                await socket.until_view()
        live = [await server.house.lobby.find(table) for server in servers]
        while races < most:
            game, n = live[0].game, live[0].version
            assert game is not None
            assert live[1].version == n
            if game.over:
                break
            seat = game.to_act[0]
            ask = live[0].head.asked[seat]
            ends = [side[seat] for side in sockets]
            start.set = True
            answers = await asyncio.gather(
                *(
                    socket.ask("act", seat=seat, ask=ask, act=pick(view(socket, n), random), id=f"r{n}-{side}")
                    for side, socket in enumerate(ends)
                )
            )
            kinds = [answer["is"] for answer in answers]
            assert sorted(kinds) == ["done", "refused"], answers
            winner = kinds.index("done")
            won[winner] += 1
            assert answers[winner]["n"] == n + 1
            code = answers[1 - winner]["problem"]["code"]
            assert code in ("stale", "not-your-turn", "over", "question-open", "no-question"), code
            for side in sockets:
                for socket in side:
                    if view_number(socket) <= n:
                        await socket.until_view(lambda message, n=n: message["n"] > n)  # type: ignore[misc]
            races += 1
    log = await servers[0].house.store.entries(table, 0, 10_000)
    assert [row.n for row in log] == list(range(1, len(log) + 1))
    assert {table.version for table in live} == {len(log)}
    assert live[0].stored.state == live[1].stored.state
    return races


def view(socket: Socket, n: int) -> Json:
    """What a socket was shown last: the same entry as everybody."""
    assert socket.view is not None
    assert socket.view["n"] == n
    shown: Json = socket.view["view"]
    return shown


def view_number(socket: Socket) -> int:
    return 0 if socket.view is None else int(socket.view["n"])


def test_what_was_lost_on_the_way_is_made_up_for(some: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "COMPARE", 0.1)
    monkeypatch.setattr(follower, "PEOPLE", 1)

    async def run() -> None:
        async with some() as (one, two):
            monkeypatch.setattr(one.house.bus, "publish", lambda news: None)
            table, (ada, bea) = await started(one, "Ada", "Bea")
            async with ada.socket(table, 0) as mine, moved(bea, two).socket(table, 1) as theirs:
                view = await mine.until_view()
                await theirs.until_view()
                await mine.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
                assert (await theirs.until_view(lambda m: m["n"] == 2))["entry"]["seat"] == 0
                await mine.ask("say", text="hello?")
                said = await theirs.until(lambda m: m["is"] == "said" and m["lines"])
                assert [line["text"] for line in said["lines"]] == ["hello?"]
                there = await two.house.lobby.find(table)
                await eventually(lambda: there.presence.has(ada.id))
                await mine.raw.close()
                await eventually(lambda: not there.presence.has(ada.id))
                await bea.delete("/api/me/sessions/" + (await bea.get("/api/me/sessions"))[0]["id"])
                assert await closed(theirs) == Close.NOBODY

    asyncio.run(run())


def test_presence_chat_mutes_and_sign_outs_hold_across_servers(several: Several) -> None:
    async def run() -> None:
        async with several() as (one, two):
            table, (ada, bea) = await started(one, "Ada", "Bea")
            there = moved(bea, two)
            async with ada.socket(table, 0) as mine:
                await mine.until_view()
                async with there.socket(table, 1) as theirs:
                    await theirs.until_view()
                    await mine.until(lambda m: m["is"] == "table" and m["table"]["seats"][1]["here"])
                    await theirs.until(lambda m: m["is"] == "table" and m["table"]["seats"][0]["here"])
                    numbers = [(await (mine, theirs)[n % 2].ask("say", text=f"line {n}"))["n"] for n in range(6)]
                    assert numbers == [1, 2, 3, 4, 5, 6]
                    for socket in (mine, theirs):
                        while "line 5" not in "".join(socket.frames):
                            await socket.next()
                    # Muted on one device, at one server, is muted on the other.
                    async with bea.socket(table, 1) as phone:
                        await phone.until_view()
                        await phone.send(**{"is": "mute", "person": ada.id, "muted": True})
                        live = await two.house.lobby.find(table)
                        await eventually(lambda: any(ada.id in watcher.muted for watcher in live.audience.watchers))
                    await there.delete("/api/me/sessions/" + (await there.get("/api/me/sessions"))[0]["id"])
                    assert await closed(theirs) == Close.NOBODY
                await mine.until(lambda m: m["is"] == "table" and not m["table"]["seats"][1]["here"])

    asyncio.run(run())


def test_a_request_through_any_server_sees_what_was_done_before_it(several: Several) -> None:
    """Behind a load balancer every request may come through another server."""

    async def run() -> None:
        async with several() as (one, two):
            (ada,) = await crowd(one, "Ada")
            there = moved(ada, two)
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, BOT]))["id"]
            for n in range(6):
                first = await (ada, there)[n % 2].put(f"/api/tables/{table}/first", seat=n % 2)
                assert first["first"] == n % 2
                assert (await (there, ada)[n % 2].get(f"/api/tables/{table}"))["first"] == n % 2
            await there.sit(table, 0)
            await ada.post(f"/api/tables/{table}/start")
            assert (await there.get(f"/api/tables/{table}"))["status"] == "playing"

    asyncio.run(run())


def silence(house: House) -> None:
    """The process is gone, as far as anybody else can tell: it renews and plays nothing, and says no word about it."""
    for task in house.follower._tasks:
        task.cancel()
    house.minder.close()


def test_bots_of_a_dead_server_are_taken_over(several: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "SECONDS", 0.6)
    monkeypatch.setattr(follower, "RENEW", 0.1)

    async def run() -> None:
        async with several() as (one, two):
            gate = asyncio.Event()
            monkeypatch.setattr(one.house.workers, "choose", lambda *_: gate.wait())
            table, (ada,) = await started(one, "Ada", bots=1)
            live = await one.house.lobby.find(table)
            assert (live.wake, live.stored.minder) == (0.0, one.house.name)
            silence(one.house)
            async with moved(ada, two).socket(table, 0) as mine:
                entry = await mine.until_view(lambda m: m["entry"] and m["entry"]["by"] == "bot")
                assert entry["entry"]["seat"] == 1
            # Whoever was thought dead and is not writes nothing more as a minder.
            assert not live.minded
            with pytest.raises(Refused, match="stale"):
                await live.submit(1, pick_for(live), 1, Asked("bot"))

    asyncio.run(run())


def test_the_clock_of_a_dead_server_is_taken_over(some: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "SECONDS", 0.6)
    monkeypatch.setattr(follower, "RENEW", 0.1)

    async def run() -> None:
        async with some() as (one, two):
            one.clock.time += GRACE  # both have been there for a while: nobody needs time to come back
            table, _ = await started(one, "Ada", "Bea", pace={"kind": "seconds", "length": 30})
            assert (await one.house.lobby.find(table)).minded
            silence(one.house)
            one.clock.time += 31
            await eventually(lambda: (live := two.house.lobby.living(table)) is not None and live.version > 1)
            assert (await two.house.store.entries(table, 1, 1))[0].by == "clock"

    asyncio.run(run())


def test_what_is_being_written_while_its_server_goes_is_minded_by_another(
    some: Several, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with some() as (one, two):
            table, (ada,) = await started(one, "Ada", bots=1, first=1)
            live = await one.house.lobby.find(table)
            await eventually(lambda: live.version == 2)  # the bot has answered, and it begins when Ada has
            append, begun, let_go = one.house.store.append, asyncio.Event(), asyncio.Event()

            async def late(*row: Any) -> None:
                begun.set()
                await let_go.wait()
                await append(*row)

            monkeypatch.setattr(one.house.store, "append", late)
            acting = asyncio.create_task(live.submit(0, pick_for(live), 1, Asked("person", ada.id, "m")))
            await begun.wait()
            one.house.minder.close()
            await one.house.follower.close()
            let_go.set()
            assert await acting == 3
            await eventually(lambda: (there := two.house.lobby.living(table)) is not None and there.version > 3)
            assert (await two.house.store.entries(table, 3, 1))[0].by == "bot"

    asyncio.run(run())


def minds(table: Table) -> bool:
    return table.minded


def pick_for(table: Any) -> Any:
    game = table.game
    return game.legal_actions(game.to_act[0])[0]


def test_a_frozen_server_finds_on_waking_that_its_lease_is_gone(some: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "RENEW", 0.1)
    clock = [0.0]

    async def run() -> None:
        async with some() as (one, two):
            frozen = one.house.leases
            monkeypatch.setattr(frozen, "_clock", lambda: clock[0])
            await frozen.renew()
            table, _ = await started(one, "Ada", "Bea", pace={"kind": "seconds", "length": 30})
            live = await one.house.lobby.find(table)
            assert minds(live)
            for task in one.house.follower._tasks:
                task.cancel()
            clock[0] += leases.SECONDS + 1  # it was stopped for so long, and goes on where it was
            assert not minds(live)
            seat = live.head.to_act[0]
            with pytest.raises(Refused, match="stale"):
                await live.submit(seat, pick_for(live), live.head.asked[seat] or 0, Asked("clock"))
            await one.house.store.renew(one.house.name, "serve", -1.0)
            await eventually(lambda: two.house.lobby.living(table) is not None)
            there = await two.house.lobby.find(table)
            await eventually(lambda: minds(there))
            # Also if its own clock stood still: the revision that it would follow is not the last one.
            await frozen.renew()
            with pytest.raises(Refused, match="stale"):
                await live.submit(seat, pick_for(live), live.head.asked[seat] or 0, Asked("clock"))
            assert live.stored.minder == two.house.name
            # People play on through it as through any other.
            assert await live.submit(seat, pick_for(live), live.head.asked[seat] or 0, Asked("person")) == 2

    asyncio.run(run())


def test_processes_that_only_think_play_for_the_bots(
    some: Several, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "RENEW", 0.1)

    async def run() -> None:
        async with some() as (one, two):
            # The second one thinks and serves nobody.
            thinking = two.house.leases
            monkeypatch.setattr(thinking, "kind", "bots")
            await two.house.store.retire(thinking.server)
            await thinking.renew()
            await one.house.leases.renew()
            assert one.house.leases.thinkers
            monkeypatch.setattr(one.house.workers, "choose", None)
            table, (ada,) = await started(one, "Ada", bots=1)
            async with ada.socket(table, 0) as mine:
                await play(mine, Random(1), until=lambda view: view["n"] > 12)
            assert {row.by for row in await one.house.store.entries(table, 0, 100)} >= {"bot", "person"}

    asyncio.run(run())


def test_who_used_up_a_limit_here_has_used_it_up_there(some: Several, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("branchline.server.guard.sharing.EVERY", 0.05)
    monkeypatch.setattr(limits, "ENTRIES", Limit(1e-9, limits.ENTRIES.burst))

    async def run() -> None:
        async with some(rate_limits=1.0) as (one, two):
            here, there = one.house.limits["entries"], two.house.limits["entries"]
            # Both take part, and hear each other.
            await eventually(lambda: None not in (here.spent, there.spent) and not one.house.bus.away)
            await eventually(lambda: not two.house.bus.away)
            while here.allows("192.0.2.1"):
                pass
            await eventually(lambda: there._left("192.0.2.1") < 1)
            assert not there.allows("192.0.2.1")
            assert there.allows("192.0.2.2")

    asyncio.run(run())


def test_the_bus_carries_numbers_and_names_alone(several: Several) -> None:
    async def run() -> None:
        async with several() as (one, two):
            heard: list[News] = []
            for server in (one, two):
                publish = server.house.bus.publish

                def spy(news: News, publish: Callable[[News], None] = publish) -> None:
                    heard.append(news)
                    publish(news)

                server.house.bus.publish = spy  # type: ignore[method-assign]
            table, (ada, bea) = await started(one, "Ada", "Bea")
            async with ada.socket(table, 0) as mine, moved(bea, two).socket(table, 1) as theirs:
                await mine.ask("say", text="what I hold is a secret")
                await asyncio.gather(play(mine, Random(1)), play(theirs, Random(2)))
            ids = {table, ada.id, bea.id}
            assert {news.id for news in heard} <= ids
            assert {news.about for news in heard} >= {"table", "chat", "presence"}

    asyncio.run(run())


def test_settings_name_what_is_not_understood() -> None:
    for given, words in (({"database": "mysql://x"}, "postgresql://"), ({"bus": "amqp://x"}, "redis://")):
        with pytest.raises(ValueError, match=words):
            House(Settings.read({**given, "data": "/nowhere", "secret": "x" * 40}, {}))


def test_a_table_that_nobody_attends_to_here_is_not_followed(several: Several) -> None:
    """Whoever opened a table may play through another server: what happens there costs this one nothing."""

    async def run() -> None:
        async with several() as (one, two):
            table, people = await started(one, "Ada", "Bea")
            ada, bea = (moved(person, two) for person in people)
            here, changes, asked = await one.house.lobby.find(table), one.house.store.changes, 0

            async def counted(*what: Any) -> Any:
                nonlocal asked
                asked += 1
                return await changes(*what)

            one.house.store.changes = counted  # type: ignore[assignment, method-assign]
            async with ada.socket(table, 0) as mine, bea.socket(table, 1) as theirs:
                for socket in (mine, theirs):
                    view = await socket.until_view()
                    await socket.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
                await mine.ask("say", text="nobody is at the other server")
                await one.house.follower.compare_all()
                await asyncio.sleep(0.1)  # in which news would have come
                assert (here.version, here.attended, asked) == (1, False, 0)
                # Who comes there sees what has happened, and what happens then.
                assert (await people[0].get(f"/api/tables/{table}"))["n"] == 3
                async with people[0].socket(table, 0) as again:
                    assert (await again.until_view())["n"] == 3
                    assert "nobody is at" in "".join(again.frames)
                    turn = here.head.to_act[0]
                    await (mine, theirs)[turn].act({"is": "draw", "slot": None})
                    assert (await again.until_view(lambda message: message["n"] == 4))["entry"]["n"] == 4

    asyncio.run(run())


def test_what_happens_while_somebody_is_on_the_way_in_is_not_missed(several: Several) -> None:
    """Between the look at the table and the first view its news comes where nobody attends to it yet."""

    async def run() -> None:
        async with several() as (one, two):
            table, people = await started(one, "Ada", "Bea")
            here = await one.house.lobby.find(table)
            read = here.chat.read
            async with moved(people[1], two).socket(table, 1) as theirs:
                view = await theirs.until_view()

                async def meanwhile() -> Any:
                    await theirs.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
                    await eventually(lambda: here._behind)
                    return await read()

                here.chat.read = meanwhile  # type: ignore[method-assign]
                async with people[0].socket(table, 0) as mine:
                    assert (await mine.until_view(lambda message: message["n"] == 2))["entry"]["seat"] == 1

    asyncio.run(run())
