"""What the table remembers is true: no note in it contradicts the game it was taken from."""

from collections import Counter

from hypothesis import given

from branchline import DrawTickets, Game, KeepTickets, Pass, Rng, load_map, sample_world
from branchline.engine.memory import Memory
from branchline.names import names_of
from tests.maps.islands import islands
from tests.properties.tables import Table, examples, tables


def drawn(memory: Memory, seat: int | None, draws: int, epoch: int | None = None) -> Counter[int]:
    """What was drawn blind among the first draws, by this seat or in this epoch."""
    places = zip(memory.draw_seat, memory.draw_epoch, memory.draw_card, strict=True)
    return Counter(card for who, when, card in list(places)[:draws] if seat in (None, who) and epoch in (None, when))


def check_memory(game: Game) -> None:
    memory = game._memory
    board = names_of(game.map).board
    for need in memory.needs:
        assert drawn(memory, need.seat, need.draws)[need.colour] >= need.count
    for stuck in memory.stuck:
        hand = Counter(dict(enumerate(stuck.base)))
        hand.update(drawn(memory, stuck.seat, stuck.draws))
        wilds = hand[board.wild]
        for at in range(0, len(stuck.prices), 3):
            colour, cards, least = list(stuck.prices[at : at + 3])
            colours = range(board.wild) if colour < 0 else [colour]
            assert wilds < least or all(hand[c] + wilds < cards for c in colours)
    for note in memory.coloured:
        seen = drawn(memory, None, note.draws, note.epoch)
        assert note.least <= note.unseen - sum(n for card, n in seen.items() if card != board.wild) <= note.most
    position = game.to_dict()
    for seat, own in enumerate(position["seats"]):
        for colour, name in enumerate(names_of(game.map).colours):
            laid = 0
            if position["tunnel"] and seat == position["on_turn"]:
                payment = position["tunnel"]["payment"]
                laid = payment["wilds"] if name == "wild" else payment["cards"] * (payment["colour"] == name)
            assert memory.known(seat, colour) <= own["hand"].get(name, 0) + laid
    assert list(memory.row) == list(game.state.row)
    assert list(memory.discards) == list(game.state.discards)
    assert memory.deck_left == len(position["deck"])


@examples(250)
@given(tables())
def test_the_memory_never_contradicts_the_game(table: Table) -> None:
    for game in table.positions(apart=3):
        check_memory(game)


def wilds_only(**ruleset: int) -> Game:
    """Two seats, a row of two that resets at one wild, and at most once: it stays full of wilds at the deal."""
    data = islands(row=2, row_wilds=1, row_resets=1, opening_cards=0, **ruleset)
    data["cards"] = {"red": 3, "blue": 3, "wild": 12}
    map = load_map(data)
    for seed in range(1000):
        game = Game.new(map, 2, seed, first=0)
        if game.view(None).row == ("wild", "wild"):
            return game
    raise AssertionError("no such deal")


def test_r3_6_a_row_that_stays_after_the_last_reset_says_nothing_of_the_deck() -> None:
    game = wilds_only()
    for seat in (0, 1):
        game.play(seat, game.legal_actions(seat)[0])
        check_memory(game)
    game.play(0, DrawTickets())
    check_memory(game)
    game.play(0, game.legal_actions(0)[0])
    check_memory(game)
    assert sample_world(game.view(1), Rng(1)).view(1) == game.view(1)


def test_r3_10_a_pass_says_nothing_of_stations_where_every_city_has_one() -> None:
    game = Game.new(load_map(islands(stations=3, row=1)), 2, 1, first=0)
    for seat in (0, 1):
        game.play(seat, game.legal_actions(seat)[0])
    position = game.to_dict()
    position |= {
        "stations": {"harbour": 1, "hill": 0, "lighthouse": 0, "market": 0},
        "owners": dict.fromkeys(("harbour-hill", "harbour-market-1", "hill-market"), 0),
        "deck": [], "row": [None], "discards": {}, "ticket_deck": [], "memory": None, "on_turn": 1,
    }  # fmt: skip
    position["seats"][0] |= {"hand": {"red": 6, "blue": 6, "wild": 2}, "cars": 3, "tickets": ["harbour-lighthouse"]}
    position["seats"][1] |= {"hand": {"wild": 2}, "cars": 8, "tickets": ["hill-lighthouse"]}
    game = Game.from_dict(position)
    assert game.legal_actions(1) == [Pass()]  # two wilds would pay for its second station
    game.play(1, Pass())
    check_memory(game)
    assert sample_world(game.view(0), Rng(1)).view(0) == game.view(0)


def test_r2_4_a_long_ticket_put_under_the_deck_is_found_again() -> None:
    """A map may deal long tickets and have them put under the deck: positions and worlds know that."""
    game = Game.new(load_map(islands(opening_under=True)), 2, 3, first=0)
    for seat in (0, 1):
        ordinary = game.view(seat).own.offer[1]  # type: ignore[union-attr]
        game.play(seat, KeepTickets((ordinary,)))
    assert set(game.to_dict()["ticket_deck"]) >= {"harbour-lighthouse", "hill-lighthouse"}
    assert Game.from_dict(game.to_dict()) == game
    stranger = Game.from_dict(game.to_dict() | {"memory": None})
    decks = {sample_world(stranger.view(0), Rng(n)).to_dict()["ticket_deck"][0] for n in range(60)}
    assert {"harbour-lighthouse", "hill-lighthouse"} <= decks


def test_r3_6_nor_does_a_row_that_nobody_looked_at_while_a_tunnel_waits() -> None:
    """Where something is owed the row is looked at only when the tunnel is done (R4.11)."""
    data = islands(row=2, row_wilds=1, row_resets=1, opening_cards=3, tunnel_cards=3, cars=20)
    data["cards"] = {"red": 5, "blue": 5, "wild": 12}
    map = load_map(data)
    waited = 0
    for seed in range(40):
        for game, _, _, _ in Table(map, 2, seed, ("claimer", "random")).play():
            check_memory(game)
            waited += game.stage == "tunnel-owed" and "wild" in game.view(None).row
    assert waited > 5
