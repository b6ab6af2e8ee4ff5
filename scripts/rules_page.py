"""Fills the links from docs/rules.md to the tests in tests/rules; `--check` only looks whether they are right.

A test's name carries the numbers of its rules (`test_r2_1_r3_6_…` belongs to R2.1 and R3.6). The links of a rule stand
between `<!-- tests R3.6 -->` and `<!-- /tests -->`. They name no lines, so that they last.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "rules.md"
TESTS = ROOT / "tests" / "rules"
MARKS = re.compile(r"<!-- tests (R\d+\.\d+) -->.*?<!-- /tests -->", re.DOTALL)


def tests_by_rule() -> dict[str, list[tuple[str, str]]]:
    """For each rule its tests: the words of the name, and the file."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(TESTS.glob("test_*.py")):
        for name in re.findall(r"^def (test_r\d+_\d+\w+)", path.read_text("utf-8"), re.MULTILINE):
            words = re.sub(r"^test(_r\d+_\d+[a-z]?)+_", "", name).replace("_", " ")
            for chapter, line in re.findall(r"_r(\d+)_(\d+)[a-z]?(?=_)", name):
                found.setdefault(f"R{chapter}.{line}", []).append((words, path.name))
    return found


def links(tests: list[tuple[str, str]], indent: str) -> str:
    """The links of one rule, folded away, a line each."""
    number = "1 test" if len(tests) == 1 else f"{len(tests)} tests"
    lines = [f"<details><summary>{number}</summary>", ""]
    lines += [f"- [{words}](../tests/rules/{file})" for words, file in tests]
    lines += ["", "</details>"]
    return "\n".join(f"{indent}{line}".rstrip() for line in lines)


def filled(page: str) -> str:
    """The page with its links as they should be."""
    tests = tests_by_rule()
    marked = MARKS.findall(page)
    if missing := sorted(set(tests) - set(marked)):
        raise SystemExit(f"docs/rules.md has no place for the tests of {', '.join(missing)}")

    def fill(match: re.Match[str]) -> str:
        start = page.rfind("\n", 0, match.start()) + 1
        indent = page[start : match.start()]
        if match[1] not in tests:
            raise SystemExit(f"{match[1]} has no test in tests/rules")
        return f"<!-- tests {match[1]} -->\n{links(tests[match[1]], indent)}\n{indent}<!-- /tests -->"

    return MARKS.sub(fill, page)


def main() -> None:
    parser = argparse.ArgumentParser(description="Fill the links from docs/rules.md to the tests.")
    parser.add_argument("--check", action="store_true", help="change nothing, and fail if the page is not up to date")
    check = parser.parse_args().check
    page = PAGE.read_text("utf-8")
    wanted = filled(page)
    if wanted == page:
        return
    if check:
        sys.exit("docs/rules.md does not link to the tests as they are: run .venv/bin/python scripts/rules_page.py")
    PAGE.write_text(wanted, "utf-8")
    print("docs/rules.md: links filled in")


if __name__ == "__main__":
    main()
