"""The same deal for everybody: the deal of the day, and bots whose luck is the same for all (docs/records.md).

The seeds of the days are a chain: each is the SHA-256 of the next day's. Whoever has seen one can derive all before it,
and none after it; so today's seed is bound by yesterday's, which is its commitment, and nobody could choose it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

from branchline.bots import Bot, Budget, to_index
from branchline.engine.shuffle import Rng
from branchline.game import Game
from branchline.maps import Map
from branchline.record import commitment

EPOCH = date(2026, 1, 1)
"""The day before the first of every chain: its link, the anchor, is published when a server is set up."""
DAYS = 36_600
"""Days that a chain lasts: a hundred years."""
MAPS = ("europe", "new-york")
LEVEL = "regular"
"""The bots that sit at the deal of the day."""
NODES = 100
"""What they may think: by nodes, never by time, which no two machines have alike."""


@dataclass(frozen=True, slots=True)
class Deal:
    """What everybody plays: a map, so many seats of which the first is a person's, and bots in the others."""

    map: str
    bots: tuple[str, ...]
    """One for each seat after the first."""
    entropy: bytes
    """What is mixed into the seed: it names the deal, so that no seed deals the same game under two names."""

    @property
    def seats(self) -> int:
        return len(self.bots) + 1


class Chain:
    """A server's seeds of the days."""

    def __init__(self, secret: bytes) -> None:
        """The last link of all: 32 random bytes that never leave the server."""
        if len(secret) != 32:
            raise ValueError("secret: 32 bytes")
        self._secret = secret

    def seed(self, day: date) -> bytes:
        """The seed of a day: a secret until the day is over."""
        n = (day - EPOCH).days
        if not 0 <= n < DAYS:
            raise ValueError(f"day: from {EPOCH} on, for a hundred years")
        link = self._secret
        for _ in range(DAYS - 1 - n):
            link = sha256(link).digest()
        return link

    def commitment(self, day: date) -> str:
        """What binds a day's seed, told when the day begins: the seed of the day before, in hex."""
        return commitment(self.seed(day))


def follows(seed: bytes, day: date, earlier: bytes, earlier_day: date) -> bool:
    """Whether one day's seed leads back to an earlier one's, or to the anchor, as it must if nobody chose it."""
    link = seed
    for _ in range((day - earlier_day).days):
        link = sha256(link).digest()
    return day > earlier_day and link == earlier


def of_the_day(day: date) -> Deal:
    """Map and seats of a day: the maps by turns, then two, three and four seats by turns."""
    n = (day - EPOCH).days
    map, seats = MAPS[n % len(MAPS)], 2 + n // len(MAPS) % 3
    return Deal(map, (LEVEL,) * (seats - 1), entropy(f"day {day.isoformat()}", map, seats))


def entropy(name: str, map: str, seats: int) -> bytes:
    """What a deal's name, map and number of seats add to its seed, as compact JSON."""
    return json.dumps({"deal": name, "map": map, "seats": seats}, separators=(",", ":")).encode()


def dealt(deal: Deal, seed: bytes, map: Map | None = None) -> Game:
    """The game everybody begins with; seat 0, the person's, has the first turn."""
    return Game.new(map if map is not None else deal.map, deal.seats, seed, first=0, entropy=deal.entropy)


def bot_rng(key: bytes, seat: int, turn: int, stage: str) -> Rng:
    """A bot's randomness for one decision: it follows from the game's key, the seat, the turn and what is asked.

    Not from what was done before: whoever acts alike meets bots that act alike, and a dream comes to a bot in the same
    turn at every table.
    """
    told = b"branchline-bot-1" + key + f"{seat} {turn} {stage}".encode()
    return Rng(int.from_bytes(sha256(told).digest()[:8], "big") >> 1)


def bot_acts(game: Game, seat: int, bot: Bot, budget: Budget | None = None) -> int:
    """The index of what a bot does in a deal that is the same for everybody."""
    view = game.view(seat)
    rng = bot_rng(game.key, seat, game.turn, game.stage)
    return to_index(view, bot.choose(view, rng, Budget(nodes=NODES) if budget is None else budget))


def bots_play_on(game: Game, bots: Mapping[int, Bot], budget: Budget | None = None) -> None:
    """Let the bots, by seat, act until a seat without one is asked, or the game is over."""
    while not game.over:
        asked = [seat for seat in game.to_act if seat in bots]
        if not asked:
            return
        game.play_index(asked[0], bot_acts(game, asked[0], bots[asked[0]], budget))
