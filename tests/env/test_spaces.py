"""The three action spaces: their masks say what is legal, and each of their actions is a legal one."""

import pytest
from hypothesis import given

from branchline import load_map
from branchline.engine.board import BUILD, CLAIM, PAY
from branchline.names import names_of
from branchline.observation.spaces import SPACES, Space
from tests.properties.tables import Table, examples, tables


@examples(80, 8)
@given(tables())
def test_what_a_mask_allows_is_legal_and_what_is_legal_has_its_action(table: Table) -> None:
    board = names_of(table.map).board
    spaces = [Space(board, name) for name in SPACES]
    for game in table.positions(apart=3):
        state = game.state
        for seat in range(table.seats):
            legal = game.legal_indices(seat)
            for space in spaces:
                allowed = list(space.allowed(state, seat))
                assert allowed == sorted({int(space.action(state, seat, index)) for index in legal})
                for action in allowed:
                    index = space.index(state, seat, action)
                    assert index in legal
                    assert space.action(state, seat, index) == action


@examples(40, 6)
@given(tables())
def test_a_payment_left_out_has_wilds_without_need_or_another_colour(table: Table) -> None:
    board = names_of(table.map).board
    space = Space(board, "coloured")
    for game in table.positions(apart=5):
        state = game.state
        for seat in game.to_act:
            for index in game.legal_indices(seat):
                if board.action_kind[index] in (CLAIM, PAY):
                    chosen = space.index(state, seat, space.action(state, seat, index))
                    assert board.action_wilds[chosen] <= board.action_wilds[index]
                if board.action_kind[index] == BUILD and board.action_colour[index] != board.wild:
                    chosen = space.index(state, seat, space.action(state, seat, index))
                    assert board.action_wilds[chosen] <= board.action_wilds[index]


@pytest.mark.parametrize(("map", "sizes"), [("europe", (2322, 473, 177)), ("new-york", (241, 116, 56))])
def test_sizes_are_pinned(map: str, sizes: tuple[int, ...]) -> None:
    board = names_of(load_map(map)).board
    assert tuple(Space(board, name).size for name in SPACES) == sizes


def test_an_unknown_space_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="actions: one of full, coloured, compact, not 'tiny'"):
        Space(names_of(load_map("europe")).board, "tiny")
