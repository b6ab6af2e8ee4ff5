"""Plays the games of this folder: `python -m tests.records.make_records`. They change only when a rule does."""

from collections import Counter
from pathlib import Path
from random import Random

from branchline import Game, Map, Record, events, load_map
from branchline.record import Player
from tests.maps.islands import islands
from tests.oracles.planner import plan

HERE = Path(__file__).parent

GAMES: dict[str, tuple[str, int, set[str]]] = {
    "europe-2": ("europe", 2, {"reshuffled", "tunnel failed", "tunnel paid", "borrowed"}),
    "europe-3": ("europe", 3, {"reshuffled", "tunnel failed", "tunnel paid", "borrowed"}),
    "europe-4": ("europe", 4, {"reshuffled", "tunnel failed", "tunnel paid", "borrowed", "twins"}),
    "europe-5": ("europe", 5, {"reshuffled", "reset", "tunnel failed", "tunnel paid", "borrowed", "twins"}),
    "new-york-2": ("new-york", 2, {"reset", "tickets"}),
    "new-york-3": ("new-york", 3, {"reset", "tickets"}),
    "new-york-4": ("new-york", 4, {"reshuffled", "tickets", "twins"}),
    "islands-passes": ("islands", 2, {"passed", "reshuffled"}),
}
"""Map, seats, and what has to happen in the game."""


def map_of(id: str) -> Map:
    return load_map(islands() if id == "islands" else id)


def play(map: Map, seats: int, seed: str) -> tuple[Game, set[str]]:
    """A game to its end, and what happened in it."""
    game = Game.new(map, seats, seed)
    rng = Random(seed)
    seen: Counter[type] = Counter()
    paid = False
    while not game.over and game.turn < 400:
        seat = rng.choice(game.to_act)
        action = plan(game.view(seat), rng)
        owing = game.stage == "tunnel-owed"
        happened = game.play(seat, action)
        seen.update(type(event) for event in happened)
        paid = paid or (owing and any(isinstance(event, events.RouteClaimed) for event in happened))
    names = {
        "reshuffled": events.DeckReshuffled,
        "reset": events.RowReset,
        "tunnel failed": events.TunnelTakenBack,
        "passed": events.Passed,
    }
    shows = {name for name, kind in names.items() if seen[kind]}
    shows |= {"tunnel paid"} if paid else set()
    shows |= {"tickets"} if seen[events.TicketsOffered] else set()
    if game.over and any(route for score in game.scores().seats for route in score.borrowed.values()):
        shows.add("borrowed")
    owners = game.view(None).owners
    pairs = Counter(frozenset((route.a, route.b)) for route in map.routes if route.id in owners)
    shows |= {"twins"} if 2 in pairs.values() else set()
    return game, shows


def make(name: str) -> Record:
    """The first seed whose game shows all it has to."""
    id, seats, wanted = GAMES[name]
    for n in range(2000):
        seed = f"{name} {n}"
        game, shows = play(map_of(id), seats, seed)
        if game.over and wanted <= shows:
            return Record.of(game, [Player(f"planner {seat}", "planner") for seat in range(seats)], seed=seed)
    raise AssertionError(f"{name}: no such game")


if __name__ == "__main__":
    for name in GAMES:
        make(name).save(HERE / f"{name}.json")
