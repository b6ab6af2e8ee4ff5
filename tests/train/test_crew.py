"""The tables of a training, played in several processes of this machine."""

import os
import signal
import subprocess
import sys
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from branchline.cli import main
from branchline.cli.train import ONE_THREAD
from branchline.spread import Processes, WorkerDied
from branchline.train import run as train_run
from branchline.train.checkpoint import load
from branchline.train.crew import shared_out
from branchline.train.ppo import update
from branchline.train.run import Training
from branchline.train.tables import mix
from tests.train.parts import SETTINGS, check_alike, play


def test_training_in_processes_is_training_at_home() -> None:
    with closing(Processes(2)) as crew:
        away = play(crew)
    check_alike(play(None), away)


def _pid(_: int) -> int:
    return os.getpid()


def test_processes_stay_until_they_are_closed() -> None:
    with closing(Processes(2)) as crew:
        first, again = crew.all(_pid, range(4)), crew.all(_pid, range(4))
        assert len(set(first)) == 2
        assert set(again) == set(first)
    for pid in set(first):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_every_part_has_tables_of_every_sort() -> None:
    """What `mix` repeats after so many tables would leave some parts without a seat count, or always in one seat."""
    for seats, tables, parts in [((2, 3), 64, 2), ((4, 4, 3, 5, 2, 2, 4, 4), 512, 8), ((2,), 512, 8), ((2,), 50, 3)]:
        sitting = mix(seats, tables, {"past": 0.2, "regular": 0.25})
        shares = shared_out(sitting, parts)
        assert sorted(table for share in shares for table in share) == sorted(sitting)
        counts = [Counter(map(tuple, share)) for share in shares]
        for sort in {tuple(table) for table in sitting}:
            assert max(count[sort] for count in counts) - min(count[sort] for count in counts) <= 1


def _raise(number: int) -> int:
    raise ValueError(f"{number} is too many")


def test_what_goes_wrong_in_a_process_is_raised_here() -> None:
    with closing(Processes(1)) as crew, pytest.raises(ValueError, match="7 is too many"):
        crew.all(_raise, [7])


def _itself(number: int) -> int:
    return _raise(number) if number == 0 else number


def test_who_failed_answers_nothing_of_before() -> None:
    crew = Processes(2)
    with pytest.raises(ValueError, match="0 is too many"):
        crew.all(_itself, range(5))
    with pytest.raises(WorkerDied):
        crew.all(_itself, [10, 11, 12])


def test_a_run_keeps_what_it_learned_when_a_process_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Processes(2)) as crew:
        training = Training(replace(SETTINGS, clone=0), tmp_path, lambda _: None, crew)

        def kill_one(*told: Any) -> Any:
            if training.progress.updates == 1:
                os.kill(crew.all(_pid, [0])[0], signal.SIGKILL)
            return update(*told)

        monkeypatch.setattr(train_run, "update", kill_one)
        with pytest.raises(WorkerDied):
            training.run(9, 99, [])
    assert load(tmp_path / "checkpoint.npz").updates == 2
    assert (tmp_path / "new-york.policy").exists()


def test_the_command_plays_in_as_many_processes_as_it_is_given_cores(tmp_path: Path) -> None:
    words = ["train", "new-york", "--minutes", "1", "--cores", "2", "--belief", "0", "--out", str(tmp_path / "run")]
    running = subprocess.Popen([sys.executable, "-m", "branchline.cli", *words], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    with running:
        for line in running.stdout:
            if "decisions/s" in line or "against" in line:
                break
        running.send_signal(signal.SIGINT)
        running.stdout.read()
        assert running.wait() == 130
    assert load(tmp_path / "run" / "checkpoint.npz").settings.parts == 2


def test_a_process_that_dies_ends_the_command_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def die(*_: object) -> None:
        raise WorkerDied("a process that worked died")

    before = os.environ.get(ONE_THREAD[0])
    monkeypatch.setattr(Training, "__init__", die)
    assert main(["train", "new-york", "--cores", "2", "--out", str(tmp_path / "run")]) == 2
    assert "a process that worked died; the same command goes on from" in capsys.readouterr().err
    assert os.environ.get(ONE_THREAD[0]) == before
