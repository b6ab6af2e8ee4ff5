"""Step: one log entry, judged. A review is made of its steps, and they can be kept one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from branchline.record import Record
from branchline.review.format import (
    CAUSES,
    GRADES,
    LONGEST,
    SEATS,
    Cause,
    Decision,
    Luck,
    Review,
    SeatReview,
    decision_from_dict,
    decision_to_dict,
)
from branchline.review.games import game_hash
from branchline.review.grades import accuracy
from branchline.review.reading import each, get, number, object_of, one_of, real

GRID = 10_000
"""Chances are kept in ten-thousandths, so that what they add up to is exact."""


@dataclass(frozen=True, slots=True)
class Step:
    """One log entry, judged; 0 is the deal."""

    n: int
    turn: int
    wins: tuple[float, ...]
    """Everybody's chance after it, with all hands open."""
    points: tuple[float, ...]
    promised: tuple[float, ...]
    """Everybody's chance after the action and before the chance that followed it."""
    error: float
    """The largest standard error of these."""
    cause: Cause | None
    """Which chance followed."""
    decision: Decision | None
    """Without its `choice`, which follows from the step before; None for the deal."""

    def to_dict(self) -> dict[str, Any]:
        """The step as JSON data."""
        return {
            "n": self.n,
            "turn": self.turn,
            "wins": list(self.wins),
            "points": list(self.points),
            "promised": list(self.promised),
            "error": self.error,
            "cause": self.cause,
            "decision": None if self.decision is None else decision_to_dict(self.decision),
        }

    @classmethod
    def from_dict(cls, data: object) -> "Step":
        """The step that data describes; ValueError names the field that is wrong."""
        known: Mapping[str, Any] = object_of(data, "step")
        return cls(
            n=get(known, "n", lambda v: number(v, 0, LONGEST)),
            turn=get(known, "turn", lambda v: number(v, 0, LONGEST)),
            wins=get(known, "wins", lambda v: each(v, real, SEATS)),
            points=get(known, "points", lambda v: each(v, real, SEATS)),
            promised=get(known, "promised", lambda v: each(v, real, SEATS)),
            error=get(known, "error", real),
            cause=get(known, "cause", lambda v: None if v is None else one_of(v, CAUSES)),
            decision=get(known, "decision", lambda v: None if v is None else decision_from_dict(v)),
        )


def summed(record: Record, steps: Sequence[Step], depth: int, seed: int, judge: str) -> Review:
    """The review that the steps of a game make."""
    series, decisions, luck = [], [], []
    last = tuple(1 / len(record.players) for _ in record.players)
    for step in steps:
        if step.decision is not None:
            decisions.append(step.decision.with_choice(_changes(last, step.promised)))
        if step.cause is not None:
            seat = None if step.decision is None else step.decision.seat
            luck.append(Luck(step.n, step.turn, seat, step.cause, _changes(step.promised, step.wins), step.error))
        series.append(step.wins)
        last = step.wins
    assert record.result is not None
    seats = range(len(record.players))
    return Review(
        record=game_hash(record),
        map=record.map.id,
        map_hash=record.map_hash,
        players=record.players,
        depth=depth,
        seed=seed,
        judge=judge,
        totals=tuple(seat["total"] for seat in record.result["seats"]),
        winners=tuple(record.result["winners"]),
        series=tuple(series),
        points=tuple(step.points for step in steps),
        decisions=tuple(decisions),
        luck=tuple(luck),
        seats=tuple(_seat(seat, steps[0].promised[seat], last[seat], decisions, luck) for seat in seats),
    )


def _seat(seat: int, even: float, result: float, decisions: Sequence[Decision], luck: Sequence[Luck]) -> SeatReview:
    own = [decision for decision in decisions if decision.seat == seat]
    judged = [decision for decision in own if not decision.forced]
    return SeatReview(
        even=even,
        luck=grid(sum(event.change[seat] for event in luck)),
        own=grid(sum(decision.choice[seat] for decision in own)),
        others=grid(sum(decision.choice[seat] for decision in decisions if decision.seat != seat)),
        result=result,
        accuracy=accuracy(decision.cost.value for decision in judged),
        cost=grid(sum(decision.cost.value for decision in judged)),
        grades={grade: sum(decision.grade == grade for decision in judged) for grade in GRADES[1:]},
        judged=len(judged),
    )


def _changes(before: Sequence[float], after: Sequence[float]) -> tuple[float, ...]:
    return tuple(grid(new - old) for old, new in zip(before, after, strict=True))


def grid(chance: float) -> float:
    """A chance in whole ten-thousandths."""
    return round(chance * GRID) / GRID
