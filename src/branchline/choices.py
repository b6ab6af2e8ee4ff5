"""What a seat may do now, grouped for people: a few kB also with the fullest hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from branchline.actions import Payment
from branchline.engine import board as numbers
from branchline.engine.legal import fewest
from branchline.engine.state import State
from branchline.names import Names


@dataclass(frozen=True, slots=True)
class Choices:
    """What the seat may do now, grouped."""

    deck: bool = False
    """Draw from the deck."""
    row: tuple[int, ...] = ()
    """Places of the row a card may be taken from."""
    tickets: bool = False
    """Draw tickets."""
    keep: int = 0
    """So many of the offered tickets have to be kept; 0 where none are offered."""
    claims: Mapping[str, tuple[Payment, ...]] = field(default_factory=dict)
    """Payments by route, fewest wilds first."""
    cities: tuple[str, ...] = ()
    """Where a station may be built."""
    station: tuple[Payment, ...] = ()
    """Payments for a station, the same in every city."""
    pay: tuple[Payment, ...] = ()
    """Payments of what the tunnel owes."""
    take_back: bool = False
    passing: bool = False
    """Nothing else is possible (R3.10)."""


def choices_of(state: State, names: Names, seat: int) -> Choices:
    """What `seat` may do now."""
    if seat < 0:
        return Choices()
    board = state.board
    row: list[int] = []
    claims: dict[str, list[Payment]] = {}
    cities: dict[str, list[Payment]] = {}
    pay: list[Payment] = []
    simple: set[int] = set()
    built = -1
    for index in state.legal(seat):
        kind = board.action_kind[index]
        if kind == numbers.BUILD and built not in (-1, board.action_what[index]):
            cities.setdefault(names.cities[board.action_what[index]], [])  # costs the same as in the first city
            continue
        action: Any = names.action(index, state, seat)
        if kind == numbers.DRAW_ROW:
            row.append(action.slot)
        elif kind == numbers.CLAIM:
            claims.setdefault(action.route, []).append(action.payment)
        elif kind == numbers.BUILD:
            built = board.action_what[index]
            cities.setdefault(action.city, []).append(action.payment)
        elif kind == numbers.PAY:
            pay.append(action.payment)
        else:
            simple.add(kind)
    return Choices(
        deck=numbers.DRAW_DECK in simple,
        row=tuple(row),
        tickets=numbers.DRAW_TICKETS in simple,
        keep=fewest(state) if numbers.KEEP in simple else 0,
        claims={route: _fewest_wilds_first(payments) for route, payments in claims.items()},
        cities=tuple(cities),
        station=_fewest_wilds_first(next(iter(cities.values()), [])),
        pay=_fewest_wilds_first(pay),
        take_back=numbers.TAKE_BACK in simple,
        passing=numbers.PASS in simple,
    )


def _fewest_wilds_first(payments: list[Payment]) -> tuple[Payment, ...]:
    return tuple(sorted(payments, key=lambda payment: payment.wilds))


def choices_to_json(choices: Choices) -> dict[str, Any]:
    """Choices as JSON data, kept small: routes that cost the same share one list of `payments`, by its number.

    A payment is its colour (null for wilds alone), coloured cards and wilds.
    """
    lists: dict[tuple[Payment, ...], int] = {}
    claims = {route: lists.setdefault(payments, len(lists)) for route, payments in choices.claims.items()}
    return {
        "deck": choices.deck,
        "row": choices.row,
        "tickets": choices.tickets,
        "keep": choices.keep,
        "claims": claims,
        "payments": [_compact(payments) for payments in lists],
        "cities": choices.cities,
        "station": _compact(choices.station),
        "pay": _compact(choices.pay),
        "take_back": choices.take_back,
        "passing": choices.passing,
    }


def _compact(payments: tuple[Payment, ...]) -> list[list[str | int | None]]:
    return [[payment.colour, payment.cards, payment.wilds] for payment in payments]
