"""View: what one seat may see (R8), as readable values, with no field for a secret and no way back to the game."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from branchline.actions import Action, Payment
from branchline.choices import Choices, choices_of, choices_to_json
from branchline.engine.board import NOBODY, Board
from branchline.engine.evidence import HIDDEN, Choice
from branchline.engine.network import longest_trail
from branchline.engine.setup import empty
from branchline.engine.shuffle import Shuffler
from branchline.engine.sight import Sight, restored_sight
from branchline.engine.stages import OPENING, OVER, STAGES, TUNNEL_OWED
from branchline.engine.state import State
from branchline.engine.worlds import shadow
from branchline.maps import Map
from branchline.names import Names, names_of


@dataclass(frozen=True, slots=True)
class PublicSeat:
    """What everybody knows of a seat (R8.1)."""

    cars: int
    stations: int
    """Stations left."""
    points: int
    """Points for routes."""
    trail: int
    """The length of its longest trail so far."""
    cards: int
    """How many cards it holds."""
    known: Mapping[str, int]
    """Cards it is known to hold: taken face up, or shown by what it paid, and not spent since."""
    tickets: int
    """How many tickets it has kept."""
    answered: bool
    """Whether it has answered the opening (R2.5)."""


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """What only its owner knows of a seat (R8.2)."""

    hand: Mapping[str, int]
    tickets: tuple[str, ...]
    offer: tuple[str, ...]
    """Tickets to choose from."""
    answer: tuple[str, ...] | None
    """What it keeps of the opening offer, while others have yet to answer."""
    under: tuple[tuple[int, str], ...]
    """Tickets it put under the ticket deck and knows the place of: how many lie above, and which it is."""


@dataclass(frozen=True, slots=True)
class Tunnel:
    """A tunnel that waits for an answer (R4.10)."""

    route: str
    payment: Payment
    owed: int
    turned: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """What is open to all when the game is over (R8.5)."""

    hands: tuple[Mapping[str, int], ...]
    tickets: tuple[tuple[str, ...], ...]


class View:
    """What one seat, or a spectator, sees of a game. Equal views can't be told apart."""

    def __init__(self, map: Map, sight: Sight) -> None:
        """`sight` is the same in small ints, for bots."""
        self.map = map
        self.sight = sight
        self._names: Names = names_of(map)

    @property
    def seat(self) -> int | None:
        """Whose view it is; None for a spectator."""
        return self.sight.seat if self.sight.seat >= 0 else None

    @property
    def stage(self) -> str:
        """What the game waits for: opening, turn, second-draw, tunnel-owed, ticket-offer or over."""
        return STAGES[self.sight.stage]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.sight.stage == OVER

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now."""
        return tuple(self._shadow.to_act())

    @property
    def first(self) -> int:
        """The seat that had the first turn."""
        return self.sight.first

    @property
    def on_turn(self) -> int:
        """The seat whose turn it is."""
        return self.sight.on_turn

    @property
    def turn(self) -> int:
        """Turns begun so far."""
        return self.sight.turn

    @property
    def passes(self) -> int:
        """Passes that have followed each other."""
        return self.sight.passes

    @property
    def last_turns(self) -> int | None:
        """Turns left to play; None before the last round."""
        return self.sight.last if self.sight.last >= 0 else None

    @property
    def row(self) -> tuple[str | None, ...]:
        """The face-up cards; None for a gap."""
        return tuple(self._names.card(card) for card in self.sight.row)

    @property
    def deck(self) -> int:
        """Cards in the deck."""
        return self.sight.deck_left

    @property
    def discards(self) -> Mapping[str, int]:
        """The discards by colour."""
        return self._names.counts(list(self.sight.discards))

    @property
    def ticket_deck(self) -> int:
        """Tickets in the deck."""
        return self.sight.tickets_left

    @property
    def owners(self) -> Mapping[str, int]:
        """The seat that owns each claimed route."""
        return {self._names.routes[n]: owner for n, owner in enumerate(self.sight.owner) if owner >= 0}

    @property
    def stations(self) -> Mapping[str, int]:
        """The seat whose station stands in a city."""
        return {self._names.cities[n]: owner for n, owner in enumerate(self.sight.station) if owner >= 0}

    @property
    def closed(self) -> tuple[str, ...]:
        """Unclaimed halves of double routes that are closed to all (R4.5)."""
        board, owner = self.sight.board, self.sight.owner
        if self.sight.seats >= board.rules.twins_from:
            return ()
        taken = (n for n in range(board.routes) if board.twin[n] >= 0 and owner[n] < 0 and owner[board.twin[n]] >= 0)
        return tuple(self._names.routes[n] for n in taken)

    @cached_property
    def seats(self) -> tuple[PublicSeat, ...]:
        """What everybody knows of each seat."""
        return tuple(self._public_seat(seat) for seat in range(self.sight.seats))

    @cached_property
    def own(self) -> OwnSeat | None:
        """What only this seat knows; None for a spectator."""
        sight, names = self.sight, self._names
        if sight.seat < 0:
            return None
        answer = None
        if sight.stage == OPENING and sight.answer >= 0:
            answer = names.named(ticket for i, ticket in enumerate(sight.offer) if sight.answer >> i & 1)
        return OwnSeat(
            names.counts(list(sight.hand)),
            names.named(sight.tickets),
            names.named(sight.offer) if answer is None else (),
            answer,
            tuple((above, names.tickets[ticket]) for above, ticket in _under(sight)),
        )

    @property
    def tunnel(self) -> Tunnel | None:
        """The tunnel that waits for an answer, if one does."""
        sight, names = self.sight, self._names
        if sight.stage != TUNNEL_OWED:
            return None
        payment = names.payment(sight.laid_colour, sight.board.length[sight.route] - sight.laid_wilds, sight.laid_wilds)
        return Tunnel(names.routes[sight.route], payment, sight.owed, tuple(names.colours[c] for c in sight.turned))

    @property
    def opened(self) -> Opened | None:
        """Hands and tickets of all, once the game is over."""
        sight, names = self.sight, self._names
        if sight.stage != OVER:
            return None
        kinds = sight.board.kinds
        hands = tuple(names.counts(list(sight.hands[s * kinds : (s + 1) * kinds])) for s in range(sight.seats))
        tickets = tuple(
            names.named(ticket for ticket, holder in enumerate(sight.holder) if holder == seat)
            for seat in range(sight.seats)
        )
        return Opened(hands, tickets)

    @cached_property
    def choices(self) -> Choices:
        """What this seat may do now, grouped."""
        return choices_of(self._shadow, self._names, self.sight.seat)

    def legal_indices(self) -> list[int]:
        """The indices of the actions this seat may do now, ascending."""
        return list(self._shadow.legal(self.sight.seat)) if self.sight.seat >= 0 else []

    def legal_actions(self) -> list[Action]:
        """The actions this seat may do now, in the order of their indices."""
        return [self.action(index) for index in self.legal_indices()]

    def action(self, index: int) -> Action:
        """The action that an index means here."""
        return self._names.action(index, self._shadow, self.sight.seat)

    @cached_property
    def _shadow(self) -> State:
        return shadow(self.sight)

    def _public_seat(self, seat: int) -> PublicSeat:
        sight, names = self.sight, self._names
        known = [sight.memory.known(seat, colour) for colour in range(sight.board.kinds)]
        if sight.route >= 0 and seat == sight.on_turn:
            # What lies on the table for a tunnel is shown, but not in the hand.
            known[sight.laid_colour] -= sight.board.length[sight.route] - sight.laid_wilds
            known[sight.board.wild] -= sight.laid_wilds
        return PublicSeat(
            cars=sight.cars[seat],
            stations=sight.stations[seat],
            points=sight.points[seat],
            trail=self._trail(seat) if sight.board.rules.trail_points else 0,
            cards=sight.cards[seat],
            known=names.counts(known),
            tickets=sight.held[seat],
            answered=bool(sight.answered[seat]),
        )

    def _trail(self, seat: int) -> int:
        routes = tuple(route for route, owner in enumerate(self.sight.owner) if owner == seat)
        return _trail_over(self.sight.board, routes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return self.map == other.map and self._numbers() == other._numbers()

    def __hash__(self) -> int:
        return hash((self.map, repr(self._numbers())))

    def __repr__(self) -> str:
        return f"<View of seat {self.seat} on {self.map.id}, turn {self.turn}, {self.stage}>"

    def _numbers(self) -> tuple[list[list[int]], list[list[int]]]:
        return self.sight.numbers(), self.sight.memory.numbers()

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return View, (self.map, self.sight)

    def to_dict(self, memory: bool = True) -> dict[str, Any]:
        """The view as JSON data; `memory` adds what `from_dict` and sampling worlds need and a client does not."""
        data: dict[str, Any] = {
            "map": self.map.id,
            "seat": self.seat,
            "stage": self.stage,
            "first": self.first,
            "on_turn": self.on_turn,
            "to_act": list(self.to_act),
            "turn": self.turn,
            "passes": self.passes,
            "last_turns": self.last_turns,
            "row": list(self.row),
            "deck": self.deck,
            "discards": self.discards,
            "ticket_deck": self.ticket_deck,
            "owners": self.owners,
            "closed": list(self.closed),
            "stations": self.stations,
            "seats": [_plain(seat) for seat in self.seats],
            "own": None if self.own is None else _plain(self.own),
            "tunnel": None if self.tunnel is None else asdict(self.tunnel),
            "opened": None if self.opened is None else asdict(self.opened),
            "choices": choices_to_json(self.choices),
        }
        if memory:
            data["sight"] = list(self._numbers())
        return data

    @classmethod
    def from_dict(cls, map: Map, data: Mapping[str, Any]) -> "View":
        """The view that gave this data, its memory included."""
        own, memory = data["sight"]
        return cls(map, restored_sight(names_of(map).board, own, memory))


@lru_cache(maxsize=1024)
def _trail_over(board: Board, routes: tuple[int, ...]) -> int:
    """The longest trail over these routes; the same ones are asked for again with every view."""
    state = empty(board, board.rules.seats_min, Shuffler(b""))
    state.owner = vec[i64]([0 if route in routes else NOBODY for route in range(board.routes)])
    return longest_trail(state, 0)


def _plain(seat: PublicSeat | OwnSeat) -> dict[str, Any]:
    """The fields of a value that holds no dataclasses: what `asdict` gives, at a tenth of its price."""
    return {name: getattr(seat, name) for name in seat.__slots__}


def _under(sight: Sight) -> list[tuple[int, int]]:
    """Tickets this seat put under the deck and knows the place of: what others drew and put back it can't know."""
    memory, board = sight.memory, sight.board
    size = memory.began_deck
    if not memory.began:
        long = sum(board.ticket_long) if board.rules.opening_long else 0
        size = board.tickets - long - sight.seats * board.rules.opening_tickets
    deck = [int(HIDDEN)] * size
    if not memory.began and board.rules.opening_under and sight.stage != OPENING:
        for choice in memory.choices[: sight.seats]:
            deck = _returned(choice, sight.seat) + deck
    for choice in memory.choices[sight.seats :]:
        deck = deck[: len(deck) - len(choice.offered)]
        if choice.number >= 0:
            deck = _returned(choice, sight.seat) + deck
    return [(len(deck) - 1 - place, ticket) for place, ticket in enumerate(deck) if ticket != HIDDEN][::-1]


def _returned(choice: Choice, seat: int) -> list[int]:
    """What an answer put under the deck, its bottom first."""
    if choice.seat != seat:
        return [HIDDEN] * (len(choice.offered) - choice.number)
    return [ticket for ticket in choice.offered if ticket not in choice.kept][::-1]
