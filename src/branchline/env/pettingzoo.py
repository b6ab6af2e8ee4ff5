"""PettingZoo: every seat an agent, in turn (AEC).

    from branchline.env import pettingzoo

    env = pettingzoo.env("europe", seats=4, reward="rank", render_mode="ansi")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination or truncation else observation["action_mask"].argmax()
        env.step(action)

Agents are `seat_0`, `seat_1` and so on; in the opening they answer one after the other, and none sees an answer before
all have given theirs (R2.5). The arguments are those of `branchline.env.gymnasium` that speak of the game: `map`,
`seats`, `reward`, `actions`, `places`, `turns`, `render_mode`. `env` ends a game with -1 for who does what the mask
forbids; `raw_env` refuses it and changes nothing. A rendered picture shows what the agent to act sees.
"""

from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from branchline.env.render import MODES
from branchline.env.seat import Observation, Seat
from branchline.maps import Map


def env(map: str | Path | Map = "europe", seats: int = 2, *, render_mode: str | None = None, **settings: Any) -> AECEnv:
    """The environment, with PettingZoo's wrappers around it."""
    out = raw_env(map, seats, render_mode=render_mode, **settings)
    out = wrappers.TerminateIllegalWrapper(out, illegal_reward=-1)
    out = wrappers.AssertOutOfBoundsWrapper(out)
    return wrappers.OrderEnforcingWrapper(out)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 - PettingZoo's own name for it
    """The environment as it is."""

    metadata = {"name": "branchline_v0", "render_modes": list(MODES), "is_parallelizable": False, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self, map: str | Path | Map = "europe", seats: int = 2, *, render_mode: str | None = None, **settings: Any
    ) -> None:
        super().__init__()
        self.table = Seat(map, seats, render_mode=render_mode, **settings)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents = self.possible_agents[:]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every agent, and the same object each time."""
        return self.table.observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every agent, and the same object each time."""
        return self.table.action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.table.deal(int(self._rng.integers(2**62)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.game.to_act[0]]

    def observe(self, agent: str) -> Observation:
        """What an agent sees; its mask allows something only when it is to act."""
        out = self.table.observe(self._seats[agent])
        if agent != self.agent_selection:
            out["action_mask"][:] = 0
        return out

    def step(self, action: Any) -> None:
        """Do an action of the agent to act."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not self.table.allows(self._seats[agent], int(action)):
            raise ValueError(f"the mask forbids action {action} to {agent}")
        self.table.play(self._seats[agent], int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, self.table.rewards(), strict=True))
        if self.table.done:
            self.terminations = dict.fromkeys(self.agents, self.table.game.over)
            self.truncations = dict.fromkeys(self.agents, self.table.cut_off)
            self.infos = {agent: self.table.result() for agent in self.agents}
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.table.game.to_act[0]]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The game as the agent to act sees it."""
        return self.table.render(self._seats[self.agent_selection])

    def close(self) -> None:
        """Nothing is held open."""
