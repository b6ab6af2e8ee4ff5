"""The figures of the ladder page are those of the games that are kept."""

from branchline.arena.stats import distinct
from scripts.ladder_page import PAGE, filled, legs


def test_every_table_of_the_page_is_made_from_the_games() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert filled(text) == text


def test_no_game_stands_twice_in_what_is_kept() -> None:
    for ladder in (False, True):
        for leg in legs(ladder):
            for match, rows in leg:
                assert len(distinct(match, rows)) == len(rows) > 0
