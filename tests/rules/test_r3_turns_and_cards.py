"""R3: a turn, drawing cards, and how deck, row and discards are kept."""

from collections import Counter

import pytest

from branchline import Game
from tests.builder import Position, deck, every_card, hand, kinds, legal, made_up, play, play_all, refused

ROUTE = {"europe": "bruxelles-paris-red", "new-york": "lincoln-center-midtown-west"}
"""A red track of two spaces on each board."""


def claim(board: Position, payment: str = "2 red") -> str:
    return f"claim {ROUTE[board.map.id]} {payment}"


def words(told: list[str], *kinds: str) -> list[str]:
    """The events of some kinds."""
    return [line for line in told if line.split()[0] in kinds]


# R3.1: one thing a turn


def test_r3_1_the_things_to_do_on_a_turn(europe: Position, new_york: Position) -> None:
    assert kinds(europe.hand(0, red=2).game()) == {"draw", "claim", "tickets", "build"}
    assert kinds(new_york.hand(0, red=2).game()) == {"draw", "claim", "tickets"}


def test_r3_1_exactly_one_of_them(board: Position) -> None:
    start = board.seats(3).hand(0, red=6).game()
    offer = start.to_dict()["ticket_deck"][-1]
    for turn in (["draw ?", "draw 0"], [claim(board)], ["tickets", f"keep {offer}"]):
        game = start.copy()
        for line in turn:
            assert game.to_act == (0,)
            play(game, 0, line)
        assert game.to_act == (1,)
        assert game.turn == 2


def test_r3_1_building_is_one_of_them(europe: Position) -> None:
    game = europe.hand(0, red=6).game()
    play(game, 0, "build paris 1 red")
    assert game.to_act == (1,)


def test_r3_1_only_the_seat_on_turn_acts(board: Position) -> None:
    game = board.seats(3).hand(0, red=2).on_turn(1).game()
    assert refused(game, 0, "draw ?") == "R3.1 not-your-turn"
    assert refused(game, 2, "pass") == "R3.1 not-your-turn"
    assert not game.legal_actions(0)


# R3.2: two cards


@pytest.mark.parametrize("first", ["draw ?", "draw 0"])
@pytest.mark.parametrize("second", ["draw ?", "draw 4"])
def test_r3_2_two_cards_each_from_the_row_or_the_deck(board: Position, first: str, second: str) -> None:
    game = board.row("red blue blue blue green").top("black orange black orange").game()
    told = play_all(game, (0, first), (0, second))
    assert len(words(told, "drawn", "taken")) == 2
    assert sum(hand(game, 0).values()) == 2
    assert game.to_act == (1,)


def test_r3_2_blind_cards_come_from_the_top_of_the_deck(board: Position) -> None:
    game = board.top("black orange green").game()
    play_all(game, (0, "draw ?"), (0, "draw ?"))
    assert hand(game, 0) == {"black": 1, "orange": 1}
    assert deck(game)[0] == "green"


def test_r3_2_a_face_up_card_is_replaced_at_once_in_its_place(board: Position) -> None:
    """Case 3: before the next draw, so that the replacement can be taken too."""
    game = board.row("red blue green blue black").top("orange black").game()
    assert play(game, 0, "draw 2") == ["taken 0 2 green", "filled 2 orange"]
    assert game.view(1).row == ("red", "blue", "orange", "blue", "black")
    assert "draw 2" in legal(game)
    play(game, 0, "draw 2")
    assert game.view(1).row == ("red", "blue", "black", "blue", "black")
    assert hand(game, 0) == {"green": 1, "orange": 1}


def test_r3_2_the_second_card_is_not_optional(board: Position) -> None:
    game = board.hand(0, red=4).game()
    play(game, 0, "draw ?")
    assert game.to_act == (0,)
    assert kinds(game) == {"draw"}
    assert refused(game, 0, "pass") == "R3.12 question-open"


# R3.3 to R3.5: wilds


def test_r3_3_a_face_up_wild_taken_first_counts_as_both_cards(board: Position) -> None:
    """Case 1."""
    game = board.row("red wild green blue black").top("orange").game()
    assert play(game, 0, "draw 1") == ["taken 0 1 wild", "filled 1 orange", "turn 1 2"]
    assert hand(game, 0) == {"wild": 1}
    assert game.to_act == (1,)


def test_r3_4_a_wild_that_lay_there_cannot_be_second(board: Position) -> None:
    """Case 1."""
    game = board.row("red wild green blue black").top("orange").game()
    assert "draw 1" in legal(game)
    play(game, 0, "draw 0")
    assert "draw 1" not in legal(game)
    assert refused(game, 0, "draw 1") == "R3.4 wild-second"


def test_r3_4_nor_one_that_came_as_the_replacement(board: Position) -> None:
    """Case 1."""
    game = board.row("red blue green blue black").top("wild").game()
    play(game, 0, "draw 0")
    assert game.view(0).row[0] == "wild"
    assert refused(game, 0, "draw 0") == "R3.4 wild-second"
    assert legal(game) == ["draw ?", "draw 1", "draw 2", "draw 3", "draw 4"]


def test_r3_4_nor_one_that_a_reset_brought(board: Position) -> None:
    """Case 1."""
    game = board.row("red wild wild blue black").top("wild red wild green wild blue").game()
    play(game, 0, "draw 0")
    assert game.view(0).row == ("red", "wild", "green", "wild", "blue")
    assert legal(game) == ["draw ?", "draw 0", "draw 2", "draw 4"]
    assert refused(game, 0, "draw 3") == "R3.4 wild-second"


def test_r3_4_nor_one_that_filled_a_gap(board: Position) -> None:
    """Case 1."""
    game = board.row("red blue - - -").deck("green").discards(wild=2, black=2).game()
    play(game, 0, "draw ?")
    row = game.view(0).row
    wilds = [slot for slot, card in enumerate(row) if card == "wild"]
    assert wilds
    assert all(refused(game, 0, f"draw {slot}") == "R3.4 wild-second" for slot in wilds)


def test_r3_5_a_wild_drawn_blind_is_one_ordinary_card(board: Position) -> None:
    """Case 2: a second card follows, blind or face-up, but no face-up wild."""
    game = board.row("red wild green blue black").top("wild wild").game()
    play(game, 0, "draw ?")
    assert legal(game) == ["draw ?", "draw 0", "draw 2", "draw 3", "draw 4"]
    blind = game.copy()
    play(blind, 0, "draw ?")
    assert hand(blind, 0) == {"wild": 2}
    play(game, 0, "draw 0")
    assert hand(game, 0) == {"wild": 1, "red": 1}
    assert (game.to_act, blind.to_act) == ((1,), (1,))


def test_r3_5_a_wild_may_be_drawn_blind_as_the_second_card(board: Position) -> None:
    game = board.row("red blue green blue black").top("orange wild").game()
    play_all(game, (0, "draw 0"), (0, "draw ?"))
    assert hand(game, 0) == {"red": 1, "wild": 1}


def test_r3_5_blind_draws_are_secret_and_face_up_draws_are_public(board: Position) -> None:
    """Case 2: a wild drawn blind need not be shown."""
    game = board.row("red blue green blue black").top("wild").game()
    blind = game.play(0, game.legal_actions(0)[0])[0]
    taken = game.play(0, game.legal_actions(0)[1])[0]
    for seat in (1, None):
        assert getattr(game.event_for(blind, seat), "card", "") is None
        assert game.event_for(taken, seat) == taken
        assert game.view(seat).seats[0].known == {"red": 1}
    assert game.event_for(blind, 0) == blind


# R3.6: three wilds


@pytest.mark.parametrize("wilds", [3, 4, 5])
def test_r3_6_three_or_more_wilds_send_the_whole_row_to_the_discards(board: Position, wilds: int) -> None:
    """Case 4."""
    row = ["wild"] * (wilds - 1) + ["red"] * (6 - wilds)
    game = board.row(" ".join(row)).top("wild blue green black orange red").game()
    told = play(game, 0, "draw 4")
    assert words(told, "reset") == ["reset " + " ".join([*row[:-1], "wild"])]
    assert game.view(1).row == ("blue", "green", "black", "orange", "red")
    assert game.view(1).discards == Counter([*row[:-1], "wild"])


def test_r3_6_two_wilds_stay(board: Position) -> None:
    game = board.row("wild red red red red").top("wild").game()
    assert not words(play(game, 0, "draw 4"), "reset")
    assert game.view(1).row.count("wild") == 2


def test_r3_6_also_between_the_two_draws(board: Position) -> None:
    """Case 4: the second card is chosen from the new row."""
    game = board.row("wild wild red blue black").top("wild blue green black orange red").game()
    play(game, 0, "draw 2")
    assert game.to_act == (0,)
    assert play(game, 0, "draw 3")[0] == "taken 0 3 orange"


def test_r3_6_also_after_the_second_card_and_after_a_wild(board: Position) -> None:
    """Case 4."""
    after_second = board.row("wild wild red blue black").top("green wild blue green black orange red").second_draw()
    assert words(play(after_second.game(), 0, "draw 2"), "reset") == []
    game = board.row("wild wild red blue black").top("wild blue green black orange red").second_draw().game()
    assert words(play(game, 0, "draw 2"), "reset") == ["reset wild wild wild blue black"]
    game = board.row("wild wild wild blue black").top("wild blue green black orange red").game()
    assert words(play(game, 0, "draw 0"), "reset") == ["reset wild wild wild blue black"]


def test_r3_6_again_if_need_be(board: Position) -> None:
    """Case 4."""
    top = "wild wild red wild blue wild green black red blue orange"
    game = board.row("wild wild red blue black").top(top).game()
    told = play(game, 0, "draw 2")
    assert words(told, "reset") == ["reset wild wild wild blue black", "reset wild red wild blue wild"]
    assert game.view(1).row == ("green", "black", "red", "blue", "orange")
    assert sum(game.view(1).discards.values()) == 10


@pytest.mark.parametrize(("coloured", "resets"), [(2, False), (3, True)])
def test_r3_6_not_with_fewer_than_three_coloured_cards_left(board: Position, coloured: int, resets: bool) -> None:
    """Case 5: the wilds of row, deck and discards can't make a better row, and nothing may loop."""
    rest = "red " * (coloured - 2)
    game = board.row("wild wild wild blue blue").deck(f"red wild wild {rest}").game()
    told = play(game, 0, "draw ?")
    assert bool(words(told, "reset")) is resets
    if not resets:
        assert game.view(1).row == ("wild", "wild", "wild", "blue", "blue")


@pytest.mark.parametrize("discards", [{"red": 1}, {"red": 0, "wild": 1}])
def test_r3_6_discards_count_too(board: Position, discards: dict[str, int]) -> None:
    """Case 5: three coloured cards in deck, discards and row together are enough for a reset."""
    game = board.row("wild wild wild blue blue").deck("red wild wild").discards(**discards).game()
    assert bool(words(play(game, 0, "draw ?"), "reset")) is bool(discards["red"])


def test_r3_6_with_fewer_than_five_cards_left_nothing_is_reset(board: Position) -> None:
    """Case 6."""
    game = board.row("wild wild wild blue -").deck("").game()
    assert not words(play(game, 0, "draw 3"), "reset")
    assert game.view(1).row == ("wild", "wild", "wild", None, None)


def test_r3_6_a_row_with_gaps_is_reset_where_that_can_help(board: Position) -> None:
    """Case 6: the gaps are filled first; three wilds among fewer cards in the row are three wilds."""
    game = board.row("wild wild wild - -").deck("red blue blue green black").game()
    told = play(game, 0, "draw ?")
    assert [line.split()[0] for line in told[:4]] == ["drawn", "filled", "filled", "reset"]


def endless(seed: int) -> Game:
    """Three coloured cards among fourteen wilds: most rows are bad."""
    position = Position.on("europe").row("wild wild wild wild red").deck("wild " * 10 + "blue green")
    return position.hand(0, red=1).seed(seed).game()


def test_r3_6_after_fifty_resets_the_row_stays() -> None:
    """Case 5: a program must never loop here."""
    resets = []
    for seed in range(12):
        game = endless(seed)
        told = play(game, 0, "build paris 1 red")
        resets.append(len(words(told, "reset")))
        bad = game.view(None).row.count("wild") >= 3
        assert bad is (resets[-1] == 50)
    assert max(resets) == 50
    assert min(resets) < 50


def test_r3_6_until_the_next_change() -> None:
    """Case 5."""
    for seed in range(12):
        game = endless(seed)
        play(game, 0, "build paris 1 red")
        if game.view(None).row.count("wild") >= 3:
            assert words(play(game, 1, "draw ?"), "reset")
            return
    pytest.fail("in none of these games the row stayed")


def test_r3_6_how_many_resets_is_a_number_of_the_map() -> None:
    once = made_up("a-b 1", row_resets=1).row("wild wild red red red").top("wild wild wild wild red red")
    assert len(words(play(once.game(), 0, "draw 4"), "reset")) == 1


# R3.7, R3.8: the deck runs out


def test_r3_7_when_the_deck_is_used_up_the_discards_become_the_deck_at_once(board: Position) -> None:
    """Case 7."""
    game = board.row("red blue green blue black").deck("orange").discards(red=2, blue=3).game()
    assert play(game, 0, "draw ?") == ["drawn 0 orange", "reshuffled 5"]
    assert Counter(deck(game)) == {"red": 2, "blue": 3}
    assert game.view(1).discards == {}
    assert "draw ?" in legal(game)


def test_r3_7_also_when_the_last_card_goes_into_the_row(board: Position) -> None:
    """Case 7."""
    game = board.row("red blue green blue black").deck("orange").discards(red=2, blue=3).game()
    assert play(game, 0, "draw 0") == ["taken 0 0 red", "filled 0 orange", "reshuffled 5"]


def test_r3_7_the_discards_are_shuffled(board: Position) -> None:
    """Case 7: thoroughly, and not simply turned over."""
    start = board.deck("orange").discards(red=4, blue=4, green=4)
    orders = set()
    for seed in range(20):
        game = start.seed(seed).game()
        play(game, 0, "draw ?")
        orders.add(tuple(deck(game)))
        assert Counter(deck(game)) == {"red": 4, "blue": 4, "green": 4}
    assert len(orders) == 20


def test_r3_7_not_before(board: Position) -> None:
    game = board.row("red blue green blue black").deck("orange green").discards(red=2).game()
    assert play(game, 0, "draw ?") == ["drawn 0 orange"]
    assert game.view(1).discards == {"red": 2}


def test_r3_7_there_is_no_limit_to_a_hand(board: Position) -> None:
    """Case 12."""
    game = board.row("red blue green blue black").deck("orange red", rest=0).game()
    before = sum(hand(game, 0).values())
    assert before > 30
    play_all(game, (0, "draw ?"), (0, "draw 0"))
    assert sum(hand(game, 0).values()) == before + 2


def test_r3_8_with_deck_and_discards_empty_the_row_is_not_refilled(board: Position) -> None:
    """Case 9."""
    game = board.row("red blue green blue black").deck("").game()
    assert play(game, 0, "draw 1") == ["taken 0 1 blue"]
    assert game.view(1).row == ("red", None, "green", "blue", "black")
    assert refused(game, 0, "draw 1") == "R3.8 slot-empty"


def test_r3_8_and_blind_drawing_is_impossible(board: Position) -> None:
    """Case 8."""
    game = board.row("red blue green blue black").deck("").game()
    assert "draw ?" not in legal(game)
    assert refused(game, 0, "draw ?") == "R3.8 deck-empty"


def test_r3_8_cards_discarded_by_a_claim_form_a_new_deck_and_fill_the_row(board: Position) -> None:
    """Case 11."""
    payment = "1 red 1 wild"
    game = board.hand(0, red=1, wild=1).row("blue - - blue -").deck("").game()
    told = play(game, 0, claim(board, payment))
    assert words(told, "reshuffled") == ["reshuffled 2"]
    assert [line.split()[1] for line in words(told, "filled")] == ["1", "2"]
    assert Counter(game.view(1).row) == {"blue": 2, "red": 1, "wild": 1, None: 1}
    assert game.view(1).row[4] is None


def test_r3_8_so_do_the_cards_of_a_station(europe: Position) -> None:
    """Case 11."""
    game = europe.hand(0, red=3).station(0, "paris", "roma").row("blue - - blue -").deck("").game()
    play(game, 0, "build wien 3 red")
    assert game.view(1).row == ("blue", "red", "red", "blue", "red")
    assert game.view(1).deck == 0


def test_r3_8_so_do_the_cards_turned_up_for_a_failed_tunnel(europe: Position) -> None:
    """Case 11."""
    game = europe.hand(0, orange=3).row("blue - - blue blue").deck("orange red red").game()
    play(game, 0, "claim angora-smyrna 3 orange")
    play(game, 0, "take-back")
    assert Counter(game.view(1).row) + Counter(deck(game)) == {"blue": 3, "orange": 1, "red": 2}
    assert None not in game.view(1).row


# R3.9, R3.10: nothing to draw, nothing to do


def test_r3_9_with_no_card_to_draw_something_else_must_be_done(board: Position) -> None:
    """Case 8, case 51: also where that is drawing tickets."""
    first = board.map.tickets[0].id
    game = board.stuck().ticket_deck(first).game()
    assert legal(game) == ["tickets"]
    assert refused(game, 0, "pass") == "R3.10 not-stuck"


def test_r3_9_also_where_that_is_building(europe: Position) -> None:
    """Case 8, case 51."""
    stuck = europe.stuck()
    stations = {city: seat for city, seat in stuck._stations.items() if city != "amsterdam"}
    game = europe.no_route_left().row("- - - - -").deck("").ticket_deck().hand(0, red=3)
    for city, seat in stations.items():
        game = game.station(seat, city)
    assert kinds(game.game()) == {"build"}
    assert refused(game.game(), 0, "pass") == "R3.10 not-stuck"


def test_r3_9_face_up_cards_may_be_taken_without_deck_and_discards(board: Position) -> None:
    """Case 9."""
    game = board.row("red wild - blue -").deck("").game()
    assert [line for line in legal(game) if line.startswith("draw")] == ["draw 0", "draw 1", "draw 3"]
    play_all(game, (0, "draw 0"), (0, "draw 3"))
    assert hand(game, 0) == {"red": 1, "blue": 1}
    assert game.to_act == (1,)


def test_r3_9_with_nothing_left_the_turn_ends_with_one_card(board: Position) -> None:
    """Case 10."""
    game = board.row("red - - - -").deck("").game()
    assert play(game, 0, "draw 0") == ["taken 0 0 red", "turn 1 2"]


def test_r3_9_with_only_face_up_wilds_left_too(board: Position) -> None:
    """Case 10."""
    game = board.row("red wild wild - -").deck("").game()
    assert play(game, 0, "draw 0")[-1] == "turn 1 2"
    blind = board.row("wild wild - - -").deck("red").game()
    assert play(blind, 0, "draw ?")[-1] == "turn 1 2"


def test_r3_9_but_not_while_the_deck_has_a_card(board: Position) -> None:
    game = board.row("wild wild wild wild red").deck("wild wild").game()
    play(game, 0, "draw 4")
    assert game.to_act == (0,)
    assert legal(game) == ["draw ?"]


def test_r3_10_with_no_legal_action_at_all_one_passes(board: Position) -> None:
    """Case 51."""
    game = board.seats(3).stuck().game()
    assert legal(game) == ["pass"]
    assert play(game, 0, "pass") == ["passed 0", "turn 1 2"]
    assert [(seat, type(action).__name__) for seat, action in game.log] == [(0, "Pass")]
    assert game.view(None).passes == 1


def test_r3_10_and_only_then(board: Position) -> None:
    """Case 51."""
    for start in (board, board.hand(0, red=3), board.stuck().row("red - - - -"), board.second_draw()):
        game = start.game()
        assert "pass" not in legal(game)
        assert refused(game, 0, "pass") in ("R3.10 not-stuck", "R3.12 question-open")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_r3_10_when_all_have_passed_in_a_row_the_game_ends(board: Position, seats: int) -> None:
    """Case 51."""
    game = board.seats(seats).stuck().game()
    for seat in range(seats - 1):
        assert play(game, seat, "pass")[0] == f"passed {seat}"
        assert not game.over
    assert play(game, seats - 1, "pass") == [f"passed {seats - 1}", "ended"]
    assert game.over
    assert game.to_act == ()
    assert game.scores().winners


def test_r3_10_any_other_turn_starts_the_count_again(board: Position) -> None:
    offer = board.map.tickets[0].id
    for turn in (["draw ?", "draw ?"], [claim(board)], ["tickets", f"keep {offer}"]):
        game = board.hand(0, red=2).passes(1).game()
        for line in turn:
            play(game, 0, line)
        assert game.view(None).passes == 0


def test_r3_10_also_a_failed_tunnel_and_a_station(europe: Position) -> None:
    start = europe.hand(0, orange=3).top("orange orange orange").passes(1).game()
    game = start.copy()
    play_all(game, (0, "claim angora-smyrna 3 orange"), (0, "take-back"))
    assert game.view(None).passes == 0
    play(start, 0, "build paris 1 orange")
    assert start.view(None).passes == 0


def test_r3_10_a_pass_in_the_last_round_uses_up_the_last_turn(board: Position) -> None:
    game = board.seats(3).stuck().last_turns(2).game()
    assert play(game, 0, "pass") == ["passed 0", "turn 1 2"]
    assert game.view(None).last_turns == 1
    assert play(game, 1, "pass") == ["passed 1", "ended"]


# R3.11: the order of card keeping


def test_r3_11a_all_cards_of_one_action_reach_the_discards_together(europe: Position) -> None:
    """None of them is drawn before the last has arrived: the new deck holds them all."""
    game = europe.hand(0, orange=5).row("blue - - - -").deck("orange red").game()
    play(game, 0, "claim angora-smyrna 3 orange")
    told = play(game, 0, "pay 1 orange")
    assert words(told, "reshuffled")[0] == "reshuffled 6"


def test_r3_11b_the_discards_are_shuffled_before_the_row_is_filled(board: Position) -> None:
    game = board.hand(0, red=2).row("blue blue blue blue -").deck("").game()
    assert play(game, 0, claim(board))[1:3] == ["reshuffled 2", "filled 4 red"]


def test_r3_11c_gaps_are_filled_left_to_right(board: Position) -> None:
    game = board.row("- blue - blue -").deck("red green black orange red").game()
    told = play(game, 0, "draw 1")
    assert words(told, "filled") == ["filled 0 red", "filled 1 green", "filled 2 black", "filled 4 orange"]


def test_r3_11c_with_a_new_deck_whenever_the_deck_runs_out(board: Position) -> None:
    game = board.row("- blue - blue -").deck("red").discards(green=5).game()
    told = play(game, 0, "draw 1")
    assert [line.split()[0] for line in told] == ["taken", "filled", "reshuffled", "filled", "filled", "filled"]
    assert game.view(1).row == ("red", "green", "green", "blue", "green")


def test_r3_11d_only_a_row_as_full_as_it_can_be_is_looked_at(board: Position) -> None:
    game = board.row("wild wild - blue -").deck("red wild green black orange red blue").game()
    told = play(game, 0, "draw 3")
    assert words(told, "filled", "reset")[:4] == [
        "filled 2 red",
        "filled 3 wild",
        "filled 4 green",
        "reset wild wild red wild green",
    ]


def test_r3_11d_also_when_the_row_itself_did_not_change(board: Position) -> None:
    """Three wilds stay while nothing could help; a payment brings the coloured cards that can."""
    game = board.hand(0, red=2).row("wild wild wild blue blue").deck("").game()
    told = play(game, 0, claim(board))
    assert [line.split()[0] for line in told[1:3]] == ["reshuffled", "reset"]
    assert game.view(1).row.count("wild") < 3 or len(words(told, "reset")) == 50


def test_r3_11d_after_a_reset_on_from_b(board: Position) -> None:
    """The cards of the row itself are shuffled into the new deck where the old one is used up."""
    game = board.row("wild wild red blue black").deck("wild green").discards(red=1).game()
    told = play(game, 0, "draw 2")
    assert told[:2] == ["taken 0 2 red", "filled 2 wild"]
    after = told[told.index("reset wild wild wild blue black") + 1 :]
    assert after[:2] == ["filled 0 green", "reshuffled 6"]
    assert every_card(game) == board.map.cards


# R3.12: an open question


def asked(europe: Position) -> dict[str, Position | Game]:
    tunnel = europe.hand(0, orange=4).top("orange red red").game()
    play(tunnel, 0, "claim angora-smyrna 3 orange")
    return {
        "opening": europe.hand(0, orange=4).opening(),
        "second-draw": europe.hand(0, orange=4).second_draw(),
        "tunnel-owed": tunnel,
        "ticket-offer": europe.hand(0, orange=4).offer(0, "athina-angora", "berlin-roma"),
    }


@pytest.mark.parametrize(
    ("stage", "answers"),
    [
        ("opening", {"keep"}),
        ("second-draw", {"draw"}),
        ("tunnel-owed", {"pay", "take-back"}),
        ("ticket-offer", {"keep"}),
    ],
)
def test_r3_12_while_a_question_is_open_only_its_answer_is_legal(
    europe: Position, stage: str, answers: set[str]
) -> None:
    question = asked(europe)[stage]
    game = question if isinstance(question, Game) else question.game()
    assert game.stage == stage
    assert kinds(game) == answers
    lines = ["draw ?", "claim budapest-zagrab 2 orange", "tickets", "build paris 1 orange", "pass", "take-back"]
    for line in [*lines, "pay 1 orange", "keep athina-angora"]:
        if line.split()[0] not in answers:
            assert refused(game, 0, line).split()[0] == "R3.12"


def test_r3_12_and_no_answer_without_a_question(europe: Position) -> None:
    game = europe.hand(0, orange=4).game()
    for line in ("take-back", "pay 1 orange", "keep athina-angora"):
        assert refused(game, 0, line) == "R3.12 no-question"


def test_r3_12_the_turn_is_not_over_before_the_answer(europe: Position) -> None:
    """And so the last round (R7.1) begins only with it."""
    low = europe.cars(0, 2).hand(0, orange=4)
    draw = low.game()
    assert "last-round 0" not in play(draw, 0, "draw ?")
    assert "last-round 0" in play(draw, 0, "draw ?")
    tickets = low.game()
    offer = tickets.to_dict()["ticket_deck"][-1]
    assert "last-round 0" not in play(tickets, 0, "tickets")
    assert "last-round 0" in play(tickets, 0, f"keep {offer}")
    tunnel = low.hand(0, red=4).top("red green green").game()
    assert "last-round 0" not in play(tunnel, 0, "claim angora-constantinople 2 red")
    assert (tunnel.to_act, tunnel.view(None).last_turns) == ((0,), None)
    assert "last-round 0" in play(tunnel, 0, "take-back")
