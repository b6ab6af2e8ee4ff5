"""Reviews: repeatable, exact in their sums, judged by what a seat knew, honest about what can't be reviewed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from branchline import Game, Record
from branchline.actions import Action, DrawTickets, KeepTickets
from branchline.bots import Budget, load, to_index
from branchline.engine.shuffle import Rng
from branchline.game import sample_world
from branchline.review import NotReviewed, Progress, Review, Reviewer, Step, game_hash, review
from branchline.review.format import LONGEST
from branchline.review.judge import Judge, Sample
from branchline.views import View

HERE = Path(__file__).parent
RECORDS = HERE.parent / "records"
GAME = RECORDS / "new-york-2.json"
EXAMPLE = HERE / "new-york-2.review.json"


@pytest.fixture(scope="module")
def record() -> Record:
    return Record.load(GAME)


@pytest.fixture(scope="module")
def found(record: Record) -> Review:
    *progress, last = review(record, depth=1)
    assert [p.done for p in progress if isinstance(p, Progress)] == list(range(1, len(record.log) + 2))
    assert isinstance(last, Review)
    return last


def test_the_same_game_depth_and_seed_give_the_same_review_also_in_slices(record: Record, found: Review) -> None:
    steps: list[Step] = []
    reviewer = Reviewer(record, depth=1)
    for n in range(len(record.log) + 1):
        if n % 7 == 6:  # taken up again, in another process perhaps
            reviewer = Reviewer(record, depth=1)
        steps.append(Step.from_dict(json.loads(json.dumps(reviewer.step(n).to_dict()))))
    assert reviewer.finish(steps) == found
    assert reviewer.step(20) == steps[20], "whatever was asked before"


def test_another_seed_samples_other_worlds(record: Record, found: Review) -> None:
    other = Reviewer(record, depth=1, seed=1)
    judged = next(d for d in found.decisions if not d.forced)
    again = other.step(judged.n).decision
    assert again is not None
    assert again.before != judged.before


def test_luck_and_choices_add_up_to_the_result_exactly(found: Review) -> None:
    for seat, told in enumerate(found.seats):
        parts = [told.even, told.luck, told.own, told.others]
        assert sum(round(part * 10_000) for part in parts) == round(told.result * 10_000)
        assert told.result == (seat in found.winners) / len(found.winners)
    assert all(abs(sum(row) - 1) < 0.001 for row in found.series)


def test_every_decision_is_there_and_costs_nothing_less_than_nothing(record: Record, found: Review) -> None:
    assert [(d.n, d.seat, d.action) for d in found.decisions] == [
        (n, seat, action) for n, (seat, action) in enumerate(record.log, 1)
    ]
    for decision in found.decisions:
        assert decision.cost.value >= 0
        assert decision.grade == "none" or decision.interval[0] > 0, "a cost within its noise is no mistake"
        assert decision.forced == (not decision.options or len(decision.options) == 1)
        assert decision.action in [option.action for option in decision.options]


def test_no_option_seems_better_than_the_best_and_the_one_taken_is_behind_by_its_cost(found: Review) -> None:
    for decision in found.decisions:
        best, *others = decision.options
        assert (best.action, best.chance, best.behind.value) == (decision.best, decision.before, 0)
        assert all(option.chance.win.value <= best.chance.win.value for option in others), decision.n
        assert [option.behind.value for option in others] == sorted(option.behind.value for option in others)
        taken = next(option for option in decision.options if option.action == decision.action)
        assert (taken.chance, taken.behind.value) == (decision.after, decision.cost.value)


def test_json_and_back(found: Review) -> None:
    assert Review.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_the_example_is_a_review_of_its_game(record: Record) -> None:
    example = Review.from_dict(json.loads(EXAMPLE.read_text("utf-8")))
    assert example.record == game_hash(record)
    assert len(example.decisions) == len(record.log)
    assert len(example.series) == len(example.points) == len(record.log) + 1


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"format": "branchline-review-0"}, "format"),
        ({"depth": 99}, "depth"),
        ({"depth": True}, "depth"),
        ({"seed": -1}, "seed"),
        ({"record": "zz"}, "record"),
        ({"players": []}, "players"),
        ({"series": [[0.5]]}, "series: 0"),
        ({"series": [[0.5, float("nan")]]}, "series: 0: 1"),
        ({"decisions": [{}]}, "decisions: 0: n"),
        ({"decisions": [0] * (LONGEST + 1)}, "decisions"),
        ({"luck": {}}, "luck"),
        ({"seats": []}, "seats"),
        ({"judge": "x" * 101}, "judge"),
    ],
)
def test_data_of_others_is_read_with_distrust(found: Review, change: dict[str, Any], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        Review.from_dict(found.to_dict() | change)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"result": None}, "has not ended"),
        ({"rules": 2}, "rules"),
        ({"map_hash": "0" * 64}, "another map, or on another version"),
        ({"key": b"x" * 32}, "does not give the key"),
        ({"result": {"seats": [], "winners": [1]}}, "not what its actions come to"),
    ],
)
def test_what_is_no_finished_honest_game_is_refused_in_words(record: Record, change: dict[str, Any], word: str) -> None:
    with pytest.raises(NotReviewed, match=word):
        Reviewer(replace(record, **change))


@pytest.mark.parametrize(("depth", "seed"), [(0, 0), (5, 0), (1, -1), (1, 1 << 32)])
def test_depth_and_seed_have_bounds(record: Record, depth: int, seed: int) -> None:
    with pytest.raises(NotReviewed):
        Reviewer(record, depth, seed)


def test_a_decision_is_judged_by_what_its_seat_knew(record: Record) -> None:
    game = record.deal()
    for seat, action in record.log[:30]:
        game.play(seat, action)
    seat, action = record.log[30]
    view = game.view(seat)
    reviewer = Reviewer(record, depth=1)
    taken = game.index(action, seat)
    for seed in range(3):
        world = sample_world(view, Rng(seed))
        assert world.state.numbers() != game.state.numbers(), "what others hold and how the decks lie is another"
        assert reviewer.judged(world.view(seat), 31, taken) == reviewer.judged(view, 31, taken)


class Opinions:
    """A judge for whom every choice is a fault, by so much in its second opinion."""

    name = "opinions"

    def __init__(self, second: float, preferred: bool = False) -> None:
        self.later, self.preferred = second, preferred

    def options(self, view: View) -> list[int]:
        return list(view.legal_indices())

    def compare(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        return self._less_by(0.3, options, worlds)

    def second(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        return self._less_by(self.later, options, worlds)

    def whole(self, view: View, options: Sequence[int], worlds: int, rng: Rng) -> list[Sample]:
        raise AssertionError("a review asks for two opinions")

    def prefers(self, view: View, one: int, other: int) -> bool:
        return self.preferred

    def reason(self, view: View, index: int) -> Mapping[str, Any]:
        return {}

    def _less_by(self, cost: float, options: Sequence[int], worlds: int) -> list[Sample]:
        taken = min(options)
        return [Sample((0.5 - cost * (index == taken),) * worlds, (0.0,) * worlds) for index in options]


@pytest.mark.parametrize(
    ("judge", "cost", "grade"),
    [
        (Opinions(0.4), 0.3, "blunder"),
        (Opinions(0.2), 0.2, "blunder"),
        (Opinions(0.0), 0.0, "none"),
        (Opinions(-0.2), 0.0, "none"),
        (Opinions(0.4, preferred=True), 0.0, "none"),
    ],
    ids=["both", "the smaller counts", "one is not enough", "against each other", "the policy would do the same"],
)
def test_a_choice_is_held_against_nobody_unless_all_agree(
    record: Record, judge: Judge, cost: float, grade: str
) -> None:
    view = record.deal().view(0)
    taken = min(view.legal_indices())
    decision = Reviewer(record, depth=1, judge=judge).judged(view, 1, taken)
    assert (decision.cost.value, decision.grade) == (cost, grade)
    assert (decision.best == decision.action) == (grade == "none")


def greedy_for_tickets(game: Game, seat: int) -> Action:
    """What nobody should do: tickets and tickets again, and all of them kept."""
    view = game.view(seat)
    legal = view.legal_actions()
    keeps = [action for action in legal if isinstance(action, KeepTickets)]
    if keeps:
        return max(keeps, key=lambda keep: len(keep.tickets))
    if view.turn > 8 and DrawTickets() in legal:
        return DrawTickets()
    return view.action(to_index(view, load("regular").choose(view, Rng(1), Budget(nodes=1))))


def test_who_draws_tickets_for_ever_blunders_and_the_other_does_not() -> None:
    game = Game.new("new-york", 2, 21)
    planner = load("regular")
    while not game.over:
        seat = game.to_act[0]
        if seat == 0:
            game.play(0, greedy_for_tickets(game, 0))
        else:
            view = game.view(1)
            game.play_index(1, to_index(view, planner.choose(view, Rng(1), Budget(nodes=1))))
    told = Record.from_dict(json.loads(json.dumps(Record.of(game).to_dict())))
    *_, found = review(told, depth=1)
    assert isinstance(found, Review)
    fool, other = found.seats
    assert fool.grades["blunder"] >= 1  # after it there is little left to lose
    assert other.grades["blunder"] == 0
    assert fool.cost > 3 * other.cost
    assert fool.accuracy < other.accuracy
    assert fool.own < other.own
