"""The fast road: random legal actions without a list of them, and whole games of such actions."""

from typing import TYPE_CHECKING, Final

from librt.vecs import extend, vec
from mypy_extensions import i64

from branchline.engine.apply import act
from branchline.engine.board import EMPTY, GREY, NOBODY, NONE, filled, zeros
from branchline.engine.legal import actor, bits, fewest, is_open, legal, station_price
from branchline.engine.shuffle import Rng
from branchline.engine.stages import OPENING, OVER, SECOND_DRAW, TICKET_OFFER, TURN

if TYPE_CHECKING:
    from branchline.engine.state import State

ENDLESS: Final[i64] = 5000
"""Turns after which a playout gives up: two seats failing tunnels for ever is legal."""


def playout(state: "State", rng: Rng, turns: i64 = ENDLESS) -> bool:
    """Play uniformly random actions to the end; False if so many turns were not enough."""
    chooser = Chooser(state)
    board = state.board
    while state.stage != OVER:
        if state.turn > turns:
            return False
        index = chooser.choose(rng)
        route = state.route  # a tunnel may be claimed with what is paid for it
        if index >= board.claim_at and index < board.build_at:
            route = board.action_what[index]
        act(state, actor(state), index)
        if route != NONE and state.owner[route] != NOBODY:
            chooser.note_claim(route)
    return True


def random_action(state: "State", rng: Rng) -> i64:
    """One of the actor's legal actions, each as likely as the others."""
    return Chooser(state).choose(rng)


class Chooser:
    """Chooses actions in one game at random: what `legal` lists, only counted.

    How many routes of each price are open to a seat is counted when it is first asked, and then as routes are claimed.
    """

    def __init__(self, state: "State") -> None:
        """Begin with this state; whoever changes it tells which routes were claimed."""
        self.state = state
        self.start = filled(state.seats, NONE)
        """Where the counts of each seat begin, NONE before it has been asked."""
        self.open = vec[i64]()
        """Open routes of each price or of a shorter one, as `Board.priced`, for the seats that have been asked."""
        self.claims = zeros(state.board.kinds)
        """How many claims of the seat on turn are paid in each colour; in the wild, with wilds alone."""

    def note_claim(self, route: i64) -> None:
        """A route was claimed: it and its twin may be open no more."""
        state = self.state
        twin = state.board.twin[route]
        seat: i64 = 0
        for start in self.start:
            if start != NONE:
                if twin == NONE or state.owner[twin] != seat:  # it was open to all others (R4.4)
                    self._close(start, route)
                if twin != NONE and state.owner[twin] == NOBODY and not is_open(state, twin, seat):
                    self._close(start, twin)
            seat += 1

    def _close(self, start: i64, route: i64) -> None:
        """One route less of its price, and of those that differ only in being longer."""
        board, open = self.state.board, self.open
        at = start + board.price[route]
        end = at + board.longest - board.length[route]
        while at <= end:
            open[at] -= 1
            at += 1

    def _ask(self, seat: i64) -> None:
        """Count for a seat that has not been asked before: all routes, less those that are not open."""
        state = self.state
        board = state.board
        start: i64 = len(self.open)
        self.start[seat] = start
        self.open = extend(self.open, board.priced)
        route: i64 = 0
        for owner in state.owner:
            if owner != NOBODY:
                self._close(start, route)
                twin = board.twin[route]
                if twin != NONE and state.owner[twin] == NOBODY and not is_open(state, twin, seat):
                    self._close(start, twin)
            route += 1

    def choose(self, rng: Rng) -> i64:
        """One of the actor's legal actions, each as likely as the others: all are counted, and one number picks."""
        state = self.state
        if state.stage == SECOND_DRAW:
            return _draw(state, rng.below(_draws(state)))
        if state.stage == TICKET_OFFER:
            return _keep(state, i64(len(state.offer)), rng)
        if state.stage == OPENING:
            return _keep(state, state.board.opening, rng)
        if state.stage != TURN:
            actions = legal(state, actor(state))
            return actions[rng.below(len(actions))]
        seat = state.seat
        if self.start[seat] == NONE:
            self._ask(seat)
        draws = _draws(state)
        payments: i64 = 0
        builds: i64 = 0
        if state.stations[seat] > 0:
            payments = _station_payments(state, seat)
            builds = payments * _sites(state)
        total = draws + builds + self._count_claims(seat)
        if total == 0:
            return state.board.pass_at  # R3.10
        k = rng.below(total)
        if k < draws:
            return _draw(state, k)
        k -= draws
        if k < builds:
            return _build(state, k // payments, k % payments)
        return self._claim(seat, k - builds)

    def _count_claims(self, seat: i64) -> i64:
        """In how many ways `seat` can claim a route: with each number of wilds in each colour, or with wilds alone."""
        board = self.state.board
        most = self.state.hands[seat * board.kinds + board.wild]
        total = self._count_without_wilds(seat)
        if most == 0:
            return total
        wilds: i64 = 1
        while wilds <= most:
            least: i64 = 0
            while least <= wilds and least <= board.most_wilds:
                total += self._count_with_wilds(seat, wilds, least)
                least += 1
            wilds += 1
        return total + self._count_wilds_alone(seat, most)

    def _count_without_wilds(self, seat: i64) -> i64:
        """Count claims paid in each colour without a wild: most hands have none."""
        state = self.state
        board = state.board
        open, claims, hands = self.open, self.claims, state.hands  # a loop reads a local for nothing
        longest = self._longest(seat)
        grey = self.start[seat]
        own = grey
        hand = seat * board.kinds
        total: i64 = 0
        colour: i64 = 0
        while colour < board.wild:
            own += board.colour_prices
            reach = hands[hand + colour]
            if reach > longest:
                reach = longest
            ways = open[grey + reach] + open[own + reach]
            claims[colour] = ways
            total += ways
            colour += 1
        claims[colour] = 0
        return total

    def _count_with_wilds(self, seat: i64, wilds: i64, least: i64) -> i64:
        """Count claims of routes that want `least` wilds, paid with so many and one card or more of a colour."""
        state = self.state
        board = state.board
        open, claims, hands = self.open, self.claims, state.hands
        longest = self._longest(seat)
        if longest <= wilds:  # no route has room for a card beside them
            return 0
        grey = self.start[seat] + board.price_at(GREY, least)
        shorter = open[grey + wilds]
        own = grey
        hand = seat * board.kinds
        total: i64 = 0
        colour: i64 = 0
        while colour < board.wild:
            own += board.colour_prices
            reach = hands[hand + colour] + wilds
            if reach > longest:
                reach = longest
            ways = open[grey + reach] - shorter + open[own + reach] - open[own + wilds]
            claims[colour] += ways
            total += ways
            colour += 1
        return total

    def _count_wilds_alone(self, seat: i64, wilds: i64) -> i64:
        """Count claims that are paid with wilds and nothing else: one for each open route that is short enough."""
        board = self.state.board
        reach = self._longest(seat)
        if wilds < reach:
            reach = wilds
        at = self.start[seat] + reach
        end = self.start[seat] + len(board.priced)
        n: i64 = 0
        while at < end:
            n += self.open[at]
            at += board.longest + 1
        self.claims[board.wild] = n
        return n

    def _longest(self, seat: i64) -> i64:
        """The longest route that the cars of `seat` suffice for."""
        cars = self.state.cars[seat]
        return min(cars, self.state.board.longest)

    def _claim(self, seat: i64, k: i64) -> i64:
        """The k-th of the claims counted last."""
        claims = self.claims
        colour: i64 = 0
        while k >= claims[colour]:
            k -= claims[colour]
            colour += 1
        board, open = self.state.board, self.open
        held = self.state.hands[seat * board.kinds + colour]
        longest = self._longest(seat)
        if colour == board.wild:
            return self._claim_with_wilds_alone(seat, min(held, longest), k)
        wilds: i64 = 0
        while True:
            reach = min(held + wilds, longest)
            least: i64 = 0
            while least <= wilds and least <= board.most_wilds:
                own: i64 = GREY
                while own <= colour:
                    at = self.start[seat] + board.price_at(own, least)
                    shorter = open[at + wilds]
                    routes = open[at + reach] - shorter
                    if k < routes:
                        route = self._open_route(seat, own, least, k + shorter)
                        return board.claim_index(route, colour, wilds)
                    k -= routes
                    own += colour + 1  # grey, then the colour itself
                least += 1
            wilds += 1

    def _claim_with_wilds_alone(self, seat: i64, reach: i64, k: i64) -> i64:
        """The k-th of the claims of routes up to this length with wilds alone."""
        board = self.state.board
        own: i64 = GREY
        while True:
            least: i64 = 0
            while least <= board.most_wilds:
                routes = self.open[self.start[seat] + board.price_at(own, least) + reach]
                if k < routes:
                    route = self._open_route(seat, own, least, k)
                    return board.claim_index(route, board.wild, board.length[route])
                k -= routes
                least += 1
            own += 1

    def _open_route(self, seat: i64, own: i64, least: i64, nth: i64) -> i64:
        """The n-th route of a colour that wants so many wilds and is open to `seat`, the shortest first."""
        state = self.state
        board = state.board
        which = own + 1
        group = board.colour_classes[which]
        while board.class_wilds[group] != least:
            group += 1
        at = board.class_start[group]
        while True:
            route = board.class_route[at]
            if state.owner[route] == NOBODY and is_open(state, route, seat):
                if nth == 0:
                    return route
                nth -= 1
            at += 1


def _keep(state: "State", offered: i64, rng: Rng) -> i64:
    """Some answer to an offer of so many tickets that keeps enough of them."""
    least = fewest(state)
    answers: i64 = 0
    mask = (i64(1) << offered) - 1
    while mask > 0:
        if bits(mask) >= least:
            answers += 1
        mask -= 1
    k = rng.below(answers)
    while True:
        mask += 1
        if bits(mask) >= least:
            if k == 0:
                return state.board.keep_index(mask)
            k -= 1


def _draws(state: "State") -> i64:
    """Ways to draw: from the deck, from the row, and on a first draw tickets."""
    n: i64 = 0
    if state.deck_left > 0:
        n = 1
    if state.stage == TURN and len(state.ticket_deck) > 0:
        n += 1
    forbidden = _forbidden(state)
    for card in state.row:
        if card != EMPTY and card != forbidden:
            n += 1
    return n


def _forbidden(state: "State") -> i64:
    """What may not be taken from the row beside a gap: as a second card a wild (R3.4), as a first nothing."""
    if state.stage == TURN:
        return EMPTY
    return state.board.wild


def _draw(state: "State", k: i64) -> i64:
    """The k-th of these."""
    if state.deck_left > 0:
        if k == 0:
            return 0
        k -= 1
    forbidden = _forbidden(state)
    slot = state.board.row_at
    for card in state.row:
        if card != EMPTY and card != forbidden:
            if k == 0:
                return slot
            k -= 1
        slot += 1
    return state.board.tickets_at


def _sites(state: "State") -> i64:
    """Cities without a station: all but those for the stations that have left their owners."""
    n = state.board.cities - state.seats * state.board.rules.stations
    for left in state.stations:
        n += left
    return n


def _build(state: "State", site: i64, payment: i64) -> i64:
    """A station in one of the cities without one, with one of its payments, both counted from 0."""
    board = state.board
    city: i64 = 0
    while state.station[city] != NOBODY or site > 0:
        if state.station[city] == NOBODY:
            site -= 1
        city += 1
    colour, wilds = _payment(state, state.seat, station_price(state, state.seat), GREY, 0, payment)
    return board.build_index(city, board.station_payment(colour, wilds))


def _station_payments(state: "State", seat: i64) -> i64:
    """In how many ways `seat` can pay for its next station (R6.2)."""
    hands = state.hands
    price = station_price(state, seat)
    at = seat * state.board.kinds
    end = at + state.board.wild
    wilds = hands[end]
    n: i64 = 0
    if wilds >= price:
        n = 1
    while at < end:
        n += _ways(price, hands[at], wilds, 0)
        at += 1
    return n


def _ways(price: i64, held: i64, wilds: i64, least: i64) -> i64:
    """In how many ways so many cards are paid in one colour with enough wilds, at least one card being of it."""
    most = wilds if wilds < price else price - 1
    fewest = price - held
    if fewest < least:
        fewest = least
    if fewest > most:
        return 0
    return most - fewest + 1


def _payment(state: "State", seat: i64, price: i64, own: i64, least: i64, k: i64) -> tuple[i64, i64]:
    """The k-th of these payments: its colour and number of wilds."""
    board = state.board
    hand = seat * board.kinds
    wilds = state.hands[hand + board.wild]
    colour: i64 = 0
    last = board.wild - 1
    if own != GREY:
        colour = last = own
    while colour <= last:
        held = state.hands[hand + colour]
        ways = _ways(price, held, wilds, least)
        if k < ways:
            return colour, max(least, price - held) + k
        k -= ways
        colour += 1
    return board.wild, price
