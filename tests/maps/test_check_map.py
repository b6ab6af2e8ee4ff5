"""The command `branchline check-map`."""

import json
from pathlib import Path

import pytest

from branchline.cli.check_map import check_map
from tests.maps.islands import islands_text


@pytest.fixture
def good(tmp_path: Path) -> str:
    path = tmp_path / "good.json"
    path.write_text(islands_text(), encoding="utf-8")
    return str(path)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    path = tmp_path / "bad.json"
    path.write_text(islands_text().replace('"cars": 8', '"cars": 800'), encoding="utf-8")
    return str(path)


def test_a_good_map(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_map(good, as_json=False) == 0
    assert capsys.readouterr().out == f"{good}: no faults (4 cities, 5 routes, 5 tickets)\n"


def test_a_fault_stands_with_its_file_and_line(bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_map(bad, as_json=False) == 1
    assert capsys.readouterr().out == f"{bad}:9: ruleset.cars: must be from 1 to 100, not 800\n"


def test_the_same_as_json(good: str, bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_map(good, as_json=True) == 0
    assert json.loads(capsys.readouterr().out) == {"file": good, "faults": []}
    assert check_map(bad, as_json=True) == 1
    fault = {"line": 9, "where": "ruleset.cars", "message": "must be from 1 to 100, not 800"}
    assert json.loads(capsys.readouterr().out) == {"file": bad, "faults": [fault]}


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_map("nowhere.json", as_json=False) == 2
    assert capsys.readouterr().err == "nowhere.json: No such file or directory\n"
