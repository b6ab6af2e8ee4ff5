"""Every bot of the house is legal, repeatable, blind to what is hidden, and contained when it fails."""

from pathlib import Path

import pytest

from branchline import Game, Rng, View
from branchline.bots import Budget, check_bot, load, names, to_index, why
from branchline.bots.keeper import Keeper

QUICK = Budget(nodes=6)


@pytest.mark.parametrize("name", names())
def test_every_bot_of_the_house_passes_check_bot(name: str) -> None:
    report = check_bot(lambda: load(name), budget=QUICK, positions=2)
    assert report.ok, report.faults
    assert {key.split()[1] for key in report.positions} == {
        "opening", "turn", "second-draw", "tunnel-owed", "ticket-offer",
    }  # fmt: skip


class Cheat:
    """Does not repeat itself, as a bot that reads what it should not."""

    asked = 0

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        Cheat.asked += 1
        legal = view.legal_indices()
        return legal[Cheat.asked % len(legal)]


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


@pytest.mark.parametrize(("bot", "word"), [(Cheat, "another choice"), (Wrong, "not a legal action"), (Broken, "order")])
def test_check_bot_finds_faults(bot: type, word: str) -> None:
    report = check_bot(bot, positions=1)
    assert not report.ok
    assert any(word in fault for fault in report.faults)


def test_a_bot_may_return_an_action_or_its_index() -> None:
    view = Game.new("europe", seats=2, seed=1).view(0)
    index = view.legal_indices()[3]
    assert to_index(view, index) == to_index(view, view.action(index)) == index
    with pytest.raises(ValueError, match="not a legal action"):
        to_index(view, True)


def test_a_crash_an_illegal_action_and_an_overrun_are_contained() -> None:
    view = Game.new("new-york", seats=2, seed=1).view(0)
    here = Path(__file__)
    for name, word in (("Broken", "out of order"), ("Wrong", "not a legal action")):
        with Keeper(f"{here}:{name}") as keeper:
            answer = keeper.choose(view, Rng(1), Budget())
            assert answer.fault is not None
            assert word in answer.fault
            assert answer.index in view.legal_indices()


def test_a_bot_that_never_answers_is_killed_and_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Game.new("new-york", seats=2, seed=1).view(0)
    monkeypatch.setattr("branchline.bots.keeper.START", 3.0)
    with Keeper(f"{Path(__file__)}:Endless", patience=0.1) as keeper:
        answer = keeper.choose(view, Rng(1), Budget())
        assert "no answer" in str(answer.fault)
        assert answer.index in view.legal_indices()
    with Keeper("regular") as keeper:
        good = keeper.choose(view, Rng(1), Budget())
        assert good.fault is None
        assert good.why is not None


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


def test_expert_keeps_to_its_nodes_and_its_time() -> None:
    game = Game.new("new-york", seats=2, seed=4)
    bot = load("expert")
    bot.choose(game.view(0), Rng(1), Budget(nodes=60))
    reason = why(bot)
    assert reason is not None
    assert isinstance(reason["nodes"], int)
    assert 0 < reason["nodes"] <= 66
    assert bot.choose(game.view(0), Rng(1), Budget(seconds=0.05)) in game.view(0).legal_indices()


def test_expert_uses_the_cores_it_is_given() -> None:
    view = Game.new("new-york", seats=2, seed=4).view(0)
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
