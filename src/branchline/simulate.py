"""Many games at once: plays them on all cores and sums them up."""

import os
import signal
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import sqrt
from statistics import median
from typing import Any

from branchline.engine.playout import playout
from branchline.engine.scoring import DECIDED_BY
from branchline.engine.scoring import Scores as Count
from branchline.engine.setup import deal
from branchline.engine.shuffle import Rng, Shuffler
from branchline.engine.state import State
from branchline.maps import Map
from branchline.names import names_of

CHUNK = 100
"""Most games that one process plays before it reports."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What one seat made of a game."""

    routes: int
    """Points for routes."""
    tickets: int
    """Points of the completed tickets less those of the others."""
    stations: int
    """Points for unbuilt stations."""
    trail: int
    """Points for the longest trail."""
    attractions: int
    """Points for attractions."""
    total: int
    rank: int
    """1 for the winner, or for all who share the win."""
    kept: int
    """Tickets held at the end."""
    completed: int
    """Tickets completed."""
    trail_length: int
    stations_built: int


@dataclass(frozen=True, slots=True)
class Result:
    """One simulated game."""

    game: int
    """Its number, from 0."""
    first: int
    """The seat that began."""
    turns: int
    ended: bool
    """False if it was broken off because it would not end; its points are those of that moment."""
    decided_by: str
    """What told the winner from the others: points, tickets, stations, trail; or shared."""
    owners: tuple[int, ...]
    """Who owns each route, in the order of the map; -1 for nobody."""
    seats: tuple[SeatResult, ...]


Finish = Callable[[Map, int, int, int], State]
"""Plays one game to its end: map, seats, a number for its deal and another for its choices."""


def random_game(map: Map, seats: int, deal_number: int, choice_number: int) -> State:
    """A game of uniformly random legal actions, by the engine's fast road."""
    state = deal(names_of(map).board, seats, Shuffler(b"", deal_number))
    playout(state, Rng(choice_number))
    return state


def simulate(
    map: Map,
    seats: int,
    games: int,
    seed: int | str,
    finish: Finish = random_game,
    workers: int | None = None,
) -> Generator[Result, None, None]:
    """Play so many games and hand out their results in order; the same seed gives the same ones on any machine.

    `workers` is the number of processes, by default one for each core. A game's place in the series decides its deal
    and its choices, so game 17 is the same whether 100 or 10,000 are played.
    """
    workers = min(cores() if workers is None else workers, (games + CHUNK - 1) // CHUNK)
    size = max(1, min(CHUNK, games // (8 * max(1, workers))))
    chunks = (range(start, min(start + size, games)) for start in range(0, games, size))
    if workers < 2:
        for chunk in chunks:
            yield from _play(map, seats, chunk, seed, finish)
        return
    with ProcessPoolExecutor(workers, initializer=_leave_interrupts_to_the_parent) as pool:
        waiting: deque[Future[list[Result]]] = deque()
        try:
            for chunk in chunks:
                waiting.append(pool.submit(_play, map, seats, chunk, seed, finish))
                if len(waiting) > 4 * workers:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play(map: Map, seats: int, chunk: range, seed: int | str, finish: Finish) -> list[Result]:
    results = []
    for game in chunk:
        digest = sha256(f"{type(seed).__name__} {seed} {game}".encode()).digest()
        numbers = int.from_bytes(digest[:7], "big"), int.from_bytes(digest[8:15], "big")
        results.append(_result(game, finish(map, seats, *numbers)))
    return results


def _result(game: int, state: State) -> Result:
    scores = Count(state)
    columns = (
        scores.routes, scores.tickets, scores.stations, scores.bonus, scores.attractions, scores.total, scores.rank,
        state.held, scores.completed, scores.trail, scores.built,
    )  # fmt: skip
    return Result(
        game=game,
        first=state.first,
        turns=state.turn,
        ended=state.over,
        decided_by=DECIDED_BY[scores.decided],
        owners=tuple(state.owner),
        seats=tuple(SeatResult(*numbers) for numbers in zip(*columns, strict=True)),
    )


class Summary:
    """What many results come to. Games that were broken off are only counted."""

    def __init__(self, map: Map, seats: int) -> None:
        self.map = map
        self.seats = seats
        self.games = 0
        self.broken_off = 0
        self._sums = dict.fromkeys((*PARTS, "total", "kept", "completed", "trail_length", "stations_built"), 0)
        self._squares = 0
        self._lowest, self._highest = 0, 0
        self._turns: list[int] = []
        self._winning = 0
        self._claims = [0] * len(map.routes)
        self._wins = [0.0] * seats
        self._points = [0] * seats
        self._decided: dict[str, int] = {}

    def add(self, result: Result) -> None:
        """Take one more game into account."""
        if not result.ended:
            self.broken_off += 1
            return
        totals = [seat.total for seat in result.seats]
        self._lowest = min(totals) if not self.games else min(self._lowest, *totals)
        self._highest = max(totals) if not self.games else max(self._highest, *totals)
        self.games += 1
        self._turns.append(result.turns)
        self._winning += max(totals)
        self._squares += sum(total * total for total in totals)
        self._decided[result.decided_by] = self._decided.get(result.decided_by, 0) + 1
        winners = sum(seat.rank == 1 for seat in result.seats)
        for number, seat in enumerate(result.seats):
            for part in self._sums:
                self._sums[part] += getattr(seat, part)
            place = (number - result.first) % self.seats
            self._points[place] += seat.total
            if seat.rank == 1:
                self._wins[place] += 1 / winners
        for route, owner in enumerate(result.owners):
            if owner >= 0:
                self._claims[route] += 1

    def to_dict(self) -> dict[str, Any]:
        """The summary as JSON data; only the counts of games where there were none."""
        data: dict[str, Any] = {
            "map": self.map.id,
            "seats": self.seats,
            "games": self.games,
            "broken_off": self.broken_off,
        }
        if not self.games:
            return data
        counted = self.games * self.seats
        mean = {part: self._sums[part] / counted for part in self._sums}
        spread = sqrt(max(0.0, self._squares / counted - mean["total"] ** 2))
        return data | {
            "points": {part: mean[part] for part in (*PARTS, "total")},
            "total": {
                "mean": mean["total"],
                "spread": spread,
                "lowest": self._lowest,
                "highest": self._highest,
                "winners": self._winning / self.games,
            },
            "turns": {
                "mean": sum(self._turns) / self.games,
                "fewest": min(self._turns),
                "median": median(self._turns),
                "most": max(self._turns),
            },
            "tickets": {"kept": mean["kept"], "completed": mean["completed"]},
            "trail_length": mean["trail_length"],
            "stations_built": mean["stations_built"],
            "order": [self._place(place) for place in range(self.seats)],
            "decided_by": {
                word: n / self.games for word, n in sorted(self._decided.items(), key=lambda item: -item[1])
            },
            "claimed": {
                route.id: self._claims[n] / self.games
                for n, route in sorted(enumerate(self.map.routes), key=lambda item: -self._claims[item[0]])
            },
        }

    def _place(self, place: int) -> dict[str, float]:
        """How the seat fares that has the first turn, the second, ..."""
        share = self._wins[place] / self.games
        error = sqrt(share * (1 - share) / self.games)
        return {"wins": share, "standard_error": error, "points": self._points[place] / self.games}


PARTS = ("routes", "tickets", "stations", "trail", "attractions")
"""The parts a total is made of."""


def to_row(result: Result, map: Map) -> dict[str, Any]:
    """A game as JSON data, its routes by name."""
    names = names_of(map).routes
    row = asdict(result)
    row["owners"] = {names[route]: owner for route, owner in enumerate(result.owners) if owner >= 0}
    return row


def to_rows(result: Result) -> list[dict[str, Any]]:
    """A game as flat rows, one for each seat, for a table."""
    game = {
        "game": result.game,
        "first": result.first,
        "turns": result.turns,
        "ended": result.ended,
        "decided_by": result.decided_by,
    }
    return [
        {**game, "seat": seat, **asdict(numbers), "routes_claimed": sum(owner == seat for owner in result.owners)}
        for seat, numbers in enumerate(result.seats)
    ]
