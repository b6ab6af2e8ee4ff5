"""What is kept for those who study: challenges, who plays them, and what finished games came to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """One deal for everybody. What is secret is in `seed`, and nowhere else."""

    id: str
    map: str
    seats: str
    """What each seat is for, as JSON."""
    tables: str
    """The ids of its tables, as JSON; an empty list where everybody plays at a table of their own."""
    title: str
    seed: str
    """The secret of its shuffles, as hex."""
    owner: str | None
    created: float
    ends: float
    """When it is over: nobody may begin it any more, and everything is open."""


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """Who plays a challenge, and at which table: once."""

    challenge: str
    person: str
    table: str
    """Empty when its person has deleted it."""
    at: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a table stands, and what it came to if somebody has counted that."""

    table: str
    status: str
    updated: float
    head: str
    summary: str | None


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """The review of a game, by the id of its table or, for a record that somebody sent, by the hash of the game."""

    game: str
    depth: int
    at: float
    accuracy: str
    """Of each seat, as JSON."""
    review: str


@dataclass(frozen=True, slots=True)
class ReviewingRow:
    """A review that a server makes, or could not make: what the servers of one database tell each other."""

    game: str
    depth: int
    server: str
    person: str
    done: int = 0
    total: int = 0
    """0 while it waits."""
    ahead: int = 0
    problem: str | None = None
    """Why it failed."""


class StudyStore(Protocol):
    """What a database has to do for those who study."""

    async def save_challenge(self, challenge: ChallengeRow) -> None:
        """Insert a challenge; nothing if it is there already."""
        ...

    async def challenge(self, id: str) -> ChallengeRow | None: ...

    async def end_challenge(self, id: str, now: float) -> None:
        """It is over, if it was not."""
        ...

    async def challenges_of(self, person: str, limit: int) -> list[ChallengeRow]:
        """Those that a person made or plays, the latest first."""
        ...

    async def enter(self, entrant: EntrantRow) -> str:
        """Enter a challenge; the table at which the person plays it, which is an older one if they had entered."""
        ...

    async def entry(self, challenge: str, person: str) -> str | None:
        """The table at which somebody plays a challenge."""
        ...

    async def withdraw(self, challenge: str, person: str, table: str) -> None:
        """Somebody stood up from that table before the deal."""
        ...

    async def entrants(self, challenge: str, limit: int) -> list[EntrantRow]:
        """Who plays it, the first first."""
        ...

    async def outcomes(self, tables: Sequence[str]) -> list[Outcome]:
        """How these tables stand."""
        ...

    async def save_result(self, table: str, summary: str) -> None:
        """Keep what a finished table came to."""
        ...

    async def finished_of(self, person: str, limit: int) -> list[Outcome]:
        """The finished tables at which a person sat, the latest first."""
        ...

    async def accuracies(self, games: Sequence[str]) -> dict[str, str]:
        """By game, everybody's accuracy as its deepest review has it."""
        ...

    async def forget_games(self, person: str) -> tuple[int, list[str]]:
        """Take somebody out of their finished tables; those where nobody else sat are deleted with all they hold.

        How many there were, and the ids of those that are gone.
        """
        ...

    async def tried(self, person: str) -> dict[str, bool]:
        """By puzzle, whether somebody solved it at their first try."""
        ...

    async def save_try(self, person: str, puzzle: str, solved: bool, now: float) -> None:
        """Keep how the first try went; later ones count for nothing."""
        ...

    async def save_review(self, review: ReviewRow) -> None:
        """Keep a review; nothing if there is one."""
        ...

    async def review(self, game: str, depth: int) -> str | None:
        """The review of a game."""
        ...

    async def note_reviewing(self, row: ReviewingRow, seconds: float) -> bool:
        """Keep for so long how far a review is; False, and nothing, if another server makes it."""
        ...

    async def reviewing(self, game: str, depth: int) -> ReviewingRow | None:
        """How far the review of a game is that some server makes or could not make; None if that was long ago."""
        ...

    async def reviewing_for(self, person: str) -> bool:
        """Whether some server makes a review that a person asked for."""
        ...

    async def forget_reviewing(self, server: str, games: Sequence[tuple[str, int]]) -> None:
        """A server no longer makes these reviews."""
        ...
