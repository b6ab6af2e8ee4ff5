"""The arena's statistics are right on a rigged game, and it goes on where it was stopped."""

import json
from pathlib import Path
from typing import Any

import pytest

from branchline import Rng, View
from branchline.arena import legs
from branchline.arena import run as running
from branchline.arena.match import Match, play
from branchline.arena.report import chart, markdown
from branchline.arena.stats import meetings, paired, ratings, summary, wilson
from branchline.bots.base import Budget
from branchline.bots.novice import Novice
from branchline.cli import main

PLAYER: dict[str, Any] = {
    "seat": 0, "place": 0, "rank": 1, "points": 10, "routes": 10, "done": 0, "failed": 0, "tickets": 1, "completed": 0,
    "trail": 0, "stations": 0, "attractions": 0, "decisions": 5, "seconds": 0.01, "slowest": 0.01, "faults": 0,
}  # fmt: skip


def rigged(wins: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """Deals of two rotations; in each, which bot wins."""
    rows = []
    for deal, winners in enumerate(wins):
        for rotation, winner in enumerate(winners):
            players = [
                {**PLAYER, "win": int(n == winner), "rank": 1 if n == winner else 2, "place": (n + rotation) % 2}
                for n in (0, 1)
            ]
            rows.append({"deal": deal, "rotation": rotation, "turns": 30, "players": players})
    return rows


def test_wilson_gives_the_textbook_interval() -> None:
    low, high = wilson(50, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == pytest.approx(1)


def test_one_game_in_which_the_machine_stood_still_does_not_change_the_time_of_a_decision() -> None:
    rows = rigged([(0, 1)] * 3)
    rows[4]["players"][0] = {**rows[4]["players"][0], "seconds": 300.0}
    one, other = summary(Match("europe", ("a", "b"), 6), rows)["bots"]
    assert one["ms"] == other["ms"] < 1000


def test_deals_that_only_the_seat_decides_leave_no_doubt() -> None:
    match = Match("europe", ("a", "b"), 200)
    result = summary(match, rigged([(0, 1)] * 100))  # whoever sits in seat 0 wins
    first, second = result["bots"]
    assert first["win"] == second["win"] == 0.5
    assert first["by_place"][0][0] == 1
    assert first["by_place"][1][0] == 0


def test_win_rate_and_interval_of_a_rigged_match() -> None:
    match = Match("europe", ("a", "b"), 200)
    result = summary(match, rigged([(0, 0)] * 70 + [(1, 1)] * 30))
    bot = result["bots"][0]
    assert bot["win"] == 0.7
    low, high = paired([1.0] * 70 + [0.0] * 30)
    assert bot["low"] == round(low, 6)
    assert bot["high"] == round(high, 6)
    assert low == pytest.approx(0.61, abs=0.005)  # a hundred deals, not two hundred games
    assert "70.0 %" in markdown(result)
    assert chart(result).startswith("<svg")


def test_ratings_order_bots_by_strength() -> None:
    match = Match("europe", ("a", "b"), 200)
    rated = ratings(meetings(match, rigged([(0, 0)] * 75 + [(1, 1)] * 25)))
    assert rated["a"] - rated["b"] == pytest.approx(191, abs=5)  # 3 to 1


def test_a_game_repeats_and_bots_change_seats() -> None:
    match = Match("new-york", ("regular", "random"), 4)
    rows = [play(match, 0, rotation) for rotation in (0, 1)]
    again = play(match, 0, 0)
    for row in (*rows, again):
        for player in row["players"]:
            del player["seconds"], player["slowest"]
    assert rows[0] == again
    assert [player["seat"] for player in rows[0]["players"]] == [0, 1]
    assert [player["seat"] for player in rows[1]["players"]] == [1, 0]


def test_a_stopped_match_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("new-york", ("novice", "random"), 6)
    path = tmp_path / "match.jsonl"
    real = play
    played: list[Any] = []

    def stops(*args: Any) -> dict[str, Any]:
        if len(played) == 3:
            raise KeyboardInterrupt
        played.append(args)
        return real(*args)

    monkeypatch.setattr(running, "play", stops)
    rows, whole = running.run(match, path, workers=1)
    assert (len(rows), whole) == (3, False)
    with path.open("a") as file:
        file.write('{"deal": 1, "rot')  # cut off in the middle of a line
    monkeypatch.setattr(running, "play", real)
    rows, whole = running.run(match, path, workers=1)
    assert (len(rows), whole) == (6, True)
    assert not path.exists()  # compressed, now that it is whole
    ((kept, games),) = legs.read_leg(legs.packed(path))
    assert (kept, games) == (match, rows)
    assert running.run(Match("new-york", ("novice", "random"), 8), path, workers=1)[0][:6] == rows
    assert {(row["deal"], row["rotation"]) for row in rows} == {(d, r) for d in range(3) for r in (0, 1)}
    with pytest.raises(ValueError, match="another match"):
        legs.read(Match("new-york", ("random", "novice"), 6), path)


def test_the_command_on_two_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "arena",
        "new-york",
        "novice",
        "random",
        "--games",
        "4",
        "--workers",
        "2",
        "--out",
        str(tmp_path),
        "--json",
    ]
    assert main(arguments) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["matches"][0]["games"] == 4
    assert main(["arena", "new-york", "nobody"]) == 2


def test_bots_are_given_the_cores_they_may_think_in() -> None:
    asked: list[Budget] = []

    class Asks(Novice):
        def choose(self, view: View, rng: Rng, budget: Budget) -> int:
            asked.append(budget)
            return super().choose(view, rng, budget)

    play(Match("new-york", ("novice", "novice"), 1, nodes=7, cores=3), 0, 0, [Asks(), Asks()])
    assert set(asked) == {Budget(nodes=7, cores=3)}
    options = ["--games", "1", "--workers", "1", "--nodes", "8", "--cores", "2", "--json"]
    assert main(["arena", "new-york", "expert", "novice", *options]) == 0  # the search has children, and they end


def test_a_faulty_bot_loses_games_and_stops_none() -> None:
    here = Path(__file__).parent / "test_bots.py"
    row = play(Match("new-york", (f"{here}:Broken", "novice"), 2), 0, 0)
    assert row["players"][0]["faults"] == row["players"][0]["decisions"]


@pytest.mark.parametrize(
    ("bots", "rotations"),
    [(("regular",) * 4, 1), (("regular", "novice") * 2, 2), (("regular", "novice", "novice"), 3), (("a", "b"), 2)],
)
def test_equal_line_ups_are_not_played_over_again(bots: tuple[str, ...], rotations: int) -> None:
    match = Match("new-york", bots, 8)
    assert match.rotations == rotations
    assert match.whole == match.deals * rotations >= 8


def test_bots_with_other_budgets_are_not_equal() -> None:
    assert Match("new-york", ("expert", "expert"), 8, budgets=(100, 400)).rotations == 2
    assert Match("new-york", ("expert", "expert"), 8, budgets=(100, 100)).rotations == 1


@pytest.mark.parametrize("bots", [("novice",) * 3, ("novice", "hungry", "novice", "hungry"), ("novice", "hungry")])
def test_no_game_of_a_match_is_another_over_again(bots: tuple[str, ...]) -> None:
    match = Match("new-york", bots, 8)
    rows, _ = running.run(match, workers=1)
    assert len({row["game"] for row in rows}) == len(rows) == match.whole == 8
    copies = [play(Match("new-york", (bots[0],) * 2, 2), 0, rotation) for rotation in (0, 1)]
    assert copies[0]["game"] == copies[1]["game"]
    twice = play(match, 0, match.rotations)  # what used to be counted as one more game
    assert twice["game"] == rows[0]["game"]


def test_games_that_stand_twice_count_once() -> None:
    match = Match("europe", ("a", "a"), 4)
    once = rigged([(0, 0), (1, 1)])  # both rotations of a line-up of equals
    result = summary(match, once)
    assert result["games"] == 2
    assert len(meetings(Match("europe", ("a", "b"), 4), once)) == 4
    same = [{**row, "game": "0" * 16} for row in once]
    assert summary(Match("europe", ("a", "b"), 4), same)["games"] == 1


def test_bots_that_play_alike_are_still_two() -> None:
    """The same actions with other bots in the seats are two games: each of them once had the better seat."""
    match = Match("new-york", ("novice", f"{Path(__file__).parent / 'test_arena.py'}:Twin"), 2)
    first, second = (play(match, 0, rotation, [Novice(), Novice()]) for rotation in (0, 1))
    assert [p["points"] for p in first["players"]] == [p["points"] for p in second["players"]][::-1]
    assert first["game"] != second["game"]
    assert summary(match, [first, second])["bots"][0]["win"] == 0.5
