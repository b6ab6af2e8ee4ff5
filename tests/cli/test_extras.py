"""Each extra alone: what it promises works with it, and what needs another says which.

What does not come with an extra is hidden from the interpreter, as if it were not installed; `test_dist` installs the
wheel into an empty environment, once.
"""

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

RECORD = Path("tests/records/new-york-2.json").resolve()
PROGRAM = """
import sys
from importlib.machinery import PathFinder
hidden, words = set(sys.argv[1].split()), sys.argv[2:]
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *where: None if name.partition(".")[0] in hidden else find(name, *where)
if words[0] == "import":
    __import__(words[1])
else:
    from branchline.cli import main
    sys.exit(main(words))
"""


def name_of(package: str) -> str:
    return re.sub("[-_.]+", "-", package).lower()


def brought(package: str, extras: set[str]) -> set[str]:
    """A package and all that is installed along with it."""
    found: set[str] = set()
    waiting = [(package, extras)]
    while waiting:
        package, extras = waiting.pop()
        found.add(name_of(package))
        try:
            lines = requires(package) or []
        except PackageNotFoundError:
            continue  # for another system
        for line in lines:
            wanted = Requirement(line)
            met = wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in (extras or {""}))
            if met and (name_of(wanted.name) not in found or wanted.extras):
                waiting.append((wanted.name, wanted.extras))
    return found


def alone(extra: str, folder: Path, words: list[str]) -> "subprocess.CompletedProcess[str]":
    """Run a command, or import a module, where only the library and one extra are installed."""
    there = brought("branchline", {extra})
    hidden = [
        module
        for module, packages in packages_distributions().items()
        if not any(name_of(package) in there for package in packages)
    ]
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, " ".join(hidden), *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


SIMULATE = "simulate new-york --seats 2 --games 4 --seed 1 --workers 1"


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("", SIMULATE + " --out games.csv"),
        ("", f"draw {RECORD} -o board.svg"),
        ("data", SIMULATE + " --out games.parquet --decisions decisions.parquet"),
        ("draw", f"draw {RECORD} --turn 9 -o board.png"),
        ("draw", f"draw {RECORD} --turn 9 -o board.pdf"),
        ("env", "bench env --repeats 1 --games 2"),
        ("env", "import branchline.env.gymnasium"),
        ("env", "import branchline.env.pettingzoo"),
        ("openspiel", "import branchline.env.openspiel"),
        ("train", "import branchline.train.run"),
        ("server", "import branchline.server.app"),
        ("cluster", "import branchline.server.store.postgres"),
    ],
)
def test_an_extra_is_enough_for_what_it_promises(tmp_path: Path, extra: str, words: str) -> None:
    pytest.importorskip("pyspiel" if extra == "openspiel" else "branchline")
    done = alone(extra, tmp_path, words.split())
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("extra", "words", "lacks"),
    [
        ("", SIMULATE + " --out games.parquet", "data"),
        ("", SIMULATE + " --decisions decisions.parquet", "data"),
        ("", SIMULATE + " --ray auto", "ray"),
        ("", "arena new-york random --games 2 --parquet games.parquet", "data"),
        ("", f"draw {RECORD} -o board.png", "draw"),
        ("", f"draw {RECORD} -o game.gif", "draw"),
        ("", f"plot {RECORD}", "data"),
        ("", "serve", "server"),
        ("data", "bench env", "env|train"),
        ("env", "train new-york", "train"),
        ("train", "train new-york --ray auto", "ray"),
        ("server", "bots --database postgresql://nowhere/x --bus redis://nowhere", "cluster"),
    ],
)
def test_what_needs_another_says_which(tmp_path: Path, extra: str, words: str, lacks: str) -> None:
    done = alone(extra, tmp_path, words.split())
    assert done.returncode == 2, done.stderr
    assert re.fullmatch(rf"branchline: .*pip install 'branchline\[({lacks})\]'.*\n", done.stderr), done.stderr
    assert list(tmp_path.iterdir()) == []
