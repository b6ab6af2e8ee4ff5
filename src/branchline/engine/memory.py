"""What everybody at the table could remember, kept beside the state so that copies for search stay cheap.

All of it follows from what happened. The cards of a deck are the cards of the pile it was shuffled from, so each
shuffle begins an epoch whose cards are known as a whole: what nobody has seen of them lies in the deck or was drawn
blind. What a seat pays tells what it must have drawn. `sight` decides which part of this one seat may see.
"""

from typing import TYPE_CHECKING, Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from branchline.engine.board import EMPTY, GREY, NOBODY, NONE, Board, filled, to_vec, zeros
from branchline.engine.evidence import Choice, Coloured, Need, Stuck
from branchline.engine.happenings import (
    ANSWERED_OPENING,
    BUILT,
    CLAIMED,
    DEALT,
    DRAWN,
    KEPT,
    LAID,
    OFFERED,
    PASSED,
    RESHUFFLED,
    ROW_FILLED,
    ROW_RESET,
    TAKEN,
    TOOK_BACK,
    TURNED,
)
from branchline.engine.legal import barred, station_price
from branchline.engine.refusals import LEGAL

if TYPE_CHECKING:
    from branchline.engine.state import State

SETTLES: Final = (DEALT, DRAWN, TAKEN, TOOK_BACK, CLAIMED, BUILT)
"""What moves cards, and so ends with the row being looked at (R3.11)."""


class Memory:
    """The whole table's memory; only `sight` hands out parts of it."""

    def __init__(self, board: Board, seats: i64) -> None:
        """Before the first shuffle."""
        self.board = board
        self.seats: i64 = seats
        self.unseen = board.cards[:]
        """For each epoch, how many cards of each colour everybody has not seen come from its deck."""
        self.draw_seat = vec[i64]()
        """Who made each blind draw, the opening hands among them."""
        self.draw_epoch = vec[i64]()
        self.draw_card = vec[i64]()
        """What was drawn; known to the one who drew."""
        self.taken = zeros(seats * board.kinds)
        """Cards each seat has taken face up."""
        self.spent = zeros(seats * board.kinds)
        """Cards each seat has paid for good."""
        self.need = zeros(seats * board.kinds)
        """The largest need shown so far."""
        self.needs: list[Need] = []
        self.stuck: list[Stuck] = []
        self.coloured: list[Coloured] = []
        self.choices: list[Choice] = []
        self.row = filled(board.rules.row, EMPTY)
        self.discards = zeros(board.kinds)
        self.turned = vec[i64]()
        self.deck_left: i64 = 0
        for n in board.cards:
            self.deck_left += n
        self.began: i64 = 0
        """The turn at which this memory began: 0 with the deal; later in a position that came without its history."""
        self.began_deck: i64 = 0
        """In such a position, how many tickets the deck had; what each seat held is its first choice."""

    @property
    def epoch(self) -> i64:
        """Which deck is being drawn from, counted from 0."""
        return len(self.unseen) // self.board.kinds - 1

    def copy(self) -> "Memory":
        """An independent copy."""
        new = Memory(self.board, self.seats)
        new.unseen = self.unseen[:]
        new.draw_seat = self.draw_seat[:]
        new.draw_epoch = self.draw_epoch[:]
        new.draw_card = self.draw_card[:]
        new.taken = self.taken[:]
        new.spent = self.spent[:]
        new.need = self.need[:]
        new.needs = self.needs[:]
        new.stuck = self.stuck[:]
        new.coloured = self.coloured[:]
        new.choices = self.choices[:]
        new.row = self.row[:]
        new.discards = self.discards[:]
        new.turned = self.turned[:]
        new.deck_left = self.deck_left
        new.began = self.began
        new.began_deck = self.began_deck
        return new

    def numbers(self) -> list[list[int]]:
        """Everything that tells two memories of one board apart, as lists of ints."""
        needs: list[int] = []
        for need in self.needs:
            needs += [need.seat, need.colour, need.count, need.draws]
        coloured: list[int] = []
        for note in self.coloured:
            coloured += [note.epoch, note.draws, note.unseen, note.least, note.most]
        out = [
            [self.deck_left, self.began, self.began_deck, len(self.stuck), len(self.choices)],
            list(self.unseen), list(self.draw_seat), list(self.draw_epoch), list(self.draw_card), list(self.taken),
            list(self.spent), list(self.need), needs, coloured, list(self.row), list(self.discards), list(self.turned),
        ]  # fmt: skip
        for stuck in self.stuck:
            out += [[stuck.seat, stuck.draws], list(stuck.base), list(stuck.prices)]
        for choice in self.choices:
            out += [[choice.seat, choice.number], list(choice.offered), list(choice.kept)]
        return out

    def known(self, seat: i64, colour: i64) -> i64:
        """How many cards of a colour everybody knows `seat` to hold."""
        at = seat * self.board.kinds + colour
        return self.taken[at] - self.spent[at] + self.need[at]

    def note(self, state: "State", happenings: list[tuple[int, ...]]) -> None:
        """Take in what an action did; `state` is as the action left it."""
        resets: i64 = 0
        settled = False
        for happening in happenings:
            kind: i64 = happening[0]
            seat: i64 = happening[1]
            if kind in SETTLES:
                settled = True
            if kind == DRAWN:
                self._draw(seat, happening[2])
            elif kind == TAKEN:
                self.taken[seat * self.board.kinds + happening[3]] += 1
                self.row[happening[2]] = EMPTY
            elif kind == ROW_FILLED:
                self._reveal(happening[3])
                self.row[happening[2]] = happening[3]
            elif kind == ROW_RESET:
                self._note_reset()
                resets += 1
            elif kind == RESHUFFLED:
                self._begin_epoch(happening[2])
            elif kind == DEALT:
                for card in happening[2:]:
                    self._draw(seat, card)
            elif kind == LAID:
                length = self.board.length[happening[2]]
                self._show(seat, happening[3], length - happening[4], happening[4])
            elif kind == TURNED:
                self._reveal(happening[2])
                self.turned = append(self.turned, happening[2])
            elif kind == CLAIMED:
                self._spend(seat, happening[3], happening[4] - happening[5], happening[5])
                self._discard_turned()
            elif kind == TOOK_BACK:
                self._discard_turned()
            elif kind == BUILT:
                self._spend(seat, happening[3], happening[4] - happening[5], happening[5])
            elif kind == PASSED:
                self._note_pass(state, seat)
            elif kind == OFFERED:
                self.choices.append(Choice(seat, _from(happening, 2), vec[i64](), NONE))
            elif kind == ANSWERED_OPENING:
                self._answer(seat, _from(happening, 2), NONE)
            elif kind == KEPT:
                self._answer(seat, _from(happening, 4), happening[2])
        # Where no card moved nobody looked at the row: it may lie as the last reset allowed left it (R3.6).
        if settled and resets < self.board.rules.row_resets:
            self._note_stay()

    def _draw(self, seat: i64, card: i64) -> None:
        self.draw_seat = append(self.draw_seat, seat)
        self.draw_epoch = append(self.draw_epoch, self.epoch)
        self.draw_card = append(self.draw_card, card)
        self.deck_left -= 1

    def _reveal(self, card: i64) -> None:
        self.unseen[self.epoch * self.board.kinds + card] -= 1
        self.deck_left -= 1

    def _begin_epoch(self, cards: i64) -> None:
        self.unseen = extend(self.unseen, self.discards)
        self.discards = zeros(self.board.kinds)
        self.deck_left = cards

    def _show(self, seat: i64, colour: i64, coloured: i64, wilds: i64) -> None:
        if coloured > 0:
            self._note_need(seat, colour, coloured)
        if wilds > 0:
            self._note_need(seat, self.board.wild, wilds)

    def _note_need(self, seat: i64, colour: i64, cards: i64) -> None:
        """So many cards more than are spent must be taken face up or drawn blind by now."""
        at = seat * self.board.kinds + colour
        count = self.spent[at] + cards - self.taken[at]
        if count > self.need[at]:
            self.need[at] = count
            self.needs.append(Need(seat, colour, count, len(self.draw_seat)))

    def _spend(self, seat: i64, colour: i64, coloured: i64, wilds: i64) -> None:
        self._show(seat, colour, coloured, wilds)
        if coloured > 0:
            self.spent[seat * self.board.kinds + colour] += coloured
            self.discards[colour] += coloured
        self.spent[seat * self.board.kinds + self.board.wild] += wilds
        self.discards[self.board.wild] += wilds

    def _discard_turned(self) -> None:
        for card in self.turned:
            self.discards[card] += 1
        self.turned = vec[i64]()

    def _note_reset(self) -> None:
        least = self._lacking()
        if least > 0:
            self._note_coloured(least, self.deck_left)
        slot: i64 = 0
        while slot < len(self.row):
            if self.row[slot] != EMPTY:
                self.discards[self.row[slot]] += 1
                self.row[slot] = EMPTY
            slot += 1

    def _note_stay(self) -> None:
        """A row of wilds that stays: too few of the cards it could be changed for are coloured."""
        wilds: i64 = 0
        for card in self.row:
            if card == self.board.wild:
                wilds += 1
        if wilds >= self.board.rules.row_wilds:
            self._note_coloured(0, self._lacking() - 1)

    def _lacking(self) -> i64:
        """How many coloured cards the deck must hold for a reset to help, given those in row and discards (R3.6)."""
        rules = self.board.rules
        lacking = rules.row - rules.row_wilds + 1
        for card in self.row:
            if card != EMPTY and card != self.board.wild:
                lacking -= 1
        colour: i64 = 0
        while colour < self.board.wild:
            lacking -= self.discards[colour]
            colour += 1
        return lacking

    def _note_coloured(self, least: i64, most: i64) -> None:
        start = self.epoch * self.board.kinds
        unseen: i64 = 0
        colour: i64 = 0
        while colour < self.board.wild:
            unseen += self.unseen[start + colour]
            colour += 1
        if self.deck_left - self.unseen[start + self.board.wild] >= least and most >= self.deck_left:
            return  # even with all wilds in the deck it holds so many
        self.coloured.append(Coloured(self.epoch, len(self.draw_seat), unseen, least, most))

    def _note_pass(self, state: "State", seat: i64) -> None:
        board = self.board
        prices = vec[i64]()
        route: i64 = 0
        while route < board.routes:
            if barred(state, route, seat) == LEGAL:
                prices = append(prices, board.colour[route])
                prices = append(prices, board.length[route])
                prices = append(prices, board.wilds[route])
            route += 1
        if state.stations[seat] > 0 and NOBODY in state.station:
            prices = append(prices, GREY)
            prices = append(prices, station_price(state, seat))
            prices = append(prices, 0)
        base = vec[i64]()
        colour: i64 = 0
        while colour < board.kinds:
            at = seat * board.kinds + colour
            base = append(base, self.taken[at] - self.spent[at])
            colour += 1
        self.stuck.append(Stuck(seat, len(self.draw_seat), base, prices))

    def _answer(self, seat: i64, kept: vec[i64], number: i64) -> None:
        """The latest offer to `seat` gets its answer."""
        i: i64 = len(self.choices) - 1
        while self.choices[i].seat != seat:
            i -= 1
        self.choices[i] = Choice(seat, self.choices[i].offered, kept, number)


def _from(happening: tuple[int, ...], start: int) -> vec[i64]:
    out = vec[i64]()
    for n in happening[start:]:
        out = append(out, n)
    return out


def restore_memory(board: Board, seats: i64, numbers: list[list[int]]) -> Memory:
    """The memory that gave these numbers."""
    memory = Memory(board, seats)
    memory.deck_left = numbers[0][0]
    memory.began = numbers[0][1]
    memory.began_deck = numbers[0][2]
    memory.unseen = to_vec(numbers[1])
    memory.draw_seat = to_vec(numbers[2])
    memory.draw_epoch = to_vec(numbers[3])
    memory.draw_card = to_vec(numbers[4])
    memory.taken = to_vec(numbers[5])
    memory.spent = to_vec(numbers[6])
    memory.need = to_vec(numbers[7])
    for i in range(0, len(numbers[8]), 4):
        seat, colour, count, draws = numbers[8][i : i + 4]
        memory.needs.append(Need(seat, colour, count, draws))
    for i in range(0, len(numbers[9]), 5):
        epoch, draws, unseen, least, most = numbers[9][i : i + 5]
        memory.coloured.append(Coloured(epoch, draws, unseen, least, most))
    memory.row = to_vec(numbers[10])
    memory.discards = to_vec(numbers[11])
    memory.turned = to_vec(numbers[12])
    at = 13
    for _ in range(numbers[0][3]):
        seat, draws = numbers[at]
        memory.stuck.append(Stuck(seat, draws, to_vec(numbers[at + 1]), to_vec(numbers[at + 2])))
        at += 3
    for _ in range(numbers[0][4]):
        seat, number = numbers[at]
        memory.choices.append(Choice(seat, to_vec(numbers[at + 1]), to_vec(numbers[at + 2]), number))
        at += 3
    return memory
