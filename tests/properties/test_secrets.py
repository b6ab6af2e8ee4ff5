"""Nothing hidden shows: games that differ only in what a seat cannot see look the same to it, now and later."""

import gc
import json
import pickle
from collections import Counter
from random import Random
from types import FunctionType, ModuleType
from typing import Any

from hypothesis import given

from branchline import Game, Map, Rng, State, View, explain, sample_world
from branchline.engine.memory import Memory
from tests.properties.tables import Table, examples, tables


def questions(view: View, rng: Random) -> list[object]:
    """Answers to some of the questions people ask."""
    if view.seat is None:
        return []
    answers: list[object] = [explain.outlooks(view), explain.borrowed(view)]
    for route in rng.sample(view.map.routes, min(4, len(view.map.routes))):
        answers.append(explain.why_not_claim(view, route.id))
        if route.kind == "tunnel":
            payments = view.choices.claims.get(route.id, ())[:1]
            answers += [explain.tunnel_odds(view, route.id, payment) for payment in payments]
    answers += [explain.shortest_way(view, ticket.id) for ticket in rng.sample(view.map.tickets, 1)]
    return answers


def check_same(game: Game, twin: Game, seat: int | None, seed: int) -> None:
    view, other = game.view(seat), twin.view(seat)
    assert view == other
    assert hash(view) == hash(other)
    assert view.choices == other.choices
    assert view.to_dict() == other.to_dict()
    assert view.legal_actions() == other.legal_actions()
    assert questions(view, Random(seed)) == questions(other, Random(seed))


def aligned(game: Game, twin: Game) -> Game:
    """The twin with its deck in the order of the game's, as far as it has the cards: it stays a twin for longer."""
    position, real = twin.to_dict(), game.to_dict()
    left = Counter(position["deck"])
    deck: list[str | None] = [None] * len(real["deck"])
    for place in reversed(range(len(deck))):
        if left[real["deck"][place]]:
            deck[place] = real["deck"][place]
            left[real["deck"][place]] -= 1
    rest = list(left.elements())
    return Game.from_dict(position | {"deck": [card or rest.pop() for card in deck]})


@examples(50, 6)
@given(tables())
def test_what_a_seat_cannot_see_makes_no_difference_to_it(table: Table) -> None:
    rng = Random(table.seed)
    worlds = Rng(table.seed)
    lasted = 0
    for game in table.positions(apart=41):
        for seat in (*range(table.seats), None):
            real = game.copy()
            twin = aligned(real, sample_world(real.view(seat), worlds))
            check_same(real, twin, seat, table.seed)
            for _ in range(8):
                both = {s: sorted(set(real.legal_indices(s)) & set(twin.legal_indices(s))) for s in real.to_act}
                able = [s for s in both if both[s]]
                if not able:
                    break
                actor = rng.choice(able)
                index = rng.choice(both[actor])
                events = [[g.event_for(event, seat) for event in g.play_index(actor, index)] for g in (real, twin)]
                if events[0] != events[1] or real.over:
                    break
                lasted += 1
                check_same(real, twin, seat, table.seed)
    assert lasted or table.map.id == "small"


def reachable(start: object) -> list[object]:
    """Everything that can be got at from an object, but for modules, classes and functions."""
    found: dict[int, object] = {}
    todo = [start]
    while todo:
        thing = todo.pop()
        if id(thing) in found or isinstance(thing, type | ModuleType | FunctionType | Map):
            continue
        found[id(thing)] = thing
        todo += gc.get_referents(thing)
    return list(found.values())


def check_no_way_back(game: Game, view: View) -> None:
    position = game.to_dict()
    for thing in reachable(view):
        assert not isinstance(thing, Game)
        if isinstance(thing, Memory):
            assert thing is view.sight.memory
        if isinstance(thing, State):
            # The shadow, for asking the rules about its own side.
            assert thing.shuffler.key == b""
            kinds = thing.board.kinds
            for seat in range(game.seats):
                if seat != view.seat and not game.over:
                    assert not any(thing.hands[seat * kinds : (seat + 1) * kinds])
                    assert seat not in thing.holder
            assert set(thing.deck) <= {0}
            assert set(thing.ticket_deck) <= {0}
    if game.key:
        assert game.key not in pickle.dumps(view)
        assert game.key.hex() not in json.dumps(view.to_dict())
    check_no_ticket(game, view, position)


def check_no_ticket(game: Game, view: View, position: dict[str, Any]) -> None:
    """No ticket that the seat has not seen is named in what it gets."""
    if game.over:
        return
    seen: set[str] = set()
    if view.own is not None:
        seen = {*view.own.tickets, *view.own.offer, *(view.own.answer or ()), *(id for _, id in view.own.under)}
    text = json.dumps(view.to_dict(memory=False))
    for ticket in game.map.tickets:
        if ticket.id not in seen:
            assert f'"{ticket.id}"' not in text


@examples(30, 5)
@given(tables())
def test_a_view_holds_no_way_back_to_the_game(table: Table) -> None:
    for game in table.positions(apart=37):
        for seat in (*range(table.seats), None):
            view = game.view(seat)
            check_no_way_back(game, view)
            _ = view.choices, view.seats, view.own, view.to_dict()  # a view keeps some of its answers
            check_no_way_back(game, view)
