"""Breaks the engine on purpose, one small change at a time, and sees whether a test notices.

Everything is imported and collected once, then each change is tried in a fork of this process: the function gets its
changed code, and the tests that run through the changed line are run until one fails, those first that noticed most at
least cost. A test that takes ten times its time fails too. Results are kept: a second run goes on where the first was
stopped.
"""

import json
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from importlib import import_module
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from scripts.mutate.changes import Change, changes

SURVIVED, KILLED, ENDLESS = 0, 1, 2
WORDS = ("survived", "killed", "ran without end")
GRACE = 5.0
"""Seconds that a test gets beside ten times its own time."""


class Mutants:
    """A pytest plugin: in place of running the tests once, it runs them for each change."""

    def __init__(self, modules: list[str], kept: Path, children: int) -> None:
        self.modules, self.kept, self.children = modules, kept, children
        self.kept.mkdir(parents=True, exist_ok=True)
        self.kills: Counter[str] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of the tests' own loop."""
        from hypothesis import settings

        settings.register_profile("mutants", derandomize=True, database=None, deadline=None)
        settings.load_profile("mutants")
        items = {item.nodeid: item for item in session.items}
        seconds, lines = self._baseline(items)
        self.seconds = seconds
        for module in self.modules:
            self._try_all(module, items, lines)
        return True

    def _baseline(self, items: dict[str, pytest.Item]) -> tuple[dict[str, float], dict[str, set[tuple[str, int]]]]:
        """How long each test takes, and which lines of the modules it runs through; from a fork, to stay fresh."""
        file = self.kept / "baseline.json"
        stamp = [*self.modules, *sorted(items)]
        if file.exists() and (saved := json.loads(file.read_text()))["tests"] == stamp:
            return saved["seconds"], {test: {(f, n) for f, n in at} for test, at in saved["lines"].items()}
        print(f"{len(items)} tests as they are …", flush=True)
        if child := os.fork():
            os.waitpid(child, 0)
        else:
            seconds, lines = {}, {}
            files = {str(import_module(f"branchline.engine.{module}").__file__): module for module in self.modules}
            for name, item in items.items():
                began = time.process_time()
                seen = _traced(item, files)
                seconds[name] = time.process_time() - began
                if seen is not None:
                    lines[name] = sorted(seen)
            file.write_text(json.dumps({"tests": stamp, "seconds": seconds, "lines": lines}))
            os._exit(0)
        return self._baseline(items)

    def _try_all(self, module: str, items: dict[str, pytest.Item], lines: dict[str, set[tuple[str, int]]]) -> None:
        engine = import_module(f"branchline.engine.{module}")
        path = str(engine.__file__)
        results = self.kept / f"{module}.jsonl"
        known = _results(results)
        for result in known.values():
            self.kills[result["by"]] += result["verdict"] != "survived"
        todo = list(changes(module, Path(path).read_text(), path))
        done = {key for key, line in known.items() if line["verdict"] != "survived" or "AGAIN" not in os.environ}
        left = [change for change in todo if change.key not in done]
        print(f"{module}: {len(todo)} changes, {len(todo) - len(left)} tried before", flush=True)
        through: dict[int, list[str]] = defaultdict(list)
        for test, at in lines.items():
            for file, number in at:
                if file == module:
                    through[number].append(test)
        running: dict[int, tuple[Change, int, float]] = {}
        with results.open("a") as out:
            while left or running:
                while left and len(running) < self.children:
                    change = left.pop(0)
                    tests = sorted(through[change.line], key=self._worth)
                    reader, writer = os.pipe()
                    child = os.fork()
                    if not child:
                        os.close(reader)
                        _trial(change, engine, [items[test] for test in tests], self.seconds, writer)
                    os.close(writer)
                    running[child] = (change, reader, time.monotonic())
                child, status = os.wait()
                change, reader, began = running.pop(child)
                with os.fdopen(reader) as pipe:
                    by = pipe.read().splitlines()
                verdict = WORDS[os.waitstatus_to_exitcode(status)] if os.WIFEXITED(status) else WORDS[KILLED]
                test = by[-1] if by else ""
                self.kills[test] += verdict != "survived"
                line = {
                    "key": change.key, "line": change.line, "verdict": verdict, "by": test, "tests": len(by),
                    "seconds": round(time.monotonic() - began, 2),
                }  # fmt: skip
                out.write(json.dumps(line) + "\n")
                out.flush()
                if verdict == "survived":
                    print(f"  survived, {module}.py:{change.line} {change.key}", flush=True)
        self._sum_up(module, {change.key for change in todo})

    def _worth(self, test: str) -> float:
        """The less, the sooner: what a test costs for each change that it has noticed."""
        return (self.seconds[test] + 0.002) / (self.kills[test] + 0.1)

    def _sum_up(self, module: str, keys: set[str]) -> None:
        results = _results(self.kept / f"{module}.jsonl")
        count = Counter(line["verdict"] for key, line in results.items() if key in keys)
        print(f"{module}: {', '.join(f'{n} {word}' for word, n in count.most_common())}", flush=True)


def _results(file: Path) -> dict[str, dict[str, Any]]:
    """What was tried before, by its key; the last try counts."""
    return {line["key"]: line for line in map(json.loads, file.read_text().splitlines())} if file.exists() else {}


def _fails(item: pytest.Item) -> bool:
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def _traced(item: pytest.Item, files: dict[str, str]) -> set[tuple[str, int]] | None:
    """The lines of some files that a test runs through; None for one that is skipped or fails as it is."""
    seen: set[tuple[str, int]] = set()

    def inside(frame: FrameType, event: str, _: Any) -> Any:
        seen.add((files[frame.f_code.co_filename], frame.f_lineno))
        return inside

    def outside(frame: FrameType, event: str, _: Any) -> Any:
        return inside(frame, event, _) if frame.f_code.co_filename in files else None

    sys.settrace(outside)
    try:
        reports = runtestprotocol(item, log=False, nextitem=None)
    finally:
        sys.settrace(None)
    return seen if all(report.passed for report in reports) else None


def _trial(change: Change, module: Any, items: list[pytest.Item], seconds: dict[str, float], out: int) -> None:
    """The life of a fork: does some test fail?"""
    target = module
    for name in change.function.split("."):
        target = vars(target)[name]
    function = target.fget if isinstance(target, property) else target
    assert isinstance(function, FunctionType)
    function.__code__ = change.code
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    signal.signal(signal.SIGVTALRM, lambda *_: os._exit(ENDLESS))
    for item in items:
        os.write(out, f"{item.nodeid}\n".encode())
        signal.setitimer(signal.ITIMER_VIRTUAL, GRACE + 10 * seconds[item.nodeid])
        if _fails(item):
            os._exit(KILLED)
    os._exit(SURVIVED)


def main(modules: list[str]) -> int:
    """Try the changes of these modules of the engine."""
    rooms = os.environ.get("ROOMS", "tests/rules tests/views tests/counts tests/records tests/properties").split()
    not_these = ["--ignore=tests/rules/test_every_rule_is_tested.py", "--ignore=tests/properties/test_fields.py"]
    kept = Path(os.environ["BRANCHLINE_MUTANTS"])
    plugin = Mutants(modules, kept, int(os.environ.get("CHILDREN", "1")))
    quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=no"]
    return int(pytest.main([*quiet, *rooms, *not_these], plugins=[plugin]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
