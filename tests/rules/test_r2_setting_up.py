"""R2: setting up, and the opening choice."""

from collections import Counter
from itertools import permutations

import pytest

from branchline import Game, KeepTickets, load_map
from branchline.actions import Action
from branchline.events import CardsDealt, OpeningAnswered, RowReset, TicketsKept
from tests.builder import Position, every_card, legal, lines, play, play_all, refused, ticket_deck

BOTH = pytest.mark.parametrize("map", ["europe", "new-york"])


def reset_deals(map: str, seats: int) -> list[Game]:
    """Some deals in which the row had to be thrown away."""
    games = (Game.new(map, seats=seats, seed=seed) for seed in range(300))
    return [game for game in games if any(isinstance(event, RowReset) for event in game.opening_events())]


@BOTH
def test_r2_1_cards_are_shuffled(map: str) -> None:
    hands = [Game.new(map, seats=2, seed=seed).opening_events()[0] for seed in range(120)]
    first = {hand.cards[0] for hand in hands if isinstance(hand, CardsDealt)}
    assert first == set(load_map(map).cards)
    assert Game.new(map, seats=2, seed=1) == Game.new(map, seats=2, seed=1)
    assert Game.new(map, seats=2, seed=1) != Game.new(map, seats=2, seed=2)


@BOTH
def test_r2_1_hands_then_the_row_come_from_the_top_of_the_deck(map: str) -> None:
    game = Game.new(map, seats=3, seed=1)
    told = [line.split()[0] for line in lines(game.opening_events())]
    assert told == ["dealt"] * 3 + ["filled"] * 5 + ["offered"] * 3
    assert every_card(game) == load_map(map).cards


@BOTH
def test_r2_1_r3_6_three_wilds_in_the_first_row_are_thrown_away_at_once(map: str) -> None:
    """Case 4: the set-up is a moment like any other."""
    games = reset_deals(map, 2)
    assert len(games) > 1
    for game in games:
        resets = [event.cards for event in game.opening_events() if isinstance(event, RowReset)]
        assert all(row.count("wild") >= 3 and None not in row for row in resets)
        assert game.view(None).row.count("wild") < 3
        assert game.view(None).discards == Counter(card for row in resets for card in row)


def test_r2_2_one_long_and_three_short_tickets_each() -> None:
    long = {ticket.id for ticket in load_map("europe").tickets if ticket.long}
    for seats in range(2, 6):
        game = Game.new("europe", seats=seats, seed=seats)
        offers = [seat["offer"] for seat in game.to_dict()["seats"]]
        assert [sum(ticket in long for ticket in offer) for offer in offers] == [1] * seats
        assert [len(set(offer)) for offer in offers] == [4] * seats


def test_r2_2_the_other_long_tickets_leave_the_game_and_the_other_short_ones_are_the_deck() -> None:
    """Case 32."""
    short = {ticket.id for ticket in load_map("europe").tickets if not ticket.long}
    game = Game.new("europe", seats=3, seed=1)
    dealt = {ticket for seat in game.to_dict()["seats"] for ticket in seat["offer"]}
    assert sorted(ticket_deck(game)) == sorted(short - dealt)
    assert game.view(None).ticket_deck == 40 - 3 * 3


def test_r2_2_r2_4_tickets_are_shuffled() -> None:
    games = [Game.new("europe", seats=2, seed=seed) for seed in range(80)]
    offers = [game.to_dict()["seats"][1]["offer"] for game in games]
    assert {offer[0] for offer in offers} == {ticket.id for ticket in load_map("europe").tickets if ticket.long}
    assert len({offer[1] for offer in offers}) > 25
    games = [Game.new("new-york", seats=2, seed=seed) for seed in range(120)]
    offers = [game.to_dict()["seats"][1]["offer"] for game in games]
    assert {offer[0] for offer in offers} == {ticket.id for ticket in load_map("new-york").tickets}


OFFER = ("brest-petrograd", "amsterdam-wilno", "angora-kharkov", "athina-angora")
"""One long ticket, three short ones."""


def test_r2_3_at_least_two_of_the_four_are_kept(europe: Position) -> None:
    """Case 32."""
    game = europe.opening().offer(0, *OFFER).game()
    kept = [frozenset(line.split()[1:]) for line in legal(game)]
    assert len(set(kept)) == len(kept) == 6 + 4 + 1
    assert min(len(tickets) for tickets in kept) == 2
    for few in ("keep brest-petrograd", "keep angora-kharkov", "keep"):
        assert refused(game, 0, few) == "R2.3 opening-keep"


def test_r2_3_long_or_short_as_one_likes(europe: Position) -> None:
    game = europe.opening().offer(0, *OFFER).game()
    assert "keep amsterdam-wilno athina-angora" in legal(game)
    assert "keep brest-petrograd athina-angora" in legal(game)


def test_r2_3_what_is_not_kept_leaves_the_game(europe: Position) -> None:
    """Case 32: it does not go to the deck."""
    game = europe.opening().offer(0, *OFFER).game()
    before = ticket_deck(game)
    other = game.to_dict()["seats"][1]["offer"]
    play_all(game, (0, "keep amsterdam-wilno athina-angora"), (1, f"keep {other[1]} {other[2]}"))
    data = game.to_dict()
    assert ticket_deck(game) == before
    assert data["seats"][0]["tickets"] == ["amsterdam-wilno", "athina-angora"]
    assert sorted(data["seats"][1]["tickets"]) == sorted(other[1:3])
    assert "brest-petrograd" not in str({**data, "memory": None})


def test_r2_4_two_each_of_which_one_or_both_are_kept(new_york: Position) -> None:
    """Case 33."""
    game = new_york.opening().offer(0, "central-park-chelsea", "chelsea-brooklyn").game()
    assert legal(game) == [
        "keep central-park-chelsea",
        "keep chelsea-brooklyn",
        "keep central-park-chelsea chelsea-brooklyn",
    ]
    assert refused(game, 0, "keep") == "R2.4 opening-keep-under"


def test_r2_4_what_is_not_kept_goes_under_the_deck(new_york: Position) -> None:
    """Case 33."""
    game = new_york.opening().offer(0, "central-park-chelsea", "chelsea-brooklyn").game()
    before = ticket_deck(game)
    other = game.to_dict()["seats"][1]["offer"]
    play_all(game, (0, "keep chelsea-brooklyn"), (1, f"keep {other[0]} {other[1]}"))
    assert ticket_deck(game) == [*before, "central-park-chelsea"]


def answers(game: Game) -> dict[int, Action]:
    """A different answer for each seat."""
    offers = [seat["offer"] for seat in game.to_dict()["seats"]]
    least = game.map.rules.opening_keep
    return {seat: KeepTickets(tuple(offer[: least + seat % 2])) for seat, offer in enumerate(offers)}


@BOTH
def test_r2_5_the_order_of_answers_makes_no_difference(map: str) -> None:
    ends = []
    for order in permutations(range(3)):
        game = Game.new(map, seats=3, seed=5)
        for seat in order:
            game.play(seat, answers(game)[seat])
        ends.append(game)
    assert ends[0].stage == "turn"
    for game in ends[1:]:
        assert game == ends[0]
        assert [game.view(seat) for seat in (None, 0, 1, 2)] == [ends[0].view(seat) for seat in (None, 0, 1, 2)]
        assert lines(game.play(game.to_act[0], game.legal_actions(game.to_act[0])[0])) != []


@BOTH
def test_r2_5_all_seats_may_answer_at_once(map: str) -> None:
    game = Game.new(map, seats=4, seed=5)
    assert list(game.to_act) == [0, 1, 2, 3]
    game.play(2, answers(game)[2])
    assert list(game.to_act) == [0, 1, 3]
    assert not game.legal_actions(2)
    assert all(game.legal_actions(seat) for seat in (0, 1, 3))


@BOTH
def test_r2_5_an_answer_is_final(map: str) -> None:
    game = Position.on(map).opening().game()
    offer = game.to_dict()["seats"][0]["offer"]
    play(game, 0, f"keep {offer[0]} {offer[1]}")
    assert refused(game, 0, f"keep {offer[0]} {offer[1]}") == "R2.5 answered"
    assert refused(game, 0, "draw ?") == "R2.5 answered"
    assert game.to_act == (1,)


@BOTH
def test_r2_5_until_all_have_answered_others_see_only_who_has(map: str) -> None:
    """The numbers kept are no hint: two different answers look the same to the others."""
    few, all_kept = Game.new(map, seats=3, seed=5), Game.new(map, seats=3, seed=5)
    offer = few.to_dict()["seats"][1]["offer"]
    told = few.play(1, KeepTickets(tuple(offer[: few.map.rules.opening_keep])))
    told_all = all_kept.play(1, KeepTickets(tuple(offer)))
    for seat in (None, 0, 2):
        assert few.view(seat) == all_kept.view(seat)
        assert [s.answered for s in few.view(seat).seats] == [False, True, False]
        assert [s.tickets for s in few.view(seat).seats] == [0, 0, 0]
        seen = [few.event_for(event, seat) for event in told]
        assert seen == [all_kept.event_for(event, seat) for event in told_all] == [OpeningAnswered(1, None)]
    assert few.view(1) != all_kept.view(1)
    own = few.view(1).own
    assert own is not None
    assert own.answer == tuple(offer[: few.map.rules.opening_keep])
    assert few.view(None).ticket_deck == Game.new(map, seats=3, seed=5).view(None).ticket_deck


@BOTH
def test_r2_5_with_the_last_answer_the_numbers_kept_become_public(map: str) -> None:
    game = Game.new(map, seats=3, seed=5)
    kept = answers(game)
    for seat in (2, 0):
        assert not any(isinstance(event, TicketsKept) for event in game.play(seat, kept[seat]))
    events = [event for event in game.play(1, kept[1]) if isinstance(event, TicketsKept)]
    least, offered = {"europe": (2, 4), "new-york": (1, 2)}[map]
    assert [(event.seat, event.kept, event.offered) for event in events] == [
        (0, least, offered),
        (1, least + 1, offered),
        (2, least, offered),
    ]
    assert [seat.tickets for seat in game.view(None).seats] == [least, least + 1, least]


def test_r2_5_returned_tickets_go_under_lowest_seat_first(new_york: Position) -> None:
    """So that the highest seat's lies at the very bottom, whoever answered last."""
    game = new_york.seats(4).opening().game()
    before = ticket_deck(game)
    offers = [seat["offer"] for seat in game.to_dict()["seats"]]
    for seat in (3, 1, 0, 2):
        play(game, seat, f"keep {offers[seat][1]}")
    assert ticket_deck(game) == [*before, *(offer[0] for offer in offers)]


@BOTH
def test_r2_5_hand_row_seat_order_and_first_player_are_known_before_choosing(map: str) -> None:
    """Case 52."""
    game = Game.new(map, seats=3, seed=2, first=2)
    view = game.view(1)
    assert view.own is not None
    assert sum(view.own.hand.values()) == game.map.rules.opening_cards
    assert len(view.own.offer) == game.map.rules.opening_long + game.map.rules.opening_tickets
    assert None not in view.row
    assert (view.first, view.on_turn, len(view.seats)) == (2, 2, 3)


@BOTH
def test_r2_6_the_shuffle_decides_who_begins(map: str) -> None:
    """Case 52."""
    first = Counter(Game.new(map, seats=3, seed=seed).view(None).first for seed in range(90))
    assert set(first) == {0, 1, 2}
    assert min(first.values()) > 15


@BOTH
def test_r2_6_or_the_first_seat_is_named(map: str) -> None:
    for named in range(3):
        game = Game.new(map, seats=3, seed=4, first=named)
        assert game.view(None).first == named
        for seat, answer in answers(game).items():
            game.play(seat, answer)
        assert game.to_act == (named,)
    with pytest.raises(ValueError, match="first"):
        Game.new(map, seats=3, seed=4, first=3)


@BOTH
def test_r2_6_play_goes_round_in_seat_order(map: str) -> None:
    game = Game.new(map, seats=3, seed=4, first=1)
    for seat, answer in answers(game).items():
        game.play(seat, answer)
    turns: list[int] = []
    while len(turns) < 7:
        seat = game.to_act[0]
        turns.append(seat)
        while game.to_act == (seat,):
            game.play(seat, game.legal_actions(seat)[0])
    assert turns == [1, 2, 0, 1, 2, 0, 1]
