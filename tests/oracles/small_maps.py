"""Small valid maps for Hypothesis: every switch of the ruleset, few cards, so that decks run out and rows reset."""

from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from branchline import Map, load_map

COLOURS = ("red", "blue", "green")


def name(text: str) -> dict[str, str]:
    return dict.fromkeys(("en", "zh-Hant", "zh-Hans"), text)


def map_data(
    ruleset: dict[str, Any],
    cards: dict[str, int],
    routes: list[tuple[str, str, int, str, str, int]],
    tickets: list[tuple[str, str, int, bool]],
    attractions: tuple[str, ...] = (),
) -> dict[str, Any]:
    """The data of a map; a route is (a, b, length, colour, kind, wilds), a ticket (a, b, points, long)."""
    cities = sorted({city for route in routes for city in route[:2]})
    fields = ("a", "b", "length", "colour", "kind", "wilds")
    return {
        "format": "branchline-map-1",
        "id": "small",
        "name": name("Small"),
        "size": {"width": 100, "height": 100},
        "ruleset": ruleset,
        "cards": cards,
        "points": {str(length): length * (length + 1) // 2 for length in range(1, 9)},
        "cities": [{"id": id, "name": name(id), "x": 0, "y": 0, "attraction": id in attractions} for id in cities],
        "routes": [
            {"id": f"{route[0]}-{route[1]}-{n}", **dict(zip(fields, route, strict=True))}
            for n, route in enumerate(routes)
        ],
        "tickets": [{"a": a, "b": b, "points": points, "long": long} for a, b, points, long in tickets],
    }


@st.composite
def small_maps(draw: st.DrawFn) -> Map:
    """A map of three to six cities that check-map has no fault to find with."""

    def number(least: int, most: int) -> int:
        return draw(st.integers(least, most))

    cities = [f"c{n}" for n in range(number(3, 6))]
    pairs = draw(st.permutations(list(combinations(cities, 2))))
    seats_max = number(2, min(5, len(pairs)))
    colours = COLOURS[: number(1, 3)]
    cards = {colour: number(1, 7) for colour in colours} | {"wild": number(0, 5)}
    row, opening_cards = number(1, 5), number(0, 3)
    cards[colours[0]] += max(0, seats_max * opening_cards + row - sum(cards.values()))
    tunnel_cards = number(0, 3)

    def a_route(a: str, b: str) -> tuple[str, str, int, str, str, int]:
        kind = draw(st.sampled_from(["track", "track", "tunnel" if tunnel_cards else "track", "ferry"]))
        colour = draw(st.sampled_from(["grey", *colours]))
        if kind == "ferry" and cards["wild"]:
            length = number(1, 4)
            wilds = number(1, min(length, cards["wild"]))
            most = max(cards[c] for c in colours) + cards["wild"]
            return a, b, max(wilds, min(length, most)), "grey", kind, wilds
        held = cards[colour] if colour != "grey" else max(cards[c] for c in colours)
        return a, b, min(number(1, 4), held + cards["wild"]), colour, "track" if kind == "ferry" else kind, 0

    ends = [(cities[number(0, n - 1)], cities[n]) for n in range(1, len(cities))]
    ends += [pair for pair in pairs if pair not in ends][: number(0, 4)]
    routes = [a_route(a, b) for a, b in ends]
    for twin in routes[: number(0, 2)]:
        a, b, length, colour, kind, _ = twin
        if kind == "track":
            routes.append((b, a, length, colour if cards.get(colour, 9) >= length else "grey", "track", 0))

    longest = max(route[2] for route in routes)
    cars = number(max(longest, 3), 12)
    opening_long = number(0, min(2, len(pairs) // seats_max - 1)) if len(pairs) >= 2 * seats_max else 0
    most = (len(pairs) - opening_long * seats_max) // seats_max
    opening_tickets = number(0 if opening_long else 1, min(3, most))
    long = opening_long * seats_max + (
        number(0, 1) if opening_tickets * seats_max + opening_long * seats_max < len(pairs) else 0
    )
    long = long if opening_long else 0
    short = number(opening_tickets * seats_max, len(pairs) - long)
    tickets = [(a, b, number(1, 9), n < long) for n, (a, b) in enumerate(pairs[: max(1, long + short)])]
    ticket_draw = number(1, 3)
    ruleset = {
        "seats_min": 2,
        "seats_max": seats_max,
        "cars": cars,
        "stations": number(0, 4),
        "opening_cards": opening_cards,
        "row": row,
        "row_wilds": number(1, row + 1),
        "row_resets": draw(st.sampled_from([0, 1, 2, 50])),
        "opening_long": opening_long,
        "opening_tickets": opening_tickets,
        "opening_keep": number(1, opening_long + opening_tickets),
        "opening_under": draw(st.booleans()),
        "ticket_draw": ticket_draw,
        "ticket_keep": number(1, ticket_draw),
        "twins_from": number(1, 6),
        "tunnel_cards": tunnel_cards,
        "last_cars": number(0, 2),
        "station_points": number(0, 4),
        "trail_points": draw(st.sampled_from([0, 1, 10])),
        "attraction_points": number(0, 1),
    }
    return load_map(map_data(ruleset, cards, routes, tickets, tuple(cities[: number(0, 3)])))
