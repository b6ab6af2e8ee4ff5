"""`branchline simulate`, and the simulations behind it."""

import csv
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from branchline import Game, Rng, load_map
from branchline.cli.named_bots import bot_called, choice_of
from branchline.engine.state import State
from branchline.maps import Map
from branchline.simulate import PARTS, Result, Summary, simulate, to_row, to_rows
from branchline.spread import cores
from tests.cli.conftest import Branchline, heed_ctrl_c
from tests.maps.islands import islands_text

EUROPE = load_map("europe")


def results(games: int, *, seats: int = 3, seed: int | str = 7, workers: int = 1) -> list[Result]:
    return list(simulate(EUROPE, seats, games, seed, workers=workers))


def test_a_seed_repeats_its_games() -> None:
    assert results(20) == results(20)
    assert results(20, seed=8) != results(20)
    assert results(20, seed="7") != results(20)


def test_a_game_does_not_depend_on_how_many_there_are_or_who_plays_it() -> None:
    many = results(450, seats=2)
    assert many == results(450, seats=2, workers=3)
    assert many[:30] == results(30, seats=2)
    assert [result.game for result in many] == list(range(450))


def test_totals_are_the_sum_of_their_parts() -> None:
    for result in results(30):
        assert result.ended
        for seat in result.seats:
            assert seat.total == sum(getattr(seat, part) for part in PARTS)
            assert 0 <= seat.completed <= seat.kept
        assert min(seat.rank for seat in result.seats) == 1


def test_the_rows_of_a_game() -> None:
    result = results(1)[0]
    row = to_row(result, EUROPE)
    assert json.loads(json.dumps(row))["owners"] == row["owners"]
    assert set(row["owners"].values()) <= {0, 1, 2}
    seats = to_rows(result)
    assert [seat["seat"] for seat in seats] == [0, 1, 2]
    assert sum(seat["routes_claimed"] for seat in seats) == len(row["owners"])
    assert [seat["total"] for seat in seats] == [seat["total"] for seat in row["seats"]]


def test_the_summary_by_hand() -> None:
    games = results(40)
    summary = Summary(EUROPE, 3)
    for result in games:
        summary.add(result)
    data = summary.to_dict()
    totals = [seat.total for result in games for seat in result.seats]
    assert data["games"] == 40
    assert data["total"]["mean"] == pytest.approx(sum(totals) / len(totals))
    assert (data["total"]["lowest"], data["total"]["highest"]) == (min(totals), max(totals))
    assert sum(data["points"][part] for part in PARTS) == pytest.approx(data["points"]["total"])
    assert sum(place["wins"] for place in data["order"]) == pytest.approx(1)
    first = [result.seats[result.first] for result in games]
    assert data["order"][0]["points"] == pytest.approx(sum(seat.total for seat in first) / 40)
    claimed = sum(result.owners[5] >= 0 for result in games) / 40
    assert data["claimed"][EUROPE.routes[5].id] == pytest.approx(claimed)
    assert list(data["claimed"].values()) == sorted(data["claimed"].values(), reverse=True)
    assert sum(data["decided_by"].values()) == pytest.approx(1)
    turns = sorted(result.turns for result in games)
    assert data["turns"]["median"] == (turns[19] + turns[20]) / 2


def test_a_shared_win_counts_in_parts() -> None:
    result = results(1)[0]
    seats = tuple(replace(seat, rank=rank) for seat, rank in zip(result.seats, (1, 3, 1), strict=True))
    summary = Summary(EUROPE, 3)
    summary.add(replace(result, first=1, seats=seats))
    assert [place["wins"] for place in summary.to_dict()["order"]] == [0, 0.5, 0.5]


def test_games_that_do_not_end_are_only_counted() -> None:
    def stop(map: Map, bots: tuple[str, ...], deal_number: int, choice_number: int) -> State:
        return Game.new(map, len(bots), deal_number).state

    summary = Summary(EUROPE, 2)
    for result in simulate(EUROPE, 2, 3, 1, stop, workers=1):
        assert not result.ended
        summary.add(result)
    assert summary.to_dict() == {"map": "europe", "seats": 2, "games": 0, "broken_off": 3}


def test_a_map_of_ones_own_goes_to_other_processes(branchline: Branchline, tmp_path: Path) -> None:
    path = tmp_path / "islands.json"
    path.write_text(islands_text(), encoding="utf-8")
    words = ("simulate", str(path), "--seats", "2", "--games", "300", "--seed", "7", "--json")
    alone = branchline(*words, "--workers", "1")
    assert alone.code == 0
    assert branchline(*words, "--workers", "2") == alone


def test_cores() -> None:
    assert cores() >= 1


def test_the_command_sums_up(branchline: Branchline) -> None:
    done = branchline("simulate", "europe", "--seats", "4", "--games", "30", "--bot", "random", "--seed", "7")
    assert done.code == 0
    assert done.err == ""
    assert done.out.startswith("Europe, 4 seats, random: 30 of 30 games, seed 7\n")
    for words in ("Points of a seat", "Turns: ", "Tickets of a seat: ", "Wins by turn order", "Routes claimed most"):
        assert words in done.out
    assert done.out == branchline("simulate", "europe", "--games", "30", "--seed", "7", "--workers", "1").out


def test_what_a_map_lacks_is_not_listed(branchline: Branchline) -> None:
    out = branchline("simulate", "new-york", "--seats", "2", "--games", "20").out
    assert "attractions" in out
    assert "stations" not in out
    assert "trail" not in out


def test_the_command_in_json(branchline: Branchline) -> None:
    done = branchline("simulate", "new-york", "--seats", "2", "--games", "10", "--seed", "x", "--json")
    data = json.loads(done.out)
    assert (data["seed"], data["games"], data["bots"], data["asked"]) == ("x", 10, ["random"], 10)
    assert len(data["claimed"]) == 41


def test_without_a_seed_the_report_tells_it(branchline: Branchline) -> None:
    words = ("simulate", "new-york", "--seats", "2", "--games", "10", "--json")
    data = json.loads(branchline(*words).out)
    assert json.loads(branchline(*words, "--seed", str(data["seed"])).out) == data


def test_all_games_as_json_lines(branchline: Branchline, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    done = branchline("simulate", "europe", "--seats", "3", "--games", "12", "--seed", "7", "--out", str(path))
    assert done.out.endswith(f"All games: {path}\n")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [json.loads(json.dumps(to_row(r, EUROPE))) for r in results(12)]


def test_all_games_as_csv(branchline: Branchline, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    branchline("simulate", "europe", "--seats", "3", "--games", "12", "--seed", "7", "--out", str(path))
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    expected = [row for result in results(12) for row in to_rows(result)]
    assert rows == [{name: str(value) for name, value in row.items()} for row in expected]


def test_parquet_needs_pyarrow(branchline: Branchline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = tmp_path / "games.parquet"
    done = branchline("simulate", "europe", "--games", "1", "--out", str(path))
    assert done.code == 2
    said = "--out: Parquet is written and read with pyarrow: pip install 'branchline[data]'"
    assert done.err == f"branchline: {said}\n"
    assert not path.exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="signals and named pipes")
def test_ctrl_c_sums_up_what_there_is(tmp_path: Path) -> None:
    """The games are read through a pipe, so that the signal comes when some are played and many are not."""
    pipe = tmp_path / "games.jsonl"
    os.mkfifo(pipe)
    command = [
        "simulate",
        "europe",
        "--seats",
        "2",
        "--games",
        "900000",
        "--workers",
        "2",
        "--out",
        str(pipe),
        "--json",
    ]
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "branchline.cli", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_ctrl_c,
    )
    with pipe.open(encoding="utf-8") as file:
        lines = [file.readline() for _ in range(3)]
        process.send_signal(signal.SIGINT)
        lines += file.readlines()
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert err == ""
    games = [json.loads(line)["game"] for line in lines]
    assert games == list(range(len(games)))
    assert json.loads(out)["games"] == len(games) < 900_000


def test_choices_of_the_random_bot_are_its_seats_own(branchline: Branchline) -> None:
    view = Game.new("europe", 2, 7).view(1)
    chosen = {choice_of(bot_called("random"), view, Rng(n)) for n in range(200)}
    assert chosen == set(view.legal_actions())
