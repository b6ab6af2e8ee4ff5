"""What `branchline simulate` and Parquet do with others' files: nothing is lost, trouble is one sentence."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from branchline import load_map
from branchline.cli.named_bots import bot_game
from branchline.data import Games, NotThisSeries, games, header, read, write_games
from branchline.data.decisions import DecisionFolder, simulate_decisions
from branchline.simulate import Result, Series, simulate
from tests.cli.conftest import Branchline, heed_ctrl_c

NEW_YORK = load_map("new-york")
SERIES = Series(NEW_YORK, 2, 7)
WORDS = ("simulate", "new-york", "--seats", "2", "--workers", "1")
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full")


def played(number: int) -> list[Result]:
    return list(simulate(NEW_YORK, 2, number, 7, workers=1))


def contents(folder: Path) -> dict[str, bytes]:
    """All files in a folder, by their names."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def is_one_sentence(err: str) -> bool:
    return err.startswith("branchline: ") and err.count("\n") == 1 and "None" not in err


@pytest.mark.parametrize("option", ["--out", "--decisions"])
def test_other_files_in_a_folder_are_left_alone(branchline: Branchline, tmp_path: Path, option: str) -> None:
    folder = tmp_path / "dl.parquet"
    folder.mkdir()
    others = {"movie.mkv.part", "games-1.part", "decisions-12.part", "games-0000000099.part.part", "games-old.part"}
    for name in others:
        (folder / name).write_text("x")
    assert branchline(*WORDS, "--games", "3", "--seed", "7", option, str(folder)).code == 0
    assert others < contents(folder).keys()


def test_a_refused_command_removes_nothing(branchline: Branchline, tmp_path: Path) -> None:
    folder, told = tmp_path / "q.parquet", tmp_path / "d.parquet"
    both = ("--out", str(folder), "--decisions", str(told))
    assert branchline(*WORDS, "--games", "3", "--seed", "1", *both).code == 0
    for name in ("a.part", "games-0000000003.part", "decisions-0000000003.part"):
        (folder / name).write_text("x")
        (told / name).write_text("x")
    before = contents(folder), contents(told)
    for words in (("--out", str(folder)), ("--decisions", str(told))):
        done = branchline(*WORDS, "--games", "5", "--seed", "2", *words)
        assert done.code == 2
        assert "name another folder" in done.err
    assert branchline(*WORDS, "--games", "5", "--seed", "1", *both[:2], "--decisions", "/dev/null/x").code == 2
    assert (contents(folder), contents(told)) == before


def test_what_a_stopped_run_left_is_no_link_to_follow(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("x")
    folder = tmp_path / "games.parquet"
    folder.mkdir()
    (folder / "games-0000000000.part").symlink_to(precious)
    (folder / "decisions-0000000000.part").symlink_to(precious)
    write_games(folder, NEW_YORK, 7, played(2))
    decisions = DecisionFolder(folder, SERIES)
    for result, made in simulate_decisions(SERIES, 1, bot_game, workers=1):
        decisions.write(result, made)
    decisions.close()
    assert precious.read_text() == "x"
    assert not list(folder.glob("*.part"))
    assert not any(path.is_symlink() for path in folder.iterdir())


MATCH = {"bots": ["random", "random"], "games": 8, "nodes": None}


def test_another_match_does_not_replace_games(tmp_path: Path) -> None:
    write_games(tmp_path, NEW_YORK, 7, played(8), match=MATCH)
    before = contents(tmp_path)
    for other in (MATCH | {"nodes": 5}, None):
        with pytest.raises(NotThisSeries, match="holds other games; name another folder"):
            write_games(tmp_path, NEW_YORK, 7, played(8), match=other)
    with pytest.raises(NotThisSeries, match="holds other games"):
        Games(tmp_path, SERIES)
    assert contents(tmp_path) == before
    assert read(tmp_path)[0]["match"] == {"bots": ["random", "random"], "nodes": None}


def test_fewer_games_do_not_replace_more(tmp_path: Path) -> None:
    write_games(tmp_path, NEW_YORK, 7, played(8), match=MATCH)
    before = contents(tmp_path)
    with pytest.raises(NotThisSeries, match="holds 8 games of this match, and these are 4; name another folder"):
        write_games(tmp_path, NEW_YORK, 7, played(4), match=MATCH | {"games": 4})
    assert contents(tmp_path) == before
    write_games(tmp_path, NEW_YORK, 7, played(12), match=MATCH | {"games": 12})
    assert list(read(tmp_path)[1]) == played(12)


def test_games_of_an_earlier_version_without_their_match_are_read_and_kept(tmp_path: Path) -> None:
    write_games(tmp_path, NEW_YORK, 7, played(4))
    assert "match" not in read(tmp_path)[0]
    before = contents(tmp_path)
    with pytest.raises(NotThisSeries, match="holds other games"):
        write_games(tmp_path, NEW_YORK, 7, played(8), match=MATCH)
    assert contents(tmp_path) == before


def test_the_order_in_which_games_ended_does_not_matter(tmp_path: Path) -> None:
    results = list(simulate(NEW_YORK, 2, 6, 7, bot_game, 1, bots=("random", "novice")))
    write_games(tmp_path, NEW_YORK, 7, results[1:5])
    write_games(tmp_path, NEW_YORK, 7, results[::-1])
    assert list(read(tmp_path)[1]) == results


@pytest.mark.parametrize("fails", [0, 1, 2])
def test_a_failure_keeps_the_games_that_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: int) -> None:
    monkeypatch.setattr(games, "PART", 4)
    write_games(tmp_path, NEW_YORK, 7, played(9))
    before = contents(tmp_path)
    write = pyarrow.parquet.write_table
    calls: list[Path] = []

    def full(table: Any, path: Path, **options: Any) -> None:
        calls.append(path)
        if len(calls) > fails:
            raise OSError(28, "No space left on device")
        write(table, path, **options)

    monkeypatch.setattr(pyarrow.parquet, "write_table", full)
    with pytest.raises(OSError, match="No space left"):
        write_games(tmp_path, NEW_YORK, 7, played(12))
    assert contents(tmp_path) == before
    monkeypatch.undo()
    write_games(tmp_path, NEW_YORK, 7, played(12))  # in one part, where there were three
    assert list(contents(tmp_path)) == ["games-0000000000.parquet"]
    assert list(read(tmp_path)[1]) == played(12)


REFUSED = (
    ("--decisions", "/dev/null/x.parquet"),
    ("--ray", "127.0.0.1:9"),
    ("--bot", "LEAVES"),
)


@pytest.mark.parametrize("words", REFUSED)
@pytest.mark.parametrize("name", ["games.csv", "games.jsonl", "new.csv", "new.parquet"])
def test_a_refused_command_changes_nothing(
    branchline: Branchline, tmp_path: Path, words: tuple[str, str], name: str
) -> None:
    bot = tmp_path / "leaves.py"
    bot.write_text(
        "class Leaves:\n    def choose(self, view, rng, budget):\n        raise KeyError\n", encoding="utf-8"
    )
    folder = tmp_path / "out"
    folder.mkdir()
    for end in ("csv", "jsonl"):
        (folder / f"games.{end}").write_text("precious\n")
    before = contents(folder)
    words = (words[0], words[1].replace("LEAVES", f"{bot}:Leaves"))
    done = branchline(*WORDS, "--games", "5", "--out", str(folder / name), *words)
    assert done.code == 2
    assert is_one_sentence(done.err)
    assert contents(folder) == before
    assert {path.name for path in folder.iterdir()} == before.keys()


def test_a_run_that_is_stopped_by_a_bot_keeps_what_there_is(branchline: Branchline, tmp_path: Path) -> None:
    bot = tmp_path / "breaks.py"
    bot.write_text(
        "class Breaks:\n"
        "    def choose(self, view, rng, budget):\n"
        "        if view.turn > 5 and rng.below(2000) == 0:\n"
        "            raise KeyError('oops')\n"
        "        return view.legal_indices()[0]\n",
        encoding="utf-8",
    )
    out = tmp_path / "games.jsonl"
    out.write_text("old\n")
    words = ("--games", "80", "--seed", "1", "--bot", f"{bot}:Breaks")
    assert branchline(*WORDS, *words, "--out", str(out)).code == 2
    rows = [json.loads(line)["game"] for line in out.read_text(encoding="utf-8").splitlines()]
    assert 0 < len(rows) < 80
    assert rows == list(range(len(rows)))
    assert {path.name for path in tmp_path.iterdir()} == {"breaks.py", "games.jsonl"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="signals")
def test_ctrl_c_keeps_what_there_is(tmp_path: Path) -> None:
    """The bot plays a game and sleeps in the next, so that the signal comes after one was written."""
    bot, out = tmp_path / "sleeps.py", tmp_path / "games.jsonl"
    bot.write_text(
        "import time\n"
        "class Sleeps:\n"
        "    turn = 0\n"
        "    def choose(self, view, rng, budget):\n"
        "        if view.turn < self.turn:\n"
        "            open(__file__ + '.asked', 'w').close()\n"
        "            time.sleep(3600)\n"
        "        self.turn = view.turn\n"
        "        return view.legal_indices()[rng.below(len(view.legal_indices()))]\n",
        encoding="utf-8",
    )
    out.write_text("old\n")
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "branchline.cli", *WORDS, "--games", "9", "--bot", f"{bot}:Sleeps",
         "--out", str(out), "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_ctrl_c,
    )  # fmt: skip
    while not Path(f"{bot}.asked").exists():
        assert process.poll() is None
    assert out.read_text() == "old\n"
    process.send_signal(signal.SIGINT)
    told, err = process.communicate(timeout=60)
    assert (process.returncode, err, json.loads(told)["games"]) == (130, "", 1)
    assert [json.loads(line)["game"] for line in out.read_text().splitlines()] == [0]
    assert not list(tmp_path.glob("games-*"))


def test_a_new_file_has_the_rights_and_the_links_of_the_old_one(branchline: Branchline, tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    target, link, plain = tmp_path / "to" / "real.txt", tmp_path / "games.csv", tmp_path / "plain"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    plain.touch()
    assert branchline(*WORDS, "--games", "2", "--out", str(link)).code == 0
    assert link.is_symlink()
    assert target.read_text().startswith("game,")
    assert target.stat().st_mode & 0o777 == 0o640
    assert branchline(*WORDS, "--games", "2", "--out", str(tmp_path / "new.csv")).code == 0
    assert (tmp_path / "new.csv").stat().st_mode == plain.stat().st_mode
    long = tmp_path / ("x" * 251 + ".csv")
    assert branchline(*WORDS, "--games", "2", "--out", str(long)).code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"to", "games.csv", "plain", "new.csv", long.name}
    assert [path.name for path in (tmp_path / "to").iterdir()] == ["real.txt"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_not_be_written_is_left(branchline: Branchline, tmp_path: Path) -> None:
    out = tmp_path / "games.csv"
    out.write_text("precious")
    out.chmod(0o400)
    done = branchline(*WORDS, "--games", "2", "--out", str(out))
    assert (done.code, done.err) == (2, f"branchline: --out: {out}: Permission denied\n")
    assert out.read_text() == "precious"


def test_a_folder_is_no_table(branchline: Branchline, tmp_path: Path) -> None:
    (tmp_path / "games.csv").mkdir()
    done = branchline(*WORDS, "--games", "2", "--out", str(tmp_path / "games.csv"))
    assert (done.code, done.err) == (2, f"branchline: --out: {tmp_path / 'games.csv'}: Is a directory\n")
    done = branchline(*WORDS, "--games", "2", "--out", str(tmp_path / "none" / "games.csv"))
    said = f"branchline: --out: {tmp_path / 'none' / 'games.csv'}: No such file or directory\n"
    assert (done.code, done.err) == (2, said)


@FULL
@pytest.mark.parametrize("end", ["csv", "jsonl"])
@pytest.mark.parametrize("many", ["2", "300"])
def test_a_full_disk_is_told(process: Branchline, tmp_path: Path, end: str, many: str) -> None:
    out = tmp_path / f"full.{end}"
    out.symlink_to("/dev/full")
    done = process(*WORDS, "--games", many, "--out", str(out))
    assert (done.code, done.out) == (2, "")
    assert done.err == f"branchline: --out: {out}: No space left on device\n"
    assert out.is_symlink()


def limited(folder: Path, *words: str, most: int = 4096) -> "subprocess.CompletedProcess[str]":
    """A command that may write no file longer than this."""
    resource = pytest.importorskip("resource")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "branchline.cli", *WORDS, *words],
        capture_output=True, text=True, timeout=120, check=False, preexec_fn=limit, cwd=folder,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("--out", "games.csv"),
        ("--out", "games.jsonl"),
        ("--out", "games.parquet"),
        ("--decisions", "d.parquet"),
    ],
)
def test_a_disk_that_fills_up_is_told_and_leaves_nothing_half(tmp_path: Path, option: str, name: str) -> None:
    old = tmp_path / name
    if old.suffix != ".parquet":
        old.write_text("precious")
    done = limited(tmp_path, "--games", "200", option, name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"branchline: {option}: {name}: File too large\n"
    if old.suffix == ".parquet":
        assert not old.exists() or not list(old.iterdir())
    else:
        assert contents(tmp_path) == {name: b"precious"}


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "junk": lambda whole: b"junk\n",
    "nothing": lambda whole: b"",
    "half": lambda whole: whole[: len(whole) // 2],
    "a footer of noise": lambda whole: b"PAR1" + b"\xff" * 50 + b"\x20\0\0\0PAR1",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_file_that_is_no_parquet_is_named(branchline: Branchline, tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "jp.parquet"
    both = ("--out", str(folder), "--decisions", str(folder))
    assert branchline(*WORDS, "--games", "2", "--seed", "7", *both).code == 0
    parts = [folder / f"{kind}-0000000000.parquet" for kind in ("games", "decisions")]
    for part in parts:
        part.write_bytes(DAMAGE[damage](part.read_bytes()))
    before = contents(folder)
    for words in (both[:2], (*both[:2], "--seed", "7"), (*both[2:], "--seed", "7")):
        done = branchline(*WORDS, "--games", "3", *words)
        part = parts[words[0] == "--decisions"]
        assert done.code == 2
        assert done.err == f"branchline: {words[0]}: {part} is damaged, or no Parquet file of ours\n"
    done = branchline("plot", str(folder))
    assert (done.code, done.err) == (2, f"branchline: {parts[0]} is damaged, or no Parquet file of ours\n")
    with pytest.raises(NotThisSeries, match="is damaged"):
        write_games(folder, NEW_YORK, 7, played(3))
    assert contents(folder) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    part = tmp_path / "games-0000000000.parquet"
    os.mkfifo(part)
    with pytest.raises(NotThisSeries, match="is no file"):
        Games(tmp_path, SERIES)


HEADERS = (b"{", b"\xff", b"[]", b"7", b"{}", b'{"version": 1}', b"[" * 100_000, b"1" * 5000, b'{"version": "x"}')


@pytest.mark.parametrize("told", HEADERS, ids=range(len(HEADERS)))
def test_a_header_that_is_none_of_ours_is_refused(branchline: Branchline, tmp_path: Path, told: bytes) -> None:
    folder = tmp_path / "games.parquet"
    folder.mkdir()
    for kind in ("games", "decisions"):
        table = pyarrow.table({"game": [1]}).replace_schema_metadata({b"branchline": told})
        pyarrow.parquet.write_table(table, folder / f"{kind}-0000000000.parquet")
    with pytest.raises(NotThisSeries, match=r"games-0000000000\.parquet has no header of ours"):
        header(folder / "games-0000000000.parquet")
    for words in (("--out",), ("--seed", "7", "--out"), ("--seed", "7", "--decisions")):
        done = branchline(*WORDS, "--games", "3", *words, str(folder))
        assert done.code == 2
        assert is_one_sentence(done.err)
    done = branchline("plot", str(folder))
    assert done.code == 2
    assert is_one_sentence(done.err)


def test_rows_that_are_none_of_ours_are_refused(branchline: Branchline, tmp_path: Path) -> None:
    folder = tmp_path / "games.parquet"
    write_games(folder, NEW_YORK, 7, played(3))
    (part,) = folder.iterdir()
    whole = part.read_bytes()
    table = pyarrow.parquet.read_table(part)
    pyarrow.parquet.write_table(table.drop_columns(["rank"]), part)
    words = (("plot", str(folder)), (*WORDS, "--games", "5", "--seed", "7", "--out", str(folder)))
    for command in words:
        done = branchline(*command)
        assert done.code == 2
        assert f"{part} is damaged, or no Parquet file" in done.err
        assert is_one_sentence(done.err)
    part.write_bytes(whole[:4] + b"\xff" * 600 + whole[604:])
    for command in words:
        done = branchline(*command)
        assert done.code == 2
        assert is_one_sentence(done.err)


def test_decisions_that_do_not_say_how_many_games_they_have_are_refused(branchline: Branchline, tmp_path: Path) -> None:
    folder = tmp_path / "d.parquet"
    words = (*WORDS, "--seed", "7", "--decisions", str(folder))
    assert branchline(*words, "--games", "2").code == 0
    (part,) = folder.iterdir()
    table = pyarrow.parquet.read_table(part)
    head = header(part)
    assert head is not None
    for last in (None, "1", -5, 1.5):
        told = {key: value for key, value in head.items() if key != "last"} | ({} if last is None else {"last": last})
        pyarrow.parquet.write_table(table.replace_schema_metadata({b"branchline": json.dumps(told).encode()}), part)
        done = branchline(*words, "--games", "3")
        assert (done.code, is_one_sentence(done.err)) == (2, True)
        assert "holds other decisions" in done.err


def test_names_of_bots_are_no_markup(branchline: Branchline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "q[").mkdir()
    folder = tmp_path / "q[" / "b]x"
    folder.mkdir()
    (folder / "my.py").write_text(
        "class B:\n    def choose(self, view, rng, budget):\n        return view.legal_indices()[0]\n", encoding="utf-8"
    )
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.chdir(tmp_path)
    done = branchline(*WORDS, "--games", "1", "--bot", "q[/b]x/my.py:B")
    assert done.code == 0
    assert "q[/b]x/my.py:B" in done.out
