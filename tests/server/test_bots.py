"""Bots at the table: their pace tells nothing, and one that fails costs nobody the game."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from branchline import Action, Game, Rng
from branchline.bots import Budget
from branchline.bots.expert import ExpertBot
from branchline.killable import Bounds, Killable, TooMuch
from branchline.review.deals import NODES
from branchline.server import bots, workers
from branchline.server.guard.limits import ADDRESS_SECONDS, Limiter
from branchline.server.minder import BotMinder
from branchline.server.workers import Workers
from branchline.views import View
from tests.builder import Position, play
from tests.server.client import Person, Server, folder
from tests.server.house import running
from tests.server.hurry import hurry

OWN_BOTS = """
import os
import pathlib
import time

class Broken:
    def choose(self, view, rng, budget):
        raise RuntimeError("out of order")

class Wrong:
    def choose(self, view, rng, budget):
        return -1

class Endless:
    def choose(self, view, rng, budget):
        time.sleep(1e6)

class Slow:
    def choose(self, view, rng, budget):
        began = pathlib.Path(__file__).with_name(f"thinking-{os.getpid()}")
        began.touch()
        if len(list(began.parent.glob("thinking-*"))) == 1:
            time.sleep(1e6)
        return view.legal_actions()[0]
"""


@pytest.fixture
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A host's own bots that fail in each way a bot can."""
    file = tmp_path / "failing.py"
    file.write_text(OWN_BOTS)
    named = (f"{name.lower()}={file}:{name}" for name in ("Broken", "Wrong", "Endless", "Slow"))
    monkeypatch.setenv("BRANCHLINE_BOTS", ",".join(named))
    bots.levels.cache_clear()
    yield
    bots.levels.cache_clear()


def test_a_bot_that_fails_is_played_for_and_the_log_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: None
) -> None:
    monkeypatch.setattr(workers, "OVERTIME", 0.05)

    async def run() -> None:
        async with running(tmp_path, bot_budget=0.05) as server:
            ada = await Person(server.url, "Ada").arrive()
            plans = [{"who": "open"}, *({"who": "bot", "level": name} for name in ("broken", "wrong", "endless"))]
            table = (await ada.post("/api/tables", map="new-york", seats=plans, first=1))["id"]
            await ada.sit(table, 0)
            await ada.post(f"/api/tables/{table}/start")
            async with ada.socket(table, 0) as socket:
                view = socket.view or await socket.until_view()
                await socket.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
                await socket.until_view(lambda message: message["view"]["on_turn"] == 0 and message["ask"])
                entries = (await socket.ask("history", since=1))["entries"]
            assert {(entry["seat"], entry["by"]) for entry in entries} == {
                (0, "person"),
                (1, "fallback"),
                (2, "fallback"),
                (3, "fallback"),
            }

    asyncio.run(run())


def test_the_loop_goes_on_while_a_bot_hangs_and_after_its_worker_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: None
) -> None:
    monkeypatch.setattr(workers, "OVERTIME", 600.0)

    async def run() -> None:
        async with running(tmp_path) as server:
            ada = await Person(server.url, "Ada").arrive()
            plans = [{"who": "open"}, {"who": "bot", "level": "endless"}]
            table = (await ada.post("/api/tables", map="new-york", seats=plans))["id"]
            await ada.sit(table, 0)
            await ada.post(f"/api/tables/{table}/start")
            async with ada.socket(table, 0) as socket:
                thinking = server.house.workers._all
                async with asyncio.timeout(60):
                    while not thinking:
                        await asyncio.sleep(0.01)
                assert (await socket.ask("history", since=0))["entries"][-1]["n"] == 1
                assert (await ada.get("/api/health"))["ok"]
                thinking[0]._process.kill()
                first = thinking[0]
                async with asyncio.timeout(60):
                    while not thinking or thinking[0] is first:
                        await asyncio.sleep(0.01)
                thinking[0]._process.kill()  # the fresh one that was asked again
                late = await socket.until_view(lambda message: message["n"] == 2)
                assert (late["entry"]["seat"], late["entry"]["by"]) == (1, "fallback")

    asyncio.run(run())


def test_a_worker_that_is_killed_costs_no_random_move(tmp_path: Path, failing: None) -> None:
    """It was not the bot's fault: a fresh worker thinks again, and the log says that the bot chose."""

    async def run() -> None:
        async with running(tmp_path / "data") as server:
            ada = await Person(server.url, "Ada").arrive()
            plans = [{"who": "open"}, {"who": "bot", "level": "slow"}]
            table = (await ada.post("/api/tables", map="new-york", seats=plans))["id"]
            await ada.sit(table, 0)
            await ada.post(f"/api/tables/{table}/start")
            async with ada.socket(table, 0) as socket:
                async with asyncio.timeout(60):
                    while not (begun := list(tmp_path.glob("thinking-*"))):
                        await asyncio.sleep(0.01)
                os.kill(int(begun[0].name.rpartition("-")[2]), signal.SIGKILL)
                late = await socket.until_view(lambda message: message["n"] == 2)
                assert (late["entry"]["seat"], late["entry"]["by"]) == (1, "bot")

    asyncio.run(run())


def test_bots_alone_that_lead_nowhere_come_to_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Failing tunnels for ever is legal: so many entries without a person end a game, as nobody would."""
    monkeypatch.setattr("branchline.server.minder.ENDLESS", 40)

    async def run() -> None:
        async with running(tmp_path) as server:
            ada = await Person(server.url, "Ada").arrive()
            plans = [{"who": "open"}, *({"who": "bot", "level": "random"} for _ in range(2))]
            table = (await ada.post("/api/tables", map="new-york", seats=plans))["id"]
            await ada.sit(table, 0)
            await ada.post(f"/api/tables/{table}/start")
            live = await server.house.lobby.find(table)
            async with ada.socket(table, 0) as socket:
                view = await socket.until_view()
                await socket.act({"is": "keep", "tickets": view["view"]["own"]["offer"]})
                await ada.post(f"/api/tables/{table}/seats/0/hand-to-bot")
                await socket.until(lambda m: m["is"] == "table" and m["table"]["status"] == "abandoned", timeout=120)
                entries = (await socket.ask("history", since=0))["entries"]
            assert (entries[-1]["is"], entries[-1]["by"]) == ("abandon", "table")
            assert live.head.unattended == 40
            last = max(n for n, entry in enumerate(entries) if entry["by"] == "person")
            assert len(entries) - 1 - last == 41

    asyncio.run(run())


def processes() -> dict[int, int]:
    """Every process that lives, and its parent."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                found[int(stat.parent.name)] = int(parent)
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_worker_that_hangs_does_not_outlive_a_server_that_was_killed(failing: None) -> None:
    async def run(server: Server) -> None:
        ada = await Person(server.url, "Ada").arrive()
        plans = [{"who": "open"}, {"who": "bot", "level": "endless"}]
        table = (await ada.post("/api/tables", map="new-york", seats=plans))["id"]
        await ada.sit(table, 0)
        await ada.post(f"/api/tables/{table}/start")
        assert server.process is not None
        async with asyncio.timeout(60):
            while not (hanging := {pid for pid, parent in processes().items() if parent == server.process.pid}):
                await asyncio.sleep(0.05)
            server.kill()
            while hanging & processes().keys():
                await asyncio.sleep(0.05)

    with folder() as path, Server(Path(path)) as server:
        asyncio.run(run(server))


def test_a_worker_that_dies_is_replaced_and_the_budget_is_shared() -> None:
    async def run() -> None:
        some = Workers(1, 0.1)
        view = Game.new("new-york", 2, 1).view(0)
        first = await some.choose("random", view, 1, "ada")
        assert first is not None
        assert first.action in view.legal_actions()
        some._all[0]._process.kill()
        some._all[0]._process.join()
        second = await some.choose("random", view, 2, "ada")
        assert second is not None
        assert second.action in view.legal_actions()
        assert await some.choose("no such level", view, 3, "ada") is None
        budget = some.budget
        jobs = [asyncio.create_task(some.choose("random", view, n, f"person {n}")) for n in range(8)]
        await asyncio.sleep(0)
        assert some.budget < budget
        await asyncio.gather(*jobs)
        some.close()

    asyncio.run(run())


def test_a_worker_thinks_in_as_many_processes_as_are_idle() -> None:
    some = Workers(3, 0.1)
    assert some.cores == 3
    some._waiting = 2
    assert some.cores == 1
    some._waiting = 9
    assert some.cores == 1
    some._waiting, some._taken = 1, 3  # one thinks in all of them
    assert some.cores == 1
    worker = Killable(Bounds(), bots.levels)
    nodes = 0
    for seed in range(30):  # some openings leave no doubt
        view = Game.new("new-york", 2, seed).view(0)
        decision = worker.run(60, bots.choose, "expert", view, 1, Budget(nodes=80, cores=2))
        assert decision.action in view.legal_actions()
        nodes = max(nodes, decision.why["nodes"])
    worker.kill()
    assert 40 < nodes <= 80


def test_what_is_to_be_thought_about_gets_the_processes_that_are_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets: list[Budget] = []

    async def run() -> None:
        some = Workers(3, 0.2)

        def choose(job: Any) -> None:
            budgets.append(job[3])

        monkeypatch.setattr(some, "_choose", choose)
        view = Game.new("new-york", 2, 1).view(0)
        await some.choose("expert", view, 1, "ada")
        await some.choose("expert", view, 1, "ada", by_clock=False)
        assert (some._waiting, some._taken) == (0, 0)
        some.close()

    asyncio.run(run())
    assert budgets == [Budget(seconds=0.2, cores=3), Budget(nodes=NODES)]


def undecided() -> View:
    """An opening that takes all the time there is."""
    bot = ExpertBot()
    for seed in range(50):
        view = Game.new("europe", 2, seed).view(0)
        bot.choose(view, Rng(1), Budget(nodes=1500))
        if bot.nodes >= 1500:
            return view
    raise AssertionError("fifty openings without a doubt")


def group(leader: int) -> list[int]:
    """The processes of a group that have not ended."""
    out = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, of_group = stat.read_text().rpartition(")")[2].split()[:3]
            if int(of_group) == leader and state != "Z":
                out.append(int(stat.parent.name))
    return out


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes where Linux lists them")
def test_whoever_is_killed_over_a_thought_leaves_no_process_behind() -> None:
    worker = Killable(Bounds(), bots.levels)
    leader = worker._process.pid
    assert leader is not None
    view = undecided()
    counted: list[int] = []
    looker = threading.Timer(1.0, lambda: counted.append(len(group(leader))))
    looker.start()
    with pytest.raises(TooMuch):
        worker.run(2.0, bots.choose, "expert", view, 1, Budget(seconds=60, cores=3))
    looker.join()
    assert counted == [3], "it thinks in three processes"
    deadline = time.monotonic() + 10
    while group(leader) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert group(leader) == []


class Thinking:
    """Workers that take as long as they may, unless there is nothing to think about."""

    longest = 1.0

    async def choose(self, level: str, view: View, seed: int, who: str, by_clock: bool) -> bots.Decision:
        actions = view.legal_actions()
        await asyncio.sleep(self.longest if len(actions) > 1 else 0.0)
        return bots.Decision(actions[-1], {})


def waited(game: Game, by_clock: bool = False, undoable: bool = False, pace: float = 1.0) -> float:
    """How long after its question a bot acts for seat 0."""

    async def run() -> float:
        acted: asyncio.Future[float] = asyncio.get_running_loop().create_future()

        async def submit(seat: int, action: Action, *_: Any) -> None:
            game.copy().play(seat, action)
            acted.set_result(asyncio.get_running_loop().time())

        sitter = SimpleNamespace(plays_itself=not by_clock, who="bot", level="expert")
        head = SimpleNamespace(
            to_act=(0,),
            asked=(1, None),
            sitters=[sitter],
            deadline=0.0,
            undoable=undoable or None,
            unattended=0,
            hurried=False,
            bots="normal",
            challenge=None,
        )
        stored = SimpleNamespace(origin="here")
        table: Any = SimpleNamespace(
            id="t", game=game, head=head, status="playing", wake=0.0, submit=submit, stored=stored,
            chance=lambda seat: None, services=SimpleNamespace(leases=SimpleNamespace(others=True)),
        )  # fmt: skip
        thinking: Any = Thinking()
        minder = BotMinder(
            thinking, lambda: 0.0, pace, Random(1), lambda: 0, Limiter(ADDRESS_SECONDS, 0, time.monotonic)
        )
        minder.look_after(table)
        return await acted

    return hurry(run())


@pytest.fixture
def owing(europe: Position) -> dict[str, Game]:
    """The same tunnel owed by a seat that can pay, and by one that can't."""
    games = {}
    for name, hand in (("can pay", {"red": 3, "wild": 3}), ("can't", {"red": 2})):
        game = europe.hand(0, **hand).top("red red red").game()
        play(game, 0, "claim constantinople-smyrna 2 red")
        assert game.stage == "tunnel-owed"
        games[name] = game
    return games


@pytest.mark.parametrize("pace", [0.05, 1.0, 2.0])
@pytest.mark.parametrize("by_clock", [False, True])
def test_r8_4_how_long_a_bot_takes_to_pay_or_take_back_tells_nothing(
    owing: dict[str, Game], by_clock: bool, pace: float
) -> None:
    lengths = {name: len(game.legal_actions(0)) for name, game in owing.items()}
    assert lengths["can pay"] > lengths["can't"] == 1
    assert waited(owing["can pay"], by_clock, pace=pace) == waited(owing["can't"], by_clock, pace=pace) > 1.0


def test_a_bot_leaves_room_to_take_an_action_back(europe: Position) -> None:
    game = europe.game()
    assert 2 * 0.7 <= waited(game, pace=2.0) <= 2 * 1.6
    assert waited(game, undoable=True, pace=2.0) == pytest.approx(waited(game, pace=2.0) + 2 * 3.0)
    assert waited(game, pace=0.0) == Thinking.longest
