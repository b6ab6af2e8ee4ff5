"""What is legal, the slow way: every conceivable action of a map, judged by the rules as text on a position as data."""

from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations
from typing import Any

from branchline import (
    Action,
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Map,
    Pass,
    Payment,
    PayTunnel,
    TakeBack,
)
from branchline.maps import Route

Position = dict[str, Any]


def legal_actions(map: Map, position: Position, seat: int) -> set[Action]:
    """Everything `seat` may do; tickets to keep are named in the order of the offer."""
    return {action for action in conceivable(map, position, seat) if is_legal(map, position, seat, action)}


def conceivable(map: Map, position: Position, seat: int) -> Iterator[Action]:
    yield from (DrawCard(slot) for slot in (None, *range(map.rules.row + 1)))
    yield from (DrawTickets(), TakeBack(), Pass())
    offer = position["seats"][seat]["offer"]
    subsets = chain.from_iterable(combinations(offer, n) for n in range(len(offer) + 1))
    yield from (KeepTickets(tickets) for tickets in subsets)
    for route in map.routes:
        yield from (ClaimRoute(route.id, payment) for payment in payments(map, route.length))
    for price in range(1, map.rules.tunnel_cards + 1):
        yield from (PayTunnel(payment) for payment in payments(map, price))
    if map.rules.stations:
        price = own_stations(position, seat) + 1
        for city in map.cities:
            yield from (BuildStation(city.id, payment) for payment in payments(map, price))


def payments(map: Map, price: int) -> Iterator[Payment]:
    """Payments of about so many cards; a card more or less is conceivable too."""
    for cards in range(max(1, price - 1), price + 2):
        yield Payment(None, 0, cards)
        for wilds in range(cards):
            yield from (Payment(colour, cards - wilds, wilds) for colour in map.colours)


def is_legal(map: Map, position: Position, seat: int, action: Action) -> bool:
    stage = position["stage"]
    if stage == "over":
        return False
    if stage == "opening":  # R2.5: all at once, an answer is final
        unanswered = position["seats"][seat]["answer"] is None
        return unanswered and isinstance(action, KeepTickets) and len(action.tickets) >= map.rules.opening_keep
    if seat != position["on_turn"]:  # R2.6
        return False
    if isinstance(action, Pass):  # R3.10: only where nothing else is possible
        others = (other for other in conceivable(map, position, seat) if not isinstance(other, Pass))
        return stage == "turn" and not any(is_legal(map, position, seat, other) for other in others)
    if stage == "second-draw":  # R3.2, R3.4
        return isinstance(action, DrawCard) and can_draw(position, action) and not takes_wild(position, action)
    if stage == "tunnel-owed":  # R4.8 to R4.10
        return isinstance(action, TakeBack) or (isinstance(action, PayTunnel) and pays_tunnel(position, seat, action))
    if stage == "ticket-offer":  # R5.1, R5.2: at least one, or all where fewer were left
        least = min(map.rules.ticket_keep, len(position["seats"][seat]["offer"]))
        return isinstance(action, KeepTickets) and len(action.tickets) >= least
    if isinstance(action, DrawCard):
        return can_draw(position, action)
    if isinstance(action, DrawTickets):  # R5.2
        return len(position["ticket_deck"]) > 0
    if isinstance(action, ClaimRoute):
        return claims(map, position, seat, action)
    return isinstance(action, BuildStation) and builds(map, position, seat, action)


def can_draw(position: Position, action: DrawCard) -> bool:
    if action.slot is None:  # R3.8
        return len(position["deck"]) > 0
    return action.slot < len(position["row"]) and position["row"][action.slot] is not None


def takes_wild(position: Position, action: DrawCard) -> bool:
    return action.slot is not None and position["row"][action.slot] == "wild"


def holds(position: Position, seat: int, payment: Payment) -> bool:
    hand = position["seats"][seat]["hand"]
    coloured = payment.colour is None or hand.get(payment.colour, 0) >= payment.cards
    return bool(coloured and hand.get("wild", 0) >= payment.wilds)


def pays_tunnel(position: Position, seat: int, action: PayTunnel) -> bool:
    tunnel, payment = position["tunnel"], action.payment
    if payment.cards + payment.wilds != tunnel["owed"] or not holds(position, seat, payment):
        return False
    return payment.colour is None or bool(payment.colour == tunnel["payment"]["colour"])  # R4.8; R4.9 for wilds alone


@cache
def routes_by_id(map: Map) -> dict[str, Route]:
    return {route.id: route for route in map.routes}


def claims(map: Map, position: Position, seat: int, action: ClaimRoute) -> bool:
    route = routes_by_id(map)[action.route]
    payment, owners = action.payment, position["owners"]
    if payment.cards + payment.wilds != route.length:  # R4.1
        return False
    if route.colour != "grey" and payment.colour not in (None, route.colour):  # R4.1
        return False
    if payment.wilds < route.wilds or not holds(position, seat, payment):  # R4.7
        return False
    if route.id in owners or position["seats"][seat]["cars"] < route.length:  # R4.2
        return False
    for other in map.routes:
        if is_twin(route, other) and other.id in owners:
            if owners[other.id] == seat:  # R4.4
                return False
            if len(position["seats"]) < map.rules.twins_from:  # R4.5
                return False
    return True


def is_twin(route: Route, other: Route) -> bool:
    return route.id != other.id and {route.a, route.b} == {other.a, other.b}


def own_stations(position: Position, seat: int) -> int:
    return sum(owner == seat for owner in position["stations"].values())


def builds(map: Map, position: Position, seat: int, action: BuildStation) -> bool:
    built = own_stations(position, seat)
    if built == map.rules.stations or action.city in position["stations"]:  # R6.1, R6.3
        return False
    payment = action.payment
    return payment.cards + payment.wilds == built + 1 and holds(position, seat, payment)  # R6.2
