"""Commands as a person runs them: through `main`, or in a process of their own."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from branchline import Game, Record, Rng
from branchline.cli import main
from branchline.record import Player


@dataclass(frozen=True)
class Done:
    """What a command printed and returned."""

    code: int
    out: str
    err: str


Branchline = Callable[..., Done]


def heed_ctrl_c() -> None:
    """For a new process: where tests run in the background, it would inherit that Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def branchline(capsys: pytest.CaptureFixture[str]) -> Branchline:
    """Run a command in this process."""

    def run(*words: str) -> Done:
        try:
            code = main(words)
        except SystemExit as exit:  # --help and --version
            code = int(exit.code or 0)
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return run


@pytest.fixture
def process() -> Branchline:
    """Run a command in a process of its own, with `text` typed into it."""

    def run(*words: str, text: str = "") -> Done:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "branchline.cli", *words],
            input=text,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env=os.environ | {"COLUMNS": "200"},
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run


def random_game(map: str, seats: int, seed: int, steps: int = 10_000) -> Game:
    """A game of random actions, to its end or for so many steps."""
    game = Game.new(map, seats, seed)
    rng = Rng(seed)
    for _ in range(steps):
        if game.over:
            break
        seat = game.to_act[0]
        indices = game.legal_indices(seat)
        game.play_index(seat, indices[rng.below(len(indices))])
    return game


@pytest.fixture(scope="session")
def record_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a whole game of Europe."""
    path = tmp_path_factory.mktemp("records") / "game.json"
    players = (Player("Ann"), Player("Bea"), Player("Cid", "random"))
    Record.of(random_game("europe", 3, 11), players, seed=11).save(path)
    return path
