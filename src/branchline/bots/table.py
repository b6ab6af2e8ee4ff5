"""What simple bots ask about a view, in small ints: what is open, what the hand can pay, which card helps."""

from collections.abc import Iterable, Sequence

from librt.vecs import vec
from mypy_extensions import i64

from branchline.engine.board import BUILD, CLAIM, DRAW_DECK, DRAW_ROW, GREY, KEEP, NOBODY, NONE, to_vec
from branchline.engine.legal import barred, fewest
from branchline.engine.network import groups, path, root
from branchline.engine.refusals import LEGAL
from branchline.engine.worlds import shadow
from branchline.views import View


class Table:
    """One view, ready for questions."""

    def __init__(self, view: View) -> None:
        self.sight = view.sight
        self.board = view.sight.board
        self.seat = int(view.sight.seat)
        self.state = shadow(view.sight)
        self.legal = list(self.state.legal(self.seat))
        self.hand = list(view.sight.hand)
        self.wilds = self.hand[self.board.wild]
        self.joined = groups(self.state, self.seat)

    def is_open(self, route: int) -> bool:
        """Whether this seat could still claim a route."""
        return barred(self.state, route, self.seat) == LEGAL

    def is_done(self, ticket: int) -> bool:
        """Whether the own routes join a ticket."""
        a, b = self.board.ticket_a[ticket], self.board.ticket_b[ticket]
        return root(self.joined, a) == root(self.joined, b)

    def open_tickets(self) -> list[int]:
        """Tickets not joined yet, the dearest first."""
        tickets = [ticket for ticket in self.sight.tickets if not self.is_done(ticket)]
        return sorted(tickets, key=lambda ticket: -self.board.ticket_points[ticket])

    def costs(self, price: Sequence[int] | None = None) -> vec[i64]:
        """For `way`: nothing for own routes, the price of open ones (their length by default), NONE for the rest."""
        board = self.board
        costs = []
        for route in range(board.routes):
            if self.state.owner[route] == self.seat:
                costs.append(0)
            elif self.is_open(route):
                costs.append(board.length[route] if price is None else price[route])
            else:
                costs.append(int(NONE))
        return to_vec(costs)

    def way(self, ticket: int, costs: vec[i64]) -> list[int]:
        """The routes still to be claimed on the cheapest way for a ticket; empty if there is none."""
        routes = path(self.board, costs, self.board.ticket_a[ticket], self.board.ticket_b[ticket])
        return [route for route in routes if self.state.owner[route] == NOBODY]

    def network(self, tickets: Iterable[int], costs: vec[i64]) -> list[int]:
        """The routes still to be claimed for several tickets, one after the other over what is planned already."""
        costs = costs[:]
        out: list[int] = []
        for ticket in tickets:
            for route in self.way(ticket, costs):
                costs[route] = 0
                out.append(route)
        return out

    def claims(self) -> dict[int, int]:
        """For each route the hand can pay, the claim of fewest wilds."""
        board = self.board
        best: dict[int, int] = {}
        for index in self.legal:
            if board.action_kind[index] == CLAIM:
                route = board.action_what[index]
                if route not in best or board.action_wilds[index] < board.action_wilds[best[route]]:
                    best[route] = index
        return best

    def missing(self, route: int) -> tuple[int, int]:
        """The colour a route would be paid in, and how many cards of it the hand lacks, wilds counted in."""
        colour = self.board.colour[route]
        if colour == GREY:
            colour = max(range(self.board.wild), key=lambda c: self.hand[c])
        return colour, max(0, self.board.length[route] - self.hand[colour] - self.wilds)

    @property
    def draws(self) -> list[int]:
        """Every card that may be drawn."""
        return [index for index in self.legal if self._is(index, DRAW_DECK) or self._is(index, DRAW_ROW)]

    def draw(self, routes: Iterable[int]) -> int | None:
        """Draw for the first of these routes whose colour lies in the row, else blind; None without a card to draw."""
        slots = {self.state.row[self.board.action_what[i]]: i for i in self.legal if self._is(i, DRAW_ROW)}
        for route in routes:
            colour, missing = self.missing(route)
            if missing and colour in slots:
                return slots[colour]
        for index in self.legal:
            if self._is(index, DRAW_DECK):
                return index
        coloured = [index for colour, index in slots.items() if colour != self.board.wild]
        return coloured[0] if coloured else next(iter(slots.values()), None)

    def offer(self) -> list[int]:
        """The tickets to choose from."""
        return list(self.sight.offer)

    def keep(self, tickets: Iterable[int]) -> int:
        """The answer that keeps these tickets of the offer."""
        mask = sum(1 << self.offer().index(ticket) for ticket in tickets)
        return int(self.board.keep_index(mask))

    @property
    def least(self) -> int:
        """So many of the offer have to be kept."""
        return fewest(self.state)

    @property
    def keeping(self) -> bool:
        """Whether tickets are offered."""
        return self._is(self.legal[0], KEEP)

    @property
    def cars(self) -> int:
        """Own cars left."""
        return self.sight.cars[self.seat]

    def can(self, index: int) -> bool:
        """Whether an action is legal."""
        return index in self.legal

    def anything(self) -> int:
        """The first legal action that is no station, if there is one."""
        return next((index for index in self.legal if not self._is(index, BUILD)), self.legal[0])

    def _is(self, index: int, kind: int) -> bool:
        return self.board.action_kind[index] == kind
