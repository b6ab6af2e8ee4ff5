"""A whole position, secrets included, as documented JSON, and back with every field checked."""

from collections.abc import Mapping
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from branchline.codec import payment_to_json
from branchline.engine.legal import bits
from branchline.engine.memory import Memory, restore_memory
from branchline.engine.setup import empty
from branchline.engine.shuffle import Shuffler
from branchline.engine.stages import OPENING, STAGES, TICKET_OFFER, TUNNEL_OWED
from branchline.engine.state import State
from branchline.maps import BUNDLED, Map, load_map
from branchline.names import Names, names_of

FORMAT = "branchline-position-1"


def to_dict(map: Map, state: State, memory: Memory) -> dict[str, Any]:
    """Everything that is the case in a game."""
    names = names_of(map)
    kinds, opening = state.board.kinds, state.board.opening
    seats = range(state.seats)
    tunnel = None
    if state.stage == TUNNEL_OWED:
        payment = names.payment(state.laid_colour, state.board.length[state.route], state.laid_wilds)
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


def from_dict(data: object) -> tuple[Map, State, Memory | None]:
    """The position that data describes; ValueError names the field that is wrong."""
    reader = _Reader(data)
    state = reader.state()
    memory = reader.data.get("memory")
    if memory is None:
        return reader.map, state, None
    try:
        return reader.map, state, restore_memory(state.board, state.seats, memory)
    except (TypeError, IndexError, ValueError) as error:
        raise ValueError(f"memory: not what to_dict gave ({error})") from None


class _Reader:
    """Reads a position field by field; what can be derived (points, stations left) is."""

    def __init__(self, data: object) -> None:
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise ValueError(f"format: expected {FORMAT!r}")
        self.data = data
        try:
            self.map = load_map(data["map"])
        except KeyError:
            raise ValueError("map: is missing") from None
        self.names: Names = names_of(self.map)
        self.seats = self._list("seats")
        rules = self.map.rules
        if not rules.seats_min <= len(self.seats) <= rules.seats_max:
            raise ValueError(f"seats: {self.map.id} is for {rules.seats_min} to {rules.seats_max} (R1.1)")

    def state(self) -> State:
        names, board = self.names, self.names.board
        shuffles = self.data.get("shuffles", {"key": "", "fast": 0, "done": 0})
        try:
            shuffler = Shuffler(bytes.fromhex(shuffles["key"]), shuffles["fast"])
            done = int(shuffles["done"])
        except (KeyError, TypeError, ValueError):
            raise ValueError("shuffles: key (hex), fast and done") from None
        state = empty(board, len(self.seats), shuffler)
        state.shuffles = done
        state.stage = self._one_of("stage", STAGES)
        state.first = self._seat("first", self.data.get("first", 0))
        state.seat = self._seat("on_turn", self.data.get("on_turn", 0))
        state.turn = self._number("turn", self.data.get("turn", 1))
        state.passes = self._number("passes", self.data.get("passes", 0))
        last = self.data.get("last_turns")
        state.last = -1 if last is None else self._number("last_turns", last)
        self._read_pieces(state)
        self._read_cards(state)
        self._read_tickets(state)
        if (state.stage == TUNNEL_OWED) != (self.data.get("tunnel") is not None):
            raise ValueError("tunnel: goes with the stage tunnel-owed, and only with it")
        if state.stage == TUNNEL_OWED:
            self._read_tunnel(state)
        self._check_cards(state)
        if (state.turn == 0) != (state.stage == OPENING):
            raise ValueError("turn: 0 in the opening, and only there")
        for name in names.tickets:
            if self._mentions(name) > 1:
                raise ValueError(f"tickets: {name} is in two places")
        return state

    def _read_pieces(self, state: State) -> None:
        names, board = self.names, self.names.board
        for route, owner in self._mapping("owners").items():
            n = self._look_up(names.route, "owners", route)
            seat = self._seat("owners", owner)
            state.owner[n] = seat
            state.points[seat] += board.points[n]
            state.cars[seat] -= board.length[n]
            if board.twin[n] >= 0 and state.owner[board.twin[n]] == seat:
                raise ValueError(f"owners: {route}: one seat may not own both halves of a double route (R4.4)")
        for city, owner in self._mapping("stations").items():
            seat = self._seat("stations", owner)
            state.station[self._look_up(names.city, "stations", city)] = seat
            state.stations[seat] -= 1
        for seat, own in enumerate(self.seats):
            state.cars[seat] = self._number("seats.cars", own.get("cars", state.cars[seat]))
            if state.stations[seat] < 0:
                raise ValueError(f"stations: seat {seat} has more than {board.rules.stations} (R6.3)")

    def _read_cards(self, state: State) -> None:
        names = self.names
        kinds = state.board.kinds
        state.deck = vec[i64]([self._look_up(names.colour, "deck", card) for card in self._list("deck")])
        state.deck_left = len(state.deck)
        row = [-1 if card is None else self._look_up(names.colour, "row", card) for card in self._list("row")]
        if len(row) != len(state.row):
            raise ValueError(f"row: has {len(state.row)} places")
        state.row = vec[i64](row)
        for colour, n in self._mapping("discards").items():
            state.discards[self._look_up(names.colour, "discards", colour)] = self._number("discards", n)
        for seat, own in enumerate(self.seats):
            for colour, n in own.get("hand", {}).items():
                at = seat * kinds + self._look_up(names.colour, "seats.hand", colour)
                state.hands[at] = self._number("seats.hand", n)

    def _read_tickets(self, state: State) -> None:
        names = self.names
        deck = [self._look_up(names.ticket, "ticket_deck", ticket) for ticket in self._list("ticket_deck")]
        rules = state.board.rules
        if rules.opening_long and not rules.opening_under and any(state.board.ticket_long[ticket] for ticket in deck):
            raise ValueError("ticket_deck: long tickets are dealt in the opening and never in the deck (R2.2)")
        state.ticket_deck = vec[i64](deck)
        offer: list[int] = []
        for seat, own in enumerate(self.seats):
            for ticket in own.get("tickets", ()):
                state.holder[self._look_up(names.ticket, "seats.tickets", ticket)] = seat
            state.held[seat] = len(own.get("tickets", ()))
            offered = [self._look_up(names.ticket, "seats.offer", ticket) for ticket in own.get("offer", ())]
            open_to = state.stage == OPENING or (state.stage == TICKET_OFFER and seat == state.seat)
            if bool(offered) != open_to or (state.stage == OPENING and len(offered) != state.board.opening):
                raise ValueError(f"seats.offer: seat {seat} has {len(offered)} tickets on offer in this stage")
            offer += offered
            answer = own.get("answer")
            if answer is not None:
                state.answers[seat] = self._number("seats.answer", answer)
                if state.answers[seat] >> state.board.opening or not bits(state.answers[seat]):
                    raise ValueError("seats.answer: a subset of the opening offer, as a bit each")
            elif state.stage != OPENING:
                state.answers[seat] = 0
        state.offer = vec[i64](offer)

    def _read_tunnel(self, state: State) -> None:
        tunnel = self._mapping("tunnel")
        names = self.names
        try:
            payment = tunnel["payment"]
            state.route = self._look_up(names.route, "tunnel.route", tunnel["route"])
            colour = "wild" if payment["colour"] is None else payment["colour"]
            state.laid_colour = self._look_up(names.colour, "tunnel.payment.colour", colour)
            state.laid_wilds = self._number("tunnel.payment.wilds", payment["wilds"])
            state.owed = self._number("tunnel.owed", tunnel["owed"])
            turned = [self._look_up(names.colour, "tunnel.turned", card) for card in tunnel["turned"]]
        except (KeyError, TypeError):
            raise ValueError("tunnel: route, payment, owed and turned") from None
        if payment["cards"] + state.laid_wilds != state.board.length[state.route]:
            raise ValueError("tunnel.payment: as many cards as the tunnel has spaces (R4.8)")
        state.turned = vec[i64](turned)

    def _check_cards(self, state: State) -> None:
        """Every card of the map is somewhere, once (R1.4)."""
        kinds = state.board.kinds
        found = list(state.discards)
        for card in [*state.deck, *state.turned, *(card for card in state.row if card >= 0)]:
            found[card] += 1
        for at, n in enumerate(state.hands):
            found[at % kinds] += n
        if state.stage == TUNNEL_OWED:
            found[state.laid_colour] += state.board.length[state.route] - state.laid_wilds
            found[kinds - 1] += state.laid_wilds
        for colour, n in enumerate(state.board.cards):
            if found[colour] != n:
                name = self.names.colours[colour]
                raise ValueError(f"cards: {found[colour]} {name} in deck, row, discards and hands; the map has {n}")

    def _mentions(self, ticket: str) -> int:
        lists = [self.data["ticket_deck"], *(own.get("tickets", ()) for own in self.seats)]
        return sum(list(tickets).count(ticket) for tickets in [*lists, *(own.get("offer", ()) for own in self.seats)])

    def _list(self, field: str) -> list[Any]:
        value = self.data.get(field)
        if not isinstance(value, list | tuple):
            raise ValueError(f"{field}: expected a list")
        return list(value)

    def _mapping(self, field: str) -> Mapping[str, Any]:
        value = self.data.get(field, {})
        if not isinstance(value, Mapping):
            raise ValueError(f"{field}: expected an object")
        return value

    def _one_of(self, field: str, words: tuple[str, ...]) -> int:
        value = self.data.get(field)
        if value not in words:
            raise ValueError(f"{field}: one of {', '.join(words)}")
        return words.index(value)

    def _look_up(self, table: dict[str, int], field: str, id: object) -> int:
        if not isinstance(id, str) or id not in table:
            raise ValueError(f"{field}: this map has no {id!r}")
        return table[id]

    def _seat(self, field: str, value: object) -> int:
        number = self._number(field, value)
        if number >= len(self.seats):
            raise ValueError(f"{field}: there is no seat {number}")
        return number

    def _number(self, field: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 31:
            raise ValueError(f"{field}: expected a number, not {value!r}")
        return value
