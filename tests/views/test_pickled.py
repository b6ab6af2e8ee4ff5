"""A view sent to another process is the same there: it answers alike and deals the same worlds."""

import pickle
from random import Random

from branchline import Game, Rng, View, sample_world
from branchline.engine.stages import TUNNEL_OWED


def owing() -> Game:
    """A game in which a tunnel was laid with a wild, and owes more."""
    rng = Random(2)
    while True:
        game = Game.new("europe", seats=3, seed=rng.randrange(1 << 30))
        while not game.over:
            state = game.state
            if state.stage == TUNNEL_OWED and state.laid_wilds > 0 and state.laid_wilds != state.owed:
                return game
            seat = game.to_act[0]
            game.play_index(seat, rng.choice(game.view(seat).legal_indices()))


def test_a_pickled_view_answers_alike_and_deals_the_same_worlds() -> None:
    game = owing()
    for seat in range(game.seats):
        view = game.view(seat)
        again: View = pickle.loads(pickle.dumps(view))
        assert again == view
        assert again.sight.laid_wilds == view.sight.laid_wilds
        assert again.sight.memory.seats == view.sight.memory.seats
        assert again.legal_indices() == view.legal_indices()
        assert sample_world(again, Rng(5)) == sample_world(view, Rng(5))
