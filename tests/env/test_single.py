"""One game at a time: Gymnasium's and PettingZoo's own checks, and what theirs do not look at."""

import re
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import branchline.env.gymnasium
from branchline.env import pettingzoo

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # they import PettingZoo's own games in a way it regrets
    from pettingzoo.test import api_test, seed_test
    from pettingzoo.test.render_test import render_test

IDS = ("branchline/Europe-v0", "branchline/NewYork-v0")


def some_action(observation: dict[str, Any], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("settings", [{}, {"seats": 4, "actions": "coloured", "reward": "shaped", "rivals": "random"}])
@pytest.mark.filterwarnings("ignore:.*The environment is being used with `render_mode.*")
@pytest.mark.filterwarnings("ignore:.*Casting input x to numpy array")
def test_gymnasium_finds_no_fault(id: str, settings: dict[str, Any]) -> None:
    check_env(gymnasium.make(id, **settings).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("id", IDS)
def test_a_seat_plays_whole_games_and_the_same_seed_repeats_them(id: str) -> None:
    def play(seed: int) -> list[Any]:
        env = gymnasium.make(id, rivals=["one-step", "random"], seats=3, reward="margin", actions="compact")
        rng = np.random.default_rng(5)
        observation, _ = env.reset(seed=seed)
        told: list[Any] = []
        while True:
            observation, reward, terminated, truncated, info = env.step(some_action(observation, rng))
            told += [observation["observation"].tobytes(), reward]
            if terminated or truncated:
                break
        assert terminated
        assert not observation["action_mask"].any()
        totals = info["totals"]
        assert reward == pytest.approx((totals[0] - max(totals[1:])) / 100)
        return told

    assert play(3) == play(3)
    assert play(3) != play(4)


def test_what_the_mask_forbids_loses_or_is_refused() -> None:
    env = gymnasium.make("branchline/NewYork-v0", rivals="random")
    observation, _ = env.reset(seed=1)
    wrong = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    _, reward, terminated, _, info = env.step(wrong)
    assert (reward, terminated, info) == (-1, True, {"illegal": True})
    strict = gymnasium.make("branchline/NewYork-v0", rivals="random", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(ValueError, match="the mask forbids action"):
        strict.step(wrong)


def test_shaping_adds_up_to_what_the_game_was_played_for() -> None:
    env = gymnasium.make("branchline/NewYork-v0", rivals="random", reward="shaped")
    rng = np.random.default_rng(1)
    observation, _ = env.reset(seed=8)
    rewards: list[float] = []
    while True:
        observation, reward, over, _, info = env.step(some_action(observation, rng))
        rewards.append(float(reward))
        if over:
            break
    assert sum(map(bool, rewards)) > 2
    # Every potential that was gained is taken back at the end, and the first one is nothing.
    assert sum(rewards) == pytest.approx(1 if info["ranks"][0] < info["ranks"][1] else -1)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"seats": 7}, "seats: new-york is for 2 to 4 (R1.1), not 7"),
        ({"seat": 2}, "seat: from 0 to 1, not 2"),
        ({"reward": "fame"}, "reward: one of win, rank, margin, shaped, not 'fame'"),
        ({"actions": "few"}, "actions: one of full, coloured, compact, not 'few'"),
        ({"rivals": "nobody"}, "no bot 'nobody'"),
        ({"rivals": ["random", "random"]}, "rivals: one, or one for each of 1 other seats, not 2"),
        ({"render_mode": "hologram"}, "render_mode: one of ansi, human, svg, rgb_array, not 'hologram'"),
        ({"illegal": "shrug"}, "illegal: lose or raise, not 'shrug'"),
        ({"places": 9}, "places: from 2 to 4, not 9"),
    ],
)
def test_wrong_settings_are_refused_in_words(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        branchline.env.gymnasium.BranchlineEnv("new-york", **wrong)


def test_many_games_as_gymnasium_has_them() -> None:
    envs = gymnasium.make_vec(IDS[1], num_envs=6, rivals="random", actions="coloured", reward="rank")
    rng = np.random.default_rng(0)
    observations, _ = envs.reset(seed=4)
    first = observations["observation"].copy()
    ends = 0
    for _ in range(120):
        assert observations in envs.observation_space
        kept = observations["observation"].copy()
        actions = [int(rng.choice(np.flatnonzero(mask))) for mask in observations["action_mask"]]
        before = observations
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        assert np.array_equal(before["observation"], kept)
        assert not truncated.any()
        assert not rewards[~terminated].any()
        for game in np.flatnonzero(terminated).tolist():
            ends += 1
            own = game % 2
            assert rewards[game] == (0 if infos["ranks"][game].sum() == 2 else 3 - 2 * infos["ranks"][game, own])
            assert infos["_final_obs"][game]
            assert infos["final_obs"][game] in envs.single_observation_space
    assert ends > 6
    assert np.array_equal(envs.reset(seed=4)[0]["observation"], first)


@pytest.mark.parametrize(("map", "seats"), [("europe", 5), ("new-york", 2)])
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
def test_pettingzoo_finds_no_fault(map: str, seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(pettingzoo.env(map, seats), num_cycles=400)
    seed_test(lambda: pettingzoo.env(map, seats, actions="compact"), num_cycles=60)


def test_pettingzoo_renders_every_way(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: Short(render_mode), {"svg": lambda svg: svg.startswith("<svg")})
    assert "seat 0: 0 points" in capsys.readouterr().out


class Short(pettingzoo.raw_env):
    """A game that is over soon, since each of its moments is drawn."""

    def __init__(self, render_mode: str) -> None:
        super().__init__("new-york", 2, render_mode=render_mode, turns=1)


def test_every_seat_is_asked_and_paid() -> None:
    env = pettingzoo.raw_env("new-york", 4, reward="rank")
    rng = np.random.default_rng(2)
    env.reset(seed=3)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        paid[agent] += reward
        assert sorted(info) == (["ranks", "totals", "turns"] if termination else [])
        for other in env.possible_agents:
            assert env.observe(other)["action_mask"].any() == (other == agent and not termination)
        env.step(None if termination or truncation else some_action(observation, rng))
    assert sum(paid.values()) == pytest.approx(0)
    assert max(paid.values()) > 0
    env.reset(seed=3)
    with pytest.raises(ValueError, match="the mask forbids action 0 to seat_0"):
        env.step(0)
