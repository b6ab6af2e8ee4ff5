"""Sampled worlds against every deal there could be: the same worlds, each as often as it should come.

The definition stands in engine/worlds.py, and tests/oracles/deals.py finds all deals by playing them. Seeds are fixed.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations
from typing import TypeVar

import pytest

from branchline import Payment, Rng, View, explain, load_map, sample_world
from branchline.engine.card_worlds import CardWorld
from branchline.engine.happenings import Drawn, Happening, Reshuffled
from branchline.engine.worlds import Worlds
from tests.oracles.deals import Cards, Play, TooMany, cards_of, tickets_of
from tests.oracles.fit import p_value
from tests.properties import tiny as scene
from tests.properties.tables import COMPILED, Table
from tests.properties.tiny import Scene, Shows, scenes, tiny

T = TypeVar("T")

SCENES: dict[str, Callable[[], list[Scene]]] = {
    "draws only": lambda: some(scene.draws_only, 3),
    "blind draws, then payments": lambda: some(scene.blind_then_paid, 3, ("claimer", "hoarder", "random")),
    "blind draws, then payments, two seats": lambda: some(scene.blind_then_paid, 2, ("hoarder", "claimer")),
    "after a reshuffle": lambda: some(scene.reshuffled, 3, ("claimer", "hoarder", "random")),
    "after a reshuffle, two seats": lambda: some(scene.reshuffled, 2, ("claimer", "hoarder")),
    "a tunnel failed": lambda: some(scene.tunnel_failed, 3, ("claimer", "random")),
    "a pass": lambda: some(scene.passed, 3, ("hoarder",), stations=0, tickets=3, tight=True),
    "a row of wilds was reset": lambda: some(scene.row_reset, 3, ("hoarder", "random"), wild=True),
    "a row of wilds stays": lambda: some(scene.row_stayed, 3, ("hoarder", "random"), wild=True),
    "stations": lambda: some(scene.blind_then_paid, 3, ("builder", "hoarder"), stations=2),
    "three colours": lambda: some(scene.blind_then_paid, 3, ("claimer", "hoarder"), colours=True),
}


def some(
    shows: Shows,
    seats: int,
    styles: tuple[str, ...] = ("random",),
    *,
    stations: int = 1,
    tickets: int = 5,
    tight: bool = False,
    wild: bool = False,
    colours: bool = False,
) -> list[Scene]:
    """Scenes that have more than one world, and not too many deals to play."""
    cards = {"red": 4, "blue": 4, "wild": 3}
    if tight:
        cards = {"red": 2, "blue": 2, "wild": 1}
    if wild:
        cards = {"red": 2, "blue": 2, "wild": 5}
    if colours:
        cards = {"red": 3, "blue": 3, "green": 3, "wild": 2}
    map = tiny(cards, tickets, stations=stations, opening_cards=0 if tight else 1, row=1 if tight else 2)
    found: list[Scene] = []
    start = 0
    while len(found) < (3 if COMPILED else 1):
        for candidate in scenes(map, seats, shows, 1, styles, start=start):
            start += 1000
            try:
                worlds = worlds_of(candidate)
            except TooMany:
                continue
            if len(worlds) > 1:
                found.append(candidate)
    return found


def worlds_of(scene: Scene) -> Counter[Cards]:
    return scene.deals.cards(4000 if COMPILED else 1000)


@cache
def positions(name: str) -> list[tuple[Scene, Counter[Cards]]]:
    return [(found, worlds_of(found)) for found in SCENES[name]()]


def without_order(cards: Cards) -> Cards:
    hands, deck = cards
    return hands, tuple(sorted(deck))


def gathered(worlds: Mapping[Cards, int]) -> Counter[Cards]:
    """Worlds told apart by hands and by what the deck holds, not by its order."""
    out: Counter[Cards] = Counter()
    for cards, n in worlds.items():
        out[without_order(cards)] += n
    return out


def check_fit(counts: Counter[T], worlds: Counter[T]) -> None:
    """Nothing that could not be, everything that should have come, and all as often as they should."""
    assert set(counts) <= set(worlds)
    drawn, deals = sum(counts.values()), sum(worlds.values())
    assert {world for world, n in worlds.items() if n * drawn / deals > 15} <= set(counts)
    assert p_value(counts, {world: float(n) for world, n in worlds.items()}) > 1e-4


def samples(worlds: int) -> int:
    return max(400, min(5000, 40 * worlds)) if COMPILED else 120


def by_sampling(view: View, rng: Rng) -> Cards:
    """As bots do it: plain tries, and the chain where they fail."""
    return cards_of(sample_world(view, rng).state)


def by_chain(view: View, rng: Rng) -> Cards:
    """The chain alone."""
    return _dealt(view, CardWorld(view.sight, rng, 0), 1)


def by_chain_later(view: View, rng: Rng) -> Cards:
    """The third deal of a chain."""
    return _dealt(view, CardWorld(view.sight, rng, 0), 3)


def by_tries(view: View, rng: Rng) -> Cards:
    """Plain tries alone."""
    return _dealt(view, CardWorld(view.sight, rng, 1_000_000), 1)


def _dealt(view: View, cards: CardWorld, times: int) -> Cards:
    worlds = Worlds(view.sight, cards.rng)
    worlds.cards = cards
    return cards_of([worlds.sample() for _ in range(times)][-1])


@pytest.mark.parametrize("road", [by_sampling, by_tries, by_chain, by_chain_later])
@pytest.mark.parametrize("name", SCENES)
def test_worlds_of_cards_are_the_deals_there_could_be(name: str, road: Callable[[View, Rng], Cards]) -> None:
    for n, (found, worlds) in enumerate(positions(name)):
        view = found.play.game.view(found.seat)
        apart = gathered(worlds)
        counts = Counter(road(view, Rng(20261115 + k, n)) for k in range(samples(len(apart))))
        assert set(counts) <= set(worlds)
        check_fit(gathered(counts), apart)


def test_the_order_of_the_deck_is_anybodys_guess() -> None:
    tried = 0
    for name in SCENES:
        for found, worlds in positions(name):
            if 2 < len(worlds) <= (150 if COMPILED else 8) and len(worlds) > len(gathered(worlds)):
                view = found.play.game.view(found.seat)
                check_fit(Counter(by_sampling(view, Rng(k, 77)) for k in range(samples(len(worlds)))), worlds)
                check_fit(Counter(by_chain(view, Rng(k, 78)) for k in range(samples(len(worlds)))), worlds)
                tried += 1
    assert tried >= (5 if COMPILED else 0)


def just_reshuffled(play: Play, seat: int, happened: list[Happening]) -> bool:
    """Nobody has drawn blind since the deck was made of the discards."""
    last = max((n for n, happening in enumerate(happened) if isinstance(happening, Reshuffled)), default=len(happened))
    return len(play.decks) == 2 and all(not isinstance(happening, Drawn) for happening in happened[last:])


def test_with_two_seats_a_reshuffle_shows_the_other_hand() -> None:
    """When the deck empties every card is in a hand, the row or the discards: with two seats nothing is hidden."""
    for found in scenes(tiny(), 2, just_reshuffled, 5 if COMPILED else 2, ("hoarder", "claimer")):
        view = found.play.game.view(found.seat)
        assert {hands for hands, _ in found.deals.cards()} == {tuple(map(int, found.play.state.hands))}
        assert {by_sampling(view, Rng(k))[0] for k in range(20)} == {tuple(map(int, found.play.state.hands))}


TICKETS: dict[str, Callable[[], list[Scene]]] = {
    "opening, some answered": lambda: scenes(
        tiny(opening_tickets=2, tickets=5, seats_max=2), 2, scene.opening_half_answered, 2, length=(1, 1)
    ),
    "opening with long tickets": lambda: scenes(
        tiny(opening_long=1, opening_under=False), 2, scene.opening_half_answered, 2, length=(1, 1)
    ),
    "opening with long tickets put under": lambda: scenes(
        tiny(opening_long=1), 2, scene.any_position, 3, ("traveller",), length=(4, 10)
    ),
    "after the opening": lambda: scenes(tiny(), 3, scene.any_position, 3, length=(3, 6)),
    "rejected tickets leave the game": lambda: scenes(
        tiny(opening_tickets=2, opening_under=False, seats_max=2), 2, scene.any_position, 3, ("traveller",), (3, 9)
    ),
    "tickets drawn": lambda: scenes(tiny(), 2, scene.any_position, 3, ("traveller",), length=(5, 12)),
    "a returned ticket through another's hands": lambda: scenes(
        tiny(), 2, scene.tickets_seen_again, 4, ("traveller",), length=(6, 16)
    ),
    "the same at three seats": lambda: scenes(
        tiny(tickets=6), 3, scene.tickets_seen_again, 2, ("traveller",), length=(8, 20)
    ),
}


@pytest.mark.parametrize("name", TICKETS)
def test_worlds_of_tickets_are_the_deals_and_choices_there_could_be(name: str) -> None:
    for n, found in enumerate(TICKETS[name]()[: None if COMPILED else 1]):
        worlds = found.deals.tickets()
        view = found.play.game.view(found.seat)
        counts = Counter(tickets_of(sample_world(view, Rng(k, n)).state) for k in range(samples(len(worlds))))
        assert tickets_of(found.play.state) in worlds
        check_fit(counts, worlds)


def owed_in(worlds: Mapping[Cards, int], view: View, wanted: set[str]) -> list[float]:
    """The chances to owe 0, 1, 2 ... over all worlds, with what the deck lacks turned up from the discards (R4.12)."""
    colours = [*view.map.colours, "wild"]
    turned = view.map.rules.tunnel_cards
    discards = [card for card, n in view.discards.items() for _ in range(n)]
    chances = [0.0] * (turned + 1)
    for (_, deck), n in worlds.items():
        top = [colours[card] for card in deck[::-1][:turned]]
        more = list(combinations(discards, min(turned - len(top), len(discards))))
        for rest in more:
            owed = sum(card in wanted for card in (*top, *rest))
            chances[owed] += n / len(more) / sum(worlds.values())
    return chances


def test_tunnel_odds_are_those_of_all_deals() -> None:
    exact = guessed = 0
    for name in SCENES:
        for found, worlds in positions(name):
            view = found.play.game.view(found.seat)
            for payment in (Payment("red", 2), Payment("blue", 1, 1), Payment(None, 0, 2)):
                odds = explain.tunnel_odds(view, "a-c-2", payment)
                chances = owed_in(worlds, view, {"wild", payment.colour or "wild"})
                assert odds.chances == pytest.approx(chances, abs=1e-9 if odds.exact else 0.08)
                exact += odds.exact
                guessed += not odds.exact
    assert exact
    assert guessed


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_tunnel_odds_are_those_of_sampled_worlds(seed: int) -> None:
    game = Table(load_map("europe"), 2 + seed, seed, ("claimer", "random", "hoarder")).after(60 * seed)
    view = game.view(0)
    odds = explain.tunnel_odds(view, "barcelona-pamplona", Payment("red", 2))
    number = 2000 if COMPILED else 60
    counts: Counter[int] = Counter()
    for k in range(number):
        deck = sample_world(view, Rng(k, seed)).to_dict()["deck"]
        counts[sum(card in ("red", "wild") for card in deck[-3:])] += 1
    for owed, chance in enumerate(odds.chances):
        assert counts[owed] / number == pytest.approx(chance, abs=0.05 if COMPILED else 0.25)
