"""`branchline bench`: that it measures, not what."""

import json
import sys
from types import SimpleNamespace

import pytest

from branchline.cli import yardsticks
from branchline.cli.measures import Course
from branchline.maps import BUNDLED, load_map
from tests.cli.conftest import Branchline


def test_the_report(branchline: Branchline) -> None:
    done = branchline("bench", "engine", "--repeats", "1", "--games", "1", "--json")
    assert done.code == 0
    assert done.err == ""
    report = json.loads(done.out)
    for figure in (
        "playouts_per_second",
        "step_microseconds",
        "copy_nanoseconds",
        "view_microseconds",
        "world_microseconds",
    ):
        assert report[figure] == report["maps"]["europe"][figure] > 0
    assert set(report["maps"]) == set(BUNDLED)
    assert all(figure > 0 for figures in report["maps"].values() for figure in figures.values())
    assert report["import_milliseconds"] > 0
    assert isinstance(report["compiled"], bool)


def test_the_report_in_words(branchline: Branchline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("branchline.cli.bench.import_milliseconds", lambda: 80.0)
    monkeypatch.setattr(
        "branchline.cli.bench.yardsticks", lambda seconds: {"another": lambda: {"games_per_second": 25.0}}
    )
    out = branchline("bench", "engine", "--repeats", "1", "--games", "1").out
    assert "playouts per second" in out
    assert "another" in out
    monkeypatch.setattr("branchline.cli.bench.yardsticks", lambda seconds: {})
    assert "pip install 'branchline[yardsticks]'" in branchline("bench", "engine", "--repeats", "1", "--games", "1").out


def test_a_course_is_the_same_each_time() -> None:
    course = Course(load_map("new-york"), 1)
    first = [(state.numbers(), memory.numbers()) for state, memory in course._moments()]
    assert first == [(state.numbers(), memory.numbers()) for state, memory in course._moments()]
    assert len(first) == 3 * len(course.seats)


def test_yardsticks_that_are_not_installed_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yardsticks, "find_spec", lambda name: None)
    assert yardsticks.yardsticks() == {}


def test_yardsticks_are_driven_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """With stand-ins; the real ones were measured for docs/performance.md."""

    class Dice:
        def __init__(self) -> None:
            self.moves = 0

        def is_terminal(self) -> bool:
            return self.moves == 6

        def is_chance_node(self) -> bool:
            return self.moves % 2 == 0

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return [(0, 0.5), (1, 0.5)]

        def legal_actions(self) -> list[int]:
            return [3]

        def apply_action(self, action: int) -> None:
            assert action in (0, 1, 3)
            self.moves += 1

    played = []
    game = SimpleNamespace(new_initial_state=Dice)
    catan = SimpleNamespace(
        Color=SimpleNamespace(RED=0, BLUE=1),
        RandomPlayer=lambda colour: colour,
        Game=lambda players, seed: SimpleNamespace(play=lambda: played.append(players)),
    )
    monkeypatch.setitem(sys.modules, "pyspiel", SimpleNamespace(load_game=lambda name: game))
    monkeypatch.setitem(sys.modules, "catanatron", catan)
    monkeypatch.setattr(yardsticks, "find_spec", lambda name: name)
    figures = {name: measure() for name, measure in yardsticks.yardsticks(0.01).items()}
    assert list(figures) == ["catanatron, two random players", "OpenSpiel hearts", "OpenSpiel backgammon"]
    assert all(figure > 0 for row in figures.values() for figure in row.values())
    assert played[0] == [0, 1]


def test_the_servers_report(branchline: Branchline) -> None:
    load = ("--tables", "2", "--seconds", "1", "--rate", "20", "--map", "new-york")
    done = branchline("bench", "server", *load, "--json")
    assert done.code == 0
    (report,) = json.loads(done.out)
    assert report["load"]["tables"] == 2
    assert report["actions"] > 0
    assert 0 < report["p50_ms"] <= report["p99_ms"]


def test_the_servers_report_in_words(branchline: Branchline) -> None:
    out = branchline("bench", "server", "--tables", "2", "--seconds", "1").out
    assert out.count("2 tables of 2 on europe") == 2
    assert "as fast as they go" in out
    assert "(p99)" in out


def test_bots_are_measured_as_text_and_json(branchline: Branchline) -> None:
    rows = json.loads(branchline("bench", "bots", "--games", "1", "--json").out)
    assert [(row["map"], row["seats"]) for row in rows] == [
        ("europe", 2),
        ("europe", 4),
        ("new-york", 2),
        ("new-york", 4),
    ]
    assert all(row["expert_nodes_per_second"] > 0 and row["worlds_per_second"] > 0 for row in rows)
    assert "regular decisions per second" in branchline("bench", "bots", "--games", "1").out


def test_several_servers_are_measured_beside_one(branchline: Branchline, database: str, redis: str) -> None:
    flags = ["--servers", "1,2", "--tables", "2", "--quiet", "1", "--seconds", "1", "--map", "new-york", "--json"]
    done = branchline("bench", "server", *flags, "--database", database, "--bus", redis)
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert [one["name"] for one in found] == ["sqlite", "1 server", "2 servers"]
    assert all(one["half"]["actions"] > 0 and one["half"]["p99_ms"] > 0 for one in found)
    assert found[0]["redis_ms"] is None
    assert all(one["redis_ms"] is not None for one in found[1:])


def test_the_people_of_a_table_are_measured_at_one_server(branchline: Branchline, database: str, redis: str) -> None:
    flags = ["--servers", "2", "--together", "--tables", "2", "--seconds", "1", "--map", "new-york"]
    done = branchline("bench", "server", *flags, "--database", database, "--bus", redis)
    assert done.code == 0, done.err
    assert "each table at one server" in done.out
    assert "2 servers" in done.out
    slow = branchline("bench", "server", *flags, "--rate", "20", "--json", "--database", database, "--bus", redis)
    assert slow.code == 0, slow.err
    found = json.loads(slow.out)
    assert [one["fast"] for one in found] == [None, None]
    assert [one["half"]["load"]["rate"] for one in found] == [20, 40]  # for each server
    alone = branchline("bench", "server", "--together")
    assert alone.code == 2
    assert "--servers" in alone.err


def test_several_servers_need_a_database_and_a_bus(branchline: Branchline) -> None:
    done = branchline("bench", "server", "--servers", "2")
    assert done.code == 2
    assert "--database postgresql://" in done.err
