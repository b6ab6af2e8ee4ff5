"""Puzzles: each can be shown, solved and failed; the one of the day follows a public rule."""

import json
from collections import Counter
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from branchline import Game, load_map
from branchline.engine.shuffle import Rng
from branchline.review.puzzles import KINDS, Puzzle, by_id, of_the_day, shipped
from branchline.review.puzzles.format import meaning
from branchline.review.puzzles.making import Maker, kinds_of
from branchline.review.puzzles.rating import rating
from branchline.review.puzzles.sets import PuzzleSet


def test_each_puzzle_is_a_position_in_which_its_answers_are_legal() -> None:
    for puzzle in shipped():
        view = puzzle.view()
        legal = view.legal_actions()
        assert puzzle.best in legal, puzzle.id
        assert all(answer.action in legal for answer in puzzle.others), puzzle.id
        assert view.seat in view.to_act
        assert puzzle.solved_by(puzzle.best)
        assert not puzzle.solved_by(puzzle.second), puzzle.id
        assert puzzle.kind in KINDS


def test_the_best_is_clearly_best() -> None:
    for puzzle in shipped():
        assert puzzle.lead.value - 1.96 * puzzle.lead.error > 0, puzzle.id
        assert puzzle.lead.value >= 0.05, puzzle.id
        assert all(answer.behind.value >= puzzle.lead.value for answer in puzzle.others), puzzle.id


def test_what_is_not_legal_is_no_answer() -> None:
    puzzle = shipped()[0]
    foreign = next(p for p in shipped() if p.best not in puzzle.view().legal_actions())
    with pytest.raises(ValueError, match="not a legal action"):
        puzzle.solved_by(foreign.best)


def test_json_and_back() -> None:
    for puzzle in shipped()[:20]:
        assert Puzzle.from_dict(json.loads(json.dumps(puzzle.to_dict()))).to_dict() == puzzle.to_dict()
        assert by_id(puzzle.id) is puzzle
    assert by_id("nowhere") is None


def test_none_comes_again_before_all_have_come() -> None:
    n = len(shipped())
    begin = date.fromordinal(date(2026, 11, 17).toordinal() // n * n)
    days = [of_the_day(begin + timedelta(i)).id for i in range(n)]
    assert sorted(days) == sorted(puzzle.id for puzzle in shipped())
    assert days != [of_the_day(begin + timedelta(n + i)).id for i in range(n)], "another round, another order"


def test_anybody_can_work_out_the_puzzle_of_the_day() -> None:
    day = date(2026, 11, 17)
    ids = [puzzle.id for puzzle in shipped()]
    number, place = divmod(day.toordinal(), len(ids))
    ordered = sorted(ids, key=lambda id: sha256(f"{number} {id}".encode()).hexdigest())
    assert of_the_day(day).id == ordered[place]


def test_what_fewer_bots_find_is_rated_higher() -> None:
    everybody = rating({"novice": 1, "amateur": 1, "regular": 1, "expert": 1})
    most = rating({"novice": 0, "amateur": 1, "regular": 1, "expert": 1})
    some = rating({"novice": 0, "amateur": 0, "regular": 0, "expert": 0.5})
    nobody = rating({"novice": 0, "amateur": 0, "regular": 0, "expert": 0})
    assert everybody < most < some < nobody


def test_making_repeats_in_one_go_or_in_several_and_takes_so_many_of_a_kind(tmp_path: Path) -> None:
    map, file = load_map("new-york"), tmp_path / "set.json"
    whole = PuzzleSet(map.id, "judge", first=2, most=1)
    whole.grow(map)
    assert whole.puzzles
    assert max(Counter(puzzle.kind for puzzle in whole.puzzles).values()) == 1
    whole.write(file)
    again = PuzzleSet.from_dict(json.loads(file.read_text("utf-8")))
    assert (again.games, again.first, again.most, again.judge) == (1, 2, 1, "judge")
    new = PuzzleSet(map.id, "judge", first=2, most=1)
    new.grow(map)
    new.write(tmp_path / "new.json")
    assert (tmp_path / "new.json").read_bytes() == file.read_bytes()
    assert again.full() == {puzzle.kind for puzzle in whole.puzzles}


def test_a_kind_of_which_there_are_enough_is_passed_over() -> None:
    view = Game.new("europe", 3, 1).view(0)
    assert kinds_of(view) == {"tickets"}
    assert Maker(view.map).look(view, Rng(1), "europe-0-0", {"tickets"}) is None


def test_an_answer_that_was_asked_for_in_a_game_is_not_asked_for_again() -> None:
    sure = max((p for p in shipped() if p.map == "new-york" and p.kind == "race"), key=lambda p: p.lead.value)
    view, maker = sure.view(), Maker(load_map(sure.map))
    again = maker.look(view, Rng(1), "new-york-0-0")
    assert again is not None
    assert again.best == sure.best
    assert maker.look(view, Rng(1), "new-york-0-0", asked={meaning(view, sure.best)}) is None


def test_no_game_asks_a_seat_for_the_same_twice() -> None:
    answers = [(p.id.rpartition("-")[0], p.view().seat, meaning(p.view(), p.best)) for p in shipped()]
    assert len(set(answers)) == len(answers)


def test_at_least_two_hundred_of_both_maps_and_every_kind() -> None:
    assert len(shipped()) >= 200
    assert {puzzle.map for puzzle in shipped()} == {"europe", "new-york"}
    assert {puzzle.kind for puzzle in shipped()} == set(KINDS)
    assert len({puzzle.id for puzzle in shipped()}) == len(shipped())
