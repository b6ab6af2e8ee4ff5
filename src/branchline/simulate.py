"""Many games at once: plays them on all cores and sums them up."""

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from math import sqrt
from typing import Any

from branchline.engine.network import groups, root
from branchline.engine.playout import playout
from branchline.engine.scoring import DECIDED_BY
from branchline.engine.scoring import Scores as Count
from branchline.engine.setup import deal
from branchline.engine.shuffle import Rng, Shuffler
from branchline.engine.state import State
from branchline.maps import Map
from branchline.names import names_of
from branchline.spread import cores, spread

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
    holders: tuple[int, ...]
    """Who holds each ticket, in the order of the map; -1 for nobody."""
    done: tuple[bool, ...]
    """Whether each ticket was completed."""
    bots: tuple[str, ...]
    """Who sat in each seat."""
    seats: tuple[SeatResult, ...]


Finish = Callable[[Map, tuple[str, ...], int, int], State]
"""Plays one game to its end: map, the bot in each seat, a number for the deal and another for the choices."""


@dataclass(frozen=True, slots=True)
class Series:
    """Games that follow from one seed: its place decides a game's deal, its choices and who sits where."""

    map: Map
    seats: int
    seed: int | str
    bots: tuple[str, ...] = ("random",)
    """Who plays. They take the seats in turn, moved on by one seat with each game, so that none has the better one."""

    def sitting(self, game: int) -> tuple[str, ...]:
        """The bot in each seat of a game."""
        return tuple(self.bots[(seat + game) % len(self.bots)] for seat in range(self.seats))

    def numbers(self, game: int) -> tuple[int, int]:
        """The number of a game's deal and that of its choices."""
        digest = sha256(f"{type(self.seed).__name__} {self.seed} {game}".encode()).digest()
        return int.from_bytes(digest[:7], "big"), int.from_bytes(digest[8:15], "big")


def random_game(map: Map, bots: tuple[str, ...], deal_number: int, choice_number: int) -> State:
    """A game of uniformly random legal actions, by the engine's fast road."""
    state = deal(names_of(map).board, len(bots), Shuffler(b"", deal_number))
    playout(state, Rng(choice_number))
    return state


def simulate(
    map: Map,
    seats: int,
    games: int,
    seed: int | str,
    finish: Finish = random_game,
    workers: int | None = None,
    *,
    bots: tuple[str, ...] = ("random",),
    start: int = 0,
    ray: str | None = None,
) -> Generator[Result, None, None]:
    """Play games number `start` to `games` and hand out their results in order.

    The same seed gives the same ones on any machine, and on a Ray cluster (`ray` is its address). `workers` is the
    number of processes, by default one for each core. A game's place in the series decides its deal and its choices,
    so game 17 is the same whether 100 or 10,000 are played.
    """
    series = Series(map, seats, seed, bots)
    workers = cores() if workers is None else workers
    many = games - start
    # Bots that think are played a game at a time, so that nobody waits for the last chunk.
    size = max(1, min(CHUNK if finish is random_game else CHUNK // 20, many // (8 * max(1, workers))))
    chunks = (range(first, min(first + size, games)) for first in range(start, games, size))
    results = spread(partial(_play, series, finish), chunks, workers=workers if many > size else 1, ray=ray)
    with closing(results):
        for chunk in results:
            yield from chunk


def _play(series: Series, finish: Finish, chunk: range) -> list[Result]:
    results = []
    for game in chunk:
        bots = series.sitting(game)
        results.append(result_of(game, bots, finish(series.map, bots, *series.numbers(game))))
    return results


def result_of(game: int, bots: tuple[str, ...], state: State) -> Result:
    """What came of a game that has been played."""
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
        holders=tuple(state.holder),
        done=tuple(completed(state, scores)),
        bots=bots,
        seats=tuple(SeatResult(*numbers) for numbers in zip(*columns, strict=True)),
    )


def completed(state: State, scores: Count | None = None) -> Iterator[bool]:
    """Whether each ticket of the map was completed, over own and borrowed routes."""
    scores = Count(state) if scores is None else scores
    board = state.board
    joined = []
    for seat in range(state.seats):
        parent = groups(state, seat)
        for route in scores.borrowed[seat]:
            if route >= 0:
                parent[root(parent, board.route_a[route])] = root(parent, board.route_b[route])
        joined.append(parent)
    for ticket, holder in enumerate(state.holder):
        if holder < 0:
            yield False
        else:
            parent = joined[holder]
            yield root(parent, board.ticket_a[ticket]) == root(parent, board.ticket_b[ticket])


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
        self._turns: Counter[int] = Counter()
        """How many games had so many turns: memory does not grow with the games."""
        self._winning = 0
        self._claims = [0] * len(map.routes)
        self._wins = [0.0] * seats
        self._points = [0] * seats
        self._decided: dict[str, int] = {}
        self._bots: dict[str, tuple[int, float, float, int, int]] = {}
        """For each bot its games, the sum of its shares of the win and of their squares, its points and its seats."""

    @property
    def seen(self) -> int:
        """How many games were taken into account, or broken off."""
        return self.games + self.broken_off

    def add(self, result: Result) -> None:
        """Take one more game into account."""
        if not result.ended:
            self.broken_off += 1
            return
        totals = [seat.total for seat in result.seats]
        self._lowest = min(totals) if not self.games else min(self._lowest, *totals)
        self._highest = max(totals) if not self.games else max(self._highest, *totals)
        self.games += 1
        self._turns[result.turns] += 1
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
        for bot in dict.fromkeys(result.bots):
            own = [seat for seat, name in zip(result.seats, result.bots, strict=True) if name == bot]
            won = sum(seat.rank == 1 for seat in own) / winners
            games, wins, squares, points, seats = self._bots.get(bot, (0, 0.0, 0.0, 0, 0))
            points += sum(seat.total for seat in own)
            self._bots[bot] = games + 1, wins + won, squares + won * won, points, seats + len(own)
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
                "mean": sum(turns * games for turns, games in self._turns.items()) / self.games,
                "fewest": min(self._turns),
                "median": (self._turns_of((self.games - 1) // 2) + self._turns_of(self.games // 2)) / 2,
                "most": max(self._turns),
            },
            "tickets": {"kept": mean["kept"], "completed": mean["completed"]},
            "trail_length": mean["trail_length"],
            "stations_built": mean["stations_built"],
            "order": [self._place(place) for place in range(self.seats)],
            "by_bot": {bot: self._bot(bot) for bot in self._bots},
            "decided_by": {
                word: n / self.games for word, n in sorted(self._decided.items(), key=lambda item: -item[1])
            },
            "claimed": {
                route.id: self._claims[n] / self.games
                for n, route in sorted(enumerate(self.map.routes), key=lambda item: -self._claims[item[0]])
            },
        }

    def _bot(self, name: str) -> dict[str, float]:
        """How one of the bots fares: its share of the wins of a game that it plays in."""
        games, wins, squares, points, seats = self._bots[name]
        share = wins / games
        error = sqrt(max(0.0, squares / games - share * share) / games)
        return {"wins": share, "standard_error": error, "points": points / seats}

    def _turns_of(self, place: int) -> int:
        """The turns of the game in this place, from 0, where the shortest is the first."""
        for turns in sorted(self._turns):
            place -= self._turns[turns]
            if place < 0:
                return turns
        raise IndexError(place)

    def _place(self, place: int) -> dict[str, float]:
        """How the seat fares that has the first turn, the second, ..."""
        share = self._wins[place] / self.games
        error = sqrt(share * (1 - share) / self.games)
        return {"wins": share, "standard_error": error, "points": self._points[place] / self.games}


PARTS = ("routes", "tickets", "stations", "trail", "attractions")
"""The parts a total is made of."""


def to_row(result: Result, map: Map) -> dict[str, Any]:
    """A game as JSON data, its routes by name."""
    names = names_of(map)
    row = asdict(result)
    row["owners"] = {names.routes[route]: owner for route, owner in enumerate(result.owners) if owner >= 0}
    row["holders"] = {names.tickets[ticket]: seat for ticket, seat in enumerate(result.holders) if seat >= 0}
    row["done"] = [names.tickets[ticket] for ticket, done in enumerate(result.done) if done]
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
        {
            **game,
            "seat": seat,
            "bot": result.bots[seat],
            **asdict(numbers),
            "routes_claimed": sum(owner == seat for owner in result.owners),
        }
        for seat, numbers in enumerate(result.seats)
    ]
