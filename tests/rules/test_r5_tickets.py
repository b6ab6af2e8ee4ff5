"""R5: tickets."""

import pytest

from branchline import Game
from tests.builder import Position, kinds, legal, made_up, play, play_all, refused, ticket_deck

DRAWN = {"europe": 3, "new-york": 2}


def drawing(board: Position) -> tuple[Game, list[str], list[str]]:
    """A game in which seat 0 has drawn tickets, these, and the deck as it was before."""
    game = board.seats(3).game()
    before = ticket_deck(game)
    n = DRAWN[board.map.id]
    assert play(game, 0, "tickets") == ["offered 0 " + " ".join(before[:n])]
    return game, before[:n], before


def test_r5_1_three_or_two_are_taken_from_the_top(board: Position) -> None:
    """Case 34."""
    game, offer, before = drawing(board)
    assert ticket_deck(game) == before[len(offer) :]
    own = game.view(0).own
    assert own is not None
    assert own.offer == tuple(offer)


def test_r5_1_at_least_one_is_kept(board: Position) -> None:
    """Case 34: any one, any two, or all; never none."""
    game, offer, _ = drawing(board)
    kept = {frozenset(line.split()[1:]) for line in legal(game)}
    assert len(kept) == 2 ** len(offer) - 1
    assert frozenset() not in kept
    assert refused(game, 0, "keep") == "R5.1 keep-more"


def test_r5_1_only_what_was_offered_can_be_kept(board: Position) -> None:
    game, offer, before = drawing(board)
    assert refused(game, 0, f"keep {before[len(offer)]}") == "R5.1 not-offered"
    assert refused(game, 0, f"keep {offer[0]} {offer[0]}") == "R5.1 not-offered"
    assert refused(game, 0, f"keep {offer[0]} nowhere-at-all").startswith("R5.1")


def test_r5_1_the_others_go_to_the_bottom_first_dealt_first(board: Position) -> None:
    """Case 34: the last returned is the bottom."""
    for keep in range(DRAWN[board.map.id]):
        game, offer, before = drawing(board)
        told = play(game, 0, f"keep {offer[keep]}")
        assert told[0] == f"kept 0 1 {len(offer)} {offer[keep]}"
        assert ticket_deck(game) == [*before[len(offer) :], *(t for t in offer if t != offer[keep])]
        assert game.to_act == (1,)


def test_r5_1_all_may_be_kept(board: Position) -> None:
    game, offer, before = drawing(board)
    play(game, 0, "keep " + " ".join(offer))
    assert ticket_deck(game) == before[len(offer) :]
    assert game.view(1).seats[0].tickets == len(offer)


def test_r5_1_or_what_is_left_of_the_deck(europe: Position) -> None:
    """Case 35."""
    game = europe.ticket_deck("athina-angora", "berlin-roma").game()
    assert play(game, 0, "tickets") == ["offered 0 athina-angora berlin-roma"]
    assert len(legal(game)) == 3
    play(game, 0, "keep berlin-roma")
    assert ticket_deck(game) == ["athina-angora"]


def test_r5_1_returned_tickets_come_back_when_the_deck_comes_round(new_york: Position) -> None:
    """Case 34."""
    game = new_york.ticket_deck("central-park-chelsea", "chelsea-brooklyn", "east-village-soho").game()
    play_all(game, (0, "tickets"), (0, "keep chelsea-brooklyn"))
    assert play(game, 1, "tickets") == ["offered 1 east-village-soho central-park-chelsea"]


def test_r5_2_with_the_ticket_deck_empty_there_is_no_drawing_tickets(board: Position) -> None:
    """Case 35."""
    game = board.ticket_deck().game()
    assert "tickets" not in kinds(game)
    assert refused(game, 0, "tickets") == "R5.2 no-tickets"


def test_r5_2_a_single_remaining_ticket_must_be_kept(board: Position) -> None:
    """Case 35."""
    last = board.map.tickets[0].id
    game = board.ticket_deck(last).game()
    play(game, 0, "tickets")
    assert legal(game) == [f"keep {last}"]
    assert refused(game, 0, "keep") == "R5.1 keep-more"
    play(game, 0, f"keep {last}")
    assert game.view(None).ticket_deck == 0


def test_r5_3_kept_tickets_are_secret_and_their_number_is_public(board: Position) -> None:
    """Case 37."""
    mine, other = (ticket.id for ticket in board.map.tickets[:2])
    one, two = (board.ticket_deck().tickets(0, ticket).game() for ticket in (mine, other))
    for seat in (1, None):
        assert one.view(seat) == two.view(seat)
        assert one.view(seat).seats[0].tickets == 1
    assert one.view(0) != two.view(0)


def test_r5_3_a_kept_ticket_is_never_given_back(board: Position) -> None:
    """Case 36: no later offer holds it, no action names it."""
    mine = board.map.tickets[0].id
    game = board.tickets(0, mine).game()
    drawn = ticket_deck(game)[0]
    play(game, 0, "tickets")
    assert mine not in " ".join(legal(game))
    assert refused(game, 0, f"keep {mine}") == "R5.1 not-offered"
    play(game, 0, f"keep {drawn}")
    own = game.view(0).own
    assert own is not None
    assert set(own.tickets) == {mine, drawn}


def test_r5_3_also_those_drawn_on_the_last_turn_count(board: Position) -> None:
    """Case 36: as a penalty too."""
    ticket = board.map.tickets[0]
    game = board.ticket_deck(ticket.id).last_turns(1).game()
    play_all(game, (0, "tickets"), (0, f"keep {ticket.id}"))
    assert game.over
    assert game.scores()[0].ticket_points == -ticket.points


def test_r5_3_there_is_no_limit_to_their_number(board: Position) -> None:
    """Case 36."""
    short = [ticket.id for ticket in board.map.tickets if not ticket.long]
    game = board.tickets(0, *short[:-1]).game()
    play_all(game, (0, "tickets"), (0, f"keep {short[-1]}"))
    assert game.view(1).seats[0].tickets == len(short)


TICKETS = "a-d 5, a-c 3, b-d 2, a-e 4"


def test_r5_4_any_unbroken_path_of_own_routes_completes_a_ticket() -> None:
    board = made_up("a-b 1, b-c 1, c-d 1, d-e 1", TICKETS).owns(0, "a-b", "b-c", "c-d")
    own = board.tickets(0, "a-d").scores()[0]
    assert (own.ticket_points, own.completed) == (5, 1)
    assert own.tickets[0].path == ("a-b", "b-c", "c-d")


def test_r5_4_a_gap_or_a_route_of_another_breaks_it() -> None:
    board = made_up("a-b 1, b-c 1, c-d 1, d-e 1", TICKETS).tickets(0, "a-d").owns(0, "a-b", "c-d")
    for position in (board, board.owns(1, "b-c")):
        own = position.scores()[0]
        assert (own.ticket_points, own.completed, own.tickets[0].path) == (-5, 0, ())


def test_r5_4_with_branches_and_loops() -> None:
    """Case 38."""
    routes = "a-b 1, b-c 1, c-a 1, b-f 1, c-d 2, d-e 1"
    board = made_up(routes, TICKETS).owns(0, "a-b", "b-c", "c-a", "b-f", "c-d")
    own = board.tickets(0, "a-d", "b-d").scores()[0]
    assert (own.ticket_points, own.completed) == (7, 2)


def test_r5_4_one_route_may_serve_any_number_of_tickets() -> None:
    board = made_up("a-b 1, b-c 1, c-d 1, d-e 1", TICKETS).owns(0, "a-b", "b-c", "c-d")
    own = board.tickets(0, "a-d", "a-c", "b-d").scores()[0]
    assert (own.ticket_points, own.completed) == (10, 3)


def test_r5_4_completed_tickets_add_and_others_subtract() -> None:
    board = made_up("a-b 1, b-c 1, c-d 1, d-e 1", TICKETS).owns(0, "a-b", "b-c")
    own = board.tickets(0, "a-c", "a-d").scores()[0]
    assert (own.ticket_points, own.completed) == (3 - 5, 1)


@pytest.mark.parametrize(
    ("map", "ticket", "routes", "points"),
    [
        ("europe", "rostov-erzurum", ("rostov-sochi", "erzurum-sochi"), 5),
        ("new-york", "united-nations-midtown-west", ("times-square-united-nations", "midtown-west-times-square"), 3),
    ],
)
def test_r5_4_on_both_boards(map: str, ticket: str, routes: tuple[str, str], points: int) -> None:
    board = Position.on(map).tickets(0, ticket)
    assert board.owns(0, *routes).scores()[0].ticket_points == points
    assert board.owns(0, routes[0]).scores()[0].ticket_points == -points
    assert board.owns(0, routes[0]).owns(1, routes[1]).scores()[0].ticket_points == -points
