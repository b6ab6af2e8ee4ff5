"""`novice`: a friendly first opponent. Sensible, short-sighted, a little absent-minded."""

from branchline.bots.base import Budget
from branchline.bots.styles import Style
from branchline.bots.table import Table
from branchline.engine.shuffle import Rng
from branchline.views import View


class Novice(Style):
    """Finishes one ticket after the other, the nearest first, and now and then takes a card because it is pretty."""

    DREAMS = 12
    """In so many of a hundred draws it takes a card without a thought."""

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        """A style's choice, but for a dream now and then."""
        index = super().choose(view, rng, budget)
        table = Table(view)
        draws = table.draws
        if index in draws and len(draws) > 1 and rng.below(100) < self.DREAMS:
            return draws[rng.below(len(draws))]
        return index

    def routes(self, table: Table) -> list[int]:
        """The shortest way of the ticket that is nearest to done; then whatever can be paid."""
        costs = table.costs()
        ways = [way for ticket in table.open_tickets() if (way := table.way(ticket, costs))]
        if ways:
            nearest = min(ways, key=lambda way: sum(table.board.length[route] for route in way))
            return sorted(nearest, key=lambda route: table.missing(route)[1])
        return self.by_points(table)

    def wants_tickets(self, table: Table, routes: list[int]) -> bool:
        """When its tickets are done and there is time for another."""
        return not table.open_tickets() and table.cars > table.board.rules.cars // 2
