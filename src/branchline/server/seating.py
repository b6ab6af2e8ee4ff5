"""Who sits where, and who may: every change is a function from one head to the next, and refuses what it must.

What it is to refuse is decided inside, when the change is made: whoever asked may have waited meanwhile.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from branchline.server.head import Change, Head, Named, Sitter, own, same_for_all, sitter_for
from branchline.server.identity import clean_name
from branchline.server.messages import Colour, SeatPlan, Sit
from branchline.server.refused import Refused
from branchline.server.store import PersonRow

LISTED = 50
"""People that one table bans, and that it silences, at most."""


def planned(seat: int, by: str, plan: SeatPlan, levels: Sequence[str]) -> Change:
    """Open a seat, close it, or put a bot there; for the owner."""

    def change(head: Head) -> Head:
        own(head, by)
        same_for_all(head)
        sitter = head.sitter(seat)
        if sitter.who == "person":
            raise Refused("taken", "somebody sits there")
        return head.with_sitter(seat, sitter_for(head, plan, sitter.colour, levels))

    return change


def seated(seat: int, person: PersonRow, asked: Sit, running: bool) -> Change:
    """Sit down, or choose another colour; in a running game, in a seat that was freed."""

    def change(head: Head) -> Head:
        sitter = head.sitter(seat)
        if sitter.person != person.id:
            _may_sit(head, sitter, person.id, running)
        head = _with_colour(head, seat, asked.colour or sitter.colour)
        sitter = head.sitter(seat)
        guest = bool(asked.name) or (sitter.person == person.id and sitter.guest)
        name = clean_name(asked.name) if asked.name else sitter.name if guest else person.name
        taken = replace(sitter, who="person", person=person.id, name=name, guest=guest, left=False, freed_from=None)
        if not running:
            return head.with_sitter(seat, replace(taken, nonce=asked.nonce))
        # Once dealt, a game keeps the nonces it was dealt with.
        head = head.with_sitter(seat, replace(taken, level=None, missed=0))
        return replace(head, insiders=tuple(dict.fromkeys((*head.insiders, person.id))))

    return change


def _may_sit(head: Head, sitter: Sitter, person: str, running: bool) -> None:
    if sitter.who != "open":
        raise Refused("taken", "the seat is not free")
    if head.is_banned(person):
        raise Refused("banned", "the table's owner does not let you sit here", status=403)
    if running:
        # A seat comes with its hand: whoever knows one, or could have freed the seat, must not see another.
        if person in (*head.insiders, *head.people, head.owner) and sitter.freed_from != person:
            raise Refused("insider", "who has played here or owns the table can't take over another's seat", status=403)
    elif head.public and person != head.owner and person in head.people:
        raise Refused("one-seat", "at a public table everybody but its owner has one seat")


def _with_colour(head: Head, seat: int, wanted: Colour) -> Head:
    holder = next((n for n, other in enumerate(head.sitters) if other.colour == wanted and n != seat), None)
    if holder is not None:
        other = head.sitters[holder]
        if other.who == "person":
            raise Refused("colour", "somebody has this colour")
        # Nobody minds there: the two seats swap colours.
        head = head.with_sitter(holder, replace(other, colour=head.sitters[seat].colour))
    return head.with_sitter(seat, replace(head.sitters[seat], colour=wanted))


def vacated(seat: int, by: str) -> Change:
    """Free a seat before the start: one's own, or for the owner anybody's."""

    def change(head: Head) -> Head:
        sitter = head.sitter(seat)
        if sitter.person != by and head.owner != by:
            raise Refused("not-yours", "this is not your seat", status=403)
        if sitter.who != "person":
            raise Refused("nobody", "nobody sits there")
        head = head.with_sitter(seat, Sitter("open", sitter.colour))
        if sitter.person == head.owner and sitter.person not in head.people and head.people:
            head = replace(head, owner=head.people[0])
        return head

    return change


def left(seat: int, by: str) -> Change:
    """Leave a running game: the seat stays, and others may hand it to a bot."""

    def change(head: Head) -> Head:
        sitter = head.sitter(seat)
        if sitter.person != by:
            raise Refused("not-yours", "nobody can be removed from a running game", status=403)
        return head.with_sitter(seat, replace(sitter, left=True))

    return change


def handed(seat: int, by: str, level: str, is_absent: Callable[[int], bool]) -> Change:
    """Let a bot stand in for somebody absent, or for oneself."""

    def change(head: Head) -> Head:
        sitter = head.sitter(seat)
        if by not in head.people:
            raise Refused("no-seat", "only somebody with a seat can", status=403)
        if sitter.who == "bot":
            raise Refused("status", "there is nobody to stand in for")
        if head.challenge is not None and head.alone:
            raise Refused("challenge", "this deal is yours to play: no bot stands in")
        if sitter.person != by and not is_absent(seat):
            raise Refused("not-absent", "they are still there")
        return head.with_sitter(seat, replace(sitter, level=level, missed=0))

    return change


def taken_back(seat: int, by: str) -> Change:
    """Take one's own seat back from a bot."""

    def change(head: Head) -> Head:
        sitter = head.sitter(seat)
        if sitter.person != by:
            raise Refused("not-yours", "this is not your seat", status=403)
        return head.with_sitter(seat, replace(sitter, level=None, left=False, missed=0))

    return change


def released(seat: int, by: str, level: str | None, is_gone: Callable[[int], bool]) -> Change:
    """Free the seat of a person who does not come back, for a newcomer; a bot may stand in until then."""

    def change(head: Head) -> Head:
        own(head, by)
        sitter = head.sitter(seat)
        if sitter.who != "person":
            raise Refused("nobody", "nobody sits there")
        if not is_gone(seat):
            raise Refused("not-absent", "they are still there")
        free = replace(
            sitter,
            who="open",
            person=None,
            name="",
            left=False,
            missed=0,
            level=level,
            freed_from=None if level is None else sitter.person,
        )
        return head.with_sitter(seat, free)

    return change


def banned(by: str, who: Named, ban: bool) -> Change:
    """Remove somebody from every seat and keep them away from the table, or let them in again; for the owner."""

    def change(head: Head) -> Head:
        own(head, by)
        if who.person == by:
            raise Refused("self", "the owner stays")
        if ban:
            for seat in head.seats_of(who.person):
                head = head.with_sitter(seat, Sitter("open", head.sitters[seat].colour))
        return replace(head, banned=_listed(head.banned, who, ban))

    return change


def silenced(by: str, who: Named, silence: bool) -> Change:
    """Let nobody hear somebody here, or hear them again; for the owner."""

    def change(head: Head) -> Head:
        own(head, by)
        if who.person == by:
            raise Refused("self", "the owner has a say")
        return replace(head, silenced=_listed(head.silenced, who, silence))

    return change


def _listed(people: tuple[Named, ...], who: Named, wanted: bool) -> tuple[Named, ...]:
    others = tuple(other for other in people if other.person != who.person)
    if wanted and len(others) >= LISTED:
        raise Refused("too-long", f"a table keeps {LISTED} people away at most; let somebody in again first")
    return (*others, who) if wanted else others
