"""What is written is read back the same: lines, JSON, positions, views, records, pickles; copies are independent."""

import json
import pickle
from collections.abc import Iterable
from dataclasses import fields
from random import Random
from typing import Any, TypeVar

from hypothesis import given
from hypothesis import strategies as st

from branchline import Action, Event, Game, Map, Record, View, actions, events, load_map
from branchline.codec import (
    ACTIONS,
    EVENTS,
    action_from_json,
    action_from_line,
    event_from_json,
    event_from_line,
    to_json,
    to_line,
)
from tests.oracles.players import choose
from tests.properties.tables import Table, examples, tables

T = TypeVar("T")


def through_json(data: T) -> T:
    read: T = json.loads(json.dumps(data))
    return read


def check_action(action: Action) -> None:
    assert action_from_line(to_line(action)) == action
    assert action_from_json(through_json(to_json(action))) == action
    assert pickle.loads(pickle.dumps(action)) == action


def check_event(event: Event) -> None:
    assert event_from_line(to_line(event)) == event
    assert event_from_json(through_json(to_json(event))) == event
    assert pickle.loads(pickle.dumps(event)) == event


@examples(60)
@given(tables())
def test_actions_and_events_of_games_round_trip(table: Table) -> None:
    game = table.deal()
    for event in game.opening_events():
        check_event(event)
    for seat in range(table.seats):
        for event in game.opening_events(seat):
            check_event(event)
    for game, _, _, happened in table.play():
        for event in happened:
            check_event(event)
            for other in (0, None):
                check_event(game.event_for(event, other))
        for seat in game.to_act:
            for action in game.legal_actions(seat)[:: max(1, game.turn % 7)]:
                check_action(action)


IDS = st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True)
COUNTS = st.integers(0, 999_999_999)


def paid() -> st.SearchStrategy[actions.Payment]:
    colours = IDS.filter(lambda id: id != "wild")
    return st.one_of(
        st.builds(actions.Payment, st.none(), st.just(0), COUNTS), st.builds(actions.Payment, colours, COUNTS, COUNTS)
    )


FIELDS: dict[object, st.SearchStrategy[Any]] = {
    int: COUNTS,
    int | None: st.one_of(st.none(), COUNTS),
    str: IDS,
    str | None: st.one_of(st.none(), IDS),
    tuple[str, ...]: st.lists(IDS, max_size=4).map(tuple),
    tuple[str | None, ...]: st.lists(st.one_of(st.none(), IDS), max_size=4).map(tuple),
    # Of an answer without tickets nothing is seen, not even that it is empty.
    tuple[str, ...] | None: st.one_of(st.none(), st.lists(IDS, min_size=1, max_size=4).map(tuple)),
    actions.Payment: paid(),
}


def any_of(kinds: Iterable[Any]) -> st.SearchStrategy[Any]:
    return st.one_of([st.builds(kind, *(FIELDS[field.type] for field in fields(kind))) for kind in kinds])


@examples(300, 60)
@given(any_of(ACTIONS.values()), any_of(EVENTS.values()))
def test_any_action_and_event_round_trips(action: Action, event: Event) -> None:
    check_action(action)
    check_event(event)


@examples(80, 10)
@given(tables())
def test_positions_views_and_pickles_round_trip(table: Table) -> None:
    for game in table.positions(apart=23):
        data = through_json(game.to_dict())
        again = Game.from_dict(data)
        assert again == game
        assert hash(again) == hash(game)
        assert again.to_dict() == data
        pickled = pickle.loads(pickle.dumps(game))
        assert pickled == game
        assert pickled.log == game.log
        assert pickled.opening_events() == game.opening_events()
        assert pickle.loads(pickle.dumps(game.state)).numbers() == game.state.numbers()
        for seat in (*range(table.seats), None):
            view = game.view(seat)
            assert View.from_dict(table.map, through_json(view.to_dict())) == view
            assert pickle.loads(pickle.dumps(view)) == view
            assert again.view(seat) == view
            assert pickled.view(seat) == view


@examples(50, 8)
@given(tables())
def test_records_round_trip_replay_and_verify(table: Table) -> None:
    game = Game.new(table.map, table.seats, table.seed, first=None if table.seed % 3 else 0)
    rng = Random(table.seed)
    for _ in range(table.seed % 300):
        if game.over:
            break
        seat = rng.choice(game.to_act)
        game.play_index(seat, choose(game, seat, rng, table.styles[0]))
    record = Record.of(game, seed=table.seed)
    again = Record.from_dict(through_json(record.to_dict()))
    assert again.to_dict() == record.to_dict()
    assert again.verify().ok
    last = [after for after, _, _, _ in again.replay()][-1]
    assert last == game
    assert last.log == game.log


@examples(80, 10)
@given(tables())
def test_copies_are_independent(table: Table) -> None:
    rng = Random(table.seed)
    for game in table.positions(apart=29):
        before, numbers = game.to_dict(), game.state.numbers()
        copy, state = game.copy(), game.state
        assert copy == game
        for _ in range(10):
            if copy.over:
                break
            seat = copy.to_act[0]
            index = choose(copy, seat, rng, table.styles[0])
            copy.play_index(seat, index)
            state.apply(index, seat)
        assert game.to_dict() == before
        assert game.state.numbers() == numbers
        assert state.numbers() == copy.state.numbers()
        # And the other way round.
        original, kept = game.copy(), game.copy()
        for _ in range(5):
            if original.over:
                break
            seat = original.to_act[0]
            original.play_index(seat, choose(original, seat, rng, "random"))
        assert kept.to_dict() == before


def test_a_map_travels_with_its_game() -> None:
    europe: Map = load_map("europe")
    assert pickle.loads(pickle.dumps(europe)) is europe
    assert events.GameEnded() == event_from_line("ended")
