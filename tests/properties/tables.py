"""What the laws are tried on: games of all seat counts on both maps and on small random ones."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from hypothesis import settings
from hypothesis import strategies as st

from branchline import Event, Game, Map, load_map
from branchline.built import compiled
from branchline.engine.shuffle import Shuffler
from tests.oracles.players import STYLES, steps
from tests.oracles.small_maps import small_maps

COMPILED = compiled()
HURRIED = "MUTANT_UNDER_TEST" in os.environ
"""Whether scripts/mutants runs the tests, thousands of times."""


def examples(many: int, few: int | None = None) -> settings:
    """So many examples compiled, few (a sixth) uncompiled."""
    if HURRIED:
        return settings(max_examples=6)
    return settings(max_examples=many if COMPILED else few or max(8, many // 6))


@dataclass(frozen=True)
class Table:
    """A game that can be played over again."""

    map: Map
    seats: int
    seed: int
    styles: tuple[str, ...]

    def __repr__(self) -> str:
        map = f"load_map({self.map.id!r})" if self.map.id != "small" else f"load_map({self.map.to_dict()})"
        return f"Table({map}, {self.seats}, {self.seed}, {self.styles})"

    def deal(self) -> Game:
        if self.seed % 2:
            return Game.new(self.map, self.seats, self.seed)
        return Game.dealt(self.map, self.seats, Shuffler(b"", self.seed))

    def play(self) -> Iterator[tuple[Game, int, int, list[Event]]]:
        """The same game after each action, with who did what and what happened."""
        game = self.deal()
        for seat, index, events in steps(game, Random(self.seed), self.styles):
            yield game, seat, index, events

    def after(self, actions: int) -> Game:
        """The game after so many actions, if it lasts as long."""
        game = self.deal()
        for n, _ in enumerate(steps(game, Random(self.seed), self.styles), 1):
            if n == actions:
                break
        return game

    def positions(self, apart: int = 1) -> Iterator[Game]:
        """The same game again and again: dealt, then some actions further each time, and at the end."""
        game = self.deal()
        yield game
        for n, _ in enumerate(steps(game, Random(self.seed), self.styles), self.seed % apart + 1):
            if n % apart == 0 or game.over:
                yield game


@st.composite
def tables(draw: st.DrawFn, *, small: bool = False) -> Table:
    """Any table; `small`: on small maps only."""
    bundled = st.sampled_from([load_map("europe"), load_map("new-york")])
    map = draw(small_maps() if small else st.one_of(small_maps(), small_maps(), bundled))
    seats = draw(st.integers(map.rules.seats_min, map.rules.seats_max))
    seed = draw(st.integers(0, 2**31))
    styles = draw(st.lists(st.sampled_from(STYLES), min_size=1, max_size=seats))
    return Table(map, seats, seed, tuple(styles))
