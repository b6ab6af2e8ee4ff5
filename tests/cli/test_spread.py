"""Work spread over processes: in order, one at a time or all at once, and ended whenever somebody wants."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from branchline.spread import WorkerDied, spread

ROOT = Path(__file__).parents[2]


def double(number: int) -> int:
    return 2 * number


def large(number: int) -> bytes:
    return bytes(4_000_000)


def first_is_slow(number: int) -> tuple[int, int]:
    if number == 0:
        for _ in range(3_000_000):
            pass
    return number, os.getpid()


def fails(number: int) -> int:
    if number == 5:
        raise ValueError(f"no {number}")
    return number


def leaves(number: int) -> int:
    if number == 5:
        os._exit(3)
    return number


def stays(number: int) -> Any:
    return lambda: number


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_results_come_in_the_order_of_their_jobs(workers: int) -> None:
    assert list(spread(double, range(100), workers=workers)) == [2 * number for number in range(100)]
    assert list(spread(double, [], workers=workers)) == []


def test_or_as_they_come_from_all_workers() -> None:
    found = list(spread(first_is_slow, range(40), workers=2, ordered=False))
    assert sorted(number for number, _ in found) == list(range(40))
    assert len({process for _, process in found}) == 2
    assert found[0][0] != 0


def test_large_jobs_and_large_results_do_not_wait_for_each_other() -> None:
    jobs = [bytes([number]) * 1_000_000 for number in range(12)]
    assert list(spread(bytes, jobs, workers=2)) == jobs


def test_no_more_is_done_ahead_than_is_asked_for() -> None:
    asked = []

    def jobs() -> Any:
        for number in range(1_000):
            asked.append(number)
            yield number

    with closing(spread(double, jobs(), workers=2)) as results:
        assert next(results) == 0
    assert len(asked) <= 9


def test_what_a_job_raises_is_raised_with_where_it_was() -> None:
    with pytest.raises(ValueError, match="no 5") as error:
        list(spread(fails, range(100), workers=2))
    assert "in fails" in error.value.__notes__[0]


def test_what_cannot_leave_its_process_is_an_error_and_not_silence() -> None:
    with pytest.raises(Exception, match="pickle"):
        list(spread(stays, range(3), workers=2))


def test_a_process_that_is_gone_is_told() -> None:
    with pytest.raises(WorkerDied, match="died"):
        list(spread(leaves, range(100), workers=2))


@pytest.mark.parametrize("ending", ["results.close()", "", "del results"], ids=["closed", "left", "dropped"])
def test_workers_killed_while_they_send_leave_nobody_waiting(ending: str) -> None:
    """A worker that nobody reads is in the middle of sending when it is killed."""
    program = f"""
from branchline.spread import spread
from tests.cli.test_spread import large
results = spread(large, range(100), workers=2)
next(results)
{ending}
print("done")
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert (done.stdout, done.stderr, done.returncode) == ("done\n", "", 0)
