"""What a seat goes by when it plans: the time there is, what routes cost, and which tickets pay together."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.planner.facts import hand_of, is_joined, unjoined
from branchline.bots.planner.prices import prices
from branchline.bots.planner.tickets import by_points, gain_of_drawing, without
from branchline.bots.planner.turns import turns_for, turns_to_go
from branchline.bots.planner.ways import FAR, Network, Ways
from branchline.bots.planner.weights import Weights
from branchline.engine.board import NOBODY, NONE
from branchline.engine.network import groups
from branchline.engine.state import State

ORDERS: Final[i64] = 6
"""From so many tickets on one order of joining them is tried: all would take too long, and differ less."""
ANY_LOSS: Final[i64] = -4 * FAR
"""Lower than any ticket's worth: one of them has to go."""


class Selection:
    """Tickets that are to be joined together, and those that are not."""

    def __init__(self, aims: vec[i64], dropped: vec[i64], network: Network, worth: i64) -> None:
        self.aims = aims
        self.dropped = dropped
        self.network = network
        """What joins the aims."""
        self.worth: i64 = worth
        """What all that brings, in hundredths of a point."""


class Survey:
    """One position as one seat sees it. What is asked of it changes nothing."""

    def __init__(self, state: State, seat: i64, weights: Weights, thorough: bool) -> None:
        """A thorough one tries more orders of tickets, and whether each of them pays."""
        self.state = state
        self.seat: i64 = seat
        self.weights = weights
        self.thorough = thorough
        self.hand = hand_of(state, seat)
        self.turns: i64 = turns_to_go(state, seat, weights)
        """Turns that the seat can still expect, in hundredths."""
        self.ways = Ways(state.board, prices(state, seat, weights))
        self.parent = groups(state, seat)
        """Which cities the own routes join."""
        self.open = by_points(state.board, unjoined(state, seat, self.parent))
        """Own tickets that they do not join yet, the dearest first."""

    def select(self, tickets: vec[i64]) -> Selection:
        """As many of these tickets as fit, and for a thorough survey as pay."""
        board = self.state.board
        doubt = self.weights.doubt
        worth: i64 = 0
        for ticket in tickets:
            worth += board.ticket_points[ticket] * doubt
        dropped = vec[i64]()
        orders = self.thorough and len(tickets) < ORDERS
        network = self.ways.join(tickets, orders)
        while len(tickets) > 0:
            fits = self._fits(network)
            if fits and not self.thorough:
                break
            at = self._worst(tickets, network.cost, 0 if fits else ANY_LOSS)
            if at == NONE:
                break
            worth -= self._stake(tickets[at])
            dropped = append(dropped, tickets[at])
            tickets = without(tickets, at)
            network = self.ways.join(tickets, orders)
        return Selection(tickets, dropped, network, worth - network.cost)

    def _stake(self, ticket: i64) -> i64:
        """What a ticket is worth beside one that is given up, which costs its points."""
        return self.state.board.ticket_points[ticket] * (100 + self.weights.doubt)

    def _worst(self, tickets: vec[i64], cost: i64, least: i64) -> i64:
        """The place of the ticket that is best given up, which saves more than `least`; NONE if none does."""
        worst: i64 = NONE
        i: i64 = 0
        while i < len(tickets):
            saved = cost - self.ways.join(without(tickets, i), False).cost - self._stake(tickets[i])
            if saved > least:
                least = saved
                worst = i
            i += 1
        return worst

    def _fits(self, network: Network) -> bool:
        """Whether cars, stations and turns suffice for a network."""
        if network.cost >= FAR:
            return False
        state = self.state
        cars: i64 = 0
        borrowed: i64 = 0
        route: i64 = 0
        while route < state.board.routes:
            if network.has[route]:
                if state.owner[route] == NOBODY:
                    cars += state.board.length[route]
                elif state.owner[route] != self.seat:
                    borrowed += 1
            route += 1
        if cars > state.cars[self.seat] or borrowed > state.stations[self.seat]:
            return False
        return self.turns_for(network) <= self.turns

    def turns_for(self, network: Network) -> i64:
        """Turns that a network takes, in hundredths."""
        return turns_for(self.state, self.seat, self.hand, network, self.weights)

    def best_kept(self, offer: vec[i64], least: i64) -> i64:
        """The subset of an offer worth keeping, as bits, of so many tickets at least."""
        best: i64 = NONE
        best_worth: i64 = 0
        one: i64 = 1
        subset: i64 = 1
        while subset < one << len(offer):
            kept = _of(offer, subset)
            if len(kept) >= least:
                worth = self._worth(kept) - len(kept) * self.weights.keep_margin
                if best == NONE or worth > best_worth:
                    best = subset
                    best_worth = worth
            subset += 1
        return best

    def _worth(self, kept: vec[i64]) -> i64:
        """What these tickets would bring beside the open ones, in hundredths of a point."""
        board = self.state.board
        tickets = self.open[:]
        done: i64 = 0
        for ticket in kept:
            if is_joined(board, self.parent, ticket):
                done += board.ticket_points[ticket] * 100
            else:
                tickets = append(tickets, ticket)
        return done + self.select(by_points(board, tickets)).worth

    def wants_tickets(self) -> bool:
        """Whether more tickets should be drawn, when all are joined and none was given up."""
        state, weights = self.state, self.weights
        if len(state.ticket_deck) == 0 or self.turns < weights.least_turns * 100:
            return False
        if state.cars[self.seat] * 100 < weights.ticket_cars * state.board.rules.cars:
            return False
        gain = gain_of_drawing(state, self.seat, self.ways, self.turns, weights)
        return gain > weights.turn + weights.ticket_margin


def _of(offer: vec[i64], subset: i64) -> vec[i64]:
    """The tickets that the bits of a subset name."""
    out = vec[i64](capacity=len(offer))
    i: i64 = 0
    while i < len(offer):
        if (subset >> i) & 1:
            out = append(out, offer[i])
        i += 1
    return out
