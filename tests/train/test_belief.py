"""What others hold: an even deal is the sampler's, what is learned is true, and worlds are weighed by it."""

from pathlib import Path

import jax
import numpy as np
import pytest

from branchline import Game, Rng, load_map
from branchline.bots import Budget, load
from branchline.bots.learned.heads import Heads
from branchline.bots.learner import LearnedBot
from branchline.bots.policies import load_policy
from branchline.bots.search.guided import GuidedSearch, How
from branchline.engine.worlds import Worlds
from branchline.observation.layout import Layout
from branchline.observation.observer import observing
from branchline.observation.spaces import COLOURED, Space
from branchline.observation.witness import recall
from branchline.train.belief import NEVER, begin_belief, gather, learn, prior, ratios
from branchline.train.export import export
from branchline.train.net import begin, spread
from branchline.train.settings import Settings
from branchline.train.tables import LEARNER, Tables
from branchline.views import View

NEW_YORK = load_map("new-york")


def view_of(map: str, seats: int, played: int) -> View:
    game, bot, rng = Game.new(map, seats=seats, seed=6), load("regular"), Rng(1)
    for _ in range(played):
        seat = game.to_act[0]
        index = bot.choose(game.view(seat), rng, Budget())
        assert isinstance(index, int)
        game.play_index(seat, index)
    return game.view(game.to_act[0])


@pytest.mark.parametrize(("map", "seats"), [("europe", 3), ("new-york", 2)])
def test_the_prior_is_an_even_deal(map: str, seats: int) -> None:
    """Of many sampled worlds each ticket is held by each other seat about as often as the prior says."""
    sight = view_of(map, seats, 25).sight
    layout = Layout(sight.board, load_map(map).rules.seats_max, True)
    observation = observing(layout, recall(sight)).observed(sight.seat)
    odds = prior(layout, np.frombuffer(bytes(observation), np.uint8)[None])[0]
    worlds, count = Worlds(sight, Rng(3)), 3000
    held = np.zeros((seats - 1, int(sight.board.tickets)))
    for _ in range(count):
        holder = np.asarray(worlds.sample().holder)
        for place in range(1, seats):
            held[place - 1] += holder == (sight.seat + place) % seats
    for place in range(seats - 1):
        chance = np.where(odds[place] > NEVER, 1 / (1 + np.exp(-odds[place])), 0)
        assert np.abs(held[place] / count - chance).max() < 0.04
        assert (held[place] / count).sum() == pytest.approx(chance.sum(), abs=0.1)


def test_what_is_learned_is_truer_than_an_even_deal_and_weighs_worlds(tmp_path: Path) -> None:
    settings = Settings("new-york", (2, 3), hidden=8, tables=24)
    tables = Tables(NEW_YORK, [[LEARNER] * 2] * 12 + [[LEARNER] * 3] * 12, 5)
    board = tables.sets[0].board
    heads = Heads(Space(board, COLOURED))
    params = begin(jax.random.PRNGKey(1), tables.observations.shape[1], 8, heads)
    truths = gather(tables, params, spread(heads), settings, 3000)
    known = np.asarray(truths.prior <= NEVER)
    assert truths.others[known].mean() < 0.01, "what can't be: only what was returned may have come up again"
    assert truths.others[~known].mean() > 0.05
    view = view_of("new-york", 3, 20)
    even = Worlds(view.sight, Rng(2))
    sampled = [even.sample() for _ in range(100)]
    held = [sum(0 <= world.holder[ticket] != view.sight.seat for world in sampled) for ticket in range(board.tickets)]
    wanted = next(ticket for ticket, count in enumerate(held) if 10 < count < 60)
    # Let it be the way of the world that whoever can hold one ticket does.
    truths.others[:] = 0
    truths.others[:, :, wanted] = truths.prior[:, :, wanted] > NEVER
    belief, told = learn(begin_belief(params, 4, int(board.tickets), int(board.kinds), 1), truths, 1)
    before, after = told["tickets_nats"]
    assert after < before / 2
    export(tmp_path / "a.policy", NEW_YORK, params, {}, belief=belief)
    policy = load_policy(tmp_path / "a.policy", view.sight.board, NEW_YORK.hash, 3)
    assert policy.belief is not None
    how = How()
    how.gap = 100_000
    search = GuidedSearch(view.sight, Rng(1), policy, how)
    seen = np.array(list(policy.inputs), np.uint8)[None]
    tickets, colours = (np.asarray(part)[0] for part in ratios(belief, seen, 4, int(board.tickets)))
    for world in sampled:
        weight = 0.0
        for place in (1, 2):
            who = (view.sight.seat + place) % 3
            hand = np.asarray(world.hands)[who * int(board.kinds) : (who + 1) * int(board.kinds)]
            weight += tickets[place - 1][np.asarray(world.holder) == who].sum() + (hand * colours[place - 1]).sum()
        assert int(policy.belief.weight(world, view.sight.seat)) / 256 == pytest.approx(weight, abs=0.3)
    believed = sum(search.world()[0].holder[wanted] >= 0 for _ in range(100))
    assert believed > held[wanted] + 20, "likelier worlds are drawn more often"


def test_without_a_belief_worlds_are_dealt_evenly(tmp_path: Path) -> None:
    view = view_of("new-york", 2, 12)
    shipped = LearnedBot().policy(view)
    assert shipped is not None
    belief, shipped.belief = shipped.belief, None
    search = GuidedSearch(view.sight, Rng(1), shipped, How())
    even = Worlds(view.sight, Rng(1))
    assert [search.world()[0].numbers() for _ in range(3)] == [even.sample().numbers() for _ in range(3)]
    shipped.belief = belief
