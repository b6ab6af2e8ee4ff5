"""What docs/review.md, docs/puzzles.md and docs/records.md show is so."""

import re
import shutil
from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest

from branchline import Rng
from branchline.review import deals
from branchline.review.format import CAUSES, GRADES
from branchline.review.puzzles import KINDS, shipped

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("page", ["review", "puzzles"])
def test_the_code_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(ROOT / "tests/records/new-york-2.json", tmp_path / "game.json")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / f"docs/{page}.md").read_text("utf-8")
    code = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert code
    for block in code:
        exec(compile(block.replace("depth=2", "depth=1"), page, "exec"), {"__name__": "page"})


def test_every_word_and_field_is_explained() -> None:
    text = (ROOT / "docs/review.md").read_text("utf-8")
    for word in (*GRADES, *CAUSES):
        assert f"`{word}`" in text, word
    puzzles = (ROOT / "docs/puzzles.md").read_text("utf-8")
    for told in (*KINDS, *shipped()[0].to_dict()):
        assert f"`{told}`" in puzzles, told


def test_a_bots_luck_is_as_the_page_says() -> None:
    key = bytes(32)
    told = sha256(b"branchline-bot-1" + key + b"2 7 second-draw").digest()
    expected = Rng(int.from_bytes(told[:8], "big") >> 1)
    found = deals.bot_rng(key, 2, 7, "second-draw")
    assert [found.next() for _ in range(4)] == [expected.next() for _ in range(4)]


def test_the_deal_of_a_day_is_as_the_page_says() -> None:
    day = date(2026, 11, 17)
    n = (day - date(2026, 1, 1)).days
    deal = deals.of_the_day(day)
    assert deal.map == ("europe" if n % 2 == 0 else "new-york")
    assert deal.seats == 2 + n // 2 % 3
    assert deal.entropy.decode() == f'{{"deal":"day 2026-11-17","map":"{deal.map}","seats":{deal.seats}}}'
