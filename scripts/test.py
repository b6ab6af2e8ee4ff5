"""Runs all tests, room by room, as many at once as there are cores; what a room says is printed when it is done."""

import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from scripts.services import Missing, Postgres, Redis, Service

ROOT = Path(__file__).parent.parent
UNCOMPILED = ("rules", "properties", "counts", "views", "records", "bots/twice")
"""What judges the engine, compiled or not."""
SERVICES: dict[str, type[Service]] = {"BRANCHLINE_TEST_POSTGRES": Postgres, "BRANCHLINE_TEST_REDIS": Redis}
"""What all tests share, by the variable that names one which is running already."""
NOTHING_CHOSEN = 5
"""What pytest ends with where -k chooses nothing: no failure, of one room among many."""
UNSTEADY = 3
"""Tests of all that may fail beside others and pass alone; with one more the run has failed."""


@dataclass
class Job:
    """A process that runs some of the tests."""

    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    good: tuple[int, ...] = (0, NOTHING_CHOSEN)
    notes: Path | None = None
    """Where pytest notes which tests failed."""

    def again(self) -> "Job | None":
        """The same for what has failed, if it is few tests and nothing worse."""
        failed = self.failed()
        command = [*self.command, "--last-failed", "--last-failed-no-failures=none"]
        return replace(self, command=command) if 0 < len(failed) <= UNSTEADY else None

    def failed(self) -> list[str]:
        """The tests that failed the last time."""
        try:
            noted = (self.notes or Path()) / "v/cache/lastfailed"
            return sorted(json.loads(noted.read_text("utf-8")))
        except OSError:
            return []


def jobs(copy: Path, arguments: list[str]) -> list[Job]:
    """The longest first. Each browser test has a server and a Chromium of its own process."""
    python = str(ROOT / ".venv/bin/python")
    pytest = [python, "-m", "pytest"]
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
    for n, job in enumerate(found):
        job.notes = copy / f"notes-{n}"
        job.command += ["-o", f"cache_dir={job.notes}"]
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
    failed: list[Job] = []
    with tempfile.TemporaryDirectory() as folder, services():
        uncompiled(Path(folder))
        with ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count() or 1))) as pool:
            for task in as_completed([pool.submit(run, job) for job in jobs(Path(folder), arguments)]):
                failed += told(*task.result())
        unsteady = [test for job in failed for test in job.failed()]
        if len(unsteady) <= UNSTEADY:
            failed = [worse for job in failed for worse in tried_again(job)]
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    if not failed and unsteady:
        print(f"Unsteady, failed beside others and passed alone, see above: {'; '.join(unsteady)}")
    names = "; ".join(job.name for job in failed)
    print(f"{'Failed: ' + names if failed else 'All passed'}, in {minutes}:{seconds:02}")
    return 1 if failed else 0


def told(job: Job, code: int, said: str, seconds: float) -> list[Job]:
    """Print what a job said, all of it if it failed; the job, then."""
    good = code in job.good
    print(f"--- {job.name}: {'passed' if good else 'FAILED'} in {seconds:.0f} s", flush=True)
    print(said if not good else "\n".join(said.splitlines()[-12:]), flush=True)
    return [] if good else [job]


def tried_again(job: Job) -> list[Job]:
    """A test may fail because of what ran beside it. Alone it passes, or the job has failed for good."""
    again = job.again()
    if again is None:
        return [job]
    print(f"--- {job.name}: once more, alone: {'; '.join(job.failed())}", flush=True)
    return told(*run(again))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
