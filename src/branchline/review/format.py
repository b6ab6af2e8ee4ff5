"""Review: what judging a finished game found, as values and as JSON (docs/review.md)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple

from branchline.actions import Action
from branchline.codec import action_from_line, to_line
from branchline.record import Player
from branchline.review.reading import Fault, each, get, number, object_of, one_of, real, text

FORMAT = "branchline-review-1"
LONGEST = 20_000
"""Decisions of a game: ten times those of the longest anybody would play."""
SEATS = 5

Grade = Literal["none", "inaccuracy", "mistake", "blunder"]
GRADES: tuple[Grade, ...] = ("none", "inaccuracy", "mistake", "blunder")
Cause = Literal["deal", "deck", "row", "tunnel", "tickets", "shuffle"]
CAUSES: tuple[Cause, ...] = ("deal", "deck", "row", "tunnel", "tickets", "shuffle")
STAGES = ("opening", "turn", "second-draw", "tunnel-owed", "ticket-offer")
DEPTHS = range(1, 5)
"""How deep one may look: each depth tries four times the worlds of the one before."""
DEFAULT_DEPTH = 2


class Estimate(NamedTuple):
    """A mean over sampled worlds, and its standard error."""

    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Chance:
    """What a seat could expect, by what it knew."""

    win: Estimate
    """Its chance to win, from 0 to 1; a shared win counts its share."""
    points: Estimate
    """Its points in the end."""


@dataclass(frozen=True, slots=True)
class Option:
    """One of the actions that were compared."""

    action: Action
    chance: Chance
    """As far below that with the best action as it is behind."""
    behind: Estimate
    """By how much less it wins than the best, in worlds in which both were tried; 0 where opinions differ."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One action of one seat, judged by what that seat knew then."""

    n: int
    """The log entry, counted from 1: the step of `branchline replay`."""
    turn: int
    seat: int
    stage: str
    """What was asked: opening, turn, second-draw, tunnel-owed or ticket-offer."""
    action: Action
    forced: bool
    """Whether nothing else was legal: then nothing is judged, `best` is the action and the cost is 0."""
    before: Chance
    """With the best action that was found."""
    after: Chance
    """With the action taken."""
    best: Action
    cost: Estimate
    """What the choice cost, as chance to win, measured in worlds other than those in which `best` was found."""
    grade: Grade
    reason: Mapping[str, Any]
    """Why `best` is good, as the hints have it (a bot's `why`); empty where none is known."""
    options: tuple[Option, ...] = ()
    """The actions compared, the best first."""
    choice: tuple[float, ...] = ()
    """By how much the action changed each seat's chance in `Review.series`, before chance had its say."""

    def with_choice(self, choice: tuple[float, ...]) -> "Decision":
        """The same, and what the choice did to everybody's chances."""
        return replace(self, choice=choice)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the cost."""
        return self.cost.value - 1.96 * self.cost.error, self.cost.value + 1.96 * self.cost.error


@dataclass(frozen=True, slots=True)
class Luck:
    """What chance did between two decisions."""

    n: int
    """The log entry that it followed; 0 for the deal."""
    turn: int
    seat: int | None
    """Who had acted; None for the deal."""
    cause: Cause
    change: tuple[float, ...]
    """By how much it changed each seat's chance."""
    error: float
    """The largest standard error among these."""


@dataclass(frozen=True, slots=True)
class SeatReview:
    """One seat in all: even + luck + own + others = result, exactly, in ten-thousandths."""

    even: float
    """An even share of the win, before the deal."""
    luck: float
    """What deal, deck, row, tunnels and tickets did."""
    own: float
    """What its own choices did."""
    others: float
    """What the choices of others did."""
    result: float
    """1 for a win, its share of a shared one, else 0."""
    accuracy: float
    """From 0 to 100."""
    cost: float
    """The sum of what its choices cost, by what it knew."""
    grades: Mapping[str, int]
    """How many of each grade but none."""
    judged: int
    """Decisions that were not forced."""


@dataclass(frozen=True)
class Review:
    """A finished game, judged."""

    record: str
    """Which game: `game_hash` of its record."""
    map: str
    map_hash: str
    players: tuple[Player, ...]
    depth: int
    seed: int
    judge: str
    """Who judged: the evaluator and its version. Reviews of other judges can't be compared."""
    totals: tuple[int, ...]
    """Everybody's points in the end."""
    winners: tuple[int, ...]
    series: tuple[tuple[float, ...], ...]
    """Everybody's chance after the deal and after each log entry, by all hands and tickets; the decks are unknown."""
    points: tuple[tuple[float, ...], ...]
    """The same for the points of the end."""
    decisions: tuple[Decision, ...]
    luck: tuple[Luck, ...]
    seats: tuple[SeatReview, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """The review as JSON data."""
        return {
            "format": FORMAT,
            "record": self.record,
            "map": self.map,
            "map_hash": self.map_hash,
            "players": [{"name": player.name, "bot": player.bot} for player in self.players],
            "depth": self.depth,
            "seed": self.seed,
            "judge": self.judge,
            "totals": list(self.totals),
            "winners": list(self.winners),
            "series": [list(row) for row in self.series],
            "points": [list(row) for row in self.points],
            "decisions": [decision_to_dict(decision) for decision in self.decisions],
            "luck": [luck_to_dict(luck) for luck in self.luck],
            "seats": [{f.name: _plain(getattr(seat, f.name)) for f in fields(seat)} for seat in self.seats],
        }

    @classmethod
    def from_dict(cls, data: object) -> "Review":
        """The review that data describes; ValueError names the field that is wrong."""
        known = object_of(data, "review")
        if known.get("format") != FORMAT:
            raise Fault("format", f"expected {FORMAT!r}")
        players = get(known, "players", lambda v: each(v, _player, SEATS))
        if len(players) < 2:
            raise Fault("players", "a game has at least two seats")
        shares = _shares(len(players))
        return cls(
            record=get(known, "record", _hash),
            map=get(known, "map", lambda v: text(v, 200)),
            map_hash=get(known, "map_hash", _hash),
            players=players,
            depth=get(known, "depth", lambda v: number(v, DEPTHS[0], DEPTHS[-1])),
            seed=get(known, "seed", lambda v: number(v, 0, 2**32 - 1)),
            judge=get(known, "judge", lambda v: text(v, 100)),
            totals=get(known, "totals", lambda v: each(v, _total, SEATS, len(players))),
            winners=get(known, "winners", lambda v: each(v, lambda s: number(s, 0, len(players) - 1), SEATS)),
            series=get(known, "series", lambda v: each(v, shares, LONGEST)),
            points=get(known, "points", lambda v: each(v, shares, LONGEST)),
            decisions=get(known, "decisions", lambda v: each(v, decision_from_dict, LONGEST)),
            luck=get(known, "luck", lambda v: each(v, luck_from_dict, LONGEST)),
            seats=get(known, "seats", lambda v: each(v, _seat_review, SEATS, len(players))),
        )


def decision_to_dict(decision: Decision) -> dict[str, Any]:
    """A decision as JSON data; actions are lines as in a record."""
    return {
        "n": decision.n,
        "turn": decision.turn,
        "seat": decision.seat,
        "stage": decision.stage,
        "action": to_line(decision.action),
        "forced": decision.forced,
        "before": _chance_to_dict(decision.before),
        "after": _chance_to_dict(decision.after),
        "best": to_line(decision.best),
        "cost": list(decision.cost),
        "grade": decision.grade,
        "reason": dict(decision.reason),
        "options": [_option_to_dict(option) for option in decision.options],
        "choice": list(decision.choice),
    }


def decision_from_dict(data: object) -> Decision:
    """The decision that data describes."""
    known = object_of(data, "decision")
    return Decision(
        n=get(known, "n", lambda v: number(v, 1, LONGEST)),
        turn=get(known, "turn", lambda v: number(v, 0, LONGEST)),
        seat=get(known, "seat", lambda v: number(v, 0, SEATS - 1)),
        stage=get(known, "stage", lambda v: one_of(v, STAGES)),
        action=get(known, "action", _line),
        forced=get(known, "forced", _flag),
        before=get(known, "before", _chance),
        after=get(known, "after", _chance),
        best=get(known, "best", _line),
        cost=get(known, "cost", _estimate),
        grade=get(known, "grade", lambda v: one_of(v, GRADES)),
        reason=get(known, "reason", _reason),
        options=get(known, "options", lambda v: each(v, _option, 200)),
        choice=get(known, "choice", lambda v: each(v, real, SEATS)),
    )


def luck_to_dict(luck: Luck) -> dict[str, Any]:
    """A chance event as JSON data."""
    return {f.name: _plain(getattr(luck, f.name)) for f in fields(luck)}


def luck_from_dict(data: object) -> Luck:
    """The chance event that data describes."""
    known = object_of(data, "luck")
    return Luck(
        n=get(known, "n", lambda v: number(v, 0, LONGEST)),
        turn=get(known, "turn", lambda v: number(v, 0, LONGEST)),
        seat=get(known, "seat", lambda v: None if v is None else number(v, 0, SEATS - 1)),
        cause=get(known, "cause", lambda v: one_of(v, CAUSES)),
        change=get(known, "change", lambda v: each(v, real, SEATS)),
        error=get(known, "error", real),
    )


def _chance_to_dict(chance: Chance) -> dict[str, Any]:
    return {"win": list(chance.win), "points": list(chance.points)}


def _chance(data: object) -> Chance:
    known = object_of(data, "chance")
    return Chance(get(known, "win", _estimate), get(known, "points", _estimate))


def _option_to_dict(option: Option) -> dict[str, Any]:
    return {"action": to_line(option.action), **_chance_to_dict(option.chance), "behind": list(option.behind)}


def _option(data: object) -> Option:
    known = object_of(data, "option")
    return Option(get(known, "action", _line), _chance(known), get(known, "behind", _estimate))


def _estimate(data: object) -> Estimate:
    value, error = each(data, real, 2, 2)
    return Estimate(value, error)


def _seat_review(data: object) -> SeatReview:
    known = object_of(data, "seat")
    numbers = {name: get(known, name, real) for name in ("even", "luck", "own", "others", "result", "accuracy", "cost")}
    return SeatReview(
        **numbers,
        grades={grade: number(object_of(known.get("grades"), "grades").get(grade), 0, LONGEST) for grade in GRADES[1:]},
        judged=get(known, "judged", lambda v: number(v, 0, LONGEST)),
    )


def _shares(seats: int) -> Any:
    return lambda row: each(row, real, SEATS, seats)


def _total(value: object) -> int:
    return number(value, -100_000, 100_000)


def _player(data: object) -> Player:
    known = object_of(data, "player")
    bot = known.get("bot")
    return Player(get(known, "name", lambda v: text(v, 200)), None if bot is None else text(bot, 200))


def _line(value: object) -> Action:
    return action_from_line(text(value, 400))


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


def _hash(value: object) -> str:
    digits = text(value, 64)
    if len(digits) != 64 or set(digits) - set("0123456789abcdef"):
        raise ValueError("expected a SHA-256 in hex")
    return digits


def _reason(value: object) -> Mapping[str, Any]:
    """What bots leave in `why`: words, numbers and lists of them."""
    known = object_of(value, "reason")
    if len(known) > 20:
        raise ValueError("has more fields than a reason has")
    for name, said in known.items():
        text(name, 40)
        for part in said if isinstance(said, list | tuple) and len(said) <= 200 else (said,):
            if not isinstance(part, bool | int | float | None):
                text(part, 200)
    return known


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value
