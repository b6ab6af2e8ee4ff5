"""A match: who plays whom on which deals; and one game of it, played to its end."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

from branchline.bots.base import Bot, Budget, to_index
from branchline.bots.keeper import BotFault, KeptBot
from branchline.bots.registry import BUNDLED, load
from branchline.engine.shuffle import Rng, Shuffler
from branchline.game import Game
from branchline.maps import load_map
from branchline.record import Player, Record
from branchline.simulate import Result, SeatResult, completed
from branchline.views import View

ENDLESS = 6000
"""Actions after which a game is stopped and counted as it stands: failing tunnels for ever is legal."""
LONGEST = 150
"""Letters of a file's name that tell whose games it holds."""
SAID = 1000
"""Letters that are kept of what a bot raised."""


@dataclass(frozen=True, slots=True)
class Match:
    """Bots on a map. The same deals are replayed with the bots moved on by one seat, until all have sat everywhere.

    Equal bots make some of these rotations the same game over again; only those that differ are played.
    """

    map: str
    bots: tuple[str, ...]
    """One for each seat."""
    games: int
    """Rounded up to whole deals."""
    seed: int = 1
    nodes: int | None = None
    seconds: float | None = None
    budgets: tuple[int | None, ...] = ()
    """Nodes for each bot, where they differ."""
    cores: int = 1
    """Processes that each bot may think in."""
    keyed: bool = False
    """Whether deals have a key, so that games can be kept as records and verified. They are other deals then."""

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.bots)

    @property
    def rotations(self) -> int:
        """How many ways of moving the bots on seat them differently: 1 where all are equal, 2 for a, b, a, b."""
        who = list(zip(self.bots, self.budgets or self.bots, strict=True))
        return next(n for n in range(1, self.seats + 1) if who[n:] + who[:n] == who)

    @property
    def deals(self) -> int:
        """How many deals are played, each once in every rotation."""
        return -(-self.games // self.rotations)

    @property
    def whole(self) -> int:
        """How many games that makes, all of them different."""
        return self.deals * self.rotations

    @property
    def slug(self) -> str:
        """A name for its files; one that would be too long ends in a hash of the rest."""
        tag = "-".join(dict.fromkeys(self.bots))
        if self.budgets:
            tag += "-" + "-".join(str(n) for n in dict.fromkeys(self.budgets))
        elif self.nodes:
            tag += f"-{self.nodes}"
        if self.seconds:
            tag += f"-{self.seconds:g}s"
        return short(f"{Path(self.map).stem}-{self.seats}-{tag}-s{self.seed}")

    def to_dict(self) -> dict[str, Any]:
        """As JSON data."""
        data = asdict(self)
        data["bots"] = list(self.bots)
        data["budgets"] = list(self.budgets)
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Match":
        """The match that `to_dict` gave."""
        return cls(**{**data, "bots": tuple(data["bots"]), "budgets": tuple(data["budgets"])})

    def budget(self, player: int) -> Budget:
        """What a bot, by its place in `bots`, may think."""
        nodes = self.budgets[player] if self.budgets else self.nodes
        return Budget(nodes, self.seconds, self.cores)


def short(name: str) -> str:
    """A name that any file may have."""
    name = re.sub(r"[^a-zA-Z0-9-]+", "_", name)
    return name if len(name) <= LONGEST else f"{name[:LONGEST]}-{sha256(name.encode()).hexdigest()[:16]}"


def seated(spec: str) -> Bot:
    """A bot for the arena: the house's here, others where they can be killed; ValueError if there is none."""
    bot = load(spec)
    return bot if spec in BUNDLED else KeptBot(spec)


def play(
    match: Match, deal: int, rotation: int, bots: list[Bot] | None = None, records: Path | None = None
) -> dict[str, Any]:
    """Play one game and return its row: per bot, in the order of `match.bots`, what it did and got.

    `game` is a fingerprint of the deal, who sits where and all actions: rows with the same one are one game. `owners`,
    `holders` and `done` tell who has each route and each ticket, and which tickets were completed, a letter each. With
    `records` a keyed game is kept in that folder.
    """
    if bots is None:
        bots = [seated(spec) for spec in match.bots]
    seats = match.seats
    sits = [(player + rotation) % seats for player in range(seats)]
    player_in = {seat: player for player, seat in enumerate(sits)}
    seed = match.seed * 1_000_003 + deal
    game = _dealt(match, seed, deal % seats)
    rngs = [Rng(seed, 1 + seat) for seat in range(seats)]
    tallies = [Tally() for _ in range(seats)]
    actions = 0
    who = [(match.bots[player_in[seat]], match.budget(player_in[seat]).nodes) for seat in range(seats)]
    told = sha256(f"{seed} {deal % seats} {who}".encode())
    while not game.over and actions < ENDLESS:
        seat = game.to_act[0]
        player = player_in[seat]
        where = f"deal {deal}, rotation {rotation}, turn {game.turn}"
        index = tallies[player].decide(bots[player], game.view(seat), rngs[seat], match.budget(player), where)
        game.play_index(seat, index)
        told.update(b"%d %d\n" % (seat, index))
        actions += 1
    if records is not None:
        seated_bots = [match.bots[player_in[seat]] for seat in range(seats)]
        record = Record.of(game, [Player(bot, bot) for bot in seated_bots], seed=_seed_text(seed))
        record.save(records / f"{match.slug}-{deal:06}-{rotation}.json")
    state = game.state
    return {
        "deal": deal,
        "rotation": rotation,
        "turns": game.turn,
        "ended": game.over,
        "decided_by": game.scores().decided_by,
        "players": [{**_did(game, seat), **tally.row()} for seat, tally in zip(sits, tallies, strict=True)],
        "game": told.hexdigest()[:16],
        "owners": _letters(state.owner),
        "holders": _letters(state.holder),
        "done": _letters(completed(state)),
    }


@dataclass(slots=True)
class Tally:
    """How a bot decided in one game."""

    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    faults: int = 0
    fault: str | None = None
    """What went wrong first, and where."""

    def decide(self, bot: Bot, view: View, rng: Rng, budget: Budget, where: str) -> int:
        """The index of what a bot does; what is wrong with it costs the bot and not the game."""
        began = perf_counter()
        try:
            index = to_index(view, bot.choose(view, rng, budget))
        except Exception as error:  # a bot's fault, whatever it is
            self.faults += 1
            self.fault = self.fault or f"{_said(error)} ({where})"
            legal = view.legal_indices()
            index = legal[rng.below(len(legal))]
        took = perf_counter() - began
        self.decisions += 1
        self.seconds += took
        self.slowest = max(self.slowest, took)
        return index

    def row(self) -> dict[str, Any]:
        """As a row has it; seconds to four places."""
        return {**asdict(self), "seconds": round(self.seconds, 4), "slowest": round(self.slowest, 4)}


def _did(game: Game, seat: int) -> dict[str, Any]:
    """What a seat got in a game, part by part."""
    scores = game.scores()
    score = scores[seat]
    return {
        "seat": seat,
        "place": (seat - game.view(None).first) % game.seats,
        "win": round(1 / len(scores.winners), 6) if seat in scores.winners else 0,
        "rank": score.rank,
        "points": score.total,
        "routes": score.routes,
        "done": sum(t.points for t in score.tickets if t.completed),
        "failed": -sum(abs(t.points) for t in score.tickets if not t.completed),
        "tickets": len(score.tickets),
        "completed": score.completed,
        "trail": score.bonus,
        "stations": score.stations,
        "attractions": score.attractions,
        "trail_length": score.trail_length,
        "stations_built": score.stations_built,
    }


def result_of_row(match: Match, row: Mapping[str, Any]) -> Result:
    """A row as a simulated game has it, seat by seat."""
    players = {player["seat"]: (bot, player) for bot, player in zip(match.bots, row["players"], strict=True)}
    seats = []
    for seat in range(match.seats):
        _, player = players[seat]
        seats.append(
            SeatResult(
                routes=player["routes"],
                tickets=player["done"] + player["failed"],
                stations=player["stations"],
                trail=player["trail"],
                attractions=player["attractions"],
                total=player["points"],
                rank=player["rank"],
                kept=player["tickets"],
                completed=player["completed"],
                trail_length=player["trail_length"],
                stations_built=player["stations_built"],
            )
        )
    return Result(
        game=row["deal"] * match.rotations + row["rotation"],
        first=row["deal"] % match.seats,
        turns=row["turns"],
        ended=row["ended"],
        decided_by=row["decided_by"],
        owners=_numbers(row["owners"]),
        holders=_numbers(row["holders"]),
        done=tuple(letter == "1" for letter in row["done"]),
        bots=tuple(players[seat][0] for seat in range(match.seats)),
        seats=tuple(seats),
    )


def _dealt(match: Match, seed: int, first: int) -> Game:
    map = load_map(match.map)
    if match.keyed:
        return Game.new(map, match.seats, _seed_text(seed), first=first)
    return Game.dealt(map, match.seats, Shuffler(b"", seed), first)


def _seed_text(seed: int) -> str:
    return f"arena {seed}"


def _said(error: Exception) -> str:
    """What a bot raised, in one line that is not too long; one in a process of its own has said it already."""
    try:
        told = str(error)
    except Exception:  # also what it raises was written by somebody
        told = "it can't be said what"
    told = told if isinstance(error, BotFault) else f"{type(error).__name__}: {told}"
    return " ".join(told[:SAID].split())


def _numbers(letters: str) -> tuple[int, ...]:
    return tuple(-1 if letter == "-" else int(letter) for letter in letters)


def _letters(numbers: Iterable[int]) -> str:
    return "".join("-" if number < 0 else str(int(number)) for number in numbers)
