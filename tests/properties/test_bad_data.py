"""Whatever data says, a position, record or map is refused with a ValueError that names a field, or obeys every law."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchline import Game, IllegalAction, Map, Record, Rng, laws, load_map, sample_world
from branchline.maps import check
from branchline.maps.check import check_data
from branchline.names import names_of
from tests.maps.islands import islands
from tests.oracles.small_maps import small_maps
from tests.properties.tables import Table, examples, tables

T = TypeVar("T")

NASTY: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        0,
        1,
        2,
        7,
        255,
        1 << 31,
        1 << 32,
        (1 << 63) - 1,
        1 << 63,
        -(1 << 64),
        10**5000,
        0.5,
        float("nan"),
    ),
    *("", "wild", "red", "abc", "\x1b[2J", "\ud800", "x" * 5000, [], {}, [[]], [None], {"a": 1}),
)
NAMED = re.compile(r"[^\s:]+: \S")


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container of the data with each key or index in it."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in [(value, key), *places(value[key])]]


@st.composite
def mutated(draw: st.DrawFn, data: Any) -> Any:
    """The data with one to three things changed: another value, one more or less, gone, twice, or another's."""
    data = deepcopy(data)
    for _ in range(draw(st.integers(1, 3))):
        container, key = draw(st.sampled_from(places(data)))
        how = draw(st.sampled_from(["nasty", "near", "near", "gone", "twice", "other", "other"]))
        if how == "nasty":
            container[key] = draw(st.sampled_from(NASTY))
        elif how == "near" and isinstance(container[key], int):
            container[key] += draw(st.sampled_from([-1, 1, 2, -2]))
        elif how == "gone":
            del container[key]
        elif how == "twice" and isinstance(container, list):
            container.append(container[key])
        else:
            other, place = draw(st.sampled_from(places(data)))
            container[key] = deepcopy(other[place])
        if not places(data):
            break
    return data


def read_or_refused(read: Callable[[Any], T], data: Any) -> T | None:
    """What `read` makes of data, None if it refuses it as promised."""
    try:
        return read(data)
    except ValueError as error:
        said = str(error)
    assert NAMED.match(said), said
    assert len(said.splitlines()[0]) < 400
    return None


def plays_on(game: Game, seed: int) -> None:
    """A lawful position can be seen, told, imagined and played to its end; whatever is refused changes nothing."""
    rng = Rng(seed)
    assert Game.from_dict(game.to_dict()) == game
    for seat in (None, *range(game.seats)):
        assert sample_world(game.view(seat), rng).view(seat) == game.view(seat)
    steps = 0
    while not game.over and steps < 1500:
        seat = game.to_act[0]
        legal = list(game.legal_indices(seat))
        game.play_index(seat, legal[rng.below(len(legal))])
        steps += 1
        if steps % 40 == 1:
            laws.check(game.state, names_of(game.map))
            whole_or_not_at_all(game, rng)
    game.scores()


def whole_or_not_at_all(game: Game, rng: Rng) -> None:
    before, log = game.to_dict(), game.log
    for _ in range(3):
        try:
            game.copy().play_index(rng.below(game.seats), rng.below(game.state.board.actions))
            game.play_index(rng.below(game.seats + 1), -1)
        except IllegalAction:
            assert (game.to_dict(), game.log) == (before, log)


@examples(250, 40)
@given(st.data(), tables(small=True), st.integers(0, 400))
def test_a_mutated_position_is_refused_or_lawful(data: st.DataObject, table: Table, when: int) -> None:
    games = [game.to_dict() for game in table.positions(apart=max(1, when % 23))]
    position = games[when % len(games)]
    if data.draw(st.booleans()):
        position["memory"] = None
    game = read_or_refused(Game.from_dict, data.draw(mutated(position)))
    if game is not None:
        plays_on(game, when)


@examples(50, 5)
@given(st.data(), st.sampled_from(["europe", "new-york"]), st.integers(0, 5))
def test_a_mutated_position_of_our_maps(data: st.DataObject, id: str, seed: int) -> None:
    games = [game.to_dict() for game in Table(load_map(id), 2, seed, ("random", "claimer")).positions(apart=17)]
    position = data.draw(st.sampled_from(games))
    game = read_or_refused(Game.from_dict, data.draw(mutated(position)))
    if game is not None:
        plays_on(game, seed)


@examples(60, 10)
@given(tables(small=True))
def test_every_position_of_a_game_is_lawful(table: Table) -> None:
    for game in table.positions(apart=1):
        laws.check(game.state, names_of(game.map))
        assert Game.from_dict(json.loads(json.dumps(game.to_dict()))) == game


@examples(40, 8)
@given(tables(small=True), st.integers(1, 40))
def test_a_memory_of_another_moment_is_refused_or_true(table: Table, apart: int) -> None:
    positions = [game.to_dict() for game in table.positions(apart=apart)]
    for one, other in pairwise(positions):
        game = read_or_refused(Game.from_dict, one | {"memory": other["memory"]})
        if game is not None:
            plays_on(game, apart)


@pytest.mark.parametrize("id", ["europe", "new-york"])
def test_another_game_s_memory_is_refused(id: str) -> None:
    for actions in (0, 3, 20, 50):
        one, other = (Table(load_map(id), 2, seed, ("claimer",)).after(actions).to_dict() for seed in (3, 5))
        with pytest.raises(ValueError, match=r"^memory: belongs to another position"):
            Game.from_dict(one | {"memory": other["memory"]})


@examples(150, 20)
@given(st.data(), st.sampled_from(["new-york-2", "islands-passes"]))
def test_a_mutated_record_is_refused_or_verified_in_words(data: st.DataObject, name: str) -> None:
    text = (Path(__file__).parents[1] / "records" / f"{name}.json").read_text(encoding="utf-8")
    record = read_or_refused(Record.from_dict, data.draw(mutated(json.loads(text))))
    if record is not None:
        verdict = record.verify()
        assert all(check.detail for check in verdict.checks)
        again = Record.from_dict(record.to_dict())
        assert again.verify() == verdict


@examples(150, 20)
@given(st.data())
def test_a_mutated_map_is_refused_or_played(data: st.DataObject) -> None:
    changed = data.draw(mutated(islands()))
    map = read_or_refused(load_map, changed) if isinstance(changed, dict) else None
    if map is None:
        assert check_data(changed)
        return
    assert check(json.dumps(map.to_dict())) == []
    for seats in range(map.rules.seats_min, map.rules.seats_max + 1):
        plays_on(Game.new(map, seats, 1), 1)


@examples(30, 5)
@given(small_maps(), st.sampled_from(NASTY), st.sampled_from(["map", "seats", "seed", "first", "entropy"]))
def test_a_new_game_of_nonsense(map: Map, nasty: Any, field: str) -> None:
    arguments = {"map": map, "seats": 2, "seed": 1, "first": None, "entropy": b""} | {field: nasty}
    if field == "map" and isinstance(nasty, str):
        return  # a path: a person names it
    game = read_or_refused(lambda asked: Game.new(**asked), arguments)
    assert game is None or isinstance(game, Game)
