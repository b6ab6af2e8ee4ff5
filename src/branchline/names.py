"""Between readable ids and the engine's small ints: one table of names for each map."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from branchline.actions import (
    Action,
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Pass,
    Payment,
    PayTunnel,
    TakeBack,
)
from branchline.engine import board as numbers
from branchline.engine import refusals
from branchline.engine.board import Board
from branchline.engine.legal import station_price, too_few
from branchline.engine.refusals import IllegalAction, refuse
from branchline.engine.state import State
from branchline.maps import Map

KINDS = ("track", "tunnel", "ferry")


class Names:
    """The names of one map, and its board."""

    def __init__(self, map: Map) -> None:
        self.map = map
        self.cities = tuple(city.id for city in map.cities)
        self.routes = tuple(route.id for route in map.routes)
        self.tickets = tuple(ticket.id for ticket in map.tickets)
        self.colours = (*map.colours, "wild")
        self.city = {id: n for n, id in enumerate(self.cities)}
        self.route = {id: n for n, id in enumerate(self.routes)}
        self.ticket = {id: n for n, id in enumerate(self.tickets)}
        self.colour = {id: n for n, id in enumerate(self.colours)}
        self.board = self._board()
        self._fixed: list[Action | None] = [None] * self.board.actions
        """Actions that mean the same in every state, once they have been asked for."""

    def _board(self) -> Board:
        map = self.map
        routes = [
            (
                self.city[route.a],
                self.city[route.b],
                route.length,
                self.colour.get(route.colour, numbers.GREY),
                KINDS.index(route.kind),
                route.wilds,
            )
            for route in map.routes
        ]
        tickets = [(self.city[t.a], self.city[t.b], t.points, int(t.long)) for t in map.tickets]
        return Board(
            map.rules,
            [map.cards[colour] for colour in self.colours],
            [int(city.attraction) for city in map.cities],
            routes,
            tickets,
            dict(map.points),
        )

    def card(self, number: int) -> str | None:
        """A card's colour; None for a gap or what is hidden."""
        return self.colours[number] if number >= 0 else None

    def counts(self, numbers: Sequence[int]) -> dict[str, int]:
        """Cards by colour, those there are none of left out."""
        return {self.colours[n]: count for n, count in enumerate(numbers) if count}

    def named(self, tickets: Iterable[int]) -> tuple[str, ...]:
        """Tickets by their ids."""
        return tuple(self.tickets[ticket] for ticket in tickets)

    def payment(self, colour: int, coloured: int, wilds: int) -> Payment:
        """A payment of so many cards of a colour, and so many wilds."""
        return Payment(self.colours[colour], coloured, wilds) if coloured else Payment(None, 0, wilds)

    def action(self, index: int, state: State, seat: int) -> Action:
        """The action that an index of `seat` means in a state."""
        fixed = self._fixed[index]
        if fixed is not None:
            return fixed
        action = self._action(index, state, seat)
        if self.board.action_kind[index] not in (numbers.KEEP, numbers.PAY, numbers.BUILD):
            self._fixed[index] = action
        return action

    def _action(self, index: int, state: State, seat: int) -> Action:
        board = self.board
        kind, what = board.action_kind[index], board.action_what[index]
        colour, wilds = board.action_colour[index], board.action_wilds[index]
        if kind == numbers.DRAW_DECK:
            return DrawCard()
        if kind == numbers.DRAW_ROW:
            return DrawCard(what)
        if kind == numbers.DRAW_TICKETS:
            return DrawTickets()
        if kind == numbers.KEEP:
            offer = open_offer(state, seat)
            return KeepTickets(self.named(ticket for i, ticket in enumerate(offer) if what >> i & 1))
        if kind == numbers.TAKE_BACK:
            return TakeBack()
        if kind == numbers.PAY:
            return PayTunnel(self.payment(state.laid_colour, state.owed - wilds, wilds))
        if kind == numbers.CLAIM:
            return ClaimRoute(self.routes[what], self.payment(colour, board.length[what] - wilds, wilds))
        if kind == numbers.BUILD:
            price = station_price(state, seat)
            if colour == board.wild:
                wilds = price
            return BuildStation(self.cities[what], self.payment(colour, price - wilds, wilds))
        return Pass()

    def index(self, action: object, state: State, seat: int) -> int:
        """The index of an action, or IllegalAction if no such action could be legal."""
        board = self.board
        if isinstance(action, DrawCard):
            if action.slot is None:
                return 0
            return board.row_at + _number(action.slot, len(state.row))
        if isinstance(action, ClaimRoute):
            return self.claim_index(action.route, action.payment)
        if isinstance(action, BuildStation):
            return self._build(action, station_price(state, seat))
        if isinstance(action, KeepTickets):
            return board.keep_index(self._mask(action, state, seat))
        if isinstance(action, PayTunnel):
            return self._pay(action, state)
        if isinstance(action, DrawTickets):
            return board.tickets_at
        if isinstance(action, TakeBack):
            return board.take_back_at
        if isinstance(action, Pass):
            return board.pass_at
        raise refuse(refusals.NOT_AN_ACTION)

    def claim_index(self, id: str, payment: Payment) -> int:
        """The index of a claim, or IllegalAction if the route takes no such payment."""
        route = _look_up(self.route, id, "R4.2", "route")
        colour, cards, wilds = self._cards(payment)
        board = self.board
        if cards + wilds != board.length[route]:
            raise refuse(refusals.WRONG_COUNT)
        if colour not in (board.wild, board.colour[route]) and board.colour[route] != numbers.GREY:
            raise refuse(refusals.WRONG_COLOUR)
        if wilds < board.wilds[route]:
            raise refuse(refusals.FEW_WILDS)
        return board.claim_index(route, colour, wilds)

    def _build(self, action: BuildStation, price: int) -> int:
        city = _look_up(self.city, action.city, "R6.1", "city")
        if not self.board.rules.stations:
            raise refuse(refusals.NO_STATIONS)
        if price > self.board.rules.stations:
            raise refuse(refusals.STATIONS_USED)
        colour, cards, wilds = self._cards(action.payment)
        if cards + wilds != price:
            raise refuse(refusals.STATION_COUNT)
        return self.board.build_index(city, self.board.station_payment(colour, wilds))

    def _pay(self, action: PayTunnel, state: State) -> int:
        colour, cards, wilds = self._cards(action.payment)
        if cards and state.laid_colour == self.board.wild:
            raise refuse(refusals.OWED_WILDS)
        if cards + wilds != state.owed or (cards and colour != state.laid_colour):
            raise refuse(refusals.OWED_CARDS)
        return self.board.pay_index(wilds)

    def _mask(self, action: KeepTickets, state: State, seat: int) -> int:
        if not isinstance(action.tickets, tuple):
            raise refuse(refusals.NOT_AN_ACTION)
        offer = open_offer(state, seat)
        mask = 0
        for id in action.tickets:
            ticket = _look_up(self.ticket, id, "R5.1", "ticket")
            if ticket not in offer or mask >> (place := offer.index(ticket)) & 1:
                raise refuse(refusals.NOT_OFFERED)
            mask |= 1 << place
        if not mask:
            raise refuse(too_few(state))
        return mask

    def _cards(self, payment: object) -> tuple[int, int, int]:
        """A payment's colour (the wild, where there is no coloured card), coloured cards and wilds."""
        if not isinstance(payment, Payment):
            raise refuse(refusals.NOT_AN_ACTION)
        cards, wilds = _number(payment.cards, 1000), _number(payment.wilds, 1000)
        if payment.colour is None:
            if cards:
                raise refuse(refusals.WRONG_COLOUR)
            return self.board.wild, 0, wilds
        colour = _look_up(self.colour, payment.colour, "R4.1", "colour")
        if colour == self.board.wild or not cards:
            raise IllegalAction("R4.1", "a payment of wilds alone has no colour and no coloured cards", "wrong-colour")
        return colour, cards, wilds


def open_offer(state: State, seat: int) -> list[int]:
    """The tickets that `seat` has to choose from now."""
    if state.turn == 0:
        return list(state.offer)[seat * state.board.opening : (seat + 1) * state.board.opening]
    return list(state.offer)


def _look_up(table: dict[str, int], id: object, rule: str, what: str) -> int:
    if not isinstance(id, str) or id not in table:
        raise IllegalAction(rule, f"this map has no {what} {id!r}")
    return table[id]


def _number(value: object, limit: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < limit:
        raise refuse(refusals.NOT_AN_ACTION)
    return value


@lru_cache(maxsize=64)
def names_of(map: Map) -> Names:
    """The names of a map; maps are compared by what the rules read."""
    return Names(map)
