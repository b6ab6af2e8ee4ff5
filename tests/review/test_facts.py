"""What is told beside a reason: counted on boards that show it, and worded in three languages."""

from typing import Any

import pytest

from branchline import load_map
from branchline.codec import action_from_line
from branchline.maps import Map
from branchline.review.facts import facts
from branchline.review.judge import HouseJudge
from branchline.review.words import LANGUAGES, Words
from tests.builder import Position


def told(position: Position, line: str) -> dict[str, Any]:
    game = position.game()
    return facts(game.view(0), game.index(action_from_line(line), 0))


CLAIM = "claim kharkov-rostov 2 green"


def test_a_claim_completes_tickets_and_makes_the_longest_trail(europe: Position) -> None:
    board = europe.seats(3).hand(0, green=2, orange=2).tickets(0, "kyiv-sochi", "brest-marseille")
    board = board.owns(0, "kharkov-kyiv", "rostov-sochi").owns(1, "brest-pamplona", "brest-paris")
    found = told(board, CLAIM)
    assert found == {"points": 2, "cards": 2, "completes": ["kyiv-sochi"], "trail": [8, 7]}
    assert told(board, "claim brest-dieppe 2 orange") == {"points": 2, "cards": 2}


def test_a_trail_is_told_where_it_takes_the_lead(europe: Position) -> None:
    board = europe.seats(3).hand(0, green=2).owns(0, "kharkov-kyiv")
    assert "trail" not in told(board, CLAIM), "it was the longest before"
    assert "trail" not in told(board.owns(1, "petrograd-stockholm"), CLAIM), "8 are longer than 6"
    assert told(board.owns(1, "brest-pamplona", "brest-dieppe"), CLAIM)["trail"] == [6, 6]


def test_a_claim_with_the_last_cars_begins_the_last_round_once(europe: Position) -> None:
    board = europe.seats(3).hand(0, green=2)
    assert told(board.cars(0, 4), CLAIM)["last_round"]
    assert "last_round" not in told(board.cars(0, 5), CLAIM)
    assert "last_round" not in told(board.cars(0, 4).last_turns(2), CLAIM)


def test_tickets_take_cars_together(europe: Position) -> None:
    board = europe.seats(3).opening().offer(0, "lisboa-danzig", "kyiv-sochi", "rostov-erzurum", "brest-marseille")
    pair = told(board, "keep kyiv-sochi rostov-erzurum")
    one = told(board, "keep kyiv-sochi brest-marseille")
    assert pair["tickets"] == ["kyiv-sochi", "rostov-erzurum"]
    assert pair["cars"] < one["cars"] < pair["all"] == one["all"]
    assert (pair["left"], pair["beside"]) == (45, 0)


def test_sights_are_counted_where_they_count(new_york: Position) -> None:
    assert told(new_york.hand(0, orange=3), "claim chinatown-brooklyn-orange 3 orange")["sights"] == 2
    assert "trail" not in told(new_york.hand(0, orange=3), "claim chinatown-brooklyn-orange 3 orange")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_told_becomes_words(europe: Position, language: str) -> None:
    map: Map = load_map("europe")
    words = Words(map, language)
    board = europe.seats(3).hand(0, green=2).tickets(0, "kyiv-sochi").owns(0, "kharkov-kyiv", "rostov-sochi")
    game = board.game()
    view = game.view(0)
    reason = HouseJudge(map).reason(view, game.index(action_from_line(CLAIM), 0))
    said = words.why(reason)
    assert words.tickets(["kyiv-sochi"]) in said
    assert words.why({"reason": "points", "points": 7, "cards": 4}).count("7") == 1
    assert "28" in words.why({"reason": "keep-tickets", "tickets": [], "cars": 28, "left": 45, "beside": 0})
    assert words.why({"reason": "take-back"}) != words.why({"reason": "tunnel"})
