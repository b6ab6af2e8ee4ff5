"""Every legal action applies; nothing else does, and what is refused changes nothing."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchline import (
    Action,
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    Game,
    IllegalAction,
    KeepTickets,
    Map,
    Pass,
    Payment,
    PayTunnel,
    TakeBack,
)
from tests.properties.tables import Table, examples, tables


@examples(120)
@given(tables())
def test_legal_actions_are_listed_in_ascending_order_and_all_apply(table: Table) -> None:
    rng = Random(table.seed)
    for game in table.positions(apart=5):
        for seat in range(table.seats):
            indices = game.legal_indices(seat)
            assert indices == sorted(set(indices))
            assert bool(indices) == (seat in game.to_act)
            actions = game.legal_actions(seat)
            assert len(set(actions)) == len(actions)
            assert [game.index(action, seat) for action in actions] == indices
            assert [game.action(index, seat) for index in indices] == actions
            for index in indices if len(indices) < 12 else rng.sample(indices, 12):
                after = game.copy()
                after.play_index(seat, index)
                assert after != game
                state = game.state
                state.apply(index, seat)
                assert state.numbers() == after.state.numbers()


@examples(120)
@given(tables())
def test_no_other_index_applies(table: Table) -> None:
    rng = Random(table.seed)
    for game in table.positions(apart=17):
        before = game.to_dict()
        state = game.state
        for seat in range(table.seats):
            legal = set(game.legal_indices(seat))
            illegal = [index for index in range(state.board.actions) if index not in legal]
            assert all(state.refusal(index, seat) for index in illegal)
            assert not any(state.refusal(index, seat) for index in legal)
            for index in [*rng.sample(illegal, 10), -1, state.board.actions, 2**70, -(2**70)]:
                with pytest.raises(IllegalAction):
                    game.play_index(seat, index)
                with pytest.raises(IllegalAction):
                    state.apply(index, seat)
        assert game.to_dict() == before
        assert state.numbers() == game.state.numbers()


NONSENSE: list[Any] = [None, True, 1.5, "draw", "", -1, 10**30, (), ("a",), [], {}, object(), Payment("red", 1), b"x"]


def payments(map: Map) -> st.SearchStrategy[Any]:
    colours = st.sampled_from([None, *map.colours, "wild", "grey", "mauve"])
    counts = st.integers(-1, 6)
    nonsense = st.sampled_from(NONSENSE)
    return st.one_of(
        st.builds(Payment, colours, counts, counts),
        st.builds(Payment, st.one_of(colours, nonsense), st.one_of(counts, nonsense), st.one_of(counts, nonsense)),
        nonsense,
    )


def asked(map: Map) -> st.SearchStrategy[Any]:
    """Anything somebody might ask for, most of it not legal, some of it not even an action."""
    nonsense = st.sampled_from(NONSENSE)
    routes = st.sampled_from([*(route.id for route in map.routes), "nowhere"])
    cities = st.sampled_from([*(city.id for city in map.cities), "nowhere"])
    tickets = st.lists(st.sampled_from([*(ticket.id for ticket in map.tickets), "nowhere"]), max_size=4).map(tuple)
    return st.one_of(
        st.builds(DrawCard, st.one_of(st.none(), st.integers(-1, 6), nonsense)),
        st.builds(ClaimRoute, st.one_of(routes, routes, nonsense), payments(map)),
        st.builds(PayTunnel, payments(map)),
        st.builds(BuildStation, st.one_of(cities, cities, nonsense), payments(map)),
        st.builds(KeepTickets, st.one_of(tickets, tickets, nonsense)),
        st.sampled_from([TakeBack(), DrawTickets(), Pass()]),
        nonsense,
    )


def same(action: Action) -> object:
    """An action, but for the order in which kept tickets are named; True is not 1 here."""
    if isinstance(action, KeepTickets) and isinstance(action.tickets, tuple):
        return tuple(sorted(map(repr, action.tickets)))
    return repr(action)


def refusal(game: Game, seat: Any, action: Any) -> IllegalAction | None:
    """What refuses an action, if anything does; the game is left as it is."""
    after = game.copy()
    try:
        assert after.play(seat, action)
    except IllegalAction as refused:
        assert after == game
        return refused
    return None


def check_asked(game: Game, seat: Any, action: Any) -> None:
    before = game.to_dict()
    is_seat = isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < game.seats
    legal = {same(other) for other in game.legal_actions(seat)} if is_seat else set()
    refused = refusal(game, seat, action)
    assert (refused is None) == (isinstance(action, Action) and same(action) in legal)
    if refused is not None:
        assert refused.rule.startswith("R")
        assert refused.message
        with pytest.raises(IllegalAction):
            game.play(seat, action)
    assert game.to_dict() == before


@examples(150)
@given(st.data(), tables())
def test_whatever_is_asked_is_legal_or_refused_and_changes_nothing(data: st.DataObject, table: Table) -> None:
    wanted = asked(table.map)
    for game in table.positions(apart=40):
        seats = st.one_of(
            st.sampled_from(game.to_act or (0,)), st.integers(-1, table.seats), st.sampled_from([None, True, "0"])
        )
        for _ in range(4):
            check_asked(game, data.draw(seats), data.draw(wanted))
        for seat in game.to_act:
            # Close to legal: somebody else's action, or one of a moment ago.
            for other in range(table.seats):
                if other not in game.to_act:
                    check_asked(game, other, game.legal_actions(seat)[0])
