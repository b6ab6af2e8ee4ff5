"""Witness: a state together with what its seats could count and remember, kept up action by action.

It remembers what an observation tells, cheaply; `engine.memory` remembers everything, for worlds. Both agree
(tests/env), and `recall` makes a witness of a sight alone.
"""

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.apply import act
from branchline.engine.board import (
    BUILD,
    CLAIM,
    DRAW_DECK,
    DRAW_ROW,
    DRAW_TICKETS,
    KEEP,
    NOBODY,
    NONE,
    PAY,
    filled,
    to_vec,
    zeros,
)
from branchline.engine.evidence import HIDDEN
from branchline.engine.legal import bits, station_price
from branchline.engine.memory import Memory
from branchline.engine.network import longest_trail
from branchline.engine.sight import Sight
from branchline.engine.stages import OPENING, TICKET_OFFER, TUNNEL_OWED
from branchline.engine.state import State
from branchline.engine.worlds import shadow
from branchline.observation.ways import Start, Ways


class Witness:
    """What an observation needs beside the state; `act` keeps it up."""

    def __init__(self, state: State, start: Start) -> None:
        """Use `watch` or `recall`."""
        board = state.board
        self.state = state
        self.cards = zeros(state.seats)
        """Cards in each hand."""
        self.known = zeros(state.seats * board.kinds)
        """Cards that everybody knows each seat to hold."""
        self.unseen = zeros(board.kinds)
        """Cards of the present deck that were not turned up: in it, or drawn blind."""
        self.drawn = zeros(state.seats * board.kinds)
        """Cards that each seat drew blind from the present deck."""
        self.returned = zeros(state.seats * board.tickets)
        """Tickets each seat was offered and did not keep."""
        self.opening_kept = zeros(state.seats)
        self.ticket_draws = zeros(state.seats)
        self.claimed = vec[i64](capacity=64)
        """Routes that have been claimed, and cities where a station was built: in order, as far as it was seen."""
        self.built = vec[i64]()
        self.touched = zeros(state.seats * board.cities)
        """Cities at which a route of each seat ends."""
        self.attractions = zeros(state.seats)
        self.trails = zeros(state.seats)
        """The longest trail of each seat, when it was last asked for with so many cars left."""
        self.trail_cars = filled(state.seats, NONE)
        self.ways: list[Ways] = []
        seat: i64 = 0
        while seat < state.seats:
            self.ways.append(Ways(state, seat, start))
            self._count_hand(seat)
            seat += 1
        route: i64 = 0
        while route < board.routes:
            if state.owner[route] != NOBODY:
                self._touch(route)
            route += 1
        city: i64 = 0
        while city < board.cities:
            if state.station[city] != NOBODY:
                self.built = append(self.built, city)
            city += 1

    def act(self, seat: i64, index: i64) -> None:
        """Do a legal action and take it in."""
        state = self.state
        board = state.board
        kind = board.action_kind[index]
        what = board.action_what[index]
        deck = state.deck
        left = state.deck_left
        shuffles = state.shuffles
        if kind == DRAW_ROW:
            self.known[seat * board.kinds + state.row[what]] += 1
        elif kind == CLAIM:
            wilds = board.action_wilds[index]
            self._show(seat, board.action_colour[index], board.length[what] - wilds, wilds)
        elif kind == BUILD:
            price = station_price(state, seat)
            colour = board.action_colour[index]
            wilds = price if colour == board.wild else board.action_wilds[index]
            self._spend(seat, colour, price - wilds, wilds)
        elif kind == KEEP:
            self._keep(seat, what)
        elif kind == DRAW_TICKETS:
            self.ticket_draws[seat] += 1
        elif kind == PAY:
            wilds = board.action_wilds[index]
            coloured = board.length[state.route] - state.laid_wilds + state.owed - wilds
            self._spend(seat, state.laid_colour, coloured, state.laid_wilds + wilds)
            what = state.route
        act(state, seat, index)
        self._count_hand(seat)
        if kind == BUILD:
            self.built = append(self.built, what)
        if kind == CLAIM and state.stage != TUNNEL_OWED:
            wilds = board.action_wilds[index]
            self._spend(seat, board.action_colour[index], board.length[what] - wilds, wilds)
        if kind == PAY or (kind == CLAIM and state.stage != TUNNEL_OWED):
            self._touch(what)
            for ways in self.ways:
                ways.note_claim(state, what)
        if state.shuffles != shuffles:
            self._open_deck()
        elif state.deck_left < left:
            if kind == DRAW_DECK:
                left -= 1
                self.drawn[seat * board.kinds + deck[left]] += 1
            while left > state.deck_left:
                left -= 1
                self.unseen[deck[left]] -= 1

    def notes(self) -> list[list[int]]:
        """What was counted on the way and can't be told from the state, as lists of ints; see `recalled`."""
        kept = (self.known, self.unseen, self.drawn, self.returned, self.opening_kept, self.ticket_draws)
        return [list(table) for table in kept]

    def trail(self, seat: i64) -> i64:
        """The longest trail of a seat; it grows only where cars are placed."""
        if self.trail_cars[seat] != self.state.cars[seat]:
            self.trail_cars[seat] = self.state.cars[seat]
            self.trails[seat] = longest_trail(self.state, seat)
        return self.trails[seat]

    def _count_hand(self, seat: i64) -> None:
        hands = self.state.hands
        i = seat * self.state.board.kinds
        end = i + self.state.board.kinds
        n: i64 = 0
        while i < end:
            n += hands[i]
            i += 1
        self.cards[seat] = n

    def _show(self, seat: i64, colour: i64, coloured: i64, wilds: i64) -> None:
        """A payment lies on the table: so many cards at least were held (R8.4)."""
        at = seat * self.state.board.kinds
        wild = at + self.state.board.wild
        if coloured > self.known[at + colour]:
            self.known[at + colour] = coloured
        if wilds > self.known[wild]:
            self.known[wild] = wilds

    def _spend(self, seat: i64, colour: i64, coloured: i64, wilds: i64) -> None:
        at = seat * self.state.board.kinds
        wild = at + self.state.board.wild
        self.known[at + colour] = max(self.known[at + colour] - coloured, i64(0))
        self.known[wild] = max(self.known[wild] - wilds, i64(0))

    def _keep(self, seat: i64, mask: i64) -> None:
        offer = own_offer(self.state, seat)
        at = seat * self.state.board.tickets
        i: i64 = 0
        while i < len(offer):
            if not (mask >> i) & 1:
                self.returned[at + offer[i]] = 1
            i += 1
        if self.state.stage == OPENING:
            self.opening_kept[seat] = bits(mask)

    def _touch(self, route: i64) -> None:
        board = self.state.board
        seat = self.state.owner[route]
        self.claimed = append(self.claimed, route)
        self._touch_city(seat, board.route_a[route])
        self._touch_city(seat, board.route_b[route])

    def _touch_city(self, seat: i64, city: i64) -> None:
        board = self.state.board
        at = seat * board.cities + city
        if not self.touched[at]:
            self.touched[at] = 1
            self.attractions[seat] += board.attraction[city]

    def _open_deck(self) -> None:
        """A new deck: nobody has drawn from it, and what was turned up of it has been seen."""
        board = self.state.board
        self.unseen = zeros(board.kinds)
        i: i64 = 0
        while i < self.state.deck_left:
            self.unseen[self.state.deck[i]] += 1
            i += 1
        self.drawn = zeros(self.state.seats * board.kinds)


def own_offer(state: State, seat: i64) -> vec[i64]:
    """The open offer of `seat`; in the opening also after its answer."""
    if state.stage == OPENING:
        return state.offer[seat * state.board.opening : (seat + 1) * state.board.opening]
    if state.stage == TICKET_OFFER and state.seat == seat:
        return state.offer
    return vec[i64]()


def watch(state: State, start: Start | None = None) -> Witness:
    """Witness a game that has just been dealt."""
    witness = Witness(state, start or Start(state.board))
    witness._open_deck()
    board = state.board
    all_cards: i64 = 0
    for n in board.cards:
        all_cards += n
    if len(state.deck) == all_cards:  # a deal that used up its deck has shuffled another
        i: i64 = 0
        while i < len(state.hands):
            witness.drawn[i] = state.hands[i]
            witness.unseen[i % board.kinds] += state.hands[i]
            i += 1
    return witness


def recalled(state: State, notes: list[list[int]], start: Start) -> Witness:
    """The witness of this state that made these notes."""
    witness = Witness(state, start)
    known, unseen, drawn, returned, opening_kept, ticket_draws = notes
    witness.known = to_vec(known)
    witness.unseen = to_vec(unseen)
    witness.drawn = to_vec(drawn)
    witness.returned = to_vec(returned)
    witness.opening_kept = to_vec(opening_kept)
    witness.ticket_draws = to_vec(ticket_draws)
    return witness


def recall(sight: Sight, start: Start | None = None) -> Witness:
    """The witness that a seat is by itself, from its sight."""
    witness = remember(shadow(sight), sight.memory, start)
    witness.cards = sight.cards[:]
    return witness


def remember(state: State, memory: Memory, start: Start | None = None) -> Witness:
    """Witness a game that is under way, with what its table remembers: of each seat as much as `memory` tells."""
    board = state.board
    kinds = board.kinds
    witness = Witness(state, start or Start(board))
    i: i64 = 0
    while i < len(witness.known):
        witness.known[i] = memory.taken[i] - memory.spent[i] + memory.need[i]
        i += 1
    epoch = memory.epoch
    witness.unseen = memory.unseen[epoch * kinds :]
    i = 0
    while i < len(memory.draw_seat):
        card = memory.draw_card[i]
        if card != HIDDEN and memory.draw_epoch[i] == epoch:
            witness.drawn[memory.draw_seat[i] * kinds + card] += 1
        i += 1
    asked = zeros(state.seats)
    for choice in memory.choices:
        if asked[choice.seat]:
            witness.ticket_draws[choice.seat] += 1
        else:
            asked[choice.seat] = 1
            witness.opening_kept[choice.seat] = max(choice.number, i64(0))
        if len(choice.kept) > 0:
            at = choice.seat * board.tickets
            for ticket in choice.offered:
                if ticket != HIDDEN and ticket not in choice.kept:
                    witness.returned[at + ticket] = 1
    return witness
