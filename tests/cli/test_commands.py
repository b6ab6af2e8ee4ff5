"""What all commands have in common: help with an example, one sentence for wrong input, quiet ends."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from branchline.cli import COMMANDS
from tests.cli.conftest import Branchline, heed_ctrl_c


def test_without_a_command_there_is_help(branchline: Branchline) -> None:
    for words in ([], ["--help"], ["-h"]):
        done = branchline(*words)
        assert done.code == 0
        assert all(f"  {command} " in done.out for command in COMMANDS)


def test_version(branchline: Branchline) -> None:
    done = branchline("--version")
    assert done.code == 0
    assert done.out.startswith("branchline 0.")
    assert "compiled" in done.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(branchline: Branchline, command: str) -> None:
    done = branchline(command, "--help")
    assert done.code == 0
    assert "example" in done.out
    assert f"\n  branchline {command} " in done.out


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"play", "serve", "bots", "backup", "move", "draw", "plot"}))
def test_what_reports_can_do_it_in_json(branchline: Branchline, command: str) -> None:
    assert "--json" in branchline(command, "--help").out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["fly"], "there is no command 'fly'"),
        (["--fly"], "there is no command '--fly'"),
        (["count"], "the following arguments are required: MAP"),
        (["count", "mars"], "mars: No such file or directory; the maps that come along are europe and new-york"),
        (["count", "europe", "--seats", "6"], "europe is for 2 to 5 seats, not 6"),
        (["count", "new-york", "--seats", "5"], "new-york is for 2 to 4 seats, not 5"),
        (["count", "europe", "--depth", "-1"], "expected a whole number from 0 on, not '-1'"),
        (["count", "europe", "--depth", "two"], "expected a whole number from 0 on, not 'two'"),
        (["count", "europe", "--seed", "\udcff"], "argument --seed: expected text in UTF-8"),
        (["count", "europe", "--seed"], "argument --seed: expected one argument"),
        (["count", "europe", "--colour"], "unrecognized arguments: --colour"),
        (["simulate", "europe", "--games", "0"], "expected a whole number from 1 on, not '0'"),
        (["simulate", "europe", "--bot", "oracle"], "no bot 'oracle': the names are random"),
        (["simulate", "europe", "--out", "games.txt"], "games.txt should end in .jsonl, .csv or .parquet"),
        (["simulate", "europe", "--out", "/nowhere/games.csv"], "/nowhere/games.csv: No such file or directory"),
        (["replay", "nothing.json"], "nothing.json: No such file or directory"),
        (["verify", "nothing.json"], "nothing.json: No such file or directory"),
        (["verify", "README.md"], "README.md: not JSON"),
        (["verify", "src/branchline/maps/europe.json"], "format: expected 'branchline-record-1'"),
        (["verify", "src"], "src: Is a directory"),
        (["bench"], "the following arguments are required: WHAT"),
        (["bench", "web"], "invalid choice: 'web'"),
        (["serve", "--port", "many"], "port: expected a number, not 'many'"),
        (["backup", "copy.db", "--data", "nowhere"], "there is no database"),
        (["play", "--text", "--seats", "1"], "europe is for 2 to 5 seats, not 1"),
        (["play", "--text", "--seat", "3"], "--seat: there are the seats 0 to 2"),
        (["play", "--text", "--bots", "oracle"], "no bot 'oracle'"),
        (["play", "--text", "--bots", "random", "random", "random"], "2 other seats take 1 or 2 names, not 3"),
    ],
)
def test_wrong_input_gets_one_sentence(branchline: Branchline, words: list[str], sentence: str) -> None:
    done = branchline(*words)
    assert done.code == 2
    assert done.out == ""
    assert sentence in done.err
    assert done.err.startswith("branchline: ")
    assert done.err.count("\n") == 1


def test_a_map_with_faults_names_the_first(branchline: Branchline, tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    path.write_text("{}", encoding="utf-8")
    done = branchline("count", str(path))
    assert done.code == 2
    assert "check-map" in done.err
    assert done.err.count("\n") == 1


def test_check_map(branchline: Branchline, tmp_path: Path) -> None:
    assert branchline("check-map", "src/branchline/maps/europe.json").out.endswith(
        "(47 cities, 101 routes, 46 tickets)\n"
    )
    path = tmp_path / "map.json"
    path.write_text("{}", encoding="utf-8")
    assert branchline("check-map", str(path)).code == 1
    assert branchline("check-map", str(tmp_path / "none.json")).code == 2


def test_python_m_is_the_command_too(process: Branchline) -> None:
    assert process("--version").out.startswith("branchline ")
    done = process("fly")
    assert done.code == 2
    assert "Traceback" not in done.err


def test_a_reader_who_has_enough_is_no_error(record_file: Path) -> None:
    command = f"{sys.executable} -W error -m branchline.cli replay {record_file} | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.startswith("Europe, 3 seats")
    assert done.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_at_the_table_is_quiet() -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-W", "error", "-m", "branchline.cli", "play", "--text"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_ctrl_c,
    )
    assert process.stdout is not None
    read = ""
    while not read.endswith("\n> "):
        read += process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert err == ""
