"""Questions people ask, answered from a view in data that a client can word."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

from librt.vecs import vec
from mypy_extensions import i64

from branchline.actions import Payment
from branchline.engine.board import CLAIM, GREY, NOBODY, NONE, TUNNEL
from branchline.engine.card_worlds import CardWorld
from branchline.engine.legal import barred, not_now
from branchline.engine.network import path
from branchline.engine.refusals import FEW_CARDS, FEW_WILDS, LEGAL, REFUSALS
from branchline.engine.scoring import Borrowing
from branchline.engine.shuffle import Rng
from branchline.engine.state import State
from branchline.engine.worlds import shadow
from branchline.names import Names, names_of
from branchline.scores import ticket_score, usable_routes
from branchline.views import View

SAMPLES = 400
"""Deals over which odds are averaged where they can't be had exactly."""


@dataclass(frozen=True, slots=True)
class WhyNot:
    """One reason why a route can't be claimed now."""

    rule: str
    reason: str
    """A word of `branchline.engine.refusals`."""
    missing: Mapping[str, int]
    """What is missing, by colour; `cars` for cars."""


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely a tunnel is to owe so many cards more."""

    chances: tuple[float, ...]
    """The chance to owe 0, 1, 2 ... cards."""
    exact: bool
    """False where what others paid tells of cards drawn from this very deck: then the mean over sampled deals."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to complete a ticket."""

    routes: tuple[str, ...]
    """The whole way, in order."""
    claim: tuple[str, ...]
    """Those of its routes that are yet to be claimed."""
    spaces: int
    """Cars and cards that takes."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """How one ticket stands: what it would count if the game ended now, and what it still takes."""

    ticket: str
    points: int
    completed: bool
    """Whether own and borrowed routes join its cities now (R5.4, R6.5)."""
    path: tuple[str, ...]
    """The routes that do, in order; empty if there are none."""
    borrowed: tuple[str, ...]
    """Those of them that stations borrow from others."""
    way: Way | None
    """The way that takes the fewest cars, over own and borrowed routes and those open to this seat, if there is one."""
    station: bool
    """Where there is no way: whether stations yet to be built might make one."""


def why_not_claim(view: View, route: str) -> list[WhyNot]:
    """Why this seat can't claim a route now: what bars it first, then what is missing, then the moment."""
    state, names, seat = _own(view)
    board = state.board
    number = _number(names.route, route, "route")
    reasons: list[WhyNot] = []
    reason = barred(state, number, seat)
    if reason != LEGAL:
        cars = board.length[number] - state.cars[seat]
        reasons.append(_why(reason, {"cars": cars} if cars > 0 and state.owner[number] == NOBODY else {}))
    held = list(view.sight.hand)
    wilds, length, least = held[board.wild], board.length[number], board.wilds[number]
    colour = board.colour[number]
    if colour == GREY:
        colour = max(range(board.wild), key=lambda c: held[c])
    short_wilds = max(0, least - wilds)
    short = max(0, length - max(wilds, least) - held[colour])
    if short_wilds:
        reasons.append(_why(FEW_WILDS, {"wild": short_wilds}))
    if short:
        reasons.append(_why(FEW_CARDS, {names.colours[colour]: short}))
    reason = not_now(state, seat, CLAIM)
    if reason != LEGAL:
        reasons.append(_why(reason, {}))
    return reasons


def tunnel_odds(view: View, route: str, payment: Payment) -> Odds:
    """How likely a tunnel with this payment is to owe 0, 1, 2 or 3 cards more, by what this seat has seen (R4.8)."""
    state, names, _ = _own(view)
    board = state.board
    if board.kind[_number(names.route, route, "route")] != TUNNEL:
        raise ValueError(f"route: {route} is no tunnel")
    names.claim_index(route, payment)
    wanted = {board.wild, board.wild if payment.colour is None else names.colour[payment.colour]}
    from_deck = min(board.rules.tunnel_cards, view.sight.deck_left)
    cards = CardWorld(view.sight, Rng(view.sight.turn))
    if cards.is_free():
        chances = _hits(list(cards.pool()), wanted, from_deck)
    else:
        chances = [0.0] * (from_deck + 1)
        for _ in range(SAMPLES):
            cards.deal()
            for owed, chance in enumerate(_hits(list(cards.deck()), wanted, from_deck)):
                chances[owed] += chance / SAMPLES
    # Where the deck is too small the discards are shuffled into a new one meanwhile (R3.7, R4.12).
    discards = [colour for colour, n in enumerate(state.discards) for _ in range(n)]
    more = _hits(discards, wanted, min(board.rules.tunnel_cards - from_deck, len(discards)))
    total = [0.0] * (board.rules.tunnel_cards + 1)
    for a, chance in enumerate(chances):
        for b, further in enumerate(more):
            total[a + b] += chance * further
    return Odds(tuple(total), cards.is_free())


def shortest_way(view: View, ticket: str) -> Way | None:
    """The way for a ticket that takes the fewest cars, over own routes and those open to this seat, if there is one."""
    state, names, seat = _own(view)
    return _way(names, _number(names.ticket, ticket, "ticket"), _costs(state, seat, []))


def outlooks(view: View) -> list[Outlook]:
    """How each ticket stands that this seat holds, has chosen or is offered, as the count would borrow now (R6.5)."""
    state, names, seat = _own(view)
    board, own = state.board, view.own
    assert own is not None
    borrowing = Borrowing(state, seat)
    lent = [route for route in borrowing.best if route != NONE]
    alone, usable, costs = usable_routes(state, seat, []), usable_routes(state, seat, lent), _costs(state, seat, lent)
    found = []
    for ticket in dict.fromkeys((*own.tickets, *(own.answer or ()), *own.offer)):
        number = names.ticket[ticket]
        score = ticket_score(names, number, alone)
        if lent and not score.completed:
            score = ticket_score(names, number, usable)
        borrowed = tuple(names.routes[route] for route in lent if names.routes[route] in score.path)
        way = _way(names, number, costs)
        station = way is None and _could_borrow(state, seat, costs, board.ticket_a[number], board.ticket_b[number])
        found.append(Outlook(ticket, score.points, score.completed, score.path, borrowed, way, station))
    return found


def _costs(state: State, seat: int, lent: list[int]) -> "vec[i64]":
    """The cars that each route takes of a seat: none where it owns or borrows it, NONE where it can't be claimed."""
    cost = [NONE] * state.board.routes
    for route, owner in enumerate(state.owner):
        if owner == seat or route in lent:
            cost[route] = 0
        elif barred(state, route, seat) == LEGAL:
            cost[route] = state.board.length[route]
    return vec[i64](cost)


def _way(names: Names, ticket: int, costs: "vec[i64]") -> Way | None:
    board = names.board
    way = path(board, costs, board.ticket_a[ticket], board.ticket_b[ticket])
    if not way:
        return None
    claim = [route for route in way if costs[route] > 0]
    return Way(
        tuple(names.routes[route] for route in way),
        tuple(names.routes[route] for route in claim),
        sum(costs[route] for route in claim),
    )


def _could_borrow(state: State, seat: int, costs: "vec[i64]", a: int, b: int) -> bool:
    """Whether a way from `a` to `b` needs no more routes of others than this seat has stations."""
    board = state.board
    price = [0 if cost != NONE else NONE for cost in costs]
    # Whoever has built them all borrows where they stand.
    lenders = (NOBODY, seat) if state.stations[seat] > 0 else (seat,)
    for route, owner in enumerate(state.owner):
        ends = (board.route_a[route], board.route_b[route])
        reach = any(state.station[city] in lenders for city in ends)
        if owner not in (NOBODY, seat) and price[route] == NONE and reach:
            price[route] = 1
    way = path(board, vec[i64](price), a, b)
    return bool(way) and sum(price[route] for route in way) <= board.rules.stations


def borrowed(view: View, city: str | None = None) -> dict[str, str | None]:
    """Which route each station of this seat would borrow if the game ended now; None for one of no use (R6.5).

    With a `city`, as if one more station stood there.
    """
    state, names, seat = _own(view)
    if city is not None:
        number = _number(names.city, city, "city")
        if state.station[number] != NOBODY:
            raise ValueError(f"city: {city} has a station already (R6.1)")
        state.station = vec[i64]([seat if n == number else owner for n, owner in enumerate(state.station)])
    borrowing = Borrowing(state, seat)
    return {
        names.cities[c]: names.routes[route] if route != NONE else None
        for c, route in zip(borrowing.cities, borrowing.best, strict=True)
    }


def _own(view: View) -> tuple[State, Names, int]:
    """The seat's own side of the game, for asking the rules."""
    if view.seat is None:
        raise ValueError("view: a spectator has no seat to ask for")
    return shadow(view.sight), names_of(view.map), view.seat


def _number(table: Mapping[str, int], id: str, what: str) -> int:
    if id not in table:
        raise ValueError(f"{what}: this map has no {id!r}")
    return table[id]


def _why(reason: int, missing: Mapping[str, int]) -> WhyNot:
    word, rule, _ = REFUSALS[reason]
    return WhyNot(rule, word, missing)


def _hits(cards: list[int], wanted: set[int], drawn: int) -> list[float]:
    """The chances that so many cards drawn from these have 0, 1, 2 ... wanted ones among them."""
    hits = sum(card in wanted for card in cards)
    ways = comb(len(cards), drawn)
    return [comb(hits, n) * comb(len(cards) - hits, drawn - n) / ways for n in range(drawn + 1)]
