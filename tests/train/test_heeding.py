"""Ctrl-C ends a training at once, wherever it is pressed."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from branchline.spread import interrupts_held
from branchline.train.heeding import LOSES, heeding


def _press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_an_interrupt_that_would_be_lost_comes_later() -> None:
    def tidy_up() -> None:
        with suppress(KeyboardInterrupt):  # as Python does with what is raised in a callback of its collector
            _press()

    tidy_up.__code__ = tidy_up.__code__.replace(co_name=LOSES)
    lost = pytest.raises(KeyboardInterrupt)
    with lost, heeding():
        tidy_up()
        for _ in range(100):
            time.sleep(0.05)  # an interrupt ends it
        pytest.fail("nobody heard of it")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_elsewhere_it_is_heeded_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), heeding():
        _press()


def test_an_interrupt_that_is_held_comes_afterwards() -> None:
    done = []

    def work() -> None:
        with interrupts_held():
            _press()
            done.append("what was begun")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("after", [0.0, 0.3, 1.0, 3.0])
def test_a_training_stops_whenever_it_is_told_to(tmp_path: Path, cores: int, after: float) -> None:
    words = ["train", "new-york", "--from-nothing", "--hidden", "8", "--belief", "0", "--cores", str(cores)]
    running = subprocess.Popen(
        [sys.executable, "-m", "branchline.cli", *words, "--out", str(tmp_path / "run")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    with running:
        until = time.monotonic() + 60
        while not (tmp_path / "run").exists() and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(after)  # wherever it is by then
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does
        said, told = running.communicate(timeout=60)
    assert "Traceback" not in told
    assert "stopped; the same command goes on from" in said
    # JAX crashes now and then while an interrupted interpreter ends, when all has been said and written.
    assert running.returncode in (130, -signal.SIGSEGV)


def test_workers_end_with_whoever_began_them(tmp_path: Path) -> None:
    """Also while they compute: nobody is there to read what they would say."""
    program = (
        "import time; from branchline.spread import Processes; from tests.train.test_heeding import busy\n"
        f"Processes(2).all(busy, [{str(tmp_path)!r}] * 2)"
    )
    running = subprocess.Popen([sys.executable, "-c", program], start_new_session=True)
    until = time.monotonic() + 60
    while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < until:
        time.sleep(0.02)
    workers = [int(path.name) for path in tmp_path.iterdir()]
    assert len(workers) == 2
    running.kill()
    running.wait()
    while any(map(_lives, workers)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(map(_lives, workers))


def busy(folder: str) -> None:
    """Say which process this is, and compute."""
    (Path(folder) / str(os.getpid())).touch()
    end = time.monotonic() + 120
    while time.monotonic() < end:
        pass


def _lives(pid: int) -> bool:
    try:
        return "Z" not in (Path("/proc") / str(pid) / "stat").read_text().split(")")[1].split()[0]
    except FileNotFoundError:
        return False
