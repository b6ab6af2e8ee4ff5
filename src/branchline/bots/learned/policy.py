"""A learned policy in whole numbers: the same choice on every machine, bit for bit.

Inputs are bytes, weights 16 bits; between the layers numbers are shifted to 8 binary places, downwards. A sum of floats
depends on the order in which a processor adds; a sum of ints does not.

From one decision of a seat to its next little of its observation changes. So a `Thought` keeps the sums of the first
layer for one seat, and takes in only what differs from what it saw last.

A policy may have learned with the planner's advice beside what it sees: then it asks the planner first, in every
position, and begins where the planner's road ends.
"""

from math import log
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from branchline.bots.learned.belief import Belief
from branchline.bots.learned.heads import Heads
from branchline.bots.learned.layer import Layer, Outputs
from branchline.bots.learned.tunnels import LIKELY, is_hasty
from branchline.bots.planner.blind import blind
from branchline.bots.planner.play import Planner
from branchline.bots.planner.weights import fitted
from branchline.engine.board import DRAW_DECK, DRAW_ROW, NONE, Board, filled, zeros
from branchline.engine.sight import Sight
from branchline.engine.state import State
from branchline.observation.layout import Layout, blank
from branchline.observation.observer import Observer, observing
from branchline.observation.spaces import COLOURED, Space
from branchline.observation.witness import Witness, recall

PLACES: Final[i64] = 8
"""Binary places of what hidden cells hold, of logits and of the value."""
ONE: Final[i64] = 256
"""One, with so many places."""
FINE: Final[i64] = 16
"""Rewards are counted in so many parts of the value's units."""


class Thought:
    """What one seat saw last, and the sums of the first layer for it."""

    def __init__(self, first: Layer) -> None:
        self.seen = blank(first.inputs)
        self.sums = first.biases[:]


class Reward:
    """What the policy was trained to get: so much of it is for winning, the rest for the lead."""

    def __init__(self, win: i64, margin: i64) -> None:
        """`win`: the part for winning, in 256ths; `margin`: the lead at which the rest is full."""
        self.win: i64 = win
        self.margin: i64 = margin

    def of(self, won: i64, lead: i64) -> i64:
        """The reward for a share of the win, in 256ths, and a lead; 16 times as fine as the value."""
        lead = min(max(lead, -self.margin), self.margin)
        return (self.win * (2 * won - ONE) + (ONE - self.win) * lead * ONE // self.margin) * FINE // ONE


class Policy:
    """A network for one board. Its last layer has the outputs of `Heads`, then the value."""

    def __init__(
        self, board: Board, places: i64, first: Layer, second: Layer, last: Outputs, reward: Reward, trust: vec[i64]
    ) -> None:
        """`trust`: what the planner's advice adds to each output it names; empty for a policy that asks for none.

        One that asks gets the advice as its last inputs too: 1 for each output that it names.
        """
        self.layout = Layout(board, places, True)
        self.space = Space(board, COLOURED)
        self.heads = Heads(self.space)
        self.first = first
        self.second = second
        self.last = last
        self.reward = reward
        self.trust = trust
        self.weights = fitted(board)
        """Of the planner that is asked."""
        self.advice: i64 = NONE
        """What it said last."""
        if len(trust) > 0 and len(trust) != self.heads.outputs:
            raise ValueError("this trust is not for this board's actions")
        if first.inputs != self.layout.size + len(trust) or last.cells != self.heads.outputs + 1:
            raise ValueError("these weights are not for this board's observations and actions")
        if second.inputs != first.cells or last.inputs != second.cells:
            raise ValueError("these layers do not fit each other")
        self.inputs = blank(first.inputs)
        """What was seen last, and what the planner said to it."""
        self.allowed = vec[i64]()
        """The actions of the last position."""
        self.logits = vec[i64]()
        """Of each of them, with 8 binary places."""
        self.least: i64 = LIKELY
        """How likely a tunnel should be to succeed, see `is_hasty`."""
        self.belief: Belief | None = None
        """What it thinks that others hold, where it has learned to."""
        widest = max(first.inputs, max(first.cells, second.cells))
        self.which = zeros(widest)
        """Inputs of a layer that are not nothing, and how large they are; only the first `n` count."""
        self.by = zeros(widest)
        self.n: i64 = 0
        self.asked = filled(self.heads.outputs, NONE)
        """Outputs that were worked out for the last position."""
        self.clock: i64 = 0
        self.fresh = filled(self.heads.outputs, 0)
        """At which tick of the clock each output was worked out."""
        self.noise = noise()

    def think(self, observer: Observer, seat: i64, thought: Thought) -> None:
        """Take in what `seat` sees now, up to the last layer."""
        self._read(observer.out, observer.observe(seat))
        if len(self.trust) > 0:
            self._ask_planner(observer.witness, seat)
        which = self.which
        by = self.by
        seen = thought.seen
        inputs = self.inputs
        n: i64 = 0
        i: i64 = 0
        while i < self.first.inputs:
            if inputs[i] != seen[i]:
                which[n] = i
                by[n] = i64(inputs[i]) - i64(seen[i])
                seen[i] = inputs[i]
                n += 1
            i += 1
        self.first.add(thought.sums, which, by, n)
        n = self.first.warm(thought.sums, which, by)
        sums = self.second.biases[:]
        self.second.add(sums, which, by, n)
        self.n = self.second.warm(sums, which, by)
        self.clock += 1

    def _read(self, out: vec[u8], at: i64) -> None:
        """Take over the observation that stands at `at`."""
        inputs = self.inputs
        i: i64 = 0
        while i < self.layout.size:
            inputs[i] = out[at + i]
            i += 1

    def _ask_planner(self, witness: Witness, seat: i64) -> None:
        """Let the last inputs say what the planner would do."""
        none: u8 = 0
        named: u8 = 1
        if self.advice != NONE:
            self._name(none)
        self.advice = self.space.action(witness.state, seat, self.planned(witness, seat))
        self._name(named)

    def planned(self, witness: Witness, seat: i64) -> i64:
        """The index of what the planner would do for a seat."""
        planner = Planner(self.layout.board, seat, self.weights, True)
        return planner.choose(blind(witness.state, seat, witness.cards))

    def _name(self, by: u8) -> None:
        """Put this in for the outputs of what the planner said."""
        at = self.layout.size
        self.inputs[at + self.heads.first[self.advice]] = by
        if self.heads.second[self.advice] >= 0:
            self.inputs[at + self.heads.second[self.advice]] = by

    def look(self, observer: Observer, seat: i64, thought: Thought) -> None:
        """Work out what is allowed to `seat`, and the logits of it."""
        self.allowed = self.space.allowed(observer.witness.state, seat)
        self.think(observer, seat, thought)
        first = self.heads.first
        second = self.heads.second
        self.logits = vec[i64](capacity=len(self.allowed))
        for action in self.allowed:
            logit = self._output(first[action])
            if second[action] >= 0:
                logit += self._output(second[action])
            self.logits = append(self.logits, logit)

    def _output(self, which: i64) -> i64:
        """An output for the last position; routes and colours are asked for by many actions."""
        if self.fresh[which] != self.clock:
            self.fresh[which] = self.clock
            self.asked[which] = self.last.output(which, self.which, self.by, self.n)
            if len(self.trust) > 0 and self.inputs[self.layout.size + which]:
                self.asked[which] += self.trust[which]
        return self.asked[which]

    def value(self) -> i64:
        """What the seat expects in the last position: from -256 for a sure loss to 256 for a sure win."""
        return self.last.output(self.heads.outputs, self.which, self.by, self.n)

    def best(self) -> i64:
        """The action allowed in the last position that has the highest logit, the first of equals."""
        best: i64 = 0
        i: i64 = 1
        while i < len(self.logits):
            if self.logits[i] > self.logits[best]:
                best = i
            i += 1
        return self.allowed[best]

    def choose(self, sight: Sight) -> i64:
        """The index of what the seat of a sight does: the likeliest action, and a draw before a tunnel in haste."""
        witness = recall(sight, self.layout.start)
        self.look(observing(self.layout, witness), sight.seat, Thought(self.first))
        index = self.space.index(witness.state, sight.seat, self.best())
        if is_hasty(witness.state, sight.seat, index, self.least):
            draw = self.best_draw(witness.state, sight.seat)
            if draw != NONE:
                return self.space.index(witness.state, sight.seat, self.allowed[draw])
        return index

    def best_draw(self, state: State, seat: i64) -> i64:
        """The place of the likeliest card to draw among the actions allowed in the last position; NONE without one."""
        best: i64 = NONE
        i: i64 = 0
        while i < len(self.allowed):
            kind = self.layout.board.action_kind[self.space.index(state, seat, self.allowed[i])]
            if (kind == DRAW_DECK or kind == DRAW_ROW) and (best == NONE or self.logits[i] > self.logits[best]):
                best = i
            i += 1
        return best


def noise() -> vec[i64]:
    """What makes the highest logit a sample of the policy: quantiles of Gumbel's distribution, 8 binary places."""
    out = vec[i64](capacity=ONE)
    i: i64 = 0
    while i < ONE:
        out = append(out, i64(round(-float(ONE) * log(-log((float(i) + 0.5) / float(ONE))))))
        i += 1
    return out
