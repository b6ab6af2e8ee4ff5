"""What a seat wants: the routes that complete its tickets, those worth their points, and how long there is for it.

A plan reads only what its seat may see of a state: its own hand and tickets, what lies on the table, and how many cards
others hold. So it works alike on the shadow of a sight and on a sampled world.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.planner.ways import FAR, Ways, by_points
from branchline.bots.planner.weights import Weights
from branchline.engine.board import FERRY, GREY, NOBODY, NONE, TUNNEL, Board, filled, zeros
from branchline.engine.legal import barred
from branchline.engine.network import groups, root
from branchline.engine.refusals import LEGAL
from branchline.engine.sight import Sight
from branchline.engine.state import State
from branchline.engine.worlds import shadow

FOR_TICKETS: Final[i64] = 1
FOR_POINTS: Final[i64] = 2
TICKET_GUESS: Final[i64] = 7
"""What another's ticket is taken to bring."""


class Plan:
    """The plan of one seat, made anew when what it wants is gone."""

    def __init__(self, board: Board, seat: i64, weights: Weights, thorough: bool) -> None:
        """A thorough plan tries more orders of tickets; a quick one is for playouts."""
        self.board = board
        self.seat: i64 = seat
        self.weights = weights
        self.thorough = thorough
        self.ways = Ways(board)
        self.wanted = zeros(board.routes)
        """FOR_TICKETS or FOR_POINTS, where a route is wanted."""
        self.routes = vec[i64]()
        """The wanted routes: those for tickets first, coloured ones before grey ones."""
        self.borrow = vec[i64]()
        """Routes of others that stations are to borrow."""
        self.turns: i64 = 0
        """Turns this seat can still expect, in hundredths."""
        self.ticket_turns: i64 = 0
        """Turns the tickets' routes still take, in hundredths."""
        self.more_tickets = False
        """Whether tickets should be drawn once the present ones are joined."""
        self.held: i64 = NONE
        """Tickets held when the plan was made; NONE before the first plan."""
        self.made: i64 = 0
        """The turn of the game in which it was made."""
        self.dropped = vec[i64]()
        """Tickets given up."""
        self.aims = vec[i64]()
        """Tickets to be joined."""
        self.left = zeros(board.kinds)
        self.parent = vec[i64]()

    def keep_up(self, state: State) -> None:
        """Plan again if something wanted is gone, done or dated."""
        if self.held != state.held[self.seat] or len(self.routes) == 0 or state.turn - self.made > 5 * state.seats:
            self.make(state)
            return
        mine = False
        for route in self.routes:
            if state.owner[route] == self.seat:
                mine = True
            elif barred(state, route, self.seat) != LEGAL:
                self.make(state)
                return
        if mine:
            self._drop_claimed(state)
            if len(self.routes) == 0 or self.wanted[self.routes[0]] != FOR_TICKETS:
                self.make(state)

    def _drop_claimed(self, state: State) -> None:
        kept = vec[i64]()
        for route in self.routes:
            if state.owner[route] == self.seat:
                self.wanted[route] = 0
            else:
                kept = append(kept, route)
        self.routes = kept

    def ready(self, state: State) -> vec[i64]:
        """Count the turns to go and price the routes; the tickets to be joined."""
        self.turns = turns_to_go(state, self.seat, self.weights)
        self._price(state)
        return self._open_tickets(state)

    def make(self, state: State) -> None:
        """Plan from scratch."""
        board = self.board
        self.held = state.held[self.seat]
        self.made = state.turn
        self.wanted = zeros(board.routes)
        self.borrow = vec[i64]()
        self.select(state, self.ready(state))
        route: i64 = 0
        while route < board.routes:
            if self.ways.chosen[route] and state.owner[route] != self.seat:
                if state.owner[route] == NOBODY:
                    self.wanted[route] = FOR_TICKETS
                else:
                    self.borrow = append(self.borrow, route)
            route += 1
        self._list()
        self.more_tickets = False
        self._fill(state)
        self._list()
        if (
            len(state.ticket_deck) > 0
            and len(self.dropped) == 0
            and self._joined()
            and self.turns >= self.weights.least_turns * 100
            and state.cars[self.seat] * 100 >= self.weights.ticket_cars * board.rules.cars
        ):
            self.more_tickets = self._ticket_gain(state) > self.weights.turn + self.weights.ticket_margin

    def _joined(self) -> bool:
        return len(self.routes) == 0 or self.wanted[self.routes[0]] != FOR_TICKETS

    def _list(self) -> None:
        board = self.board
        out = vec[i64]()
        reason: i64 = FOR_TICKETS
        while reason <= FOR_POINTS:
            grey: i64 = 0
            while grey < 2:
                route: i64 = 0
                while route < board.routes:
                    if self.wanted[route] == reason and (1 if board.colour[route] == GREY else 0) == grey:
                        out = append(out, route)
                    route += 1
                grey += 1
            reason += 1
        self.routes = out

    def _open_tickets(self, state: State) -> vec[i64]:
        """Tickets that the own routes do not join yet."""
        board = self.board
        self.parent = groups(state, self.seat)
        out = vec[i64]()
        ticket: i64 = 0
        while ticket < board.tickets:
            mine = state.holder[ticket] == self.seat
            if mine and root(self.parent, board.ticket_a[ticket]) != root(self.parent, board.ticket_b[ticket]):
                out = append(out, ticket)
            ticket += 1
        return by_points(board, out)

    def _price(self, state: State) -> None:
        """What each route would cost: its turns, less its points."""
        board = self.board
        weights = self.weights
        cost = self.ways.cost
        hand = self.seat * board.kinds
        wilds = state.hands[hand + board.wild]
        most: i64 = 0
        colour: i64 = 0
        while colour < board.wild:
            most = max(most, state.hands[hand + colour])
            colour += 1
        station: i64 = NONE
        if state.stations[self.seat] > 0:
            number = board.rules.stations - state.stations[self.seat] + 1
            station = weights.station + weights.turn + number * weights.turn // 3
        route: i64 = 0
        while route < board.routes:
            owner = state.owner[route]
            if owner == self.seat:
                cost[route] = 0
            elif barred(state, route, self.seat) == LEGAL:
                length = board.length[route]
                own = board.colour[route]
                held = most if own == GREY else state.hands[hand + own]
                usable = min(held, length)
                price = weights.turn + weights.turn * (length - usable) // 2 + weights.turn * usable // 4
                if board.kind[route] == TUNNEL:
                    price += weights.tunnel
                elif board.wilds[route] > wilds:
                    price += weights.ferry_wild * (board.wilds[route] - wilds)
                price -= board.points[route] * weights.points
                cost[route] = max(price, i64(30))
            elif owner != NOBODY and self._site(state, route) != NONE:
                cost[route] = station
            else:
                cost[route] = NONE
            route += 1

    def _site(self, state: State, route: i64) -> i64:
        """A city at an end of a route where a station of this seat could stand, or stands; NONE if none could."""
        a = self.board.route_a[route]
        if state.station[a] == NOBODY:
            return a
        b = self.board.route_b[route]
        if state.station[b] == NOBODY:
            return b
        return NONE

    def select(self, state: State, tickets: vec[i64]) -> i64:
        """Join as many of these tickets as pay and fit, into `ways.chosen`; what that is worth."""
        board = self.board
        self.dropped = vec[i64]()
        worth: i64 = 0
        for ticket in tickets:
            worth += board.ticket_points[ticket] * self.weights.doubt
        thorough = self.thorough and len(tickets) < 6
        cost = self.ways.join(tickets, thorough)
        while len(tickets) > 0:
            fits = cost < FAR and self._fits(state)
            if fits and not self.thorough:
                break
            drop: i64 = NONE
            best: i64 = 0 if fits else -FAR * 4
            i: i64 = 0
            while i < len(tickets):
                rest = self.ways.join(_without(tickets, i), False)
                saved = cost - rest - board.ticket_points[tickets[i]] * (100 + self.weights.doubt)
                if saved > best:
                    best = saved
                    drop = i
                i += 1
            if drop == NONE:
                cost = self.ways.join(tickets, thorough)
                break
            points = board.ticket_points[tickets[drop]]
            worth -= points * (100 + self.weights.doubt)
            self.dropped = append(self.dropped, tickets[drop])
            tickets = _without(tickets, drop)
            cost = self.ways.join(tickets, thorough)
        self.aims = tickets
        return worth - cost

    def _fits(self, state: State) -> bool:
        """Whether cars, stations and turns suffice for the network chosen."""
        board = self.board
        cars: i64 = 0
        borrowed: i64 = 0
        route: i64 = 0
        while route < board.routes:
            if self.ways.chosen[route]:
                if state.owner[route] == NOBODY:
                    cars += board.length[route]
                elif state.owner[route] != self.seat:
                    borrowed += 1
            route += 1
        if cars > state.cars[self.seat] or borrowed > state.stations[self.seat]:
            return False
        self.ticket_turns = self.turns_for(state) + borrowed * 150
        return self.ticket_turns <= self.turns

    def turns_for(self, state: State) -> i64:
        """Turns that the network chosen takes, in hundredths."""
        board = self.board
        hand = self.seat * board.kinds
        need = zeros(board.kinds)
        turns: i64 = 0
        grey: i64 = 0
        route: i64 = 0
        while route < board.routes:
            if self.ways.chosen[route] and state.owner[route] == NOBODY:
                turns += 100
                least = board.wilds[route]
                need[board.wild] += least
                if board.colour[route] == GREY:
                    grey += board.length[route] - least
                else:
                    need[board.colour[route]] += board.length[route] - least
                if board.kind[route] == TUNNEL:
                    turns += 20
            route += 1
        short: i64 = 0
        left: i64 = 0
        colour: i64 = 0
        while colour < board.wild:
            rest = state.hands[hand + colour] - need[colour]
            if rest > 0:
                left += rest
            else:
                short -= rest
            colour += 1
        short += max(i64(0), grey - left * 3 // 4)
        wilds = state.hands[hand + board.wild] - need[board.wild]
        if wilds > 0:
            short = max(i64(0), short - wilds)
        else:
            short -= wilds
        return turns + short * self.weights.card_turns

    def _fill(self, state: State) -> None:
        """Want the routes that bring the most points a turn, with the cards and cars the tickets leave."""
        board = self.board
        hand = self.seat * board.kinds
        left = self.left
        colour: i64 = 0
        while colour < board.kinds:
            left[colour] = state.hands[hand + colour]
            colour += 1
        cars = state.cars[self.seat]
        for route in self.routes:
            cars -= board.length[route]
            own = board.colour[route]
            if own == GREY:
                own = self._most_left()
            left[own] = max(i64(0), left[own] - board.length[route] + board.wilds[route])
            left[board.wild] = max(i64(0), left[board.wild] - board.wilds[route])
        turns = self.turns - self.ticket_turns if not self._joined() else self.turns
        least_rate: i64 = 0 if self._joined() else self.weights.fill_rate
        race: i64 = 0
        if self.weights.race > 0 and self._joined() and self._ahead(state):
            race = self.weights.race
        block = self.weights.block
        n: i64 = 0
        while n < self.weights.fill:
            best: i64 = NONE
            best_rate = least_rate
            best_turns: i64 = 0
            most = left[self._most_left()]
            route = 0
            while route < board.routes:
                if board.length[route] <= cars and self.wanted[route] == 0 and state.owner[route] == NOBODY:
                    own = board.colour[route]
                    held = most if own == GREY else left[own]
                    least = board.wilds[route]
                    short = max(i64(0), board.length[route] - least - held)
                    takes = 100 + short * self.weights.card_turns
                    if board.kind[route] == TUNNEL:
                        takes += 30
                    elif board.kind[route] == FERRY:
                        takes += max(i64(0), least - left[board.wild]) * 90
                    worth = board.points[route] * 100
                    if board.attraction[board.route_a[route]] or board.attraction[board.route_b[route]]:
                        worth += self._new_attractions(state, route) * board.rules.attraction_points * 100
                    if board.rules.trail_points > 0 and self._touches(state, route):
                        worth += self.weights.join
                    if block > 0:
                        worth += block * self._in_the_way(state, route)
                    worth += race * board.length[route]
                    rate = worth * 100 // takes
                    if rate > best_rate and takes <= turns and barred(state, route, self.seat) == LEGAL:
                        twin = board.twin[route]
                        if twin == NONE or self.wanted[twin] == 0:
                            best = route
                            best_rate = rate
                            best_turns = takes
                route += 1
            if best == NONE:
                return
            self.wanted[best] = FOR_POINTS
            cars -= board.length[best]
            turns -= best_turns
            own = board.colour[best]
            if own == GREY:
                own = self._most_left()
            left[own] = max(i64(0), left[own] - board.length[best] + board.wilds[best])
            left[board.wild] = max(i64(0), left[board.wild] - board.wilds[best])
            n += 1

    def _most_left(self) -> i64:
        best: i64 = 0
        colour: i64 = 1
        while colour < self.board.wild:
            if self.left[colour] > self.left[best]:
                best = colour
            colour += 1
        return best

    def _ahead(self, state: State) -> bool:
        """Whether this seat's points on the table and its joined tickets are more than any other's points."""
        board = self.board
        mine = state.points[self.seat]
        ticket: i64 = 0
        while ticket < board.tickets:
            if state.holder[ticket] == self.seat:
                if root(self.parent, board.ticket_a[ticket]) == root(self.parent, board.ticket_b[ticket]):
                    mine += board.ticket_points[ticket]
                else:
                    mine -= board.ticket_points[ticket]
            ticket += 1
        other: i64 = 0
        while other < state.seats:
            if other != self.seat and state.points[other] + TICKET_GUESS * state.held[other] >= mine:
                return False
            other += 1
        return True

    def _in_the_way(self, state: State, route: i64) -> i64:
        """How many others have routes at both ends of a route."""
        n: i64 = 0
        other: i64 = 0
        while other < state.seats:
            if (
                other != self.seat
                and self._meets(state, self.board.route_a[route], other)
                and self._meets(state, self.board.route_b[route], other)
            ):
                n += 1
            other += 1
        return n

    def _touches(self, state: State, route: i64) -> bool:
        """Whether a route meets the own network."""
        a, b = self.board.route_a[route], self.board.route_b[route]
        return self._meets(state, a, self.seat) or self._meets(state, b, self.seat)

    def _meets(self, state: State, city: i64, seat: i64) -> bool:
        board = self.board
        i = board.near_start[city]
        while i < board.near_start[city + 1]:
            if state.owner[board.near_route[i]] == seat:
                return True
            i += 1
        return False

    def _new_attractions(self, state: State, route: i64) -> i64:
        a = self.board.route_a[route]
        b = self.board.route_b[route]
        n: i64 = 0
        if self.board.attraction[a] and not self._meets(state, a, self.seat):
            n += 1
        if self.board.attraction[b] and not self._meets(state, b, self.seat):
            n += 1
        return n

    def _ticket_gain(self, state: State) -> i64:
        """What drawing tickets can be expected to bring: the mean of the best of those drawn."""
        board = self.board
        ways = self.ways
        gains = vec[i64](capacity=board.tickets)
        last: i64 = NONE
        ticket: i64 = 0
        while ticket < board.tickets:
            if state.holder[ticket] != self.seat and not (board.rules.opening_long > 0 and board.ticket_long[ticket]):
                if board.ticket_a[ticket] != last:
                    last = board.ticket_a[ticket]
                    ways.spread(ways.cost, last, NONE)
                points = board.ticket_points[ticket] * 100
                far = ways.distance[board.ticket_b[ticket]]
                gain = points * self.weights.doubt // 100 - far
                # A way of so many spaces needs its cars and turns.
                if far >= FAR or gain < -points or (far > 0 and not self._reaches(state, board.ticket_b[ticket], last)):
                    gain = -points
                gains = append(gains, gain)
            ticket += 1
        return mean_of_best(gains, min(board.rules.ticket_draw, i64(len(state.ticket_deck))))

    def _reaches(self, state: State, goal: i64, start: i64) -> bool:
        """Whether cars and turns suffice for the way just searched."""
        board = self.board
        cars: i64 = 0
        turns: i64 = 100
        here = goal
        while here != start:
            route = self.ways.by[here]
            if state.owner[route] == NOBODY:
                cars += board.length[route]
                turns += 100 + board.length[route] * 40
            elif state.owner[route] != self.seat:
                turns += 150
            here = board.route_a[route] + board.route_b[route] - here
        return cars <= state.cars[self.seat] and turns <= self.turns

    def keep(self, state: State, offer: vec[i64], least: i64) -> i64:
        """The subset of an offer worth keeping."""
        board = self.board
        held = self.ready(state)
        n: i64 = len(offer)
        best: i64 = NONE
        best_worth: i64 = 0
        one: i64 = 1
        mask: i64 = 1
        while mask < one << n:
            tickets = held[:]
            kept: i64 = 0
            done: i64 = 0
            i: i64 = 0
            while i < n:
                if (mask >> i) & 1:
                    kept += 1
                    ticket = offer[i]
                    if root(self.parent, board.ticket_a[ticket]) == root(self.parent, board.ticket_b[ticket]):
                        done += board.ticket_points[ticket] * 100
                    else:
                        tickets = append(tickets, ticket)
                i += 1
            if kept >= least:
                worth = done + self.select(state, by_points(board, tickets)) - kept * self.weights.keep_margin
                if best == NONE or worth > best_worth:
                    best = mask
                    best_worth = worth
            mask += 1
        self.held = NONE
        return best

    def served(self, route: i64) -> vec[i64]:
        """The tickets that a wanted route serves: without it the plan would not join them."""
        board = self.board
        out = vec[i64]()
        if self.wanted[route] != FOR_TICKETS:
            return out
        parent = self.parent[:]
        for other in self.routes:
            if other != route and self.wanted[other] == FOR_TICKETS:
                parent[root(parent, board.route_a[other])] = root(parent, board.route_b[other])
        for other in self.borrow:
            parent[root(parent, board.route_a[other])] = root(parent, board.route_b[other])
        for ticket in self.aims:
            if root(parent, board.ticket_a[ticket]) != root(parent, board.ticket_b[ticket]):
                out = append(out, ticket)
        return out

    def site(self, state: State) -> i64:
        """Where a station would help the plan; NONE if nowhere."""
        for route in self.borrow:
            a = self.board.route_a[route]
            b = self.board.route_b[route]
            if state.station[a] != self.seat and state.station[b] != self.seat:
                return self._site(state, route)
        return NONE


def turns_to_go(state: State, seat: i64, weights: Weights) -> i64:
    """Turns that `seat` can expect before another seat ends the game, in hundredths.

    The other is taken to go on at the pace it has shown, but not to be much slower than its cards allow.
    """
    rules = state.board.rules
    if state.last != NONE:
        return 100
    least: i64 = 100_000
    played = state.turn // state.seats
    other: i64 = 0
    while other < state.seats:
        if other != seat:
            cars = state.cars[other] - rules.last_cars
            shown = ((rules.cars - state.cars[other]) * 100 + weights.pace * 10) // (played + 10)
            turns = cars * 10_000 // max(shown, i64(30))
            cards = cards_of(state, other)
            able = (cars + 2) * 33 + max(i64(0), cars - cards) * weights.card_turns
            turns = min(turns, able * weights.swift // 100)
            least = min(least, turns + 100)
        other += 1
    return max(least, i64(100))


def cards_of(state: State, seat: i64) -> i64:
    """How many cards a seat holds."""
    cards: i64 = 0
    kinds = state.board.kinds
    colour: i64 = 0
    while colour < kinds:
        cards += state.hands[seat * kinds + colour]
        colour += 1
    return cards


def seen_by(sight: Sight) -> State:
    """The shadow of a sight for a planner: what others hold is counted, as cards of the first colour."""
    state = shadow(sight)
    seat: i64 = 0
    while seat < sight.seats:
        if seat != sight.seat:
            state.hands[seat * sight.board.kinds] = sight.cards[seat]
        seat += 1
    return state


def mean_of_best(gains: vec[i64], drawn: i64) -> i64:
    """The mean of the best of so many drawn from these."""
    n: i64 = len(gains)
    if n == 0 or drawn <= 0:
        return -FAR
    i: i64 = 1
    while i < n:
        j = i
        while j > 0 and gains[j - 1] < gains[j]:
            kept = gains[j]
            gains[j] = gains[j - 1]
            gains[j - 1] = kept
            j -= 1
        i += 1
    # The i-th is the best of those drawn if it is drawn and all others drawn come after it.
    total: i64 = 0
    chances: i64 = 0
    i = 0
    while i < n:
        after = n - i - 1
        ways: i64 = 1
        if drawn == 2:
            ways = after
        elif drawn >= 3:
            ways = after * (after - 1) // 2
        total += gains[i] * ways
        chances += ways
        i += 1
    return total // max(chances, i64(1))


def _without(tickets: vec[i64], at: i64) -> vec[i64]:
    out = vec[i64](capacity=len(tickets))
    i: i64 = 0
    while i < len(tickets):
        if i != at:
            out = append(out, tickets[i])
        i += 1
    return out


def unseen(state: State, seat: i64) -> vec[i64]:
    """Cards by colour that `seat` can't see: in the deck, or in others' hands."""
    board = state.board
    out = filled(board.kinds, 0)
    colour: i64 = 0
    while colour < board.kinds:
        out[colour] = board.cards[colour] - state.discards[colour] - state.hands[seat * board.kinds + colour]
        colour += 1
    for card in state.row:
        if card >= 0:
            out[card] -= 1
    for card in state.turned:
        out[card] -= 1
    return out
