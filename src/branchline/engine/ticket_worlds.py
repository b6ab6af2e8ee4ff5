"""The tickets of a world: the offers played over again with unknown tickets, until they agree with what was seen."""

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from branchline.engine.board import NOBODY, NONE, filled, zeros
from branchline.engine.evidence import Choice
from branchline.engine.legal import bits
from branchline.engine.shuffle import Rng
from branchline.engine.sight import Sight
from branchline.engine.stages import OPENING, OVER
from branchline.engine.state import State


class TicketWorld:
    """One deal of the tickets. A token stands for a ticket of the first shuffle, by its place there."""

    def __init__(self, sight: Sight, rng: Rng) -> None:
        """Deal."""
        self.sight = sight
        self.rng = rng
        board = sight.board
        self.ordinary = vec[i64]()
        """The tickets of the deck as it was first shuffled; the others are long ones."""
        self.long = vec[i64]()
        ticket: i64 = 0
        while ticket < board.tickets:
            if board.rules.opening_long > 0 and board.ticket_long[ticket]:
                self.long = append(self.long, ticket)
            else:
                self.ordinary = append(self.ordinary, ticket)
            ticket += 1
        self.ticket = vec[i64]()
        """The ticket each token is, NONE while nothing is known of it; ordinary ones first."""
        self.token = vec[i64]()
        """The token each ticket has been found to be, or NONE."""
        self.deck = vec[i64]()
        """The tokens in the deck, its bottom first."""
        self.offers: list[vec[i64]] = []
        """The tokens of each offer."""
        self.masks = vec[i64]()
        """The subset kept of each offer, or NONE."""
        while not self._replay():
            pass
        if sight.memory.began > 0:
            # What the seats held then may be of either kind.
            self._fill_in(self._of_deck(), 0, sight.memory.began_deck)
            self._fill_in(extend(self.ordinary, self.long), sight.memory.began_deck, board.tickets)
        else:
            self._fill_in(self.ordinary, 0, len(self.ordinary))
            self._fill_in(self.long, len(self.ordinary), board.tickets)

    def _replay(self) -> bool:
        """Play the offers over again, choosing for the others; False where that contradicts what the seat saw."""
        board = self.sight.board
        choices = self.sight.memory.choices
        self.ticket = filled(board.tickets, NONE)
        self.token = filled(board.tickets, NONE)
        self.offers = []
        self.masks = vec[i64]()
        self.deck = vec[i64]()
        if self.sight.memory.began > 0:
            self._begin_later()
        elif not self._begin_opening():
            return False
        n: i64 = self.sight.seats
        while n < len(choices):
            offer = self._pop(len(choices[n].offered))
            if not self._answer(choices[n], offer):
                return False
            if self.masks[n] != NONE:
                self._put_under(offer, self.masks[n])
            n += 1
        return True

    def _begin_opening(self) -> bool:
        rules = self.sight.board.rules
        choices = self.sight.memory.choices
        self._stack(len(self.ordinary))
        top = self.sight.board.tickets
        seat: i64 = 0
        while seat < self.sight.seats:
            offer = vec[i64]()
            i: i64 = 0
            while i < rules.opening_long:
                top -= 1
                offer = append(offer, top)
                i += 1
            offer = extend(offer, self._pop(rules.opening_tickets))
            if not self._answer(choices[seat], offer):
                return False
            seat += 1
        if self.sight.stage != OPENING and rules.opening_under:
            seat = 0
            while seat < self.sight.seats:
                self._put_under(self.offers[seat], self.masks[seat])
                seat += 1
        return True

    def _begin_later(self) -> None:
        """A position without history: what each seat held then is its first offer, all of it kept."""
        self._stack(self.sight.memory.began_deck)
        token = self.sight.memory.began_deck
        seat: i64 = 0
        while seat < self.sight.seats:
            held = vec[i64]()
            for _ in self.sight.memory.choices[seat].offered:
                held = append(held, token)
                token += 1
            self._answer(self.sight.memory.choices[seat], held)
            seat += 1

    def _stack(self, n: i64) -> None:
        token: i64 = 0
        while token < n:
            self.deck = append(self.deck, token)
            token += 1

    def _pop(self, n: i64) -> vec[i64]:
        """The top tokens, the top one first."""
        out = vec[i64]()
        left: i64 = len(self.deck)
        i: i64 = 1
        while i <= n:
            out = append(out, self.deck[left - i])
            i += 1
        self.deck = self.deck[: left - n]
        return out

    def _put_under(self, offer: vec[i64], mask: i64) -> None:
        """What was not kept goes to the bottom, the first first (R5.1)."""
        under = vec[i64]()
        i: i64 = len(offer) - 1
        while i >= 0:
            if not (mask >> i) & 1:
                under = append(under, offer[i])
            i -= 1
        self.deck = extend(under, self.deck)

    def _answer(self, choice: Choice, offer: vec[i64]) -> bool:
        """Answer an offer: as the seat remembers, or for others at random; False if the seat saw other tickets."""
        self.offers.append(offer)
        if choice.seat != self.sight.seat:
            self.masks = append(self.masks, self._some_mask(choice, len(offer)))
            return True
        mask: i64 = 0
        i: i64 = 0
        while i < len(offer):
            ticket = choice.offered[i]
            if self.ticket[offer[i]] != ticket:
                if self.ticket[offer[i]] != NONE or self.token[ticket] != NONE or not self._alike(offer[i], ticket):
                    return False
                self.ticket[offer[i]] = ticket
                self.token[ticket] = offer[i]
            if ticket in choice.kept:
                mask |= i64(1) << i
            i += 1
        self.masks = append(self.masks, mask or NONE)
        return True

    def _alike(self, token: i64, ticket: i64) -> bool:
        """Whether both are long or both are not; where long ones were put under the deck they come up again (R2.4)."""
        if self.sight.memory.began > 0:
            return True
        return (token < len(self.ordinary)) == (ticket in self.ordinary)

    def _some_mask(self, choice: Choice, n: i64) -> i64:
        """A subset another seat may have kept, each of the right size as likely; NONE if it has not answered."""
        if choice.number == NONE:
            if self.sight.stage != OPENING or not self.sight.answered[choice.seat]:
                return NONE
            while True:
                mask = self.rng.below(i64(1) << n)
                if bits(mask) >= self.sight.board.rules.opening_keep:
                    return mask
        mask = 0
        wanted = choice.number
        i: i64 = 0
        while i < n:
            if self.rng.below(n - i) < wanted:
                mask |= i64(1) << i
                wanted -= 1
            i += 1
        return mask

    def _fill_in(self, tickets: vec[i64], start: i64, stop: i64) -> None:
        """Give the tokens from `start` to `stop` of which nothing is known some of these tickets that are left."""
        rest = vec[i64]()
        for ticket in tickets:
            if self.token[ticket] == NONE:
                rest = append(rest, ticket)
        self.rng.shuffle(rest)
        at: i64 = 0
        token = start
        while token < stop:
            if self.ticket[token] == NONE:
                self.ticket[token] = rest[at]
                self.token[rest[at]] = token
                at += 1
            token += 1

    def _named(self, tokens: vec[i64]) -> vec[i64]:
        out = vec[i64](capacity=len(tokens))
        for token in tokens:
            out = append(out, self.ticket[token])
        return out

    def _kept(self, n: i64) -> vec[i64]:
        """The tickets kept of the n-th offer."""
        out = vec[i64]()
        i: i64 = 0
        while i < len(self.offers[n]):
            if self.masks[n] != NONE and (self.masks[n] >> i) & 1:
                out = append(out, self.ticket[self.offers[n][i]])
            i += 1
        return out

    def place(self, state: State) -> None:
        """Put the tickets into a world."""
        sight = self.sight
        state.holder = filled(sight.board.tickets, NOBODY)
        if sight.stage == OVER:
            state.holder = sight.holder[:]
            state.ticket_deck = self._not_held(sight.tickets_left)
        else:
            state.ticket_deck = self._named(self.deck)
        state.answers = self.masks[: sight.seats] if sight.stage == OPENING else zeros(sight.seats)
        state.offer = vec[i64]()
        n: i64 = 0
        for choice in sight.memory.choices:
            if sight.stage == OPENING or self.masks[n] == NONE:
                state.offer = extend(state.offer, self._named(self.offers[n]))
            elif sight.stage != OVER:
                for ticket in self._kept(n):
                    state.holder[ticket] = choice.seat
            n += 1

    def _of_deck(self) -> vec[i64]:
        """Tickets that may lie in the deck: long ones only where they were put under it (R2.4)."""
        return extend(self.ordinary, self.long) if self.sight.board.rules.opening_under else self.ordinary

    def _not_held(self, n: i64) -> vec[i64]:
        out = vec[i64]()
        for ticket in self._of_deck():
            if self.sight.holder[ticket] == NOBODY:
                out = append(out, ticket)
        self.rng.shuffle(out)
        return out[:n]

    def choices(self) -> list[Choice]:
        """The table's memory of the offers, those of the others filled in."""
        out: list[Choice] = []
        n: i64 = 0
        for choice in self.sight.memory.choices:
            out.append(Choice(choice.seat, self._named(self.offers[n]), self._kept(n), choice.number))
            n += 1
        return out
