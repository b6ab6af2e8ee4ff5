"""What a view carries: the table, what its seat could remember, its choices in groups; and how small it is."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from branchline import (
    Action,
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    Game,
    KeepTickets,
    Pass,
    Payment,
    PayTunnel,
    Rng,
    TakeBack,
    View,
    explain,
    load_map,
    sample_world,
)
from branchline.built import compiled
from tests.oracles.players import STYLES, choose

MAPS = [("europe", 2), ("europe", 3), ("europe", 5), ("new-york", 2), ("new-york", 4)]


def opened(id: str, seats: int, seed: int, first: int = 0) -> Game:
    """A game past its opening, every seat keeping all it was offered."""
    game = Game.new(id, seats, seed, first=first)
    for seat in range(seats):
        game.play(seat, game.legal_actions(seat)[-1])
    return game


def with_cards(game: Game, hands: list[dict[str, int]], row: list[str | None], top: list[str] | None = None) -> Game:
    """The same with these hands, this row, and these cards on top of the deck, the top one last."""
    position = game.to_dict()
    left = Counter(dict(game.map.cards))
    for hand in hands:
        left.subtract(hand)
    left.subtract(card for card in row if card)
    left.subtract(top or [])
    assert min(left.values()) >= 0
    deck = sorted(left.elements())
    Random(1).shuffle(deck)
    for seat, hand in enumerate(hands):
        position["seats"][seat]["hand"] = hand
    return Game.from_dict(position | {"row": row, "deck": deck + (top or []), "discards": {}, "memory": None})


def test_a_card_taken_face_up_is_remembered_until_it_is_paid() -> None:
    row: list[str | None] = ["red", "red", "blue", "green", "white"]
    game = with_cards(opened("europe", 2, 1), [{"blue": 4}, {"green": 4}], row)
    assert game.view(1).seats[0].known == {}
    game.play(0, DrawCard(0))
    game.play(0, DrawCard(1))
    for seat in (0, 1, None):
        assert game.view(seat).seats[0].known == {"red": 2}
    game.play(1, DrawCard(None))
    game.play(1, DrawCard(None))
    assert game.view(0).seats[1].known == {}  # blind
    game.play(0, ClaimRoute("barcelona-marseille", Payment("blue", 4)))
    assert game.view(1).seats[0].known == {"red": 2}  # the blue ones were never seen, and are gone
    game.play(1, DrawCard(None))
    game.play(1, DrawCard(None))
    game.play(0, BuildStation("roma", Payment("red", 1)))
    assert game.view(1).seats[0].known == {"red": 1}


def test_a_payment_taken_back_is_remembered() -> None:
    top = ["blue", "wild", "red"]
    game = with_cards(
        opened("europe", 2, 1), [{"red": 2, "wild": 1}, {}], ["blue", "green", "white", "black", "blue"], top
    )
    game.play(0, ClaimRoute("barcelona-pamplona", Payment("red", 2)))
    assert game.view(1).seats[0].known == {}  # on the table, not in the hand
    assert game.view(1).tunnel is not None
    game.play(0, TakeBack())
    assert game.view(1).seats[0].known == {"red": 2}
    assert game.view(None).seats[0].known == {"red": 2}


def test_tickets_put_under_the_deck_come_up_in_their_place() -> None:
    game = opened("new-york", 2, 5)
    size = game.view(0).ticket_deck
    game.play(0, DrawTickets())
    offer = own(game.view(0)).offer
    game.play(0, KeepTickets(offer[1:]))
    assert own(game.view(0)).under == ((size - 2, offer[0]),)
    assert own(game.view(1)).under == ()
    while game.view(0).ticket_deck:
        seat = game.to_act[0]
        under = own(game.view(0)).under
        before = game.view(0).ticket_deck
        game.play(seat, DrawTickets())
        drawn = before - game.view(0).ticket_deck
        known = [ticket for above, ticket in under if above < drawn]
        if known and seat == 1:
            assert set(known) <= set(own(game.view(1)).offer)
        assert own(game.view(0)).under == tuple((above - drawn, ticket) for above, ticket in under if above >= drawn)
        game.play(seat, game.legal_actions(seat)[-1])  # all of them: nothing goes back


def test_what_another_put_back_is_not_known_any_more() -> None:
    game = opened("new-york", 2, 5)
    game.play(0, DrawTickets())
    first = own(game.view(0)).offer[0]
    game.play(0, KeepTickets(own(game.view(0)).offer[1:]))
    while own(game.view(0)).under:
        for _ in range(2 if game.to_act[0] == 0 else 0):
            game.play(0, DrawCard(None))
        game.play(1, DrawTickets())
        offer = own(game.view(1)).offer
        if first in offer:
            # Seat 0 learns only that one of the two was put back.
            game.play(1, KeepTickets(tuple(ticket for ticket in offer if ticket != first)))
        else:
            game.play(1, KeepTickets(offer if own(game.view(1)).under else offer[:1]))
    assert own(game.view(0)).under == ()
    assert own(game.view(1)).under[-1][1] == first


def own(view: View) -> Any:
    assert view.own is not None
    return view.own


def test_with_two_seats_the_other_hand_is_known_after_a_reshuffle() -> None:
    """The new deck is what lay open; so what lies nowhere else is in the other hand."""
    rng = Random(3)
    game = Game.new("new-york", 2, 3)
    shuffles = game.to_dict()["shuffles"]["done"]
    while game.to_dict()["shuffles"]["done"] == shuffles:
        seat = game.to_act[0]
        game.play_index(seat, choose(game, seat, rng, ("hoarder", "random")[seat]))
    real = game.to_dict()["seats"]
    for seat in (0, 1):
        worlds = [sample_world(game.view(seat), Rng(n)).to_dict()["seats"] for n in range(8)]
        assert all(world[1 - seat]["hand"] == real[1 - seat]["hand"] for world in worlds)
    spectator = {json.dumps(sample_world(game.view(None), Rng(n)).to_dict()["seats"][0]["hand"]) for n in range(30)}
    assert len(spectator) > 1  # who holds no hand cannot tell the two apart


def grouped(actions: list[Action]) -> dict[str, Any]:
    """Choices, gathered the plain way from the list of actions."""
    claims: dict[str, set[Payment]] = {}
    for action in actions:
        if isinstance(action, ClaimRoute):
            claims.setdefault(action.route, set()).add(action.payment)
    builds = [action for action in actions if isinstance(action, BuildStation)]
    return {
        "deck": DrawCard(None) in actions,
        "row": tuple(a.slot for a in actions if isinstance(a, DrawCard) and a.slot is not None),
        "tickets": DrawTickets() in actions,
        "keep": min((len(a.tickets) for a in actions if isinstance(a, KeepTickets)), default=0),
        "claims": claims,
        "cities": tuple(dict.fromkeys(action.city for action in builds)),
        "station": {action.payment for action in builds},
        "pay": {action.payment for action in actions if isinstance(action, PayTunnel)},
        "take_back": TakeBack() in actions,
        "passing": Pass() in actions,
    }


@pytest.mark.parametrize(("id", "seats"), MAPS)
def test_choices_are_the_legal_actions_in_groups(id: str, seats: int) -> None:
    rng = Random(seats)
    game = Game.new(id, seats, seats)
    step = 0
    while not game.over and step < (1000 if compiled() else 150):
        for seat in range(seats) if step % 5 == 0 else ():
            view = game.view(seat)
            assert view.legal_actions() == game.legal_actions(seat)
            assert view.legal_indices() == game.legal_indices(seat)
            choices = view.choices
            wanted = grouped(game.legal_actions(seat))
            for field, value in wanted.items():
                got = getattr(choices, field)
                if field == "claims":
                    assert {route: set(payments) for route, payments in got.items()} == value
                    for payments in got.values():
                        assert [p.wilds for p in payments] == sorted(p.wilds for p in payments)
                elif isinstance(value, set):
                    assert set(got) == value
                    assert len(got) == len(value)
                else:
                    assert got == value
        seat = rng.choice(game.to_act)
        game.play_index(seat, choose(game, seat, rng, STYLES[step // 40 % len(STYLES)]))
        step += 1


def size(view: View) -> int:
    return len(json.dumps(view.to_dict(memory=False), separators=(",", ":")).encode())


@pytest.mark.parametrize(
    ("id", "seats", "most", "limit"), [("europe", 5, 3, 8000), ("europe", 5, 99, 10_000), ("new-york", 4, 99, 8000)]
)
def test_the_biggest_views_take_a_few_kilobytes(id: str, seats: int, most: int, limit: int) -> None:
    """One seat with three of each kind, or with every card there is, and two stations; nothing is claimed."""
    map = load_map(id)
    row: list[str | None] = list(map.colours[:5])
    hand = {colour: min(most, n - (colour in row)) for colour, n in map.cards.items()}
    game = with_cards(opened(id, seats, 1), [hand, *({} for _ in range(seats - 1))], row)
    stations = {"roma": 0, "paris": 0} if map.rules.stations else {}
    view = Game.from_dict(game.to_dict() | {"stations": stations, "memory": None}).view(0)
    assert len(view.legal_actions()) > (1500 if map.rules.stations else 200)
    assert size(view) < limit


@pytest.mark.parametrize(("id", "seats"), MAPS)
def test_views_of_whole_games_take_a_few_kilobytes(id: str, seats: int) -> None:
    rng = Random(9)
    game = Game.new(id, seats, 9)
    largest = step = 0
    while not game.over:
        seat = rng.choice(game.to_act)
        game.play_index(seat, choose(game, seat, rng, ("hoarder", "claimer")[game.turn // 60 % 2]))
        step += 1
        if step % 10 == 0 or game.over:
            largest = max(largest, *(size(game.view(s)) for s in (*game.to_act, 0, None)))
    assert largest < 8000


@pytest.mark.parametrize(("id", "seats"), MAPS)
def test_a_spectator_sees_what_is_public(id: str, seats: int) -> None:
    rng = Random(4)
    game = Game.new(id, seats, 4)
    for _ in range(120):
        if game.over:
            break
        seat = rng.choice(game.to_act)
        game.play_index(seat, choose(game, seat, rng, "claimer"))
        spectator, player = game.view(None), game.view(seat)
        assert spectator.seat is None
        assert spectator.own is None
        assert spectator.legal_actions() == []
        assert spectator.legal_indices() == []
        assert spectator.choices.deck is spectator.choices.passing is False
        for field in ("stage", "on_turn", "turn", "row", "deck", "discards", "owners", "closed", "stations", "seats",
                      "ticket_deck", "tunnel", "to_act", "passes", "last_turns", "first", "opened"):  # fmt: skip
            assert getattr(spectator, field) == getattr(player, field)
    with pytest.raises(ValueError, match="spectator"):
        explain.outlooks(game.view(None))


@pytest.mark.parametrize(("id", "seats"), MAPS)
def test_when_the_game_is_over_everything_is_open(id: str, seats: int) -> None:
    rng = Random(8)
    game = Game.new(id, seats, 8)
    while not game.over:
        assert game.view(None).opened is None
        seat = rng.choice(game.to_act)
        game.play_index(seat, choose(game, seat, rng, "claimer"))
    position = game.to_dict()
    for seat in (*range(seats), None):
        view = game.view(seat)
        assert view.over
        assert view.to_act == ()
        assert view.opened is not None
        assert list(view.opened.hands) == [own["hand"] for own in position["seats"]]
        assert [list(tickets) for tickets in view.opened.tickets] == [own["tickets"] for own in position["seats"]]
        assert view.legal_actions() == []
        assert View.from_dict(game.map, json.loads(json.dumps(view.to_dict()))) == view
        assert sample_world(view, Rng(1)).scores() == game.scores()
