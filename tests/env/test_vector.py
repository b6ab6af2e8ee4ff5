"""Many games at once: the same games as one by one, whoever plays them."""

import pickle

import numpy as np
import pytest

from branchline import Rng
from branchline.engine.playout import random_action
from branchline.engine.scoring import Scores
from branchline.engine.setup import deal
from branchline.engine.shuffle import Shuffler
from branchline.env.rewards import final
from branchline.env.vector import Games
from branchline.observation.observer import observing
from branchline.observation.witness import watch


@pytest.mark.parametrize("actions", ["full", "coloured", "compact"])
@pytest.mark.parametrize(("map", "seats"), [("new-york", 2), ("new-york", 4), ("europe", 3)])
def test_many_games_are_the_same_as_each_alone(map: str, seats: int, actions: str) -> None:
    games = Games(map, 3, seats, actions=actions, seed=40, places=4)
    board, rng = games.board, Rng(1)
    alone = [
        observing(games.layout, watch(deal(board, seats, Shuffler(b"", 40 + game)), games.layout.start))
        for game in range(3)
    ]
    dealt = [1, 1, 1]
    ended = 0
    for _ in range(700):
        chosen = games.sample(rng)
        for game, observer in enumerate(alone):
            witness = observer.witness
            seat = witness.state.actor
            assert seat == games.seats_asked[game]
            assert bytes(observer.observed(seat)) == games.observations[game].tobytes()
            allowed = games.space.allowed(witness.state, seat)
            assert np.flatnonzero(games.masks[game]).tolist() == list(allowed)
            assert chosen[game] in allowed
            witness.act(seat, games.index(game, int(chosen[game])))
        over = games.step(chosen)
        assert over == np.count_nonzero(games.ended)
        for game in np.flatnonzero(games.ended).tolist():
            scores = Scores(alone[game].witness.state)
            assert list(scores.total) == games.totals[game].tolist()
            assert list(scores.rank) == games.ranks[game].tolist()
            assert alone[game].witness.state.turn == games.turns[game]
            seed = 40 + game + 3 * dealt[game]
            alone[game] = observing(games.layout, watch(deal(board, seats, Shuffler(b"", seed)), games.layout.start))
            dealt[game] += 1
            ended += 1
    assert ended > 3 or map == "europe"


def test_the_same_seed_gives_the_same_games_and_another_others() -> None:
    def run(seed: int) -> list[bytes]:
        games = Games("new-york", 4, 2, actions="coloured", seed=seed, players=("ask", "random"))
        rng = Rng(3)
        out = []
        for _ in range(80):
            games.step(games.sample(rng))
            out.append(games.observations.tobytes() + games.masks.tobytes())
        return out

    assert run(5) == run(5)
    assert run(5)[0] != run(6)[0]


def test_neighbours_can_get_the_same_deals() -> None:
    games = Games("europe", 4, 2, seed=9, same=2)
    assert games.state(0).numbers() == games.state(1).numbers()
    assert games.state(2).numbers() == games.state(3).numbers() != games.state(0).numbers()


def test_the_planner_plays_its_seats_and_gives_advice() -> None:
    games = Games("new-york", 8, 2, actions="coloured", seed=2, players=[("ask", "regular"), ("regular", "ask")] * 4)
    rng = Rng(1)
    wins = np.zeros(2)
    while wins.sum() < 30:
        assert np.array_equal(games.seats_asked, np.arange(8) % 2)
        advice = games.advice()
        assert games.masks[np.arange(8), advice].all()
        games.step(games.sample(rng))
        for game in np.flatnonzero(games.ended):
            wins[int(games.ranks[game, 1 - game % 2] == 1)] += 1
    assert wins[1] > wins[0]


def test_every_deal_has_planners_of_another_style() -> None:
    def claims(players: list[str]) -> list[bytes]:
        games = Games("new-york", 24, 2, actions="coloured", seed=4, same=2, players=[players] * 24)
        for _ in range(15):
            games.step(games.advice())
        return [np.asarray(games.state(game).owner).tobytes() for game in range(24)]

    regular, varied = claims(["ask", "regular"]), claims(["ask", "varied"])
    assert varied[::2] == varied[1::2], "a style follows from the deal"
    assert 6 < sum(one != other for one, other in zip(varied, regular, strict=True)) <= 24
    assert varied == claims(["ask", "varied"])
    games = Games("new-york", 30, 2, actions="coloured", seed=4, players=["ask", "varied"])
    first = [int(style.lacking) for style in games.pool.styles]
    while games.pool.dealt[0] < 2:
        games.step(games.advice())
    assert first != [int(style.lacking) for style in games.pool.styles]


def test_a_game_that_lasts_too_long_is_cut_off() -> None:
    games = Games("europe", 1, 2, seed=1, turns=6)
    while not games.ended[0]:
        games.step(games.sample(Rng(4)))
    assert games.ended[0] == 2
    assert games.turns[0] == 7


def test_random_games_are_legal_in_the_engine() -> None:
    games = Games("europe", 1, 2, seed=1)
    state, rng = games.state(0), Rng(8)
    for _ in range(60):
        index = random_action(state, rng)
        games.step([index])
        state.apply(index)
        assert games.state(0).numbers() == state.numbers()


def test_rewards_are_shared_where_places_are() -> None:
    totals = np.array([[30, 20], [25, 25], [10, 40]])
    ranks = np.array([[1, 2], [1, 1], [2, 1]])
    assert final("win", totals, ranks).tolist() == [[1, -1], [0, 0], [-1, 1]]
    assert final("rank", totals, ranks).tolist() == [[1, -1], [0, 0], [-1, 1]]
    assert np.allclose(final("margin", totals, ranks), np.array([[0.1, -0.1], [0.0, 0.0], [-0.3, 0.3]]))
    three = np.array([[50, 50, 20]]), np.array([[1, 1, 3]])
    assert final("win", *three).tolist() == [[0, 0, -1]]
    assert final("rank", *three).tolist() == [[0.5, 0.5, -1]]
    with pytest.raises(ValueError, match="reward: one of win, rank, margin, shaped, not 'gold'"):
        final("gold", *three)


def test_rewards_are_given_when_games_end() -> None:
    games = Games("new-york", 16, 3, seed=1)
    rng = Rng(2)
    while not games.ended.any():
        assert not games.rewards().any()
        games.step(games.sample(rng))
    over = games.ended > 0
    assert games.rewards()[over].any(1).all()
    assert not games.rewards()[~over].any()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"seats": 9}, r"seats: new-york is for 2 to 4 \(R1.1\), not 9"),
        ({"games": 0}, "games: at least one, not 0"),
        ({"games": 5, "same": 2}, "same: a divisor of 5 games, not 2"),
        ({"places": 1}, "places: from 2 to 4, not 1"),
        ({"players": ["ask"]}, "players: one for each of 2 seats"),
        ({"players": ["ask", "me"]}, "players: each is one of ask, random, regular, varied, not 'me'"),
        ({"players": ["random", "random"]}, "players: at least one seat of each game has to be asked"),
        ({"actions": "few"}, "actions: one of full"),
    ],
)
def test_wrong_settings_are_refused_in_words(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Games(**{"map": "new-york", "games": 4} | wrong)  # type: ignore[arg-type]


def test_wrong_actions_change_nothing() -> None:
    games = Games("new-york", 2, 2, seed=3)
    before = games.state(0).numbers()
    for actions in ([10**6, 0], [-1, 0], [0, 0]):
        with pytest.raises(ValueError, match="its mask says what it allows"):
            games.step(actions)
    with pytest.raises(ValueError, match="one for each of 2 games"):
        games.step([1])
    assert games.state(0).numbers() == before


@pytest.mark.parametrize("other", ["random", "varied"])
@pytest.mark.parametrize(("map", "seats"), [("new-york", 2), ("europe", 4)])
def test_saved_games_go_on_alike_elsewhere(map: str, seats: int, other: str) -> None:
    players = ["ask"] * (seats - 1) + [other]

    def begin() -> Games:
        return Games(map, 5, seats, actions="coloured", seed=9, players=players, outlook=True, places=4)

    here, there, rng = begin(), begin(), Rng(2)
    for step in range(400):
        if step % 57 == 0:
            there = begin()
            there.load(pickle.loads(pickle.dumps(here.save())))
        chosen = here.sample(rng)
        here.step(chosen)
        there.step(chosen)
        assert here.observations.tobytes() == there.observations.tobytes()
        assert here.masks.tobytes() == there.masks.tobytes()
        assert here.ended.tolist() == there.ended.tolist()
        over = here.ended > 0
        assert here.totals[over].tolist() == there.totals[over].tolist()
    with pytest.raises(ValueError, match="5 games, and there are 4"):
        Games(map, 4, seats).load(here.save())
