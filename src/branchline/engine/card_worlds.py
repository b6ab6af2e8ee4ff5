"""The cards of a world: a deal of the hidden cards that agrees with everything one seat has seen.

Plain tries are exact. Where what the others paid makes them hopeless, a deal is mended until nothing contradicts it and
then stirred: a Markov chain of swaps, each as likely as its reverse, that never leaves the deals without contradiction.
"""

from typing import Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from branchline.engine.board import GREY, NONE, zeros
from branchline.engine.cards import pile
from branchline.engine.evidence import HIDDEN, Need, Stuck
from branchline.engine.shuffle import Rng
from branchline.engine.sight import Sight

TRIES: Final[i64] = 8
"""Plain tries before a deal is mended."""
SWEEPS: Final[i64] = 10
"""Swaps for each hidden card before the first deal is given out."""
SHORTEST: Final[i64] = 300
"""Swaps at the least: few cards make a chain of narrow passes."""


class CardWorld:
    """The hidden cards: blind draws of the others and the deck, epoch by epoch, each in its place."""

    def __init__(self, sight: Sight, rng: Rng, tries: i64 = TRIES) -> None:
        """Sort out which cards are hidden, and where they can be."""
        self.sight = sight
        self.rng = rng
        self.tries: i64 = tries
        self.card = vec[i64]()
        """The hidden cards in their places."""
        self.draw = vec[i64]()
        """The blind draw that each place was; NONE for places in the deck."""
        self.epoch = vec[i64]()
        """The epoch of each place."""
        self.start = vec[i64]()
        """Where the places of each epoch begin."""
        self.drawn = vec[i64]()
        """The places that were drawn."""
        self.places: list[vec[i64]] = []
        """For each seat its places, in the order they were drawn."""
        seat: i64 = 0
        while seat < sight.seats:
            self.places.append(vec[i64]())
            seat += 1
        epoch: i64 = 0
        while epoch <= sight.memory.epoch:
            self._lay_out(epoch)
            epoch += 1
        self.start = append(self.start, len(self.card))

        self.need_start = vec[i64]()
        """Where the needs of each seat and colour begin."""
        self.need_draws = vec[i64]()
        self.slack = vec[i64]()
        """By how many cards each need is more than met as the cards lie; below 0, it is contradicted."""
        self.counts = vec[i64]()
        self._gather_needs()
        self.settled = False
        """Whether the cards lie without contradiction, for the chain to go on from."""

    def _lay_out(self, epoch: i64) -> None:
        memory = self.sight.memory
        kinds = self.sight.board.kinds
        self.start = append(self.start, len(self.card))
        counts = memory.unseen[epoch * kinds : (epoch + 1) * kinds]
        i: i64 = 0
        while i < len(memory.draw_seat):
            if memory.draw_epoch[i] == epoch:
                if memory.draw_card[i] != HIDDEN:
                    counts[memory.draw_card[i]] -= 1
                else:
                    seat = memory.draw_seat[i]
                    place = i64(len(self.draw))
                    self.places[seat] = append(self.places[seat], place)
                    self.drawn = append(self.drawn, place)
                    self.draw = append(self.draw, i)
                    self.epoch = append(self.epoch, epoch)
            i += 1
        self.card = extend(self.card, pile(counts))
        while len(self.draw) < len(self.card):
            self.draw = append(self.draw, NONE)
            self.epoch = append(self.epoch, epoch)

    def _gather_needs(self) -> None:
        memory = self.sight.memory
        kinds = self.sight.board.kinds
        groups: dict[int, list[Need]] = {}
        for need in memory.needs:
            if need.seat != self.sight.seat:
                groups.setdefault(int(need.seat * kinds + need.colour), []).append(need)
        group: i64 = 0
        while group < self.sight.seats * kinds:
            self.need_start = append(self.need_start, len(self.need_draws))
            for need in groups.get(int(group), []):
                self.need_draws = append(self.need_draws, need.draws)
                self.counts = append(self.counts, need.count)
            group += 1
        self.need_start = append(self.need_start, len(self.need_draws))
        self.slack = zeros(len(self.need_draws))

    def deal(self) -> None:
        """Deal once more."""
        if self.settled:
            self._stir(2 * len(self.card))
        elif not self._try():
            self._mend()
            self.settled = True
            self._stir(max(SHORTEST, SWEEPS * len(self.card)))
        # The chain cares only which cards the deck has; their order is anybody's guess.
        self._shuffle(self._deck_start(), len(self.card))

    def pool(self) -> vec[i64]:
        """The hidden cards that came from the present deck or are still in it."""
        return self.card[self.start[len(self.start) - 2] :]

    def deck(self) -> vec[i64]:
        """The deck as dealt last."""
        return self.card[self._deck_start() :]

    def is_free(self) -> bool:
        """Whether nothing that was seen tells the cards of the present deck from those drawn from it."""
        place = self.start[len(self.start) - 2]
        while place < len(self.card) and self.draw[place] != NONE:
            for need in self.sight.memory.needs:
                if need.seat == self.sight.memory.draw_seat[self.draw[place]] and self.draw[place] < need.draws:
                    return False
            place += 1
        return not self.sight.memory.stuck and not self.sight.memory.coloured

    def _deck_start(self) -> i64:
        place = self.start[len(self.start) - 2]
        while place < len(self.card) and self.draw[place] != NONE:
            place += 1
        return place

    def _try(self) -> bool:
        tries = self.tries
        while tries > 0:
            tries -= 1
            self._shuffle_all()
            if self._wrong() == 0:
                return True
        return False

    def _shuffle_all(self) -> None:
        epoch: i64 = 0
        while epoch + 1 < len(self.start):
            self._shuffle(self.start[epoch], self.start[epoch + 1])
            epoch += 1

    def _shuffle(self, start: i64, stop: i64) -> None:
        i = stop - 1
        while i > start:
            self._exchange(i, start + self.rng.below(i - start + 1))
            i -= 1

    def _exchange(self, a: i64, b: i64) -> None:
        kept = self.card[a]
        self.card[a] = self.card[b]
        self.card[b] = kept

    def _wrong(self) -> i64:
        """How much the cards, as they lie, contradict what was seen; counts the slack anew."""
        memory = self.sight.memory
        kinds = self.sight.board.kinds
        i: i64 = 0
        while i < len(self.slack):
            self.slack[i] = -self.counts[i]
            i += 1
        for place in self.drawn:
            self._shift(memory.draw_seat[self.draw[place]] * kinds + self.card[place], self.draw[place], 1)
        return self._short() + self._rare()

    def _short(self) -> i64:
        short: i64 = 0
        for slack in self.slack:
            if slack < 0:
                short -= slack
        return short

    def _shift(self, group: i64, draw: i64, by: i64) -> i64:
        """A card of this seat and colour comes to (1) or goes from (-1) this draw; how much shorter that makes it."""
        short: i64 = 0
        i = self.need_start[group]
        while i < self.need_start[group + 1]:
            if draw < self.need_draws[i]:
                self.slack[i] += by
                if by < 0 and self.slack[i] < 0:
                    short += 1
                elif by > 0 and self.slack[i] <= 0:
                    short -= 1
            i += 1
        return short

    def _swap(self, a: i64, b: i64) -> i64:
        """Exchange the cards of two places; how much shorter that makes somebody."""
        kinds = self.sight.board.kinds
        x = self.card[a]
        y = self.card[b]
        if x == y:
            return 0
        short: i64 = 0
        if self.draw[a] != NONE:
            seat = self.sight.memory.draw_seat[self.draw[a]]
            short += self._shift(seat * kinds + y, self.draw[a], 1) + self._shift(seat * kinds + x, self.draw[a], -1)
        if self.draw[b] != NONE:
            seat = self.sight.memory.draw_seat[self.draw[b]]
            short += self._shift(seat * kinds + x, self.draw[b], 1) + self._shift(seat * kinds + y, self.draw[b], -1)
        self.card[a] = y
        self.card[b] = x
        return short

    def _stir(self, times: i64) -> None:
        """So many swaps, those that contradict what was seen taken back."""
        if len(self.drawn) == 0:
            return
        rng = self.rng
        while times > 0:
            times -= 1
            a = self.drawn[rng.below(len(self.drawn))]
            epoch = self.epoch[a]
            b = self.start[epoch] + rng.below(self.start[epoch + 1] - self.start[epoch])
            if times & 3 == 0:
                self._swap_twice(a)
            elif self._swap(a, b) > 0 or self._rare() > 0:
                self._swap(a, b)

    def _swap_twice(self, a: i64) -> None:
        """Swap places of two seats twice: what one gives in an epoch it may get back in another, as no one swap can."""
        rng = self.rng
        memory = self.sight.memory
        b = self.drawn[rng.below(len(self.drawn))]
        mine = self.places[memory.draw_seat[self.draw[a]]]
        theirs = self.places[memory.draw_seat[self.draw[b]]]
        c = mine[rng.below(len(mine))]
        d = theirs[rng.below(len(theirs))]
        if self.epoch[a] != self.epoch[b] or self.epoch[c] != self.epoch[d]:
            return
        if self._swap(a, b) + self._swap(c, d) > 0 or self._rare() > 0:
            self._swap(c, d)
            self._swap(a, b)

    def _mend(self) -> None:
        """From any deal, give those who are short what they need until nobody is."""
        rng = self.rng
        wrong = self._wrong()
        while wrong > 0:
            a = self.drawn[rng.below(len(self.drawn))]
            epoch = self.epoch[a]
            b = self.start[epoch] + rng.below(self.start[epoch + 1] - self.start[epoch])
            need = self._some_short()
            if need != NONE:
                a, b = self._cure(need)
                if a == NONE:
                    continue
            rare = self._rare()
            worse = self._swap(a, b)
            worse += self._rare() - rare
            if worse > 0 and rng.below(8) != 0:
                self._swap(a, b)
            else:
                wrong += worse

    def _some_short(self) -> i64:
        """One of the needs that are contradicted, each as likely; NONE if there is none."""
        chosen: i64 = NONE
        n: i64 = 0
        i: i64 = 0
        while i < len(self.slack):
            if self.slack[i] < 0:
                n += 1
                if self.rng.below(n) == 0:
                    chosen = i
            i += 1
        return chosen

    def _cure(self, need: i64) -> tuple[i64, i64]:
        """Two places whose exchange would help this need, chosen by chance; NONE if this choice found none."""
        group: i64 = 0
        while self.need_start[group + 1] <= need:
            group += 1
        seat = group // self.sight.board.kinds
        colour = group % self.sight.board.kinds
        draws = self.need_draws[need]
        a: i64 = NONE
        n: i64 = 0
        for place in self.places[seat]:
            if self.draw[place] < draws and self.card[place] != colour:
                n += 1
                if self.rng.below(n) == 0:
                    a = place
        if a == NONE:
            return NONE, NONE
        b: i64 = NONE
        n = 0
        place = self.start[self.epoch[a]]
        while place < self.start[self.epoch[a] + 1]:
            if self.card[place] == colour:
                n += 1
                if self.rng.below(n) == 0:
                    b = place
            place += 1
        return (a, b) if b != NONE else (NONE, NONE)

    def _rare(self) -> i64:
        """Contradictions to passes and to rows of wilds."""
        memory = self.sight.memory
        wrong: i64 = 0
        for stuck in memory.stuck:
            if stuck.seat != self.sight.seat and self._could_pay(stuck):
                wrong += 1
        for note in memory.coloured:
            deck = note.unseen - self._coloured_drawn(note.epoch, note.draws)
            if deck < note.least:
                wrong += note.least - deck
            elif deck > note.most:
                wrong += deck - note.most
        return wrong

    def _could_pay(self, stuck: Stuck) -> bool:
        """Whether a seat that passed could have paid for something, as the cards lie."""
        board = self.sight.board
        hand = stuck.base[:]
        for place in self.places[stuck.seat]:
            if self.draw[place] < stuck.draws:
                hand[self.card[place]] += 1
        wilds = hand[board.wild]
        most: i64 = 0
        colour: i64 = 0
        while colour < board.wild:
            most = max(most, hand[colour])
            colour += 1
        i: i64 = 0
        while i < len(stuck.prices):
            own = stuck.prices[i]
            held = most if own == GREY else hand[own]
            if held + wilds >= stuck.prices[i + 1] and wilds >= stuck.prices[i + 2]:
                return True
            i += 3
        return False

    def _coloured_drawn(self, epoch: i64, draws: i64) -> i64:
        """Coloured cards among the first draws of all seats, those of one epoch, as the cards lie."""
        memory = self.sight.memory
        wild = self.sight.board.wild
        n: i64 = 0
        i: i64 = 0
        while i < draws:
            card = memory.draw_card[i]
            if memory.draw_epoch[i] == epoch and card != HIDDEN and card != wild:
                n += 1
            i += 1
        for place in self.drawn:
            if self.epoch[place] == epoch and self.draw[place] < draws and self.card[place] != wild:
                n += 1
        return n
