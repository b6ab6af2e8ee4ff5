"""State: everything that is the case in a game, as small ints, and what the game waits for now.

Tables that change rarely are shared by copies: owners, stations and holders of tickets (`public.SHARED`) until one of
them writes, the others (deck, offer ...) for ever, since they are replaced and never written. Only those in
`public.WRITTEN` are copied.
"""

from librt.vecs import vec
from mypy_extensions import i64

from branchline.engine import apply as applying
from branchline.engine import legal as legality
from branchline.engine.board import NONE, Board
from branchline.engine.fields import copy_state, restore_state, state_numbers
from branchline.engine.happenings import Happenings
from branchline.engine.public import Public
from branchline.engine.refusals import LEGAL, NOT_AN_ACTION, NOT_YOUR_TURN, refuse
from branchline.engine.shuffle import Shuffler
from branchline.engine.stages import OVER


class State(Public):
    """A game as ints: `legal()`, `apply(index)` and `copy()` are the road for bots and environments."""

    def __init__(self, board: Board, seats: i64, shuffler: Shuffler) -> None:
        """A bare table; `setup.deal` makes a game of it."""
        super().__init__(board, seats)
        self.shuffler = shuffler
        self.seat: i64 = 0
        """Whose turn it is."""
        self.deck = vec[i64]()
        """The deck; its top is at `deck_left - 1`, what lies above has been drawn."""
        self.hands = vec[i64]()
        """How many of each colour each seat holds, seat by seat."""
        self.ticket_deck = vec[i64]()
        """The ticket deck, its bottom first."""
        self.holder = vec[i64]()
        """Who has kept each ticket."""
        self.offer = vec[i64]()
        """Tickets not yet answered; in the opening, seat by seat."""
        self.answers = vec[i64]()
        """In the opening, the subset of its offer each seat keeps, NONE before it has answered (R2.5); then 0."""
        self.happenings: Happenings | None = None
        """Who listens, if anybody does."""

    def copy(self) -> "State":
        """An independent copy, to which nobody listens."""
        new = State(self.board, self.seats, self.shuffler)
        copy_state(self, new)
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
        trimmed = self.copy()
        trimmed.deck = self.deck[: self.deck_left]
        return state_numbers(trimmed)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return restored, (self.board, self.seats, self.shuffler, self.numbers())


def restored(board: Board, seats: i64, shuffler: Shuffler, numbers: list[list[int]]) -> State:
    """The state that gave these numbers."""
    state = State(board, seats, shuffler)
    restore_state(state, numbers)
    return state
