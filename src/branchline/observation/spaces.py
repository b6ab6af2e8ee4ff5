"""Three action spaces of one board, and the exact way from each of their actions to a legal action index.

- `full`: the engine's own numbering (`Board.actions`; `ACTIONS_VERSION`). Every payment is an action of its own.
- `coloured`: fewer actions for learning. A card of the row is taken by its colour; a payment is made with the fewest
  wilds it can be; a grey route is claimed by colour, any other by the route alone; a station is built by city, in the
  colour of the largest stack; tickets are kept as a subset of the offer *in the order of their numbers*; what a tunnel
  owes is paid or not.
- `compact`: like `coloured`, but grey routes are claimed by the route alone: with fewest wilds, then in the colour of
  the largest stack, then the lowest.

`COMPACT_VERSION` is the version of the last two. They leave out payments that use wilds without need, other
colours for a station, and the last one other colours for a grey route.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import (
    BUILD,
    CLAIM,
    DRAW_DECK,
    DRAW_ROW,
    DRAW_TICKETS,
    GREY,
    KEEP,
    NOBODY,
    NONE,
    PAY,
    TAKE_BACK,
    Board,
)
from branchline.engine.legal import bits, fewest, is_open, largest_stack, legal, may_take, station_price
from branchline.engine.stages import OPENING, OVER, TICKET_OFFER, TUNNEL_OWED, TURN
from branchline.engine.state import State
from branchline.observation.witness import own_offer

COMPACT_VERSION: Final = 1
"""Changes when the numbering or the meaning of the coloured or the compact actions does."""

FULL: Final = "full"
COLOURED: Final = "coloured"
COMPACT: Final = "compact"
SPACES: Final = (FULL, COLOURED, COMPACT)


class Space:
    """One action space of a board."""

    def __init__(self, board: Board, name: str) -> None:
        if name not in SPACES:
            raise ValueError(f"actions: one of {', '.join(SPACES)}, not {name!r}")
        self.board = board
        self.name = name
        self.is_full = name == FULL
        self.by_colour = name == COLOURED
        self.row_at: i64 = 1
        """Where taking each colour from the row begins; 0 draws from the deck."""
        self.tickets_at: i64 = self.row_at + board.kinds
        self.keep_at: i64 = self.tickets_at + 1
        self.take_back_at: i64 = self.keep_at + board.take_back_at - board.keep_at
        self.pay_at: i64 = self.take_back_at + 1
        self.claim_at: i64 = self.pay_at + 1
        self.route_at = vec[i64]()
        """Where the claims of each route begin."""
        self.route = vec[i64]()
        """The route that each claim names, beginning at `claim_at`."""
        self.colour = vec[i64]()
        """And its colour; GREY where the payment is chosen by rule."""
        at = self.claim_at
        route: i64 = 0
        while route < board.routes:
            self.route_at = append(self.route_at, at)
            own = board.colour[route]
            colour: i64 = 0
            if self.by_colour and own == GREY:
                while colour < board.kinds:
                    self.route = append(self.route, route)
                    self.colour = append(self.colour, colour)
                    at += 1
                    colour += 1
            else:
                self.route = append(self.route, route)
                self.colour = append(self.colour, own)
                at += 1
            route += 1
        self.build_at: i64 = at
        self.pass_at: i64 = at + (board.cities if board.rules.stations else 0)
        self.size: i64 = self.pass_at + 1
        """How many actions there are."""
        if self.is_full:
            self.size = board.actions

    def index(self, state: State, seat: i64, action: i64) -> i64:
        """The engine's index of an action that `seat` may do now; NONE where it means nothing now."""
        board = self.board
        if self.is_full:
            return action
        if action == 0:
            return 0
        if action < self.tickets_at:
            slot: i64 = 0
            while slot < len(state.row):
                if state.row[slot] == action - self.row_at:
                    return board.row_at + slot
                slot += 1
            return NONE
        if action == self.tickets_at:
            return board.tickets_at
        if action < self.take_back_at:
            mask = by_offer(own_offer(state, seat), action - self.keep_at + 1)
            return NONE if mask == NONE else board.keep_at + mask - 1
        if action == self.take_back_at:
            return board.take_back_at
        if action == self.pay_at:
            if state.stage != TUNNEL_OWED:
                return NONE
            return board.pay_index(self._owed_wilds(state, seat))
        if action < self.build_at:
            i = action - self.claim_at
            return self._claim(state, seat, self.route[i], self.colour[i])
        if action < self.pass_at:
            return self._build(state, seat, action - self.build_at)
        return board.pass_at

    def action(self, state: State, seat: i64, index: i64) -> i64:
        """The action of this space that an index of `seat` belongs to: exactly, or but for the payment."""
        board = self.board
        if self.is_full:
            return index
        kind = board.action_kind[index]
        what = board.action_what[index]
        if kind == DRAW_DECK:
            return 0
        if kind == DRAW_ROW:
            return self.row_at + state.row[what]
        if kind == DRAW_TICKETS:
            return self.tickets_at
        if kind == KEEP:
            return self.keep_at + by_number(own_offer(state, seat), what) - 1
        if kind == TAKE_BACK:
            return self.take_back_at
        if kind == PAY:
            return self.pay_at
        if kind == CLAIM:
            if self.by_colour and board.colour[what] == GREY:
                return self.route_at[what] + board.action_colour[index]
            return self.route_at[what]
        if kind == BUILD:
            return self.build_at + what
        return self.pass_at

    def allowed(self, state: State, seat: i64) -> vec[i64]:
        """The actions that `seat` may do now, ascending."""
        if self.is_full:
            return legal(state, seat)
        out = vec[i64](capacity=64)
        if state.stage == OPENING:
            return out if state.answers[seat] != NONE else self._keeps(state, state.board.opening, out)
        if state.seat != seat or state.stage == OVER:
            return out
        if state.stage == TICKET_OFFER:
            return self._keeps(state, len(state.offer), out)
        if state.stage == TUNNEL_OWED:
            out = append(out, self.take_back_at)
            wilds = state.hands[seat * self.board.kinds + self.board.wild]
            return append(out, self.pay_at) if self._owed_wilds(state, seat) <= wilds else out
        out = self._draws(state, out)
        if state.stage == TURN:
            out = self._claims(state, seat, out)
            if state.stations[seat] > 0 and self._build_colour(state, seat) != NONE:
                out = self._builds(state, out)
            if len(out) == 0:
                out = append(out, self.pass_at)
        return out

    def _keeps(self, state: State, offered: i64, out: vec[i64]) -> vec[i64]:
        least = fewest(state)
        one: i64 = 1
        mask: i64 = 1
        while mask < one << offered:
            if bits(mask) >= least:
                out = append(out, self.keep_at + mask - 1)
            mask += 1
        return out

    def _draws(self, state: State, out: vec[i64]) -> vec[i64]:
        if state.deck_left > 0:
            out = append(out, 0)
        one: i64 = 1
        colours: i64 = 0
        for card in state.row:
            if may_take(state, card):
                colours |= one << card
        colour: i64 = 0
        while colours >> colour:
            if (colours >> colour) & 1:
                out = append(out, self.row_at + colour)
            colour += 1
        if state.stage == TURN and len(state.ticket_deck) > 0:
            out = append(out, self.tickets_at)
        return out

    def _claims(self, state: State, seat: i64, out: vec[i64]) -> vec[i64]:
        board = self.board
        hands = state.hands
        hand = seat * board.kinds
        wilds = hands[hand + board.wild]
        cars = state.cars[seat]
        most = largest_stack(state, seat)
        lengths = board.length
        colours = board.colour
        least = board.wilds
        route: i64 = 0
        while route < board.routes:
            length = lengths[route]
            own = colours[route]
            stack = most if own == GREY else hands[hand + own]
            if length <= cars and length <= stack + wilds and least[route] <= wilds and is_open(state, route, seat):
                here = self.route_at[route]
                if self.by_colour and own == GREY:
                    colour: i64 = 0
                    while colour < board.wild:
                        held = hands[hand + colour]
                        if held > 0 and length <= held + wilds and least[route] < length:
                            out = append(out, here + colour)
                        colour += 1
                    if length <= wilds:
                        out = append(out, here + board.wild)
                else:
                    out = append(out, here)
            route += 1
        return out

    def _builds(self, state: State, out: vec[i64]) -> vec[i64]:
        stations = state.station
        city: i64 = 0
        while city < self.board.cities:
            if stations[city] == NOBODY:
                out = append(out, self.build_at + city)
            city += 1
        return out

    def _owed_wilds(self, state: State, seat: i64) -> i64:
        """The fewest wilds that what a tunnel owes can be paid with."""
        if state.laid_colour == self.board.wild:
            return state.owed
        held = state.hands[seat * self.board.kinds + state.laid_colour]
        return max(state.owed - held, i64(0))

    def _claim(self, state: State, seat: i64, route: i64, colour: i64) -> i64:
        """The claim of a route in a colour, GREY for the one chosen by rule, with the fewest wilds."""
        board = self.board
        length = board.length[route]
        least = board.wilds[route]
        grey = board.colour[route] == GREY
        if colour == GREY:
            colour = self._best_colour(state, seat, length, least)
        wilds = length
        if colour != board.wild:
            wilds = max(least, length - state.hands[seat * board.kinds + colour])
        at = board.route_at[route]
        if wilds >= length:
            return at + (length - least) * (board.wild if grey else i64(1))
        return at + (colour * (length - least) if grey else i64(0)) + wilds - least

    def _best_colour(self, state: State, seat: i64, price: i64, least: i64) -> i64:
        """The colour that pays a price with fewest wilds; of those the largest stack, then the lowest number."""
        board = self.board
        hand = seat * board.kinds
        best = board.wild
        fewest_wilds = price
        colour: i64 = 0
        while colour < board.wild:
            held = state.hands[hand + colour]
            wilds = max(least, price - held)
            better = wilds < fewest_wilds
            if wilds == fewest_wilds and best != board.wild:
                better = held > state.hands[hand + best]
            if better:
                best = colour
                fewest_wilds = wilds
            colour += 1
        return best

    def _build_colour(self, state: State, seat: i64) -> i64:
        """The colour of the next station's payment; NONE where the hand can't pay."""
        hand = seat * self.board.kinds
        price = station_price(state, seat)
        colour = self._best_colour(state, seat, price, 0)
        held: i64 = 0 if colour == self.board.wild else state.hands[hand + colour]
        return colour if held + state.hands[hand + self.board.wild] >= price else NONE

    def _build(self, state: State, seat: i64, city: i64) -> i64:
        board = self.board
        if state.stations[seat] == 0:
            return NONE
        colour = self._build_colour(state, seat)
        if colour == NONE:
            return NONE
        wilds = max(station_price(state, seat) - state.hands[seat * board.kinds + colour], i64(0))
        return board.build_index(city, board.station_payment(colour, wilds))


def by_number(offer: vec[i64], mask: i64) -> i64:
    """A subset of an offer as it was dealt, as the subset of the same tickets in the order of their numbers."""
    one: i64 = 1
    out: i64 = 0
    i: i64 = 0
    while i < len(offer):
        if (mask >> i) & 1:
            out |= one << _rank(offer, i)
        i += 1
    return out


def by_offer(offer: vec[i64], mask: i64) -> i64:
    """The other way round; NONE for a subset that names more tickets than the offer has."""
    one: i64 = 1
    if mask >> i64(len(offer)):
        return NONE
    out: i64 = 0
    i: i64 = 0
    while i < len(offer):
        if (mask >> _rank(offer, i)) & 1:
            out |= one << i
        i += 1
    return out


def _rank(offer: vec[i64], i: i64) -> i64:
    rank: i64 = 0
    for ticket in offer:
        if ticket < offer[i]:
            rank += 1
    return rank
