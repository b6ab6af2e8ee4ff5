"""Gymnasium: one seat learns, bots play the others. Importing this module registers the ids.

    import gymnasium
    import branchline.env.gymnasium

    env = gymnasium.make("branchline/NewYork-v0", rivals="regular", reward="margin")
    observation, info = env.reset(seed=1)
    mask = observation["action_mask"]                       # which of env.action_space are legal now
    observation, reward, terminated, truncated, info = env.step(mask.argmax())

`branchline/Europe-v0` and `branchline/NewYork-v0` take:

- `seats` (2), and `rivals`: a bot of the house or a file (`regular`, `one-step`, `my_bot.py:MyBot`), or one for each
  other seat; `nodes`: what a searching bot may think.
- `seat` (0): where the learner sits. The shuffle decides who begins.
- `reward`: "win", "rank", "margin" or "shaped" (`branchline.env.rewards`), for the learner.
- `actions`: "full" (the engine's indices), "coloured" or "compact" (`branchline.observation.spaces`).
- `places`: seats that the observation has room for. `turns` (1000): then a game is cut off (`truncated`).
- `illegal`: what an action does that the mask forbids: "lose" (the game ends with -1) or "raise".
- `render_mode`: "ansi", "human", "svg", "rgb_array" (the last needs `pip install 'branchline[draw]'`).

An observation is a dict of `observation` (bytes; docs/research.md names each) and `action_mask`. When a game is over
`info` holds `totals`, `ranks` and `turns`.

`gymnasium.make_vec(id, num_envs=256)` makes `VectorEnv`, the compiled one: its rivals are "random" or "regular".
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from branchline.bots.base import Bot, Budget, to_index
from branchline.bots.registry import load
from branchline.env.render import MODES
from branchline.env.rewards import final
from branchline.env.seat import Observation, Seat
from branchline.env.vector import Games
from branchline.maps import Map

IDS = {"branchline/Europe-v0": "europe", "branchline/NewYork-v0": "new-york"}


class BranchlineEnv(gymnasium.Env[Observation, Any]):
    """One seat of a game; the module says the rest."""

    metadata = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012 - Gymnasium's own shape

    def __init__(
        self,
        map: str | Path | Map = "europe",
        seats: int = 2,
        *,
        rivals: str | Sequence[str] = "regular",
        nodes: int | None = None,
        seat: int = 0,
        reward: str = "win",
        actions: str = "full",
        places: int | None = None,
        turns: int = 1000,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        self.table = Seat(
            map, seats, actions=actions, reward=reward, places=places, turns=turns, render_mode=render_mode
        )
        if not 0 <= seat < seats:
            raise ValueError(f"seat: from 0 to {seats - 1}, not {seat!r}")
        if illegal not in ("lose", "raise"):
            raise ValueError(f"illegal: lose or raise, not {illegal!r}")
        names = [rivals] * (seats - 1) if isinstance(rivals, str) else list(rivals)
        if len(names) != seats - 1:
            raise ValueError(f"rivals: one, or one for each of {seats - 1} other seats, not {len(names)}")
        bots = iter([load(name) for name in names])
        self.bots: list[Bot | None] = [None if number == seat else next(bots) for number in range(seats)]
        self.budget = Budget(nodes=nodes)
        self.seat = seat
        self.illegal = illegal
        self.render_mode = render_mode
        self.observation_space: gymnasium.Space[Any] = self.table.observation_space
        self.action_space = self.table.action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new game and let the rivals play up to the learner's first question."""
        super().reset(seed=seed)
        self.table.deal(int(self.np_random.integers(2**62)))
        self._play_on()
        self.table.rewards()
        return self.table.observe(self.seat), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do an action, and let the rivals play up to the next question."""
        table = self.table
        if not table.allows(self.seat, int(action)):
            if self.illegal == "raise" or table.done:
                raise ValueError(f"the mask forbids action {action}")
            return table.observe(self.seat), -1.0, True, False, {"illegal": True}
        table.play(self.seat, int(action))
        self._play_on()
        reward = table.rewards()[self.seat]
        info = table.result() if table.done else {}
        return table.observe(self.seat), reward, table.game.over, table.cut_off, info

    def render(self) -> Any:
        """The game as the learner's seat sees it."""
        return self.table.render(self.seat)

    def _play_on(self) -> None:
        game = self.table.game
        while not self.table.done and self.seat not in game.to_act:
            who = game.to_act[0]
            bot = self.bots[who]
            assert bot is not None
            view = game.view(who)
            game.play_index(who, to_index(view, bot.choose(view, self.table.rng, self.budget)))


class VectorEnv(gymnasium.vector.VectorEnv[Observation, Any, Any]):
    """Many games stepped in compiled code, one seat of each learning: `Games` with Gymnasium's words.

    A game that ends is dealt anew in the same step (`AutoresetMode.SAME_STEP`): `infos["final_obs"]` has what its
    learner saw last, `infos["totals"]`, `["ranks"]`, `["turns"]` the result, where `infos["_final_obs"]` is true.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - Gymnasium's own shape

    def __init__(
        self,
        num_envs: int = 1,
        map: str | Path | Map = "europe",
        seats: int = 2,
        *,
        rivals: str = "regular",
        seat: int | None = None,
        reward: str = "win",
        actions: str = "full",
        places: int | None = None,
        turns: int = 1000,
        copy: bool = True,
    ) -> None:
        """`seat`: where the learner sits; left out, game by game another. `copy`: whether arrays stay as they are."""
        if reward == "shaped":
            raise ValueError("reward: of many games at once win, rank or margin; shape with Games.potentials()")
        if seat is not None and not 0 <= seat < seats:
            raise ValueError(f"seat: from 0 to {seats - 1}, not {seat!r}")
        self.num_envs = num_envs
        self.seats = np.arange(num_envs) % seats if seat is None else np.full(num_envs, seat)
        players = [["ask" if who == own else rivals for who in range(seats)] for own in self.seats.tolist()]
        self.games = Games(map, num_envs, seats, actions=actions, players=players, places=places, turns=turns)
        self.reward = reward
        self.copy = copy
        final(reward, np.zeros((1, seats)), np.ones((1, seats)))
        single = Seat(self.games.map, seats, actions=actions, places=places)
        self.single_observation_space = single.observation_space
        self.single_action_space = single.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal all games anew."""
        if isinstance(seed, list):
            seed = seed[0]
        super().reset(seed=seed)
        self.games.reset(int(self.np_random.integers(2**62)))
        return self._observations(), {}

    def step(
        self, actions: Any
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Do one action in each game."""
        games = self.games
        over = games.step(actions)
        rewards = np.zeros(self.num_envs)
        infos: dict[str, Any] = {}
        if over:
            rewards = games.rewards(self.reward)[np.arange(self.num_envs), self.seats].astype(np.float64)
            ended = games.ended > 0
            last = np.empty(self.num_envs, object)
            for game in np.flatnonzero(ended).tolist():
                mask = np.zeros(int(games.space.size), np.int8)
                last[game] = {"observation": games.finals[game].copy(), "action_mask": mask}
            infos = {"final_obs": last, "_final_obs": ended}
            infos |= {"totals": games.totals.copy(), "ranks": games.ranks.copy(), "turns": games.turns.copy()}
            infos |= {"_totals": ended, "_ranks": ended, "_turns": ended}
        return self._observations(), rewards, games.ended == 1, games.ended == 2, infos

    def _observations(self) -> Observation:
        out: Observation = {"observation": self.games.observations, "action_mask": self.games.masks.view(np.int8)}
        return {name: part.copy() for name, part in out.items()} if self.copy else out


for _id, _map in IDS.items():
    gymnasium.register(
        _id,
        entry_point="branchline.env.gymnasium:BranchlineEnv",
        vector_entry_point="branchline.env.gymnasium:VectorEnv",
        kwargs={"map": _map},
    )
