"""Sessions: on which devices somebody is known, and how they end."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass, replace

from branchline.server.identity import FIRST, Signer
from branchline.server.services import Clock
from branchline.server.store import PersonRow, SessionRow, Store

MOST = 20
"""Devices of one person, at most: a further one ends the one seen longest ago."""
SEEN = 3_600.0
"""Seconds after which it is noted again that a device was seen."""
REMEMBERED = 10_000

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def device_of(agent: str) -> str:
    """What kind of device says that of itself: its browser and system, and nothing that tells two of a kind apart."""
    browser = next((name for mark, name in _BROWSERS if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS if mark in agent), "")
    return ", ".join(part for part in (browser, system) if part)


@dataclass(frozen=True, slots=True)
class Known:
    """Who asks, and on which device."""

    person: PersonRow
    session: SessionRow


class Sessions:
    """The devices on which people are known."""

    def __init__(self, store: Store, signer: Signer, now: Clock) -> None:
        """`signer` makes the cookies."""
        self._store = store
        self._signer = signer
        self._now = now
        self._ended: dict[tuple[str, str], None] = {}

    async def known(self, cookie: str | None) -> Known | None:
        """Whose cookie it is; None if we did not sign it or its session has ended."""
        read = self._signer.read(cookie)
        found = None if read is None else await self._store.session(*read)
        return None if found is None else Known(*found)

    async def begin(self, person: PersonRow, device: str) -> Known:
        """A session on a device that was not known."""
        now = self._now()
        session = SessionRow(person.id, secrets.token_urlsafe(12), device, now, now)
        await self._store.save_session(session, MOST)
        return Known(person, session)

    async def note(self, known: Known, device: str) -> None:
        """Remember that a device was seen, and what it is by now."""
        now = self._now()
        if now - known.session.seen > SEEN or (known.session.id == FIRST and not known.session.device):
            await self._store.note_session(replace(known.session, seen=now, device=device))

    async def end(self, person: str, ids: Collection[str]) -> None:
        """Nobody is this person on these devices any more."""
        await self._store.end_sessions(person, ids)
        for id in ids:
            self._ended[person, id] = None
        while len(self._ended) > REMEMBERED:
            del self._ended[next(iter(self._ended))]

    def has_ended(self, person: str, id: str) -> bool:
        """Whether a session has just been ended, for whoever was on the way in meanwhile."""
        return (person, id) in self._ended

    def cookie(self, known: Known) -> str:
        """What the device keeps."""
        return self._signer.sign(known.person.id, known.session.id)
