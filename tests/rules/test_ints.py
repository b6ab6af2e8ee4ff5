"""The road for ints judged directly: who acts, why not, and that nothing of a question stays when it is answered."""

import pytest

from branchline.engine import refusals
from branchline.engine.board import NONE
from branchline.engine.evidence import HIDDEN
from branchline.engine.scoring import Borrowing
from branchline.engine.state import State
from tests.builder import Position, made_up, play


def reason(state: State, index: int, seat: int = -1) -> str:
    return refusals.REFUSALS[state.refusal(index, seat)][0]


def test_the_actor_is_the_lowest_that_has_not_answered_then_who_is_on_turn_then_nobody(europe: Position) -> None:
    game = europe.seats(3).opening().game()
    for seat in range(3):
        assert game.state.actor == seat
        assert list(game.state.to_act()) == list(range(seat, 3))
        game.play_index(seat, game.legal_indices(seat)[0])
    assert europe.seats(3).on_turn(2).game().state.actor == 2
    assert europe.over().game().state.actor == NONE


def test_a_seat_or_an_index_that_is_not_there_is_refused(europe: Position) -> None:
    opening, turn = europe.opening().game().state, europe.game().state
    for state in (opening, turn):
        for seat in (-2, 2, 3):
            assert list(state.legal(seat)) == []
            assert reason(state, 0, seat) == "not-your-turn"
        for index in (-1, int(state.board.actions), int(state.board.actions) + 1):
            assert reason(state, index) == "not-an-action"


def test_r2_5_no_more_can_be_named_in_the_opening_than_it_offers(new_york: Position) -> None:
    """A map may draw more tickets later than it opens with: its indices for more are refused until then."""
    position = new_york.ruleset(ticket_draw=3)
    three = [ticket.id for ticket in new_york.map.tickets[:3]]
    opening, later = position.opening().game().state, position.offer(0, *three).game().state
    third = int(opening.board.keep_index(4))
    assert int(opening.board.opening) == 2
    assert reason(opening, third) == "not-offered"
    assert third not in opening.legal(0)
    assert third in later.legal(0)


def test_r4_2_a_route_as_long_as_the_cars_that_are_left_can_be_claimed(europe: Position) -> None:
    game = europe.hand(0, green=8).cars(0, 3)
    assert "paris-zurich" in game.claimable(0)  # grey, three spaces
    assert "paris-zurich" not in game.cars(0, 2).claimable(0)


@pytest.mark.parametrize("which", range(8))
def test_r4_1_each_colour_pays_for_a_grey_route(europe: Position, which: int) -> None:
    colour = europe.map.colours[which]
    assert "paris-zurich" in europe.hand(0, **{colour: 3}).claimable(0)


@pytest.mark.parametrize("place", range(4))
def test_r3_6_every_card_of_the_deck_counts_wherever_it_lies(europe: Position, place: int) -> None:
    """Two coloured cards in the row and one in the deck are three: the row is reset."""
    deck = ["wild"] * 4
    deck[place] = "red"
    game = europe.row("wild wild wild blue blue").deck(" ".join(["green", *deck])).game()
    assert any(line.startswith("reset") for line in play(game, 0, "draw ?"))


def test_r3_6_a_card_of_the_deck_counts_once(europe: Position) -> None:
    """One coloured card in the row and one in the deck are two: the row stays."""
    game = europe.row("wild wild wild wild blue").deck("green red wild").game()
    assert not any(line.startswith("reset") for line in play(game, 0, "draw ?"))


def test_r3_7_a_reshuffle_is_the_next_shuffle(europe: Position) -> None:
    game = europe.row("red red blue green black").deck("green").discards(red=3).game()
    before = int(game.state.shuffles)
    play(game, 0, "draw ?")
    assert game.state.shuffles == before + 1


@pytest.mark.parametrize("which", range(8))
def test_r3_6_discards_of_every_colour_count(europe: Position, which: int) -> None:
    position = europe.row("wild wild wild blue blue").deck("red wild wild").discards(**{europe.map.colours[which]: 1})
    assert any(line.startswith("reset") for line in play(position.game(), 0, "draw ?"))


def test_r5_1_what_was_not_offered_is_refused_in_words(europe: Position) -> None:
    state = europe.offer(0, "paris-wien").game().state
    assert reason(state, int(state.board.keep_index(0b11))) == "not-offered"
    assert reason(state, int(state.board.keep_index(0b1))) == "legal"


def test_r4_8_what_is_owed_is_refused_in_words(europe: Position) -> None:
    game = europe.hand(0, red=3, wild=4).top("red red blue").game()
    play(game, 0, "claim constantinople-smyrna 2 red")
    state = game.state
    assert state.owed == 2
    assert [reason(state, int(state.board.pay_index(wilds))) for wilds in range(4)] == [
        "owed-cards", "legal", "legal", "owed-cards",
    ]  # fmt: skip
    game = europe.hand(0, red=3, wild=4).top("wild blue blue").game()
    play(game, 0, "claim constantinople-smyrna 2 wild")
    state = game.state
    assert [reason(state, int(state.board.pay_index(wilds))) for wilds in (0, 1)] == ["owed-wilds", "legal"]


def test_r6_2_a_station_is_refused_in_words(europe: Position) -> None:
    state = europe.hand(0, red=4, wild=4).game().state
    board = state.board
    red = list(europe.map.colours).index("red")

    def build(wilds: int, of: State = state) -> str:
        return reason(of, int(board.build_index(0, board.station_payment(red, wilds))))

    assert [build(wilds) for wilds in range(3)] == ["legal", "station-count", "station-count"]  # one card
    used = europe.hand(0, red=4).station(0, "paris", "berlin", "roma").game().state
    assert build(0, used) == "stations-used"


@pytest.mark.parametrize("answer", ["pay 1 red", "take-back"])
def test_r4_11_nothing_of_a_tunnel_stays_when_it_is_answered(europe: Position, answer: str) -> None:
    game = europe.hand(0, red=4, wild=1).top("red blue blue").game()
    play(game, 0, "claim constantinople-smyrna 1 red 1 wild")
    assert (game.state.route != NONE, game.state.laid_wilds, game.state.owed) == (True, 1, 1)
    play(game, 0, answer)
    state = game.state
    assert (state.route, state.laid_colour, state.laid_wilds, state.owed, list(state.turned)) == (NONE, NONE, 0, 0, [])


def test_r2_5_nothing_of_an_offer_stays_when_it_is_answered(europe: Position) -> None:
    game = europe.offer(0, "paris-wien", "berlin-roma").game()
    game.play_index(0, game.legal_indices(0)[0])
    assert list(game.state.offer) == []
    game = europe.opening().game()
    for seat in range(2):
        game.play_index(seat, game.legal_indices(seat)[0])
    assert list(game.state.offer) == []
    assert list(game.state.answers) == [0, 0]


def test_r2_5_a_sight_marks_who_has_answered_and_remembers_how_many_others_kept(europe: Position) -> None:
    game = europe.opening().game()
    game.play_index(1, game.legal_indices(1)[0])
    sight = game.view(0).sight
    assert list(sight.answered) == [0, 1]
    assert [list(choice.kept) for choice in sight.memory.choices if choice.seat == 1] == [[]]
    game.play_index(0, game.legal_indices(0)[0])
    (other,) = (choice for choice in game.view(0).sight.memory.choices if choice.seat == 1)
    assert list(other.kept) == [HIDDEN] * int(other.number)
    assert other.number > 0


def test_r6_5_each_way_of_all_stations_but_the_last_is_weighed_once() -> None:
    """The first may borrow none, one or the other; the last one's routes are weighed all at once."""
    board = made_up("a-b 1, a-c 1, d-e 1, d-f 1", "a-c 6").seats(3).station(0, "a", "d")
    state = board.owns(1, "a-b", "a-c", "d-e", "d-f").tickets(0, "a-c").game().state
    assert Borrowing(state, 0).work == 3
