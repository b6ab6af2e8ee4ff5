"""One seat's observation, kept up: what may have changed since it was last asked for is written, the rest stands.

Reads nothing that the seat's sight would not tell it.
"""

from librt.vecs import vec
from mypy_extensions import i64, u8

from branchline.engine.board import EMPTY, GREY, NONE, filled
from branchline.engine.legal import largest_stack
from branchline.engine.stages import OPENING, OVER, TUNNEL_OWED
from branchline.observation.aims import Aims
from branchline.observation.layout import Layout, byte
from branchline.observation.outlook import Outlook
from branchline.observation.ways import FAR
from branchline.observation.witness import Witness, own_offer


class Page:
    """What one seat sees, as bytes."""

    def __init__(self, layout: Layout, witness: Witness, seat: i64, out: vec[u8], at: i64) -> None:
        """It stands in `out` from `at` on, where there are noughts."""
        board = witness.state.board
        self.layout = layout
        self.witness = witness
        self.seat: i64 = seat
        self.out = out
        self.at: i64 = at
        self.aims = Aims(layout, witness, seat, out, at)
        self.outlook = Outlook(layout, witness, self.aims) if layout.outlook else None
        self.aims_version: i64 = NONE
        """What of the aims has been written."""
        self.hand: i64 = NONE
        self.claimed: i64 = 0
        """How many of the witness's claims and stations have been."""
        self.built: i64 = 0
        self.gained: i64 = NONE
        """How many of the own claims and closed routes of the seat's ways have been; NONE before the first time."""
        self.closed: i64 = NONE
        self.stacks = filled(board.kinds + 1, NONE)
        """The hand that is written: the largest stack, for grey routes, then colour by colour, the wilds last."""
        self.cars: i64 = NONE
        self.price = filled(board.classes, NONE)
        """What is written of routes that cost the same: twice the cards that lack, and one more if cars lack."""
        self.dug: i64 = NONE
        """The tunnel under way that is written."""

    def write(self) -> None:
        """Bring every byte up to date."""
        self.aims.refresh()
        self._write_table()
        self._write_seats()
        self._write_cards()
        self._write_claims()
        self._write_stations()
        self._write_open()
        self._write_prices()
        self._write_dug()
        if self.aims_version != self.aims.version:
            self.aims_version = self.aims.version
            self._write_tickets()
        if self.outlook is not None:
            self.outlook.write(self.out, self.at)

    def _write_table(self) -> None:
        state = self.witness.state
        layout = self.layout
        out = self.out
        at = self.at
        here = at + layout.stage
        end = here + 5
        while here < end:
            out[here] = 0
            here += 1
        if state.stage != OVER:
            out[at + layout.stage + state.stage] = 1
        if state.last != NONE:
            out[at + layout.last_round] = 1
            out[at + layout.last_round + 1] = byte(state.last)
        out[at + layout.turn] = byte(state.turn)
        out[at + layout.decks] = byte(state.deck_left)
        out[at + layout.decks + 1] = byte(len(state.ticket_deck))
        out[at + layout.passes] = byte(state.passes)

    def _write_seats(self) -> None:
        witness = self.witness
        state = witness.state
        layout = self.layout
        out = self.out
        opening = state.stage == OPENING
        over = state.stage == OVER
        here = self.at
        who = self.seat
        place: i64 = 0
        while place < state.seats:
            acting = state.seat == who
            if opening:
                acting = state.answers[who] == NONE
            out[here + layout.seated] = 1
            out[here + layout.first] = 1 if state.first == who else 0
            out[here + layout.acting] = 1 if acting and not over else 0
            out[here + layout.cars] = byte(state.cars[who])
            out[here + layout.stations_left] = byte(state.stations[who])
            out[here + layout.cards] = byte(witness.cards[who])
            out[here + layout.held] = byte(state.held[who])
            if not opening:
                out[here + layout.opening_kept] = byte(witness.opening_kept[who])
            out[here + layout.ticket_draws] = byte(witness.ticket_draws[who])
            out[here + layout.points] = byte(state.points[who])
            out[here + layout.attractions] = byte(witness.attractions[who])
            here += 1
            who += 1
            if who == state.seats:
                who = 0
            place += 1

    def _write_cards(self) -> None:
        # Every store of a byte could be to any field, for all that C knows: so all that is read stands in locals.
        witness = self.witness
        state = witness.state
        layout = self.layout
        out = self.out
        hands, discards = state.hands, state.discards
        unseen, drawn, known = witness.unseen, witness.drawn, witness.known
        hand_at, discards_at = self.at + layout.hand, self.at + layout.discards
        row_at, fresh_at = self.at + layout.row, self.at + layout.fresh
        kinds = state.board.kinds
        own = self.seat * kinds
        colour: i64 = 0
        while colour < kinds:
            out[hand_at + colour] = byte(hands[own + colour])
            out[row_at + colour] = 0
            out[discards_at + colour] = byte(discards[colour])
            out[fresh_at + colour] = byte(unseen[colour] - drawn[own + colour])
            colour += 1
        for card in state.row:
            if card != EMPTY:
                out[row_at + card] += 1
        here = self.at + layout.known
        i = own
        place: i64 = 1
        while place < state.seats:
            i += kinds
            if i == len(known):
                i = 0
            colour = 0
            while colour < kinds:
                out[here] = byte(known[i + colour])
                here += 1
                colour += 1
            place += 1

    def _write_claims(self) -> None:
        """Who has claimed each route, and who has one that ends in each city."""
        claimed = self.witness.claimed
        if self.claimed == len(claimed):
            return
        state = self.witness.state
        board = state.board
        out = self.out
        places = self.layout.places
        touched = self.at + self.layout.touched
        while self.claimed < len(claimed):
            route = claimed[self.claimed]
            self.claimed += 1
            place = self._place(state.owner[route])
            out[self.at + self.layout.owner + route * places + place] = 1
            out[touched + board.route_a[route] * places + place] = 1
            out[touched + board.route_b[route] * places + place] = 1

    def _write_stations(self) -> None:
        built = self.witness.built
        while self.built < len(built):
            city = built[self.built]
            self.built += 1
            place = self._place(self.witness.state.station[city])
            self.out[self.at + self.layout.station + city * self.layout.places + place] = 1

    def _place(self, seat: i64) -> i64:
        place = seat - self.seat
        return place if place >= 0 else place + self.witness.state.seats

    def _write_open(self) -> None:
        ways = self.witness.ways[self.seat]
        if self.gained == NONE:
            cost = ways.cost
            here = self.at + self.layout.open
            route: i64 = 0
            while route < len(cost):
                if 0 < cost[route] < FAR:
                    self.out[here + route] = 1
                route += 1
            self.gained = len(ways.gained)
            self.closed = len(ways.closed)
        while self.gained < len(ways.gained):
            self._shut(ways.gained[self.gained])
            self.gained += 1
        while self.closed < len(ways.closed):
            self._shut(ways.closed[self.closed])
            self.closed += 1

    def _shut(self, route: i64) -> None:
        here = self.at + route
        self.out[here + self.layout.open] = 0
        self.out[here + self.layout.payable] = 0
        self.out[here + self.layout.short] = 0

    def _write_prices(self) -> None:
        """Which open routes can be paid for, and what others lack: anew where another hand or fewer cars may matter."""
        state = self.witness.state
        board = state.board
        hands = state.hands
        stacks = self.stacks
        own = self.seat * board.kinds
        wilds = hands[own + board.wild]
        cars = min(state.cars[self.seat], self.layout.longest)  # more make no difference
        anew = wilds != stacks[board.kinds] or cars != self.cars
        self.cars = cars
        stacks[board.kinds] = wilds
        stack = largest_stack(state, self.seat)
        colour = GREY
        while True:
            if anew or stack != stacks[colour + 1]:
                stacks[colour + 1] = stack
                self._write_colour(colour, stack, wilds)
            colour += 1
            if colour == board.wild:
                return
            stack = hands[own + colour]

    def _write_colour(self, colour: i64, stack: i64, wilds: i64) -> None:
        board = self.witness.state.board
        out = self.out
        cost = self.witness.ways[self.seat].cost
        routes = board.class_route
        payable_at = self.at + self.layout.payable
        short_at = self.at + self.layout.short
        group = board.colour_classes[colour + 1]
        end = board.colour_classes[colour + 2]
        while group < end:
            length = board.class_length[group]
            # Wilds that a ferry asks for can't be made up for by cards.
            short = board.class_wilds[group] - wilds
            if length - stack - wilds > short:
                short = length - stack - wilds
            if short < 0:
                short = 0
            price = 2 * short
            if length > self.cars:
                price += 1
            if price != self.price[group]:
                self.price[group] = price
                i = board.class_start[group]
                stop = board.class_start[group + 1]
                while i < stop:
                    route = routes[i]
                    if cost[route] == length:
                        out[payable_at + route] = 1 if price == 0 else 0
                        out[short_at + route] = u8(short)
                    i += 1
            group += 1

    def _write_dug(self) -> None:
        """The tunnel under way, and what is owed for it."""
        state = self.witness.state
        layout = self.layout
        out = self.out
        dug = state.route if state.stage == TUNNEL_OWED else NONE
        if self.dug != NONE and dug != self.dug:
            out[self.at + layout.dug + self.dug] = 0
            wipe(out, self.at + layout.owed, 3)
        self.dug = dug
        if dug != NONE:
            out[self.at + layout.dug + dug] = 1
            out[self.at + layout.owed] = byte(state.owed)
            out[self.at + layout.owed + 1] = byte(state.board.length[dug])
            out[self.at + layout.owed + 2] = byte(state.laid_wilds)

    def _write_tickets(self) -> None:
        aims = self.aims
        if self.hand != aims.hand:
            self.hand = aims.hand
            self._write_hand()
        state = self.witness.state
        board = state.board
        layout = self.layout
        out = self.out
        at = self.at
        cars = state.cars[self.seat]
        joined: i64 = 0
        possible: i64 = 0
        hopeless: i64 = 0
        i: i64 = 0
        while i < len(aims.tickets):
            ticket = aims.tickets[i]
            missing = aims.missing[ticket]
            points = board.ticket_points[ticket]
            if i >= aims.own:
                points = 0
            out[at + layout.missing + ticket] = u8(missing)
            if missing == 0:
                out[at + layout.joined + ticket] = 1
                joined += points
            elif missing > cars:
                out[at + layout.hopeless + ticket] = 1
                hopeless += points
            else:
                possible += points
            i += 1
        there = at + layout.ticket_sums
        out[there] = byte(joined)
        out[there + 1] = byte(possible)
        out[there + 2] = byte(hopeless)

    def _write_hand(self) -> None:
        """Which tickets are own, offered or were returned; what they need is not written here."""
        layout = self.layout
        out = self.out
        at = self.at
        tickets = layout.board.tickets
        returned = self.witness.returned
        own = self.seat * tickets
        ticket: i64 = 0
        while ticket < tickets:
            here = at + ticket
            out[here + layout.returned] = u8(returned[own + ticket])
            out[here + layout.kept] = 0
            out[here + layout.joined] = 0
            out[here + layout.offered] = 0
            out[here + layout.missing] = 0
            out[here + layout.hopeless] = 0
            ticket += 1
        i: i64 = 0
        while i < self.aims.own:
            out[at + layout.kept + self.aims.tickets[i]] = 1
            i += 1
        for ticket in own_offer(self.witness.state, self.seat):
            out[at + layout.offered + ticket] = 1


def wipe(out: vec[u8], at: i64, n: i64) -> None:
    """Write so many noughts."""
    end = at + n
    while at < end:
        out[at] = 0
        at += 1
