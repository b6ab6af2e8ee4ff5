"""Observations: what the seat's sight tells and nothing else, whichever way they are made."""

from random import Random

from hypothesis import given

from branchline import Game, Rng, sample_world
from branchline.bots.planner.blind import blind, seen_by
from branchline.engine.legal import actor
from branchline.engine.state import State
from branchline.observation.layout import Layout
from branchline.observation.observer import observing
from branchline.observation.witness import Witness, recall, watch
from tests.properties.tables import Table, examples, tables


def recalled(layout: Layout, game: Game, seat: int) -> bytes:
    """The observation that a sight alone gives."""
    return bytes(observing(layout, recall(game.view(seat).sight)).observed(seat))


def watched(state: State) -> Witness:
    return watch(state.copy())


def named(layout: Layout, observation: bytes) -> dict[str, list[int]]:
    return {field.name: list(observation[field.at : field.at + field.size]) for field in layout.fields}


@examples(60, 6)
@given(tables())
def test_who_watches_and_who_recalls_observe_the_same(table: Table) -> None:
    places = Random(table.seed).randint(table.seats, table.map.rules.seats_max)
    game = table.deal()
    layout = Layout(game.state.board, places, True)
    witness = watch(game.state)
    observer = observing(layout, witness)
    for n, (after, seat, index, _) in enumerate(table.play()):
        observer.observe(seat)  # only what changes from here on is written when it is asked again
        witness.act(seat, index)
        if n % 7 == 0 or after.over:
            assert witness.state.numbers() == after.state.numbers()
            for who in range(table.seats):
                assert named(layout, bytes(observer.observed(who))) == named(layout, recalled(layout, after, who))


@examples(50, 6)
@given(tables())
def test_worlds_a_seat_cannot_tell_apart_give_equal_observations(table: Table) -> None:
    rng = Rng(table.seed)
    layout = Layout(table.deal().state.board, table.seats, True)
    for game in table.positions(apart=31):
        for seat in range(table.seats):
            twin = sample_world(game.view(seat), rng)
            assert recalled(layout, game, seat) == recalled(layout, twin, seat)


@examples(40, 6)
@given(tables())
def test_observations_stay_inside_their_bounds(table: Table) -> None:
    layout = Layout(table.deal().state.board, table.seats, True)
    for game in table.positions(apart=23):
        for seat in range(table.seats):
            observation = recalled(layout, game, seat)
            for field in layout.fields:
                part = observation[field.at : field.at + field.size]
                assert max(part, default=0) <= field.high, field.name


@examples(30, 5)
@given(tables())
def test_the_planner_inside_is_as_blind_as_the_bot(table: Table) -> None:
    for game in table.positions(apart=29):
        if not game.over:
            state = game.state
            seat = actor(state)
            sight = game.view(seat).sight
            seen = seen_by(sight).numbers()
            assert blind(state, seat, watched(state).cards).numbers() == seen
            witness = recall(sight)
            assert blind(witness.state, seat, witness.cards).numbers() == seen
