"""R8: what a player may see."""

import json
from collections.abc import Callable
from dataclasses import fields

import pytest

from branchline import Game, Payment, Record, View, events
from branchline.choices import Choices
from branchline.codec import EVENTS, action_from_line
from branchline.events import Event
from branchline.views import PublicSeat
from tests.builder import Position, legal, play, play_all, ticket_deck

PUBLIC: list[Callable[[View], object]] = [
    lambda view: view.stage,
    lambda view: view.to_act,
    lambda view: view.first,
    lambda view: view.on_turn,
    lambda view: view.turn,
    lambda view: view.passes,
    lambda view: view.last_turns,
    lambda view: view.row,
    lambda view: view.deck,
    lambda view: dict(view.discards),
    lambda view: view.ticket_deck,
    lambda view: dict(view.owners),
    lambda view: view.closed,
    lambda view: dict(view.stations),
    lambda view: view.seats,
    lambda view: view.tunnel,
]
"""Everything in a view that does not depend on who looks."""


def same_to(one: Game, other: Game, *seats: int | None) -> None:
    """The two games can't be told apart by these."""
    for seat in seats:
        assert one.view(seat) == other.view(seat)
        assert one.view(seat).to_dict() == other.view(seat).to_dict()


# R8.1: what is public


def busy(europe: Position) -> Game:
    """A game with something of everything."""
    position = (
        europe.seats(3)
        .hand(0, orange=4, wild=1)
        .hand(1, red=2)
        .row("red wild blue green black")
        .top("orange wild red white blue")
        .discards(blue=2, wild=1)
        .owns(0, "budapest-zagrab", "wien-zagrab")
        .owns(1, "bruxelles-paris-red", "rostov-sochi")
        .station(1, "paris")
        .tickets(0, "athina-angora", "berlin-roma")
        .tickets(2, "kyiv-sochi")
        .last_turns(2)
        .passes(1)
    )
    return position.game()


def test_r8_1_the_board_the_pieces_and_the_points(europe: Position) -> None:
    view = busy(europe).view(None)
    assert view.owners == {
        "budapest-zagrab": 0,
        "wien-zagrab": 0,
        "bruxelles-paris-red": 1,
        "rostov-sochi": 1,
    }
    assert view.closed == ("bruxelles-paris-yellow",)
    assert view.stations == {"paris": 1}
    assert [seat.cars for seat in view.seats] == [41, 41, 45]
    assert [seat.stations for seat in view.seats] == [3, 2, 3]
    assert [seat.points for seat in view.seats] == [4, 4, 0]
    assert [seat.trail for seat in view.seats] == [4, 2, 0]


def test_r8_1_whose_turn_it_is_the_last_round_and_passes(europe: Position) -> None:
    view = busy(europe).view(None)
    assert (view.on_turn, view.to_act, view.turn, view.stage) == (0, (0,), 1, "turn")
    assert (view.last_turns, view.passes) == (2, 1)


def test_r8_1_row_discards_and_the_sizes_of_decks_and_hands(europe: Position) -> None:
    view = busy(europe).view(None)
    assert view.row == ("red", "wild", "blue", "green", "black")
    assert view.discards == {"blue": 2, "wild": 1}
    assert view.deck == 110 - 5 - 3 - 5 - 2
    assert view.ticket_deck == 40 - 3
    assert [seat.cards for seat in view.seats] == [5, 2, 0]
    assert [seat.tickets for seat in view.seats] == [2, 0, 1]


def test_r8_1_cards_taken_from_the_row(europe: Position) -> None:
    game = busy(europe)
    told = game.play(0, action_from_line("draw 2"))
    assert [game.event_for(event, None) for event in told] == told
    assert game.view(None).seats[0].known == {"blue": 1}


def test_r8_1_payments_also_while_laid_down_and_tunnel_cards(europe: Position) -> None:
    game = busy(europe)
    told = game.play(0, action_from_line("claim angora-smyrna 2 orange 1 wild"))
    assert [game.event_for(event, 2) for event in told] == told
    tunnel = game.view(2).tunnel
    assert tunnel is not None
    assert tunnel.payment == Payment("orange", 2, 1)
    assert (tunnel.route, tunnel.owed, tunnel.turned) == ("angora-smyrna", 2, ("orange", "wild", "red"))
    told = game.play(0, action_from_line("pay 2 orange"))
    assert game.event_for(told[0], 2) == events.RouteClaimed(0, "angora-smyrna", Payment("orange", 4, 1), 4)


def test_r8_1_which_question_is_open_but_not_its_content(europe: Position) -> None:
    game = europe.ticket_deck("athina-angora", "berlin-roma", "kyiv-sochi").game()
    other = europe.ticket_deck("paris-wien", "kyiv-sochi", "berlin-roma").game()
    play(game, 0, "tickets")
    play(other, 0, "tickets")
    assert (game.view(1).stage, game.view(1).to_act) == ("ticket-offer", (0,))
    same_to(game, other, 1, None)


def test_r8_1_who_has_answered_the_opening(board: Position) -> None:
    game = board.seats(3).opening().game()
    play(game, 2, legal(game, 2)[-1])
    for seat in (0, 1, None):
        assert [public.answered for public in game.view(seat).seats] == [False, False, True]


def test_r8_1_how_many_tickets_were_kept_of_those_drawn(board: Position) -> None:
    game = board.game()
    told = game.play(0, action_from_line("tickets"))
    offered = len(ticket_deck(board.game())) - game.view(1).ticket_deck
    assert game.event_for(told[0], 1) == events.TicketsOffered(0, (None,) * offered)
    told = game.play(0, game.legal_actions(0)[0])
    assert game.event_for(told[0], 1) == events.TicketsKept(0, 1, offered, (None,))


def test_r8_1_all_see_the_same(europe: Position) -> None:
    game = busy(europe)
    for line in ("claim angora-smyrna 2 orange 1 wild", "pay 1 orange 1 wild", None):
        for public in PUBLIC:
            assert len({repr(public(game.view(seat))) for seat in (None, 0, 1, 2)}) == 1
        if line and line in legal(game):
            play(game, 0, line)


# R8.2: what only its owner knows


def test_r8_2_a_hand(board: Position) -> None:
    one = board.seats(3).hand(0, red=3, blue=1).game()
    other = board.seats(3).hand(0, green=2, wild=2).game()
    same_to(one, other, 1, 2, None)
    assert one.view(0).own is not None
    assert one.view(0).own.hand == {"red": 3, "blue": 1}  # type: ignore[union-attr]


def test_r8_2_cards_drawn_blind(board: Position) -> None:
    one, other = board.top("red wild").game(), board.top("black blue").game()
    for game in (one, other):
        play_all(game, (0, "draw ?"), (0, "draw ?"))
    same_to(one, other, 1, None)
    assert one.view(0) != other.view(0)


def test_r8_2_tickets_offered_and_kept(board: Position) -> None:
    a, b, c = (ticket.id for ticket in board.map.tickets[:3])
    one, other = board.ticket_deck(a, b, c).game(), board.ticket_deck(c, a, b).game()
    play(one, 0, "tickets")
    play(other, 0, "tickets")
    same_to(one, other, 1, None)
    play(one, 0, legal(one)[0])
    play(other, 0, legal(other)[0])
    same_to(one, other, 1, None)
    assert one.view(0) != other.view(0)


def test_r8_2_which_of_an_offer_was_kept(board: Position) -> None:
    one, other = board.game(), board.game()
    play(one, 0, "tickets")
    play(other, 0, "tickets")
    play(one, 0, legal(one)[0])
    play(other, 0, legal(other)[1])
    same_to(one, other, 1, None)


def test_r8_2_whether_a_ticket_is_long(europe: Position) -> None:
    one, other = europe.opening().game(), europe.opening().game()
    long, a, b, _ = one.to_dict()["seats"][0]["offer"]
    answer = one.to_dict()["seats"][1]["offer"][:2]
    for game, kept in ((one, f"{long} {a}"), (other, f"{a} {b}")):
        play_all(game, (0, f"keep {kept}"), (1, "keep " + " ".join(answer)))
    same_to(one, other, 1, None)


def test_r8_2_tickets_put_under_the_deck_and_where(board: Position) -> None:
    """Their owner knows how many lie above; when others draw, the tickets come nearer."""
    game = board.game()
    size, n = len(ticket_deck(game)), {"europe": 3, "new-york": 2}[board.map.id]
    offer = ticket_deck(game)[:n]
    play_all(game, (0, "tickets"), (0, f"keep {offer[0]}"))
    own, other = game.view(0).own, game.view(1).own
    assert own is not None
    assert other is not None
    places = list(range(size - n, size - 1))
    assert own.under == tuple(zip(places, offer[1:], strict=True))
    assert other.under == ()
    assert [ticket_deck(game)[above] for above, _ in own.under] == offer[1:]
    play(game, 1, "tickets")
    play(game, 1, legal(game, 1)[0])  # keeps one: what seat 1 puts back lies under these
    own = game.view(0).own
    assert own is not None
    assert own.under == tuple(zip([above - n for above in places], offer[1:], strict=True))
    play(game, 0, "tickets")
    play(game, 0, legal(game)[0])
    own = game.view(0).own
    assert own is not None
    assert len(own.under) == 2 * (n - 1)
    assert [ticket_deck(game)[above] for above, _ in own.under] == [ticket for _, ticket in own.under]


def test_r8_2_a_rejected_opening_ticket_is_known_to_who_rejected_it(new_york: Position) -> None:
    game = new_york.opening().game()
    offer, other = (seat["offer"] for seat in game.to_dict()["seats"])
    play_all(game, (0, f"keep {offer[0]}"), (1, "keep " + " ".join(other)))
    own = game.view(0).own
    assert own is not None
    assert own.under == ((game.view(0).ticket_deck - 1, offer[1]),)


def test_r8_2_a_spectator_owns_nothing(europe: Position) -> None:
    view = busy(europe).view(None)
    assert view.own is None
    sight = view.sight
    assert [list(secret) for secret in (sight.hand, sight.tickets, sight.offer, sight.hands, sight.holder)] == [[]] * 5


SECRETS: list[tuple[Event, Event]] = [
    (events.CardsDealt(0, ("red", "wild")), events.CardsDealt(0, (None, None))),
    (events.TicketsOffered(0, ("berlin-roma", "kyiv-sochi")), events.TicketsOffered(0, (None, None))),
    (events.OpeningAnswered(0, ("berlin-roma", "kyiv-sochi")), events.OpeningAnswered(0, None)),
    (events.TicketsKept(0, 2, 3, ("berlin-roma", "kyiv-sochi")), events.TicketsKept(0, 2, 3, (None, None))),
    (events.CardDrawn(0, "wild"), events.CardDrawn(0, None)),
]
"""What its owner knows, and what the others do."""

OPEN: list[Event] = [
    events.TurnBegan(0, 7),
    events.CardTaken(0, 2, "red"),
    events.RowFilled(2, "wild"),
    events.RowReset(("wild", "wild", "wild", "red", None)),
    events.DeckReshuffled(12),
    events.TunnelLaid(0, "angora-smyrna", Payment("orange", 2, 1)),
    events.TunnelCardTurned(0, "red"),
    events.TunnelOwed(0, 2),
    events.TunnelTakenBack(0, "angora-smyrna"),
    events.RouteClaimed(0, "angora-smyrna", Payment("orange", 4, 1), 4),
    events.StationBuilt(0, "paris", Payment(None, 0, 1)),
    events.Passed(0),
    events.LastRoundBegan(0),
    events.GameEnded(),
]


@pytest.mark.parametrize(("event", "seen"), SECRETS, ids=lambda event: type(event).__name__)
def test_r8_2_events_tell_others_only_that_it_happened(europe: Position, event: Event, seen: Event) -> None:
    game = europe.seats(3).game()
    assert game.event_for(event, 0) == event
    for seat in (1, 2, None):
        assert game.event_for(event, seat) == seen
    assert game.event_for(seen, 0) == seen  # what was hidden does not come back


@pytest.mark.parametrize("event", OPEN, ids=lambda event: type(event).__name__)
def test_r8_1_all_other_events_are_public(europe: Position, event: Event) -> None:
    game = europe.seats(3).game()
    for seat in (0, 1, 2, None):
        assert game.event_for(event, seat) == event


def test_r8_2_every_kind_of_event_is_one_or_the_other() -> None:
    kinds = [type(event) for event, _ in SECRETS] + [type(event) for event in OPEN]
    assert sorted(kind.__name__ for kind in kinds) == sorted(kind.__name__ for kind in EVENTS.values())


def test_r8_2_the_deal_as_each_may_know_it() -> None:
    game = Game.new("europe", seats=3, seed=1)
    full = game.opening_events()
    for seat in range(3):
        assert game.opening_events(seat) == [game.event_for(event, seat) for event in full]
        dealt = [event for event in game.opening_events(seat) if isinstance(event, events.CardsDealt)]
        assert [None in event.cards for event in dealt] == [n != seat for n in range(3)]


# R8.3: what nobody knows


def test_r8_3_the_order_of_the_deck(board: Position) -> None:
    one, other = board.top("red blue wild").game(), board.top("blue wild red").game()
    same_to(one, other, 0, 1, None)


def test_r8_3_the_order_of_the_ticket_deck(board: Position) -> None:
    a, b, c = (ticket.id for ticket in board.map.tickets[:3])
    same_to(board.ticket_deck(a, b, c).game(), board.ticket_deck(b, c, a).game(), 0, 1, None)


def test_r8_3_tickets_that_left_the_game(board: Position) -> None:
    a, b, c = (ticket.id for ticket in board.map.tickets[:3])
    same_to(board.ticket_deck(a, b).game(), board.ticket_deck(b, c).game(), 0, 1, None)


def test_r8_3_the_seed(board: Position) -> None:
    same_to(board.seed(1).game(), board.seed(2).game(), 0, 1, None)
    game = Game.new(board.map, seats=2, seed="a secret")
    for seat in (0, 1, None):
        text = json.dumps(game.view(seat).to_dict())
        assert game.key.hex() not in text
        assert "secret" not in text


# R8.4: what follows from secrets


def test_r8_4_what_a_player_can_afford(board: Position) -> None:
    rich, poor = board.hand(0, wild=6).game(), board.hand(0, red=1, blue=1, green=1, black=1, orange=1, wild=1).game()
    same_to(rich, poor, 1, None)
    assert rich.view(1).choices == rich.view(None).choices == Choices()
    assert rich.view(1).legal_actions() == rich.view(None).legal_actions() == []
    assert rich.view(0).choices != poor.view(0).choices


@pytest.mark.parametrize("turned", ["red red blue", "wild wild wild"])
def test_r8_4_whether_a_player_can_pay_for_a_tunnel(europe: Position, turned: str) -> None:
    """Case 31: the same question, the same view, also after it was answered."""
    can = europe.seats(3).hand(0, red=5, wild=3).top(turned).game()
    cannot = europe.seats(3).hand(0, red=2, blue=3, green=3).top(turned).game()
    for game in (can, cannot):
        told = play(game, 0, "claim constantinople-smyrna 2 red")
        assert told[-1].startswith("owed 0")
        assert (game.stage, game.to_act) == ("tunnel-owed", (0,))
    assert len(legal(can)) > 1
    assert legal(cannot) == ["take-back"]
    same_to(can, cannot, 1, 2, None)
    play(can, 0, "take-back")
    play(cannot, 0, "take-back")
    same_to(can, cannot, 1, 2, None)


def test_r8_4_whether_a_ticket_is_completed(board: Position) -> None:
    """Case 37: nor totals that include tickets."""
    done, other, *routes = {
        "europe": ("rostov-erzurum", "berlin-roma", "rostov-sochi", "erzurum-sochi"),
        "new-york": ("lower-east-side-wall-street", "chelsea-brooklyn", "lower-east-side-chinatown",
                     "chinatown-wall-street-pink"),
    }[board.map.id]  # fmt: skip
    owner = board.owns(0, *routes).ticket_deck()
    assert owner.tickets(0, done).scores()[0].completed == 1
    same_to(owner.tickets(0, done).game(), owner.tickets(0, other).game(), 1, None)
    told = {field.name for field in fields(PublicSeat)}
    assert told == {"cars", "stations", "points", "trail", "cards", "known", "tickets", "answered"}


def test_r8_4_hidden_cards_and_tickets_have_no_ids(board: Position) -> None:
    """What is hidden in a view or an event is nothing but a number of things."""
    game = board.hand(0, red=2, blue=2).tickets(0, board.map.tickets[0].id).game()
    data = game.view(1).to_dict()
    assert data["seats"][0]["cards"] == 4
    assert data["seats"][0]["known"] == {}
    assert board.map.tickets[0].id not in json.dumps(data)


def test_r8_4_a_failed_tunnel_shows_the_cards_that_went_back(europe: Position) -> None:
    """What can't be avoided: all have seen them, and they are in the hand again."""
    game = europe.hand(0, red=5).top("red red red").game()
    play_all(game, (0, "claim constantinople-smyrna 2 red"), (0, "take-back"))
    assert game.view(1).seats[0].known == {"red": 2}


# R8.5: when the game is over


def test_r8_5_when_the_game_is_over_hands_and_tickets_are_open(board: Position) -> None:
    ticket = board.map.tickets[0].id
    game = board.hand(0, red=2).hand(1, wild=1).tickets(1, ticket).last_turns(1).top("blue blue").game()
    assert game.view(None).opened is None
    play_all(game, (0, "draw ?"), (0, "draw ?"))
    for seat in (0, 1, None):
        opened = game.view(seat).opened
        assert opened is not None
        assert opened.hands == ({"red": 2, "blue": 2}, {"wild": 1})
        assert opened.tickets == ((), (ticket,))


@pytest.mark.parametrize("map", ["europe", "new-york"])
def test_r8_5_and_anybody_can_verify_the_record(map: str) -> None:
    game = Game.new(map, seats=2, seed=11)
    while not game.over:
        seat = game.to_act[0]
        actions = game.legal_actions(seat)
        claims = [action for action in actions if "ClaimRoute" in repr(action) or "PayTunnel" in repr(action)]
        game.play(seat, (claims or actions)[0])
    record = Record.of(game, seed=11)
    assert record.key == game.key
    assert record.verify().ok


def test_r8_5_a_spectator_sees_what_is_public(europe: Position) -> None:
    view = busy(europe).view(None)
    assert (view.seat, view.own, view.opened) == (None, None, None)
    assert view.choices == Choices()
    for public in PUBLIC:
        assert repr(public(view)) == repr(public(busy(europe).view(2)))
