"""Counts, orders and checksums that must not change unnoticed, the same compiled and not."""

import json
from typing import Any

import pytest

from branchline import load_map
from branchline.built import compiled
from branchline.codec import to_line
from branchline.count import breakdown, count
from branchline.engine.board import ACTIONS_VERSION
from branchline.names import names_of
from tests.counts import pins
from tests.oracles import counting

PINNED: dict[str, Any] = json.loads(pins.PINS.read_text(encoding="utf-8"))
MOST = 10**9 if compiled() else 20_000
"""More lines than this are not counted."""


@pytest.mark.parametrize(("id", "seats", "actions", "depth"), pins.COUNTED)
def test_lines_of_play(id: str, seats: int, actions: int, depth: int) -> None:
    game = pins.position(id, seats, actions)
    pinned = PINNED["counts"][f"{id} {seats} after {actions}"]
    assert len(pinned) == depth
    for n, lines in enumerate(pinned, 1):
        if lines <= MOST:
            assert count(game, n) == lines
            by_first = breakdown(game, n)
            assert sum(by_first.values()) == lines
            assert list(by_first) == game.legal_actions(game.to_act[0])


@pytest.mark.parametrize(("id", "seats", "actions", "depth"), pins.COUNTED)
def test_a_naive_counter_agrees(id: str, seats: int, actions: int, depth: int) -> None:
    game = pins.position(id, seats, actions)
    lines = PINNED["counts"][f"{id} {seats} after {actions}"]
    most = {"islands": 3000, "new-york": 1500, "europe": 300}[id] // (1 if compiled() else 10)
    for n in range(1, depth + 1):
        if n == 1 or lines[n - 2] <= most // 20:
            naive = counting.breakdown(game, n)
            assert naive == {to_line(action): number for action, number in breakdown(game, n).items()}
            assert sum(naive.values()) == lines[n - 1]


def test_nothing_is_counted_past_the_end() -> None:
    game = pins.position("islands", 2, 0)
    while not game.over:
        game.play_index(game.to_act[0], game.legal_indices(game.to_act[0])[-1])
    assert count(game, 0) == 1
    assert count(game, 1) == 0
    assert breakdown(game, 1) == {}


@pytest.mark.parametrize(("id", "seats"), pins.TABLES)
def test_the_order_of_legal_actions(id: str, seats: int) -> None:
    assert pins.order(id, seats) == PINNED["order"][f"{id} {seats}"]


def test_the_order_of_legal_actions_to_be_read() -> None:
    assert pins.lists() == PINNED["lists"]


def test_the_numbering_of_actions() -> None:
    assert PINNED["actions_version"] == ACTIONS_VERSION
    for id, actions in PINNED["actions"].items():
        assert names_of(load_map(id)).board.actions == actions


def test_seeded_games_come_out_the_same() -> None:
    fast, keyed = (pins.FAST, pins.KEYED) if compiled() else (pins.FEW_FAST, pins.FEW_KEYED)
    assert pins.after(pins.fast_games(), fast) == PINNED["fast"][str(fast)]
    assert pins.after(pins.keyed_games(), keyed) == PINNED["keyed"][str(keyed)]
    if compiled():
        assert pins.after(pins.fast_games(), pins.FEW_FAST) == PINNED["fast"][str(pins.FEW_FAST)]
        assert pins.after(pins.keyed_games(), pins.FEW_KEYED) == PINNED["keyed"][str(pins.FEW_KEYED)]
