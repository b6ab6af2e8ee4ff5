"""The tables at which a policy learns: several seat counts of one map at once, and who sits where."""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from branchline.bots.base import Bot, Budget, to_index
from branchline.bots.keeper import BotFault
from branchline.bots.learned.heads import Heads
from branchline.bots.policies import MOST_SEATS
from branchline.bots.registry import load
from branchline.engine.shuffle import Rng
from branchline.env.vector import PLAYERS, Games, Saved
from branchline.game import Game
from branchline.maps import Map
from branchline.views import View

LEARNER, PAST, VARIED = "ask", "past", "varied"
"""Who sits in a seat: the policy that learns, a past self of it, a planner of another style with every deal, another
player of `env.vector.PLAYERS`, or a bot by name."""

SEATED = ("", PAST, *PLAYERS)
"""Names that are no bot's that has to be asked here."""

SavedTables = tuple[list[list[Saved]], Rng, dict[int, Game]]
"""Tables as they stand, to be pickled: the games of each seat count, the generator of the guests, and their games."""


def mix(seats: Sequence[int], tables: int, shares: Mapping[str, float]) -> list[list[str]]:
    """So many tables. `shares`: which part of them seats the learner with whom; at the rest it plays itself.

    Seat counts come in the order of `seats`, over and over; each entry has its shares as far as it has tables for them,
    and all entries together have theirs. Among others the learner has one seat, at each table the next.
    """
    rounds = -(-tables // len(seats))
    out = []
    for table in range(tables):
        number, entry = divmod(table, len(seats))
        place = (number + (entry + 0.5) / len(seats)) / rounds
        rival = LEARNER
        for name, share in shares.items():
            if place < share:
                rival = name
                break
            place -= share
        count = seats[entry]
        out.append([LEARNER if seat == number % count else rival for seat in range(count)])
    return out


class Tables:
    """Games of several seat counts as if they were one `Games`; arrays hold the games by seat count, ascending."""

    def __init__(
        self,
        map: Map,
        tables: Sequence[Sequence[str]],
        seed: int,
        same: int = 1,
        advised: bool = False,
        places: int | None = None,
        nodes: int = 1,
    ) -> None:
        """`same`: so many tables beside each other get the same deals; `advised`: observations end with the advice.

        `places`: seats that observations have room for, as many as the map's if it isn't said. `nodes`: what guests
        may think with.
        """
        self.map = map
        self.advised = advised
        self.sets: list[Games] = []
        sitting: list[list[str]] = []
        places = places or map.rules.seats_max
        for count in sorted({len(table) for table in tables}):
            these = [list(table) for table in tables if len(table) == count]
            players = [[name if name in PLAYERS else LEARNER for name in table] for table in these]
            self.sets.append(
                Games(
                    map, len(these), count, actions="coloured", players=players, places=places,
                    outlook=True, seed=seed + (count << 36), same=same,
                )
            )  # fmt: skip
            sitting += [table + [""] * (MOST_SEATS - count) for table in these]
        self.sitting = np.array(sitting)
        self.past = np.flatnonzero((self.sitting == PAST).any(1))
        """Games at which a past self sits."""
        self.guests = {str(name): load(str(name)) for name in np.unique(self.sitting) if name not in SEATED}
        """Bots of the house that are asked like the learner, and answer for themselves."""
        visited = np.isin(self.sitting, list(self.guests)).any(1)
        compiled = [name for name in PLAYERS if name != LEARNER]  # they act unseen, and a mirror would miss it
        if (visited & np.isin(self.sitting, compiled).any(1)).any():
            raise ValueError(f"no table has guests ({', '.join(self.guests)}) beside {' or '.join(compiled)}")
        self.guested = [int(game) for game in np.flatnonzero(visited)]
        self.budget = Budget(nodes=nodes)
        self.heads = Heads(self.sets[0].space)
        self.rng = Rng(seed)
        self.games = len(sitting)
        self.seats = np.concatenate([np.full(one.games, one.seats) for one in self.sets])
        self.mirrors = {game: self._dealt(game) for game in self.guested}
        """The games at which guests sit, with what their tables remember: a guest sees what its seat would see."""
        self.look()

    def look(self) -> None:
        """Take in what is asked now."""
        self.observations: NDArray[np.uint8] = np.concatenate([one.observations for one in self.sets])
        if self.advised:
            self.observations = np.hstack([self.observations, self._named(self.advice())])
        self.masks: NDArray[np.uint8] = np.concatenate([one.masks for one in self.sets])
        self.asked: NDArray[np.int64] = np.concatenate([one.seats_asked for one in self.sets])
        self.learner: NDArray[np.bool_] = self.sitting[np.arange(self.games), self.asked] == LEARNER
        """Where the learner is asked, and not a past self."""

    def _named(self, advice: NDArray[np.int64]) -> NDArray[np.uint8]:
        """For each game 1 for every output that its advice names."""
        first, second = np.asarray(self.heads.first)[advice], np.asarray(self.heads.second)[advice]
        named = np.zeros((len(advice), int(self.heads.outputs)), np.uint8)
        every = np.arange(len(advice))
        named[every, first] = 1
        named[every[second >= 0], second[second >= 0]] = 1
        return named

    def answer(self, actions: NDArray[np.int64], counts: NDArray[np.bool_] | None = None) -> None:
        """Put in what the guests do where they are asked; elsewhere, and in games that no longer count, leave it."""
        for game, mirror in self.mirrors.items():
            seat = int(self.asked[game])
            bot = self.guests.get(str(self.sitting[game, seat]))
            if bot is not None and (counts is None or counts[game]):
                index = _asked(str(self.sitting[game, seat]), bot, mirror.view(seat), self.rng, self.budget)
                actions[game] = self.find(game)[0].space.action(mirror.state, seat, index)

    def save(self) -> SavedTables:
        """All games as they stand; what comes next follows from it and from the answers that are given."""
        mirrors = {game: mirror.copy() for game, mirror in self.mirrors.items()}
        return [one.save() for one in self.sets], copy(self.rng), mirrors

    def load(self, saved: SavedTables) -> None:
        """Go on where the same tables were saved."""
        sets, self.rng, self.mirrors = saved
        for one, games in zip(self.sets, sets, strict=True):
            one.load(games)
        self.look()

    def _dealt(self, game: int) -> Game:
        one, row = self.find(game)
        return one.dealt(row)

    def find(self, game: int) -> tuple[Games, int]:
        """The set that a game belongs to, and its row there."""
        for one in self.sets:
            if game < one.games:
                return one, game
            game -= one.games
        raise IndexError(game)

    def step(self, actions: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.float32], NDArray[np.float32]]:
        """Do one action in each game: which games ended, and each seat's points and share of the win in those."""
        for game, mirror in self.mirrors.items():
            seat = int(self.asked[game])
            mirror.play_index(seat, int(self.find(game)[0].space.index(mirror.state, seat, int(actions[game]))))
        ended, points, wins = [], [], []
        at = 0
        for one in self.sets:
            one.step(actions[at : at + one.games])
            at += one.games
            room = ((0, 0), (0, MOST_SEATS - one.seats))
            first = one.ranks == 1
            ended.append(one.ended > 0)
            points.append(np.pad(one.totals.astype(np.float32), room, constant_values=-np.inf))
            wins.append(np.pad((first / np.maximum(first.sum(1, keepdims=True), 1)).astype(np.float32), room))
        over = np.concatenate(ended)
        for game in self.guested:
            if over[game]:
                self.mirrors[game] = self._dealt(game)
        self.look()
        return over, np.concatenate(points), np.concatenate(wins)

    def advice(self) -> NDArray[np.int64]:
        """What the planner would do in each game."""
        return np.concatenate([one.advice() for one in self.sets])


def _asked(name: str, bot: Bot, view: View, rng: Rng, budget: Budget) -> int:
    """What a guest does; BotFault says whose fault it was."""
    try:
        return to_index(view, bot.choose(view, rng, budget))
    except (Exception, SystemExit) as error:
        raise BotFault(f"{name} failed: {type(error).__name__}: {error}") from error


def rewards(points: NDArray[np.float32], wins: NDArray[np.float32], win: float, margin: float) -> NDArray[np.float32]:
    """What each seat gets: `win` of it for winning, the rest for the lead over the best other, full at `margin`."""
    best = np.sort(points, 1)
    alone = (points == best[:, -1:]).sum(1, keepdims=True) == 1
    other = np.where((points == best[:, -1:]) & alone, best[:, -2:-1], best[:, -1:])
    lead = np.where(np.isfinite(points), points - other, 0)
    return (win * (2 * wins - 1) + (1 - win) * np.clip(lead / margin, -1, 1)).astype(np.float32)
