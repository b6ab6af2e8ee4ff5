"""Who may act, and what is legal. `legal` lists and `refusal` judges; both stand on the same small questions."""

from typing import TYPE_CHECKING

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import (
    BUILD,
    CLAIM,
    DRAW_DECK,
    DRAW_ROW,
    DRAW_TICKETS,
    EMPTY,
    GREY,
    KEEP,
    NOBODY,
    NONE,
    PAY,
    TAKE_BACK,
)
from branchline.engine.refusals import (
    ANSWERED,
    CITY_TAKEN,
    DECK_EMPTY,
    FEW_CARDS,
    FEW_CARS,
    GAME_OVER,
    KEEP_MORE,
    LEGAL,
    NO_QUESTION,
    NO_TICKETS,
    NOT_AN_ACTION,
    NOT_OFFERED,
    NOT_STUCK,
    NOT_YOUR_TURN,
    OPENING_KEEP,
    OPENING_KEEP_UNDER,
    OWED_CARDS,
    OWED_WILDS,
    QUESTION_OPEN,
    ROUTE_TAKEN,
    SLOT_EMPTY,
    STATION_CARDS,
    STATION_COUNT,
    STATIONS_USED,
    TWIN_CLOSED,
    TWIN_YOURS,
    WILD_SECOND,
)
from branchline.engine.stages import OPENING, OVER, SECOND_DRAW, TICKET_OFFER, TUNNEL_OWED, TURN

if TYPE_CHECKING:
    from branchline.engine.state import State


def actor(state: "State") -> i64:
    """The seat to act; in the opening the lowest that has not answered; NONE when the game is over."""
    if state.stage == OVER:
        return NONE
    if state.stage != OPENING:
        return state.seat
    seat: i64 = 0
    while state.answers[seat] != NONE:
        seat += 1
    return seat


def to_act(state: "State") -> vec[i64]:
    """Every seat that may act now."""
    seats = vec[i64]()
    if state.stage == OPENING:
        seat: i64 = 0
        while seat < state.seats:
            if state.answers[seat] == NONE:
                seats = append(seats, seat)
            seat += 1
    elif state.stage != OVER:
        seats = append(seats, state.seat)
    return seats


def is_open(state: "State", route: i64, seat: i64) -> bool:
    """Whether `seat` could still claim `route`, cards and cars aside."""
    owner = state.owner
    if owner[route] != NOBODY:
        return False
    twin = state.board.twin[route]
    if twin == NONE or owner[twin] == NOBODY:
        return True
    if state.seats < state.board.rules.twins_from:  # R4.5
        return False
    return owner[twin] != seat  # R4.4


def barred(state: "State", route: i64, seat: i64) -> i64:
    """Why `seat` could not claim `route` with all the cards of the world, or LEGAL."""
    if not is_open(state, route, seat):
        if state.owner[route] != NOBODY:
            return ROUTE_TAKEN
        return TWIN_YOURS if state.owner[state.board.twin[route]] == seat else TWIN_CLOSED
    return LEGAL if state.cars[seat] >= state.board.length[route] else FEW_CARS


def station_price(state: "State", seat: i64) -> i64:
    """Cards the next station of `seat` costs: one more than it has built (R6.2)."""
    return state.board.rules.stations - state.stations[seat] + 1


def too_few(state: "State") -> i64:
    """The refusal of an answer that keeps too few of the open offer."""
    if state.stage != OPENING:
        return KEEP_MORE
    return OPENING_KEEP_UNDER if state.board.rules.opening_under else OPENING_KEEP


def largest_stack(state: "State", seat: i64) -> i64:
    """The most cards of one colour in the hand of `seat`, wilds aside."""
    hands = state.hands
    at = seat * state.board.kinds
    end = at + state.board.wild
    most: i64 = 0
    while at < end:
        if hands[at] > most:
            most = hands[at]
        at += 1
    return most


def fewest(state: "State") -> i64:
    """How many tickets of the open offer have to be kept (R2.3, R2.4, R5.1)."""
    rules = state.board.rules
    if state.stage == OPENING:
        return rules.opening_keep
    return min(rules.ticket_keep, i64(len(state.offer)))


def bits(mask: i64) -> i64:
    """How many tickets a subset has."""
    n: i64 = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


def may_take(state: "State", card: i64) -> bool:
    """Whether what lies in a place of the row may be taken: a face-up wild only as the first card (R3.4)."""
    return card != EMPTY and (card != state.board.wild or state.stage == TURN)


def can_draw_second(state: "State") -> bool:
    """Whether a second card can be drawn at all (R3.9)."""
    if state.deck_left > 0:
        return True
    for card in state.row:
        if card != EMPTY and card != state.board.wild:
            return True
    return False


def legal(state: "State", seat: i64) -> vec[i64]:
    """The indices of the legal actions of `seat`, ascending."""
    if state.stage == OPENING:
        if 0 <= seat < state.seats and state.answers[seat] == NONE:
            return _keeps(state, state.board.opening)
        return vec[i64]()
    if seat != state.seat or state.stage == OVER:
        return vec[i64]()
    if state.stage == TICKET_OFFER:
        return _keeps(state, i64(len(state.offer)))
    if state.stage == TUNNEL_OWED:
        return _tunnel_answers(state, seat)
    actions = _draws(state, vec[i64](capacity=64))
    if state.stage == SECOND_DRAW:
        return actions
    if len(state.ticket_deck) > 0:
        actions = append(actions, state.board.tickets_at)
    actions = _claims(state, seat, actions)
    if state.stations[seat] > 0:
        actions = _builds(state, seat, actions)
    if len(actions) == 0:
        actions = append(actions, state.board.pass_at)
    return actions


def _keeps(state: "State", offered: i64) -> vec[i64]:
    actions = vec[i64](capacity=16)
    least = fewest(state)
    one: i64 = 1
    mask: i64 = 1
    while mask < one << offered:
        if bits(mask) >= least:
            actions = append(actions, state.board.keep_index(mask))
        mask += 1
    return actions


def _tunnel_answers(state: "State", seat: i64) -> vec[i64]:
    board = state.board
    actions = append(vec[i64](capacity=8), board.take_back_at)
    wilds: i64 = 0
    while wilds <= state.owed:
        if _owed_refusal(state, seat, wilds) == LEGAL:
            actions = append(actions, board.pay_index(wilds))
        wilds += 1
    return actions


def _draws(state: "State", actions: vec[i64]) -> vec[i64]:
    board = state.board
    if state.deck_left > 0:
        actions = append(actions, 0)
    slot: i64 = 0
    while slot < len(state.row):
        if may_take(state, state.row[slot]):
            actions = append(actions, board.row_at + slot)
        slot += 1
    return actions


def _claims(state: "State", seat: i64, actions: vec[i64]) -> vec[i64]:
    board = state.board
    # Locals for what the loop reads: each time an attribute is read it is counted as used, and then as unused.
    hands, hand = state.hands, seat * board.kinds
    lengths, colours, least_wilds, owner = board.length, board.colour, board.wilds, state.owner
    have_wilds = hands[hand + board.wild]
    longest = _longest(state, seat)
    colour: i64 = 0
    route: i64 = 0
    while route < board.routes:
        length = lengths[route]
        own = colours[route]
        affordable = length <= longest[own + 1] and least_wilds[route] <= have_wilds
        if affordable and owner[route] == NOBODY and is_open(state, route, seat):
            colour = 0
            last = board.wild - 1
            if own != GREY:
                colour = last = own
            while colour <= last:
                wilds = max(least_wilds[route], length - hands[hand + colour])
                if wilds < length and wilds <= have_wilds:
                    index = board.claim_index(route, colour, wilds)
                    while wilds < length and wilds <= have_wilds:
                        actions = append(actions, index)
                        index += 1
                        wilds += 1
                colour += 1
            if have_wilds >= length:
                actions = append(actions, board.claim_index(route, board.wild, length))
        route += 1
    return actions


def _longest(state: "State", seat: i64) -> vec[i64]:
    """The longest route that hand and cars of `seat` suffice for: a grey one, then one of each colour."""
    board = state.board
    hand = seat * board.kinds
    wilds = state.hands[hand + board.wild]
    cars = state.cars[seat]
    out = vec[i64](capacity=board.kinds)
    out = append(out, min(largest_stack(state, seat) + wilds, cars))
    colour: i64 = 0
    while colour < board.wild:
        out = append(out, min(state.hands[hand + colour] + wilds, cars))
        colour += 1
    return out


def _builds(state: "State", seat: i64, actions: vec[i64]) -> vec[i64]:
    board = state.board
    hand = seat * board.kinds
    price = station_price(state, seat)
    payments = vec[i64](capacity=32)
    colour: i64 = 0
    while colour < board.wild:
        wilds = max(i64(0), price - state.hands[hand + colour])
        while wilds < price and wilds <= state.hands[hand + board.wild]:
            payments = append(payments, board.station_payment(colour, wilds))
            wilds += 1
        colour += 1
    if state.hands[hand + board.wild] >= price:
        payments = append(payments, board.station_payment(board.wild, price))
    city: i64 = 0
    while city < board.cities:
        if state.station[city] == NOBODY:  # R6.1
            for payment in payments:
                actions = append(actions, board.build_index(city, payment))
        city += 1
    return actions


def not_now(state: "State", seat: i64, kind: i64) -> i64:
    """Why `seat` may do nothing of this kind at this moment, whatever it holds, or LEGAL."""
    stage = state.stage
    if stage == OVER:
        return GAME_OVER
    if seat < 0 or seat >= state.seats:
        return NOT_YOUR_TURN
    if stage == OPENING:
        if state.answers[seat] != NONE:
            return ANSWERED
        return LEGAL if kind == KEEP else QUESTION_OPEN
    if seat != state.seat:
        return NOT_YOUR_TURN
    if kind == KEEP:
        return LEGAL if stage == TICKET_OFFER else NO_QUESTION
    if kind == TAKE_BACK or kind == PAY:
        return LEGAL if stage == TUNNEL_OWED else NO_QUESTION
    if stage == TURN or (stage == SECOND_DRAW and kind <= DRAW_ROW):
        return LEGAL
    return QUESTION_OPEN  # R3.12


def refusal(state: "State", seat: i64, index: i64) -> i64:
    """Why `seat` may not do action `index` now, or LEGAL."""
    board = state.board
    if index < 0 or index >= board.actions:
        return NOT_AN_ACTION
    kind = board.action_kind[index]
    reason = not_now(state, seat, kind)
    if reason != LEGAL:
        return reason
    if kind == KEEP:
        return _keep_refusal(state, board.action_what[index])
    if kind == TAKE_BACK:
        return LEGAL
    if kind == PAY:
        return _owed_refusal(state, seat, board.action_wilds[index])
    if kind == DRAW_DECK:
        return LEGAL if state.deck_left > 0 else DECK_EMPTY
    if kind == DRAW_ROW:
        card = state.row[board.action_what[index]]
        if card == EMPTY:
            return SLOT_EMPTY
        return WILD_SECOND if card == board.wild and state.stage == SECOND_DRAW else LEGAL  # R3.4
    if kind == DRAW_TICKETS:
        return LEGAL if len(state.ticket_deck) > 0 else NO_TICKETS
    if kind == CLAIM:
        return _claim_refusal(state, seat, index)
    if kind == BUILD:
        return _build_refusal(state, seat, index)
    return LEGAL if legal(state, seat)[0] == index else NOT_STUCK


def _keep_refusal(state: "State", mask: i64) -> i64:
    opening = state.stage == OPENING
    offered = state.board.opening if opening else i64(len(state.offer))
    if mask >> offered:
        return NOT_OFFERED
    if bits(mask) >= fewest(state):
        return LEGAL
    return too_few(state)


def _owed_refusal(state: "State", seat: i64, wilds: i64) -> i64:
    """Why what the tunnel owes can't be paid with so many wilds and the rest in the colour laid down."""
    hand = seat * state.board.kinds
    if wilds > state.owed:
        return OWED_CARDS
    if state.laid_colour == state.board.wild and wilds < state.owed:
        return OWED_WILDS
    if state.hands[hand + state.board.wild] < wilds:
        return OWED_CARDS
    if wilds < state.owed and state.hands[hand + state.laid_colour] < state.owed - wilds:
        return OWED_CARDS
    return LEGAL


def _claim_refusal(state: "State", seat: i64, index: i64) -> i64:
    board = state.board
    route = board.action_what[index]
    reason = barred(state, route, seat)
    if reason != LEGAL:
        return reason
    return LEGAL if _holds(state, seat, index, board.length[route]) else FEW_CARDS


def _build_refusal(state: "State", seat: i64, index: i64) -> i64:
    board = state.board
    if state.stations[seat] == 0:
        return STATIONS_USED
    if state.station[board.action_what[index]] != NOBODY:
        return CITY_TAKEN
    price = station_price(state, seat)
    if board.action_wilds[index] >= price:
        return STATION_COUNT
    return LEGAL if _holds(state, seat, index, price) else STATION_CARDS


def _holds(state: "State", seat: i64, index: i64, price: i64) -> bool:
    """Whether the payment of action `index`, so many cards in all, is in the hand."""
    board = state.board
    hand = seat * board.kinds
    colour = board.action_colour[index]
    if colour == board.wild:
        return state.hands[hand + colour] >= price
    wilds = board.action_wilds[index]
    return state.hands[hand + board.wild] >= wilds and state.hands[hand + colour] >= price - wilds
