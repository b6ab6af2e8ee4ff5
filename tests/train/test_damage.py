"""Runs that somebody changed, or that were made to harm: refused in words, and nothing of anybody's is lost."""

import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from branchline.cli import main
from branchline.files import alone
from branchline.train import arrays as reading
from branchline.train.checkpoint import LONGEST, Progress, load, save
from branchline.train.curve import as_svg
from branchline.train.net import begin_adam
from branchline.train.run import Training, exploit, exploit_bot
from branchline.train.settings import Settings
from branchline.train.tables import LEARNER, mix

SMALL = Settings("new-york", hidden=8, tables=8, steps=16, batch=16, clone=0)
RESULT = {"seats": 2, "rival": "regular", "games": 4, "win": 0.5, "low": 0.1, "high": 0.9, "points": 20, "others": 21}
POINT = {"minutes": 0.1, "processor": 0.1, "games": 4, "decisions": 100, "results": [RESULT]}

Arrays = dict[str, Any]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("run")
    progress = Training(SMALL, folder, lambda _: None).progress
    progress.curve = [POINT]
    save(folder / "checkpoint.npz", progress)
    return (folder / "checkpoint.npz").read_bytes()


def changed(folder: Path, whole: bytes, change: Callable[[Arrays, dict[str, Any]], object]) -> Path:
    """A run whose arrays and head somebody changed."""
    folder.mkdir(exist_ok=True)
    path = folder / "checkpoint.npz"
    path.write_bytes(whole)
    with np.load(path) as file:
        arrays = dict(file)
    head = json.loads(arrays["head"].tobytes())
    change(arrays, head)
    arrays["head"] = np.frombuffer(json.dumps(head).encode(), np.uint8)
    np.savez(path, **arrays)
    return path


def test_what_was_not_changed_is_taken_up(tmp_path: Path, whole: bytes) -> None:
    changed(tmp_path, whole, lambda arrays, head: None)
    assert Training(SMALL, tmp_path, lambda _: None).progress.curve == [POINT]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda arrays, head: head.update(updates=-1), "updates is -1"),
        (lambda arrays, head: head.update(games="4"), "games is '4'"),
        (lambda arrays, head: head.update(seconds=float("nan")), "seconds is nan"),
        (lambda arrays, head: head.update(decisions=1e9), "decisions is 1000000000.0"),
        (lambda arrays, head: head.update(past=10**9), "1000000000 past selves"),
        (lambda arrays, head: head.update(past=0), "0 past selves"),
        (lambda arrays, head: head.update(earlier=[1]), "earlier is no list"),
        (lambda arrays, head: head.update(curve=[1]), "no checkpoint"),
        (lambda arrays, head: head.update(curve=""), "curve is no list"),
        (lambda arrays, head: head.update(earlier={}), "earlier is no list"),
        (lambda arrays, head: head["curve"][0]["results"][0].update(rival="\ud800"), "a row of its curve has"),
        (lambda arrays, head: head.update(curve=[{"minutes": 1}]), "no checkpoint"),
        (lambda arrays, head: head["curve"][0]["results"][0].update(more=1), "a row of its curve has"),
        (lambda arrays, head: head["curve"][0].update(minutes="1"), "does not say when it was"),
        (lambda arrays, head: head["curve"].append({"results": []}), "it does not say 'minutes'"),
        (lambda arrays, head: head["settings"].update(places=2**40), "places are 2 to 8"),
        (lambda arrays, head: head["settings"].update(tables=2**40), "tables is at most 1,000,000"),
        (lambda arrays, head: head["settings"].update(hidden=10**6), "hidden is from 1 to 1,024"),
        (lambda arrays, head: head["settings"].update(hidden="8"), "hidden can't be '8'"),
        (lambda arrays, head: head["settings"].update(rate=float("inf")), "rate can't be inf"),
        (lambda arrays, head: head["settings"].update(advice=1), "advice can't be 1"),
        (lambda arrays, head: head["settings"].update(seats=[99]), "seats are some of 2 to 8"),
        (lambda arrays, head: head["settings"].update(shares={"past": "much"}), "a part of the tables"),
        (lambda arrays, head: head["settings"].update(batch=0), "batch is 1 or more, not 0"),
    ],
)
def test_a_head_that_makes_no_sense_is_refused(
    tmp_path: Path, whole: bytes, change: Callable[[Arrays, dict[str, Any]], object], words: str
) -> None:
    path = changed(tmp_path, whole, change)
    with pytest.raises(ValueError, match=r"checkpoint\.npz is no checkpoint of a training run: ") as error:
        load(path)
    assert words in str(error.value)


def damaged(name: str, value: float) -> Callable[[Arrays, dict[str, Any]], object]:
    def change(arrays: Arrays, head: dict[str, Any]) -> None:
        (found, *_) = (one for one in arrays if one.startswith(name) and arrays[one].ndim == 2)
        arrays[found] = arrays[found].copy()
        arrays[found][0, 0] = value

    return change


def cut(arrays: Arrays, head: dict[str, Any]) -> None:
    (name, *_) = (one for one in arrays if one.startswith("params") and arrays[one].ndim == 2)
    arrays[name] = arrays[name][:, 1:]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (damaged("params", np.nan), "network are not made of numbers"),
        (damaged("mean", np.inf), "moments are not made of numbers"),
        (damaged("past", np.nan), "past selves are not made of numbers"),
        (damaged("square", -1.0), "squares below 0"),
        (cut, "network do not fit its settings"),
        (lambda arrays, head: arrays.update(steps=np.float32(-1)), "moments are after"),
        (lambda arrays, head: arrays.update(steps=np.zeros(3, np.float32)), "moments are after"),
    ],
)
def test_a_network_that_is_damaged_is_neither_trained_nor_exploited(
    tmp_path: Path, whole: bytes, change: Callable[[Arrays, dict[str, Any]], object], words: str
) -> None:
    run = changed(tmp_path / "run", whole, change)
    before = run.read_bytes()
    with pytest.raises(ValueError, match=words):
        Training(SMALL, tmp_path / "run", lambda _: None)
    with pytest.raises(ValueError, match=words):
        exploit(tmp_path / "run", tmp_path / "other", SMALL)
    assert run.read_bytes() == before
    assert not (tmp_path / "other").exists()


def test_arrays_that_unpack_for_ever_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST", 1 << 20)
    np.savez_compressed(tmp_path / "c.npz", head=np.zeros(4 << 20, np.uint8))
    with pytest.raises(ValueError, match="no checkpoint"):
        load(tmp_path / "c.npz")
    with pytest.raises(ValueError, match="more than"):
        reading.read_arrays(tmp_path / "c.npz")
    with zipfile.ZipFile(tmp_path / "many.npz", "w") as archive:
        for number in range(reading.MOST + 1):
            archive.writestr(f"{number}.npy", b"")
    with pytest.raises(ValueError, match="more than 4,096 arrays"):
        reading.read_arrays(tmp_path / "many.npz")


def test_no_object_is_made_of_a_file(tmp_path: Path) -> None:
    np.savez(tmp_path / "c.npz", head=np.array([{}], object), allow_pickle=True)
    with pytest.raises(ValueError, match="pickle"):
        reading.read_arrays(tmp_path / "c.npz")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "c.npz")
    with pytest.raises(ValueError, match="no checkpoint"):
        load(tmp_path / "c.npz")


def test_what_is_packed_in_another_way_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "c.npz", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("head.npy", bytes(1 << 20))
    with pytest.raises(ValueError, match="packed as numpy packs none"):
        reading.read_arrays(tmp_path / "c.npz")


def test_a_head_longer_than_any_is_refused(tmp_path: Path, whole: bytes) -> None:
    path = changed(tmp_path, whole, lambda arrays, head: head.update(more=" " * LONGEST))
    with pytest.raises(ValueError, match="no checkpoint"):
        load(path)


@pytest.mark.parametrize("name", ["curve.csv", "new-york.policy"])
def test_a_run_begins_where_it_writes_over_nothing(tmp_path: Path, whole: bytes, name: str) -> None:
    mine = tmp_path / "other" / name
    mine.parent.mkdir()
    mine.write_text("mine")
    changed(tmp_path / "run", whole, lambda arrays, head: None)
    with pytest.raises(ValueError, match=f"holds {name}, and no run"):
        Training(SMALL, tmp_path / "other", lambda _: None)
    with pytest.raises(ValueError, match=f"holds {name}, and no run"):
        exploit(tmp_path / "run", tmp_path / "other", SMALL)
    assert mine.read_text() == "mine"
    assert len(list(mine.parent.iterdir())) == 1


def test_a_run_on_a_map_that_changed_is_not_taken_up(tmp_path: Path, whole: bytes) -> None:
    changed(tmp_path, whole, lambda arrays, head: head.update(map_hash="0"))
    with pytest.raises(ValueError, match="another version of new-york"):
        Training(SMALL, tmp_path, lambda _: None)


def test_two_trainings_do_not_write_one_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with alone(tmp_path / "checkpoint.npz"):
        assert main(["train", "new-york", "--hidden", "8", "--out", str(tmp_path)]) == 2
    assert "is in use by another process" in capsys.readouterr().err


def test_what_others_keep_beside_findings_stays(tmp_path: Path) -> None:
    (tmp_path / "findings").mkdir()
    ours, theirs = (tmp_path / "findings" / name for name in ("0123456789abcdef-0.npz", "thesis.txt"))
    for path in (ours, theirs):
        path.touch()
    (tmp_path / "findings" / "0123456789abcdef-1.npz").mkdir()
    Training(SMALL, tmp_path, lambda _: None)
    assert not ours.exists()
    assert theirs.exists()


def test_a_run_against_one_does_not_go_on_against_another(tmp_path: Path, whole: bytes) -> None:
    Training(exploit_bot("expert", SMALL), tmp_path / "run", lambda _: None)
    for settings in (SMALL, exploit_bot("regular", SMALL)):
        with pytest.raises(ValueError, match=r"holds a run against expert \([0-9a-f]{12}\); name another folder"):
            Training(settings, tmp_path / "run", lambda _: None)
    for name in ("first", "second"):
        changed(tmp_path / name, whole, lambda arrays, head: None)
    Training(exploit(tmp_path / "first", tmp_path / "other", SMALL), tmp_path / "other", lambda _: None)
    with pytest.raises(ValueError, match="holds a run against first \\("):
        Training(exploit(tmp_path / "second", tmp_path / "other", SMALL), tmp_path / "other", lambda _: None)


def test_a_run_that_has_begun_says_that_it_begins_with_nothing_else(tmp_path: Path) -> None:
    Training(SMALL, tmp_path, lambda _: None)
    said: list[str] = []
    Training(SMALL, tmp_path, said.append, weights=tmp_path / "a.policy")
    assert "does not begin with a.policy now" in said[0]


def test_ctrl_c_loses_nothing_that_was_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    learned: list[int] = []

    def stops(training: Training, *_: object) -> Progress:
        training.progress.updates = 7
        learned.append(training.progress.updates)
        raise KeyboardInterrupt

    monkeypatch.setattr(Training, "_run", stops)
    assert main(["train", "new-york", "--hidden", "8", "--from-nothing", "--out", str(tmp_path)]) == 130
    assert f"the same command goes on from {tmp_path}" in capsys.readouterr().out
    assert load(tmp_path / "checkpoint.npz").updates == 7
    assert (tmp_path / "new-york.policy").exists()


def test_names_of_a_curve_stay_text() -> None:
    svg = as_svg([{**POINT, "results": [{**RESULT, "rival": "<script>"}]}], "a & b")
    assert "<script>" not in svg
    assert "a &amp; b" in svg


def test_many_entries_have_their_shares_together() -> None:
    seats = (2,) * 40 + (3,) * 20
    tables = mix(seats, 240, {"past": 0.1, "regular": 0.05})
    assert sum("past" in table for table in tables) == 24
    assert sum("regular" in table for table in tables) == 12
    assert all(LEARNER in table for table in tables)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"tables": 0}, "tables is 1 or more"), ({"steps": -1}, "steps can't be -1"), ({"seats": ()}, "seats are"),
        ({"win": float("nan")}, "win can't be nan"), ({"hidden": True}, "hidden can't be True"),
    ],
)  # fmt: skip
def test_settings_are_of_their_sort(more: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        replace(SMALL, **more)


def test_an_old_run_without_adam_is_refused(tmp_path: Path) -> None:
    params = {"w1": np.ones((2, 3), np.float32)}
    save(tmp_path / "checkpoint.npz", Progress(SMALL, params, begin_adam(params), [params]))
    with pytest.raises(ValueError, match="do not fit its settings"):
        Training(SMALL, tmp_path, lambda _: None)
