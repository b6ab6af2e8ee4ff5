"""Data never opens a file: a text in it is the id of a map that is offered, or nothing."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from branchline import Game, MapError, Record, load_map
from branchline.maps import map_from_data
from tests.maps.islands import islands, islands_text

HERE = Path(__file__).parent
RECORD: dict[str, Any] = json.loads((HERE / "new-york-2.json").read_text(encoding="utf-8"))
READERS: dict[str, Callable[[str], object]] = {
    "record": lambda map: Record.from_dict(RECORD | {"map": map}),
    "position": lambda map: Game.from_dict(Game.new("new-york", 2, 1).to_dict() | {"map": map}),
}


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """What was opened once: endless, waiting for ever, there, forbidden, playable, and not there at all."""
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "islands.json").write_text(islands_text(), encoding="utf-8")
    return [
        "/dev/zero", "/dev/ptmx", "/dev/stdin", "/etc/passwd", "/nowhere", "", ".", "a\0b", "../europe.json",
        str(tmp_path / "fifo"), str(tmp_path / "islands.json"), str(tmp_path / "no-islands.json"), "x" * 100_000,
    ]  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
def test_a_path_is_refused_in_the_same_words_whether_or_not_it_is_there(reader: str, paths: list[str]) -> None:
    for path in paths:
        with pytest.raises(MapError) as refused:
            READERS[reader](path)
        words = "no map is called {}; expected europe or new-york, or the whole data of another"
        assert str(refused.value) == f"map: {words.format(repr(path[:40]))}"


def test_nothing_is_opened(paths: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(self: Path, *_: object, **__: object) -> None:
        raise AssertionError(f"{self} was opened")

    load_map("new-york")
    monkeypatch.setattr(Path, "open", opened)
    monkeypatch.setattr(Path, "read_bytes", opened)
    monkeypatch.setattr("builtins.open", opened)
    for path in paths:
        for read in READERS.values():
            with pytest.raises(MapError):
                read(path)


def test_a_map_that_is_offered_is_found_by_its_id() -> None:
    map = load_map(islands())
    position = Game.new(map, 2, 1).to_dict() | {"map": "islands"}
    record = Record.of(Game.new(map, 2, 1)).to_dict() | {"map": "islands"}
    assert Game.from_dict(position, [map]).map is map
    assert Record.from_dict(record, [map]).map is map
    assert map_from_data("europe", [map]) is load_map("europe")
    with pytest.raises(MapError, match="no map is called 'islands'"):
        Game.from_dict(position)


@pytest.mark.parametrize("endless", ["/dev/zero"])
def test_what_a_person_names_is_read_to_a_bound(endless: str) -> None:
    with pytest.raises(ValueError, match="larger than 16 MB"):
        Record.load(endless)
    with pytest.raises(MapError, match="larger than 2 MB"):
        load_map(endless)
