"""House: everything one server process has, built once."""

import secrets
import time
from dataclasses import dataclass, field
from random import Random

from branchline.server import limits
from branchline.server.identity import COOKIE, Signer
from branchline.server.limits import Limiter
from branchline.server.lobby import LETTERS, Lobby, Sources
from branchline.server.minder import BotMinder
from branchline.server.settings import Settings
from branchline.server.store import Store, open_store
from branchline.server.table import Clock
from branchline.server.workers import Workers


def _code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(6))


@dataclass
class Chance:
    """Where a server gets its randomness; tests pass their own."""

    sources: Sources = field(
        default_factory=lambda: Sources(
            token=lambda: secrets.token_urlsafe(16), code=_code, seed=lambda: secrets.token_bytes(32)
        )
    )
    delays: Random = field(default_factory=secrets.SystemRandom)
    thoughts: Random = field(default_factory=secrets.SystemRandom)
    """Seeds for the bots' choices."""


class House:
    """Settings, store, lobby, bots and limits of one server."""

    def __init__(self, settings: Settings, now: Clock = time.time, chance: Chance | None = None) -> None:
        """Opens the store and migrates it."""
        chance = chance or Chance()
        self.settings = settings
        self.now = now
        self.signer = Signer(settings.signing_key())
        self.cookie = f"__Host-{COOKIE}" if settings.secure else COOKIE
        self.store: Store = open_store(settings.database_url)
        self.workers = Workers(settings.bot_workers, settings.bot_budget)
        self.token = chance.sources.token
        self._thoughts = chance.thoughts
        self.minder = BotMinder(self.workers, now, settings.bot_pace, chance.delays, self.seed)
        self.lobby = Lobby(self.store, self.minder, chance.sources, now, settings.absence)
        kinds = {
            "requests": limits.REQUESTS,
            "entries": limits.ENTRIES,
            "tables": limits.TABLES,
            "uploads": limits.UPLOADS,
            "messages": limits.MESSAGES,
            "chat": limits.CHAT,
            "questions": limits.QUESTIONS,
        }
        self.limits = {name: Limiter(limit, settings.rate_limits, time.monotonic) for name, limit in kinds.items()}

    def seed(self) -> int:
        """A seed for one choice of a bot."""
        return self._thoughts.getrandbits(62)

    async def close(self) -> None:
        """Stop bots and clocks, finish what is being written."""
        self.minder.close()
        self.workers.close()
        await self.store.close()
