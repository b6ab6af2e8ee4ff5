"""Distilling: what a search finds is taken down as it was found, and the policy learns what gains."""

from dataclasses import replace
from pathlib import Path

import jax
import numpy as np
import pytest

from branchline import Game, Rng, load_map
from branchline.bots.expert import suited
from branchline.bots.learned.heads import Heads
from branchline.bots.learned.policy import FINE, ONE
from branchline.bots.policies import load_policy, shipped
from branchline.bots.search.guided import GuidedSearch
from branchline.cli import main
from branchline.engine.shuffle import Shuffler
from branchline.names import names_of
from branchline.observation.spaces import COLOURED, Space
from branchline.train import distil as teaching
from branchline.train.checkpoint import load
from branchline.train.distil import NEVER, NONE, Findings, distil, gather
from branchline.train.net import begin, look, spread
from branchline.train.run import Training
from branchline.train.settings import Settings

NEW_YORK = load_map("new-york")
SETTINGS = Settings("new-york", (2, 3), hidden=16, clone=0, distil=4, nodes=24, shares={"regular": 0.5})


def weights(seats: int = 3) -> Path:
    source = shipped(NEW_YORK.hash, seats)
    assert isinstance(source, Path)
    return source


def test_findings_are_what_a_search_found(tmp_path: Path) -> None:
    """The first own decision of the first game, found anew: what was seen, allowed, tried, and what each gained."""
    found = gather(weights(), SETTINGS, 56, 1, tmp_path, print)
    game = Game.dealt(NEW_YORK, 2, Shuffler(b"", 56))
    view = game.view(0)
    policy = load_policy(weights(), names_of(NEW_YORK).board, NEW_YORK.hash, 2)
    search = GuidedSearch(view.sight, Rng(56), policy, suited(view.sight))
    assert bytes(found.observations[0]) == bytes(policy.inputs)
    assert list(np.flatnonzero(found.masks[0])) == sorted(policy.allowed)
    search.run(24)
    n = len(search.candidates)
    assert n > 1
    actions = [policy.space.action(game.state, 0, index) for index in search.candidates]
    assert found.tried[0].tolist() == actions + [NONE] * (found.tried.shape[1] - n)
    for which in range(n):
        worlds, difference, _ = search.contest.tally(which)
        assert found.gains[0, which] == pytest.approx(int(difference) / int(worlds) / int(ONE * FINE))
    assert not found.gains[:, 0].any(), "the favourite is what others are told beside"
    assert set(found.game) == {0, 1, 2, 3}


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
    gather(weights(), replace(SETTINGS, nodes=8), 56, 1, tmp_path, print)
    assert searched == [0, 1, 2, 3], "another search finds other things"
    assert first.exists()


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


def test_a_search_that_nothing_guides_teaches_nobody(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["train", "new-york", "--distil", "5", "--out", str(tmp_path / "run")]) == 2
    assert "--begin-with" in capsys.readouterr().err
