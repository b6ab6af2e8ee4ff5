"""Bus: what carries news from one server to the others. Any of it may be lost, and nothing is kept there alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, Protocol, get_args

About = Literal["table", "chat", "presence", "person", "due", "spent", "lost"]
"""A table has another revision; something was said there; somebody came or went; a person has another name, other
sessions or mutes; a table's bot or clock waits for somebody to mind it; somebody used up much of what they may do;
news was lost."""
ABOUT: Final = get_args(About)
COMMON: Final = frozenset(("person", "due", "spent"))
"""What is told to all servers; the rest to those that follow the table."""


@dataclass(frozen=True, slots=True)
class News:
    """That something has changed. Numbers and names of tables and people: no card, no ticket, no seed, no word said."""

    about: About
    id: str
    """Of the table or the person; for `spent`, the limit and whom it binds."""
    version: int = 0
    """The number of a table's last log entry."""
    revision: int = 0
    """The number of a table's last change or last line of chat, 0 if not known; of what is `spent`, thousandths."""


Hear = Callable[[News], None]
"""Who is told; it returns at once."""


class Bus(Protocol):
    """What carries news. A server does not hear its own."""

    def start(self, hear: Hear) -> None:
        """Begin to hear what others publish, in the running loop."""
        ...

    def publish(self, news: News) -> None:
        """Tell the others, soon. Never waits, and does not say whether they hear it."""
        ...

    def follow(self, table: str) -> None:
        """Hear about a table from now on."""
        ...

    def leave(self, table: str) -> None:
        """Hear about a table no more."""
        ...

    @property
    def away(self) -> bool:
        """Whether news is being lost just now."""
        ...

    async def close(self) -> None: ...
