"""From the engine's happenings to readable events."""

from collections.abc import Callable, Sequence
from typing import Any

from branchline import events
from branchline.engine import happenings
from branchline.engine.happenings import Happening
from branchline.events import Event
from branchline.names import Names


def event_of(happening: Happening, names: Names) -> Event:
    """The event that a happening is, with all its secrets."""
    return _EVENTS[type(happening)](happening, names)


def _laid(h: happenings.Laid, names: Names) -> Event:
    return events.TunnelLaid(h.seat, names.routes[h.route], names.payment(h.colour, h.coloured, h.wilds))


def _claimed(h: happenings.Claimed, names: Names) -> Event:
    return events.RouteClaimed(h.seat, names.routes[h.route], names.payment(h.colour, h.coloured, h.wilds), h.points)


def _built(h: happenings.Built, names: Names) -> Event:
    return events.StationBuilt(h.seat, names.cities[h.city], names.payment(h.colour, h.coloured, h.wilds))


def _cards(numbers: Sequence[int], names: Names) -> tuple[str | None, ...]:
    return tuple(names.card(number) for number in numbers)


_EVENTS: dict[type, Callable[[Any, Names], Event]] = {
    happenings.Dealt: lambda h, names: events.CardsDealt(h.seat, _cards(h.cards, names)),
    happenings.Offered: lambda h, names: events.TicketsOffered(h.seat, names.named(h.tickets)),
    happenings.AnsweredOpening: lambda h, names: events.OpeningAnswered(h.seat, names.named(h.tickets)),
    happenings.Kept: lambda h, names: events.TicketsKept(h.seat, len(h.tickets), h.offered, names.named(h.tickets)),
    happenings.TurnBegan: lambda h, names: events.TurnBegan(h.seat, h.turn),
    happenings.Drawn: lambda h, names: events.CardDrawn(h.seat, names.colours[h.card]),
    happenings.Taken: lambda h, names: events.CardTaken(h.seat, h.slot, names.colours[h.card]),
    happenings.RowFilled: lambda h, names: events.RowFilled(h.slot, names.colours[h.card]),
    happenings.RowReset: lambda h, names: events.RowReset(_cards(h.row, names)),
    happenings.Reshuffled: lambda h, names: events.DeckReshuffled(h.cards),
    happenings.Laid: _laid,
    happenings.Turned: lambda h, names: events.TunnelCardTurned(h.seat, names.colours[h.card]),
    happenings.Owed: lambda h, names: events.TunnelOwed(h.seat, h.cards),
    happenings.TookBack: lambda h, names: events.TunnelTakenBack(h.seat, names.routes[h.route]),
    happenings.Claimed: _claimed,
    happenings.Built: _built,
    happenings.Passed: lambda h, names: events.Passed(h.seat),
    happenings.LastRound: lambda h, names: events.LastRoundBegan(h.seat),
    happenings.Ended: lambda h, names: events.GameEnded(),
}
