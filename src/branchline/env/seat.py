"""What the environments of one game at a time share: the game, observations, masks, rewards and pictures of it."""

from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from branchline.engine.scoring import Scores
from branchline.engine.shuffle import Rng, Shuffler
from branchline.env.render import MODES, render
from branchline.env.rewards import REWARDS, final
from branchline.game import Game
from branchline.maps import Map, load_map
from branchline.names import names_of
from branchline.observation.layout import Layout
from branchline.observation.observer import observing
from branchline.observation.spaces import Space
from branchline.observation.witness import Witness, recall

Observation = dict[str, NDArray[Any]]


class Seat:
    """One game as learners see it."""

    def __init__(
        self,
        map: str | Path | Map,
        seats: int,
        *,
        actions: str = "full",
        reward: str = "win",
        places: int | None = None,
        turns: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        self.map = map if isinstance(map, Map) else load_map(map)
        rules = self.map.rules
        if not rules.seats_min <= seats <= rules.seats_max:
            raise ValueError(
                f"seats: {self.map.id} is for {rules.seats_min} to {rules.seats_max} (R1.1), not {seats!r}"
            )
        places = seats if places is None else places
        if not seats <= places <= rules.seats_max:
            raise ValueError(f"places: from {seats} to {rules.seats_max}, not {places!r}")
        if reward not in REWARDS:
            raise ValueError(f"reward: one of {', '.join(REWARDS)}, not {reward!r}")
        if render_mode is not None and render_mode not in MODES:
            raise ValueError(f"render_mode: one of {', '.join(MODES)}, not {render_mode!r}")
        self.seats = seats
        self.reward = reward
        self.turns = turns
        self.render_mode = render_mode
        board = names_of(self.map).board
        self.layout = Layout(board, places)
        self.space = Space(board, actions)
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (int(self.layout.size),), np.uint8),
                "action_mask": spaces.Box(0, 1, (int(self.space.size),), np.int8),
            }
        )
        self.action_space = spaces.Discrete(int(self.space.size))
        self.deal(0)

    def deal(self, seed: int) -> None:
        """Begin a new game."""
        self.game = Game.dealt(self.map, self.seats, Shuffler(b"", seed))
        self.rng = Rng(seed, 1)
        self.potentials = [self.potential(seat) for seat in range(self.seats)]

    @property
    def cut_off(self) -> bool:
        """Whether the game has lasted too long."""
        return not self.game.over and self.game.turn > self.turns

    @property
    def done(self) -> bool:
        """Whether nobody is asked any more."""
        return self.game.over or self.cut_off

    def witness(self, seat: int) -> Witness:
        """What a seat sees and remembers."""
        return recall(self.game.view(seat).sight, self.layout.start)

    def observe(self, seat: int) -> Observation:
        """The observation of a seat and the mask of what it may do now."""
        witness = self.witness(seat)
        out = observing(self.layout, witness).observed(seat)
        mask = np.zeros(int(self.space.size), np.int8)
        if not self.done:
            mask[np.asarray(self.space.allowed(witness.state, seat))] = 1
        return {"observation": np.array(out, np.uint8), "action_mask": mask}

    def allows(self, seat: int, action: int) -> bool:
        """Whether a seat may do an action now."""
        return action in self.space.allowed(self.game.state, seat)

    def play(self, seat: int, action: int) -> None:
        """Do an action of this space."""
        self.game.play_index(seat, int(self.space.index(self.game.state, seat, action)))

    def potential(self, seat: int) -> float:
        """What potential-based shaping counts for a seat: its route points and joined tickets, in hundreds."""
        if self.reward != "shaped" or self.done:
            return 0.0
        witness = self.witness(seat)
        out = observing(self.layout, witness).observed(seat)
        return (int(witness.state.points[seat]) + out[self.layout.ticket_sums]) / 100

    def rewards(self) -> list[float]:
        """What each seat gets for what has happened since this was last asked."""
        out = [0.0] * self.seats
        if self.done:
            scores = Scores(self.game.state)
            out = final(self.reward, np.array([list(scores.total)]), np.array([list(scores.rank)]))[0].tolist()
        if self.reward == "shaped":
            potentials = [self.potential(seat) for seat in range(self.seats)]
            out = [reward + new - old for reward, new, old in zip(out, potentials, self.potentials, strict=True)]
            self.potentials = potentials
        return out

    def result(self) -> dict[str, Any]:
        """The final count, for infos."""
        scores = Scores(self.game.state)
        return {"totals": list(scores.total), "ranks": list(scores.rank), "turns": self.game.turn}

    def render(self, seat: int | None) -> Any:
        """The game as `render_mode` wants it, as a seat sees it or a spectator."""
        return None if self.render_mode is None else render(self.render_mode, self.game.view(seat))
