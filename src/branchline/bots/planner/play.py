"""How a planner acts on its plan: what to claim, what to draw, when to build, and how to end."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.planner.plan import FOR_POINTS, FOR_TICKETS, Plan, cards_of, unseen
from branchline.bots.planner.weights import Weights
from branchline.engine.board import BUILD, CLAIM, EMPTY, FERRY, GREY, NOBODY, NONE, TUNNEL, Board, zeros
from branchline.engine.legal import barred, fewest, legal, station_price
from branchline.engine.network import groups, root
from branchline.engine.refusals import LEGAL
from branchline.engine.scoring import Borrowing
from branchline.engine.stages import OPENING, SECOND_DRAW, TICKET_OFFER, TUNNEL_OWED
from branchline.engine.state import State

WHY_KEEP: Final[i64] = 1
WHY_TICKET: Final[i64] = 2
"""Claims a route of a way that its tickets need."""
WHY_POINTS: Final[i64] = 3
WHY_STATION: Final[i64] = 4
WHY_TICKETS: Final[i64] = 5
"""Draws tickets: those it has are joined."""
WHY_CARDS: Final[i64] = 6
"""Draws cards for the first route it wants."""
WHY_TUNNEL: Final[i64] = 7
WHY_LAST: Final[i64] = 8
"""The last turn: takes what brings the most now."""
WHY_STUCK: Final[i64] = 9


class Planner:
    """Plays one seat. It may be asked again and again in one game, or in many."""

    def __init__(self, board: Board, seat: i64, weights: Weights, thorough: bool) -> None:
        """A thorough one for the table, a quick one for playouts."""
        self.board = board
        self.seat: i64 = seat
        self.weights = weights
        self.thorough = thorough
        self.plan = Plan(board, seat, weights, thorough)
        self.why: i64 = 0
        self.about: i64 = NONE
        """The route, city or subset the reason is about."""
        self.left = zeros(board.kinds)
        """Cards of the hand that no ticket route needs."""
        self.worth = zeros(board.kinds)
        """What one more card of each colour is worth."""
        self.wilds_short: i64 = 0
        self.wilds_free: i64 = 0
        self.short: i64 = 0
        """Cards missing for the tickets' routes."""
        self.pay_colour: i64 = NONE
        self.pay_wilds: i64 = 0

    def choose(self, state: State) -> i64:
        """The index of what this seat does now."""
        stage = state.stage
        if stage == OPENING or stage == TICKET_OFFER:
            return self._keep(state)
        if stage == TUNNEL_OWED:
            return self._answer_tunnel(state)
        if self.thorough and stage != SECOND_DRAW:
            self.plan.make(state)
        else:
            self.plan.keep_up(state)
        self.needs(state)
        if stage == SECOND_DRAW:
            return self._or_anything(state, self._draw(state))
        if state.last != NONE:
            index = self._last_turn(state)
            if index != NONE:
                return index
        index = self._claim(state, FOR_TICKETS)
        if index == NONE:
            index = self._station(state)
        if index == NONE and self.plan.more_tickets and state.last == NONE and len(state.ticket_deck) > 0:
            self.why = WHY_TICKETS
            self.about = NONE
            index = self.board.tickets_at
        if index == NONE:
            index = self._claim(state, FOR_POINTS)
        if index == NONE:
            index = self._draw(state)
        return self._or_anything(state, index)

    def _or_anything(self, state: State, index: i64) -> i64:
        """Where nothing can be drawn: the claim of most points, or whatever is legal."""
        if index != NONE:
            return index
        board = self.board
        actions = legal(state, self.seat)
        best = actions[0]
        best_worth: i64 = -1_000_000
        for action in actions:
            kind = board.action_kind[action]
            worth: i64 = 0
            if kind == CLAIM:
                worth = board.points[board.action_what[action]] * 100 - board.action_wilds[action] * 10
            elif kind == BUILD:
                worth = -500
            elif action == board.tickets_at:
                worth = -1200
            if worth > best_worth:
                best = action
                best_worth = worth
        self.why = WHY_STUCK
        return best

    def _keep(self, state: State) -> i64:
        board = self.board
        if state.stage == OPENING:
            offer = state.offer[self.seat * board.opening : (self.seat + 1) * board.opening]
        else:
            offer = state.offer
        mask = self.plan.keep(state, offer, fewest(state))
        self.why = WHY_KEEP
        self.about = mask
        return board.keep_at + mask - 1

    def _answer_tunnel(self, state: State) -> i64:
        """Pay what is owed, with as few wilds as can be."""
        actions = legal(state, self.seat)
        self.why = WHY_TUNNEL
        self.about = state.route
        return actions[1] if len(actions) > 1 else actions[0]

    def needs(self, state: State) -> None:
        """Share out the hand among the wanted routes, and find what is short."""
        board = self.board
        hand = self.seat * board.kinds
        left, worth = self.left, self.worth
        colour: i64 = 0
        while colour < board.kinds:
            left[colour] = state.hands[hand + colour]
            worth[colour] = self.weights.spare + 4 * min(left[colour], i64(4))
            colour += 1
        wilds = left[board.wild]
        self.wilds_short = 0
        self.short = 0
        for route in self.plan.routes:
            if self.plan.wanted[route] == FOR_TICKETS:
                wilds -= board.wilds[route]
        self.wilds_free = max(wilds, i64(0))
        if wilds < 0:
            self.wilds_short = -wilds
        for route in self.plan.routes:
            tickets = self.plan.wanted[route] == FOR_TICKETS
            least = board.wilds[route]
            want = board.length[route] - least
            own = board.colour[route]
            if own == GREY:
                own = self._most_left()
            if board.kind[route] == TUNNEL and tickets:
                want += 1
            used = min(left[own], want)
            left[own] -= used
            missing = want - used
            if missing > 0:
                value = self.weights.need if tickets else self.weights.need_points
                if missing <= 2:
                    value += self.weights.nearly
                if value > worth[own]:
                    worth[own] = value
                if tickets:
                    self.short += missing
            if not tickets and least > 0:
                self.wilds_short += least
        worth[board.wild] = self.weights.need_wild if self.short > 0 else self.weights.free_wild
        if self.wilds_short > 0:
            worth[board.wild] += self.weights.ferry_short

    def _most_left(self) -> i64:
        best: i64 = 0
        colour: i64 = 1
        while colour < self.board.wild:
            if self.left[colour] > self.left[best]:
                best = colour
            colour += 1
        return best

    def payment(self, state: State, route: i64) -> i64:
        """The index of the claim of a route that hurts the plan least; NONE if the hand can't pay it."""
        board = self.board
        hand = self.seat * board.kinds
        wilds = state.hands[hand + board.wild]
        least = board.wilds[route]
        length = board.length[route]
        if wilds < least or barred(state, route, self.seat) != LEGAL:
            return NONE
        colour: i64 = 0
        last = board.wild - 1
        own = board.colour[route]
        if own != GREY:
            colour = last = own
        best: i64 = NONE
        best_harm: i64 = 0
        best_wilds: i64 = 0
        reserved = self._reserved(state, route)
        while colour <= last:
            held = state.hands[hand + colour]
            used = min(held, length - least)
            if used > 0 and length - used <= wilds:
                spare = max(i64(0), held - reserved[colour])
                harm = (length - used) * 25 + max(i64(0), used - spare) * 10 - held
                if best == NONE or harm < best_harm:
                    best = colour
                    best_harm = harm
                    best_wilds = length - used
            colour += 1
        if best == NONE:
            if wilds < length:
                return NONE
            self.pay_colour = board.wild
            self.pay_wilds = length
            return board.route_at[route] + (length - least) * (board.wild if own == GREY else 1)
        self.pay_colour = best
        self.pay_wilds = best_wilds
        at = board.route_at[route]
        if own == GREY:
            at += best * (length - least)
        return at + best_wilds - least

    def _reserved(self, state: State, but: i64) -> vec[i64]:
        """Cards by colour that other routes for tickets want."""
        board = self.board
        out = zeros(board.kinds)
        for route in self.plan.routes:
            if route != but and self.plan.wanted[route] == FOR_TICKETS and board.colour[route] != GREY:
                out[board.colour[route]] += board.length[route]
        return out

    def _claim(self, state: State, reason: i64) -> i64:
        """The most pressing affordable claim of those wanted for a reason; NONE if none should be made yet."""
        board = self.board
        best: i64 = NONE
        best_score: i64 = 0
        best_route: i64 = NONE
        wanted: i64 = 0
        for route in self.plan.routes:
            if self.plan.wanted[route] == FOR_TICKETS:
                wanted += 1
        hurry = self.plan.turns <= wanted * 100 + self.weights.hurry or self._hoards(state)
        for route in self.plan.routes:
            if self.plan.wanted[route] != reason:
                continue
            index = self.payment(state, route)
            if index == NONE:
                continue
            length = board.length[route]
            least = board.wilds[route]
            extra = self.pay_wilds - least
            risk = self._risk(state, route)
            if reason == FOR_TICKETS:
                free = state.hands[self.seat * board.kinds + board.wild] - least if hurry else self.wilds_free
                if extra > free or (extra * 100 > length * self.weights.wild_share and not hurry and risk < 2):
                    continue
                score = (
                    1000
                    + risk * self.weights.risk
                    + board.points[route] * self.weights.rich
                    - extra * self.weights.extra_wild
                )
            else:
                if wanted > 0:
                    if self.pay_wilds > 0:
                        continue
                    reserved = self._reserved(state, route)
                    held = state.hands[self.seat * board.kinds + self.pay_colour]
                    if held - reserved[self.pay_colour] < length:
                        continue
                elif extra * 100 > length * self.weights.wild_share and not hurry:
                    continue
                score = 500 + board.points[route] * 20 + risk * 30 - extra * 30
            if best == NONE or score > best_score:
                best = index
                best_score = score
                best_route = route
        if best != NONE:
            self.why = WHY_TICKET if reason == FOR_TICKETS else WHY_POINTS
            self.about = best_route
        return best

    def _hoards(self, state: State) -> bool:
        """Whether the hand holds far more cards than there are cars for them."""
        cards = cards_of(state, self.seat)
        return cards > state.cars[self.seat] + self.weights.hoard or cards > 24

    def _risk(self, state: State, route: i64) -> i64:
        """How likely others are to want a route: routes of theirs that meet it, at most three."""
        board = self.board
        n: i64 = 0
        end: i64 = 0
        while end < 2:
            city = board.route_a[route] if end == 0 else board.route_b[route]
            i = board.near_start[city]
            while i < board.near_start[city + 1]:
                owner = state.owner[board.near_route[i]]
                if owner != NOBODY and owner != self.seat:
                    n += 1
                i += 1
            end += 1
        twin = board.twin[route]
        if twin != NONE and state.seats >= board.rules.twins_from and state.owner[twin] == NOBODY:
            n -= 1
        return min(max(n, i64(0)), i64(3))

    def _station(self, state: State) -> i64:
        """Build where the plan borrows, once its other routes are there or time runs short."""
        if len(self.plan.borrow) == 0 or state.stations[self.seat] == 0:
            return NONE
        open_routes: i64 = 0
        for route in self.plan.routes:
            if self.plan.wanted[route] == FOR_TICKETS:
                open_routes += 1
        if open_routes > 0 and self.plan.turns > 400:
            return NONE
        return self.build(state, self.plan.site(state))

    def build(self, state: State, city: i64) -> i64:
        """The index of building in a city with the cards that are missed least; NONE if it can't be paid."""
        if city == NONE:
            return NONE
        board = self.board
        price = station_price(state, self.seat)
        hand = self.seat * board.kinds
        wilds = state.hands[hand + board.wild]
        best: i64 = NONE
        best_harm: i64 = 0
        best_wilds: i64 = 0
        colour: i64 = 0
        while colour < board.wild:
            used = min(state.hands[hand + colour], price)
            if used > 0 and price - used <= wilds:
                harm = (price - used) * 30 + max(i64(0), used - self.left[colour]) * 10 - state.hands[hand + colour]
                if best == NONE or harm < best_harm:
                    best = colour
                    best_harm = harm
                    best_wilds = price - used
            colour += 1
        self.why = WHY_STATION
        self.about = city
        if best != NONE:
            return board.build_at + city * board.builds + best * board.rules.stations + best_wilds
        if wilds >= price:
            return board.build_at + city * board.builds + board.builds - 1
        return NONE

    def _draw(self, state: State) -> i64:
        """The best card to draw; NONE if there is none."""
        board = self.board
        first = state.stage != SECOND_DRAW
        rest = unseen(state, self.seat)
        cards: i64 = 0
        blind: i64 = 0
        colour: i64 = 0
        while colour < board.kinds:
            cards += rest[colour]
            blind += rest[colour] * self.worth[colour]
            colour += 1
        blind = blind // cards if cards > 0 else i64(0)
        best: i64 = NONE
        best_worth: i64 = -1
        second: i64 = 0
        wild_slot: i64 = NONE
        slot: i64 = 0
        while slot < len(state.row):
            card = state.row[slot]
            if card == board.wild:
                wild_slot = slot
            elif card != EMPTY:
                value = self.worth[card]
                if value > best_worth:
                    second = max(second, best_worth)
                    best_worth = value
                    best = board.row_at + slot
                else:
                    second = max(second, value)
            slot += 1
        if state.deck_left > 0:
            if blind > best_worth:
                second = max(second, best_worth)
                best_worth = blind
                best = 0
            else:
                second = max(second, blind)
        if first and wild_slot != NONE:
            value = self.weights.row_wild
            if self.wilds_short > 0:
                value += self.weights.row_ferry
            if self.short == 1:
                value += 40
            if value > best_worth + second:
                best = board.row_at + wild_slot
        self.why = WHY_CARDS
        self.about = self.plan.routes[0] if len(self.plan.routes) > 0 else NONE
        return best

    def _last_turn(self, state: State) -> i64:
        """What brings the most at once; NONE if nothing brings anything."""
        board = self.board
        best: i64 = NONE
        best_gain: i64 = 0
        parent = groups(state, self.seat)
        tickets = vec[i64]()
        ticket: i64 = 0
        while ticket < board.tickets:
            mine = state.holder[ticket] == self.seat
            if mine and root(parent, board.ticket_a[ticket]) != root(parent, board.ticket_b[ticket]):
                tickets = append(tickets, ticket)
            ticket += 1
        route: i64 = 0
        while route < board.routes:
            index = self.payment(state, route)
            if index != NONE:
                gain = board.points[route] * 100
                if board.kind[route] == TUNNEL:
                    gain = gain * 3 // 4
                elif board.kind[route] == FERRY:
                    gain += 1
                a = root(parent, board.route_a[route])
                b = root(parent, board.route_b[route])
                for ticket in tickets:
                    x = root(parent, board.ticket_a[ticket])
                    y = root(parent, board.ticket_b[ticket])
                    if (x == a and y == b) or (x == b and y == a):
                        gain += board.ticket_points[ticket] * (150 if board.kind[route] == TUNNEL else 200)
                if gain > best_gain:
                    best = index
                    best_gain = gain
                    self.about = route
            route += 1
        if len(tickets) > 0 and state.stations[self.seat] > 0:
            city = self._best_site(state, best_gain)
            if city != NONE:
                index = self.build(state, city)
                if index != NONE:
                    best = index
                    self.about = city
        if best != NONE:
            self.why = WHY_LAST
        return best

    def _best_site(self, state: State, least: i64) -> i64:
        """Where a station would bring more than `least` at the end; NONE if nowhere."""
        before = Borrowing(state, self.seat).points
        best: i64 = NONE
        city: i64 = 0
        while city < self.board.cities:
            if state.station[city] == NOBODY:
                new = state.copy()
                new.station = state.station[:]
                new.station[city] = self.seat
                gain = (Borrowing(new, self.seat).points - before) * 100 - self.weights.station
                if gain > least:
                    best = city
                    least = gain
            city += 1
        return best
