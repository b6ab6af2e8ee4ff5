"""`branchline review`: a table, JSON, and one page that needs nothing else; a clear word about what can't be judged."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from branchline.cli import main
from branchline.review import Review

GAME = Path(__file__).parent.parent / "records" / "new-york-2.json"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("review") / "review.html"
    assert main(["review", str(GAME), "--depth", "1", "--html", str(out), "--language", "zh-Hant"]) == 0
    return out


def test_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(GAME), "--depth", "1"]) == 0
    told = capsys.readouterr().out
    assert "Accuracy" in told
    assert re.search(r"Turn \d+: .+ kept \d+ % more\.", told)


def test_json_is_a_review(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(GAME), "--depth", "1", "--json", "--seed", "3"]) == 0
    found = Review.from_dict(json.loads(capsys.readouterr().out))
    assert (found.depth, found.seed, found.map) == (1, 3, "new-york")


def test_a_page_that_needs_nothing_else(written: Path) -> None:
    page = written.read_text("utf-8")
    assert 'lang="zh-Hant"' in page
    assert not re.findall(r"""(?:src|href)=["'](?!#)""", page), "nothing is fetched"
    data = json.loads(re.findall(r'id="data">(.*?)</script>', page, re.DOTALL)[0])
    assert len(data["entries"]) == len(json.loads(GAME.read_text("utf-8"))["log"]) + 1
    for piece in data["pieces"]:
        assert f'id="piece-{piece}"' in page
        assert f'id="{piece}"' in page


def test_names_that_strangers_chose_stay_text(tmp_path: Path) -> None:
    record = json.loads(GAME.read_text("utf-8"))
    record["players"][0]["name"] = "</script><script>alert(1)</script>"
    evil, out = tmp_path / "evil.json", tmp_path / "evil.html"
    evil.write_text(json.dumps(record), encoding="utf-8")
    assert main(["review", str(evil), "--depth", "1", "--html", str(out)]) == 0
    assert "<script>alert" not in out.read_text("utf-8")


def _changed(change: dict[str, Any]) -> dict[str, Any]:
    return {**json.loads(GAME.read_text("utf-8")), **change}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"result": None}, "has not ended"),
        ({"rules": 7}, "rules"),
        ({"map_hash": "0" * 64}, "map"),
        ({"key": "00" * 32}, "does not hold"),
        ({"format": "something-else"}, "format"),
    ],
)
def test_what_is_no_finished_game_of_ours_gets_a_clear_word(
    change: dict[str, Any], word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(_changed(change)), encoding="utf-8")
    assert main(["review", str(file), "--depth", "1"]) == 2
    assert word in capsys.readouterr().err
