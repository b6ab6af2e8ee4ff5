"""What stored observations and actions mean changes only with their versions: weights files count on it."""

from hashlib import sha256

import pytest

from branchline import Game, Rng, load_map
from branchline.names import names_of
from branchline.observation.layout import OBSERVATION_VERSION, Layout
from branchline.observation.observer import observing
from branchline.observation.spaces import COMPACT_VERSION, SPACES, Space
from branchline.observation.witness import recall

SEEN = {"europe": "6e51d25ddc0bcf08", "new-york": "458100284b8989f5"}
DONE = {"europe": "92459ed1f576ae18", "new-york": "c8531bb12498ed6f"}


@pytest.mark.parametrize("map", ["europe", "new-york"])
def test_another_meaning_is_another_version(map: str) -> None:
    """Whoever changes what is told here raises the version, and only then writes down what comes out."""
    board = names_of(load_map(map)).board
    spaces = [Space(board, name) for name in SPACES[1:]]
    seen, done = sha256(), sha256()
    for seats in range(2, load_map(map).rules.seats_max + 1):
        for layout in (Layout(board, seats, True), Layout(board, load_map(map).rules.seats_max, False)):
            seen.update(repr([(one.name, one.at, one.shape, one.high) for one in layout.fields]).encode())
            game, rng = Game.new(map, seats=seats, seed=seats), Rng(seats)
            while not game.over:
                seat = game.to_act[0]
                sight = game.view(seat).sight
                seen.update(bytes(observing(layout, recall(sight)).observed(seat)))
                legal = game.legal_indices(seat)
                index = legal[rng.below(len(legal))]
                for space in spaces:
                    done.update(b"%d %d;" % (space.size, space.action(game.state, seat, index)))
                game.play_index(seat, index)
    assert (OBSERVATION_VERSION, seen.hexdigest()[:16]) == (1, SEEN[map])
    assert (COMPACT_VERSION, done.hexdigest()[:16]) == (1, DONE[map])
