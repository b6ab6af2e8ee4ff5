"""Many games at once, stepped in compiled code: observations, masks and results as NumPy arrays.

    from branchline.env.vector import Games

    games = Games("new-york", games=512, seats=2, actions="coloured", seed=1)
    while training:
        actions = policy(games.observations, games.masks)     # (512, size) and (512, actions), both uint8
        games.step(actions)                                   # one action in each game, by the seat that was asked
        games.seats_asked                                     # (512,) who is asked now
        games.ended                                           # (512,) 1: the game ended with this step; 2: cut off
        games.totals, games.ranks                             # (512, 2) final count and places of the games that ended

- Every array is a read-only view of what the compiled code writes: the next `step` overwrites it. Copy what you keep.
- A game that ends is dealt anew in the same step: its observation is the first of the next game. `ended` tells, and
  `totals`, `ranks` and `turns` hold the result of the game that ended (they keep older results in the other rows).
- `players` says who plays each seat: "ask" (you), "random", "regular" (the planner), "varied" (planners of
  other styles, new ones with every deal). For self-play all are asked, and `seats_asked` says for whom the
  observation is; for past selves choose the network by game and seat.
- `actions`: "full" (`Board.actions`), "coloured" or "compact" (`branchline.observation.spaces`); `index(game, action)`
  gives the engine's action index of an action, `advice()` what the planner would do, as actions of this space.
- `layout.fields` names every part of an observation; `places` makes room for more seats than the game has, so that
  one network can play with any number; `outlook` adds a last part that works out what a small network learns slowly.
- `finals` holds what the seat that acted last saw at the end of a game, for learners that look on from a cut.
- `save()` gives all games as they stand, to be pickled; `load` of the same `Games` elsewhere goes on from there.
- Seeds: the n-th deal of row g is dealt with `seed + g // same + n * (games // same)`; with `same=2` rows 0 and 1 get
  the same deals, and so on: exchange the players and each deal is played from both sides.
"""

from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from branchline.engine.shuffle import Rng
from branchline.engine.state import State
from branchline.env.pool.games import ASKED, RANDOM, REGULAR, VARIED, Pool, Saved
from branchline.env.rewards import final
from branchline.game import Game
from branchline.maps import Map, load_map
from branchline.names import names_of
from branchline.observation.layout import OBSERVATION_VERSION, Layout
from branchline.observation.spaces import COMPACT_VERSION, Space

__all__ = ["COMPACT_VERSION", "OBSERVATION_VERSION", "PLAYERS", "Games", "Saved"]

PLAYERS = {"ask": int(ASKED), "random": int(RANDOM), "regular": int(REGULAR), "varied": int(VARIED)}
"""Who may play a seat."""

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]


class Games:
    """So many games of one map and number of seats."""

    def __init__(
        self,
        map: str | Path | Map,
        games: int,
        seats: int = 2,
        *,
        actions: str = "full",
        players: Sequence[str] | Sequence[Sequence[str]] | None = None,
        places: int | None = None,
        outlook: bool = False,
        seed: int = 0,
        same: int = 1,
        turns: int = 1000,
    ) -> None:
        """`players`: one for each seat, or such rows for each game; all asked if left out. `turns`: most of a game."""
        self.map = map if isinstance(map, Map) else load_map(map)
        rules = self.map.rules
        if not rules.seats_min <= seats <= rules.seats_max:
            raise ValueError(
                f"seats: {self.map.id} is for {rules.seats_min} to {rules.seats_max} (R1.1), not {seats!r}"
            )
        if games < 1:
            raise ValueError(f"games: at least one, not {games!r}")
        if same < 1 or games % same:
            raise ValueError(f"same: a divisor of {games} games, not {same!r}")
        places = seats if places is None else places
        if not seats <= places <= rules.seats_max:
            raise ValueError(f"places: from {seats} to {rules.seats_max}, not {places!r}")
        self.games = games
        self.seats = seats
        self.same = same
        self.board = names_of(self.map).board
        self.layout = Layout(self.board, places, outlook)
        self.space = Space(self.board, actions)
        self.players = _players(players, games, seats)
        self.pool = Pool(self.board, seats, self.players, self.space, self.layout, same, turns)
        pool = self.pool
        size = int(self.layout.size)
        self._pages: Bytes = np.asarray(pool.pages).reshape(games * seats, size)
        self._first_pages = np.arange(games) * seats
        self._asked: Bytes = np.zeros((games, size), np.uint8)
        self.observations: Bytes = self._asked.view()
        self.observations.flags.writeable = False
        self.masks: Bytes = np.asarray(pool.mask).reshape(games, int(self.space.size))
        self.seats_asked: Ints = np.asarray(pool.seat)
        self.ended: Bytes = np.asarray(pool.ended)
        self.totals: Ints = np.asarray(pool.total).reshape(games, seats)
        self.ranks: Ints = np.asarray(pool.rank).reshape(games, seats)
        self.turns: Ints = np.asarray(pool.length)
        self.finals: Bytes = np.asarray(pool.final).reshape(games, size)
        """What the seat that acted last saw at the end of the games that ended."""
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Deal all games anew."""
        self.pool.reset(seed)
        self._gather()

    def step(self, actions: NDArray[Any] | Sequence[int]) -> int:
        """Do one action in each game; returns how many games ended. ValueError names an action no mask allows."""
        ended = int(self.pool.step(np.asarray(actions).astype("<i4").tobytes()))
        self._gather()
        return ended

    def sample(self, rng: Rng) -> Ints:
        """A random action for each game, each that its mask allows as likely."""
        return np.asarray(self.pool.sample(rng))

    def advice(self) -> Ints:
        """What the planner would do in each game, as actions of this space."""
        return np.asarray(self.pool.advice())

    def index(self, game: int, action: int) -> int:
        """The engine's index of an action that one game's mask allows now."""
        state = self.pool.state(game)
        return int(self.space.index(state, self.pool.seat[game], action))

    def state(self, game: int) -> State:
        """A copy of one game, with everything that is hidden in it."""
        return self.pool.state(game)

    def dealt(self, game: int) -> Game:
        """One game as it was dealt, with what its table remembers; what was done since then is not done in it."""
        return Game.dealt(self.map, self.seats, self.pool._shuffler(game, self.pool.dealt[game] - 1))

    def save(self) -> list[Saved]:
        """All games as they stand: they can be pickled, and `load` goes on from there."""
        return [(dealt, state, notes, copy(rng)) for dealt, state, notes, rng in self.pool.save()]

    def load(self, saved: list[Saved]) -> None:
        """Go on where the same games (map, seats, players, seed) were saved; the results of ended ones are gone."""
        if len(saved) != self.games:
            raise ValueError(f"saved: {len(saved)} games, and there are {self.games} here")
        self.pool.load(self.pool.seed, saved)
        self._gather()

    def _gather(self) -> None:
        """Take over what the seats that are asked see: the pool keeps a page for every seat."""
        np.take(self._pages, self._first_pages + self.seats_asked, axis=0, out=self._asked, mode="clip")

    def rewards(self, kind: str = "win") -> NDArray[np.float32]:
        """What each seat gets for the games that ended with the last step, (games, seats); nothing for the others.

        `kind`: "win", "rank" or "margin" (`branchline.env.rewards`).
        """
        out = np.zeros((self.games, self.seats), np.float32)
        over = np.flatnonzero(self.ended)
        if over.size:
            out[over] = final(kind, self.totals[over], self.ranks[over])
        return out

    def potentials(self) -> NDArray[np.float32]:
        """For shaping: route points and joined tickets of each game's asked seat, in hundreds.

        Add what this has gained since the same seat of the same game was asked last, with 0 for a game that is over.
        """
        points = self.observations[:, int(self.layout.points)].astype(np.float32)
        joined = self.observations[:, int(self.layout.ticket_sums)].astype(np.float32)
        return (points + joined) / np.float32(100)


def _players(players: Sequence[str] | Sequence[Sequence[str]] | None, games: int, seats: int) -> list[list[int]]:
    named: list[Sequence[str]] = [["ask"] * seats] * games
    if players is not None:
        named = [players] * games if isinstance(players[0], str) else list(players)  # type: ignore[list-item]
    if len(named) != games or any(len(row) != seats for row in named):
        raise ValueError(f"players: one for each of {seats} seats, or such a row for each of {games} games")
    for row in named:
        for player in row:
            if player not in PLAYERS:
                raise ValueError(f"players: each is one of {', '.join(PLAYERS)}, not {player!r}")
        if "ask" not in row:
            raise ValueError("players: at least one seat of each game has to be asked")
    return [[PLAYERS[player] for player in row] for row in named]
