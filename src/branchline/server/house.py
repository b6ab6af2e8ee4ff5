"""House: everything one server process has, built once."""

import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from random import Random

from branchline.server import leases, secret
from branchline.server.bus import Bus, open_bus
from branchline.server.follower import Follower
from branchline.server.guard import limits
from branchline.server.guard.limits import Limiter
from branchline.server.guard.sharing import SharedLimits
from branchline.server.guard.turns import Turns
from branchline.server.identity import COOKIE, Signer
from branchline.server.leases import Kind, Leases
from branchline.server.lobby import LETTERS, Lobby, Sources
from branchline.server.minder import BotMinder
from branchline.server.presence import Register
from branchline.server.pulse import Pulse
from branchline.server.records import Records
from branchline.server.services import Clock, Services
from branchline.server.sessions import Sessions
from branchline.server.settings import Settings
from branchline.server.store import Joining, Store, open_store
from branchline.server.study.challenges import Challenges
from branchline.server.study.games import Games
from branchline.server.study.practice import Practices
from branchline.server.study.puzzles import Puzzles
from branchline.server.study.results import Results
from branchline.server.study.reviews import Reviews
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

    def __init__(
        self,
        settings: Settings,
        now: Clock = time.time,
        chance: Chance | None = None,
        bus: Bus | None = None,
        kind: Kind = "serve",
    ) -> None:
        """Opens the store and migrates it. `bus` is for tests that have several houses in one process."""
        chance = chance or Chance()
        self.settings = settings
        self.now = now
        # Who only thinks signs nothing, and needs not know the secret.
        key = settings.signing_key() if kind == "serve" else secrets.token_bytes(32)
        self.signer = Signer(key)
        self.cookie = f"__Host-{COOKIE}" if settings.secure else COOKIE
        self.name = f"{kind}-{secrets.token_urlsafe(9)}"
        """This process among those of the same database."""
        self.bus: Bus = bus or open_bus(settings.bus, self.name)
        joining = Joining(self.name, kind, secret.mark(key) if kind == "serve" else None, leases.SECONDS)
        self.store: Store = open_store(settings.database_url, settings.integrity, joining)
        kinds = {
            "requests": limits.REQUESTS,
            "entries": limits.ENTRIES,
            "tables": limits.TABLES,
            "uploads": limits.UPLOADS,
            "reviews": limits.REVIEWS,
            "messages": limits.MESSAGES,
            "chat": limits.CHAT,
            "questions": limits.QUESTIONS,
            "renames": limits.RENAMES,
            "address-seconds": limits.ADDRESS_SECONDS,
            "person-seconds": limits.PERSON_SECONDS,
        }
        self.limits = {name: Limiter(limit, settings.rate_limits, time.monotonic) for name, limit in kinds.items()}
        self.pulse = Pulse(self.store, now)
        self.sessions = Sessions(self.store, self.signer, now)
        self.thinking = Turns(1)
        """What is worked out in threads for those who ask."""
        self.workers = Workers(settings.bot_workers, settings.bot_budget)
        self.records = Records(self.store, settings.upload_seconds)
        self.token = chance.sources.token
        self._thoughts = chance.thoughts
        seconds = self.limits["address-seconds"]
        self.minder = BotMinder(self.workers, now, settings.bot_pace, chance.delays, self.seed, seconds)
        self.leases = Leases(self.store, self.name, kind)
        register = Register(self.store, self.bus, self.name)
        services = Services(self.store, self.bus, self.leases, register, self.minder, now, settings.absence)
        self.lobby = Lobby(services, chance.sources)
        results = Results(self.store, self.records.ours)
        self.challenges = Challenges(self.store, self.lobby, results, chance.sources, now, key)
        self.games = Games(self.store, self.lobby, results)
        self.puzzles = Puzzles(self.store, now)
        self.practices = Practices(self.lobby, self.seed)
        self.reviews = Reviews(self.store, self.workers, now, self.name)
        shared = SharedLimits(self.limits)
        self.follower = Follower(self.lobby, self.store, self.bus, self.leases, register, shared, now)

    async def start(self) -> None:
        """Take part among the servers of the same database, if it has others."""
        await self.follower.start()

    def seed(self) -> int:
        """A seed for one choice of a bot."""
        return self._thoughts.getrandbits(62)

    async def end_sessions(self, person: str, ids: Collection[str]) -> None:
        """Sign a person out on some devices, now."""
        await self.sessions.end(person, ids)
        self.lobby.sign_out(person, ids)

    async def close(self) -> None:
        """Stop bots and clocks, finish what is being written, leave the rest to other servers."""
        self.minder.close()
        await self.follower.close()
        self.workers.close()
        self.records.close()
        await self.reviews.close()
        await self.bus.close()
        await self.store.close()
