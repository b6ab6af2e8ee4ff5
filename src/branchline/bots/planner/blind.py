"""A state as the planner of one seat may have it: what others hold is only counted."""

from librt.vecs import vec
from mypy_extensions import i64

from branchline.bots.planner.facts import count_only
from branchline.engine.board import NOBODY, NONE, zeros
from branchline.engine.shuffle import Shuffler
from branchline.engine.sight import Sight
from branchline.engine.stages import OPENING
from branchline.engine.state import State
from branchline.engine.worlds import shadow


def blind(state: State, seat: i64, cards: vec[i64]) -> State:
    """What `seen_by` makes of the sight of `seat`, without looking at everything: tests compare the two.

    `cards`: how many each seat holds, since a state may be a sight's shadow, which does not say.
    """
    board = state.board
    new = state.copy()
    new.shuffler = Shuffler(b"")
    new.deck = zeros(state.deck_left)
    new.ticket_deck = zeros(len(state.ticket_deck))
    new.holder = state.holder[:]
    ticket: i64 = 0
    while ticket < board.tickets:
        if new.holder[ticket] != seat:
            new.holder[ticket] = NOBODY
        ticket += 1
    new.answers = state.answers[:]
    who: i64 = 0
    while who < state.seats:
        if who != seat:
            count_only(new, who, cards[who])
        if new.answers[who] != NONE:
            new.answers[who] = 0
        who += 1
    if state.stage == OPENING:
        new.offer = zeros(len(state.offer))
        i = seat * board.opening
        while i < (seat + 1) * board.opening:
            new.offer[i] = state.offer[i]
            i += 1
    return new


def seen_by(sight: Sight) -> State:
    """The shadow of a sight for a planner: what others hold is counted, as cards of the first colour."""
    state = shadow(sight)
    seat: i64 = 0
    while seat < sight.seats:
        if seat != sight.seat:
            count_only(state, seat, sight.cards[seat])
        seat += 1
    return state
