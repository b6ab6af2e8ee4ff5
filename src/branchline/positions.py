"""A whole position, secrets included, as documented JSON, and back with every field checked."""

from collections.abc import Iterable, Mapping
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from branchline import laws, memory_laws
from branchline.codec import payment_to_json, shortened
from branchline.engine.memory import Memory
from branchline.engine.setup import empty
from branchline.engine.shuffle import Shuffler
from branchline.engine.stages import OPENING, STAGES, TICKET_OFFER, TUNNEL_OWED
from branchline.engine.state import State
from branchline.maps import BUNDLED, Map, load_map, map_from_data
from branchline.names import Names, names_of

FORMAT = "branchline-position-1"

LARGE = 1 << 31
"""Numbers stay below this: a game that ended would never count so far."""


def to_dict(map: Map, state: State, memory: Memory) -> dict[str, Any]:
    """Everything that is the case in a game."""
    names = names_of(map)
    kinds, opening = state.board.kinds, state.board.opening
    seats = range(state.seats)
    tunnel = None
    if state.stage == TUNNEL_OWED:
        payment = names.payment(state.laid_colour, state.board.length[state.route] - state.laid_wilds, state.laid_wilds)
        tunnel = {
            "route": names.routes[state.route],
            "payment": payment_to_json(payment),
            "owed": state.owed,
            "turned": [names.colours[card] for card in state.turned],
        }
    offers: list[list[str]] = [[] for _ in seats]
    if state.stage == OPENING:
        offers = [list(names.named(state.offer[s * opening : (s + 1) * opening])) for s in seats]
    else:
        offers[state.seat] = list(names.named(state.offer))
    return {
        "format": FORMAT,
        "map": map.id if map.id in BUNDLED and map == load_map(map.id) else map.to_dict(),
        "shuffles": {"key": state.shuffler.key.hex(), "fast": int(state.shuffler.fast), "done": state.shuffles},
        "stage": STAGES[state.stage],
        "first": state.first,
        "on_turn": state.seat,
        "turn": state.turn,
        "passes": state.passes,
        "last_turns": state.last if state.last >= 0 else None,
        "deck": [names.colours[card] for card in state.deck[: state.deck_left]],
        "row": [names.card(card) for card in state.row],
        "discards": names.counts(list(state.discards)),
        "owners": {names.routes[n]: owner for n, owner in enumerate(state.owner) if owner >= 0},
        "stations": {names.cities[n]: owner for n, owner in enumerate(state.station) if owner >= 0},
        "ticket_deck": list(names.named(state.ticket_deck)),
        "tunnel": tunnel,
        "seats": [
            {
                "hand": names.counts(list(state.hands[s * kinds : (s + 1) * kinds])),
                "cars": state.cars[s],
                "tickets": list(names.named(t for t, holder in enumerate(state.holder) if holder == s)),
                "offer": offers[s],
                "answer": state.answers[s] if state.stage == OPENING and state.answers[s] >= 0 else None,
            }
            for s in seats
        ],
        "memory": memory.numbers(),
    }


def from_dict(data: object, maps: Iterable[Map] = ()) -> tuple[Map, State, Memory | None]:
    """The position that data describes, on one of our maps, of `maps`, or its own; ValueError names a wrong field."""
    reader = _Reader(data, maps)
    state = reader.state()
    laws.check(state, reader.names)
    memory = reader.data.get("memory")
    return reader.map, state, None if memory is None else memory_laws.restore(state, memory)


class _Reader:
    """Reads a position field by field, each of its very type; what can be derived (points, stations left) is."""

    def __init__(self, data: object, maps: Iterable[Map]) -> None:
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise ValueError(f"format: expected {FORMAT!r}")
        self.data = data
        self.map = map_from_data(data.get("map"), maps)
        self.names: Names = names_of(self.map)
        self.seats = [_mapping("seats", own) for own in _list("seats", data.get("seats"))]
        self.tickets: set[int] = set()
        """The tickets met so far."""
        rules = self.map.rules
        if not rules.seats_min <= len(self.seats) <= rules.seats_max:
            raise ValueError(f"seats: {self.map.id} is for {rules.seats_min} to {rules.seats_max} (R1.1)")

    def state(self) -> State:
        data = self.data
        shuffles = _mapping("shuffles", data.get("shuffles", {"key": "", "fast": 0, "done": 0}))
        # The generator of simulations is seeded with up to 63 bits.
        fast = _number("shuffles.fast", shuffles.get("fast"), LARGE << 32)
        shuffler = Shuffler(_hex("shuffles.key", shuffles.get("key")), fast)
        state = empty(self.names.board, len(self.seats), shuffler)
        state.shuffles = _number("shuffles.done", shuffles.get("done"))
        state.stage = _one_of("stage", data.get("stage"), STAGES)
        state.first = self._seat("first", data.get("first", 0))
        state.seat = self._seat("on_turn", data.get("on_turn", state.first if state.stage == OPENING else 0))
        state.turn = _number("turn", data.get("turn", 1))
        state.passes = _number("passes", data.get("passes", 0))
        last = data.get("last_turns")
        state.last = -1 if last is None else _number("last_turns", last)
        self._read_pieces(state)
        self._read_cards(state)
        self._read_tickets(state)
        tunnel = data.get("tunnel")
        if (state.stage == TUNNEL_OWED) != (tunnel is not None):
            raise ValueError("tunnel: goes with the stage tunnel-owed, and only with it")
        if tunnel is not None:
            self._read_tunnel(state, _mapping("tunnel", tunnel))
        return state

    def _read_pieces(self, state: State) -> None:
        names, board = self.names, self.names.board
        for route, owner in _mapping("owners", self.data.get("owners", {})).items():
            n = _look_up(names.route, "owners", route)
            seat = self._seat("owners", owner)
            state.owner[n] = seat
            state.points[seat] += board.points[n]
            state.cars[seat] -= board.length[n]
        for city, owner in _mapping("stations", self.data.get("stations", {})).items():
            seat = self._seat("stations", owner)
            state.station[_look_up(names.city, "stations", city)] = seat
            state.stations[seat] -= 1
        for seat, own in enumerate(self.seats):
            if "cars" in own:
                state.cars[seat] = _number("seats.cars", own["cars"])
            elif state.cars[seat] < 0:
                raise ValueError(f"owners: the routes of seat {seat} take more cars than it has (R1.2)")

    def _read_cards(self, state: State) -> None:
        kinds = state.board.kinds
        state.deck = vec[i64](self._cards("deck", self.data.get("deck")))
        state.deck_left = len(state.deck)
        row = _list("row", self.data.get("row"))
        if len(row) != len(state.row):
            raise ValueError(f"row: has {len(state.row)} places")
        state.row = vec[i64]([-1 if card is None else self._card("row", card) for card in row])
        for colour, n in _mapping("discards", self.data.get("discards", {})).items():
            state.discards[self._card("discards", colour)] = _number("discards", n)
        for seat, own in enumerate(self.seats):
            for colour, n in _mapping("seats.hand", own.get("hand", {})).items():
                state.hands[seat * kinds + self._card("seats.hand", colour)] = _number("seats.hand", n)

    def _read_tickets(self, state: State) -> None:
        state.ticket_deck = vec[i64](self._some_tickets("ticket_deck", self.data.get("ticket_deck")))
        offer: list[int] = []
        for seat, own in enumerate(self.seats):
            held = self._some_tickets("seats.tickets", own.get("tickets", ()))
            for ticket in held:
                state.holder[ticket] = seat
            state.held[seat] = len(held)
            offered = self._some_tickets("seats.offer", own.get("offer", ()))
            open_to = state.stage == OPENING or (state.stage == TICKET_OFFER and seat == state.seat)
            if offered and not open_to:
                raise ValueError(f"seats.offer: nothing is offered to seat {seat} in this stage")
            offer += offered
            answer = own.get("answer")
            if answer is not None and state.stage != OPENING:
                raise ValueError("seats.answer: belongs to the opening (R2.5)")
            if answer is not None:
                state.answers[seat] = _number("seats.answer", answer)
            elif state.stage != OPENING:
                state.answers[seat] = 0
        state.offer = vec[i64](offer)

    def _read_tunnel(self, state: State, tunnel: Mapping[str, Any]) -> None:
        payment = _mapping("tunnel.payment", tunnel.get("payment"))
        colour = payment.get("colour")
        state.route = _look_up(self.names.route, "tunnel.route", tunnel.get("route"))
        state.laid_colour = self._card("tunnel.payment.colour", "wild" if colour is None else colour)
        state.laid_wilds = _number("tunnel.payment.wilds", payment.get("wilds"))
        state.owed = _number("tunnel.owed", tunnel.get("owed"))
        state.turned = vec[i64](self._cards("tunnel.turned", tunnel.get("turned")))
        cards = _number("tunnel.payment.cards", payment.get("cards"))
        if cards + state.laid_wilds != state.board.length[state.route] or (cards == 0) != (colour is None):
            raise ValueError(
                "tunnel.payment: as many cards as the tunnel has spaces, wilds alone without a colour (R4.8)"
            )

    def _card(self, field: str, colour: object) -> int:
        return _look_up(self.names.colour, field, colour)

    def _cards(self, field: str, colours: object) -> list[int]:
        return [self._card(field, colour) for colour in _list(field, colours)]

    def _some_tickets(self, field: str, ids: object) -> list[int]:
        tickets = []
        for id in _list(field, ids):
            ticket = _look_up(self.names.ticket, field, id)
            if ticket in self.tickets:
                raise ValueError(f"{field}: {id} is in two places")
            self.tickets.add(ticket)
            tickets.append(ticket)
        return tickets

    def _seat(self, field: str, value: object) -> int:
        number = _number(field, value)
        if number >= len(self.seats):
            raise ValueError(f"{field}: there is no seat {number}")
        return number


def _list(field: str, value: object) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{field}: expected a list")
    return list(value)


def _mapping(field: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{field}: expected an object")
    return value


def _one_of(field: str, value: object, words: tuple[str, ...]) -> int:
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{field}: one of {', '.join(words)}")
    return words.index(value)


def _look_up(table: dict[str, int], field: str, id: object) -> int:
    if not isinstance(id, str) or id not in table:
        raise ValueError(f"{field}: this map has no {shortened(id)}")
    return table[id]


def _number(field: str, value: object, below: int = LARGE) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < below:
        raise ValueError(f"{field}: expected a number from 0 on, not {shortened(value)}")
    return value


def _hex(field: str, value: object) -> bytes:
    try:
        return bytes.fromhex(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ValueError(f"{field}: expected bytes in hex") from None
