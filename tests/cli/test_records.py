"""`branchline verify` and `branchline replay`."""

import json
from pathlib import Path
from typing import Any

import pytest

from branchline import Record
from tests.cli.conftest import Branchline, random_game


def changed(path: Path, tmp_path: Path, **fields: Any) -> str:
    data = json.loads(path.read_text(encoding="utf-8")) | fields
    out = tmp_path / "changed.json"
    out.write_text(json.dumps(data), encoding="utf-8")
    return str(out)


def test_a_true_record_holds(branchline: Branchline, record_file: Path) -> None:
    done = branchline("verify", str(record_file))
    assert done.code == 0
    assert [line.split()[:2] for line in done.out.splitlines()[:5]] == [
        ["ok", what] for what in ("rules", "map", "seed", "actions", "result")
    ]
    assert "every action was legal when it was done" in done.out
    assert "No record can show:" in done.out


def test_the_verdict_in_json(branchline: Branchline, record_file: Path) -> None:
    data = json.loads(branchline("verify", str(record_file), "--json").out)
    assert data["ok"]
    assert {check["what"]: check["ok"] for check in data["checks"]}["result"]
    assert data["vouches"]
    assert data["cannot"]


def test_a_record_that_was_changed_does_not_hold(branchline: Branchline, record_file: Path, tmp_path: Path) -> None:
    data = json.loads(record_file.read_text(encoding="utf-8"))
    result = data["result"] | {"winners": [0, 1, 2]}
    log = [*data["log"][:10], [data["log"][10][0], "claim palermo-smyrna 4 red 2 wild"], *data["log"][11:]]
    for fields, what in (({"seed": 8}, "seed"), ({"result": result}, "result"), ({"log": log}, "actions")):
        path = changed(record_file, tmp_path, **fields)
        done = branchline("verify", path)
        assert done.code == 1
        assert f"WRONG  {what}" in done.out
        assert f"does not hold: {what}" in done.out
        assert json.loads(branchline("verify", path, "--json").out)["ok"] is False
    assert branchline("replay", changed(record_file, tmp_path, log=log)).code == 2


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"players": []}, "players: europe is for 2 to 5 seats"),
        ({"players": 3}, "players: expected a list"),
        ({"first": 9}, "first: there is no seat 9"),
        ({"key": ""}, "key: has 32 bytes, not 0"),
        ({"key": "xyz"}, "hexadecimal"),
        ({"log": [[0, "fly"]]}, "no action begins with 'fly'"),
        ({"log": 3}, "log: expected a list"),
        ({"map": "mars"}, "its map can't be played: map: no map is called 'mars'"),
        ({"map": {}}, "its map can't be played"),
        ({"rules": "one"}, "changed.json"),
        ({"seed": [7]}, "seed: a number"),
        ({"seed": "\ud800"}, "seed: is not text that UTF-8 can write"),
    ],
)
def test_what_is_no_record_gets_one_sentence(
    branchline: Branchline, record_file: Path, tmp_path: Path, fields: dict[str, Any], sentence: str
) -> None:
    for command in ("verify", "replay"):
        done = branchline(command, changed(record_file, tmp_path, **fields))
        assert done.code == 2
        assert done.err.startswith("branchline: ")
        assert sentence in done.err
        assert done.err.count("\n") == 1


def test_a_replay_tells_every_step(branchline: Branchline, record_file: Path) -> None:
    record = Record.load(record_file)
    done = branchline("replay", str(record_file))
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[:3] == ["Europe, 3 seats", "Cid is the bot random", "   0  the deal"]
    steps = [line for line in lines if line[:4].strip().isdigit()]
    assert len(steps) == len(record.log) + 1
    assert "      turn 1, " in done.out
    assert "the game is over" in done.out
    winners = " and ".join(record.players[seat].name for seat in (record.result or {})["winners"])
    assert lines[-1].startswith(f"{winners} won by ")


def test_a_name_that_can_not_be_printed_stops_nothing(process: Branchline, record_file: Path, tmp_path: Path) -> None:
    players = [{"name": name, "bot": None} for name in ("\ud800", "歐", "x")]
    done = process("replay", changed(record_file, tmp_path, players=players), "--step", "1")
    assert (done.code, done.err) == (0, "")
    assert "?: keep" in done.out


def test_a_replay_as_a_seat_saw_it_tells_no_secret(branchline: Branchline, record_file: Path) -> None:
    everything = branchline("replay", str(record_file)).out
    seen = branchline("replay", str(record_file), "--seat", "1").out
    assert "Ann drew a card from the deck" in seen
    assert "Ann drew a card from the deck" not in everything
    assert "Bea drew a card from the deck" not in seen
    opening = seen.partition("turn 1,")[0]
    assert "Ann: keep" not in opening
    assert "Bea: keep" in opening
    for _, action in list(Record.load(record_file).log)[:1]:
        for ticket in action.tickets:  # type: ignore[union-attr]
            assert ticket not in opening


def test_one_step_with_the_table_after_it(branchline: Branchline, record_file: Path) -> None:
    out = branchline("replay", str(record_file), "--step", "30").out
    assert out.count("\n  30  ") == 1
    assert "\n  31  " not in out
    assert "Row " in out
    assert "Ann holds " in out
    own = branchline("replay", str(record_file), "--step", "30", "--seat", "2").out
    assert "Hand " in own
    assert "holds" not in own
    last = len(Record.load(record_file).log)
    assert branchline("replay", str(record_file), "--step", str(last)).code == 0
    assert branchline("replay", str(record_file), "--step", str(last + 1)).code == 2
    assert branchline("replay", str(record_file), "--seat", "3").code == 2


def test_a_replay_in_json(branchline: Branchline, record_file: Path) -> None:
    steps = [json.loads(line) for line in branchline("replay", str(record_file), "--json").out.splitlines()]
    assert [step["step"] for step in steps] == list(range(len(steps)))
    assert steps[0]["seat"] is None
    assert steps[-1]["events"][-1] == {"is": "ended"}
    own = [
        json.loads(line) for line in branchline("replay", str(record_file), "--json", "--seat", "1").out.splitlines()
    ]
    assert all(step["action"] is None for step in own if step["seat"] != 1)
    assert all(step["action"] is not None for step in own if step["seat"] == 1)
    drawn = [event for step in own for event in step["events"] if event["is"] == "drawn"]
    assert all((event["card"] is None) == (event["seat"] != 1) for event in drawn)


def test_a_game_that_had_not_ended(branchline: Branchline, tmp_path: Path) -> None:
    path = tmp_path / "short.json"
    Record.of(random_game("new-york", 2, 3, 12)).save(path)
    out = branchline("replay", str(path)).out
    assert "Seat 0" in out
    assert out.endswith("The record ends here; the game had not ended.\n")
    done = branchline("verify", str(path))
    assert done.code == 0
    assert "the record does not tell its seed" in done.out


def test_a_name_does_not_steer_the_terminal(branchline: Branchline, record_file: Path, tmp_path: Path) -> None:
    """Escape codes, their one-byte kind, a new line and a turned direction, in names and wherever a sentence quotes."""
    names = ("\x1b[2J\x1b]0;owned\x07", "\x9b31mred", "Ann\nBob won\u202e")
    players = [{"name": name, "bot": None if n else "\x1b[1m"} for n, name in enumerate(names)]
    path = changed(record_file, tmp_path, players=players)
    outs = [
        branchline("replay", path),
        branchline("replay", path, "--step", "3"),
        branchline("replay", path, "--json"),
        branchline("verify", path),
        branchline("verify", path, "--json"),
        branchline("verify", changed(record_file, tmp_path, map={"\x1b[2J": 1})),
        branchline("verify", changed(record_file, tmp_path, log=[[0, "fly\x1b[2J\x9b"]])),
        branchline("replay", changed(record_file, tmp_path, log=[[0, "keep \x1b[2J\x9b"]])),
        branchline("check-map", changed(record_file, tmp_path, **{"\x9b2J\u202e": 1})),
    ]
    for done in outs:
        for text in (done.out, done.err):
            assert not set("\x1b\x07\x9b\u202e") & set(text)
    assert "\\x1b[2J\\x1b]0;owned\\x07: keep" in outs[0].out
    assert "Ann\\nBob won\\u202e" in outs[0].out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"format": "branchline-record-1", "map": ' + "[" * 100_000, "nested too deeply"),
        ("9" * 5000, "not JSON"),
        ("\x00", "not JSON"),
    ],
)
def test_no_text_gets_a_traceback(branchline: Branchline, tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "odd.json"
    path.write_text(text, encoding="utf-8")
    for command in ("verify", "replay"):
        done = branchline(command, str(path))
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert sentence in done.err


@pytest.mark.parametrize(
    "fields",
    [
        {"map": None}, {"map": 7}, {"map": []}, {"players": [{"name": 7, "bot": None}] * 3}, {"result": 7},
        {"players": [{"name": "x" * 500, "bot": None}] * 3}, {"map_hash": 7}, {"map_hash": "x"}, {"commitment": "abc"},
        {"seed": 10**4200}, {"entropy": None}, {"first": 1 << 70}, {"rules": 0.5}, {"log": [[0, "claim x 1 red", 3]]},
    ],
    ids=str,
)  # fmt: skip
def test_a_field_of_a_wrong_type_is_named(
    branchline: Branchline, record_file: Path, tmp_path: Path, fields: dict[str, Any]
) -> None:
    for command in ("verify", "replay"):
        done = branchline(command, changed(record_file, tmp_path, **fields))
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert f": {next(iter(fields))}: " in done.err or " map: " in done.err


def test_a_record_that_names_no_hash_of_its_map_does_not_hold(
    branchline: Branchline, record_file: Path, tmp_path: Path
) -> None:
    done = branchline("verify", changed(record_file, tmp_path, map_hash=""))
    assert done.code == 1
    assert "WRONG  map" in done.out
