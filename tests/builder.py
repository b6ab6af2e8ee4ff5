"""Positions that read like the board looks: `europe.seats(3).hand(0, red=4, wild=2).owns(1, "paris-zurich")`.

A position is a value: each call gives a new one. Cards are conserved: what is not named lies in the deck, or where the
deck is named too, in the hand of the last seat. Actions and events are written in the one-line notation.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import pytest

from branchline import Game, IllegalAction, Map, load_map
from branchline.codec import action_from_line, payment_to_words, to_line
from branchline.events import Event
from tests.maps.islands import islands

WILD = "wild"


@dataclass(frozen=True)
class Position:
    """A board as one would lay it out, with seat 0 of two to begin a turn unless told otherwise."""

    map: Map
    _source: str | dict[str, Any] = field(repr=False)
    _seats: int = 2
    _stage: str = "turn"
    _on_turn: int = 0
    _turn: int = 1
    _passes: int = 0
    _last_turns: int | None = None
    _seed: int = 0
    _hands: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    _row: tuple[str | None, ...] | None = None
    _top: tuple[str, ...] = ()
    _deck: tuple[str, ...] | None = None
    _rest: int | None = None
    _discards: Mapping[str, int] = field(default_factory=dict)
    _cars: Mapping[int, int] = field(default_factory=dict)
    _owners: Mapping[str, int] = field(default_factory=dict)
    _stations: Mapping[str, int] = field(default_factory=dict)
    _tickets: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    _offers: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    _ticket_deck: tuple[str, ...] | None = None

    @classmethod
    def on(cls, source: str | dict[str, Any]) -> "Position":
        """An empty board of a map: its id, or its data."""
        return cls(load_map(source), source)

    def seats(self, seats: int) -> "Position":
        return replace(self, _seats=seats)

    def hand(self, seat: int, **cards: int) -> "Position":
        """The whole hand of a seat."""
        return replace(self, _hands={**self._hands, seat: cards})

    def row(self, cards: str) -> "Position":
        """The face-up cards from left to right, `-` for a gap: `"red wild - blue red"`."""
        return replace(self, _row=tuple(None if card == "-" else card for card in cards.split()))

    def top(self, cards: str) -> "Position":
        """The first cards of the deck, the top one first; the rest of the cards lie below."""
        return replace(self, _top=tuple(cards.split()))

    def deck(self, cards: str = "", rest: int | None = None) -> "Position":
        """The whole deck, the top card first; all cards not named go into the hand of seat `rest`, or the last."""
        return replace(self, _deck=tuple(cards.split()), _rest=rest)

    def discards(self, **cards: int) -> "Position":
        return replace(self, _discards=cards)

    def cars(self, seat: int, cars: int) -> "Position":
        return replace(self, _cars={**self._cars, seat: cars})

    def owns(self, seat: int, *routes: str) -> "Position":
        """Give a seat further routes; its cars are laid on them unless `cars` says otherwise."""
        return replace(self, _owners={**self._owners, **dict.fromkeys(routes, seat)})

    def station(self, seat: int, *cities: str) -> "Position":
        """Give a seat further stations."""
        return replace(self, _stations={**self._stations, **dict.fromkeys(cities, seat)})

    def tickets(self, seat: int, *tickets: str) -> "Position":
        """The tickets that a seat has kept."""
        return replace(self, _tickets={**self._tickets, seat: tickets})

    def offer(self, seat: int, *tickets: str) -> "Position":
        """The tickets that a seat has to choose from; fewer than are drawn are the last."""
        offers = {**self._offers, seat: tickets}
        if self._stage == "opening":
            return replace(self, _offers=offers)
        deck = () if len(tickets) < self.map.rules.ticket_draw else self._ticket_deck
        return replace(self, _offers=offers, _stage="ticket-offer", _ticket_deck=deck)

    def ticket_deck(self, *tickets: str) -> "Position":
        """The whole ticket deck, the top one first; tickets that are nowhere have left the game."""
        return replace(self, _ticket_deck=tickets)

    def opening(self) -> "Position":
        """Before the first turn; tickets are offered in the order of the map."""
        return replace(self, _stage="opening", _turn=0)

    def second_draw(self) -> "Position":
        return replace(self, _stage="second-draw")

    def over(self) -> "Position":
        """After the last turn."""
        return replace(self, _stage="over", _last_turns=0)

    def on_turn(self, seat: int) -> "Position":
        return replace(self, _on_turn=seat)

    def last_turns(self, turns: int) -> "Position":
        return replace(self, _last_turns=turns)

    def passes(self, passes: int) -> "Position":
        return replace(self, _passes=passes)

    def seed(self, seed: int) -> "Position":
        """Which reshuffles will come."""
        return replace(self, _seed=seed)

    def ruleset(self, **changes: int | bool) -> "Position":
        """The same board with other numbers in its ruleset."""
        data = self.map.to_dict()
        data["ruleset"] |= changes
        return replace(self, map=load_map(data), _source=data)

    def no_route_left(self) -> "Position":
        """Nobody can claim a route: each seat has one car, and those of one space have owners, the seats by turns."""
        owners: dict[str, int] = {}
        pairs: dict[frozenset[str], int] = {}
        for n, route in enumerate(self.map.routes):
            pair = frozenset((route.a, route.b))
            if route.length == 1 and (pair not in pairs or self._seats >= self.map.rules.twins_from):
                owners[route.id] = pairs[pair] = (pairs.get(pair, n) + 1) % self._seats
        # With one car left the last round would have begun.
        return replace(self.ruleset(last_cars=0), _owners=owners, _cars=dict.fromkeys(range(self._seats), 1))

    def stuck(self) -> "Position":
        """Nobody can do anything: no card to draw, no ticket, no route, no station."""
        stations = iter(city.id for city in self.map.cities)
        built = {next(stations): seat for seat in range(self._seats) for _ in range(self.map.rules.stations)}
        return replace(self.no_route_left().row("- - - - -").deck().ticket_deck(), _stations=built)

    def game(self) -> Game:
        """The game in this position."""
        return Game.from_dict(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        left = self._unnamed()
        row, hands = self._laid_row(left), {seat: dict(hand) for seat, hand in self._hands.items()}
        if self._deck is None:
            deck = [*_spread(left, self.map), *reversed(self._top)]
        else:
            deck = list(reversed(self._deck))
            rest = self._seats - 1 if self._rest is None else self._rest
            hands[rest] = dict(Counter(hands.get(rest, {})) + left)
        offers = self._dealt_offers() if self._stage == "opening" else self._offers
        return {
            "format": "branchline-position-1",
            "map": self._source,
            "shuffles": {"key": "", "fast": self._seed, "done": 0},
            "stage": self._stage,
            "first": 0,
            "on_turn": self._on_turn,
            "turn": self._turn,
            "passes": self._passes,
            "last_turns": self._last_turns,
            "deck": deck,
            "row": row,
            "discards": dict(self._discards),
            "owners": dict(self._owners),
            "stations": dict(self._stations),
            "ticket_deck": list(reversed(self._tickets_left(offers))),
            "seats": [
                {
                    "hand": hands.get(seat, {}),
                    "tickets": list(self._tickets.get(seat, ())),
                    "offer": list(offers.get(seat, ())),
                    **({"cars": self._cars[seat]} if seat in self._cars else {}),
                }
                for seat in range(self._seats)
            ],
        }

    def _unnamed(self) -> Counter[str]:
        """The cards that are neither in a hand nor named elsewhere."""
        left = Counter(self.map.cards)
        for hand in self._hands.values():
            left.subtract(hand)
        left.subtract(self._discards)
        left.subtract(card for card in self._row or () if card is not None)
        left.subtract(self._top if self._deck is None else self._deck)
        short = {colour: -count for colour, count in left.items() if count < 0}
        assert not short, f"the map has too few cards for this position: {short} more are named"
        return left

    def _laid_row(self, left: Counter[str]) -> list[str | None]:
        """The row as named; else one card of each colour there is, over and over, and no wild."""
        if self._row is not None:
            return list(self._row)
        coloured = Counter({colour: left[colour] for colour in self.map.colours})
        row = _spread(coloured, self.map)[: -self.map.rules.row - 1 : -1]
        left.subtract(row)
        return [*row, *[None] * (self.map.rules.row - len(row))]

    def _dealt_offers(self) -> Mapping[int, tuple[str, ...]]:
        rules = self.map.rules
        named = {ticket for tickets in self._offers.values() for ticket in tickets}
        free = [ticket for ticket in self.map.tickets if ticket.id not in named]
        long = iter([ticket.id for ticket in free if ticket.long])
        short = iter([ticket.id for ticket in free if not ticket.long])
        return {
            seat: self._offers.get(seat) or (*_take(long, rules.opening_long), *_take(short, rules.opening_tickets))
            for seat in range(self._seats)
        }

    def _tickets_left(self, offers: Mapping[int, tuple[str, ...]]) -> Sequence[str]:
        if self._ticket_deck is not None:
            return self._ticket_deck
        away = {ticket for tickets in [*self._tickets.values(), *offers.values()] for ticket in tickets}
        return [ticket.id for ticket in self.map.tickets if not ticket.long and ticket.id not in away]

    def claimable(self, seat: int) -> set[str]:
        """The routes that a seat could claim now."""
        return set(self.game().view(seat).choices.claims)

    def payments(self, seat: int, route: str) -> set[str]:
        """The payments with which a seat could claim a route now."""
        choices = self.game().view(seat).choices.claims.get(route, ())
        return {" ".join(payment_to_words(payment)) for payment in choices}

    def legal(self, seat: int = 0) -> list[str]:
        """What a seat may do now, a line each."""
        return legal(self.game(), seat)

    def scores(self) -> Any:
        """The count, as if the game ended here."""
        return self.game().scores()


def _take(tickets: Iterator[str], n: int) -> tuple[str, ...]:
    return tuple(next(tickets) for _ in range(n))


def _spread(left: Counter[str], map: Map) -> list[str]:
    """Cards with their colours spread, the bottom first; wilds lie deep."""
    rounds = max(left.values(), default=0)
    cards = [colour for n in range(rounds) for colour in (*map.colours, WILD) if left[colour] > n]
    return cards[::-1]


def lines(events: Sequence[Event]) -> list[str]:
    """Events, a line each."""
    return [to_line(event) for event in events]


def play(game: Game, seat: int, line: str) -> list[str]:
    """Do an action and tell what happened, a line each."""
    return lines(game.play(seat, action_from_line(line)))


def play_all(game: Game, *moves: tuple[int, str]) -> list[str]:
    """Do several actions."""
    return [line for seat, move in moves for line in play(game, seat, move)]


def legal(game: Game, seat: int = 0) -> list[str]:
    """What a seat may do now, a line each."""
    return [to_line(action) for action in game.legal_actions(seat)]


def kinds(game: Game, seat: int = 0) -> set[str]:
    """The kinds of actions that a seat may do now."""
    return {line.split()[0] for line in legal(game, seat)}


def refused(game: Game, seat: int, line: str) -> str:
    """Try an action that has to be refused whole: the rule that refuses it, and the reason."""
    before, log = game.to_dict(), game.log
    with pytest.raises(IllegalAction) as error:
        game.play(seat, action_from_line(line))
    assert (game.to_dict(), game.log) == (before, log), "a refused action has changed the game"
    return f"{error.value.rule} {error.value.reason}"


def hand(game: Game, seat: int) -> dict[str, int]:
    """The cards that a seat holds."""
    held: dict[str, int] = game.to_dict()["seats"][seat]["hand"]
    return held


def ticket_deck(game: Game) -> list[str]:
    """The ticket deck, the top one first."""
    return list(reversed(game.to_dict()["ticket_deck"]))


def deck(game: Game) -> list[str]:
    """The deck, the top card first."""
    return list(reversed(game.to_dict()["deck"]))


def every_card(game: Game) -> Counter[str]:
    """All cards that are anywhere in a game: what must never change (R1.4)."""
    data = game.to_dict()
    cards = Counter([*data["deck"], *(card for card in data["row"] if card)])
    for pile in (data["discards"], *(seat["hand"] for seat in data["seats"])):
        cards.update(pile)
    if data["tunnel"]:
        payment = data["tunnel"]["payment"]
        cards.update(data["tunnel"]["turned"])
        cards.update({payment["colour"] or WILD: payment["cards"], WILD: 0})
        cards[WILD] += payment["wilds"]
    return +cards


@cache
def _islands() -> dict[str, Any]:
    return islands()


def made_up(
    routes: str, tickets: str = "", *, points: Mapping[int, int] | None = None, attractions: str = "", **ruleset: Any
) -> Position:
    """A small map for four seats where the real ones can't show a case: `made_up("a-b 2, b-c 1", "a-c 4")`.

    A route is its cities, its length and, if not grey, its colour and kind; of double routes the second has a `+`.
    Behind the named ones lies a far shore, y0 to y4, with the tickets that a map must have for its opening.
    """
    routes += ", y0-y1 1, y1-y2 1, y2-y3 1, y3-y4 1"
    tickets = ", ".join([*filter(None, [tickets]), "y0-y1 1, y1-y2 1, y2-y3 1, y3-y4 1"])
    data = dict(_islands())
    data["ruleset"] = {
        **data["ruleset"], "seats_max": 4, "cars": 20, "stations": 3, "opening_cards": 0, "row": 5, "row_wilds": 3,
        "opening_long": 0, "opening_tickets": 1, "opening_keep": 1, "trail_points": 10, "attraction_points": 0,
        "tunnel_cards": 3, **ruleset,
    }  # fmt: skip
    data["cards"] = {"red": 12, "blue": 12, "green": 12, "wild": 8}
    data["routes"] = [_route(*route.split()) for route in routes.split(",")]
    worth = points or {1: 1, 2: 2, 3: 4, 4: 7}
    data["points"] = {str(length): n for length, n in worth.items()}
    goals = [ticket.split() for ticket in tickets.split(",")]
    data["tickets"] = [
        {"a": ends.split("-")[0], "b": ends.split("-")[1], "points": int(value)} for ends, value in goals
    ]
    cities = sorted({route[end] for route in data["routes"] for end in ("a", "b")})
    data["cities"] = [
        {"id": city, "name": {"en": city, "zh-Hant": city, "zh-Hans": city}, "x": 10 * n, "y": 10,
         "attraction": city in attractions.split()}
        for n, city in enumerate(cities)
    ]  # fmt: skip
    return Position.on(data)


def _route(ends: str, length: str, colour: str = "grey", kind: str = "track") -> dict[str, Any]:
    a, b = ends.rstrip("+").split("-")
    return {
        "id": ends.replace("+", "-2"), "a": a, "b": b, "length": int(length), "colour": colour, "kind": kind, "wilds": 0
    }  # fmt: skip
