"""Every rule of docs/rules.md and every corner case has its test, and the page links to them."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rules.md"
TESTS = sorted(Path(__file__).parent.glob("test_*.py"))

CASES = range(1, 54)
"""The numbered corner cases: what programs get wrong (`Case 28` in the docstring of a test)."""

NOT_THE_ENGINES: dict[int, str] = {}
"""Cases that do not concern the engine, and why. There are none: each has a side that a rule decides."""


def numbers_of(name: str) -> set[str]:
    """The rules that a test's name carries: `test_r2_1_r3_6_…` is R2.1 and R3.6."""
    return {f"R{chapter}.{line}" for chapter, line in re.findall(r"_r(\d+)_(\d+)[a-z]?(?=_)", name)}


def names() -> list[str]:
    return [name for path in TESTS for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)]


def test_every_rule_has_a_test() -> None:
    rules = set(re.findall(r"\*\*(R\d+\.\d+)\*\*", PAGE.read_text("utf-8")))
    assert len(rules) == 61
    tested = {number for name in names() for number in numbers_of(name)}
    assert rules == tested


def test_a_test_of_a_rule_lies_in_the_file_of_its_chapter() -> None:
    for path in TESTS:
        chapter = re.match(r"test_r(\d)_", path.name)
        for name in re.findall(r"^def (test_r\w+)", path.read_text("utf-8"), re.MULTILINE):
            assert chapter is None or any(rule[1] == chapter[1] for rule in numbers_of(name)), name


def test_no_name_is_used_twice() -> None:
    assert len(set(names())) == len(names())


def test_every_corner_case_has_a_test() -> None:
    text = "".join(path.read_text("utf-8") for path in TESTS if path != Path(__file__))
    found = {int(number) for number in re.findall(r"\b[Cc]ase (\d+)", text)}
    assert found == set(CASES) - NOT_THE_ENGINES.keys()


def test_the_page_links_to_the_tests() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "rules_page.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
