"""Worlds: full states that one seat could not tell from the real one, each as likely as it should be.

A world is a deal of the cards and tickets this seat has not seen, and where a choice of another seat was hidden (which
tickets it kept) that choice too; every one that agrees with all the seat has seen is as likely as any other.
"""

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import EMPTY, NOBODY, NONE, filled, zeros
from branchline.engine.card_worlds import CardWorld
from branchline.engine.cards import pile
from branchline.engine.fields import copy_public
from branchline.engine.memory import Memory
from branchline.engine.shuffle import Rng, Shuffler
from branchline.engine.sight import Sight
from branchline.engine.stages import OPENING, OVER
from branchline.engine.state import State
from branchline.engine.ticket_worlds import TicketWorld


class Worlds:
    """A source of worlds for one sight; further worlds cost less than the first."""

    def __init__(self, sight: Sight, rng: Rng) -> None:
        """`rng` is used up by each world."""
        self.sight = sight
        self.rng = rng
        self.cards = CardWorld(sight, rng)
        self.tickets: TicketWorld | None = None
        """The tickets of the world dealt last."""

    def sample(self) -> State:
        """One more world; its future shuffles are the generator's, not the real game's."""
        sight = self.sight
        state = State(sight.board, sight.seats, Shuffler(b"", self.rng.next()))
        copy_public(sight, state)
        state.seat = sight.on_turn
        if sight.stage == OVER:
            _place_open_cards(state, sight, self.rng)
        else:
            self.cards.deal()
            _place_cards(state, sight, self.cards)
        tickets = TicketWorld(sight, self.rng)
        tickets.place(state)
        self.tickets = tickets
        return state

    def memory(self) -> Memory:
        """The table's memory in the world dealt last, cards and tickets of the others filled in."""
        new = self.sight.memory.copy()
        if self.sight.stage != OVER:
            drawn = new.draw_card[:]  # which the sight shares
            for place in self.cards.drawn:
                drawn[self.cards.draw[place]] = self.cards.card[place]
            new.draw_card = drawn
        if self.tickets is not None:
            new.choices = self.tickets.choices()
        return new


def shadow(sight: Sight) -> State:
    """What the seat sees, as a state with nothing hidden filled in: for asking the rules about its own side.

    Hands and tickets of others are empty, the decks have their sizes and no meaning; it must not be played on.
    """
    state = State(sight.board, sight.seats, Shuffler(b""))
    copy_public(sight, state)
    state.seat = sight.on_turn
    kinds = sight.board.kinds
    state.deck = zeros(sight.deck_left)
    state.deck_left = sight.deck_left
    state.hands = zeros(sight.seats * kinds)
    colour: i64 = 0
    while colour < len(sight.hand):
        state.hands[sight.seat * kinds + colour] = sight.hand[colour]
        colour += 1
    state.ticket_deck = zeros(sight.tickets_left)
    state.holder = filled(sight.board.tickets, NOBODY)
    for ticket in sight.tickets:
        state.holder[ticket] = sight.seat
    if sight.stage == OVER:
        state.hands = sight.hands[:]
        state.holder = sight.holder[:]
    state.answers = filled(sight.seats, NONE)
    seat: i64 = 0
    while seat < sight.seats:
        if sight.answered[seat]:
            state.answers[seat] = 0
        seat += 1
    state.offer = sight.offer[:]
    if sight.stage == OPENING:
        state.offer = zeros(sight.seats * sight.board.opening)
        i: i64 = 0
        while i < len(sight.offer):
            state.offer[sight.seat * sight.board.opening + i] = sight.offer[i]
            i += 1
    return state


def _place_cards(state: State, sight: Sight, cards: CardWorld) -> None:
    """Give the hidden cards to those who drew them; what is left is the deck."""
    memory = sight.memory
    kinds = sight.board.kinds
    state.hands = zeros(sight.seats * kinds)
    i: i64 = 0
    while i < len(state.hands):
        state.hands[i] = memory.taken[i] - memory.spent[i]
        i += 1
    if sight.route != NONE:
        # Laid down for a tunnel: no longer in the hand, not yet spent.
        hand = sight.on_turn * kinds
        state.hands[hand + sight.laid_colour] -= sight.board.length[sight.route] - sight.laid_wilds
        state.hands[hand + sight.board.wild] -= sight.laid_wilds
    colour: i64 = 0
    while colour < len(sight.hand):
        state.hands[sight.seat * kinds + colour] = sight.hand[colour]
        colour += 1
    deck = vec[i64](capacity=sight.deck_left)
    place: i64 = 0
    while place < len(cards.card):
        draw = cards.draw[place]
        if draw == NONE:
            deck = append(deck, cards.card[place])
        else:
            state.hands[memory.draw_seat[draw] * kinds + cards.card[place]] += 1
        place += 1
    state.deck = deck
    state.deck_left = len(deck)


def _place_open_cards(state: State, sight: Sight, rng: Rng) -> None:
    """When the game is over the hands are open, and only the order of the deck is not known (R8.5)."""
    state.hands = sight.hands[:]
    counts = sight.board.cards[:]
    for card in sight.row:
        if card != EMPTY:
            counts[card] -= 1
    i: i64 = 0
    while i < len(state.hands):
        counts[i % sight.board.kinds] -= state.hands[i]
        i += 1
    colour: i64 = 0
    while colour < sight.board.kinds:
        counts[colour] -= sight.discards[colour]
        colour += 1
    state.deck = pile(counts)
    rng.shuffle(state.deck)
    state.deck_left = len(state.deck)
