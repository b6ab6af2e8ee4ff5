"""`branchline draw`."""

import os
from pathlib import Path

import pytest
from PIL import Image

from branchline import ClaimRoute, Record
from branchline.drawing import film
from tests.cli.conftest import Branchline

RECORD = Path("tests/records/new-york-2.json")


def test_draw_a_turn(branchline: Branchline, tmp_path: Path) -> None:
    out = tmp_path / "board.svg"
    done = branchline("draw", str(RECORD), "--turn", "12", "-o", str(out))
    assert (done.code, done.err) == (0, "")
    assert "turn 13" in out.read_text(encoding="utf-8")


def test_draw_a_film(branchline: Branchline, tmp_path: Path) -> None:
    record = Record.load(RECORD)
    out = tmp_path / "game.gif"
    assert branchline("draw", str(RECORD), "-o", str(out)).code == 0
    claims = sum(isinstance(action, ClaimRoute) for _, action in record.log)
    with Image.open(out) as image:
        assert getattr(image, "n_frames", 1) == claims + 2


FFMPEG = """#!/bin/sh
for last; do :; done
wc -c > "$last" || { echo "of no use" >&2; exit 1; }
"""
"""Takes the frames as ffmpeg does, and writes how many bytes they had."""


@pytest.mark.parametrize(("folder", "code"), [("", 0), ("nowhere/", 2)])
def test_a_webm_is_written_where_ffmpeg_is(
    branchline: Branchline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, code: int
) -> None:
    program = tmp_path / "ffmpeg"
    program.write_text(FFMPEG, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(film, "frames", lambda *_: iter([b"one", b"last"]))
    out = f"{tmp_path}/{folder}game.webm"
    done = branchline("draw", str(RECORD), "-o", out)
    assert done.code == code, done.err
    if code:
        assert done.err == f"branchline: --out: {out}: ffmpeg could not write it: of no use\n"
    else:
        assert int(Path(out).read_text(encoding="utf-8")) == len(b"one") + 8 * len(b"last")  # shown for four seconds


def test_without_ffmpeg_a_webm_is_refused_before_anything_is_drawn(
    branchline: Branchline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(film, "draw", None)
    done = branchline("draw", str(RECORD), "-o", "x.webm")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "x.webm: a .webm is written with ffmpeg, which is not installed here" in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--turn", "900", "-o", "x.svg"], "--turn: the game has the turns 0 to "),
        (["--seat", "5", "-o", "x.svg"], "--seat: the game has the seats 0 to 1"),
        (["-o", "x.bmp"], "--out: x.bmp should end in .svg, .png, .pdf, .gif or .webm"),
        (["-o", "nowhere/x.svg"], "--out: nowhere/x.svg: No such file or directory"),
        (["--turn", "3", "-o", "x.gif"], "--out: a .gif shows the whole game to everybody"),
    ],
)
def test_draw_refuses_in_a_sentence(branchline: Branchline, words: list[str], said: str) -> None:
    done = branchline("draw", str(RECORD), *words)
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1
