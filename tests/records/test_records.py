"""Whole games come out the same each time, and a record that was tampered with is refused."""

import hmac
import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from branchline import Game, Record
from branchline.codec import to_line
from branchline.record import commitment
from tests.records.make_records import GAMES

HERE = Path(__file__).parent
RECORDS = sorted(HERE.glob("*.json"))


def test_the_games_are_there() -> None:
    assert {path.stem for path in RECORDS} >= set(GAMES)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_game_comes_out_the_same(path: Path, tmp_path: Path) -> None:
    record = Record.load(path)
    verdict = record.verify()
    assert verdict.ok, verdict.checks
    assert {check.what for check in verdict.checks} >= {"rules", "map", "actions", "result"}
    *_, (game, seat, action, happened) = record.replay()
    assert game.over
    assert json.loads(json.dumps(game.scores().to_dict())) == record.result
    assert (seat, action) == record.log[-1]
    assert to_line(happened[-1]) == "ended"
    record.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    assert Record.of(game, record.players, seed=record.seed).to_dict() == record.to_dict()


def first(data: dict[str, Any], word: str) -> int:
    return next(n for n, (_, line) in enumerate(data["log"]) if line.split()[0] == word)


def another_action(data: dict[str, Any]) -> None:
    data["log"][first(data, "draw")][1] = "draw 1" if data["log"][first(data, "draw")][1] != "draw 1" else "draw 0"


def another_claim(data: dict[str, Any]) -> None:
    """The same route for cards that the seat does not have."""
    n = first(data, "claim")
    route = data["log"][n][1].split()[1]
    data["log"][n][1] = f"claim {route} 14 wild"


def another_seat(data: dict[str, Any]) -> None:
    n = first(data, "draw")
    data["log"][n][0] = (data["log"][n][0] + 1) % len(data["players"])


def one_action_less(data: dict[str, Any]) -> None:
    del data["log"][-1]


def one_action_more(data: dict[str, Any]) -> None:
    data["log"].append([0, "draw ?"])


def another_score(data: dict[str, Any]) -> None:
    data["result"]["seats"][0]["total"] += 1


def another_winner(data: dict[str, Any]) -> None:
    data["result"]["winners"] = [(data["result"]["winners"][0] + 1) % len(data["players"])]


def no_result(data: dict[str, Any]) -> None:
    data["result"] = None


def another_key(data: dict[str, Any]) -> None:
    data["key"] = data["key"][:-1] + ("0" if data["key"][-1] != "0" else "1")


def another_key_without_seed(data: dict[str, Any]) -> None:
    another_key(data)
    data["seed"] = None


def another_seed(data: dict[str, Any]) -> None:
    data["seed"] = "something else"


def another_first_seat(data: dict[str, Any]) -> None:
    data["first"] = 0


def another_map_hash(data: dict[str, Any]) -> None:
    data["map_hash"] = "0" * 64


def another_map(data: dict[str, Any]) -> None:
    """A longer route, though the hash says otherwise."""
    data["map"] = Record.from_dict(data).map.to_dict()
    data["map"]["tickets"][0]["points"] += 1


def other_rules(data: dict[str, Any]) -> None:
    data["rules"] = 99


FORGED: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (another_action, "actions"),
    (another_claim, "actions"),
    (another_seat, "actions"),
    (one_action_less, "result"),
    (one_action_more, "actions"),
    (another_score, "result"),
    (another_winner, "result"),
    (no_result, "result"),
    (another_key, "seed"),
    (another_key_without_seed, "actions"),
    (another_seed, "seed"),
    (another_first_seat, "actions"),
    (another_map_hash, "map"),
    (another_map, "map"),
    (other_rules, "rules"),
]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
@pytest.mark.parametrize(("forge", "fails"), FORGED, ids=lambda value: getattr(value, "__name__", None))
def test_a_forged_record_is_not_verified(path: Path, forge: Callable[[dict[str, Any]], None], fails: str) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    forge(data)
    verdict = Record.from_dict(data).verify()
    assert not verdict.ok
    failed = {check.what: check.detail for check in verdict.checks if not check.ok}
    # A changed draw may leave all later actions legal: then the scores give it away.
    assert fails in failed or (fails == "actions" and "result" in failed)
    assert all(failed.values())


def nonsense(text: str) -> list[tuple[str, str]]:
    """What a file may hold instead of a record, and what is said of it."""
    data = json.loads(text)

    def changed(**fields: object) -> str:
        return json.dumps(data | fields)

    return [
        ("", "not JSON"),
        ("{", "not JSON"),
        (text[: len(text) // 2], "not JSON"),
        ("[1, 2]", "format"),
        ("null", "format"),
        ("{}", "format"),
        (changed(format="branchline-record-99"), "format"),
        (json.dumps({key: value for key, value in data.items() if key != "log"}), "log: is missing"),
        (json.dumps({key: value for key, value in data.items() if key != "key"}), "key: is missing"),
        (changed(log=[[0, "fly to the moon"]]), "fly"),
        (changed(log=[["0", "pass"]]), "log: expected a seat"),
        (changed(log=[[0, "claim"]]), "claim"),
        (changed(log=[[0]]), "log"),
        (changed(log=[[0, 7]]), "log"),
        (changed(log=7), "log"),
        (changed(log=[7]), "log"),
        (changed(key="xyz"), "key"),
        (changed(key="00"), "key"),
        (changed(key=""), "key"),
        (changed(key=7), "key"),
        (changed(players=data["players"] * 9), "players"),
        (changed(players=[]), "players"),
        (changed(players=[7, 7]), "players"),
        (changed(players=7), "players"),
        (changed(first=17), "first"),
        (changed(first="0"), "first"),
        (changed(seed=[1]), "seed"),
        (changed(seed={"bytes": "xyz"}), "seed"),
        (changed(entropy="xyz"), "entropy"),
        (changed(rules="one"), "rules"),
        (changed(map="atlantis"), "atlantis"),
        (changed(map={"format": "branchline-map-1"}), "missing"),
    ]


SAMPLE = (HERE / "new-york-2.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(("text", "says"), nonsense(SAMPLE), ids=range(len(nonsense(SAMPLE))))
def test_what_is_no_record_is_refused_in_words(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=says) as refusal:
        Record.load(path)
    assert type(refusal.value).__name__ in ("ValueError", "MapError")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"nothing\.json"):
        Record.load(tmp_path / "nothing.json")


def test_the_commitment_is_what_the_page_says() -> None:
    """Published is the hash of the seed as it is; the hash with the letter in front is what the key is made with."""
    page = (HERE.parents[1] / "docs" / "records.md").read_text(encoding="utf-8")
    section = page.split("### The commitment, worked out")[1].split("## A position")[0]
    rows = [row for row in section.splitlines() if row.startswith("| ") and "`" in row]
    seed, published, secret, entropy, key = (row.split("`")[-2] for row in rows)
    assert commitment(bytes.fromhex(seed)) == published == sha256(bytes.fromhex(seed)).hexdigest()
    assert secret == sha256(b"b" + bytes.fromhex(seed)).hexdigest()
    assert hmac.new(bytes.fromhex(secret), b"branchline-shuffle-1" + entropy.encode(), sha256).hexdigest() == key
    game = Game.new("new-york", 3, bytes.fromhex(seed), entropy=entropy.encode())
    assert game.key.hex() == key
    record = replace(Record.of(game, seed=bytes.fromhex(seed), entropy=entropy.encode()), commitment=published)
    assert record.verify().ok
    for wrong in (secret, key, "0" * 64):
        verdict = replace(record, commitment=wrong).verify()
        assert [check.what for check in verdict.checks if not check.ok] == ["commitment"]


def test_a_record_without_the_hash_of_its_map_is_not_verified() -> None:
    record = replace(Record.of(Game.new("new-york", 2, 1)), map_hash="")
    assert [check.what for check in record.verify().checks if not check.ok] == ["map"]
