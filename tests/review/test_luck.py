"""Luck apart from choice: over many games of equal bots luck averages to zero."""

from math import sqrt
from statistics import mean, stdev

import pytest

from branchline import Game
from branchline.bots import load, play_on
from branchline.engine.shuffle import Rng
from branchline.events import TicketsOffered
from branchline.review.chances import Chances, redealt
from branchline.review.luck import cause_of, promise


def luck_of(map: str, seats: int, seed: int, bot: str) -> list[float]:
    """What luck did to each seat of a bots' game, the deal included; with all choices it makes up the result."""
    game = Game.new(map, seats, seed)
    played = play_on(game.copy(), [load(bot) for _ in range(seats)], seed)
    chances = Chances(game.state.board, seats)
    last = chances.of(game.state).wins
    luck = [chance - 1 / seats for chance in last]
    choices = [0.0] * seats
    unseen = len(game.state.ticket_deck)
    for n, (seat, action) in enumerate(played.log):
        before, index, known = game.state, game.index(action, seat), unseen
        events = game.play(seat, action)
        unseen = max(0, unseen - sum(len(e.tickets) for e in events if isinstance(e, TicketsOffered)))
        after = promised = chances.of(game.state).wins
        if cause_of(events) is not None:
            promised = promise(chances, before, seat, index, known, Rng(seed, n)).wins
        choices = [one + new - old for one, new, old in zip(choices, promised, last, strict=True)]
        luck = [one + new - old for one, new, old in zip(luck, after, promised, strict=True)]
        last = after
    winners = game.scores().winners
    for seat in range(seats):
        result = (seat in winners) / len(winners)
        assert 1 / seats + luck[seat] + choices[seat] == pytest.approx(result, abs=1e-9)
    return luck


@pytest.mark.parametrize(
    ("map", "seats", "games", "bot"), [("new-york", 2, 60, "regular"), ("new-york", 3, 24, "novice")]
)
def test_luck_averages_to_zero(map: str, seats: int, games: int, bot: str) -> None:
    found = [luck_of(map, seats, seed, bot) for seed in range(games)]
    for seat in range(seats):
        of_seat = [luck[seat] for luck in found]
        error = stdev(of_seat) / sqrt(games)
        assert abs(mean(of_seat)) < 3 * error, f"seat {seat}: {mean(of_seat):.3f} ± {error:.3f}"
        assert stdev(of_seat) > 0.05, "luck there is"


def test_what_an_action_promises_does_not_depend_on_how_the_decks_lie() -> None:
    game = Game.new("europe", 3, 11)
    play_on(game_to := game.copy(), [load("regular")] * 3)
    for seat, action in game_to.log[:40]:
        game.play(seat, action)
    seat = game.to_act[0]
    state = game.state
    chances = Chances(state.board, 3)
    other = redealt(state, Rng(99), len(state.ticket_deck))
    assert list(other.deck) != list(state.deck[: state.deck_left])
    assert chances.of(other) == chances.of(state)
    for index in game.legal_indices(seat)[:3]:
        one, two = (promise(chances, world, seat, index, len(state.ticket_deck), Rng(5)) for world in (state, other))
        assert one == two


def test_redealing_changes_nothing_that_anybody_knows() -> None:
    game = Game.new("new-york", 2, 3)
    state = game.state
    new = redealt(state, Rng(1), len(state.ticket_deck) - 2)
    assert sorted(new.deck) == sorted(state.deck[: state.deck_left])
    assert list(new.ticket_deck[:2]) == list(state.ticket_deck[:2]), "what was put under it stays"
    assert sorted(new.ticket_deck) == sorted(state.ticket_deck)
    assert (list(new.hands), list(new.row)) == (list(state.hands), list(state.row))
