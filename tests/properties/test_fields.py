"""A field of the state or of a sight stands once: copying, numbers and restoring know all of them."""

import pickle
import subprocess
from pathlib import Path

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from branchline import Game, Rng
from branchline.engine.fields import unshare
from branchline.engine.playout import playout
from branchline.engine.public import SHARED, WRITTEN
from branchline.engine.sight import Sight
from branchline.engine.state import State

ROOT = Path(__file__).parents[2]
GIVEN = {"board", "seats", "shuffler", "memory", "happenings", "shared"}
"""What is given to a state or sight when it is made, or is no part of it."""


def fields(of: State | Sight) -> list[str]:
    names = {name for kind in type(of).__mro__ for name in getattr(kind, "__mypyc_attrs__", ())} or set(vars(of))
    return sorted(name for name in names - GIVEN if not name.startswith("_"))


def changed(value: object) -> object:
    return value + 1 if isinstance(value, int) else vec[i64]([7, 7])


def test_what_is_made_from_the_fields_is_up_to_date() -> None:
    done = subprocess.run([ROOT / "scripts/fields", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def state() -> State:
    return Game.new("europe", 3, 5).state


@pytest.mark.parametrize("name", fields(Game.new("europe", 3, 5).state))
def test_every_field_of_a_state_is_copied_counted_and_restored(state: State, name: str) -> None:
    other = state.copy()
    if name == "deck_left":
        other.deck_left -= 1  # what lies above has been drawn: the deck itself tells nothing more
    else:
        setattr(other, name, changed(getattr(other, name)))
    if name == "deck":
        other.deck_left = 2
    assert other.numbers() != state.numbers()
    for again in (other.copy(), pickle.loads(pickle.dumps(other))):
        assert again.numbers() == other.numbers()


@pytest.mark.parametrize("name", fields(Game.new("europe", 3, 5).view(0).sight))
def test_every_field_of_a_sight_is_counted_and_restored(name: str) -> None:
    sight = Game.new("europe", 3, 5).view(0).sight
    before = sight.numbers()
    if name != "seat":  # who looks decides what is seen: it is given
        setattr(sight, name, changed(getattr(sight, name)))
        assert sight.numbers() != before
    assert pickle.loads(pickle.dumps(sight)).numbers() == sight.numbers()


def test_what_is_written_in_place_is_copied(state: State) -> None:
    before = state.numbers()
    copy = state.copy()
    for name in WRITTEN:
        getattr(copy, name)[0] += 1
    assert state.numbers() == before


def test_what_is_shared_is_replaced_before_it_is_written(state: State) -> None:
    copy = state.copy()
    before = copy.numbers()
    for played, kept in ((state, copy), (copy, copy.copy())):
        assert played.shared
        assert playout(played, Rng(3))
        assert kept.numbers() == before


def test_what_was_seen_stays_as_it_was_seen() -> None:
    game = Game.new("europe", 3, 5)
    sight = game.view(0).sight
    before = sight.numbers()
    playout(game.state, Rng(3))
    assert sight.numbers() == before


def test_unshared_tables_are_its_own(state: State) -> None:
    copy = state.copy()
    before = state.numbers()
    unshare(copy)
    assert not copy.shared
    for name in SHARED:
        getattr(copy, name)[0] += 1
    assert state.numbers() == before
