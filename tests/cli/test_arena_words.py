"""`branchline arena` for whoever writes a bot: what went wrong is said, and games are kept."""

import json
from pathlib import Path

import pytest

from branchline import Record, load_map
from branchline.cli import arena
from branchline.data import read
from branchline.files import alone
from tests.cli.conftest import Branchline

FAILS = """
class Fails:
    def choose(self, view, rng, budget):
        if view.turn > 3:
            raise KeyError("oops")
        return view.legal_indices()[0]
"""
FIRST = """
class First:
    def choose(self, view, rng, budget):
        return view.legal_indices()[0]
"""


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return f"{path}:{text.split()[1].removesuffix(':')}"


def test_a_bot_that_raises_is_told_with_its_exception(branchline: Branchline, tmp_path: Path) -> None:
    bot = written(tmp_path / "mine.py", FAILS)
    done = branchline("arena", "new-york", bot, "random", "--games", "2", "--workers", "1")
    assert done.code == 1
    assert "mine.py:Fails failed in " in done.out
    assert "KeyError: 'oops' (deal 0, rotation 0, turn 5)" in done.out
    assert any(line.startswith("  faults ") for line in done.out.splitlines())


def test_the_table_fits_eighty_columns_and_names_what_the_map_has(branchline: Branchline) -> None:
    for map, has, lacks in (("new-york", "attractions", "stations"), ("europe", "stations", "attractions")):
        done = branchline("arena", map, "novice", "random", "--seats", "4", "--games", "2", "--workers", "1")
        assert done.code == 0
        assert max(len(line) for line in done.out.splitlines()) <= 80
        assert f"\n  {has} " in done.out
        assert f"\n  {lacks} " not in done.out


def test_results_of_changed_code_are_not_mixed(branchline: Branchline, tmp_path: Path) -> None:
    bot = written(tmp_path / "mine.py", FIRST)
    words = ("arena", "new-york", bot, "random", "--games", "2", "--workers", "1", "--out", str(tmp_path / "out"))
    assert branchline(*words).code == 0
    assert branchline(*words).code == 0
    written(tmp_path / "mine.py", FIRST + "\n# better now\n")
    done = branchline(*words)
    assert done.code == 2
    assert "was played by other code of " in done.err


def test_a_match_that_differs_is_told_by_what_differs_and_left_as_it_is(branchline: Branchline, tmp_path: Path) -> None:
    words = ("arena", "new-york", "novice", "random", "--games", "2", "--workers", "1", "--out", str(tmp_path / "out"))
    assert branchline(*words).code == 0
    kept = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    done = branchline(*words, "--records", str(tmp_path / "games"))
    assert done.code == 2
    assert "holds another match: keyed false and not true; name another folder" in done.err
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == kept


def test_records_are_kept_and_hold(branchline: Branchline, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    words = (
        "arena",
        "new-york",
        "novice",
        "random",
        "--games",
        "4",
        "--workers",
        "1",
        "--records",
        str(folder),
        "--json",
    )
    done = branchline(*words)
    assert done.code == 0
    kept = sorted(folder.iterdir())
    assert [path.name for path in kept] == [
        f"new-york-2-novice-random-s1-{d:06}-{r}.json" for d in (0, 1) for r in (0, 1)
    ]
    points = []
    for path in kept:
        record = Record.load(path)
        assert record.verify().ok
        assert {player.bot for player in record.players} == {"novice", "random"}
        assert record.result is not None
        points += [seat["total"] for seat in record.result["seats"]]
    bots = json.loads(done.out)["matches"][0]["bots"]
    assert sum(bot["points"] for bot in bots) * 4 == pytest.approx(sum(points))
    assert branchline("replay", str(kept[0])).code == 0


def test_a_match_as_parquet(branchline: Branchline, tmp_path: Path) -> None:
    folder = tmp_path / "games.parquet"
    words = ("arena", "new-york", "novice", "random", "--games", "6", "--workers", "1", "--parquet", str(folder))
    assert branchline(*words).code == 0
    head, results = read(folder)
    games = list(results)
    assert [game.game for game in games] == list(range(6))
    assert head["map"] == "new-york"
    for game in games:
        assert set(game.bots) == {"novice", "random"}
        for seat, numbers in enumerate(game.seats):
            held = [n for n, holder in enumerate(game.holders) if holder == seat]
            assert (len(held), sum(game.done[n] for n in held)) == (numbers.kept, numbers.completed)
            assert numbers.total == numbers.routes + numbers.tickets + numbers.attractions
    assert branchline("plot", str(folder), "-o", str(tmp_path / "charts"), "--format", "svg").code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["arena", "atlantis", "random"], "atlantis"),
        (["arena", "europe", "random", "--seats", "9"], "europe is for 2 to 5 seats, not 9"),
        (["arena", "europe", "random", "--nodes", "-5"], "--nodes: expected a whole number from 1 on, not '-5'"),
        (["arena", "europe", "random", "--nodes=-5,x"], "--nodes: expected a whole number from 1 on"),
        (["arena", "europe", "random", "--seconds", "-1"], "--seconds: more than 0"),
        (["arena", "europe", "random", "--seconds", "1", "--nodes", "5"], "--seconds: a budget is in --nodes or in"),
        (["arena", "europe", "random", "--seed", "-1"], "--seed: expected a whole number from 0 on, not '-1'"),
        (["arena", "europe", "random", "--workers", "257"], "--workers: expected a whole number from 1 to 256"),
        (["arena", "europe", "random", "--cores", "257"], "--cores: expected a whole number from 1 to 256"),
        (["arena", "europe", "random", "--seats", "x" * 9000], "expected a whole number from 1 on, not 'xxx"),
        (["arena", "europe", "random", "--out", "/dev/null/x"], "/dev/null/x: Not a directory"),
        (["arena", "europe", "random", "--parquet", "/dev/null/x"], "/dev/null/x: Not a directory"),
        (["arena", "europe", "random", "--report"], "--report: name the folder for its tables and charts with --out"),
        (["arena", "europe", "random", "--ladder"], "--ladder: takes two bots or more"),
        (["arena", "europe", "random", "--seats", "999999999"], "europe is for 2 to 5 seats, not 999999999"),
        (["arena", "europe", "BROKEN"], "SyntaxError"),
        (["arena", "europe", "RAISES"], "ZeroDivisionError"),
        (["simulate", "europe", "--bot", "BROKEN"], "SyntaxError"),
        (["simulate", "atlantis"], "atlantis"),
        (["simulate", "europe", "--seats", "9"], "europe is for 2 to 5 seats, not 9"),
        (["simulate", "europe", "--workers", "999"], "--workers: expected a whole number from 1 to 256, not '999'"),
        (["simulate", "europe", "--games", "-3"], "expected a whole number from 1 on, not '-3'"),
        (["simulate", "europe", "--out", "/dev/null/x.parquet"], "--out: /dev/null/x.parquet: Not a directory"),
        (["simulate", "europe", "--decisions", "/dev/null/x"], "--decisions: /dev/null/x: Not a directory"),
        (["play", "europe"], "in the browser the map is chosen on the page; in the terminal: --text europe"),
        (["serve", "--port", "99999"], "port"),
        (["play", "--port", "99999"], "port"),
    ],
)
def test_wrong_input_gets_one_sentence(branchline: Branchline, tmp_path: Path, words: list[str], said: str) -> None:
    broken, raises = tmp_path / "broken.py", tmp_path / "raises.py"
    broken.write_text("class Bot:\n  def choose(self view):", encoding="utf-8")
    raises.write_text("1 / 0", encoding="utf-8")
    files = {"BROKEN": f"{broken}:Bot", "RAISES": f"{raises}:Bot"}
    done = branchline(*(files.get(word, word) for word in words))
    assert done.code == 2
    assert said in done.err
    assert done.err.count("\n") == 1
    assert len(done.err) < 1000
    assert "Traceback" not in done.err


def test_a_bot_that_ends_its_process_ends_a_simulation_in_words(branchline: Branchline, tmp_path: Path) -> None:
    leaves = "class Leaves:\n    def choose(self, view, rng, budget):\n        __import__('os')._exit(3)\n"
    bot = written(tmp_path / "leaves.py", leaves)
    done = branchline("simulate", "new-york", "--bot", bot, "--seats", "2", "--games", "40", "--workers", "2")
    assert done.code == 2
    assert "a process that worked died: a bot ended it" in done.err
    assert "Traceback" not in done.err


def test_weights_that_cannot_be_used_are_told_before_a_game_is_played(
    branchline: Branchline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.policy").write_text("nothing")
    out = tmp_path / "out"
    for named, said in (("a.policy", "a.policy is no weights file"), ("b.policy", "b.policy is no file")):
        monkeypatch.setenv("BRANCHLINE_POLICY", str(tmp_path / named))
        for bot in ("learned", "expert"):
            done = branchline("arena", "new-york", bot, "novice", "--games", "2", "--workers", "1", "--out", str(out))
            assert done.code == 2
            assert done.err.startswith(f"branchline: BRANCHLINE_POLICY: {said}")
    assert not list(out.glob("*"))


def test_names_of_bots_may_be_long(branchline: Branchline, tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 120)
    folder.mkdir()
    bots = [written(folder / f"{'y' * 100}{number}.py", FIRST) for number in range(2)]
    out = tmp_path / "out"
    words = ("arena", "new-york", *bots, "--games", "2", "--workers", "1", "--out", str(out))
    assert branchline(*words).code == 0
    assert branchline(*words).code == 0
    assert branchline("arena", "new-york", bots[0], "random", *words[4:]).code == 0
    assert len(list(out.iterdir())) == 2


def test_what_a_bot_raises_is_told_in_one_line_of_plain_letters(branchline: Branchline, tmp_path: Path) -> None:
    raises = (
        "class Raises:\n    def choose(self, view, rng, budget):\n        raise KeyError('\\x1b[2J' + 'a\\n' * 9000)\n"
    )
    bot = written(tmp_path / "mine.py", raises)
    done = branchline("arena", "new-york", bot, "random", "--games", "2", "--workers", "1")
    assert done.code == 1
    assert "\x1b" not in done.out
    (line,) = (line for line in done.out.splitlines() if "KeyError" in line)
    assert len(line) < 1500


def test_a_file_of_games_that_was_changed_is_refused_in_words(branchline: Branchline, tmp_path: Path) -> None:
    words = ("arena", "new-york", "novice", "random", "--games", "2", "--workers", "1", "--out", str(tmp_path))
    assert branchline(*words).code == 0
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"no games")
    done = branchline(*words)
    assert (done.code, done.err) == (2, f"branchline: {file} is damaged: it can't be unpacked\n")


def test_games_of_a_ladder_are_all_kept(branchline: Branchline, tmp_path: Path) -> None:
    words = ("arena", "new-york", "novice", "random", "hoarder", "--ladder", "--seats", "2", "--games", "2")
    assert branchline(*words, "--workers", "1", "--records", str(tmp_path)).code == 0
    assert len(list(tmp_path.iterdir())) == 6


def test_two_arenas_do_not_write_one_file(branchline: Branchline, tmp_path: Path) -> None:
    words = ("arena", "new-york", "novice", "random", "--games", "2", "--workers", "1", "--out", str(tmp_path))
    with alone(tmp_path / "new-york-2-novice-random-s1.jsonl"):
        done = branchline(*words)
        assert done.code == 2
        assert "is in use by another process" in done.err
    assert branchline(*words).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["new-york-2-novice-random-s1.jsonl.gz"]


def test_a_map_that_changed_is_another_match(branchline: Branchline, tmp_path: Path) -> None:
    path, data = tmp_path / "mine.json", load_map("new-york").to_dict()
    words = ("arena", str(path), "novice", "random", "--games", "2", "--workers", "1", "--out", str(tmp_path / "out"))
    path.write_text(json.dumps({**data, "id": "mine"}))
    assert branchline(*words).code == 0
    path.write_text(json.dumps({**data, "id": "mine", "points": {**data["points"], "1": 2}}))
    done = branchline(*words)
    assert done.code == 2
    assert "holds another match: map_hash" in done.err


def test_what_can_not_be_written_is_said_in_a_sentence(branchline: Branchline, tmp_path: Path) -> None:
    words = ("arena", "new-york", "novice", "random", "--games", "2", "--workers", "1", "--out", str(tmp_path))
    for name in ("new-york-2-novice-random-s1.md", "new-york-2-novice-random-s1.jsonl.gz.new"):
        (tmp_path / name).mkdir()
        done = branchline(*words, "--report")
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert name in done.err
        (tmp_path / name).rmdir()
    assert branchline(*words, "--report").code == 0


def test_a_link_beside_a_file_of_games_is_not_written_through(branchline: Branchline, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (tmp_path / "new-york-2-novice-random-s1.jsonl.gz.new").symlink_to(precious)
    words = ("arena", "new-york", "novice", "random", "--games", "2", "--workers", "1", "--out", str(tmp_path))
    assert branchline(*words).code == 0
    assert precious.read_text() == "mine"


def test_names_are_no_markup(branchline: Branchline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stops(*args: object, **more: object) -> tuple[list[object], bool]:
        return [], False

    monkeypatch.setattr(arena, "play", stops)
    folder = tmp_path / "q[/b]x"
    done = branchline("arena", "new-york", "novice", "random", "--workers", "1", "--out", str(folder))
    assert done.code == 130
    assert "q[/b]x" in done.out.replace("\n", "")


def test_a_folder_of_parquet_keeps_another_match_and_more_games(branchline: Branchline, tmp_path: Path) -> None:
    folder = tmp_path / "games.parquet"
    words = ("arena", "new-york", "novice", "random", "--workers", "1", "--parquet", str(folder), "--games")
    assert branchline(*words, "6").code == 0
    assert branchline(*words, "6").code == 0
    for more, said in ((("4",), "holds 6 games of this match already"), (("6", "--nodes", "5"), "holds other games")):
        done = branchline(*words, *more)
        assert done.code == 2
        assert said in done.err
    assert len(list(read(folder)[1])) == 6
    assert branchline(*words, "8").code == 0
    assert len(list(read(folder)[1])) == 8
