"""What each kind of action does: one short function each. Legality is not asked here again."""

from typing import TYPE_CHECKING

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from branchline.engine.board import (
    BUILD,
    CLAIM,
    DRAW_DECK,
    DRAW_ROW,
    DRAW_TICKETS,
    EMPTY,
    KEEP,
    NONE,
    PAY,
    TAKE_BACK,
    TUNNEL,
    changed,
    zeros,
)
from branchline.engine.cards import draw, reshuffle_if_empty, settle
from branchline.engine.fields import unshare
from branchline.engine.happenings import (
    AnsweredOpening,
    Built,
    Claimed,
    Drawn,
    Ended,
    Kept,
    Laid,
    LastRound,
    Offered,
    Owed,
    Passed,
    Taken,
    TookBack,
    TurnBegan,
    Turned,
    ints,
)
from branchline.engine.legal import can_draw_second, station_price
from branchline.engine.stages import OPENING, OVER, SECOND_DRAW, TICKET_OFFER, TUNNEL_OWED, TURN

if TYPE_CHECKING:
    from branchline.engine.state import State


def act(state: "State", seat: i64, index: i64) -> None:
    """Do a legal action."""
    board = state.board
    kind = board.action_kind[index]
    what = board.action_what[index]
    if kind == DRAW_DECK:
        _draw_deck(state, seat)
    elif kind == DRAW_ROW:
        _draw_row(state, seat, what)
    elif kind == CLAIM:
        _claim(state, seat, what, board.action_colour[index], board.action_wilds[index])
    elif kind == BUILD:
        _build(state, seat, what, board.action_colour[index], board.action_wilds[index])
    elif kind == DRAW_TICKETS:
        _draw_tickets(state, seat)
    elif kind == KEEP:
        if state.stage == OPENING:
            _answer_opening(state, seat, what)
        else:
            _keep(state, seat, what)
    elif kind == PAY:
        _pay_owed(state, seat, board.action_wilds[index])
    elif kind == TAKE_BACK:
        _take_back(state, seat)
    else:
        _pass(state, seat)


def _draw_deck(state: "State", seat: i64) -> None:
    card = draw(state)
    at = seat * state.board.kinds + card
    state.hands[at] += 1
    if state.happenings is not None:
        state.happenings.add(Drawn(seat, card))
    settle(state)
    _after_draw(state)


def _draw_row(state: "State", seat: i64, slot: i64) -> None:
    card = state.row[slot]
    state.row[slot] = EMPTY
    at = seat * state.board.kinds + card
    state.hands[at] += 1
    if state.happenings is not None:
        state.happenings.add(Taken(seat, slot, card))
    settle(state)
    if card == state.board.wild:  # R3.3
        _end_turn(state)
    else:
        _after_draw(state)


def _after_draw(state: "State") -> None:
    if state.stage == TURN and can_draw_second(state):
        state.stage = SECOND_DRAW
    else:
        _end_turn(state)


def _claim(state: "State", seat: i64, route: i64, colour: i64, wilds: i64) -> None:
    board = state.board
    length = board.length[route]
    if board.kind[route] == TUNNEL:
        _dig(state, seat, route, colour, wilds)
        return
    _move_cards(state, seat, colour, length - wilds, wilds, -1)
    _discard(state, colour, length - wilds, wilds)
    _place_cars(state, seat, route, colour, length - wilds, wilds)
    settle(state)
    _end_turn(state)


def _dig(state: "State", seat: i64, route: i64, colour: i64, wilds: i64) -> None:
    """Lay down the payment for a tunnel and turn up the cards (R4.8)."""
    board = state.board
    _move_cards(state, seat, colour, board.length[route] - wilds, wilds, -1)
    state.route = route
    state.laid_colour = colour
    state.laid_wilds = wilds
    if state.happenings is not None:
        state.happenings.add(Laid(seat, route, colour, board.length[route] - wilds, wilds))
    turned = vec[i64](capacity=board.rules.tunnel_cards)
    owed: i64 = 0
    while i64(len(turned)) < board.rules.tunnel_cards:
        card = draw(state)
        if card == EMPTY:  # R4.12
            break
        turned = append(turned, card)
        if state.happenings is not None:
            state.happenings.add(Turned(seat, card))
        if card == colour or card == board.wild:  # R4.8, and R4.9 where the colour is the wild itself
            owed += 1
    reshuffle_if_empty(state)  # at once, without what lies on the table (R3.7, R4.11)
    state.turned = turned
    state.owed = owed
    if state.happenings is not None:
        state.happenings.add(Owed(seat, owed))
    if owed == 0:
        _finish_tunnel(state, seat, 0, 0)
    else:
        state.stage = TUNNEL_OWED


def _pay_owed(state: "State", seat: i64, wilds: i64) -> None:
    _move_cards(state, seat, state.laid_colour, state.owed - wilds, wilds, -1)
    _finish_tunnel(state, seat, state.owed - wilds, wilds)


def _finish_tunnel(state: "State", seat: i64, extra: i64, extra_wilds: i64) -> None:
    """Claim the tunnel; payment, extra and turned-up cards reach the discards together (R4.11)."""
    route = state.route
    coloured = state.board.length[route] - state.laid_wilds + extra
    wilds = state.laid_wilds + extra_wilds
    _discard(state, state.laid_colour, coloured, wilds)
    _place_cars(state, seat, route, state.laid_colour, coloured, wilds)
    _clear_tunnel(state)


def _take_back(state: "State", seat: i64) -> None:
    """Nothing is placed, scored or closed (R4.10)."""
    if state.happenings is not None:
        state.happenings.add(TookBack(seat, state.route))
    wilds = state.laid_wilds
    _move_cards(state, seat, state.laid_colour, state.board.length[state.route] - wilds, wilds, 1)
    _clear_tunnel(state)


def _clear_tunnel(state: "State") -> None:
    for card in state.turned:
        state.discards[card] += 1
    state.turned = vec[i64]()
    state.route = NONE
    state.laid_colour = NONE
    state.laid_wilds = 0
    state.owed = 0
    settle(state)
    _end_turn(state)


def _place_cars(state: "State", seat: i64, route: i64, colour: i64, coloured: i64, wilds: i64) -> None:
    board = state.board
    if state.shared:
        unshare(state)
    state.owner[route] = seat
    state.cars[seat] -= board.length[route]
    state.points[seat] += board.points[route]
    if state.happenings is not None:
        state.happenings.add(Claimed(seat, route, colour, coloured, wilds, board.points[route]))


def _build(state: "State", seat: i64, city: i64, colour: i64, wilds: i64) -> None:
    price = station_price(state, seat)
    if colour == state.board.wild:
        wilds = price
    _move_cards(state, seat, colour, price - wilds, wilds, -1)
    _discard(state, colour, price - wilds, wilds)
    if state.shared:
        unshare(state)
    state.station[city] = seat
    state.stations[seat] -= 1
    if state.happenings is not None:
        state.happenings.add(Built(seat, city, colour, price - wilds, wilds))
    settle(state)
    _end_turn(state)


def _draw_tickets(state: "State", seat: i64) -> None:
    """Offer the top tickets, the top one first."""
    left = len(state.ticket_deck)
    n = min(state.board.rules.ticket_draw, i64(left))
    offer = vec[i64](capacity=n)
    i: i64 = 1
    while i <= n:
        offer = append(offer, state.ticket_deck[left - i])
        i += 1
    state.offer = offer
    state.ticket_deck = state.ticket_deck[: left - n]
    state.stage = TICKET_OFFER
    if state.happenings is not None:
        state.happenings.add(Offered(seat, ints(offer)))


def _keep(state: "State", seat: i64, mask: i64) -> None:
    offer = state.offer
    state.offer = vec[i64]()
    rejected = _hand_over(state, seat, offer, mask)
    _put_under(state, rejected)
    _end_turn(state)


def _answer_opening(state: "State", seat: i64, mask: i64) -> None:
    state.answers = changed(state.answers, seat, mask)
    if state.happenings is not None:
        state.happenings.add(AnsweredOpening(seat, ints(_chosen(_opening_offer(state, seat), mask))))
    who: i64 = 0
    while who < state.seats:
        if state.answers[who] == NONE:
            return
        who += 1
    _end_opening(state)


def _end_opening(state: "State") -> None:
    """With the last answer all are carried out, the lowest seat's first (R2.5)."""
    seat: i64 = 0
    while seat < state.seats:
        rejected = _hand_over(state, seat, _opening_offer(state, seat), state.answers[seat])
        if state.board.rules.opening_under:  # R2.4; elsewhere they leave the game (R2.3)
            _put_under(state, rejected)
        seat += 1
    state.offer = vec[i64]()
    state.answers = zeros(state.seats)
    state.seat = state.first
    _begin_turn(state)


def _opening_offer(state: "State", seat: i64) -> vec[i64]:
    start = seat * state.board.opening
    return state.offer[start : start + state.board.opening]


def _chosen(offer: vec[i64], mask: i64) -> vec[i64]:
    out = vec[i64](capacity=len(offer))
    i: i64 = 0
    while i < len(offer):
        if (mask >> i) & 1:
            out = append(out, offer[i])
        i += 1
    return out


def _hand_over(state: "State", seat: i64, offer: vec[i64], mask: i64) -> vec[i64]:
    """Give `seat` the chosen tickets of an offer, and return the others in the order they were dealt."""
    if state.shared:
        unshare(state)
    rejected = vec[i64](capacity=len(offer))
    bit: i64 = 1
    for ticket in offer:
        if mask & bit:
            state.holder[ticket] = seat
            state.held[seat] += 1
        else:
            rejected = append(rejected, ticket)
        bit <<= 1
    if state.happenings is not None:
        state.happenings.add(Kept(seat, ints(_chosen(offer, mask)), len(offer)))
    return rejected


def _put_under(state: "State", tickets: vec[i64]) -> None:
    """The first goes under first, so that the last is the bottom (R5.1)."""
    deck = vec[i64](capacity=len(state.ticket_deck) + len(tickets))
    i: i64 = len(tickets) - 1
    while i >= 0:
        deck = append(deck, tickets[i])
        i -= 1
    state.ticket_deck = extend(deck, state.ticket_deck)


def _pass(state: "State", seat: i64) -> None:
    """When all have passed one after another the game ends there (R3.10)."""
    if state.happenings is not None:
        state.happenings.add(Passed(seat))
    passes = state.passes + 1
    if passes == state.seats:
        _end_game(state)
    else:
        _end_turn(state)
    state.passes = passes


def _end_turn(state: "State") -> None:
    """The last round is counted down once it has begun; the trigger counts once (R7.1)."""
    state.passes = 0
    if state.last == NONE:
        if state.cars[state.seat] <= state.board.rules.last_cars:
            state.last = state.seats
            if state.happenings is not None:
                state.happenings.add(LastRound(state.seat))
    else:
        state.last -= 1
        if state.last == 0:
            _end_game(state)
            return
    state.seat += 1
    if state.seat == state.seats:
        state.seat = 0
    _begin_turn(state)


def _begin_turn(state: "State") -> None:
    state.stage = TURN
    state.turn += 1
    if state.happenings is not None:
        state.happenings.add(TurnBegan(state.seat, state.turn))


def _end_game(state: "State") -> None:
    state.stage = OVER
    if state.happenings is not None:
        state.happenings.add(Ended())


def _move_cards(state: "State", seat: i64, colour: i64, coloured: i64, wilds: i64, way: i64) -> None:
    """Take cards out of the hand (`way` -1) or put them back (1)."""
    hand = seat * state.board.kinds
    if coloured > 0:
        at = hand + colour
        state.hands[at] += way * coloured
    at = hand + state.board.wild
    state.hands[at] += way * wilds


def _discard(state: "State", colour: i64, coloured: i64, wilds: i64) -> None:
    if coloured > 0:
        state.discards[colour] += coloured
    state.discards[state.board.wild] += wilds
