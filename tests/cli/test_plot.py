"""`branchline plot`."""

from pathlib import Path

import pytest

from branchline import load_map
from branchline.drawing.words import FONTS
from branchline.plot import ALWAYS, CHARTS, _fonts, gathered
from branchline.simulate import simulate
from tests.cli.conftest import Branchline


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from branchline.data import Games
    from branchline.simulate import Series

    path = tmp_path_factory.mktemp("plot") / "games.parquet"
    map = load_map("new-york")
    writer = Games(path, Series(map, 2, 7))
    for result in simulate(map, 2, 40, 7, workers=1):
        writer.write(result)
    writer.close()
    return path


@pytest.mark.parametrize(("kind", "language"), [("svg", "en"), ("pdf", "zh-Hant"), ("png", "zh-Hans")])
def test_all_charts_are_drawn(branchline: Branchline, games: Path, tmp_path: Path, kind: str, language: str) -> None:
    done = branchline("plot", str(games), "-o", str(tmp_path), "--format", kind, "--language", language)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [str(tmp_path / f"{chart}.{kind}") for chart in CHARTS]
    magic = {"svg": (b"<svg", b"<?xml"), "pdf": (b"%PDF",), "png": (b"\x89PNG",)}[kind]
    for chart in CHARTS:
        assert (tmp_path / f"{chart}.{kind}").read_bytes().startswith(magic)


def test_fonts_that_came_after_matplotlib_made_its_list_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib import font_manager

    manager = font_manager.fontManager
    wanted = {*FONTS["zh-Hant"]} - {ALWAYS}
    files = {font.fname for font in manager.ttflist if font.name in wanted}
    monkeypatch.setattr(manager, "ttflist", [font for font in manager.ttflist if font.fname not in files])
    assert _fonts("zh-Hant")[0] != ALWAYS


def test_the_same_games_give_the_same_picture(branchline: Branchline, games: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        branchline("plot", str(games), "-o", str(tmp_path / name), "--format", "png")
    for chart in CHARTS:
        assert (tmp_path / "a" / f"{chart}.png").read_bytes() == (tmp_path / "b" / f"{chart}.png").read_bytes()


def test_a_tally_counts_what_was_played() -> None:
    map = load_map("europe")
    results = list(simulate(map, 3, 25, 7, workers=1))
    tally = gathered(map, 3, results)
    assert tally.games == 25
    assert tally.claims == [sum(result.owners[n] >= 0 for result in results) for n in range(len(map.routes))]
    assert sum(tally.kept) == sum(seat.kept for result in results for seat in result.seats)
    assert sum(tally.done) == sum(seat.completed for result in results for seat in result.seats)
    totals = [sum(seat.total for seat in result.seats) / 3 for result in results]
    assert tally.parts["random"]["total"].mean == pytest.approx(sum(totals) / 25)
    assert sum(place.mean for place in tally.places) == pytest.approx(1)


def test_what_cannot_be_drawn_is_said(branchline: Branchline, games: Path, tmp_path: Path) -> None:
    done = branchline("plot", str(tmp_path / "none.parquet"))
    assert done.code == 2
    assert done.err.endswith("none.parquet: there is no such file or folder\n")
    done = branchline("plot", str(tmp_path))
    assert "no games that `branchline simulate` or `branchline arena` wrote" in done.err
    done = branchline("plot", str(games), "--map", "europe")
    assert done.err == "branchline: --map: the games were played on another new-york\n"
