"""What a person may choose from: numbered lines, each an action or a further question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from branchline import explain
from branchline.actions import (
    Action,
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    Pass,
    Payment,
    PayTunnel,
    TakeBack,
)
from branchline.cli.sheet import route_words
from branchline.cli.words import likely, paid, some
from branchline.codec import to_line
from branchline.maps import Route
from branchline.views import View

MANY = 8
"""More claims than this get a menu of their own."""


@dataclass(frozen=True, slots=True)
class Item:
    """A numbered line."""

    cells: tuple[str, ...]
    """What it says."""
    action: Action | None = None
    """What it does, if it does something at once."""
    further: "Callable[[], Menu] | None" = None
    """What it asks next, if it does not."""


@dataclass(frozen=True, slots=True)
class Menu:
    """A question and its numbered answers."""

    question: str
    items: Sequence[Item]


def menu_for(view: View) -> Menu:
    """Everything this seat may do now but choose tickets, grouped."""
    choices = view.choices
    items: list[Item] = []
    if choices.deck:
        items.append(_at_once("draw from the deck", DrawCard()))
    items += [_at_once(f"take {view.row[slot]}", DrawCard(slot)) for slot in choices.row]
    if choices.tickets:
        number = min(view.map.rules.ticket_draw, view.ticket_deck)
        items.append(_at_once(f"draw {some(number, 'ticket')}", DrawTickets()))
    items += [_at_once(f"pay {paid(payment)} more", PayTunnel(payment)) for payment in choices.pay]
    if choices.take_back:
        items.append(_at_once("take the payment back", TakeBack()))
    items += _claims(view)
    if choices.cities:
        price = choices.station[0].cards + choices.station[0].wilds
        items.append(Item((f"build a station for {some(price, 'card')}", "build …"), further=partial(_cities, view)))
    if choices.passing:
        items.append(_at_once("pass", Pass()))
    return Menu(_question(view), items)


def _question(view: View) -> str:
    if view.tunnel is not None:
        turned = ", ".join(view.tunnel.turned)
        return f"The tunnel {view.tunnel.route} turned up {turned}: {some(view.tunnel.owed, 'card')} more?"
    return "Your second card?" if view.stage == "second-draw" else "Your turn?"


def _at_once(text: str, action: Action) -> Item:
    return Item((text, to_line(action)), action)


def _claims(view: View) -> list[Item]:
    """The routes on the way of an own ticket, then the others; those in a menu of their own where they are many."""
    routes = {route.id: route for route in view.map.routes}
    claims = [(routes[route], payments) for route, payments in view.choices.claims.items()]
    useful = _useful(view)
    wanted = [_claim(view, route, payments, " on your way") for route, payments in claims if route.id in useful]
    others = [_claim(view, route, payments) for route, payments in claims if route.id not in useful]
    if len(others) <= MANY:
        return wanted + others
    other = "another" if wanted else "a"
    menu = Menu("Which route do you claim?", others)
    return [*wanted, Item((f"claim {other} route", f"{len(others)} you can pay for …"), further=lambda: menu)]


def _useful(view: View) -> set[str]:
    """Routes on the shortest ways of the own tickets."""
    ways = [explain.shortest_way(view, ticket) for ticket in (view.own.tickets if view.own is not None else ())]
    return {route for way in ways if way is not None for route in way.claim}


def _claim(view: View, route: Route, payments: Sequence[Payment], note: str = "") -> Item:
    points = some(view.map.points[route.length], "point") + note
    text = f"claim {route.id}"
    if len(payments) == 1 and route.kind != "tunnel":
        return Item((text, f"{paid(payments[0])}, {points}"), ClaimRoute(route.id, payments[0]))
    cheapest = f"{paid(payments[0])} …" if len(payments) > 1 else paid(payments[0])
    return Item(
        (text, f"{cheapest}, {points} ({route_words(route)})"), further=partial(_payments, view, route, payments)
    )


def _payments(view: View, route: Route, payments: Sequence[Payment]) -> Menu:
    items = []
    for payment in payments:
        odds = likely(explain.tunnel_odds(view, route.id, payment)) if route.kind == "tunnel" else ""
        items.append(Item((paid(payment), odds), ClaimRoute(route.id, payment)))
    return Menu(f"With which cards do you claim {route.id}?", items)


def _cities(view: View) -> Menu:
    items = []
    for city in view.choices.cities:
        route = explain.borrowed(view, city)[city]
        use = f"would borrow {route} now" if route is not None else ""
        items.append(Item((city, use), further=partial(_station, view, city)))
    return Menu("In which city?", items)


def _station(view: View, city: str) -> Menu:
    items = [Item((paid(payment),), BuildStation(city, payment)) for payment in view.choices.station]
    return Menu(f"With which cards do you build in {city}?", items)
