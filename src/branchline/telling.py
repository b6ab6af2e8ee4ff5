"""From the engine's happenings to readable events."""

from collections.abc import Callable, Sequence

from branchline import events
from branchline.engine import happenings as kinds
from branchline.engine.evidence import HIDDEN
from branchline.engine.sight import seen
from branchline.events import Event
from branchline.names import Names

Numbers = Sequence[int]


def tell(names: Names, happening: Numbers) -> Event:
    """The event that a happening is; what is HIDDEN in it becomes None."""
    return _TELL[happening[0]](names, happening)


def as_seen(names: Names, event: Event, seat: int) -> Event:
    """An event as `seat` may know it."""
    happening = _untell(names, event)
    return event if happening is None else tell(names, seen(happening, seat))


def _untell(names: Names, event: Event) -> tuple[int, ...] | None:
    """The happening that an event with a secret in it was; None for events without."""
    if isinstance(event, events.CardDrawn):
        return (kinds.DRAWN, event.seat, _number(names.colour, event.card))
    if isinstance(event, events.CardsDealt):
        return (kinds.DEALT, event.seat, *(_number(names.colour, card) for card in event.cards))
    if isinstance(event, events.TicketsOffered):
        return (kinds.OFFERED, event.seat, *(_number(names.ticket, ticket) for ticket in event.tickets))
    if isinstance(event, events.OpeningAnswered):
        return (kinds.ANSWERED_OPENING, event.seat, *(names.ticket[ticket] for ticket in event.tickets or ()))
    if isinstance(event, events.TicketsKept):
        tickets = (_number(names.ticket, ticket) for ticket in event.tickets)
        return (kinds.KEPT, event.seat, event.kept, event.offered, *tickets)
    return None


def _number(table: dict[str, int], id: str | None) -> int:
    return HIDDEN if id is None else table[id]


def _cards(names: Names, numbers: Numbers) -> tuple[str | None, ...]:
    return tuple(names.card(number) for number in numbers)


def _tickets(names: Names, numbers: Numbers) -> tuple[str | None, ...]:
    return tuple(names.tickets[number] if number >= 0 else None for number in numbers)


def _laid(names: Names, h: Numbers) -> Event:
    return events.TunnelLaid(h[1], names.routes[h[2]], names.payment(h[3], names.board.length[h[2]], h[4]))


def _claimed(names: Names, h: Numbers) -> Event:
    return events.RouteClaimed(h[1], names.routes[h[2]], names.payment(h[3], h[4], h[5]), h[6])


def _built(names: Names, h: Numbers) -> Event:
    return events.StationBuilt(h[1], names.cities[h[2]], names.payment(h[3], h[4], h[5]))


_TELL: dict[int, Callable[[Names, Numbers], Event]] = {
    kinds.DEALT: lambda names, h: events.CardsDealt(h[1], _cards(names, h[2:])),
    kinds.OFFERED: lambda names, h: events.TicketsOffered(h[1], _tickets(names, h[2:])),
    # A seat keeps at least one: without tickets the answer is another's.
    kinds.ANSWERED_OPENING: lambda names, h: events.OpeningAnswered(h[1], names.named(h[2:]) or None),
    kinds.KEPT: lambda names, h: events.TicketsKept(h[1], h[2], h[3], _tickets(names, h[4:])),
    kinds.TURN_BEGAN: lambda names, h: events.TurnBegan(h[1], h[2]),
    kinds.DRAWN: lambda names, h: events.CardDrawn(h[1], names.card(h[2])),
    kinds.TAKEN: lambda names, h: events.CardTaken(h[1], h[2], names.colours[h[3]]),
    kinds.ROW_FILLED: lambda names, h: events.RowFilled(h[2], names.colours[h[3]]),
    kinds.ROW_RESET: lambda names, h: events.RowReset(_cards(names, h[2:])),
    kinds.RESHUFFLED: lambda names, h: events.DeckReshuffled(h[2]),
    kinds.LAID: _laid,
    kinds.TURNED: lambda names, h: events.TunnelCardTurned(h[1], names.colours[h[2]]),
    kinds.OWED: lambda names, h: events.TunnelOwed(h[1], h[2]),
    kinds.TOOK_BACK: lambda names, h: events.TunnelTakenBack(h[1], names.routes[h[2]]),
    kinds.CLAIMED: _claimed,
    kinds.BUILT: _built,
    kinds.PASSED: lambda names, h: events.Passed(h[1]),
    kinds.LAST_ROUND: lambda names, h: events.LastRoundBegan(h[1]),
    kinds.ENDED: lambda names, h: events.GameEnded(),
}
