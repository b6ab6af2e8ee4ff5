"""What routes ask for: the house, who asks, and which table."""

import re
from typing import Annotated, Any

from fastapi import Depends, Path, Request

from branchline.server.guard.meter import payer
from branchline.server.house import House
from branchline.server.messages import Problem
from branchline.server.refused import Refused, too_many
from branchline.server.sessions import Known
from branchline.server.store import PersonRow
from branchline.server.table import Table

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 401, 403, 404, 409, 413, 421, 422, 429, 503)
}
"""What may be refused, for the description at /docs."""


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


Host = Annotated[House, Depends(_house)]


async def _anybody(request: Request, house: Host) -> Known | None:
    known = await house.sessions.known(request.cookies.get(house.cookie))
    account = payer.get()
    if known is not None and account is not None:
        account.also(house.limits["person-seconds"], known.person.id)
        if account.is_spent:
            raise too_many()
    return known


Anybody = Annotated[Known | None, Depends(_anybody)]
"""Who asks, if they said so."""


async def _known(known: Anybody) -> Known:
    if known is None:
        raise Refused("stranger", "say who you are first: PUT /api/me", status=401)
    return known


Device = Annotated[Known, Depends(_known)]
"""Who asks, and on which device."""


async def _person(known: Device) -> PersonRow:
    return known.person


Person = Annotated[PersonRow, Depends(_person)]
"""Who asks."""

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
"""What may be a table's id: whatever else stands in an address is not looked for."""
TableId = Annotated[str, Path(pattern=rf"^{TABLE_ID.pattern}$")]
Seat = Annotated[int, Path(ge=0, le=9)]


async def _table(id: TableId, house: Host) -> Table:
    return await house.lobby.fresh(id)


TheTable = Annotated[Table, Depends(_table)]
