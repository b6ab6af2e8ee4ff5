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
from branchline.scores import TicketScore, ticket_score, usable_routes
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


def tickets(view: View) -> list[TicketScore]:
    """This seat's tickets: whether its own routes complete them now, and by which path."""
    state, names, seat = _own(view)
    usable = usable_routes(state, seat, [])
    return [ticket_score(names, ticket, usable) for ticket in view.sight.tickets]


def shortest_way(view: View, ticket: str) -> Way | None:
    """The way for a ticket that takes the fewest cars, over own routes and those open to this seat, if there is one."""
    state, names, seat = _own(view)
    board = state.board
    number = _number(names.ticket, ticket, "ticket")
    cost = [NONE] * board.routes
    for route, owner in enumerate(state.owner):
        if owner == seat:
            cost[route] = 0
        elif barred(state, route, seat) == LEGAL:
            cost[route] = board.length[route]
    way = path(board, vec[i64](cost), board.ticket_a[number], board.ticket_b[number])
    if not way:
        return None
    claim = [route for route in way if state.owner[route] != seat]
    return Way(
        tuple(names.routes[route] for route in way),
        tuple(names.routes[route] for route in claim),
        sum(board.length[route] for route in claim),
    )


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
