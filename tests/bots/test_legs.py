"""Files of games: whatever somebody made of one, it is refused in words or holds what the arena wrote."""

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchline.arena import legs
from branchline.arena import run as running
from branchline.arena.match import Match

MATCH = Match("new-york", ("novice", "random"), 4)
PAGE = Path("docs/ladder")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A whole match, unpacked again."""
    path = tmp_path / "match.jsonl"
    running.run(MATCH, path, workers=1)
    path.write_bytes(gzip.decompress(legs.packed(path).read_bytes()))
    legs.packed(path).unlink()
    return path


def changed(path: Path, number: int, change: Callable[[dict[str, Any]], Any]) -> None:
    lines = path.read_text().splitlines()
    data = json.loads(lines[number])
    lines[number] = json.dumps(change(data))
    path.write_text("\n".join(lines) + "\n")


def player(**more: object) -> Callable[[dict[str, Any]], Any]:
    return lambda row: {**row, "players": [{**row["players"][0], **more}, *row["players"][1:]]}


@pytest.mark.parametrize("path", sorted(PAGE.glob("*.gz")), ids=lambda path: path.name)
def test_what_is_published_can_be_read(path: Path) -> None:
    assert all(rows for _, rows in legs.read_leg(path))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda row: [], "that is no JSON object"),
        (lambda row: {}, "it does not say 'deal'"),
        (lambda row: {**row, "deal": -1}, "deal can't be -1"),
        (lambda row: {**row, "deal": 0.5}, "deal can't be 0.5"),
        (lambda row: {**row, "rotation": True}, "rotation can't be True"),
        (lambda row: {**row, "turns": 10**30}, "turns can't be 1000"),
        (lambda row: {**row, "players": row["players"][:1]}, "it does not have 2 players"),
        (lambda row: {**row, "players": {}}, "it does not have 2 players"),
        (lambda row: {**row, "players": [1, 2]}, "a player is no JSON object"),
        (lambda row: {**row, "players": row["players"][:1] * 2}, "two players have one seat"),
        (lambda row: {**row, "deal": 1_000_000_001}, "deal can't be 1000000001"),
        (lambda row: {**row, "owners": "9"}, "owners can't be '9'"),
        (lambda row: {**row, "done": 7}, "done can't be 7"),
        (lambda row: {**row, "done": ""}, "who has it and whether it is done"),
        (lambda row: {**row, "game": [1]}, "game can't be [1]"),
        (lambda row: {**row, "more": "x" * 70_000}, "longer than any game"),
        (lambda row: {**row, "decided_by": 7}, "how it ended"),
        (lambda row: {**row, "decided_by": "\ud800"}, "how it ended"),
        (player(seat=2), "seat can't be 2"),
        (player(win=1.5), "win can't be 1.5"),
        (player(win=float("nan")), "win can't be nan"),
        (player(seconds=float("inf")), "seconds can't be inf"),
        (player(seconds="0"), "seconds can't be '0'"),
        (player(decisions=-1), "decisions can't be -1"),
        (player(points=None), "points can't be None"),
        (player(trail_length=None), "trail_length can't be None"),
        (player(rank=0), "rank can't be 0"),
        (player(fault=[]), "fault is no text"),
        (player(fault="\ud800"), "fault is no text"),
        (player(fault="x" * 2001), "fault is no text"),
        (player(points=1 << 39), "points can't be"),
    ],
)  # fmt: skip
def test_a_row_that_is_no_game_is_named(kept: Path, change: Callable[[dict[str, Any]], Any], words: str) -> None:
    changed(kept, 2, change)
    before = kept.read_bytes()
    with pytest.raises(ValueError, match=r"match\.jsonl, line 3: .*") as error:
        legs.read(MATCH, kept)
    assert words in str(error.value)
    assert kept.read_bytes() == before
    legs.pack(kept)
    with pytest.raises(ValueError, match=r"match\.jsonl\.gz, line 3: "):
        legs.read_leg(legs.packed(kept))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"bots', "is no file of games"),
        (b"\xff\xfe\n", "is no file of games"),
        (b"{\n", "line 1: that is no JSON"),
        (b"[]\n", "line 1: that is no JSON object"),
        (b"[" * 60_000 + b"\n", "line 1: that is no JSON"),
        (b"{}\n", "holds another match"),
        (b'{"bots": "' + b"x" * 60_000 + b'"}\n', "holds another match"),
    ],
    ids=["cut", "binary", "broken", "list", "nested", "empty", "long"],
)
def test_a_file_that_is_no_match_is_refused_and_stays(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=words) as error:
        legs.read(MATCH, path)
    assert len(str(error.value)) < 2000
    assert path.read_bytes() == data


@given(st.binary(max_size=60), st.booleans())
def test_no_bytes_break_the_reader(tmp_path_factory: pytest.TempPathFactory, data: bytes, pack: bool) -> None:
    path = tmp_path_factory.mktemp("legs") / "match.jsonl.gz"
    path.write_bytes(gzip.compress(data) if pack else data)
    with pytest.raises(ValueError, match=r"match\.jsonl\.gz"):
        legs.read_leg(path)


@pytest.mark.parametrize(
    "head",
    [
        {"bots": [1, 2]}, {"bots": []}, {"bots": None}, {"budgets": [1]}, {"games": -1}, {"map": 3}, {"more": 1},
    ],
    ids=str,
)  # fmt: skip
def test_a_head_that_is_no_match_is_named(kept: Path, head: dict[str, object]) -> None:
    changed(kept, 0, lambda row: {**row, **head})
    legs.pack(kept)
    with pytest.raises(ValueError, match=r"match\.jsonl\.gz, line [12]: "):
        legs.read_leg(legs.packed(kept))


def test_a_run_that_was_stopped_before_its_first_line_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.touch()
    assert len(running.run(MATCH, path, workers=1)[0]) == 4


def test_a_game_that_stands_twice_counts_once(kept: Path) -> None:
    lines = kept.read_text().splitlines(keepends=True)
    kept.write_text("".join([*lines, lines[1]]))
    assert len(legs.read(MATCH, kept)) == 4


def test_a_file_that_unpacks_for_ever_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legs, "LARGEST", 1 << 20)
    path = tmp_path / "match.jsonl.gz"
    path.write_bytes(gzip.compress(b"\0" * (8 << 20)))
    with pytest.raises(ValueError, match="larger than a file of games may be"):
        legs.read_leg(path)


def test_a_head_that_is_nested_is_refused(kept: Path) -> None:
    head = kept.read_text().splitlines()[0][:-1]
    for depth in range(900, 1000, 7):  # as deep as Python goes, give or take
        path = written(kept.with_name("nested.jsonl"), f'{head}, "seed": {"[" * depth}{"]" * depth}}}\n')
        with pytest.raises(ValueError, match=r"another match|no JSON"):
            legs.read(MATCH, path)


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "match.jsonl")
    with pytest.raises(ValueError, match="is no file"):
        legs.read(MATCH, tmp_path / "match.jsonl")


def test_a_first_line_that_was_cut_off_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    assert legs.read(MATCH, path) == []
    whole = path.read_bytes()
    for length in (0, 1, 20, len(whole) - 1):
        path.write_bytes(whole[:length])
        assert legs.read(MATCH, path) == []
        assert path.read_bytes() == whole


def test_games_of_another_board_are_refused(kept: Path) -> None:
    before = kept.read_bytes()
    for more in (("owners",), ("holders", "done")):
        changed(kept, 2, lambda row: {**row, **{name: row[name] * 3 for name in more}})  # noqa: B023 - used at once
        with pytest.raises(ValueError, match=r"line 3: it has not the \d+ routes and \d+ tickets of"):
            legs.read(MATCH, kept)
        kept.write_bytes(before)
