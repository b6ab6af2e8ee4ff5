"""The fast road: a random legal action without a list of them, and whole games of such actions."""

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from branchline.engine.apply import act
from branchline.engine.board import GREY, NOBODY, NONE
from branchline.engine.legal import actor, is_open, largest_stack, legal, may_take, station_price
from branchline.engine.shuffle import Rng
from branchline.engine.stages import OVER, SECOND_DRAW, TURN

if TYPE_CHECKING:
    from branchline.engine.state import State

ENDLESS: Final[i64] = 5000
"""Turns after which a playout gives up: two seats failing tunnels for ever is legal."""


def playout(state: "State", rng: Rng, turns: i64 = ENDLESS) -> bool:
    """Play uniformly random actions to the end; False if so many turns were not enough."""
    while state.stage != OVER:
        if state.turn > turns:
            return False
        act(state, actor(state), random_action(state, rng))
    return True


def random_action(state: "State", rng: Rng) -> i64:
    """One of the actor's legal actions, each as likely as the others: what `legal` lists, only counted.

    Draws, stations and each class of equal routes are weighed as they come; each takes the place of what was chosen
    before it with its share of the weight so far.
    """
    if state.stage == SECOND_DRAW:
        return _some_draw(state, rng)
    if state.stage != TURN:
        actions = legal(state, actor(state))
        return actions[rng.below(len(actions))]
    board = state.board
    seat = state.seat
    total = _draws(state)
    builds: i64 = 0
    build = False
    if state.stations[seat] > 0:
        builds = _payments(state, seat, station_price(state, seat), GREY, 0)
        weight = builds * _sites(state)
        total += weight
        build = weight > 0 and rng.below(total) < weight
    wilds = state.hands[seat * board.kinds + board.wild]
    cars = state.cars[seat]
    chosen: i64 = NONE
    chosen_colour: i64 = NONE
    colour: i64 = GREY
    while colour < board.wild:
        held = largest_stack(state, seat) if colour == GREY else state.hands[seat * board.kinds + colour]
        longest = held + wilds
        if longest > cars:
            longest = cars
        group = board.colour_classes[colour + 1]
        while group < board.colour_classes[colour + 2] and board.class_length[group] <= longest:
            routes: i64 = 0
            if board.class_wilds[group] <= wilds:
                routes = _open(state, seat, group)
            if routes > 0:
                weight = routes * _payments(state, seat, board.class_length[group], colour, board.class_wilds[group])
                total += weight
                if rng.below(total) < weight:
                    chosen = group
                    chosen_colour = colour
            group += 1
        colour += 1
    if chosen != NONE:
        return _some_claim(state, rng, chosen, chosen_colour)
    if build:
        return _some_build(state, rng, builds)
    return _some_draw(state, rng) if total > 0 else board.pass_at


def _draws(state: "State") -> i64:
    """Ways to draw: from the deck, from the row, and on a first draw tickets."""
    n: i64 = 0
    if state.deck_left > 0:
        n = 1
    for card in state.row:
        if may_take(state, card):
            n += 1
    if state.stage == TURN and len(state.ticket_deck) > 0:
        n += 1
    return n


def _some_draw(state: "State", rng: Rng) -> i64:
    k = rng.below(_draws(state))
    if state.deck_left > 0:
        if k == 0:
            return 0
        k -= 1
    slot: i64 = 0
    while slot < len(state.row):
        if may_take(state, state.row[slot]):
            if k == 0:
                return state.board.row_at + slot
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
    at = board.build_at + city * board.builds
    return at + colour * board.rules.stations + (0 if colour == board.wild else wilds)


def _open(state: "State", seat: i64, group: i64) -> i64:
    """Routes of a class that are open to `seat`."""
    board = state.board
    n: i64 = 0
    i = board.class_start[group]
    while i < board.class_start[group + 1]:
        if is_open(state, board.class_route[i], seat):
            n += 1
        i += 1
    return n


def _some_claim(state: "State", rng: Rng, group: i64, own: i64) -> i64:
    board = state.board
    seat = state.seat
    length = board.class_length[group]
    least = board.class_wilds[group]
    k = rng.below(_open(state, seat, group))
    i = board.class_start[group]
    while True:
        if is_open(state, board.class_route[i], seat):
            if k == 0:
                break
            k -= 1
        i += 1
    payments = _payments(state, seat, length, own, least)
    colour, wilds = _payment(state, seat, length, own, least, rng.below(payments))
    at = board.route_at[board.class_route[i]]
    if colour == board.wild:
        return at + (length - least) * (board.wild if own == GREY else 1)
    if own != GREY:
        colour = 0
    return at + colour * (length - least) + wilds - least


def _payments(state: "State", seat: i64, price: i64, own: i64, least: i64) -> i64:
    """In how many ways `seat` can pay so many cards of one colour (any, where `own` is GREY) with enough wilds."""
    board = state.board
    hand = seat * board.kinds
    wilds = state.hands[hand + board.wild]
    if wilds < least:
        return 0
    n: i64 = 1 if wilds >= price else 0
    most = min(wilds, price - 1)
    colour: i64 = 0
    last = board.wild - 1
    if own != GREY:
        colour = last = own
    while colour <= last:
        fewest = max(least, price - state.hands[hand + colour])
        if fewest <= most:
            n += most - fewest + 1
        colour += 1
    return n


def _payment(state: "State", seat: i64, price: i64, own: i64, least: i64, k: i64) -> tuple[i64, i64]:
    """The k-th of these payments: its colour and number of wilds."""
    board = state.board
    hand = seat * board.kinds
    most = min(state.hands[hand + board.wild], price - 1)
    colour: i64 = 0
    last = board.wild - 1
    if own != GREY:
        colour = last = own
    while colour <= last:
        fewest = max(least, price - state.hands[hand + colour])
        if fewest <= most:
            if k <= most - fewest:
                return colour, fewest + k
            k -= most - fewest + 1
        colour += 1
    return board.wild, price
