"""Every deal that one seat could not tell from the real one, found by playing them all.

A game is recorded as its public actions and as what one seat saw. Then every order of the cards and tickets that it
did not see, and every hidden choice of the others, is played through the engine with a deck stacked that way; those
in which an action would be illegal, or the seat would see something else, are thrown away. What is left are the worlds.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations, product

from librt.vecs import vec
from mypy_extensions import i64

from branchline import Game, Map
from branchline.engine import board as kinds
from branchline.engine.apply import act
from branchline.engine.board import Board
from branchline.engine.cards import draw, settle
from branchline.engine.happenings import (
    AnsweredOpening,
    Dealt,
    Drawn,
    Happening,
    Happenings,
    Kept,
    Offered,
    Reshuffled,
    RowFilled,
    Turned,
)
from branchline.engine.setup import deal, empty
from branchline.engine.shuffle import CARDS, Shuffler
from branchline.engine.state import State
from branchline.names import names_of

Cards = tuple[tuple[int, ...], tuple[int, ...]]
"""All hands, colour by colour and seat by seat, and the deck, its bottom first."""
Tickets = tuple[tuple[int, ...], ...]
"""Who holds each ticket, the ticket deck, the open offers, and the answers of the opening."""


class TooMany(Exception):
    """There are too many deals to play."""


def visible(happening: Happening, seat: int) -> tuple[object, ...]:
    """What a seat sees of a happening (R8.1, R8.2), written down independently of the engine's sight."""
    kind = type(happening)
    match happening:
        case Dealt(who, hidden) | Offered(who, hidden) if who != seat:
            return kind, who, len(hidden)
        case Kept(who, hidden, offered) if who != seat:
            return kind, who, len(hidden), offered
        case Drawn(who, _) | AnsweredOpening(who, _) if who != seat:
            return kind, who
    return kind, *happening


def cards_of(state: State) -> Cards:
    return tuple(map(int, state.hands)), tuple(map(int, state.deck[: state.deck_left]))


def tickets_of(state: State) -> Tickets:
    return tuple(tuple(map(int, table)) for table in (state.holder, state.ticket_deck, state.offer, state.answers))


@dataclass
class Epoch:
    """One deck from its shuffle on."""

    index: int
    order: list[int]
    """As it was shuffled, its top last."""
    hidden: list[int] = field(default_factory=list)
    """Places of cards that the seat has not seen."""


class Play:
    """A game under way, with all that happened; `seen_by` starts counting worlds."""

    def __init__(self, map: Map, seats: int, seed: int, first: int = 0) -> None:
        self.map, self.seats, self.first = map, seats, first
        self.board: Board = names_of(map).board
        self.game = Game.dealt(map, seats, Shuffler(b"", seed), first)
        listener = Happenings()
        self.state = deal(self.board, seats, Shuffler(b"", seed), first, listener)
        self.moves: list[tuple[int, int]] = []
        self.happened: list[list[Happening]] = [listener.items]
        self.decks = [list(map_ints(self.state.deck))]
        """The decks as they were shuffled."""
        self.index = [0]
        self.offer = list(map_ints(self.state.offer))
        self.ticket_deck = list(map_ints(self.state.ticket_deck))
        self.shuffles = int(self.state.shuffles)
        if any(isinstance(happening, Reshuffled) for happening in listener.items):
            raise TooMany("a reshuffle in the deal")

    def play(self, seat: int, index: int) -> None:
        listener = Happenings()
        self.state.happenings = listener
        before = int(self.state.shuffles)
        act(self.state, seat, index)
        self.state.happenings = None
        self.game.play_index(seat, index)
        self.moves.append((seat, index))
        self.happened.append(listener.items)
        if self.state.shuffles > before + 1:
            raise TooMany("two reshuffles at once")
        if self.state.shuffles > before:
            self.decks.append(list(map_ints(self.state.deck)))
            self.index.append(before)

    def seen_by(self, seat: int) -> "Deals":
        return Deals(self, seat)


def map_ints(numbers: "vec[i64]") -> Iterator[int]:
    return (int(n) for n in numbers)


class Deals:
    """The deals that agree with what one seat has seen of a game."""

    def __init__(self, play: Play, seat: int) -> None:
        self.play, self.seat = play, seat
        self.seen = [[visible(happening, seat) for happening in step] for step in play.happened]
        self.epochs = [Epoch(index, order) for index, order in zip(play.index, play.decks, strict=True)]
        self._find_hidden()

    def _find_hidden(self) -> None:
        """Draws come off the top in the order they happened: so each place is seen, drawn by another, or left."""
        epoch = 0
        top = len(self.epochs[0].order)
        for happening in (happening for step in self.play.happened for happening in step):
            if isinstance(happening, Reshuffled):
                assert top == 0
                epoch += 1
                top = len(self.epochs[epoch].order)
            drawn = len(happening.cards) if isinstance(happening, Dealt) else 1
            for _ in range(drawn if isinstance(happening, Dealt | Drawn | RowFilled | Turned) else 0):
                top -= 1
                if isinstance(happening, Dealt | Drawn) and happening.seat != self.seat:
                    self.epochs[epoch].hidden.append(top)
        self.epochs[epoch].hidden += range(top)

    def cards(self, most: int = 20_000) -> Counter[Cards]:
        """How many deals lead to each world of cards; the tickets as they really are."""
        worlds: Counter[Cards] = Counter()
        for decks, fast in self._stacked(most):
            state = self._deal(decks[0], self.play.offer, self.play.ticket_deck, fast)
            if state is not None and self._follow(state, decks):
                worlds[cards_of(state)] += 1
        return worlds

    def _stacked(self, most: int) -> Iterator[tuple[tuple[tuple[int, ...], ...], int]]:
        """Every order of the hidden cards, with a seed whose reshuffles give just these decks."""
        orders = []
        size = 1
        for epoch in self.epochs:
            hidden = [epoch.order[place] for place in epoch.hidden]
            size *= arrangement_count(hidden)
            if size > most:
                raise TooMany(f"{size} deals")
            filled = []
            for cards in arrangements(hidden):
                order = epoch.order[:]
                for place, card in zip(epoch.hidden, cards, strict=True):
                    order[place] = card
                filled.append(tuple(order))
            orders.append(filled)
        seeds = self._seeds(set(product(*orders[1:])))
        for decks in product(*orders):
            yield decks, seeds[decks[1:]]

    def _seeds(self, wanted: set[tuple[tuple[int, ...], ...]]) -> dict[tuple[tuple[int, ...], ...], int]:
        """For each later deck, or decks, a seed of the fast generator that shuffles the discards so."""
        found: dict[tuple[tuple[int, ...], ...], int] = {}
        chance = 1
        for epoch in self.epochs[1:]:
            chance *= arrangement_count(epoch.order)
        if chance > 20_000:
            raise TooMany(f"{chance} reshuffles")
        seed = 0
        while len(found) < len(wanted):
            shuffler = Shuffler(b"", seed)
            decks = []
            for epoch in self.epochs[1:]:
                pile = vec[i64](sorted(epoch.order))
                shuffler.shuffle(pile, CARDS, epoch.index)
                decks.append(tuple(map_ints(pile)))
            if tuple(decks) in wanted:
                found.setdefault(tuple(decks), seed)
            seed += 1
        return found

    def tickets(self, most: int = 20_000) -> Counter[Tickets]:
        """How many deals and hidden choices lead to each world of tickets; the cards as they really are."""
        board, offered = self.play.board, self.play.offer
        rules = board.rules
        opening = int(board.opening)
        own = range(self.seat * opening, (self.seat + 1) * opening)
        places = {True: [], False: []}  # type: dict[bool, list[int]]
        for place in range(len(offered)):
            if place not in own:
                places[place % opening < rules.opening_long].append(place)
        left = set(range(board.tickets)) - {offered[place] for place in own}
        long = [t for t in sorted(left) if rules.opening_long and board.ticket_long[t]]
        short = [t for t in sorted(left) if t not in long]
        worlds: Counter[Tickets] = Counter()
        tries = 0
        for long_order in permutations(long, len(places[True])):
            for short_order in permutations(short):
                offer = offered[:]
                dealt = iter(short_order)
                for place, ticket in zip(places[True], long_order, strict=True):
                    offer[place] = ticket
                for place in places[False]:
                    offer[place] = next(dealt)
                state = self._deal(tuple(self.play.decks[0]), offer, list(dealt), self._real_seed())
                if state is not None:
                    self._choose(state, 1, worlds)
                tries += 1
                if tries > most:
                    raise TooMany("tickets")
        return worlds

    def _real_seed(self) -> int:
        return int(self.play.state.shuffler.fast)

    def _choose(self, state: State, step: int, worlds: Counter[Tickets]) -> None:
        """Follow the game, trying every hidden choice of the others."""
        while step <= len(self.play.moves):
            seat, index = self.play.moves[step - 1]
            if seat != self.seat and self.play.board.action_kind[index] == kinds.KEEP:
                for other in state.legal(seat):
                    branch = state.copy()
                    if self._step(branch, step, seat, int(other)):
                        self._choose(branch, step + 1, worlds)
                return
            if not self._step(state, step, seat, index):
                return
            step += 1
        worlds[tickets_of(state)] += 1

    def _deal(self, deck: tuple[int, ...], offer: list[int], ticket_deck: list[int], fast: int) -> State | None:
        """The real setting up, with decks stacked; None if the seat would see another deal."""
        board, play = self.play.board, self.play
        listener = Happenings()
        state = empty(board, play.seats, Shuffler(b"", fast))
        state.happenings = listener
        state.first = state.seat = play.first
        state.deck = vec[i64](list(deck))
        state.deck_left = len(deck)
        state.shuffles = 1
        for seat in range(play.seats):
            hand = [int(draw(state)) for _ in range(board.rules.opening_cards)]
            for card in hand:
                state.hands[seat * board.kinds + card] += 1
            listener.add(Dealt(seat, tuple(hand)))
        settle(state)
        state.offer = vec[i64](offer)
        state.ticket_deck = vec[i64](ticket_deck)
        state.shuffles = play.shuffles
        for seat in range(play.seats):
            own = offer[seat * int(board.opening) : (seat + 1) * int(board.opening)]
            listener.add(Offered(seat, tuple(own)))
        state.happenings = None
        return state if self._sees(listener, 0) else None

    def _follow(self, state: State, decks: tuple[tuple[int, ...], ...]) -> bool:
        """Play the real actions; whether all were legal and looked the same."""
        real = self.play
        for step, (seat, index) in enumerate(real.moves, 1):
            if not self._step(state, step, seat, index):
                return False
        assert tuple(map_ints(state.deck))[: state.deck_left] == decks[-1][: state.deck_left]
        return True

    def _step(self, state: State, step: int, seat: int, index: int) -> bool:
        if state.refusal(index, seat):
            return False
        listener = Happenings()
        state.happenings = listener
        act(state, seat, index)
        state.happenings = None
        return self._sees(listener, step)

    def _sees(self, listener: Happenings, step: int) -> bool:
        return [visible(happening, self.seat) for happening in listener.items] == self.seen[step]


def arrangement_count(cards: list[int]) -> int:
    """In how many orders cards can lie, those of one colour being alike."""
    total, n = 1, 0
    for count in Counter(cards).values():
        for i in range(1, count + 1):
            n += 1
            total = total * n // i
    return total


def arrangements(cards: list[int]) -> Iterator[tuple[int, ...]]:
    """All orders in which cards can lie."""
    left = Counter(cards)

    def place(order: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(order) == len(cards):
            yield order
            return
        for card in sorted(left):
            if left[card]:
                left[card] -= 1
                yield from place((*order, card))
                left[card] += 1

    return place(())
