"""The printed map as flat tables of small ints, and the numbering of all actions on it. Built once, never changed."""

from typing import Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from branchline.engine.ruleset import Ruleset

ACTIONS_VERSION: Final = 1
"""Changes when the numbering of actions does; bots and environments that store indices store this too."""

NONE: Final[i64] = -1
NOBODY: Final[i64] = -1
EMPTY: Final[i64] = -1
"""A gap in the row."""
GREY: Final[i64] = -1
"""The colour of a route that takes any one colour."""

TRACK: Final[i64] = 0
TUNNEL: Final[i64] = 1
FERRY: Final[i64] = 2

DRAW_DECK: Final[i64] = 0
DRAW_ROW: Final[i64] = 1
DRAW_TICKETS: Final[i64] = 2
KEEP: Final[i64] = 3
TAKE_BACK: Final[i64] = 4
PAY: Final[i64] = 5
CLAIM: Final[i64] = 6
BUILD: Final[i64] = 7
PASS: Final[i64] = 8


def to_vec(numbers: list[int]) -> vec[i64]:
    """The same numbers as a `vec`."""
    out = vec[i64](capacity=len(numbers))
    for n in numbers:
        out = append(out, n)
    return out


ZEROS: Final = to_vec([0] * 512)
NONES: Final = to_vec([-1] * 512)


def zeros(n: i64) -> vec[i64]:
    """So many noughts."""
    # A slice of a ready table costs a fraction of appending; playouts make a dozen a game.
    return ZEROS[:n] if n <= 512 else filled(n, 0)


def filled(n: i64, value: i64) -> vec[i64]:
    """So many times `value`."""
    if value == NONE and n <= 512:
        return NONES[:n]
    out = vec[i64](capacity=n)
    i: i64 = 0
    while i < n:
        out = append(out, value)
        i += 1
    return out


def changed(table: vec[i64], at: i64, value: i64) -> vec[i64]:
    """A new table with one entry changed: copies may share the old one."""
    new = table[:]
    new[at] = value
    return new


def grown(table: vec[i64], value: i64) -> vec[i64]:
    """A new table with one entry more: appending would write behind the end of one that copies share."""
    return append(extend(vec[i64](capacity=len(table) + 1), table), value)


class Board:
    """One map and its ruleset. Cities, routes, tickets and colours are numbered from 0; the wild is the last colour."""

    def __init__(
        self,
        rules: Ruleset,
        cards: list[int],
        attractions: list[int],
        routes: list[tuple[int, int, int, int, int, int]],
        tickets: list[tuple[int, int, int, int]],
        points: dict[int, int],
    ) -> None:
        """Take the tables of a checked map.

        `cards` counts each colour, the wild last; `attractions` has a 0 or 1 for each city; a route is (a, b, length,
        colour or GREY, kind, wilds); a ticket is (a, b, points, long); `points` maps a length to its points.
        """
        self.rules = rules
        self.source = (cards, attractions, routes, tickets, points)
        self.cards = to_vec(cards)
        self.kinds: i64 = len(cards)
        """Kinds of cards, the wild among them."""
        self.wild: i64 = self.kinds - 1
        self.cities: i64 = len(attractions)
        self.attraction = to_vec(attractions)
        self.routes: i64 = len(routes)
        self.route_a = to_vec([route[0] for route in routes])
        self.route_b = to_vec([route[1] for route in routes])
        self.length = to_vec([route[2] for route in routes])
        self.colour = to_vec([route[3] for route in routes])
        self.kind = to_vec([route[4] for route in routes])
        self.wilds = to_vec([route[5] for route in routes])
        self.points = to_vec([points[route[2]] for route in routes])
        self.longest: i64 = max([route[2] for route in routes], default=0)
        """The length of the longest route."""
        self.most_wilds: i64 = max([route[5] for route in routes], default=0)
        """The most wilds that a route wants (R4.7)."""
        self.colour_prices: i64 = (self.most_wilds + 1) * (self.longest + 1)
        """How many prices there are of each colour."""
        self.twin = _twins(routes)
        self.tickets: i64 = len(tickets)
        self.ticket_a = to_vec([ticket[0] for ticket in tickets])
        self.ticket_b = to_vec([ticket[1] for ticket in tickets])
        self.ticket_points = to_vec([ticket[2] for ticket in tickets])
        self.ticket_long = to_vec([ticket[3] for ticket in tickets])

        # Every field has a value before the first method is called: mypyc then trusts it to be there, and reading one
        # of these tables neither asks nor counts a reference.
        self.near_start = vec[i64]()
        """Where the routes that end in each city begin in `near_route`."""
        self.near_route = vec[i64]()
        self.near_city = vec[i64]()
        """The city at the other end of each of them."""
        self.each_city = to_vec(list(range(len(attractions))))
        """Every city in its own place: where nothing is joined yet."""
        self.class_length = vec[i64]()
        self.class_wilds = vec[i64]()
        self.class_start = vec[i64]()
        self.class_route = vec[i64]()
        self.colour_classes = vec[i64]()
        """Where the classes of each colour begin: grey, then the colours; by the wilds they want, then by length."""
        self.classes: i64 = 0
        self.price = zeros(self.routes)
        """The number of what each route costs: see `price_at`."""
        self.priced = vec[i64]()
        """How many routes there are of each price or of one that differs only in being shorter."""

        self.opening: i64 = rules.opening_long + rules.opening_tickets
        """Tickets offered to each seat in the opening."""
        self.deck_at: i64 = 0
        self.row_at: i64 = self.deck_at + 1
        self.tickets_at: i64 = self.row_at + rules.row
        self.keep_at: i64 = self.tickets_at + 1
        largest = max(self.opening, rules.ticket_draw)
        one: i64 = 1
        self.take_back_at: i64 = self.keep_at + (one << largest) - 1
        self.pay_at: i64 = self.take_back_at + 1
        self.claim_at: i64 = self.pay_at + rules.tunnel_cards + 1
        self.route_at = vec[i64]()
        """Where the payments for each route begin."""
        self.build_at: i64 = 0
        self.builds: i64 = self.wild * rules.stations + 1
        """Payments for a station in each city: by colour and number of wilds, then wilds alone."""
        self.pass_at: i64 = 0
        self.actions: i64 = 0
        """How many action indices there are."""
        self.action_kind = vec[i64]()
        self.action_what = vec[i64]()
        """The slot, subset, route or city that an action names."""
        self.action_colour = vec[i64]()
        """The colour a payment is made in; the wild where it has no coloured card."""
        self.action_wilds = vec[i64]()
        """How many wilds a payment is made with; 0 where it is wilds alone and the price decides."""

        self._find_neighbours()
        self._group_routes()
        self._price_routes()
        self._number_actions()

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Board, (self.rules, *self.source)

    def keep_index(self, mask: i64) -> i64:
        """The index of keeping a subset of the offer, a bit for each ticket."""
        return self.keep_at + mask - 1

    def pay_index(self, wilds: i64) -> i64:
        """The index of paying what a tunnel owes with so many wilds."""
        return self.pay_at + wilds

    def claim_index(self, route: i64, colour: i64, wilds: i64) -> i64:
        """The index of claiming `route` with so many wilds and the rest in `colour`; in the wild, with wilds alone.

        Payments in one colour follow each other by their wilds.
        """
        least = self.wilds[route]
        ways = self.length[route] - least
        at = self.route_at[route]
        if colour == self.wild:
            return at + (ways * self.wild if self.colour[route] == GREY else ways)
        if self.colour[route] == GREY:
            at += colour * ways
        return at + wilds - least

    def station_payment(self, colour: i64, wilds: i64) -> i64:
        """The number of a payment for a station, the same in every city."""
        return self.builds - 1 if colour == self.wild else colour * self.rules.stations + wilds

    def build_index(self, city: i64, payment: i64) -> i64:
        """The index of building in `city` with a payment of that number."""
        return self.build_at + city * self.builds + payment

    def _find_neighbours(self) -> None:
        city: i64 = 0
        while city < self.cities:
            self.near_start = append(self.near_start, len(self.near_route))
            route: i64 = 0
            while route < self.routes:
                if self.route_a[route] == city or self.route_b[route] == city:
                    self.near_route = append(self.near_route, route)
                    self.near_city = append(self.near_city, self.route_a[route] + self.route_b[route] - city)
                route += 1
            city += 1
        self.near_start = append(self.near_start, len(self.near_route))

    def _group_routes(self) -> None:
        """Gather routes that cost the same into classes: a random action counts them without listing them."""
        members: dict[tuple[int, int, int], list[int]] = {}
        for route in range(self.routes):
            key = (int(self.colour[route]), int(self.wilds[route]), int(self.length[route]))
            members.setdefault(key, []).append(route)
        for colour in range(-1, int(self.wild)):
            self.colour_classes = append(self.colour_classes, len(self.class_length))
            for key in sorted(members):
                if key[0] == colour:
                    self.class_length = append(self.class_length, key[2])
                    self.class_wilds = append(self.class_wilds, key[1])
                    self.class_start = append(self.class_start, len(self.class_route))
                    for route in members[key]:
                        self.class_route = append(self.class_route, route)
        self.colour_classes = append(self.colour_classes, len(self.class_length))
        self.class_start = append(self.class_start, len(self.class_route))
        self.classes = len(self.class_length)

    def price_at(self, colour: i64, wilds: i64) -> i64:
        """Where the prices of routes of a colour that want so many wilds begin; the length is added."""
        return ((colour + 1) * (self.most_wilds + 1) + wilds) * (self.longest + 1)

    def _price_routes(self) -> None:
        """Number prices by colour (grey first), wilds wanted and length: what one payment suits stands together."""
        self.priced = zeros(self.price_at(self.wild, 0))
        route: i64 = 0
        while route < self.routes:
            first = self.price_at(self.colour[route], self.wilds[route])
            price = first + self.length[route]
            self.price[route] = price
            while price <= first + self.longest:
                self.priced[price] += 1
                price += 1
            route += 1

    def _payments(self, route: i64) -> i64:
        choices = self.length[route] - self.wilds[route]
        if self.colour[route] == GREY:
            return self.wild * choices + 1
        return choices + 1

    def _number(self, at: i64, kind: i64, what: i64, colour: i64, wilds: i64) -> None:
        self.action_kind[at] = kind
        self.action_what[at] = what
        self.action_colour[at] = colour
        self.action_wilds[at] = wilds

    def _number_actions(self) -> None:
        at = self.claim_at
        route: i64 = 0
        while route < self.routes:
            self.route_at = append(self.route_at, at)
            at += self._payments(route)
            route += 1
        self.build_at = at
        self.pass_at = at
        if self.rules.stations:
            self.pass_at += self.builds * self.cities
        self.actions = self.pass_at + 1
        self.action_kind = filled(self.actions, NONE)
        self.action_what = filled(self.actions, NONE)
        self.action_colour = filled(self.actions, NONE)
        self.action_wilds = zeros(self.actions)
        self._number(self.deck_at, DRAW_DECK, NONE, NONE, 0)
        slot: i64 = 0
        while slot < self.rules.row:
            self._number(self.row_at + slot, DRAW_ROW, slot, NONE, 0)
            slot += 1
        self._number(self.tickets_at, DRAW_TICKETS, NONE, NONE, 0)
        mask: i64 = 1
        while self.keep_index(mask) < self.take_back_at:
            self._number(self.keep_index(mask), KEEP, mask, NONE, 0)
            mask += 1
        self._number(self.take_back_at, TAKE_BACK, NONE, NONE, 0)
        wilds: i64 = 0
        while wilds <= self.rules.tunnel_cards:
            self._number(self.pay_index(wilds), PAY, NONE, NONE, wilds)
            wilds += 1
        route = 0
        while route < self.routes:
            self._number_claims(route)
            route += 1
        if self.rules.stations:
            city: i64 = 0
            while city < self.cities:
                self._number_builds(city)
                city += 1
        self._number(self.pass_at, PASS, NONE, NONE, 0)

    def _number_claims(self, route: i64) -> None:
        length = self.length[route]
        colour: i64 = 0
        while colour < self.wild:
            if self.colour[route] == GREY or self.colour[route] == colour:
                wilds = self.wilds[route]
                while wilds < length:
                    self._number(self.claim_index(route, colour, wilds), CLAIM, route, colour, wilds)
                    wilds += 1
            colour += 1
        self._number(self.claim_index(route, self.wild, length), CLAIM, route, self.wild, length)

    def _number_builds(self, city: i64) -> None:
        colour: i64 = 0
        while colour < self.wild:
            wilds: i64 = 0
            while wilds < self.rules.stations:
                index = self.build_index(city, self.station_payment(colour, wilds))
                self._number(index, BUILD, city, colour, wilds)
                wilds += 1
            colour += 1
        self._number(self.build_index(city, self.station_payment(self.wild, 0)), BUILD, city, self.wild, 0)


def _twins(routes: list[tuple[int, int, int, int, int, int]]) -> vec[i64]:
    """The other half of each double route: the other route between the same two cities (R4.4, R4.6)."""
    first: dict[tuple[int, int], int] = {}
    twins = [-1] * len(routes)
    for number, route in enumerate(routes):
        pair = (min(route[0], route[1]), max(route[0], route[1]))
        if pair in first:
            twins[number] = first[pair]
            twins[first[pair]] = number
        else:
            first[pair] = number
    return to_vec(twins)
