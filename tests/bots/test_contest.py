"""A contest between candidates, in small tables of differences that anybody can work out."""

from math import sqrt
from statistics import fmean, pvariance

import pytest

from branchline.bots.search.contest import Contest, Share, add_shares, importance
from branchline.engine.stages import OPENING, SECOND_DRAW, TICKET_OFFER, TUNNEL_OWED, TURN


def noted(*differences: list[int]) -> Contest:
    """A contest in which each candidate did so much better than the first, world by world."""
    contest = Contest(len(differences))
    for which, found in enumerate(differences):
        for difference in found:
            contest.note(which, difference)
    return contest


def alive(contest: Contest) -> list[int]:
    return [int(which) for which in list(contest.order)[: int(contest.alive)]]


def test_the_worse_half_leaves_and_the_first_stays() -> None:
    contest = noted([0, 0], [-5, -5], [8, 8], [3, 3], [-9, -9], [1, 1])
    contest.halve(2)
    assert alive(contest) == [0, 2, 3]
    contest.halve(2)
    assert alive(contest) == [0, 2]
    contest.halve(2)
    assert alive(contest) == [0, 2], "so many stay"


def test_the_first_stays_though_all_others_are_better() -> None:
    contest = noted([0, 0], [5, 5], [8, 8], [3, 3])
    contest.halve(1)
    assert alive(contest) == [0, 2]


@pytest.mark.parametrize("found", [[4, 6, 5, 7], [4, -6, 5, 2], [1000, 1001], [0, 0, 0], [-4, -5, -6]])
@pytest.mark.parametrize("errors", [50, 100, 300])
def test_a_difference_is_told_by_its_standard_error(found: list[int], errors: int) -> None:
    scaled = [1000 * x for x in found]  # whole numbers are rounded down
    error = sqrt(pvariance(scaled) / len(scaled))
    assert noted([0] * len(found), scaled).differs(1, errors) == (abs(fmean(scaled)) > errors / 100 * error)


def test_one_world_decides_nothing() -> None:
    contest = noted([0], [1000])
    assert not contest.differs(1, 100)
    assert contest.best(100) == 0
    contest.note(0, 0)
    contest.note(1, 1001)
    assert contest.best(100) == 1


def test_the_best_is_the_first_unless_another_is_clearly_better() -> None:
    assert noted([0] * 4, [90, -80, 90, -80], [20, 21, 22, 20], [10, 10, 10, 11]).best(100) == 2
    assert noted([0] * 4, [90, -80, 90, -80]).best(100) == 0
    assert noted([0] * 4, [-20, -21, -22, -20]).best(100) == 0


def test_it_is_decided_when_more_worlds_would_change_nothing() -> None:
    worse, better, unclear = [-20, -21] * 12, [20, 21] * 12, [90, -80] * 12
    assert noted([0] * 24, worse, worse).decided()
    assert noted([0] * 24, better).decided()
    assert not noted([0] * 24, better, worse).decided(), "two may still be better"
    assert not noted([0] * 24, worse, unclear).decided()
    assert not noted([0] * 20, worse[:20], worse[:20]).decided(), "so few worlds are not asked yet"


def test_what_another_contest_kept_stands_again_with_the_worlds_of_both() -> None:
    here = noted([0, 0], [5, 5], [8, 8], [3, 3], [1, 1])
    here.halve(2)
    assert alive(here) == [0, 2, 1]
    here.add(3, (10, 900, 81_500))
    here.add(2, (1, 8, 64))
    assert sorted(alive(here)) == [0, 1, 2, 3]
    assert here.tally(3) == (12, 906, 81_518)
    assert here.best(100) == 3
    here.add(3, (1, 0, 0))
    assert sorted(alive(here)) == [0, 1, 2, 3], "once"


def test_shares_halve_until_few_are_left() -> None:
    shares: list[Share] = []
    assert add_shares(shares, 10, 2, 0, 100, True) == 2
    assert [(int(share.until), int(share.left)) for share in shares] == [(33, 2), (66, 2), (100, 2)]


def test_tickets_deserve_the_whole_budget_and_a_second_card_little() -> None:
    stages = (OPENING, TICKET_OFFER, TURN, TUNNEL_OWED, SECOND_DRAW)
    assert [int(importance(stage)) for stage in stages] == [100, 100, 60, 60, 30]
