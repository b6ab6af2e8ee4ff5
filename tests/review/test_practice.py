"""Play on from here: any moment of a finished game, as it was or dealt anew; never of a running one (R8)."""

from dataclasses import replace
from pathlib import Path

import pytest

from branchline import Record
from branchline.bots import load, play_on
from branchline.engine.shuffle import Rng
from branchline.review import NotReviewed, practice

RECORDS = Path(__file__).parent.parent / "records"


@pytest.fixture(scope="module", params=["new-york-3", "europe-3"])
def record(request: pytest.FixtureRequest) -> Record:
    return Record.load(RECORDS / f"{request.param}.json")


def test_as_it_really_was_the_same_actions_lead_to_the_same_end(record: Record) -> None:
    at = len(record.log) // 2
    game = practice(record, at, 1, redeal=False)
    for seat, action in record.log[at:]:
        game.play(seat, action)
    assert Record.of(game).to_dict()["result"] == record.to_dict()["result"]
    assert game.key == record.key


def test_dealt_anew_the_seat_can_tell_no_difference_and_the_rest_is_another(record: Record) -> None:
    differ = 0
    for at in range(0, len(record.log), 17):
        real = practice(record, at, 1, redeal=False)
        game = practice(record, at, 1, redeal=True, rng=Rng(at))
        assert game.view(1) == real.view(1)
        assert game.key != record.key, "later shuffles are no longer the game's"
        differ += game.view(0) != real.view(0)
    assert differ > 1


def test_it_can_be_played_to_its_end(record: Record) -> None:
    game = practice(record, len(record.log) // 3, 0, redeal=True, rng=Rng(4))
    assert play_on(game, [load("regular")] * game.seats).over


def test_a_running_game_can_never_be_forked(record: Record) -> None:
    running = replace(record, log=record.log[:-5], result=None)
    with pytest.raises(NotReviewed, match="has not ended"):
        practice(running, 3, 0, redeal=False)
    pretends = replace(running, result=record.result)
    with pytest.raises(NotReviewed, match="does not hold"):
        practice(pretends, 3, 0, redeal=False)


@pytest.mark.parametrize(("at", "seat"), [(-1, 0), (10_000, 0), (0, 3), (0, -1)])
def test_there_is_no_such_moment_or_seat(record: Record, at: int, seat: int) -> None:
    with pytest.raises(NotReviewed, match=r"at:|seat:"):
        practice(record, at, seat, redeal=False)
