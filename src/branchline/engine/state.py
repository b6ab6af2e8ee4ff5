"""State: everything that is the case in a game, as small ints, and what the game waits for now.

Tables that change rarely (deck, owners, cars, tickets ...) are replaced and never written, so that copies share them;
only hands, row and discards are written in place, and only they are copied.
"""

from librt.vecs import vec
from mypy_extensions import i64

from branchline.engine import apply as applying
from branchline.engine import legal as legality
from branchline.engine.board import NONE, Board, to_vec
from branchline.engine.happenings import Happenings
from branchline.engine.refusals import LEGAL, NOT_AN_ACTION, NOT_YOUR_TURN, refuse
from branchline.engine.shuffle import Shuffler
from branchline.engine.stages import OPENING, OVER


class State:
    """A game as ints: `legal()`, `apply(index)` and `copy()` are the road for bots and environments."""

    def __init__(self, board: Board, seats: i64, shuffler: Shuffler) -> None:
        """A bare table; `setup.deal` makes a game of it."""
        self.board = board
        self.seats: i64 = seats
        self.shuffler = shuffler
        self.shuffles: i64 = 0
        """How many shuffles there have been: the index of the next one."""
        self.stage: i64 = OPENING
        self.first: i64 = 0
        """The seat that has the first turn (R2.6)."""
        self.seat: i64 = 0
        """Whose turn it is."""
        self.turn: i64 = 0
        """Turns begun so far; 0 in the opening."""
        self.passes: i64 = 0
        """Passes that have followed each other (R3.10)."""
        self.last: i64 = NONE
        """Turns left to play once the last round has begun (R7.1)."""

        self.deck = vec[i64]()
        """The deck; its top is at `deck_left - 1`, what lies above has been drawn."""
        self.deck_left: i64 = 0
        self.row = vec[i64]()
        self.discards = vec[i64]()
        """How many of each colour; the order of discards never matters."""
        self.hands = vec[i64]()
        """How many of each colour each seat holds, seat by seat."""

        self.owner = vec[i64]()
        """Who has claimed each route."""
        self.station = vec[i64]()
        """Whose station stands in each city."""
        self.cars = vec[i64]()
        self.stations = vec[i64]()
        """Stations each seat has left."""
        self.points = vec[i64]()
        """Points for routes (R4.3)."""

        self.ticket_deck = vec[i64]()
        """The ticket deck, its bottom first."""
        self.holder = vec[i64]()
        """Who has kept each ticket."""
        self.held = vec[i64]()
        """How many tickets each seat has kept."""
        self.offer = vec[i64]()
        """Tickets not yet answered; in the opening, seat by seat."""
        self.answers = vec[i64]()
        """In the opening, the subset of its offer each seat keeps, NONE before it has answered (R2.5); then 0."""

        self.route: i64 = NONE
        """The tunnel for which a payment lies on the table."""
        self.laid_colour: i64 = NONE
        self.laid_wilds: i64 = 0
        self.owed: i64 = 0
        self.turned = vec[i64]()
        """The cards turned up for the tunnel."""

        self.happenings: Happenings | None = None
        """Who listens, if anybody does."""

    def copy(self) -> "State":
        """An independent copy, to which nobody listens."""
        new = State(self.board, self.seats, self.shuffler)
        new.shuffles = self.shuffles
        new.stage = self.stage
        new.first = self.first
        new.seat = self.seat
        new.turn = self.turn
        new.passes = self.passes
        new.last = self.last
        new.deck = self.deck
        new.deck_left = self.deck_left
        new.row = self.row[:]
        new.discards = self.discards[:]
        new.hands = self.hands[:]
        new.owner = self.owner
        new.station = self.station
        new.cars = self.cars
        new.stations = self.stations
        new.points = self.points
        new.ticket_deck = self.ticket_deck
        new.holder = self.holder
        new.held = self.held
        new.offer = self.offer
        new.answers = self.answers
        new.route = self.route
        new.laid_colour = self.laid_colour
        new.laid_wilds = self.laid_wilds
        new.owed = self.owed
        new.turned = self.turned
        return new

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.stage == OVER

    @property
    def actor(self) -> i64:
        """The seat to act; in the opening the lowest that has not answered; -1 when the game is over."""
        return legality.actor(self)

    def to_act(self) -> vec[i64]:
        """Every seat that may act now: several at once in the opening (R2.5)."""
        return legality.to_act(self)

    def legal(self, seat: i64 = -1) -> vec[i64]:
        """The indices of the legal actions of `seat` (the actor's by default), ascending."""
        return legality.legal(self, self.actor if seat == -1 else seat)

    def refusal(self, index: i64, seat: i64 = -1) -> i64:
        """Why `seat` may not do this now: a number of `refusals`, 0 if it may."""
        return legality.refusal(self, self.actor if seat == -1 else seat, index)

    def apply(self, index: object, seat: object = -1) -> None:
        """Do the action of this index, by `seat` (the actor by default), or raise IllegalAction and change nothing."""
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < int(self.board.actions):
            raise refuse(NOT_AN_ACTION)
        if not isinstance(seat, int) or isinstance(seat, bool) or not -1 <= seat < int(self.seats):
            raise refuse(NOT_YOUR_TURN)
        action: i64 = index
        who: i64 = seat
        if who == NONE:
            who = self.actor
        reason = legality.refusal(self, who, action)
        if reason != LEGAL:
            raise refuse(reason)
        applying.act(self, who, action)

    def numbers(self) -> list[list[int]]:
        """Everything that tells two states of one board apart, as lists of ints."""
        return [
            [
                self.seats, self.shuffles, self.stage, self.first, self.seat, self.turn, self.passes, self.last,
                self.route, self.laid_colour, self.laid_wilds, self.owed,
            ],
            list(self.deck[: self.deck_left]), list(self.row), list(self.discards), list(self.hands),
            list(self.owner), list(self.station), list(self.cars), list(self.stations), list(self.points),
            list(self.ticket_deck), list(self.holder), list(self.held), list(self.offer), list(self.answers),
            list(self.turned),
        ]  # fmt: skip

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return restore, (self.board, self.shuffler, self.numbers())


def restore(board: Board, shuffler: Shuffler, numbers: list[list[int]]) -> State:
    """The state that gave these numbers."""
    scalars = numbers[0]
    state = State(board, scalars[0], shuffler)
    state.shuffles = scalars[1]
    state.stage = scalars[2]
    state.first = scalars[3]
    state.seat = scalars[4]
    state.turn = scalars[5]
    state.passes = scalars[6]
    state.last = scalars[7]
    state.route = scalars[8]
    state.laid_colour = scalars[9]
    state.laid_wilds = scalars[10]
    state.owed = scalars[11]
    state.deck = to_vec(numbers[1])
    state.deck_left = len(numbers[1])
    state.row = to_vec(numbers[2])
    state.discards = to_vec(numbers[3])
    state.hands = to_vec(numbers[4])
    state.owner = to_vec(numbers[5])
    state.station = to_vec(numbers[6])
    state.cars = to_vec(numbers[7])
    state.stations = to_vec(numbers[8])
    state.points = to_vec(numbers[9])
    state.ticket_deck = to_vec(numbers[10])
    state.holder = to_vec(numbers[11])
    state.held = to_vec(numbers[12])
    state.offer = to_vec(numbers[13])
    state.answers = to_vec(numbers[14])
    state.turned = to_vec(numbers[15])
    return state
