"""The styles of the research literature, written anew from their descriptions: anchors that others can compare with.

`one-step`, `long-route`, `path` and `hungry` after de Mesentier Silva, Lee, Togelius and Nealen, "AI-based Playtesting
of Contemporary Board Games" (2017); `hoarder` is the card collector reported to do well on Europe. None of them builds
stations or looks at other seats; they answer the questions of Europe (tunnels, ferries) in the plainest way.
"""

from abc import ABC, abstractmethod

from branchline.bots.base import Budget
from branchline.bots.table import Table
from branchline.engine.board import PAY, TAKE_BACK
from branchline.engine.shuffle import Rng
from branchline.views import View


class Style(ABC):
    """A bot that follows a list of routes: claims the first it can pay, draws for the first it can't."""

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        """What this style does now."""
        table = Table(view)
        if len(table.legal) == 1:
            return table.legal[0]
        if table.keeping:
            return table.keep(self.kept(table))
        kind = table.board.action_kind[table.legal[0]]
        if kind in (TAKE_BACK, PAY):
            return table.legal[1]
        routes = self.routes(table)
        if table.can(table.board.tickets_at) and self.wants_tickets(table, routes):
            return int(table.board.tickets_at)
        claim = self.claim(table, routes)
        if claim is not None:
            return claim
        drawn = table.draw(routes)
        if drawn is not None:
            return drawn
        claims = table.claims()
        if claims:
            return claims[max(claims, key=lambda route: table.board.points[route])]
        return table.anything()

    @abstractmethod
    def routes(self, table: Table) -> list[int]:
        """The routes it wants, most wanted first."""

    def claim(self, table: Table, routes: list[int]) -> int | None:
        """The claim to make now; None to draw."""
        claims = table.claims()
        return next((claims[route] for route in routes if route in claims), None)

    def kept(self, table: Table) -> list[int]:
        """The tickets to keep: as few as may be, those with the shortest ways for their points."""
        return self.cheapest(table)[: table.least]

    def wants_tickets(self, table: Table, routes: list[int]) -> bool:
        """Whether to draw tickets: not by default."""
        return False

    def cheapest(self, table: Table) -> list[int]:
        """The offered tickets, those with the fewest missing spaces first."""
        costs, board = table.costs(), table.board

        def spaces(ticket: int) -> int:
            if table.is_done(ticket):
                return 0
            way = table.way(ticket, costs)
            return sum(board.length[route] for route in way) if way else 1000

        return sorted(table.offer(), key=spaces)

    def by_points(self, table: Table) -> list[int]:
        """All open routes, those of most points first."""
        routes = [route for route in range(table.board.routes) if table.is_open(route)]
        return sorted(routes, key=lambda route: (-table.board.points[route], table.missing(route)[1]))


class OneStep(Style):
    """Thinks of one ticket at a time, the dearest, by the shortest way; without one it takes the best route at hand."""

    def routes(self, table: Table) -> list[int]:
        costs = table.costs()
        for ticket in table.open_tickets():
            way = table.way(ticket, costs)
            if way:
                return sorted(way, key=lambda route: table.missing(route)[1])
        return self.by_points(table)

    def wants_tickets(self, table: Table, routes: list[int]) -> bool:
        """When its tickets are done and many cars are left."""
        return not table.open_tickets() and table.cars > table.board.rules.cars // 2


class LongRoute(Style):
    """Prefers long routes: ways of few long routes for its tickets, and long routes for their points."""

    def routes(self, table: Table) -> list[int]:
        board = table.board
        price = [max(1, 10 - board.length[route]) for route in range(board.routes)]
        wanted = table.network(table.open_tickets(), table.costs(price))
        longest = max((board.length[route] for route in range(board.routes) if table.is_open(route)), default=0)
        wanted += [
            r for r in range(board.routes) if table.is_open(r) and board.length[r] >= longest and r not in wanted
        ]
        if not wanted:
            return self.by_points(table)
        return sorted(wanted, key=lambda route: (-board.length[route], table.missing(route)[1]))


class PathBot(Style):
    """Joins all its tickets by ways that are short and rich in points, and claims the routes of most points first."""

    def routes(self, table: Table) -> list[int]:
        board = table.board
        price = [board.length[route] * 4 - board.points[route] for route in range(board.routes)]
        price = [max(1, p) for p in price]
        wanted = table.network(table.open_tickets(), table.costs(price))
        if not wanted:
            return self.by_points(table)
        return sorted(wanted, key=lambda route: -board.points[route])

    def wants_tickets(self, table: Table, routes: list[int]) -> bool:
        """When its tickets are done and more than a third of the cars is left."""
        return not table.open_tickets() and table.cars > table.board.rules.cars // 3


class Hungry(Style):
    """Draws tickets until their network would use most of its cars, then joins them all."""

    def routes(self, table: Table) -> list[int]:
        wanted = table.network(table.open_tickets(), table.costs())
        if not wanted:
            return self.by_points(table)
        return sorted(wanted, key=lambda route: table.missing(route)[1])

    def kept(self, table: Table) -> list[int]:
        """Everything that still fits its cars."""
        offer = self.cheapest(table)
        kept = offer[: table.least]
        for ticket in offer[table.least :]:
            if self._spaces(table, [*kept, ticket]) <= table.cars - 5:
                kept.append(ticket)
        return kept

    def wants_tickets(self, table: Table, routes: list[int]) -> bool:
        """Early on, while there is room; later only when all are done and cars are left."""
        cars = table.board.rules.cars
        early = table.cars >= cars - 3
        if early:
            return len(table.sight.tickets) < 6 and self._spaces(table, []) <= cars * 2 // 3
        return not table.open_tickets() and table.cars > cars // 3

    def _spaces(self, table: Table, more: list[int]) -> int:
        tickets = [ticket for ticket in [*table.sight.tickets, *more] if not table.is_done(ticket)]
        return sum(table.board.length[route] for route in table.network(tickets, table.costs()))


class Hoarder(Style):
    """Collects ten cards or more, then claims the longest route it can pay; its tickets are an afterthought."""

    HOARD = 10

    def routes(self, table: Table) -> list[int]:
        return self.by_points(table)

    def claim(self, table: Table, routes: list[int]) -> int | None:
        """Nothing before the hoard is there, or as many cards as it has cars."""
        if sum(table.hand) < min(self.HOARD, table.cars):
            return None
        claims = table.claims()
        if not claims:
            return None
        helpful = set(table.network(table.open_tickets(), table.costs()))
        return claims[max(claims, key=lambda route: (table.board.length[route], route in helpful))]
