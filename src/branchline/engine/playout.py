"""The fast road: random legal actions without a list of them, and whole games of such actions."""

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from branchline.engine.apply import act
from branchline.engine.board import EMPTY, GREY, NOBODY, NONE, zeros
from branchline.engine.legal import actor, is_open, largest_stack, legal, may_take, station_price
from branchline.engine.shuffle import Rng
from branchline.engine.stages import OVER, SECOND_DRAW, TURN

if TYPE_CHECKING:
    from branchline.engine.state import State

ENDLESS: Final[i64] = 5000
"""Turns after which a playout gives up: two seats failing tunnels for ever is legal."""
CLOSED: Final[i64] = 1 << 30
"""Longer than any route: no hand pays for it."""


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

    Routes that cost the same are a class. How many of each are open to a seat is counted when it is first asked, and
    then as routes are claimed.
    """

    def __init__(self, state: "State") -> None:
        """Begin with this state; whoever changes it tells which routes were claimed."""
        self.state = state
        board = state.board
        self.asked = zeros(state.seats)
        """Whether each seat has been counted for."""
        self.open = zeros(state.seats * board.classes)
        """Open routes of each class, seat by seat."""
        self.shortest = zeros(state.seats * board.kinds)
        """The shortest open route of each colour in cars, grey first, seat by seat; CLOSED where there is none."""

    def note_claim(self, route: i64) -> None:
        """A route was claimed: it and its twin may be open no more."""
        state = self.state
        twin = state.board.twin[route]
        seat: i64 = 0
        while seat < state.seats:
            if self.asked[seat]:
                if twin == NONE or state.owner[twin] != seat:  # it was open to all others (R4.4)
                    self._close(seat, route)
                if twin != NONE and state.owner[twin] == NOBODY and not is_open(state, twin, seat):
                    self._close(seat, twin)
            seat += 1

    def _close(self, seat: i64, route: i64) -> None:
        board = self.state.board
        at = seat * board.classes + board.route_class[route]
        self.open[at] -= 1
        if self.open[at] == 0:
            colour = board.colour[route]
            at = seat * board.kinds + colour + 1
            if self.shortest[at] == board.length[route]:
                self._find_shortest(seat, colour)

    def _ask(self, seat: i64) -> None:
        """Count for a seat that has not been asked before: all routes, less those that are not open."""
        state = self.state
        board = state.board
        self.asked[seat] = 1
        first = seat * board.classes
        at = first
        start: i64 = 0
        group: i64 = 1
        while group <= board.classes:
            end = board.class_start[group]
            self.open[at] = end - start
            start = end
            at += 1
            group += 1
        route: i64 = 0
        for owner in state.owner:
            if owner != NOBODY:
                self.open[first + board.route_class[route]] -= 1
                twin = board.twin[route]
                if twin != NONE and state.owner[twin] == NOBODY and not is_open(state, twin, seat):
                    self.open[first + board.route_class[twin]] -= 1
            route += 1
        colour = GREY
        while colour < board.wild:
            self._find_shortest(seat, colour)
            colour += 1

    def _find_shortest(self, seat: i64, colour: i64) -> None:
        """Find the shortest open route of a colour; its shortest class comes first."""
        board = self.state.board
        shortest = CLOSED
        which = colour + 1
        group = board.colour_classes[which]
        which += 1
        end = board.colour_classes[which]
        at = seat * board.classes + group
        while group < end:
            if self.open[at] > 0:
                shortest = board.class_length[group]
                break
            at += 1
            group += 1
        at = seat * board.kinds + colour + 1
        self.shortest[at] = shortest

    def choose(self, rng: Rng) -> i64:
        """One of the actor's legal actions, each as likely as the others.

        Draws, stations and each class of routes are weighed as they come; each takes the place of what was chosen
        before it with its share of the weight so far.
        """
        state = self.state
        if state.stage == SECOND_DRAW:
            return _some_draw(state, rng, _draws(state))
        if state.stage != TURN:
            actions = legal(state, actor(state))
            return actions[rng.below(len(actions))]
        board = state.board
        seat = state.seat
        draws = _draws(state)
        total = draws
        builds: i64 = 0
        build = False
        if state.stations[seat] > 0:
            builds = _payments(state, seat, station_price(state, seat), GREY, 0)
            weight = builds * _sites(state)
            total += weight
            build = weight > 0 and rng.below(total) < weight
        if not self.asked[seat]:
            self._ask(seat)
        # Locals for what the loop reads, and plain names for places in the tables of others: a table in an attribute is
        # counted as used and then as unused each time it is read at a place that is worked out in the brackets.
        hands, shortest, own, first = state.hands, self.shortest, seat * board.kinds, seat * board.classes
        wild = board.wild
        wilds = hands[own + wild]
        cars = state.cars[seat]
        held = largest_stack(state, seat)  # for grey routes, which come first
        chosen: i64 = NONE
        chosen_colour: i64 = NONE
        colour: i64 = GREY
        while True:
            longest = held + wilds
            if longest > cars:
                longest = cars
            which = colour + 1
            if shortest[own + which] <= longest:
                group = board.colour_classes[which]
                which += 1
                end = board.colour_classes[which]
                at = first + group
                while group < end:
                    length = board.class_length[group]
                    if length > longest:
                        break
                    routes = self.open[at]
                    at += 1
                    least = board.class_wilds[group]
                    if routes > 0 and least <= wilds:
                        if colour == GREY:
                            weight = routes * _payments(state, seat, length, GREY, least)
                        else:
                            weight = routes * _ways(length, held, wilds, least)
                            if wilds >= length:
                                weight += routes
                        total += weight
                        if rng.below(total) < weight:
                            chosen = group
                            chosen_colour = colour
                    group += 1
            colour += 1
            if colour == wild:
                break
            held = hands[own + colour]
        if chosen != NONE:
            return self._some_claim(rng, chosen, chosen_colour)
        if build:
            return _some_build(state, rng, builds)
        return _some_draw(state, rng, draws) if draws > 0 else board.pass_at

    def _some_claim(self, rng: Rng, group: i64, own: i64) -> i64:
        state = self.state
        board = state.board
        seat = state.seat
        length = board.class_length[group]
        least = board.class_wilds[group]
        at = seat * board.classes + group
        k = rng.below(self.open[at])
        i = board.class_start[group]
        while True:
            route = board.class_route[i]
            if state.owner[route] == NOBODY and is_open(state, route, seat):
                if k == 0:
                    break
                k -= 1
            i += 1
        payments = _payments(state, seat, length, own, least)
        colour, wilds = _payment(state, seat, length, own, least, rng.below(payments))
        return board.claim_index(route, colour, wilds)


def _draws(state: "State") -> i64:
    """Ways to draw: from the deck, from the row, and on a first draw tickets."""
    n: i64 = 0
    if state.deck_left > 0:
        n = 1
    forbidden = EMPTY  # what may not be taken beside a gap
    if state.stage == TURN:
        if len(state.ticket_deck) > 0:
            n += 1
    else:
        forbidden = state.board.wild
    for card in state.row:
        if card != EMPTY and card != forbidden:
            n += 1
    return n


def _some_draw(state: "State", rng: Rng, draws: i64) -> i64:
    k = rng.below(draws)
    if state.deck_left > 0:
        if k == 0:
            return 0
        k -= 1
    slot = state.board.row_at
    for card in state.row:
        if may_take(state, card):
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


def _some_build(state: "State", rng: Rng, builds: i64) -> i64:
    board = state.board
    k = rng.below(_sites(state))
    city: i64 = 0
    while state.station[city] != NOBODY or k > 0:
        if state.station[city] == NOBODY:
            k -= 1
        city += 1
    price = station_price(state, state.seat)
    colour, wilds = _payment(state, state.seat, price, GREY, 0, rng.below(builds))
    return board.build_index(city, board.station_payment(colour, wilds))


def _ways(price: i64, held: i64, wilds: i64, least: i64) -> i64:
    """In how many ways so many cards are paid in one colour with enough wilds, at least one card being of it."""
    most = wilds if wilds < price else price - 1
    fewest = price - held
    if fewest < least:
        fewest = least
    if fewest > most:
        return 0
    return most - fewest + 1


def _payments(state: "State", seat: i64, price: i64, own: i64, least: i64) -> i64:
    """In how many ways `seat` can pay so many cards of one colour (any, where `own` is GREY) with enough wilds."""
    hands = state.hands
    at = seat * state.board.kinds
    end = at + state.board.wild
    wilds = hands[end]
    if wilds < least:
        return 0
    n: i64 = 0
    if wilds >= price:
        n = 1
    if own != GREY:
        return n + _ways(price, hands[at + own], wilds, least)
    most = wilds if wilds < price else price - 1
    while at < end:  # as in `_ways`
        fewest = price - hands[at]
        if fewest < least:
            fewest = least
        if fewest <= most:
            n += most - fewest + 1
        at += 1
    return n


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
