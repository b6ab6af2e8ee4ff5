"""News between servers: that something has changed, never what it is now. One file for each way it travels."""

from branchline.server.bus.base import Bus, Hear, News
from branchline.server.bus.local import LocalBus

__all__ = ["Bus", "Hear", "LocalBus", "News", "open_bus"]


def open_bus(url: str, server: str) -> Bus:
    """The bus for a URL, under this server's name; without one, a bus on which nobody else is."""
    if not url:
        return LocalBus()
    if url.startswith(("redis://", "rediss://", "unix://")):
        from branchline.server.bus.redis import RedisBus  # late: its client is for whoever has one

        return RedisBus(url, server)
    raise ValueError(f"bus: only redis:// URLs are understood, not {url.partition(':')[0]}")
