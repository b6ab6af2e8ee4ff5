"""Many games stepped at once in compiled code: the engine room of `branchline.env.vector`."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.planner.blind import blind
from branchline.bots.planner.play import Planner
from branchline.bots.planner.variety import varied
from branchline.bots.planner.weights import Weights, fitted
from branchline.engine.board import NONE, Board, zeros
from branchline.engine.legal import actor
from branchline.engine.playout import random_action
from branchline.engine.scoring import Scores
from branchline.engine.setup import deal
from branchline.engine.shuffle import Rng, Shuffler
from branchline.engine.stages import OVER
from branchline.engine.state import State, restored
from branchline.observation.layout import Layout, blank
from branchline.observation.observer import Observer
from branchline.observation.page import wipe
from branchline.observation.spaces import Space
from branchline.observation.witness import Witness, recalled, watch

ASKED: Final[i64] = 0
"""A seat whose actions come from outside."""
RANDOM: Final[i64] = 1
"""A seat that plays any legal action, each as likely."""
REGULAR: Final[i64] = 2
"""A seat that the planner plays, as the bot `regular` does."""
VARIED: Final[i64] = 3
"""A seat that a planner of another style plays, a new one with every deal."""

Saved = tuple[int, list[list[int]], list[list[int]], Rng]
"""One game as it stands: deals so far, the state's numbers, its witness's notes, and the generator of RANDOM seats."""


class Pool:
    """So many games. Seats that are asked get observations and masks; the others play by themselves."""

    def __init__(
        self,
        board: Board,
        seats: i64,
        players: list[list[int]],
        space: Space,
        layout: Layout,
        same: i64,
        turns: i64,
    ) -> None:
        """`players`: for each game who plays each seat; `turns`: after so many a game is cut off and counted.

        `same`: so many games beside each other get the same deals.
        """
        self.board = board
        self.seats: i64 = seats
        self.games: i64 = len(players)
        self.space = space
        self.layout = layout
        self.same: i64 = same
        self.turns: i64 = turns
        self.players = vec[i64]()
        for game in players:
            for player in game:
                self.players = append(self.players, player)
        self.weights = fitted(board)
        self.styles = [self.weights for _ in self.players]
        """What the planner of each seat of each game goes by; those of VARIED seats change with every deal."""
        self.observers: list[Observer] = []
        self.seed: i64 = 0
        self.dealt = zeros(self.games)
        """How many deals each game has had."""
        self.rng: list[Rng] = []
        """The random choices of each game's RANDOM seats."""
        self.pages = blank(self.games * seats * layout.size)
        """What each seat of each game saw when it was last asked; only what has changed since then is written."""
        self.mask = blank(self.games * space.size)
        self.allowed = [vec[i64]() for _ in players]
        """The actions that each game's mask allows."""
        self.seat = zeros(self.games)
        """Who is asked in each game."""
        self.ended = blank(self.games)
        """1 for each game that ended with the last step, 2 for one that was cut off."""
        self.final = blank(self.games * layout.size)
        """What the seat that acted last saw when its game ended."""
        self.total = zeros(self.games * seats)
        """The final count of games that ended with the last step."""
        self.rank = zeros(self.games * seats)
        self.length = zeros(self.games)
        """Turns of games that ended with the last step."""

    def reset(self, seed: i64) -> None:
        """Deal every game, play on to its first question, and show it."""
        self.seed = seed
        self.observers = []
        self.rng = []
        game: i64 = 0
        while game < self.games:
            self.dealt[game] = 0
            self.observers.append(self._deal(game))
            self.rng.append(Rng(seed + game, RANDOM))
            self.ended[game] = 0
            self._play_on(game)
            self._show(game)
            game += 1

    def step(self, actions: bytes) -> i64:
        """Do one action in each game (four bytes each, the lowest first) and play on to the next question.

        Games that end, or last too long, are counted and dealt anew; returns how many did.
        Nothing is done where an action is not one that its mask allows: ValueError names it.
        """
        self._check(actions)
        over: i64 = 0
        game: i64 = 0
        while game < self.games:
            witness = self.observers[game].witness
            seat = self.seat[game]
            witness.act(seat, self.space.index(witness.state, seat, _action(actions, game)))
            self._play_on(game)
            self.ended[game] = 0
            if self.seat[game] == NONE:
                self._count(game)
                self._show_end(game, seat)
                over += 1
                self.observers[game] = self._deal(game)
                self._play_on(game)
            self._show(game)
            game += 1
        return over

    def save(self) -> list[Saved]:
        """All games as they stand."""
        out = []
        game: i64 = 0
        while game < self.games:
            witness = self.observers[game].witness
            out.append((int(self.dealt[game]), witness.state.numbers(), witness.notes(), self.rng[game]))
            game += 1
        return out

    def load(self, seed: i64, saved: list[Saved]) -> None:
        """Go on where another pool of the same players saved its games."""
        self.seed = seed
        self.observers = []
        self.rng = []
        game: i64 = 0
        while game < self.games:
            dealt, numbers, notes, rng = saved[game]
            self.dealt[game] = dealt
            state = restored(self.board, self.seats, self._shuffler(game, dealt - 1), numbers)
            self.observers.append(self._observer(game, recalled(state, notes, self.layout.start)))
            self.rng.append(rng)
            self.ended[game] = 0
            self.seat[game] = actor(state)
            self._show(game)
            game += 1

    def sample(self, rng: Rng) -> vec[i64]:
        """A random action for each game, each of its mask as likely."""
        out = vec[i64](capacity=self.games)
        game: i64 = 0
        while game < self.games:
            allowed = self.allowed[game]
            out = append(out, allowed[rng.below(len(allowed))])
            game += 1
        return out

    def advice(self) -> vec[i64]:
        """What the planner would do in each game, as an action of this space."""
        out = vec[i64](capacity=self.games)
        game: i64 = 0
        while game < self.games:
            witness = self.observers[game].witness
            seat = self.seat[game]
            out = append(out, self.space.action(witness.state, seat, self._plan(witness, seat, self.weights)))
            game += 1
        return out

    def state(self, game: i64) -> State:
        """A copy of one game."""
        return self.observers[game].witness.state.copy()

    def _deal(self, game: i64) -> Observer:
        shuffler = self._shuffler(game, self.dealt[game])
        self.dealt[game] += 1
        return self._observer(game, watch(deal(self.board, self.seats, shuffler), self.layout.start))

    def _observer(self, game: i64, witness: Witness) -> Observer:
        self._style(game)
        size = self.seats * self.layout.size
        wipe(self.pages, game * size, size)
        return Observer(self.layout, witness, self.pages, game * size)

    def _shuffler(self, game: i64, number: i64) -> Shuffler:
        """Of the deal of this number in a game's row."""
        return Shuffler(b"", self._deal_seed(game, number))

    def _deal_seed(self, game: i64, number: i64) -> i64:
        return self.seed + game // self.same + number * (self.games // self.same)

    def _style(self, game: i64) -> None:
        """Draw the styles of a deal: those of its VARIED seats."""
        seed = self._deal_seed(game, self.dealt[game] - 1)
        seat: i64 = 0
        while seat < self.seats:
            at = game * self.seats + seat
            if self.players[at] == VARIED:
                self.styles[at] = varied(self.board, Rng(seed, VARIED + seat))
            seat += 1

    def _check(self, actions: bytes) -> None:
        if len(actions) != 4 * self.games:
            raise ValueError(f"actions: one for each of {self.games} games")
        game: i64 = 0
        while game < self.games:
            action = _action(actions, game)
            if not 0 <= action < self.space.size or not self.mask[game * self.space.size + action]:
                raise ValueError(f"actions: game {game} does not allow {action}; its mask says what it allows")
            game += 1

    def _play_on(self, game: i64) -> None:
        """Let the seats that are not asked play, up to the next question; `seat` is NONE if the game is over."""
        witness = self.observers[game].witness
        state = witness.state
        while state.stage != OVER and state.turn <= self.turns:
            seat = actor(state)
            player = self.players[game * self.seats + seat]
            if player == ASKED:
                self.seat[game] = seat
                return
            if player == RANDOM:
                witness.act(seat, random_action(state, self.rng[game]))
            else:
                witness.act(seat, self._plan(witness, seat, self.styles[game * self.seats + seat]))
        self.seat[game] = NONE

    def _plan(self, witness: Witness, seat: i64, weights: Weights) -> i64:
        return Planner(self.board, seat, weights, True).choose(blind(witness.state, seat, witness.cards))

    def _count(self, game: i64) -> None:
        state = self.observers[game].witness.state
        scores = Scores(state)
        at = game * self.seats
        seat: i64 = 0
        while seat < self.seats:
            self.total[at + seat] = scores.total[seat]
            self.rank[at + seat] = scores.rank[seat]
            seat += 1
        self.length[game] = state.turn
        self.ended[game] = 1 if state.stage == OVER else 2

    def _show_end(self, game: i64, seat: i64) -> None:
        """Keep what a seat sees of a game that is over."""
        at = self.observers[game].observe(seat)
        end = at + self.layout.size
        to = game * self.layout.size
        while at < end:
            self.final[to] = self.pages[at]
            to += 1
            at += 1

    def _show(self, game: i64) -> None:
        observer = self.observers[game]
        seat = self.seat[game]
        observer.observe(seat)
        mask = self.mask
        at = game * self.space.size
        for action in self.allowed[game]:
            mask[at + action] = 0
        allowed = self.space.allowed(observer.witness.state, seat)
        for action in allowed:
            mask[at + action] = 1
        self.allowed[game] = allowed


def _action(actions: bytes, game: i64) -> i64:
    i = game * 4
    low = i64(actions[i]) | i64(actions[i + 1]) << 8
    return low | i64(actions[i + 2]) << 16 | i64(actions[i + 3]) << 24
