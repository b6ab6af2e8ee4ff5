"""What a table needs around it: where it is kept, how others hear of it, who plays for its bots, what time it is."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from branchline.server.bus import Bus
from branchline.server.leases import Leases
from branchline.server.presence import Register
from branchline.server.store import Store

if TYPE_CHECKING:
    from branchline.server.table import Table


class Clock(Protocol):
    """Where the time comes from."""

    def __call__(self) -> float: ...


class Minder(Protocol):
    """Who plays for seats that do not play themselves."""

    def look_after(self, table: "Table") -> None:
        """Called after every change."""
        ...

    def forget(self, table: "Table") -> None: ...


@dataclass(frozen=True, slots=True)
class Services:
    """What all tables of one server share."""

    store: Store
    bus: Bus
    leases: Leases
    register: Register
    minder: Minder
    now: Clock
    patience: float
    """For how many seconds an absent person is waited for, without a clock."""
