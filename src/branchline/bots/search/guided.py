"""Search guided by a learned policy: its likeliest actions, tried in worlds in which it plays on.

What a playout is worth is what the policy was trained to expect: mostly winning, a little the lead. A playout ends with
the game, or after some decisions at the next one of the seat that searches, where the policy's value takes its place.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.learned.belief import Belief
from branchline.bots.learned.ending import counted
from branchline.bots.learned.policy import FINE, ONE, Policy, Thought
from branchline.bots.learned.tunnels import is_hasty
from branchline.bots.planner.blind import blind
from branchline.bots.search.contest import Search, lead_of
from branchline.engine.board import CLAIM, NONE, TUNNEL, zeros
from branchline.engine.legal import actor, bits
from branchline.engine.memory import Memory
from branchline.engine.shuffle import Rng
from branchline.engine.sight import Sight
from branchline.engine.stages import OPENING, OVER, TURN
from branchline.engine.state import State
from branchline.engine.worlds import Worlds
from branchline.observation.observer import observing
from branchline.observation.witness import Witness, recall, remember

ENDLESS: Final[i64] = 1500
"""Decisions after which a playout is counted as it stands."""


class How:
    """How a guided search weighs; what was measured is in docs/ladder-diary.md.

    Beside the candidates that it speaks of stand the two that are easily missed.
    """

    def __init__(self) -> None:
        self.most: i64 = 6
        """Candidates at most."""
        self.gap: i64 = 4 * ONE
        """Actions whose logit is further below the highest are no candidates: e to the 4th, one in 55."""
        self.depth: i64 = 12
        """Decisions of all seats after which a playout is judged by the value."""
        self.trust: i64 = 100
        """By how many hundredths of a standard error another candidate has to beat the policy's own choice."""
        self.planned = False
        """Whether the others play on like the planner in a world; else like the policy."""
        self.guesses: i64 = 16
        """Worlds sampled for each that is played: one is taken, each as likely as the belief has it."""


class GuidedSearch(Search):
    """One decision."""

    def __init__(self, sight: Sight, rng: Rng, policy: Policy, how: How) -> None:
        """Find the candidates, the likeliest first, but for a tunnel in haste."""
        super().__init__(sight.stage, how.trust)
        self.seat: i64 = sight.seat
        self.seats: i64 = sight.seats
        self.rng = rng
        self.policy = policy
        self.how = how
        self.logits = vec[i64]()
        """What the policy makes of each candidate."""
        self.thoughts: list[Thought] = []
        seat: i64 = 0
        while seat < sight.seats:
            self.thoughts.append(Thought(policy.first))
            seat += 1
        witness = recall(sight, policy.layout.start)
        policy.look(observing(policy.layout, witness), self.seat, self.thoughts[self.seat])
        self.value: i64 = policy.value()
        """What the policy expects before any search."""
        self._find(witness.state)
        self._add_what_is_easily_missed(witness)
        self.compare(self.candidates)
        self.worlds = Worlds(sight, rng)
        belief = policy.belief
        self.belief: Belief | None = None
        if belief is not None and how.guesses > 1 and sight.stage != OPENING:
            belief.look(policy.inputs, sight.seats)
            self.belief = belief

    def _find(self, state: State) -> None:
        policy = self.policy
        highest = policy.logits[0]
        for logit in policy.logits:
            highest = max(highest, logit)
        taken = zeros(len(policy.allowed))
        while len(self.candidates) < self.how.most:
            best: i64 = NONE
            i: i64 = 0
            while i < len(policy.allowed):
                if not taken[i] and (best == NONE or policy.logits[i] > policy.logits[best]):
                    best = i
                i += 1
            if best == NONE or policy.logits[best] < highest - self.how.gap:
                return
            taken[best] = 1
            self._add(state, best)

    def _add(self, state: State, which: i64) -> None:
        """Make one of the allowed actions a candidate."""
        policy = self.policy
        self.candidates = append(self.candidates, policy.space.index(state, self.seat, policy.allowed[which]))
        self.logits = append(self.logits, policy.logits[which])

    def _add_what_is_easily_missed(self, witness: Witness) -> None:
        """A draw beside a tunnel, before one in haste; and in the last turn what is counted to leave the most."""
        policy, state = self.policy, witness.state
        if state.stage != TURN:
            return
        if state.last != NONE:
            own = blind(state, self.seat, witness.cards)
            most = policy.space.action(state, self.seat, counted(own, self.seat, policy.weights, self.candidates[0]))
            self._add_missing(state, most)
        board, first = state.board, self.candidates[0]
        draw = policy.best_draw(state, self.seat)
        if draw != NONE and board.action_kind[first] == CLAIM and board.kind[board.action_what[first]] == TUNNEL:
            self._add_missing(state, policy.allowed[draw])
            if is_hasty(state, self.seat, first):
                self._put_first(policy.space.index(state, self.seat, policy.allowed[draw]))

    def _add_missing(self, state: State, action: i64) -> None:
        """Make an action of the policy's space a candidate, if it is none."""
        policy = self.policy
        if policy.space.index(state, self.seat, action) not in self.candidates:
            i: i64 = 0
            while i < len(policy.allowed):
                if policy.allowed[i] == action:
                    self._add(state, i)
                i += 1

    def _put_first(self, index: i64) -> None:
        """Let a candidate be what would be done without any search."""
        at: i64 = 0
        while self.candidates[at] != index:
            at += 1
        self.candidates[at], self.candidates[0] = self.candidates[0], index
        self.logits[at], self.logits[0] = self.logits[0], self.logits[at]

    def step(self) -> None:
        """One more world, in which every candidate that is left is tried."""
        world, memory = self.world()
        contest = self.contest
        base: i64 = 0
        i: i64 = 0
        while i < contest.alive:
            which = contest.order[i]
            value = self._try(world.copy(), memory, which)
            if which == 0:
                base = value
            contest.note(which, value - base)
            self.nodes += 1
            i += 1

    def world(self) -> tuple[State, Memory]:
        """A world and what its table remembers: as likely as the belief has it, where there is one."""
        world = self.worlds.sample()
        memory = self.worlds.memory()
        belief = self.belief
        if belief is None:
            return world, memory
        noise = self.policy.noise
        most = belief.weight(world, self.seat) + noise[self.rng.below(ONE)]
        n: i64 = 1
        while n < self.how.guesses:
            other = self.worlds.sample()
            weight = belief.weight(other, self.seat) + noise[self.rng.below(ONE)]
            if weight > most:
                most = weight
                world = other
                memory = self.worlds.memory()
            n += 1
        return world, memory

    def _try(self, state: State, memory: Memory, which: i64) -> i64:
        """What a candidate is worth in a world."""
        policy = self.policy
        witness = remember(state, memory, policy.layout.start)
        observer = observing(policy.layout, witness)
        witness.act(self.seat, self.candidates[which])
        n: i64 = 0
        while state.stage != OVER and n < ENDLESS:
            who = actor(state)
            thought = self.thoughts[who]
            if n >= self.how.depth and who == self.seat:
                policy.think(observer, who, thought)
                return policy.value() * FINE
            if self.how.planned and who != self.seat:
                witness.act(who, policy.planned(witness, who))
            else:
                policy.look(observer, who, thought)
                witness.act(who, policy.space.index(state, who, policy.best()))
            n += 1
        self.count(state, which)
        return self._worth(self.ends[which])

    def _worth(self, ends: vec[i64]) -> i64:
        """What the end taken down last is worth to the seat."""
        winners = ends[len(ends) - 1]
        won = ONE // bits(winners) if (winners >> self.seat) & 1 else i64(0)
        return self.policy.reward.of(won, lead_of(ends, self.seats, self.seat))
