"""The playthroughs come out as they were last read and found right."""

import pytest

from tests.playthroughs.write import HERE, PLAYTHROUGHS, playthrough


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_playthrough_reads_as_before(name: str) -> None:
    """If a change is wanted: python -m tests.playthroughs.write, and read the diff."""
    assert playthrough(name) == (HERE / f"{name}.txt").read_text(encoding="utf-8")


def test_every_playthrough_is_written_by_the_script() -> None:
    assert {path.stem for path in HERE.glob("*.txt")} == set(PLAYTHROUGHS)
