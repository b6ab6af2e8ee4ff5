"""docs/research.md tells the layout as it is, and its program runs."""

import re
import subprocess
import sys
from pathlib import Path

import scripts.research_page as research

PAGE = Path(__file__).parents[2] / "docs" / "research.md"


def test_the_layout_on_the_page_is_the_layout() -> None:
    assert PAGE.read_text(encoding="utf-8") == research.page(), "run: .venv/bin/python scripts/research_page.py"


def test_the_program_on_the_page_runs() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("[")
