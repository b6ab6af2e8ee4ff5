"""`blocker`: guesses from the board where others are heading, and takes the routes that hurt them most."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp

from librt.vecs import vec
from mypy_extensions import i64

from branchline.bots.planner.facts import cards_of
from branchline.bots.planner.plan import FOR_TICKETS
from branchline.bots.planner.play import WHY_CARDS, WHY_POINTS, WHY_TICKET, WHY_TICKETS
from branchline.bots.planner.weights import Weights, fitted, is_short
from branchline.bots.rivals.base import Claim, Rival, Turn
from branchline.engine.board import NOBODY, NONE, Board, to_vec
from branchline.engine.legal import barred
from branchline.engine.network import path
from branchline.engine.refusals import LEGAL
from branchline.engine.state import State


@dataclass(frozen=True, slots=True)
class Malice:
    """What standing in another's way is worth, in points."""

    turn: float
    """A turn, its own or another's."""
    spite: float
    """A point that another loses."""
    needed: float
    """A card that its own tickets want, or a wild."""
    least: float
    """What a claim in another's way has to bring where the planner would draw, or claim for points."""
    over_claim: float
    """The same where it would claim for its tickets."""
    prefer: float
    """By how much more a route for its own tickets has to hurt to be claimed before another."""
    sharp: float
    """So many half turns that the routes of another save on a ticket make it e times as likely theirs."""


LONG_GAME = Malice(turn=2.6, spite=0.6, needed=1.3, least=1.0, over_claim=3.0, prefer=3.0, sharp=5.0)
SHORT_GAME = Malice(turn=2.2, spite=0.6, needed=1.1, least=0.7, over_claim=2.0, prefer=2.0, sharp=3.0)

OPEN_TO_IT = (WHY_CARDS, WHY_POINTS, WHY_TICKET, WHY_TICKETS)
"""What it would rather not do where it can stand in another's way."""
DEAREST = 0.5
"""Of a claim for its own tickets that is made first because it hurts, at most this share may be extra wilds."""

CLAIM_STEPS = 2
"""A claim, in half turns, in which all ways of others are counted; each card is one more."""
BORROW_STEPS = 9
"""A route that a station borrows."""
MOST_SAVED = 40
"""More half turns saved than these make a ticket no likelier."""
SUREST = 0.8
"""No ticket is taken to be another's with more certainty than this."""
UNLIKELY = 0.04
"""And those that are less likely are left alone."""


class Blocker(Rival):
    """Its planner joins few short tickets; every turn it asks whether a claim in another's way is worth more."""

    def weights(self, board: Board) -> Weights:
        """Those of `regular` for fewer tickets, and for claiming first what others come near to."""
        weights = fitted(board)
        short = is_short(board.rules)
        weights.keep_margin = 60 if short else 300
        weights.risk = 300 if short else 450
        return weights

    def instead(self, turn: Turn) -> int:
        """The best claim in another's way; failing that, of its own ways the route that hurts most."""
        if turn.planner.why not in OPEN_TO_IT:
            return turn.index
        malice = SHORT_GAME if is_short(turn.state.board.rules) else LONG_GAME
        choice = Choice(turn, malice, hurts(turn.state, turn.seat, malice))
        block = choice.block()
        return choice.own_way() if block is None else block


class Choice:
    """The claims of one turn that hurt others."""

    def __init__(self, turn: Turn, malice: Malice, hurts: Mapping[int, float]) -> None:
        """`hurts`: the points that losing a route costs others."""
        self.turn = turn
        self.malice = malice
        self.hurts = hurts
        wanted = turn.planner.plan.wanted
        claims = {route: turn.claim(route) for route in hurts}
        self.own = {route: claim for route, claim in claims.items() if claim and wanted[route] == FOR_TICKETS}
        """Those for its own tickets, by route."""
        self.other = {route: claim for route, claim in claims.items() if claim and wanted[route] != FOR_TICKETS}

    def block(self) -> int | None:
        """The claim in another's way that brings the most; None if it is less than it has to be."""
        best, most = None, self._bar()
        for route, claim in self.other.items():
            worth = self._worth(route, claim)
            if worth > most:
                best, most = claim.index, worth
        return best

    def own_way(self) -> int:
        """What the planner would do, or the claim for its own tickets that hurts others much more."""
        planner = self.turn.planner
        best = self.turn.index
        keenest = self.hurts.get(planner.about, 0.0) if planner.why in (WHY_TICKET, WHY_POINTS) else 0.0
        for route, claim in self.own.items():
            keen = self.hurts[route] - claim.extra
            if keen > keenest + self.malice.prefer and claim.extra <= claim.length * DEAREST:
                best, keenest = claim.index, keen
        return best

    def _bar(self) -> float:
        """What a claim in another's way has to bring."""
        planner, malice = self.turn.planner, self.malice
        if planner.why == WHY_TICKET:
            return malice.over_claim + malice.spite * self.hurts.get(planner.about, 0.0)
        claim = self.turn.claim(planner.about) if planner.why == WHY_POINTS else None
        return malice.least if claim is None else max(malice.least, self._worth(planner.about, claim))

    def _worth(self, route: int, claim: Claim) -> float:
        """Points that a claim brings and costs others, beyond the turns and cards that it takes."""
        malice = self.malice
        cost = malice.turn * claim.turns + malice.needed * (claim.needed + claim.wilds)
        return int(self.turn.state.board.points[route]) + malice.spite * self.hurts.get(route, 0.0) - cost


def hurts(state: State, seat: int, malice: Malice) -> dict[int, float]:
    """For each open route that others may need: the points that losing it costs them, as far as one can guess."""
    out: dict[int, float] = {}
    share = 1.0 / int(state.seats - 1)
    for other in range(state.seats):
        if other == seat or state.cars[other] == state.board.rules.cars:
            continue  # whoever has no route yet has told nothing
        heading = Heading(state, other, seat, malice)
        for guess in heading.guesses:
            chance = heading.chance(guess)
            if chance < UNLIKELY or guess.steps > heading.left:
                continue
            for route in guess.way:
                if _can_close(state, route, seat):
                    out[route] = out.get(route, 0.0) + chance * heading.lost(guess, route) * share
    return out


@dataclass(frozen=True, slots=True)
class Guess:
    """A ticket that another seat may hold and has not joined."""

    ticket: int
    way: list[int]
    """The routes of its cheapest way, those that the seat has among them."""
    steps: int
    """Half turns that the way still takes."""
    weight: float
    """How likely it is beside the other tickets."""


class Heading:
    """Where a seat may be heading, as its routes tell whoever looks on."""

    def __init__(self, state: State, seat: int, looker: int, malice: Malice) -> None:
        self.state = state
        self.seat = seat
        self.malice = malice
        routes = range(state.board.routes)
        self.steps = to_vec([_steps(state, route, seat) for route in routes])
        """Half turns that each route takes this seat; NONE where it can't have it."""
        self.left = max(CLAIM_STEPS, int(state.cars[seat] + cards_of(state, seat)))
        """Half turns that it may still have: what takes more, fails."""
        self.guesses: list[Guess] = []
        self.total = 0.0
        """The weight of all tickets that the looker does not hold, those that are joined too."""
        bare = to_vec([CLAIM_STEPS + state.board.length[route] for route in routes])
        for ticket in range(state.board.tickets):
            if state.holder[ticket] != looker:
                self._weigh(ticket, bare)

    def _weigh(self, ticket: int, bare: vec[i64]) -> None:
        """Look at a ticket: the more this seat's routes save of its way on the bare board, the likelier it is."""
        way = self._way(ticket, self.steps)
        if not way:
            return
        steps = _sum(self.steps, way)
        saved = _sum(bare, self._way(ticket, bare)) - steps
        weight = exp(min(saved, MOST_SAVED) / self.malice.sharp)
        self.total += weight
        if steps > 0:
            self.guesses.append(Guess(ticket, way, steps, weight))

    def chance(self, guess: Guess) -> float:
        """How likely this seat holds the ticket."""
        return min(SUREST, int(self.state.held[self.seat]) * guess.weight / self.total)

    def lost(self, guess: Guess, route: int) -> float:
        """Points that it loses without a route: the turns of a detour, or the ticket."""
        board = self.state.board
        steps = self.steps[:]
        steps[route] = NONE
        twin = board.twin[route]
        if twin != NONE and self.state.seats < board.rules.twins_from:  # R4.5
            steps[twin] = NONE
        fails = 2.0 * int(board.ticket_points[guess.ticket])
        detour = self._way(guess.ticket, steps)
        more = _sum(steps, detour) - guess.steps
        if not detour or guess.steps + more > self.left:
            return fails
        return min(fails, more / 2 * self.malice.turn)

    def _way(self, ticket: int, steps: vec[i64]) -> list[int]:
        board = self.state.board
        return list(path(board, steps, board.ticket_a[ticket], board.ticket_b[ticket]))


def _sum(steps: vec[i64], way: list[int]) -> int:
    return sum(int(steps[route]) for route in way)


def _steps(state: State, route: int, seat: int) -> int:
    if state.owner[route] == seat:
        return 0
    if barred(state, route, seat) == LEGAL:
        return CLAIM_STEPS + state.board.length[route]
    return BORROW_STEPS if state.owner[route] != NOBODY and state.stations[seat] > 0 else NONE


def _can_close(state: State, route: int, seat: int) -> bool:
    """Whether a claim by `seat` would keep others off a route: not where its twin stays open to them (R4.5)."""
    if barred(state, route, seat) != LEGAL:
        return False
    twin = state.board.twin[route]
    return twin == NONE or state.seats < state.board.rules.twins_from or state.owner[twin] != NOBODY
