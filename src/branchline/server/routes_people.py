"""The HTTP side of who one is, and on which devices."""

import secrets
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from branchline.server.dependencies import PROBLEMS, Anybody, Device, Host, Person
from branchline.server.guard.addresses import address
from branchline.server.house import House
from branchline.server.identity import COOKIE_SECONDS, LINK_SECONDS, clean_name, hashed
from branchline.server.messages import DeviceLink, DeviceToken, Me, Myself, Session
from branchline.server.refused import Refused, not_found, too_many
from branchline.server.sessions import Known, device_of
from branchline.server.store import PersonRow

router = APIRouter(prefix="/api/me", responses=PROBLEMS)


@router.get("")
async def me(known: Anybody, request: Request, house: Host, response: Response) -> Me | None:
    """Who one is; null for whoever has not said so yet."""
    if known is None:
        return None
    await house.sessions.note(known, _device(request))
    _remember(house, response, known)
    return _me(known.person)


@router.put("")
async def name_me(asked: Myself, known: Anybody, request: Request, house: Host, response: Response) -> Me:
    """Say how one wants to be called; whoever has no cookie gets one."""
    name = clean_name(asked.name)
    if known is None:
        if not house.limits["entries"].allows(address(request.scope)):
            raise too_many()
        person = PersonRow(house.token(), name, asked.language, house.now())
        await house.store.save_person(person)
        known = await house.sessions.begin(person, _device(request))
    else:
        if name != known.person.name and not house.limits["renames"].allows(known.person.id):
            raise too_many()
        person = PersonRow(known.person.id, name, asked.language, known.person.created)
        await house.store.save_person(person)
        if name != known.person.name:
            await house.lobby.rename(person)
    _remember(house, response, known)
    return _me(person)


@router.post("/links")
async def link_device(person: Person, house: Host) -> DeviceLink:
    """Make a link that adds another device, good for ten minutes and once."""
    if not house.limits["tables"].allows(person.id):
        raise too_many()
    token, expires = secrets.token_urlsafe(24), house.now() + LINK_SECONDS
    await house.store.save_link(hashed(token), person.id, expires)
    return {"token": token, "expires": expires}


@router.post("/links/redeem")
async def redeem_link(asked: DeviceToken, known: Anybody, request: Request, house: Host, response: Response) -> Me:
    """Become, on this device too, the person who made the link.

    A device that knows somebody else with tables would lose them: that is refused as `somebody`, and the link stays
    good, until it is asked for with `instead`.
    """
    if not house.limits["entries"].allows(address(request.scope)):
        raise too_many()
    wanted = await house.store.link(hashed(asked.token), house.now())
    other = known is not None and known.person.id != wanted
    if wanted is not None and known is not None and other and not asked.instead:
        tables = len(await house.lobby.tables_of(known.person.id))
        if tables:
            text = f"this device is {known.person.name}, with tables ({tables}) that it could not reach any more"
            raise Refused("somebody", text)
    id = await house.store.take_link(hashed(asked.token), house.now())
    person = None if id is None else await house.store.person(id)
    if person is None:
        raise Refused("link", "this link was used already or is too old", status=404)
    if known is None or known.person.id != person.id:
        if known is not None:
            await house.end_sessions(known.person.id, [known.session.id])
        known = await house.sessions.begin(person, _device(request))
    _remember(house, response, known)
    return _me(person)


@router.get("/sessions")
async def sessions(known: Device, house: Host) -> list[Session]:
    """The devices on which one is known, the one used last first."""
    return await _sessions(known, house)


@router.delete("/sessions")
async def end_others(known: Device, house: Host) -> list[Session]:
    """Sign out all other devices, at once, and void the device links that were not used."""
    rows = await house.store.sessions(known.person.id)
    await house.end_sessions(known.person.id, [row.id for row in rows if row.id != known.session.id])
    return await _sessions(known, house)


@router.delete("/sessions/{id}")
async def end_session(
    id: Annotated[str, Path(max_length=40)], known: Device, house: Host, response: Response
) -> list[Session]:
    """Sign out one device; the one that asks forgets who it was."""
    if id not in {row.id for row in await house.store.sessions(known.person.id)}:
        raise not_found("session")
    await house.end_sessions(known.person.id, [id])
    if id == known.session.id:
        response.delete_cookie(house.cookie, path="/", secure=house.settings.secure, httponly=True, samesite="lax")
    return await _sessions(known, house)


async def _sessions(known: Known, house: House) -> list[Session]:
    return [
        {
            "id": row.id,
            "device": row.device,
            "created": row.created,
            "seen": row.seen,
            "here": row.id == known.session.id,
        }
        for row in await house.store.sessions(known.person.id)
    ]


def _device(request: Request) -> str:
    return device_of(request.headers.get("user-agent", ""))


def _me(person: PersonRow) -> Me:
    return {"id": person.id, "name": person.name, "language": person.language}


def _remember(house: House, response: Response, known: Known) -> None:
    response.set_cookie(
        house.cookie,
        house.sessions.cookie(known),
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="lax",
        secure=house.settings.secure,
        path="/",
    )
