"""The example of docs/writing-a-bot.md works as printed."""

import re
import sys
from pathlib import Path

import pytest

from branchline.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "writing-a-bot.md"


def test_the_example_plays_and_passes_its_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot, check, two, _ = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "my_bot.py").write_text(bot, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    exec(compile(check, "writing-a-bot", "exec"), {})
    exec(compile(bot + two, "writing-a-bot", "exec"), {})
    sys.modules.pop("my_bot", None)
    assert (
        main(["arena", "new-york", "random", "--bot", f"{tmp_path}/my_bot.py:MyBot", "--games", "2", "--workers", "1"])
        == 0
    )
    assert len([line for line in bot.splitlines() if line.strip()]) <= 15
