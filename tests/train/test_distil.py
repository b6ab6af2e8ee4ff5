"""Distilling: what a search finds is taken down as it was found, and the policy learns what gains."""

from dataclasses import replace
from pathlib import Path

import jax
import numpy as np
import pytest
from numpy.typing import NDArray

from branchline import Game, Rng, load_map
from branchline.bots.base import Budget
from branchline.bots.expert import MANY, suited
from branchline.bots.learned.heads import Heads
from branchline.bots.learned.policy import FINE, ONE
from branchline.bots.learner import LearnedBot
from branchline.bots.policies import load_policy, shipped
from branchline.bots.registry import RIVALS
from branchline.bots.regular import RegularBot
from branchline.bots.search.guided import GuidedSearch
from branchline.cli import main
from branchline.engine.board import NONE
from branchline.engine.shuffle import Shuffler
from branchline.names import names_of
from branchline.observation.spaces import COLOURED, Space
from branchline.train import distil as teaching
from branchline.train.checkpoint import load
from branchline.train.distil import ITSELF, NEVER, Findings, distil, gather, others
from branchline.train.net import Params, begin, look, spread
from branchline.train.run import Training, about
from branchline.train.settings import SHARES, Settings
from branchline.train.tables import LEARNER, mix

NEW_YORK = load_map("new-york")
SETTINGS = Settings("new-york", (2, 3), hidden=16, clone=0, distil=4, nodes=24, shares={"regular": 0.5})


def test_whoever_trains_with_others_is_distilled_among_them_too() -> None:
    sitting = [LEARNER, *SHARES, *RIVALS]
    bots = others("new-york", weights(2), 5, sitting)
    assert len(bots) == len(sitting)
    varied, again, another = (others("new-york", weights(2), seed, [LEARNER, "varied"])[1] for seed in (5, 5, 6))
    assert isinstance(varied, RegularBot)
    assert isinstance(again, RegularBot)
    assert isinstance(another, RegularBot)

    def style(bot: RegularBot) -> list[int]:
        assert bot.weights is not None
        return [int(bot.weights.turn), int(bot.weights.points), int(bot.weights.hoard), int(bot.weights.risk)]

    assert style(varied) == style(again) != style(another)


def weights(seats: int = 3) -> Path:
    source = shipped(NEW_YORK.hash, seats)
    assert isinstance(source, Path)
    return source


def replayed(
    number: int, sitting: list[str], seed: int, nodes: int
) -> list[tuple[bytes, list[int], list[int], list[float]]]:
    """One game of the findings, played anew: what was seen, allowed, tried and gained in each own decision."""
    rng = Rng(seed + number)
    own = rng.below(len(sitting)) if sitting.count(LEARNER) > 1 else sitting.index(LEARNER)
    itself = rng.below(ITSELF) == 0
    policy = load_policy(weights(), names_of(NEW_YORK).board, NEW_YORK.hash, len(sitting))
    game = Game.dealt(NEW_YORK, len(sitting), Shuffler(b"", seed + number))
    rows = []
    while not game.over:
        seat = game.to_act[0]
        view = game.view(seat)
        if seat != own:
            other = RegularBot() if sitting[seat] == "regular" else LearnedBot(weights())
            game.play_index(seat, other.choose(view, rng, Budget()))
            continue
        search = GuidedSearch(view.sight, rng, policy, suited(view.sight))
        seen, allowed = bytes(policy.inputs), sorted(policy.allowed)
        if len(search.candidates) > 1:
            search.run(nodes)
            tallies = [search.contest.tally(which) for which in range(len(search.candidates))]
            gains = [int(difference) / int(worlds) / int(ONE * FINE) for worlds, difference, _ in tallies]
            tried = [int(policy.space.action(game.state, seat, index)) for index in search.candidates]
            rows.append((seen, allowed, tried, gains))
        game.play_index(seat, search.candidates[0] if itself else search.best())
    return rows


def test_findings_are_what_a_search_found(tmp_path: Path) -> None:
    """Every game played anew, its rivals and who chose in it too."""
    found = gather(weights(), SETTINGS, 56, 1, tmp_path, print)
    sitting = mix(SETTINGS.seats, SETTINGS.distil, SETTINGS.shares)
    rows = [(number, *row) for number, table in enumerate(sitting) for row in replayed(number, table, 56, 24)]
    assert {tuple(sorted(table)) for table in sitting} > {("ask", "ask"), ("ask", "regular", "regular")}
    assert found.game.tolist() == [row[0] for row in rows]
    for at, (_, seen, allowed, tried, gains) in enumerate(rows):
        n = len(tried)
        assert bytes(found.observations[at]) == seen
        assert np.flatnonzero(found.masks[at]).tolist() == allowed
        assert found.tried[at].tolist() == tried + [NONE] * (found.tried.shape[1] - n)
        assert found.gains[at, :n] == pytest.approx(gains)
        assert not found.gains[at, n:].any()
    assert not found.gains[:, 0].any(), "the favourite is what others are told beside"


def nothing(games: int) -> Findings:
    """One decision a game, of which nothing is known."""
    small, actions = np.zeros((games, 4), np.uint8), np.zeros((games, 4), np.int64)
    return Findings(small, small, actions, np.zeros((games, 4), np.float32), np.arange(games))


@pytest.fixture
def no_lesson(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A network that counts its lessons, and gains nothing by them; the rows by which that was told."""
    told: list[int] = []

    def gain(params: Params, found: Findings, matrix: object, rows: NDArray[np.int64]) -> float:
        told.extend(int(row) for row in rows)
        return 0.0

    monkeypatch.setattr(teaching, "_gain", gain)
    monkeypatch.setattr(teaching, "_follow", lambda params, moments, *_: ({"lessons": params["lessons"] + 1}, moments))
    monkeypatch.setattr(teaching, "begin_adam", lambda params: params)
    return told


def test_games_held_back_are_of_every_sort(no_lesson: list[int]) -> None:
    """Ten entries of seats and every tenth game held back: that would be games of one seat count alone."""
    seats = (4, 4, 4, 4, 3, 4, 4, 4, 4, 5)
    distil({"lessons": 0}, nothing(300), None, 1)
    assert len(set(no_lesson)) == 30
    assert {seats[row % 10] for row in no_lesson} == {3, 4, 5}


@pytest.mark.usefixtures("no_lesson")
def test_what_gains_nothing_changes_nothing() -> None:
    assert distil({"lessons": 0}, nothing(20), None, 1)[0] == {"lessons": 0}


@pytest.mark.parametrize(
    ("settings", "word"), [(replace(SETTINGS, distil=1), "two games"), (replace(SETTINGS, nodes=19), "20 nodes")]
)
def test_too_little_teaches_nothing(settings: Settings, word: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=word):
        gather(weights(), settings, 56, 1, tmp_path, print)


def test_the_same_is_found_in_several_processes(tmp_path: Path) -> None:
    one, two = (gather(weights(), SETTINGS, 56, workers, tmp_path / str(workers), print) for workers in (1, 2))
    assert np.array_equal(one.observations, two.observations)
    assert np.array_equal(one.gains, two.gains)


def test_what_was_found_before_a_kill_is_not_searched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teaching, "KEPT", 2)
    whole = gather(weights(), SETTINGS, 56, 1, tmp_path, print)
    first, second = sorted(tmp_path.iterdir())
    second.unlink()
    searched: list[int] = []
    found = teaching._found

    def noted(map: str, weights: Path, nodes: int, seed: int, job: tuple[int, list[str]]) -> Findings:
        searched.append(job[0])
        return found(map, weights, nodes, seed, job)

    monkeypatch.setattr(teaching, "_found", noted)
    again = gather(weights(), SETTINGS, 56, 1, tmp_path, print)
    assert searched == [2, 3]
    assert np.array_equal(whole.gains, again.gains)
    searched.clear()
    gather(weights(), replace(SETTINGS, nodes=20), 56, 1, tmp_path, print)
    assert searched == [0, 1, 2, 3], "another search finds other things"
    searched.clear()
    first.write_bytes(first.read_bytes()[:200])
    again = gather(weights(), SETTINGS, 56, 1, tmp_path, print)
    assert searched == [0, 1], "what is damaged is searched for again"
    assert np.array_equal(whole.gains, again.gains)


def test_a_policy_learns_what_gains_and_holds_its_value() -> None:
    """In positions told apart by one input the second action gains in one kind, and loses in the other."""
    space = Space(names_of(NEW_YORK).board, COLOURED)
    heads = Heads(space)
    matrix, inputs, rows = spread(heads), 8, 20_000
    told = [list(heads.first).index(output) for output in range(3)]  # three actions that share no output
    rng = np.random.default_rng(1)
    seen = rng.integers(0, 2, (rows, inputs)).astype(np.uint8)
    masks = np.zeros((rows, int(space.size)), np.uint8)
    masks[:, told] = 1
    tried = np.full((rows, 10), NONE)
    tried[:, :2] = told[:2]
    gains = np.zeros((rows, 10), np.float32)
    gains[:, 1] = np.where(seen[:, 0] > 0, 0.1, -0.1) + rng.normal(0, 0.3, rows)
    found = Findings(seen, masks, tried, gains, np.arange(rows))
    before = begin(jax.random.PRNGKey(1), inputs, 256, heads)
    before["b3"] = before["b3"].at[0].set(0.2)
    after, gained = distil(before, found, matrix, 1)
    chances, value = look(after, matrix, seen, masks)
    chosen = np.asarray(chances).argmax(1)
    assert (chosen[seen[:, 0] > 0] == told[1]).mean() > 0.95
    assert (chosen[seen[:, 0] == 0] == told[0]).mean() > 0.95
    assert not (chosen == told[2]).any(), "what was not tried is taken to lose"
    assert NEVER < 0
    assert np.allclose(value, look(before, matrix, seen, masks)[1], atol=0.05)
    assert gained[0] < 0.005, "before, it does its favourite"
    assert 0.03 < max(gained) < 0.07


def test_a_run_begins_with_what_a_search_taught_it(tmp_path: Path) -> None:
    settings = Settings("new-york", (3,), hidden=256, places=4, clone=0, distil=2, nodes=20, shares={"regular": 0.5})
    said: list[str] = []
    training = Training(settings, tmp_path, said.append, None, weights())
    assert any("taught by" in line for line in said)
    taught = training.progress.earlier[-1]["distilled"]
    assert taught["games"] == 2
    assert taught["decisions"] > 10
    assert load(tmp_path / "checkpoint.npz").settings.distil == 2
    assert not (tmp_path / "findings").exists()
    said.clear()
    again = Training(replace(settings, distil=500), tmp_path, said.append, None, weights())
    assert any("no search teaches it now" in line for line in said)
    assert about(again.progress)["training"]["distil"] == 2, "a policy tells what taught it, not what was asked for"


def test_findings_of_a_run_that_was_ended_do_not_stay(tmp_path: Path) -> None:
    (tmp_path / "findings").mkdir()
    Training(Settings("new-york", (2,), hidden=16, clone=0, tables=8), tmp_path, lambda _: None)
    assert not (tmp_path / "findings").exists()


def test_a_search_that_nothing_guides_teaches_nobody(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["train", "new-york", "--distil", "5", "--out", str(tmp_path / "run")]) == 2
    assert "--begin-with" in capsys.readouterr().err


def test_a_search_has_room_for_what_is_easily_missed(tmp_path: Path) -> None:
    """Who has learned nothing holds ten likely, and in the last turn what is counted out comes beside them."""
    settings = replace(SETTINGS, seats=(2,), distil=8, shares={})
    path = Training(replace(settings, distil=0, tables=8), tmp_path / "run", lambda _: None).write()
    found = gather(path, settings, 17, 1, tmp_path / "findings", print)
    assert (found.tried >= 0).sum(1).max() > MANY
