"""The laws of a position: what holds at every moment of every game. A breach is a field and what is wrong with it.

Reading a position checks these once; the engine, which is only given lawful ones, relies on them.
"""

from collections.abc import Callable, Iterator

from branchline.engine.board import EMPTY, GREY, NOBODY, NONE, TUNNEL
from branchline.engine.legal import barred, bits, can_draw_second
from branchline.engine.refusals import LEGAL
from branchline.engine.stages import OPENING, OVER, SECOND_DRAW, TICKET_OFFER, TUNNEL_OWED
from branchline.engine.state import State
from branchline.names import Names

Breach = tuple[str, str]
"""A field of a position, and what is wrong with it."""

KEY = 32
"""Bytes of a key."""


def check(state: State, names: Names) -> None:
    """Raise a ValueError that names the field for the first law that is broken."""
    for law in LAWS:
        for field, message in law(state, names):
            raise ValueError(f"{field}: {message}")


def _key(state: State, names: Names) -> Iterator[Breach]:
    if len(state.shuffler.key) not in (0, KEY):
        yield "shuffles.key", f"has {KEY} bytes, or none where the fast generator shuffles"


def _turn(state: State, names: Names) -> Iterator[Breach]:
    if (state.turn == 0) != (state.stage == OPENING):
        yield "turn", "0 in the opening, and only there"
    if state.stage == OPENING and state.seat != state.first:
        yield "on_turn", f"in the opening the first seat, {state.first}"


def _passes(state: State, names: Names) -> Iterator[Breach]:
    if state.passes > state.seats or (state.passes == state.seats and state.stage != OVER):
        yield "passes", f"{state.passes} by {state.seats} seats end the game (R3.10)"
    if state.passes and state.stage == OPENING:
        yield "passes", "none before the first turn"


def _last_round(state: State, names: Names) -> Iterator[Breach]:
    if state.last > state.seats:
        yield "last_turns", f"{state.seats} seats have one last turn each (R7.1)"
    if state.last == 0 and state.stage != OVER:
        yield "last_turns", "with none left the game is over (R7.1)"
    if state.last != NONE and state.stage == OPENING:
        yield "last_turns", "the last round does not begin in the opening (R7.1)"
    if state.stage == OVER and state.last != 0 and state.passes != state.seats:
        yield "stage", "a game is over after the last turn, last_turns 0, or when all have passed (R7.1, R3.10)"


def _cards(state: State, names: Names) -> Iterator[Breach]:
    """Every card of the map is somewhere, once (R1.4)."""
    kinds = state.board.kinds
    found = list(state.discards)
    for card in [*state.deck[: state.deck_left], *state.turned, *(card for card in state.row if card != EMPTY)]:
        found[card] += 1
    for at, n in enumerate(state.hands):
        found[at % kinds] += n
    if state.stage == TUNNEL_OWED:
        found[state.laid_colour] += state.board.length[state.route] - state.laid_wilds
        found[kinds - 1] += state.laid_wilds
    for colour, n in enumerate(state.board.cards):
        if found[colour] != n:
            yield (
                "cards",
                f"{found[colour]} {names.colours[colour]} in deck, row, discards and hands; the map has {n} (R1.4)",
            )


def _deck(state: State, names: Names) -> Iterator[Breach]:
    if state.deck_left == 0 and any(state.discards):
        yield "deck", "is empty beside discards, which become the new deck at once (R3.7)"


def _routes(state: State, names: Names) -> Iterator[Breach]:
    board = state.board
    for route, owner in enumerate(state.owner):
        twin = board.twin[route]
        if owner == NOBODY or twin == NONE or state.owner[twin] == NOBODY:
            continue
        if state.owner[twin] == owner:
            yield "owners", f"{names.routes[route]}: one seat may not own both halves of a double route (R4.4)"
        if state.seats < board.rules.twins_from:
            yield "owners", f"{names.routes[route]}: with {state.seats} seats its twin closes it (R4.5)"
    if state.stage == OPENING and any(owner != NOBODY for owner in [*state.owner, *state.station]):
        yield "owners", "nobody has built anything before the first turn"


def _pieces(state: State, names: Names) -> Iterator[Breach]:
    rules, length = state.board.rules, state.board.length
    for seat in range(state.seats):
        laid = sum(length[route] for route, owner in enumerate(state.owner) if owner == seat)
        if state.cars[seat] + laid > rules.cars:
            yield "seats.cars", f"seat {seat} has {state.cars[seat]} left and {laid} laid, of {rules.cars} (R1.2)"
        if state.stations[seat] < 0:
            yield "stations", f"seat {seat} has more than {rules.stations} (R6.3)"


def _tickets(state: State, names: Names) -> Iterator[Breach]:
    board, rules = state.board, state.board.rules
    if rules.opening_long == 0 or (rules.opening_under and state.stage != OPENING):
        return
    # Long ones come to a seat in the opening only, and never lie in the deck, unless they are put under it (R2.4).
    if any(board.ticket_long[ticket] for ticket in state.ticket_deck):
        yield "ticket_deck", "long tickets are dealt in the opening and are never in the deck (R2.2)"
    if state.stage != OPENING and any(board.ticket_long[ticket] for ticket in state.offer):
        yield "seats.offer", "long tickets are offered in the opening only (R2.2)"
    for seat in range(state.seats):
        long = sum(board.ticket_long[ticket] for ticket, holder in enumerate(state.holder) if holder == seat)
        if long > rules.opening_long:
            yield "seats.tickets", f"seat {seat} was dealt {rules.opening_long} long tickets at most (R2.2)"


def _opening(state: State, names: Names) -> Iterator[Breach]:
    if state.stage != OPENING:
        return
    board, rules = state.board, state.board.rules
    if any(state.held):
        yield "seats.tickets", "nobody has kept a ticket while the opening offers are open (R2.5)"
    long = [int(n < rules.opening_long) for n in range(board.opening)] * state.seats
    if len(state.offer) != len(long):
        yield "seats.offer", f"{board.opening} tickets are offered to each seat in the opening (R2.2, R2.4)"
    elif [board.ticket_long[ticket] for ticket in state.offer] != long:
        yield "seats.offer", f"long tickets first, {rules.opening_long} to each seat (R2.2)"
    for answer in state.answers:
        if answer != NONE and (answer >> board.opening or bits(answer) < rules.opening_keep):
            yield "seats.answer", f"keeps {rules.opening_keep} of {board.opening} at least, a bit each (R2.3, R2.4)"
    if NONE not in state.answers:
        yield "seats.answer", "with the last answer the opening is over (R2.5)"


def _second_draw(state: State, names: Names) -> Iterator[Breach]:
    if state.stage == SECOND_DRAW and not can_draw_second(state):
        yield "stage", "second-draw, but there is no second card to draw (R3.9)"


def _ticket_offer(state: State, names: Names) -> Iterator[Breach]:
    if state.stage != TICKET_OFFER:
        return
    draw = state.board.rules.ticket_draw
    if not 1 <= len(state.offer) <= draw:
        yield "seats.offer", f"1 to {draw} tickets are drawn, not {len(state.offer)} (R5.1)"
    elif len(state.offer) < draw and len(state.ticket_deck) > 0:
        yield "seats.offer", f"{draw} tickets are drawn while there are so many (R5.1)"


def _tunnel(state: State, names: Names) -> Iterator[Breach]:
    if state.stage != TUNNEL_OWED:
        return
    board, route, colour = state.board, state.route, state.laid_colour
    if board.kind[route] != TUNNEL:
        yield "tunnel.route", f"{names.routes[route]} is no tunnel (R4.8)"
    elif barred(state, route, state.seat) != LEGAL:
        yield "tunnel.route", f"{names.routes[route]} is not open to seat {state.seat} (R4.8)"
    coloured = board.length[route] - state.laid_wilds
    if coloured < 0 or (coloured == 0) != (colour == board.wild):
        yield "tunnel.payment", "cards of one colour and wilds, as many as the tunnel has spaces (R4.8)"
    elif colour != board.wild and board.colour[route] not in (GREY, colour):
        yield "tunnel.payment.colour", f"{names.routes[route]} takes no {names.colours[colour]} (R4.1)"
    if len(state.turned) > board.rules.tunnel_cards:
        yield "tunnel.turned", f"{board.rules.tunnel_cards} cards are turned up (R4.8)"
    elif len(state.turned) < board.rules.tunnel_cards and (state.deck_left > 0 or any(state.discards)):
        yield "tunnel.turned", f"{board.rules.tunnel_cards} cards are turned up while there are so many (R4.12)"
    owed = sum(card in (colour, board.wild) for card in state.turned)
    if state.owed != owed or owed == 0:
        yield (
            "tunnel.owed",
            f"{owed} of the cards turned up count, not {state.owed}; where none does nothing waits (R4.8)",
        )


LAWS: tuple[Callable[[State, Names], Iterator[Breach]], ...] = (
    _key,
    _turn,
    _passes,
    _last_round,
    _routes,
    _pieces,
    _tickets,
    _opening,
    _ticket_offer,
    _tunnel,
    _cards,
    _deck,
    _second_draw,
)
