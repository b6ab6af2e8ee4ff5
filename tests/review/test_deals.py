"""The same deal for everybody: nobody could choose it, and equal actions give equal games."""

from datetime import date, timedelta
from hashlib import sha256

import pytest

from branchline import Game, Record
from branchline.bots import Bot, load
from branchline.review import deals
from branchline.review.deals import Chain, bots_play_on, dealt, follows, of_the_day

SECRET = bytes(range(32))
DAY = date(2026, 11, 17)


def played(deal: deals.Deal, seed: bytes, person: Bot) -> Game:
    """A game of one who always acts as this bot would, at a table of fresh bots."""
    game = dealt(deal, seed)
    bots = {seat: load(name) for seat, name in enumerate(deal.bots, 1)}
    bots_play_on(game, bots)
    while not game.over and game.turn < 400:
        game.play_index(0, deals.bot_acts(game, 0, person))
        bots_play_on(game, bots)
    return game


@pytest.mark.parametrize("map", ["new-york", "europe"])
def test_equal_actions_give_equal_games(map: str) -> None:
    deal = deals.Deal(map, ("novice", "regular"), deals.entropy("test", map, 3))
    seed = sha256(b"some seed").digest()
    one, two = played(deal, seed, load("novice")), played(deal, seed, load("novice"))
    assert one == two
    assert one.log == two.log
    assert played(deal, seed, load("regular")).log != one.log


def test_a_bot_has_the_same_luck_in_the_same_turn_whatever_was_done_before() -> None:
    game = dealt(of_the_day(DAY), b"s" * 32)
    first = deals.bot_rng(game.key, 1, 7, "turn")
    again = deals.bot_rng(game.key, 1, 7, "turn")
    assert [first.next() for _ in range(5)] == [again.next() for _ in range(5)]
    others = [(1, 8, "turn"), (2, 7, "turn"), (1, 7, "second-draw")]
    numbers = {deals.bot_rng(game.key, *other).next() for other in others}
    assert len(numbers) == len(others)


def test_each_day_is_bound_by_the_day_before() -> None:
    chain = Chain(SECRET)
    today, yesterday = chain.seed(DAY), chain.seed(DAY - timedelta(1))
    assert chain.commitment(DAY) == yesterday.hex() == sha256(today).hexdigest()
    assert follows(today, DAY, chain.seed(DAY - timedelta(40)), DAY - timedelta(40))
    assert not follows(sha256(b"chosen").digest(), DAY, yesterday, DAY - timedelta(1))
    assert not follows(yesterday, DAY - timedelta(1), today, DAY), "the way back only"


def test_a_record_of_the_day_verifies_with_its_commitment() -> None:
    chain, deal = Chain(SECRET), of_the_day(DAY)
    seed = chain.seed(DAY)
    game = played(deal, seed, load("novice"))
    record = Record.of(game, seed=seed, entropy=deal.entropy)
    told = Record.from_dict({**record.to_dict(), "commitment": chain.commitment(DAY)})
    assert told.verify().ok
    forged = Record.from_dict({**record.to_dict(), "commitment": chain.commitment(DAY - timedelta(1))})
    assert not forged.verify().ok


def test_maps_and_seats_go_round() -> None:
    days = [of_the_day(DAY + timedelta(n)) for n in range(6)]
    assert {(deal.map, deal.seats) for deal in days} == {(m, n) for m in deals.MAPS for n in (2, 3, 4)}
    assert len({deal.entropy for deal in days}) == 6
    assert all(Game.new(deal.map, deal.seats, 1).seats == deal.seats for deal in days)


@pytest.mark.parametrize("day", [date(2025, 12, 31), date(2200, 1, 1)])
def test_a_chain_has_a_beginning_and_an_end(day: date) -> None:
    with pytest.raises(ValueError, match="day"):
        Chain(SECRET).seed(day)


def test_a_secret_is_32_bytes() -> None:
    with pytest.raises(ValueError, match="32"):
        Chain(b"short")
