"""Stable-Baselines3's MaskablePPO learns New York against a random player: pip install sb3-contrib (it brings torch).

A short run that shows how the pieces fit; `branchline train` learns far more a second.
"""

from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO

import branchline.env.gymnasium  # noqa: F401 - registers the ids


class Masked(gymnasium.ObservationWrapper[Any, Any, Any]):
    """The observation as floats, and its mask where MaskablePPO asks for it."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        size = env.observation_space["observation"].shape
        self.observation_space = gymnasium.spaces.Box(0, 1, size, np.float32)

    def observation(self, observation: Any) -> Any:
        self.mask = observation["action_mask"].astype(bool)
        return observation["observation"].astype(np.float32) / 255

    def action_masks(self) -> Any:
        return self.mask


def play(policy: Any, env: Masked, games: int) -> int:
    """How many of so many games the policy wins."""
    won = 0
    for seed in range(games):
        observation, info = env.reset(seed=1_000_000 + seed)
        over = False
        while not over:
            action, _ = policy.predict(observation, action_masks=env.action_masks(), deterministic=True)
            observation, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        won += int(info["ranks"][0] == 1)
    return won


env = Masked(gymnasium.make("branchline/NewYork-v0", rivals="random", actions="compact", reward="shaped"))
policy = MaskablePPO("MlpPolicy", env, n_steps=512, batch_size=128, seed=1, device="cpu")
print("before:", play(policy, env, 20), "of 20 games won")
policy.learn(4096)
print("after 4,096 decisions:", play(policy, env, 20), "of 20 games won")
