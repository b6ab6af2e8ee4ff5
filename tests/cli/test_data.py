"""Games as Parquet: what is written is what was played, and a run that was stopped goes on."""

import json
import os
import signal
import subprocess
import sys
from math import prod
from pathlib import Path

import pyarrow.parquet
import pytest

from branchline import Game, load_map
from branchline.cli.named_bots import bot_game
from branchline.data import Games, NotThisSeries, games, read
from branchline.engine.shuffle import Shuffler
from branchline.simulate import Result, Series, simulate
from tests.cli.conftest import Branchline, heed_ctrl_c

NEW_YORK = load_map("new-york")
SERIES = Series(NEW_YORK, 3, 7)


def played(number: int, start: int = 0) -> list[Result]:
    return list(simulate(NEW_YORK, 3, number, 7, workers=1, start=start))


def test_what_is_written_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "PART", 8)
    path = tmp_path / "games.parquet"
    results = played(20)
    writer = Games(path, SERIES)
    for result in results:
        writer.write(result)
    writer.close()
    assert [part.name for part in sorted(path.iterdir())] == [f"games-{n:010}.parquet" for n in (0, 8, 16)]
    head, again = read(path)
    assert list(again) == results
    assert (head["map"], head["map_hash"], head["seats"], head["bots"]) == ("new-york", NEW_YORK.hash, 3, ["random"])
    assert head["routes"][0] == NEW_YORK.routes[0].id


def test_a_folder_goes_on_where_it_was_left(tmp_path: Path) -> None:
    writer = Games(tmp_path, SERIES)
    for result in played(5):
        writer.write(result)
    writer.close()
    (tmp_path / "games-0000000005.part").write_bytes(b"half a part")
    writer = Games(tmp_path, SERIES)
    assert writer.games == 5
    for result in played(9, start=5):
        writer.write(result)
    writer.close()
    assert list(read(tmp_path)[1]) == played(9)
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("other", [Series(NEW_YORK, 3, 8), Series(NEW_YORK, 2, 7), Series(NEW_YORK, 3, 7, ("novice",))])
def test_other_games_are_not_mixed_in(tmp_path: Path, other: Series) -> None:
    writer = Games(tmp_path, SERIES)
    writer.write(played(1)[0])
    writer.close()
    with pytest.raises(NotThisSeries, match="holds other games"):
        Games(tmp_path, other)


def test_columns_of_another_version_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "DATA_VERSION", 0)
    writer = Games(tmp_path, SERIES)
    writer.write(played(1)[0])
    writer.close()
    monkeypatch.undo()
    with pytest.raises(NotThisSeries, match="has version 0 of the columns; this program reads 1"):
        read(tmp_path)


def test_what_is_no_folder_of_games_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotThisSeries, match="no games that `branchline simulate` or `branchline arena` wrote"):
        read(tmp_path)
    pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), tmp_path / "other.parquet")
    with pytest.raises(NotThisSeries):
        read(tmp_path / "other.parquet")


def test_completed_tickets_add_up(tmp_path: Path) -> None:
    for result in played(30):
        for seat, numbers in enumerate(result.seats):
            held = [ticket for ticket, holder in enumerate(result.holders) if holder == seat]
            done = [ticket for ticket in held if result.done[ticket]]
            assert (len(held), len(done)) == (numbers.kept, numbers.completed)
            points = sum(NEW_YORK.tickets[t].points * (1 if result.done[t] else -1) for t in held)
            assert points == numbers.tickets


def test_several_bots_take_the_seats_in_turn() -> None:
    series = Series(NEW_YORK, 3, 7, ("regular", "novice"))
    assert series.sitting(0) == ("regular", "novice", "regular")
    assert series.sitting(1) == ("novice", "regular", "novice")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="signals")
def test_ctrl_c_stops_thinking_bots_at_once_and_keeps_what_there_is(tmp_path: Path, branchline: Branchline) -> None:
    """A game of this bot takes half an hour: that it ends shows that nobody waited for it."""
    bot = tmp_path / "slow.py"
    bot.write_text(
        "import time\n"
        "class Slow:\n"
        "    def choose(self, view, rng, budget):\n"
        "        open(__file__ + '.asked', 'w').close()\n"
        "        time.sleep(3600 if view.turn else 0)\n"
        "        return view.legal_indices()[0]\n",
        encoding="utf-8",
    )
    words = [
        "simulate",
        "new-york",
        "--seats",
        "2",
        "--games",
        "50",
        "--workers",
        "2",
        "--bot",
        f"{bot}:Slow",
        "--json",
    ]
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "branchline.cli", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_ctrl_c,
    )  # fmt: skip
    while not Path(f"{bot}.asked").exists():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (130, "")
    assert '"games": 0' in out


def test_a_bot_that_fails_is_told_and_what_there_is_is_kept(tmp_path: Path, branchline: Branchline) -> None:
    bot = tmp_path / "breaks.py"
    bot.write_text(
        "class Breaks:\n"
        "    def choose(self, view, rng, budget):\n"
        "        if view.turn > 5 and rng.below(2000) == 0:\n"
        "            raise KeyError('oops')\n"
        "        return view.legal_indices()[0]\n",
        encoding="utf-8",
    )
    out = tmp_path / "games.parquet"
    words = ("simulate", "new-york", "--seats", "2", "--games", "80", "--seed", "1", "--workers", "1")
    done = branchline(*words, "--bot", f"{bot}:Breaks", "--out", str(out))
    assert done.code == 2
    assert "Breaks failed in turn " in done.err
    assert "KeyError: 'oops'" in done.err
    assert 0 < len(list(read(out)[1])) < 80


def test_decisions_are_what_was_seen_and_done(tmp_path: Path, branchline: Branchline) -> None:
    folder = tmp_path / "decisions.parquet"
    words = (
        "simulate",
        "new-york",
        "--seats",
        "2",
        "--bot",
        "novice",
        "--bot",
        "random",
        "--seed",
        "7",
        "--workers",
        "1",
    )
    assert branchline(*words, "--games", "3", "--decisions", str(folder)).code == 0
    assert branchline(*words, "--games", "5", "--decisions", str(folder)).code == 0  # goes on
    told = json.loads(pyarrow.parquet.read_metadata(min(folder.iterdir())).metadata[b"branchline"])
    rows = [row for part in sorted(folder.iterdir()) for row in pyarrow.parquet.read_table(part).to_pylist()]
    series = Series(NEW_YORK, 2, 7, ("novice", "random"))
    results = list(simulate(NEW_YORK, 2, 5, 7, bot_game, 1, bots=series.bots))
    at = {name: (start, start + prod(shape)) for name, start, shape in told["observation"]}
    for result in results:
        game = Game.dealt(NEW_YORK, 2, Shuffler(b"", series.numbers(result.game)[0]))
        mine = [row for row in rows if row["game"] == result.game]
        assert [row["n"] for row in mine] == list(range(len(mine)))
        for row in mine:
            view = game.view(row["seat"])
            assert [n for n, legal in enumerate(row["mask"]) if legal] == view.legal_indices()
            assert row["observation"][slice(*at["turn"])] == [min(view.turn, 255)]
            assert row["observation"][slice(*at["decks"])] == [view.deck, view.ticket_deck]
            game.play_index(row["seat"], row["choice"])
        assert game.over
        for row in mine:
            own, other = game.scores()[row["seat"]], game.scores()[1 - row["seat"]]
            assert (row["points"], row["margin"], row["rank"]) == (own.total, own.total - other.total, own.rank)


def test_decisions_and_games_go_on_together_or_not_at_all(tmp_path: Path, branchline: Branchline) -> None:
    words = ("simulate", "new-york", "--seats", "2", "--seed", "7", "--workers", "1")
    both = ("--out", str(tmp_path / "g.parquet"), "--decisions", str(tmp_path / "d.parquet"))
    assert branchline(*words, "--games", "2", *both).code == 0
    assert branchline(*words, "--games", "4", *both).code == 0
    assert branchline(*words, "--games", "6", *both[:2]).code == 0
    done = branchline(*words, "--games", "8", *both)
    assert done.code == 2
    assert "--decisions: has 4 games" in done.err


MANY = """
import resource, sys
from branchline import load_map
from branchline.cli.named_bots import bot_game
from branchline.data import DecisionFolder, simulate_decisions
from branchline.simulate import Series
folder, games = sys.argv[1], int(sys.argv[2])
series = Series(load_map("new-york"), 2, 7)
decisions = DecisionFolder(folder, series)
for result, made in simulate_decisions(series, games, bot_game, workers=1):
    decisions.write(result, made)
decisions.close()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_four_times_as_many_decisions_take_no_more_memory(tmp_path: Path) -> None:
    def most(games: int) -> int:
        words = [sys.executable, "-c", MANY, str(tmp_path / str(games)), str(games)]
        return int(subprocess.run(words, capture_output=True, text=True, check=True).stdout)

    # Kept, the rows of 180 games would be 8 MB, and what they are made of more; on the way a first part is closed.
    assert most(240) - most(60) < 4_000
