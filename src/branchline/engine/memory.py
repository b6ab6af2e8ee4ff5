"""What everybody at the table could remember, kept beside the state so that copies for search stay cheap.

All of it follows from what happened. The cards of a deck are the cards of the pile it was shuffled from, so each
shuffle begins an epoch whose cards are known as a whole: what nobody has seen of them lies in the deck or was drawn
blind. What a seat pays tells what it must have drawn. `sight` decides which part of this one seat may see.
"""

from typing import TYPE_CHECKING

from librt.vecs import append, extend, vec
from mypy_extensions import i64

from branchline.engine.board import EMPTY, GREY, NOBODY, NONE, Board, changed, filled, grown, to_vec, zeros
from branchline.engine.evidence import Choice, Coloured, Need, Stuck
from branchline.engine.happenings import (
    AnsweredOpening,
    Built,
    Claimed,
    Dealt,
    Drawn,
    Happening,
    Kept,
    Laid,
    Offered,
    Passed,
    Reshuffled,
    RowFilled,
    RowReset,
    Taken,
    TookBack,
    TurnBegan,
    Turned,
)
from branchline.engine.legal import barred, station_price
from branchline.engine.refusals import LEGAL

if TYPE_CHECKING:
    from branchline.engine.state import State


class Memory:
    """The whole table's memory; only `sight` hands out parts of it.

    As in a state, what changes rarely is replaced and never written, so that copies and sights share it; only `unseen`,
    `row` and `discards` are written in place, and only they are copied.
    """

    def __init__(self, board: Board, seats: i64, like: "Memory | None" = None) -> None:
        """Before the first shuffle; or an independent copy of another."""
        self.board = board
        self.seats: i64 = seats
        self.unseen: vec[i64] = board.cards[:] if like is None else like.unseen[:]
        """For each epoch, how many cards of each colour everybody has not seen come from its deck."""
        self.draw_seat: vec[i64] = vec[i64]() if like is None else like.draw_seat
        """Who made each blind draw, the opening hands among them."""
        self.draw_epoch: vec[i64] = vec[i64]() if like is None else like.draw_epoch
        self.draw_card: vec[i64] = vec[i64]() if like is None else like.draw_card
        """What was drawn; known to the one who drew."""
        self.taken: vec[i64] = zeros(seats * board.kinds) if like is None else like.taken
        """Cards each seat has taken face up."""
        self.spent: vec[i64] = zeros(seats * board.kinds) if like is None else like.spent
        """Cards each seat has paid for good."""
        self.need: vec[i64] = zeros(seats * board.kinds) if like is None else like.need
        """The largest need shown so far."""
        self.needs: list[Need] = [] if like is None else like.needs
        self.stuck: list[Stuck] = [] if like is None else like.stuck
        self.coloured: list[Coloured] = [] if like is None else like.coloured
        self.choices: list[Choice] = [] if like is None else like.choices
        self.row: vec[i64] = filled(board.rules.row, EMPTY) if like is None else like.row[:]
        self.discards: vec[i64] = zeros(board.kinds) if like is None else like.discards[:]
        self.turned: vec[i64] = vec[i64]() if like is None else like.turned
        self.deck_left: i64 = 0
        self.began: i64 = 0
        """The turn at which this memory began: 0 with the deal; later in a position that came without its history."""
        self.began_deck: i64 = 0
        """In such a position, how many tickets the deck had; what each seat held is its first choice."""
        if like is None:
            for n in board.cards:
                self.deck_left += n
        else:
            self.deck_left = like.deck_left
            self.began = like.began
            self.began_deck = like.began_deck

    @property
    def epoch(self) -> i64:
        """Which deck is being drawn from, counted from 0."""
        return len(self.unseen) // self.board.kinds - 1

    def copy(self) -> "Memory":
        """An independent copy."""
        return Memory(self.board, self.seats, self)

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

    def note(self, state: "State", happenings: list[Happening]) -> None:
        """Take in what an action did; `state` is as the action left it."""
        resets: i64 = 0
        settled = False  # whether a card moved, so that in the end the row was looked at (R3.11)
        for happening in happenings:
            if isinstance(happening, TurnBegan):
                continue  # the most frequent
            if isinstance(happening, RowFilled):
                self._reveal(happening.card)
                self.row[happening.slot] = happening.card
            elif isinstance(happening, Drawn):
                self._draw(happening.seat, happening.card)
                settled = True
            elif isinstance(happening, Taken):
                at = happening.seat * self.board.kinds + happening.card
                self.taken = changed(self.taken, at, self.taken[at] + 1)
                self.row[happening.slot] = EMPTY
                settled = True
            elif isinstance(happening, Claimed):
                self._spend(happening.seat, happening.colour, happening.coloured, happening.wilds)
                self._discard_turned()
                settled = True
            elif isinstance(happening, Built):
                self._spend(happening.seat, happening.colour, happening.coloured, happening.wilds)
                settled = True
            elif isinstance(happening, RowReset):
                self._note_reset()
                resets += 1
            elif isinstance(happening, Reshuffled):
                self._begin_epoch(happening.cards)
            elif isinstance(happening, Laid):
                self._show(happening.seat, happening.colour, happening.coloured, happening.wilds)
            elif isinstance(happening, Turned):
                self._reveal(happening.card)
                self.turned = grown(self.turned, happening.card)
            elif isinstance(happening, TookBack):
                self._discard_turned()
                settled = True
            elif isinstance(happening, Passed):
                self._note_pass(state, happening.seat)
            elif isinstance(happening, Offered):
                choice = Choice(happening.seat, to_vec(list(happening.tickets)), vec[i64](), NONE)
                self.choices = [*self.choices, choice]
            elif isinstance(happening, AnsweredOpening):
                self._answer(happening.seat, happening.tickets, NONE)
            elif isinstance(happening, Kept):
                self._answer(happening.seat, happening.tickets, len(happening.tickets))
            elif isinstance(happening, Dealt):
                for card in happening.cards:
                    self._draw(happening.seat, card)
                settled = True
        # Where no card moved nobody looked at the row: it may lie as the last reset allowed left it (R3.6).
        if settled and resets < self.board.rules.row_resets:
            self._note_stay()

    def _draw(self, seat: i64, card: i64) -> None:
        self.draw_seat = grown(self.draw_seat, seat)
        self.draw_epoch = grown(self.draw_epoch, self.epoch)
        self.draw_card = grown(self.draw_card, card)
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
            self.need = changed(self.need, at, count)
            self.needs = [*self.needs, Need(seat, colour, count, len(self.draw_seat))]

    def _spend(self, seat: i64, colour: i64, coloured: i64, wilds: i64) -> None:
        self._show(seat, colour, coloured, wilds)
        spent = self.spent[:]
        if coloured > 0:
            spent[seat * self.board.kinds + colour] += coloured
            self.discards[colour] += coloured
        spent[seat * self.board.kinds + self.board.wild] += wilds
        self.discards[self.board.wild] += wilds
        self.spent = spent

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
        self.coloured = [*self.coloured, Coloured(self.epoch, len(self.draw_seat), unseen, least, most)]

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
        self.stuck = [*self.stuck, Stuck(seat, len(self.draw_seat), base, prices)]

    def _answer(self, seat: i64, kept: tuple[int, ...], number: i64) -> None:
        """The latest offer to `seat` gets its answer."""
        choices = self.choices[:]
        i: i64 = len(choices) - 1
        while choices[i].seat != seat:
            i -= 1
        choices[i] = Choice(seat, choices[i].offered, to_vec(list(kept)), number)
        self.choices = choices


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
