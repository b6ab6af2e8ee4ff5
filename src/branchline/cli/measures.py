"""What `bench engine` measures: each figure is the median over repeats, in CPU time of one core.

CPU time, because a busy machine would otherwise be measured along with the engine. On an idle one it is the time that
passes.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import TypeVar

from branchline.engine.apply import act
from branchline.engine.happenings import Happenings
from branchline.engine.legal import actor
from branchline.engine.memory import Memory
from branchline.engine.playout import playout, random_action
from branchline.engine.scoring import Scores
from branchline.engine.setup import deal
from branchline.engine.shuffle import Rng, Shuffler
from branchline.engine.sight import Sight, look
from branchline.engine.state import State
from branchline.engine.worlds import Worlds
from branchline.game import Game, sample_world
from branchline.maps import Map
from branchline.names import names_of
from branchline.views import View

T = TypeVar("T")

Measure = Callable[[], float]
"""One run of a measure: the figure."""


class Course:
    """The games on which one map is measured: all numbers of seats alike, the same in every run."""

    def __init__(self, map: Map, games: int) -> None:
        """`games`: for each number of seats."""
        self.map = map
        self.board = names_of(map).board
        self.seats = range(map.rules.seats_min, map.rules.seats_max + 1)
        self.games = games

    def measures(self) -> dict[str, Measure]:
        """All measures by name; names end in what they count."""
        return {
            "playouts_per_second": self.playouts,
            "step_microseconds": self.steps,
            "copy_nanoseconds": self.copies,
            "view_microseconds": self.looks,
            "world_microseconds": self.first_worlds,
            "further_world_microseconds": self.further_worlds,
            "game_plays_per_second": self.plays,
            "game_legal_actions_per_second": self.legal_actions,
            "game_views_per_second": self.views,
            "game_choices_per_second": self.choices,
            "game_worlds_per_second": self.game_worlds,
            "game_copies_per_second": self.game_copies,
            "game_scores_per_second": self.scores,
        }

    def playouts(self) -> float:
        """Whole random games with the final count."""
        start = process_time()
        for seats in self.seats:
            for number in range(self.games):
                state = deal(self.board, seats, Shuffler(b"", number + 1))
                playout(state, Rng(number))
                Scores(state)
        return self.games * len(self.seats) / (process_time() - start)

    def steps(self) -> float:
        """`legal` and `apply` of every action of whole games, called from ordinary Python."""
        spent = 0.0
        steps = 0
        for state, line in self._lines():
            legal, apply = state.legal, state.apply
            start = process_time()
            for index in line:
                legal()
                apply(index)
            spent += process_time() - start
            steps += len(line)
        return spent / steps * 1e6

    def copies(self) -> float:
        """`State.copy`."""
        states = [state for state, _ in self._moments()]
        return _each(states, 200, lambda state: state.copy()) * 1e9

    def looks(self) -> float:
        """What one seat sees, as small ints."""
        spent = [_each([(state, memory)], 20, lambda pair: look(*pair, 0)) for state, memory in self._moments()]
        return _mean(spent) * 1e6

    def first_worlds(self) -> float:
        """The first world of a sight."""
        rng = Rng(1)
        return _each(self._sights(), 5, lambda sight: Worlds(sight, rng).sample()) * 1e6

    def further_worlds(self) -> float:
        """Further worlds of the same sight."""
        rng = Rng(1)
        sources = [Worlds(sight, rng) for sight in self._sights()]
        for source in sources:
            source.sample()
        return _each(sources, 10, lambda source: source.sample()) * 1e6

    def plays(self) -> float:
        """`Game.play_index` with its events, through whole games."""
        spent = 0.0
        steps = 0
        for number, (seats, line) in enumerate(self._game_lines()):
            game = Game.dealt(self.map, seats, Shuffler(b"", number + 1))
            start = process_time()
            for seat, index in line:
                game.play_index(seat, index)
            spent += process_time() - start
            steps += len(line)
        return steps / spent

    def legal_actions(self) -> float:
        """`Game.legal_actions`: the whole list as readable values."""
        return 1 / _each(self._games(), 5, lambda game: game.legal_actions(game.to_act[0]))

    def views(self) -> float:
        """`Game.view`."""
        return 1 / _each(self._games(), 20, lambda game: game.view(0))

    def choices(self) -> float:
        """`Game.view` with `View.choices`, as a client gets it."""
        return 1 / _each(self._games(), 5, lambda game: game.view(game.to_act[0]).choices)

    def game_worlds(self) -> float:
        """`sample_world`, a whole `Game` each time."""
        rng = Rng(1)
        views: list[View] = [game.view(0) for game in self._games()]
        return 1 / _each(views, 5, lambda view: sample_world(view, rng))

    def game_copies(self) -> float:
        """`Game.copy`, what it remembers included."""
        return 1 / _each(self._games(), 20, lambda game: game.copy())

    def scores(self) -> float:
        """`Game.scores`: the count as readable values, with paths and trails."""
        return 1 / _each(self._games(), 3, lambda game: game.scores())

    def _lines(self) -> Iterator[tuple[State, list[int]]]:
        """Deals with the actions of a random game on each."""
        for seats in self.seats:
            for number in range(1, 1 + max(1, self.games // 20)):
                state = deal(self.board, seats, Shuffler(b"", number))
                rng = Rng(number)
                line = []
                while not state.over and state.turn < 1000:
                    index = random_action(state, rng)
                    act(state, actor(state), index)
                    line.append(index)
                yield deal(self.board, seats, Shuffler(b"", number)), line

    def _moments(self) -> Iterator[tuple[State, Memory]]:
        """Positions a quarter, half and three quarters through random games, with what the table remembers."""
        for seats in self.seats:
            for number in range(1, 1 + max(1, self.games // 50)):
                listener = Happenings()
                state = deal(self.board, seats, Shuffler(b"", number), -1, listener)
                memory = Memory(self.board, seats)
                memory.note(state, listener.items)
                rng = Rng(number)
                lines = _length(state.copy(), Rng(number))
                for step in range(lines):
                    if step in (lines // 4, lines // 2, lines * 3 // 4):
                        yield state.copy(), memory.copy()
                    state.happenings = listener = Happenings()
                    act(state, actor(state), random_action(state, rng))
                    memory.note(state, listener.items)

    def _sights(self) -> list[Sight]:
        return [look(state, memory, 0) for state, memory in self._moments()]

    def _games(self) -> list[Game]:
        return [Game(self.map, state, memory) for state, memory in self._moments()]

    def _game_lines(self) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        for number, seats in enumerate(self.seats):
            game = Game.dealt(self.map, seats, Shuffler(b"", number + 1))
            state = game.state
            rng = Rng(number)
            line = []
            while not state.over and state.turn < 1000:
                seat, index = actor(state), random_action(state, rng)
                act(state, seat, index)
                line.append((seat, index))
            yield seats, line


def import_milliseconds() -> float:
    """What `import branchline` costs beyond a bare Python, with its bytecode cached as in any installation."""
    program = "from time import process_time as t; a = t(); import branchline; print(t() - a)"
    with TemporaryDirectory() as cache:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = cache
        times = []
        for _ in range(6):
            done = subprocess.run(
                [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
            )
            times.append(float(done.stdout))
    return median(times[1:]) * 1e3


def _length(state: State, rng: Rng) -> int:
    """How many actions a random game has."""
    steps = 0
    while not state.over and state.turn < 1000:
        act(state, actor(state), random_action(state, rng))
        steps += 1
    return steps


def _each(things: Sequence[T], times: int, do: Callable[[T], object]) -> float:
    """The seconds that doing something to each of these takes, on average."""
    start = process_time()
    for thing in things:
        for _ in range(times):
            do(thing)
    return (process_time() - start) / (len(things) * times)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
