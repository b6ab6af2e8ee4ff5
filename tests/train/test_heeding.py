"""Ctrl-C ends a training at once, wherever it is pressed."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("after", [0.4, 1.2, 2.5, 5.0])
def test_a_training_stops_whenever_it_is_told_to(tmp_path: Path, cores: int, after: float) -> None:
    words = ["train", "new-york", "--from-nothing", "--hidden", "8", "--belief", "0", "--cores", str(cores)]
    running = subprocess.Popen(
        [sys.executable, "-m", "branchline.cli", *words, "--out", str(tmp_path / "run")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    with running:
        time.sleep(after)  # wherever it is by then
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does
        _, told = running.communicate(timeout=60)
    assert "Traceback" not in told
    assert running.returncode == 130
