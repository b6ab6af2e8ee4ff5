"""A match: who plays whom on which deals; and one game of it, played to its end."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from branchline.bots.base import Bot, Budget, to_index
from branchline.bots.keeper import KeptBot
from branchline.bots.registry import HOUSE, load
from branchline.engine.shuffle import Rng, Shuffler
from branchline.game import Game
from branchline.maps import load_map

ENDLESS = 6000
"""Actions after which a game is stopped and counted as it stands: failing tunnels for ever is legal."""


@dataclass(frozen=True, slots=True)
class Match:
    """Bots on a map. The same deals are replayed with the bots moved on by one seat, until all have sat everywhere."""

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

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.bots)

    @property
    def deals(self) -> int:
        """How many deals are played, each once in every rotation."""
        return -(-self.games // self.seats)

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
        return Budget(nodes, self.seconds)


def seated(spec: str) -> Bot:
    """A bot for the arena: the house's here, others where they can be killed; ValueError if there is none."""
    bot = load(spec)
    return bot if spec in HOUSE else KeptBot(spec)


def play(match: Match, deal: int, rotation: int, bots: list[Bot] | None = None) -> dict[str, Any]:
    """Play one game and return its row: per bot, in the order of `match.bots`, what it did and got."""
    if bots is None:
        bots = [seated(spec) for spec in match.bots]
    seats = match.seats
    sits = [(player + rotation) % seats for player in range(seats)]
    player_in = {seat: player for player, seat in enumerate(sits)}
    seed = match.seed * 1_000_003 + deal
    game = Game.dealt(load_map(match.map), seats, Shuffler(b"", seed), deal % seats)
    rngs = [Rng(seed, 1 + seat) for seat in range(seats)]
    decisions, faults = [0] * seats, [0] * seats
    seconds, slowest = [0.0] * seats, [0.0] * seats
    actions = 0
    while not game.over and actions < ENDLESS:
        seat = game.to_act[0]
        player = player_in[seat]
        view = game.view(seat)
        began = perf_counter()
        try:
            index = to_index(view, bots[player].choose(view, rngs[seat], match.budget(player)))
        except Exception:  # a bot's fault, whatever it is, costs the bot and not the game
            faults[player] += 1
            legal = view.legal_indices()
            index = legal[rngs[seat].below(len(legal))]
        took = perf_counter() - began
        decisions[player] += 1
        seconds[player] += took
        slowest[player] = max(slowest[player], took)
        game.play_index(seat, index)
        actions += 1
    scores = game.scores()
    first = game.view(None).first
    rows = []
    for player, seat in enumerate(sits):
        score = scores[seat]
        rows.append(
            {
                "seat": seat,
                "place": (seat - first) % seats,
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
                "decisions": decisions[player],
                "seconds": round(seconds[player], 4),
                "slowest": round(slowest[player], 4),
                "faults": faults[player],
            }
        )
    return {"deal": deal, "rotation": rotation, "turns": game.turn, "players": rows}
