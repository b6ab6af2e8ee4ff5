"""A learned guess of what others hold, in whole numbers: how much likelier a world is than an even deal makes it."""

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from branchline.bots.learned.layer import Layer, Outputs
from branchline.bots.planner.facts import hand_of
from branchline.engine.board import Board, zeros
from branchline.engine.state import State


class Belief:
    """A network with one hidden layer: for every other place its tickets, then the colours of its hand."""

    def __init__(self, board: Board, places: i64, first: Layer, last: Outputs) -> None:
        self.tickets: i64 = board.tickets
        self.kinds: i64 = board.kinds
        self.first = first
        self.last = last
        if last.inputs != first.cells or last.cells != (places - 1) * (board.tickets + board.kinds):
            raise ValueError("this belief is not for this board")
        self.ratios = vec[i64]()
        """For the position looked at last, with 8 binary places: logarithms of how much likelier each thing is."""

    def look(self, observation: vec[u8], seats: i64) -> None:
        """Guess what the others hold from what a seat sees."""
        widest = max(self.first.inputs, self.first.cells)
        which = zeros(widest)
        by = zeros(widest)
        n: i64 = 0
        i: i64 = 0
        while i < self.first.inputs:
            if observation[i] != 0:
                which[n] = i
                by[n] = i64(observation[i])
                n += 1
            i += 1
        sums = self.first.biases[:]
        self.first.add(sums, which, by, n)
        n = self.first.warm(sums, which, by)
        self.ratios = vec[i64](capacity=self.last.cells)
        i = 0
        while i < (seats - 1) * (self.tickets + self.kinds):
            self.ratios = append(self.ratios, self.last.output(i, which, by, n))
            i += 1

    def weight(self, world: State, seat: i64) -> i64:
        """How much likelier a world is than an even deal makes it, for the seat that looked last: a logarithm."""
        weight: i64 = 0
        ticket: i64 = 0
        while ticket < self.tickets:
            holder = world.holder[ticket]
            if holder >= 0 and holder != seat:
                weight += self.ratios[self._at(holder, seat, world.seats) + ticket]
            ticket += 1
        who: i64 = 0
        while who < world.seats:
            if who != seat:
                at = self._at(who, seat, world.seats) + self.tickets
                for held in hand_of(world, who):
                    weight += held * self.ratios[at]
                    at += 1
            who += 1
        return weight

    def _at(self, who: i64, seat: i64, seats: i64) -> i64:
        """Where what is thought of another seat begins."""
        place = who - seat
        if place < 0:
            place += seats
        return (place - 1) * (self.tickets + self.kinds)
