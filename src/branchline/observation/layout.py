"""The layout of an observation: which number stands where, what it may be, and which rule lets the seat know it.

An observation is a flat array of bytes. Seats stand in it by *place*: place 0 is the seat that looks, place 1 the one
after it in turn order, and so on; a layout may have more places than the game has seats, so that one network can play
with any number of them. `Layout.fields` names every part.
"""

from typing import Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64, u8

from branchline.engine.board import TUNNEL, Board
from branchline.observation.ways import FAR, Start

OBSERVATION_VERSION: Final = 1
"""Changes when any number of an observation moves or means something else; who stores observations stores this too."""


FEW_CARS: Final[i64] = 16
"""Cars from 0 up to here are told one by one in an outlook."""
OFFER_PARTS: Final[i64] = 5
"""What an outlook tells of each offered ticket."""


class Field:
    """One part of an observation."""

    def __init__(self, name: str, at: int, shape: tuple[int, ...], high: int, rule: str, about: str) -> None:
        """`shape`: its axes, slowest first; every number is from 0 to `high`."""
        self.name = name
        self.at = at
        self.shape = shape
        self.high = high
        self.rule = rule
        self.about = about

    @property
    def size(self) -> int:
        """How many numbers it has."""
        size = 1
        for length in self.shape:
            size *= length
        return size


class Layout:
    """Where everything stands in the observations of one board with so many places."""

    def __init__(self, board: Board, places: i64, outlook: bool = False) -> None:
        """With an `outlook` observations have a last part more (`observation.outlook`)."""
        self.board = board
        self.places: i64 = places
        self.outlook = outlook
        self.start = Start(board)
        self.longest: i64 = 0
        """Cars that the longest route takes."""
        for length in board.length:
            self.longest = max(self.longest, length)
        self.fields: list[Field] = []
        self.size: i64 = 0
        self.stations = board.rules.stations > 0
        self.tunnels = TUNNEL in board.kind
        p, kinds, cities = int(places), int(board.kinds), int(board.cities)
        routes, tickets = int(board.routes), int(board.tickets)
        deck = sum(board.cards)
        self.stage = self._field(
            "stage", (5,), 1, "R3.1", "one of: opening, turn, second draw, tunnel owed, ticket offer"
        )
        self.last_round = self._field(
            "last_round", (2,), 255, "R7.1", "whether the last round has begun, and turns left in it"
        )
        self.turn = self._field("turn", (1,), 255, "R8.1", "turns begun, at most 255")
        self.decks = self._field("decks", (2,), 255, "R8.1", "cards in the deck, tickets in the ticket deck")
        self.owed = self._field(
            "owed", (3,), 255, "R4.8", "for the tunnel under way: cards owed, cards laid down, wilds among them"
        )
        self.passes = self._field("passes", (1,), 255, "R3.10", "passes that followed each other")
        self.seated = self._field("seated", (p,), 1, "R1.1", "whether somebody sits at each place")
        self.first = self._field("first", (p,), 1, "R2.6", "who had the first turn")
        self.acting = self._field("acting", (p,), 1, "R8.1", "who is to act; in the opening all who have not answered")
        self.cars = self._field("cars", (p,), 255, "R8.1", "cars left")
        self.stations_left = self._field("stations_left", (p,), 255, "R8.1", "stations left")
        self.cards = self._field("cards", (p,), 255, "R8.1", "cards in the hand")
        self.held = self._field("held", (p,), 255, "R8.1", "tickets kept")
        self.opening_kept = self._field(
            "opening_kept", (p,), 255, "R2.5", "tickets kept in the opening, once all have answered"
        )
        self.ticket_draws = self._field("ticket_draws", (p,), 255, "R8.1", "times tickets were drawn")
        self.points = self._field("points", (p,), 255, "R4.3", "points for routes")
        self.attractions = self._field("attractions", (p,), 255, "R7.3", "attractions connected")
        self.hand = self._field("hand", (kinds,), deck, "R8.2", "own cards by colour, the wild last")
        self.row = self._field("row", (kinds,), 255, "R8.1", "cards of the row by colour")
        self.discards = self._field("discards", (kinds,), deck, "R8.1", "discards by colour")
        self.fresh = self._field(
            "fresh", (kinds,), deck, "R8.4", "cards of this deck the seat has not seen: in it, or drawn blind by others"
        )
        self.known = self._field(
            "known", (p - 1, kinds), deck, "R8.4", "cards each other must hold, those laid down for a tunnel among them"
        )
        self.owner = self._field("owner", (routes, p), 1, "R8.1", "who has claimed each route")
        self.open = self._field(
            "open", (routes,), 1, "R4.4", "whether this seat could still claim it, cards and cars aside"
        )
        self.payable = self._field("payable", (routes,), 1, "R4.2", "whether it also has the cards and cars for it")
        self.short = self._field("short", (routes,), 255, "R4.2", "how many cards an open route lacks, wilds used")
        self.dug = self._field("dug", (routes if self.tunnels else 0,), 1, "R4.8", "the tunnel under way")
        self.on_way = self._field(
            "on_way", (routes,), 255, "R8.2", "own or offered tickets not joined with a shortest way over it"
        )
        self.near_way = self._field(
            "near_way", (routes,), 255, "R8.2", "those whose way over it is one or two cars longer"
        )
        self.way_points = self._field("way_points", (routes,), 255, "R8.2", "points of the tickets of on_way")
        self.station = self._field(
            "station", (cities if self.stations else 0, p), 1, "R8.1", "whose station stands in each city"
        )
        self.touched = self._field("touched", (cities, p), 1, "R8.1", "who has a route that ends in each city")
        self.kept = self._field("kept", (tickets,), 1, "R8.2", "own tickets")
        self.joined = self._field(
            "joined", (tickets,), 1, "R8.2", "own or offered tickets that own routes join, stations aside"
        )
        self.offered = self._field("offered", (tickets,), 1, "R8.2", "tickets of the own open offer")
        self.returned = self._field(
            "returned", (tickets,), 1, "R8.2", "tickets this seat has once been offered and not kept"
        )
        self.missing = self._field(
            "missing",
            (tickets,),
            int(FAR),
            "R8.2",
            "fewest cars that would join an own or offered ticket; 99: none can",
        )
        self.hopeless = self._field(
            "hopeless", (tickets,), 1, "R8.2", "own or offered tickets that the cars left cannot join, stations aside"
        )
        self.ticket_sums = self._field(
            "ticket_sums", (3,), 255, "R8.2", "points of own tickets that are joined, still possible, hopeless"
        )

        self.offers: i64 = max(board.opening, board.rules.ticket_draw)
        """Tickets that an offer has at most."""
        self.need: i64 = 0
        self.worth: i64 = 0
        self.saves: i64 = 0
        self.joins: i64 = 0
        self.eased: i64 = 0
        self.few_cars: i64 = 0
        self.trail: i64 = 0
        self.offer: i64 = 0
        self.common: i64 = 0
        if outlook:
            self._look_out()

    def _look_out(self) -> None:
        board, offers = self.board, int(self.offers)
        cities = int(board.cities) if self.stations else 0
        self.need = self._field(
            "need", (int(board.kinds),), 255, "R8.2", "cars of routes on shortest ways by colour; the last: grey ones"
        )
        self.worth = self._field(
            "worth", (int(board.routes),), 255, "R8.2", "way_points, with own stations borrowing what they can"
        )
        self.saves = self._field(
            "saves", (cities,), 255, "R6.5", "cars that a station in each city would save own tickets"
        )
        self.joins = self._field("joins", (cities,), 255, "R6.5", "points of own tickets that it would join")
        self.eased = self._field(
            "eased", (int(board.tickets),), int(FAR), "R6.5", "missing of own tickets, with own stations borrowing"
        )
        self.few_cars = self._field(
            "few_cars", (2, int(FEW_CARS)), 1, "R8.1", "whether at most 0, 1, ... cars are left: own, another's fewest"
        )
        trails = int(self.places) if board.rules.trail_points > 0 else 0
        self.trail = self._field("trail", (trails,), 255, "R7.2", "the longest trail")
        self.offer = self._field(
            "offer",
            (offers, int(OFFER_PARTS)),
            255,
            "R8.2",
            "the own offer in the order of numbers: is there, points, missing, hopeless, cars in common with own ways",
        )
        self.common = self._field(
            "common",
            (offers * (offers - 1) // 2,),
            255,
            "R8.2",
            "cars that the ways of each two of them have in common",
        )

    def _field(self, name: str, shape: tuple[int, ...], high: int, rule: str, about: str) -> i64:
        at = self.size
        field = Field(name, int(at), shape, high, rule, about)
        self.fields.append(field)
        self.size += field.size
        return at


def _noughts() -> vec[u8]:
    out = vec[u8](capacity=4096)
    nought: u8 = 0
    while len(out) < 4096:
        out = append(out, nought)
    return out


NOUGHTS: Final = _noughts()


def blank(n: i64) -> vec[u8]:
    """So many noughts, as bytes."""
    if n <= len(NOUGHTS):
        return NOUGHTS[:n]  # as with `zeros`: playouts of a search make one each
    out = vec[u8](capacity=n)
    while len(out) + len(NOUGHTS) <= n:
        out = extend(out, NOUGHTS)
    return extend(out, NOUGHTS[: n - len(out)])


def byte(x: i64) -> u8:
    """A number as a byte; more than fits is as much as fits."""
    if x > 255:
        return 255
    return u8(x)
