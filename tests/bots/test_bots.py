"""Every bot of the house is legal, repeatable, blind to what is hidden, and contained when it fails."""

import gc
import inspect
import os
import signal
from itertools import count
from pathlib import Path

import pytest

from branchline import DrawCard, Game, Rng, View
from branchline.bots import Budget, check_bot, expert, load, names, thinking, to_index, why
from branchline.bots.keeper import Keeper
from branchline.bots.learner import LearnedBot
from branchline.bots.search.contest import Search, importance

QUICK = Budget(nodes=6)


@pytest.mark.parametrize("name", names())
def test_every_bot_of_the_house_passes_check_bot(name: str) -> None:
    report = check_bot(lambda: load(name), budget=QUICK, positions=2)
    assert report.ok, report.faults
    assert {key.split()[1] for key in report.positions} == {
        "opening", "turn", "second-draw", "tunnel-owed", "ticket-offer",
    }  # fmt: skip


class Fickle:
    """Does not repeat itself."""

    asked = 0

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        Fickle.asked += 1
        legal = view.legal_indices()
        return legal[Fickle.asked % len(legal)]


def by_the_deck(game: Game, view: View) -> int:
    """A choice that depends on the order of a deck nobody may look into."""
    legal = view.legal_indices()
    deck = game.to_dict()["deck"]
    return legal[sum(place * len(card) for place, card in enumerate(deck)) % len(legal)]


class PeeksAtItsCaller:
    """Climbs up to whoever asks it, and looks at the game there."""

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        frame = inspect.currentframe()
        while frame := frame and frame.f_back:
            for value in frame.f_locals.values():
                if type(value) is Game and value.view(view.seat) == view:
                    return by_the_deck(value, view)
        return view.legal_indices()[0]


class PeeksAtMemory:
    """Looks for the game in all that the process holds."""

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        for value in gc.get_objects():
            if type(value) is Game and value.view(view.seat) == view:
                return by_the_deck(value, view)
        return view.legal_indices()[0]


class Wrong:
    """Never legal."""

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        return -1


class Broken:
    """Always crashes."""

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        raise RuntimeError("out of order")


class Endless:
    """Never answers."""

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        while True:
            pass


@pytest.mark.parametrize(
    ("bot", "word"), [(Fickle, "another choice"), (Wrong, "not a legal action"), (Broken, "order")]
)
def test_check_bot_finds_faults(bot: type, word: str) -> None:
    report = check_bot(bot, positions=1)
    assert not report.ok
    assert any(word in fault for fault in report.faults)


@pytest.mark.parametrize("bot", [PeeksAtItsCaller, PeeksAtMemory])
def test_check_bot_finds_a_bot_that_peeks(bot: type) -> None:
    report = check_bot(bot, positions=2)
    assert report.faults
    assert all("changed with what the seat can't see" in fault for fault in report.faults), report.faults


def test_a_bot_may_return_an_action_or_its_index() -> None:
    view = Game.new("europe", seats=2, seed=1).view(0)
    index = view.legal_indices()[3]
    assert to_index(view, index) == to_index(view, view.action(index)) == index
    with pytest.raises(ValueError, match="not a legal action"):
        to_index(view, True)


class Deadly:
    """Takes its process down with it."""

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


@pytest.mark.parametrize(
    ("bot", "word", "lives"),
    [
        ("Broken", "out of order", True),
        ("Wrong", "not a legal action", True),
        ("Deadly", "died", False),
        ("Endless", "no answer in 0.2 s", False),
    ],
)
def test_a_crash_an_illegal_action_and_an_overrun_are_contained(bot: str, word: str, lives: bool) -> None:
    view = Game.new("new-york", seats=2, seed=1).view(0)
    with Keeper(f"{Path(__file__)}:{bot}", patience=5.0 if lives else 0.1) as keeper:
        process = None
        for _ in range(2):  # what was killed is started again
            answer = keeper.choose(view, Rng(1), Budget(seconds=0.1))
            assert answer.fault is not None
            assert word in answer.fault
            assert answer.index in view.legal_indices()
            assert keeper._process is not None
            assert keeper._process.alive == lives
            assert (keeper._process is process) == (lives and process is not None)
            process = keeper._process


def test_a_bot_that_is_well_answers_and_says_why() -> None:
    view = Game.new("new-york", seats=2, seed=1).view(0)
    with Keeper("regular") as keeper:
        good = keeper.choose(view, Rng(1), Budget())
        assert good.fault is None
        assert good.why is not None
        assert good.index in view.legal_indices()
    with Keeper("no such bot") as keeper:
        assert "no such bot" in str(keeper.choose(view, Rng(1), Budget()).fault)


def test_bots_are_found_by_name_file_and_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path(__file__)
    assert type(load(f"{here}:Wrong")).__name__ == "Wrong"
    monkeypatch.setenv("BRANCHLINE_BOTS", f"mine={here}:Wrong")
    assert "mine" in names()
    assert type(load("mine")).__name__ == "Wrong"
    for spec in ("nobody", f"{here}:Nobody", "no_such_module:Bot", f"{here}:QUICK"):
        with pytest.raises(ValueError, match="bot"):
            load(spec)


def test_regular_says_why() -> None:
    game = Game.new("europe", seats=2, seed=4)
    bot = load("regular")
    for seat in (0, 1):
        game.play_index(seat, to_index(game.view(seat), bot.choose(game.view(seat), Rng(1), Budget())))
    seat = game.to_act[0]
    bot.choose(game.view(seat), Rng(1), Budget())
    reason = why(bot)
    assert reason is not None
    assert reason["reason"] in {"join-tickets", "collect", "points"}
    assert isinstance(reason["plan"], list)


def test_a_card_is_taken_for_a_route_that_it_pays_for() -> None:
    """Whoever is told "take the orange card, you need it for this route" believes it."""
    bot, taken = load("regular"), 0
    for seed in range(4):
        game = Game.new("europe", seats=2, seed=seed)
        colours = {route.id: route.colour for route in game.map.routes}
        while not game.over and game.view(0).turn < 40:
            seat = game.to_act[0]
            view = game.view(seat)
            action = view.action(to_index(view, bot.choose(view, Rng(1), Budget())))
            match action, why(bot):
                case DrawCard(slot=int(slot)), {"reason": "collect", "route": str(route)}:
                    card = view.row[slot]
                    assert card == "wild" or colours[route] in (card, "grey"), f"{card} for {route}"
                    taken += 1
            game.play(seat, action)
    assert taken > 20


def undecided() -> View:
    """What a seat sees where the policy holds more than one thing likely, and playouts do not soon decide."""
    for seed in range(50):
        view = Game.new("new-york", seats=2, seed=seed).view(0)
        bot = expert.ExpertBot()
        bot.choose(view, Rng(1), Budget(nodes=500))
        if bot.nodes > 400:
            return view
    raise AssertionError("fifty openings without a doubt")


def test_expert_keeps_to_its_nodes() -> None:
    view = undecided()
    bot = load("expert")
    bot.choose(view, Rng(1), Budget(nodes=60))
    reason = why(bot)
    assert reason is not None
    assert isinstance(reason["nodes"], int)
    assert 0 < reason["nodes"] <= 66


def test_expert_keeps_to_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock of our own, on which every look costs a millisecond: no look comes after its time but the last."""
    view = undecided()
    searched = []
    for seconds in (0.05, 0.5):
        looks = count()
        monkeypatch.setattr(thinking, "perf_counter", lambda looks=looks: next(looks) / 1000)
        bot = expert.ExpertBot()
        assert bot.choose(view, Rng(1), Budget(seconds=seconds)) in view.legal_indices()
        allowed = seconds * int(importance(view.sight.stage)) / 100
        assert next(looks) / 1000 <= allowed + 0.010
        searched.append(bot.nodes)
    assert searched[1] > 3 * searched[0] > 0


def test_expert_uses_the_cores_it_is_given() -> None:
    view = undecided()
    bot = load("expert")
    chosen = []
    for _ in range(2):
        chosen.append(bot.choose(view, Rng(1), Budget(nodes=120, cores=2)))
        reason = why(bot)
        assert reason is not None
        assert isinstance(reason["nodes"], int)
        assert 60 < reason["nodes"] <= 120
    assert chosen[0] == chosen[1]
    assert chosen[0] in view.legal_indices()
    assert bot.choose(view, Rng(1), Budget(seconds=0.1, cores=2)) in view.legal_indices()


def test_what_several_processes_counted_is_added_up() -> None:
    """The same as searching so many times here, each with the generator that its process had."""
    view = undecided()
    policy = LearnedBot().policy(view)

    def begun(rng: Rng) -> Search:
        return expert.begin(view, rng, policy)

    together, nodes = thinking.think(begun, Rng(5), Budget(nodes=240, cores=3))
    rng = Rng(5)
    own = begun(rng)
    children = [begun(Rng(rng.below(1 << 30))) for _ in range(2)]
    for search in (own, *children):
        search.run(80)
    assert nodes == sum(int(search.nodes) for search in (own, *children))
    counted = {which: own.contest.tally(which) for which in range(len(own.candidates))}
    for child in children:
        for which, tally in thinking.tallies(child).items():
            one, another, third = (a + b for a, b in zip(counted[which], tally, strict=True))
            counted[which] = (one, another, third)
    assert {which: together.contest.tally(which) for which in counted} == counted
    assert thinking.tallies(children[0]) != thinking.tallies(children[1]), "each has worlds of its own"
    assert set(thinking.tallies(together)) == {which for one in (own, *children) for which in thinking.tallies(one)}
