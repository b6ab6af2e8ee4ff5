"""Runs all tests, room by room, as many at once as there are cores; what a room says is printed when it is done."""

import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from scripts.services import Missing, Postgres, Redis, Service

ROOT = Path(__file__).parent.parent
UNCOMPILED = ("rules", "properties", "counts", "views", "records", "bots/twice")
"""What judges the engine, compiled or not."""
SERVICES: dict[str, type[Service]] = {"BRANCHLINE_TEST_POSTGRES": Postgres, "BRANCHLINE_TEST_REDIS": Redis}
"""What all tests share, by the variable that names one which is running already."""
NOTHING_CHOSEN = 5
"""What pytest ends with where -k chooses nothing: no failure, of one room among many."""


@dataclass
class Job:
    """A process that runs some of the tests."""

    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    good: tuple[int, ...] = (0, NOTHING_CHOSEN)


def jobs(copy: Path, arguments: list[str]) -> list[Job]:
    """The longest first. Each browser test has a server and a Chromium of its own process."""
    python = str(ROOT / ".venv/bin/python")
    pytest = [python, "-m", "pytest", "-p", "no:cacheprovider"]
    rooms = sorted(path for path in (ROOT / "tests").iterdir() if any(path.glob("**/test_*.py")))
    split = ("browser", "server", "properties")
    found = []
    pure = {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    for room in ("properties", "rules"):
        those = [f"tests/{name}" for name in UNCOMPILED if (name == "properties") == (room == "properties")]
        found.append(Job(f"{room}, uncompiled", [*pytest, *those, *arguments], pure))
    rest = [str(room) for room in rooms if room.name not in split]
    found.append(Job("everything else", [*pytest, *rest, *arguments]))
    for room in ("browser", "server"):
        files = sorted((ROOT / "tests" / room).glob("test_*.py"), key=lambda file: -file.stat().st_size)
        lots: list[list[Path]] = [files[n::4] for n in range(4)] if room == "server" else [[file] for file in files]
        found += [Job(f"{room}: {_names(lot)}", [*pytest, *map(str, lot), *arguments]) for lot in lots]
    found.append(Job("properties", [*pytest, "tests/properties", *arguments]))
    if not arguments:
        found.append(Job("the browser client's own", [str(ROOT / "scripts/npm"), "test"], good=(0,)))
    return found


def _names(files: list[Path]) -> str:
    return ", ".join(file.stem.removeprefix("test_") for file in files)


def uncompiled(copy: Path) -> None:
    """A copy of the source without compiled files."""
    compiled = (".so", ".pyd")

    def without(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
        name = Path(entry.name).name
        return None if name.endswith(compiled) or name in ("_built.py", "__pycache__", "static") else entry

    with tempfile.TemporaryFile() as file:
        with tarfile.open(fileobj=file, mode="w") as tar:
            tar.add(ROOT / "src/branchline", "branchline", filter=without)
        file.seek(0)
        with tarfile.open(fileobj=file) as tar:
            tar.extractall(copy, filter="data")
    check = (
        "import branchline, sys; from branchline.built import compiled; "
        "assert branchline.__file__.startswith(sys.argv[1]), branchline.__file__; assert not compiled()"
    )
    environment = os.environ | {"PYTHONPATH": str(copy)}
    subprocess.run([ROOT / ".venv/bin/python", "-c", check, str(copy)], check=True, env=environment)


@contextmanager
def services() -> Iterator[None]:
    """One PostgreSQL and one Redis for all jobs; what is not installed is named."""
    with ExitStack() as running:
        for variable, kind in SERVICES.items():
            if variable not in os.environ:
                try:
                    os.environ[variable] = running.enter_context(closing(kind())).url
                except Missing as missing:
                    print(f"{missing}. Tests that need it are skipped.", flush=True)
        yield


def run(job: Job) -> tuple[Job, int, str, float]:
    """What a job ends with, says, and takes."""
    began = time.monotonic()
    environment = os.environ | job.environment
    done = subprocess.run(job.command, cwd=ROOT, env=environment, capture_output=True, text=True)
    return job, done.returncode, done.stdout + done.stderr, time.monotonic() - began


def main(arguments: list[str]) -> int:
    """Run everything; 1 if something failed."""
    began = time.monotonic()
    failed = []
    with tempfile.TemporaryDirectory() as folder, services():
        uncompiled(Path(folder))
        with ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count() or 1))) as pool:
            for task in as_completed([pool.submit(run, job) for job in jobs(Path(folder), arguments)]):
                job, code, said, seconds = task.result()
                good = code in job.good
                failed += [] if good else [job.name]
                print(f"--- {job.name}: {'passed' if good else 'FAILED'} in {seconds:.0f} s", flush=True)
                print(said if not good else "\n".join(said.splitlines()[-12:]), flush=True)
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    print(f"{'Failed: ' + '; '.join(failed) if failed else 'All passed'}, in {minutes}:{seconds:02}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
