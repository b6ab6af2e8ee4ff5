"""The figures of docs/scaling.md are those of the model, and the model reads the server's own constants."""

from branchline.server.follower import COMPARE
from scripts.scaling_page import PAGE, Assumed, Measured, needed, page


def test_the_page_holds_what_the_model_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def test_what_the_model_says_of_the_server_is_so() -> None:
    assert Assumed().compare_seconds == COMPARE


def test_ten_times_the_people_take_ten_times_the_cores() -> None:
    small, large = (needed(people, Measured(), Assumed()) for people in (100_000, 1_000_000))
    assert abs(large.cores / small.cores - 10) < 0.1
    assert large.redis_messages == 10 * small.redis_messages
