"""Tiny maps on which every deal can be played, and positions on them that show one thing each."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from branchline import Map, load_map
from branchline.engine import board as kinds
from branchline.engine.happenings import Drawn, Happening, Kept, Offered, Passed, Reshuffled, RowReset, TookBack
from tests.oracles.deals import Deals, Play, TooMany
from tests.oracles.players import choose
from tests.oracles.small_maps import map_data

ROUTES = [
    ("a", "b", 1, "red", "track", 0),
    ("b", "c", 2, "blue", "track", 0),
    ("a", "c", 2, "grey", "tunnel", 0),
    ("c", "d", 1, "grey", "track", 0),
    ("a", "d", 1, "blue", "track", 0),
    ("b", "d", 2, "red", "tunnel", 0),
]
TICKETS = [
    ("a", "b", 2, False),
    ("a", "c", 3, False),
    ("b", "c", 2, False),
    ("c", "d", 4, False),
    ("b", "d", 1, False),
    ("a", "d", 2, False),
]
LONG = [("a", "c", 6, True), ("b", "d", 7, True), ("a", "d", 5, True)]

RULESET = {
    "seats_min": 2,
    "seats_max": 3,
    "cars": 12,
    "stations": 1,
    "opening_cards": 1,
    "row": 2,
    "row_wilds": 2,
    "row_resets": 3,
    "opening_long": 0,
    "opening_tickets": 1,
    "opening_keep": 1,
    "opening_under": True,
    "ticket_draw": 2,
    "ticket_keep": 1,
    "twins_from": 3,
    "tunnel_cards": 2,
    "last_cars": 0,
    "station_points": 4,
    "trail_points": 5,
    "attraction_points": 0,
}


def tiny(cards: dict[str, int] | None = None, tickets: int = 5, **ruleset: int | bool) -> Map:
    """Four cities, six routes, eleven cards, five tickets."""
    rules = RULESET | ruleset
    deck = TICKETS[:tickets]
    if rules["opening_long"]:
        deck = LONG + [ticket for ticket in TICKETS if ticket[:2] not in [long[:2] for long in LONG]]
    return load_map(map_data(rules, cards or {"red": 4, "blue": 4, "wild": 3}, ROUTES, deck))


@dataclass(frozen=True)
class Scene:
    """A position, and what one seat has seen on the way to it."""

    play: Play
    seat: int
    deals: Deals


Shows = Callable[[Play, int, list[Happening]], bool]


def scenes(
    map: Map,
    seats: int,
    shows: Shows,
    number: int,
    styles: tuple[str, ...] = ("random",),
    length: tuple[int, int] = (4, 30),
    start: int = 0,
) -> list[Scene]:
    """The first positions of seeded games that show something; games are played until it shows and a little on."""
    found: list[Scene] = []
    seed = start
    while len(found) < number:
        seed += 1
        assert seed < start + 20_000, "no such position"
        rng = Random(seed)
        seat = rng.randrange(seats)
        try:
            play = Play(map, seats, seed)
            for _ in range(rng.randint(*length)):
                if play.game.over:
                    break
                actor = rng.choice(play.game.to_act)
                play.play(actor, choose(play.game, actor, rng, styles[actor % len(styles)]))
        except TooMany:
            continue
        happened = [happening for step in play.happened for happening in step]
        if not play.game.over and shows(play, seat, happened):
            found.append(Scene(play, seat, play.seen_by(seat)))
    return found


def by_another(happened: list[Happening], kind: type[TookBack | Passed], seat: int) -> bool:
    return any(isinstance(happening, kind) and happening.seat != seat for happening in happened)


def blind_then_paid(play: Play, seat: int, happened: list[Happening]) -> bool:
    """Another seat drew blind and has paid with cards it was never seen to take."""
    memory = play.game.view(seat).sight.memory
    return len(play.decks) == 1 and any(need.seat != seat for need in memory.needs)


def reshuffled(play: Play, seat: int, happened: list[Happening]) -> bool:
    """Hidden cards of two decks, and payments that tell something of both."""
    drawn_before = False
    for happening in happened:
        if isinstance(happening, Reshuffled):
            break
        drawn_before = drawn_before or (isinstance(happening, Drawn) and happening.seat != seat)
    memory = play.game.view(seat).sight.memory
    others = [epoch for who, epoch in zip(memory.draw_seat, memory.draw_epoch, strict=True) if who != seat]
    return len(play.decks) in (2, 3) and drawn_before and max(others, default=0) > 0 and len(memory.needs) > 0


def tunnel_failed(play: Play, seat: int, happened: list[Happening]) -> bool:
    """Another seat took back a payment of which something was never seen."""
    memory = play.game.view(seat).sight.memory
    return by_another(happened, TookBack, seat) and any(need.seat != seat for need in memory.needs)


def passed(play: Play, seat: int, happened: list[Happening]) -> bool:
    return by_another(happened, Passed, seat)


def row_told(play: Play, seat: int, happened: list[Happening]) -> bool:
    """A row of wilds was reset, or stayed, and that tells of the deck."""
    return len(play.game.view(seat).sight.memory.coloured) > 0


def row_stayed(play: Play, seat: int, happened: list[Happening]) -> bool:
    """A row of wilds stays: what is left has too little colour."""
    wild = int(play.board.wild)
    row = [int(card) for card in play.state.row]
    return row_told(play, seat, happened) and row.count(wild) >= play.board.rules.row_wilds


def row_reset(play: Play, seat: int, happened: list[Happening]) -> bool:
    return row_told(play, seat, happened) and any(isinstance(happening, RowReset) for happening in happened)


def tickets_seen_again(play: Play, seat: int, happened: list[Happening]) -> bool:
    """A ticket this seat put under the deck went through another's hands, and was seen again or not."""
    put_under: set[int] = set()
    others_drew = False
    drew = 0
    offered: tuple[int, ...] = ()
    for happening in happened:
        if isinstance(happening, Offered):
            if happening.seat == seat:
                offered = happening.tickets
                drew += 1
            elif put_under:
                others_drew = True
        if isinstance(happening, Kept) and happening.seat == seat:
            put_under |= set(offered) - set(happening.tickets)
    return drew > 2 and others_drew and bool(put_under)


def opening_half_answered(play: Play, seat: int, happened: list[Happening]) -> bool:
    return play.game.stage == "opening" and 0 < len(play.moves) < play.seats


def any_position(play: Play, seat: int, happened: list[Happening]) -> bool:
    return len(play.moves) > 0


def draws_only(play: Play, seat: int, happened: list[Happening]) -> bool:
    """Nothing was paid: the plainest of all."""
    paid = (kinds.CLAIM, kinds.BUILD)
    return all(play.board.action_kind[index] not in paid for _, index in play.moves) and len(play.moves) > 4
