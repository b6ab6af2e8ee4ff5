"""Search over sampled worlds: a few candidates, each tried in the same worlds, the weaker ones dropped on the way.

A candidate is an action, or a whole style to go on in. In a world all seats go on with quick planners. While there are
many candidates a playout is judged after some turns: that takes less time and less luck than to play on, but the judge
has its prejudices. So between the last few whole games decide.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.planner.blind import seen_by
from branchline.bots.planner.play import Planner
from branchline.bots.planner.ways import Ways
from branchline.bots.planner.weights import Weights, is_short
from branchline.bots.search.contest import NO_POINTS, Search, Share, add_shares, lead_of
from branchline.bots.search.judge import Judge, features
from branchline.bots.search.styles import CROWD
from branchline.engine.apply import act
from branchline.engine.board import BUILD, CLAIM, DRAW_ROW, DRAW_TICKETS, EMPTY, NOBODY, NONE, Board, filled, zeros
from branchline.engine.legal import actor, barred, legal
from branchline.engine.refusals import LEGAL
from branchline.engine.shuffle import Rng
from branchline.engine.sight import Sight
from branchline.engine.stages import OPENING, OVER, TUNNEL_OWED, TURN
from branchline.engine.state import State
from branchline.engine.worlds import Worlds

CLEAR: Final[i64] = 500
"""Hundredths of a point ahead in the end that count as a whole win."""
UNSURE: Final[i64] = 1500
"""The same where the game is judged before its end."""
WORTH_A_TRY: Final[i64] = 60
"""A card of the row is tried that is worth as much to the planner, where one that it needs is worth 100; and a wild."""
MANY_TICKETS: Final[i64] = 8
"""Whoever has as many does not ask itself whether to draw more."""
ENDLESS: Final[i64] = 1500
"""Decisions after which a playout is counted as it stands."""


class SearchWeights:
    """How the search weighs; what was measured is in docs/ladder-diary.md."""

    def __init__(self) -> None:
        self.others: i64 = 4
        """Routes tried that the plan does not want: the most valuable the hand can pay."""
        self.win: i64 = 1500
        """A win, in hundredths of a point."""
        self.trust: i64 = 100
        """By how many hundredths of a standard error another candidate has to beat the planner's own choice."""
        self.depth: i64 = 8
        """Turns of each seat before a playout is judged, while there are many candidates."""
        self.guesses: i64 = 8
        """Worlds sampled for each that is played: the one is taken whose tickets explain best what others claimed."""
        self.finalists: i64 = 3
        """Candidates between which whole playouts decide."""
        self.judged: i64 = 40
        """The share of playouts that are judged, in hundredths."""
        self.lead: i64 = 10_000
        """More points ahead or behind than these, in hundredths, count no further."""


def fitting(board: Board, seats: i64) -> SearchWeights:
    """How to search: in a long game other styles say more than single routes, at a full table chance says most."""
    how = SearchWeights()
    if not is_short(board.rules):
        how.others = 1
        if seats >= CROWD:
            how.trust = 200
    return how


def _plans_differ(one: Planner, other: Planner) -> bool:
    """Whether two planners want other routes."""
    route: i64 = 0
    while route < one.board.routes:
        if one.plan.wanted[route] != other.plan.wanted[route]:
            return True
        route += 1
    return False


class PlannerSearch(Search):
    """One decision."""

    def __init__(self, sight: Sight, rng: Rng, styles: list[Weights], how: SearchWeights, judge: Judge | None) -> None:
        """Find the candidates, the planner's own choice first. Without a judge all playouts are whole games.

        All planners go by the first of the styles; this seat may go on in another one.
        """
        super().__init__(sight.stage, how.trust)
        weights = styles[0]
        self.judge = judge
        self.whole = judge is None
        self.sight = sight
        self.how = how
        self.seat: i64 = sight.seat
        self.own = seen_by(sight)
        self.planner = Planner(sight.board, sight.seat, weights, True)
        self.style = vec[i64]()
        """In which style this seat goes on after each candidate."""
        self.myself: list[Planner] = []
        """This seat in playouts, in each style."""
        self._find()
        self._find_styles(styles)
        self.compare(self.candidates)
        self.worlds = Worlds(sight, rng)
        self.far = filled(sight.seats * sight.board.cities * sight.board.cities, NONE)
        """How far two cities are apart for a seat, in spaces still to be claimed; NONE if not asked yet."""
        self.players: list[Planner] = []
        seat: i64 = 0
        while seat < sight.seats:
            self.players.append(Planner(sight.board, seat, weights, False))
            seat += 1

    def _find(self) -> None:
        board = self.sight.board
        own = self.own
        actions = legal(own, self.seat)
        first = self.planner.choose(own)
        self._add(first)
        if own.stage != TURN:
            cards = zeros(board.kinds)
            for index in actions:
                if board.action_kind[index] == DRAW_ROW:
                    card = own.row[board.action_what[index]]
                    if cards[card]:
                        continue
                    cards[card] = 1
                self._add(index)
            return
        for route in self.planner.plan.routes:
            index = self.planner.claim_of(own, route)
            if index != NONE:
                self._add(index)
        self._find_others()
        seen = zeros(board.kinds)
        for index in actions:
            kind = board.action_kind[index]
            if kind == DRAW_ROW:
                card = own.row[board.action_what[index]]
                if card != EMPTY and not seen[card]:
                    seen[card] = 1
                    if card == board.wild or self.planner.worth_of(card) >= WORTH_A_TRY:
                        self._add(index)
            elif kind == DRAW_TICKETS:
                if len(self.planner.plan.dropped) == 0 and own.last == NONE and own.held[self.seat] < MANY_TICKETS:
                    self._add(index)
            elif kind != CLAIM and kind != BUILD:
                self._add(index)
        site = self.planner.plan.site(own)
        if site != NONE and own.stations[self.seat] > 0:
            index = self.planner.station_of(own, site)
            if index != NONE:
                self._add(index)

    def _find_others(self) -> None:
        """Routes that the plan does not want, for their points or to be in someone's way."""
        board = self.sight.board
        tried = zeros(board.routes)
        n: i64 = 0
        while n < self.how.others:
            best: i64 = NONE
            best_index: i64 = NONE
            route: i64 = 0
            while route < board.routes:
                if (
                    not tried[route]
                    and not self.planner.plan.wanted[route]
                    and (best == NONE or board.points[route] > board.points[best])
                    and barred(self.own, route, self.seat) == LEGAL
                ):
                    index = self.planner.claim_of(self.own, route)
                    if index != NONE:
                        best = route
                        best_index = index
                route += 1
            if best == NONE:
                return
            tried[best] = 1
            self._add(best_index)
            n += 1

    def _find_styles(self, styles: list[Weights]) -> None:
        """What this seat would do in other styles, where those want other routes or act otherwise."""
        which: i64 = 0
        for weights in styles:
            self.myself.append(Planner(self.sight.board, self.seat, weights, False))
            if which > 0 and self.own.stage != TUNNEL_OWED:
                planner = Planner(self.sight.board, self.seat, weights, True)
                index = planner.choose(self.own)
                if index != self.candidates[0] or _plans_differ(planner, self.planner):
                    self.candidates = append(self.candidates, index)
                    self.style = append(self.style, which)
            which += 1

    def consider(self, index: i64) -> None:
        """Make another action a candidate, to go on from in the usual style."""
        super().consider(index)
        if len(self.style) < len(self.candidates):
            self.style = append(self.style, 0)

    def only(self, indices: vec[i64]) -> None:
        """Make these actions the candidates and no others, to go on from in the usual style."""
        self.style = vec[i64]()
        super().only(indices)

    def _add(self, index: i64) -> None:
        for other in self.candidates:
            if other == index:
                return
        self.candidates = append(self.candidates, index)
        self.style = append(self.style, 0)

    def shares(self) -> list[Share]:
        """The shares in which a budget is spent."""
        out: list[Share] = []
        alive: i64 = len(self.candidates)
        if self.judge is not None and alive > self.how.finalists:
            alive = add_shares(out, alive, self.how.finalists, 0, self.how.judged, False)
        begin: i64 = 0
        if len(out) > 0:
            begin = self.how.judged
        add_shares(out, alive, 2, begin, 100, True)
        return out

    def begin(self, share: Share) -> None:
        """Start with a share; the first of whole games begins the count anew."""
        if share.whole and not self.whole:
            self.whole = True
            self.contest.count_anew()

    def decided(self) -> bool:
        """Whether more playouts would hardly change the choice."""
        return self.whole and self.contest.decided()

    def step(self) -> None:
        """One more world, in which every candidate that is left is tried."""
        world = self._likely()
        contest = self.contest
        base: i64 = 0
        i: i64 = 0
        while i < contest.alive:
            which = contest.order[i]
            self.players[self.seat] = self.myself[self.style[which]]
            value = self._try(world.copy(), which)
            if which == 0:
                base = value
            contest.note(which, value - base)
            self.nodes += 1
            i += 1

    def _likely(self) -> State:
        """A world in which others hold tickets that go with their routes."""
        best = self.worlds.sample()
        if self.how.guesses <= 1 or best.stage == OPENING:
            return best
        most = self._sense(best)
        n: i64 = 1
        while n < self.how.guesses:
            world = self.worlds.sample()
            sense = self._sense(world)
            if sense > most:
                best = world
                most = sense
            n += 1
        return best

    def _sense(self, world: State) -> i64:
        """By how much the routes of others shorten the ways of the tickets they hold in a world."""
        board = world.board
        sense: i64 = 0
        ticket: i64 = 0
        while ticket < board.tickets:
            holder = world.holder[ticket]
            if holder >= 0 and holder != self.seat:
                far = self._distance(holder, board.ticket_a[ticket], board.ticket_b[ticket])
                sense += board.ticket_points[ticket] - min(far, board.ticket_points[ticket] * 2)
            ticket += 1
        return sense

    def _distance(self, seat: i64, a: i64, b: i64) -> i64:
        board = self.sight.board
        row = (seat * board.cities + a) * board.cities
        if self.far[row + b] == NONE:
            ways = Ways(board, self._spaces(seat))
            ways.spread(ways.cost, a, NONE)
            city: i64 = 0
            while city < board.cities:
                self.far[row + city] = ways.distance[city]
                city += 1
        return self.far[row + b]

    def _spaces(self, seat: i64) -> vec[i64]:
        """The spaces that a seat would have to claim of each route; NONE for those of others."""
        board = self.sight.board
        out = filled(board.routes, NONE)
        route: i64 = 0
        while route < board.routes:
            owner = self.own.owner[route]
            if owner == seat:
                out[route] = 0
            elif owner == NOBODY:
                out[route] = board.length[route]
            route += 1
        return out

    def _try(self, state: State, which: i64) -> i64:
        """What a candidate is worth in a world: how far ahead this seat ends, with something for winning."""
        act(state, self.seat, self.candidates[which])
        for player in self.players:
            player.plan.forget()
        n: i64 = 0
        stop = state.turn + self.how.depth * state.seats
        while state.stage != OVER and n < ENDLESS:
            if state.turn >= stop and state.stage == TURN and state.last == NONE:
                judge = self.judge
                if judge is not None and not self.whole:
                    return self._judged(state, judge)
            who = actor(state)
            act(state, who, self.players[who].choose(state))
            n += 1
        self.count(state, which)
        return self._worth(lead_of(self.ends[which], state.seats, self.seat) * 100, CLEAR)

    def _judged(self, state: State, judge: Judge) -> i64:
        """How far ahead this seat is going to end, as the judge thinks."""
        mine: i64 = 0
        most = NO_POINTS
        for player in self.players:
            points = i64(judge.points(features(state, player)) * 100.0)
            if player.seat == self.seat:
                mine = points
            else:
                most = max(most, points)
        return self._worth(mine - most, UNSURE)

    def _worth(self, lead: i64, sure: i64) -> i64:
        """A lead, with something for winning, which comes in gradually up to a lead that is sure."""
        value = min(max(lead, -self.how.lead), self.how.lead)
        return value + self.how.win * min(max(lead, -sure), sure) // sure
