"""Whether a map makes sense: what a schema cannot say. Each rule names the sections it reads by its parameters."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from typing import Any

from branchline.engine.ruleset import Ruleset
from branchline.maps import build
from branchline.maps.fault import Problem
from branchline.maps.model import GREY, WILD, City, Route, Ticket

Cities = Sequence[City]
Routes = Sequence[Route]
Tickets = Sequence[Ticket]
Cards = Mapping[str, int]
Points = Mapping[int, int]

CITY_ROUTES = 16
"""Routes that may end in one city: stations choose among them, all stations together (R6.5)."""
SEAT_ROUTES = 40
"""Routes that the cars of one seat may suffice for: its longest trail is looked for among them (R7.2)."""
CARDS = 400
"""Cards in all: every pile is counted and shuffled."""


def problems(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Everything that makes no sense, as far as the well-shaped sections in `data` tell."""
    sections = {section: READERS[section](data[section]) for section in READERS if section in data}
    for rule in RULES:
        needs = signature(rule).parameters
        if sections.keys() >= needs.keys():
            yield from rule(**{section: sections[section] for section in needs})


READERS: dict[str, Callable[[Any], object]] = {
    "ruleset": lambda row: Ruleset(**row),
    "cards": dict,
    "points": build.points,
    "cities": lambda rows: [build.city(row) for row in rows],
    "routes": lambda rows: [build.route(row) for row in rows],
    "tickets": lambda rows: [build.ticket(row) for row in rows],
}


def _seats_in_order(ruleset: Ruleset) -> Iterator[Problem]:
    if ruleset.seats_max < ruleset.seats_min:
        yield ("ruleset", "seats_max"), f"is less than seats_min, {ruleset.seats_min}"


def _no_more_kept_than_dealt(ruleset: Ruleset) -> Iterator[Problem]:
    dealt = ruleset.opening_long + ruleset.opening_tickets
    if ruleset.opening_keep > dealt:
        yield ("ruleset", "opening_keep"), f"only {dealt} tickets are dealt in the opening"
    if ruleset.ticket_keep > ruleset.ticket_draw:
        yield ("ruleset", "ticket_keep"), f"only {ruleset.ticket_draw} tickets are drawn"


def _a_first_turn_before_the_last(ruleset: Ruleset) -> Iterator[Problem]:
    if ruleset.last_cars >= ruleset.cars:
        yield (
            ("ruleset", "last_cars"),
            f"a seat starts with only {ruleset.cars} cars: the first turn would end the game",
        )


def _known_colours(cards: Cards) -> Iterator[Problem]:
    if GREY in cards:
        yield ("cards", GREY), "grey is the colour of routes that take any one colour; no card has it"
    if list(cards) == [WILD]:
        yield ("cards",), "there is no colour beside the wild"
    elif [*cards][-1] != WILD:
        yield ("cards", WILD), "the wild must come last"
    for colour, count in cards.items():
        if colour != WILD and count == 0:
            yield ("cards", colour), "a colour without cards"


def _enough_cards(ruleset: Ruleset, cards: Cards) -> Iterator[Problem]:
    wanted = ruleset.seats_max * ruleset.opening_cards + ruleset.row
    if sum(cards.values()) < wanted:
        message = f"{sum(cards.values())} cards, but {ruleset.seats_max} hands and the row take {wanted}"
        yield ("cards",), message


def _enough_tickets(ruleset: Ruleset, tickets: Tickets) -> Iterator[Problem]:
    for long, dealt, word in ((True, ruleset.opening_long, "long"), (False, ruleset.opening_tickets, "ordinary")):
        there = sum(ticket.long is long for ticket in tickets)
        wanted = ruleset.seats_max * dealt
        if there < wanted:
            yield ("tickets",), f"{there} {word} tickets, but the opening deals {wanted} to {ruleset.seats_max} seats"


def _no_long_ticket_in_vain(ruleset: Ruleset, tickets: Tickets) -> Iterator[Problem]:
    for n, ticket in enumerate(tickets):
        if ticket.long and ruleset.opening_long == 0:
            yield ("tickets", n, "long"), f"{ticket.id} would never be dealt: opening_long is 0"


def _distinct_cities(cities: Cities) -> Iterator[Problem]:
    yield from _distinct("cities", [city.id for city in cities])


def _distinct_routes(routes: Routes) -> Iterator[Problem]:
    yield from _distinct("routes", [route.id for route in routes])


def _distinct_tickets(tickets: Tickets) -> Iterator[Problem]:
    # Two pairs of cities can read the same: st-john with s and st with john-s.
    yield from _distinct("tickets", [ticket.id for ticket in tickets])
    first: dict[frozenset[str], Ticket] = {}
    for n, ticket in enumerate(tickets):
        other = first.setdefault(frozenset((ticket.a, ticket.b)), ticket)
        if other.id != ticket.id:
            yield ("tickets", n), f"{ticket.id} joins the same cities as {other.id}"


def _distinct(section: str, ids: Sequence[str]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for n, id in enumerate(ids):
        if first.setdefault(id, n) != n:
            yield (section, n), f"{id} is already the id of {section}[{first[id]}]"


def _known_ends(cities: Cities, routes: Routes) -> Iterator[Problem]:
    yield from _ends("routes", cities, routes)


def _known_goals(cities: Cities, tickets: Tickets) -> Iterator[Problem]:
    yield from _ends("tickets", cities, tickets)


def _ends(section: str, cities: Cities, rows: Sequence[Route | Ticket]) -> Iterator[Problem]:
    known = {city.id for city in cities}
    for n, row in enumerate(rows):
        for end, city in (("a", row.a), ("b", row.b)):
            if city not in known:
                yield (section, n, end), f"there is no city {city}"


def _two_ends(routes: Routes) -> Iterator[Problem]:
    for n, route in enumerate(routes):
        if route.a == route.b:
            yield ("routes", n, "b"), f"{route.id} leads from {route.a} to itself"


def _two_goals(tickets: Tickets) -> Iterator[Problem]:
    for n, ticket in enumerate(tickets):
        if ticket.a == ticket.b:
            yield ("tickets", n, "b"), f"a ticket from {ticket.a} to itself"


def _twins(routes: Routes) -> Iterator[Problem]:
    first: dict[frozenset[str], list[Route]] = {}
    for n, route in enumerate(routes):
        between = first.setdefault(frozenset((route.a, route.b)), [])
        between.append(route)
        if len(between) > 2:
            yield ("routes", n), f"{route.id} is a third route between {route.a} and {route.b}"
        elif route.length != between[0].length:
            message = f"{route.length} spaces, but its twin {between[0].id} has {between[0].length}"
            yield ("routes", n, "length"), message


def _ferries(routes: Routes) -> Iterator[Problem]:
    for n, route in enumerate(routes):
        if route.kind != "ferry":
            if route.wilds:
                yield ("routes", n, "wilds"), f"only a ferry has wild symbols, and {route.id} is a {route.kind}"
            continue
        if route.colour != GREY:
            yield ("routes", n, "colour"), f"{route.id} is a ferry, and so must be grey"
        if route.wilds == 0:
            yield ("routes", n, "wilds"), f"{route.id} is a ferry, and so needs a wild symbol"
        if route.wilds > route.length:
            yield ("routes", n, "wilds"), f"{route.id} has {route.wilds} wild symbols on {route.length} spaces"


def _tunnels(ruleset: Ruleset, routes: Routes) -> Iterator[Problem]:
    for n, route in enumerate(routes):
        if route.kind == "tunnel" and ruleset.tunnel_cards == 0:
            yield ("routes", n, "kind"), f"{route.id} cannot be a tunnel: tunnel_cards is 0"


def _points_for_each_length(points: Points, routes: Routes) -> Iterator[Problem]:
    for n, route in enumerate(routes):
        if route.length not in points:
            yield ("routes", n, "length"), f"points names no points for length {route.length}"


def _cars_for_each_length(ruleset: Ruleset, routes: Routes) -> Iterator[Problem]:
    for n, route in enumerate(routes):
        if route.length > ruleset.cars:
            yield ("routes", n, "length"), f"{route.id} takes {route.length} cars, and a seat has {ruleset.cars}"


def _few_routes_in_each_city(routes: Routes) -> Iterator[Problem]:
    ends: Counter[str] = Counter()
    for n, route in enumerate(routes):
        for end, city in (("a", route.a), ("b", route.b)):
            ends[city] += 1
            if ends[city] == CITY_ROUTES + 1:
                yield ("routes", n, end), f"more than {CITY_ROUTES} routes end in {city}"


def _few_routes_for_each_seat(ruleset: Ruleset, routes: Routes) -> Iterator[Problem]:
    left = ruleset.cars
    # Of a double route a seat owns one half (R4.4).
    pairs = {frozenset((route.a, route.b)): route.length for route in routes}
    for n, length in enumerate(sorted(pairs.values())):
        left -= length
        if left >= 0 and n == SEAT_ROUTES:
            yield ("ruleset", "cars"), f"a seat could own more than {SEAT_ROUTES} routes with {ruleset.cars} cars"


def _few_cards(cards: Cards) -> Iterator[Problem]:
    if sum(cards.values()) > CARDS:
        yield ("cards",), f"{sum(cards.values())} cards, and {CARDS} are the most"


def _payable(cards: Cards, routes: Routes) -> Iterator[Problem]:
    colours = {colour: count for colour, count in cards.items() if colour not in (WILD, GREY)}
    for n, route in enumerate(routes):
        if route.colour != GREY and route.colour not in colours:
            yield ("routes", n, "colour"), f"there are no cards of colour {route.colour}"
            continue
        coloured = max(colours.values(), default=0) if route.colour == GREY else colours[route.colour]
        if route.wilds > cards[WILD]:
            yield ("routes", n, "wilds"), f"{route.id} wants {route.wilds} wilds, and there are {cards[WILD]}"
        elif coloured + cards[WILD] < route.length:
            message = f"{route.id} takes {route.length} cards, and at most {coloured + cards[WILD]} can pay for it"
            yield ("routes", n, "length"), message


def _reachable(cities: Cities, routes: Routes, tickets: Tickets) -> Iterator[Problem]:
    known = {city.id for city in cities}
    joined = {city: {city} for city in known}
    for route in routes:
        if {route.a, route.b} <= known and joined[route.a] is not joined[route.b]:
            both = joined[route.a] | joined[route.b]
            joined.update(dict.fromkeys(both, both))
    for n, ticket in enumerate(tickets):
        if {ticket.a, ticket.b} <= known and ticket.b not in joined[ticket.a]:
            yield ("tickets", n), f"no routes join {ticket.a} and {ticket.b}"


RULES: tuple[Callable[..., Iterator[Problem]], ...] = (
    _seats_in_order,
    _no_more_kept_than_dealt,
    _a_first_turn_before_the_last,
    _known_colours,
    _enough_cards,
    _enough_tickets,
    _no_long_ticket_in_vain,
    _distinct_cities,
    _distinct_routes,
    _distinct_tickets,
    _known_ends,
    _known_goals,
    _two_ends,
    _two_goals,
    _twins,
    _ferries,
    _tunnels,
    _points_for_each_length,
    _cars_for_each_length,
    _few_routes_in_each_city,
    _few_routes_for_each_seat,
    _few_cards,
    _payable,
    _reachable,
)
