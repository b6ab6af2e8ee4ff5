"""A sampled world is a game that its seat cannot tell from the real one, at every stage, for every seat."""

from collections import Counter

from hypothesis import given

from branchline import Game, Rng, sample_world
from tests.properties.tables import Table, examples, tables
from tests.properties.test_conservation import cards_of, tickets_of


@examples(150, 12)
@given(tables())
def test_a_world_looks_the_same_to_its_seat(table: Table) -> None:
    rng = Rng(table.seed)
    for game in table.positions(apart=13):
        for seat in (*range(table.seats), None):
            view = game.view(seat)
            world = sample_world(view, rng)
            assert world.view(seat) == view
            position, real = world.to_dict(), game.to_dict()
            assert cards_of(position) == +Counter(dict(table.map.cards))
            tickets = tickets_of(position)
            assert len(tickets) == len(set(tickets)) == len(tickets_of(real))
            assert Game.from_dict(position) == world
            assert position["shuffles"]["key"] == ""
            assert world.to_act == game.to_act


@examples(60, 6)
@given(tables())
def test_a_world_can_be_played_to_its_end(table: Table) -> None:
    rng = Rng(table.seed, 1)
    for game in table.positions(apart=60):
        for seat in (*range(table.seats), None):
            world = sample_world(game.view(seat), rng)
            for _ in range(12):
                if world.over:
                    break
                actor = world.to_act[0]
                indices = world.legal_indices(actor)
                world.play_index(actor, indices[rng.below(len(indices))])
                # Its memory is as good as the real game's: worlds of a world are worlds too.
                view = world.view(actor)
                assert sample_world(view, rng).view(actor) == view
