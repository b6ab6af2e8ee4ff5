"""Every refusal names its rule and reason, and no nonsense does anything but be refused."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from branchline import (
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    Game,
    IllegalAction,
    KeepTickets,
    Pass,
    Payment,
    PayTunnel,
    TakeBack,
)
from branchline.engine.refusals import REFUSALS
from tests.builder import Position, play, refused

EUROPE = Position.on("europe")
NEW_YORK = Position.on("new-york")


def after(position: Position, *moves: str) -> Game:
    game = position.game()
    for move in moves:
        play(game, 0, move)
    return game


TUNNEL = EUROPE.hand(0, red=2, wild=2).top("wild red blue")

EXAMPLES: dict[str, tuple[Callable[[], Game], str, str]] = {
    "game-over": (lambda: EUROPE.over().game(), "draw ?", "R7.1"),
    "not-your-turn": (lambda: EUROPE.on_turn(1).game(), "draw ?", "R3.1"),
    "answered": (
        lambda: after(EUROPE.opening(), "keep amsterdam-pamplona amsterdam-wilno"),
        "keep amsterdam-pamplona amsterdam-wilno",
        "R2.5",
    ),
    "question-open": (lambda: EUROPE.second_draw().game(), "tickets", "R3.12"),
    "no-question": (lambda: EUROPE.game(), "take-back", "R3.12"),
    "deck-empty": (lambda: EUROPE.deck("").game(), "draw ?", "R3.8"),
    "slot-empty": (lambda: EUROPE.row("red - red red red").deck("").game(), "draw 1", "R3.8"),
    "wild-second": (lambda: EUROPE.row("red wild red red red").second_draw().game(), "draw 1", "R3.4"),
    "route-taken": (lambda: EUROPE.owns(1, "rostov-sochi").game(), "claim rostov-sochi 2 red", "R4.2"),
    "twin-yours": (lambda: EUROPE.owns(0, "dieppe-london-1").game(), "claim dieppe-london-2 1 red 1 wild", "R4.4"),
    "twin-closed": (lambda: EUROPE.owns(1, "dieppe-london-1").game(), "claim dieppe-london-2 1 red 1 wild", "R4.5"),
    "few-cars": (lambda: EUROPE.cars(0, 1).hand(0, red=2).game(), "claim rostov-sochi 2 red", "R4.2"),
    "few-cards": (lambda: EUROPE.hand(0, red=1).game(), "claim rostov-sochi 2 red", "R4.1"),
    "wrong-colour": (lambda: EUROPE.hand(0, red=2).game(), "claim barcelona-madrid 2 red", "R4.1"),
    "few-wilds": (lambda: EUROPE.hand(0, red=2).game(), "claim dieppe-london-2 2 red", "R4.7"),
    "wrong-count": (lambda: EUROPE.hand(0, red=3).game(), "claim rostov-sochi 3 red", "R4.1"),
    "owed-cards": (lambda: after(TUNNEL, "claim constantinople-smyrna 2 red"), "pay 2 red", "R4.8"),
    "owed-wilds": (lambda: after(TUNNEL, "claim constantinople-smyrna 2 wild"), "pay 1 red", "R4.9"),
    "no-tickets": (lambda: EUROPE.ticket_deck().game(), "tickets", "R5.2"),
    "opening-keep": (lambda: EUROPE.opening().game(), "keep amsterdam-pamplona", "R2.3"),
    "opening-keep-under": (lambda: NEW_YORK.opening().game(), "keep", "R2.4"),
    "keep-more": (lambda: EUROPE.offer(0, "berlin-roma").game(), "keep", "R5.1"),
    "not-offered": (lambda: EUROPE.offer(0, "berlin-roma").game(), "keep kyiv-sochi", "R5.1"),
    "no-stations": (lambda: NEW_YORK.hand(0, red=1).game(), "build chelsea 1 red", "R1.3"),
    "stations-used": (lambda: EUROPE.station(0, "paris", "roma", "wien").game(), "build berlin 3 red", "R6.3"),
    "city-taken": (lambda: EUROPE.station(1, "paris").hand(0, red=1).game(), "build paris 1 red", "R6.1"),
    "station-cards": (lambda: EUROPE.game(), "build paris 1 red", "R6.2"),
    "station-count": (lambda: EUROPE.hand(0, red=2).game(), "build paris 2 red", "R6.2"),
    "not-stuck": (lambda: EUROPE.game(), "pass", "R3.10"),
}
"""For each reason: a game, what seat 0 tries, and the rule that refuses it."""


@pytest.mark.parametrize("reason", EXAMPLES)
def test_each_refusal_has_its_rule_and_reason(reason: str) -> None:
    game, line, rule = EXAMPLES[reason]
    assert refused(game(), 0, line) == f"{rule} {reason}"


def test_what_is_no_action_and_who_has_no_seat() -> None:
    game = EUROPE.game()
    nothing: Any = None
    tries: list[tuple[Callable[[], object], str]] = [
        (lambda: game.play(0, nothing), "not-an-action"),
        (lambda: game.play_index(0, 10**6), "not-an-action"),
        (lambda: game.play(2, DrawCard()), "no-seat"),
    ]
    for act, reason in tries:
        with pytest.raises(IllegalAction) as error:
            act()
        assert (error.value.rule, error.value.reason) == ("R3.1", reason)


def test_no_refusal_is_left_out() -> None:
    assert {word for word, _, _ in REFUSALS} == {"legal", "not-an-action", "no-seat", *EXAMPLES}


@pytest.mark.parametrize("reason", EXAMPLES)
def test_the_int_road_refuses_the_same_and_changes_nothing(reason: str) -> None:
    """Whatever is not in `legal()` is refused with a rule, and the state stays as it was."""
    state = EXAMPLES[reason][0]().state
    before = state.numbers()
    for seat in range(2):
        allowed = set(state.legal(seat))
        for index in [*range(60), *range(60, int(state.board.actions), 37), int(state.board.pass_at)]:
            if index not in allowed:
                with pytest.raises(IllegalAction, match=r"^R\d\.\d"):
                    state.apply(index, seat)
    assert state.numbers() == before


def test_what_is_said_of_a_refusal() -> None:
    with pytest.raises(IllegalAction) as error:
        EUROPE.hand(0, red=6, wild=1).game().play(0, ClaimRoute("palermo-smyrna", Payment("red", 5, 1)))
    assert (error.value.rule, error.value.reason) == ("R4.7", "few-wilds")
    assert str(error.value) == "R4.7: the ferry wants more wilds"
    assert isinstance(error.value, ValueError)


@dataclass(frozen=True)
class Sly(ClaimRoute):
    """Not one of ours, though it looks like one."""


NONSENSE: list[Any] = [
    None, True, False, -1, 10**6, 10**30, -(10**30), 1.0, float("nan"), 1j, "", "draw ?", b"draw", [], (), {}, set(),
    object(), DrawCard, Payment, Exception(), lambda: 0,
]  # fmt: skip

ODD: list[Any] = [
    *(DrawCard(slot) for slot in NONSENSE if slot is not None),
    DrawCard(5),
    *(ClaimRoute(route, Payment("red", 2, 0)) for route in NONSENSE),
    *(ClaimRoute("rostov-sochi", payment) for payment in NONSENSE),
    *(ClaimRoute("rostov-sochi", Payment(colour, 2, 0)) for colour in NONSENSE),
    *(ClaimRoute("rostov-sochi", Payment("red", cards, 0)) for cards in NONSENSE),
    *(ClaimRoute("rostov-sochi", Payment("red", 2, wilds)) for wilds in NONSENSE if wilds is not False),
    ClaimRoute("rostov-sochi", Payment("wild", 2, 0)),
    ClaimRoute("rostov-sochi", Payment("red", 0, 2)),
    ClaimRoute("rostov-sochi", Payment("grey", 2, 0)),
    ClaimRoute("nowhere", Payment("red", 2, 0)),
    Sly("rostov-sochi", Payment("red", 2, 0)),
    *(PayTunnel(payment) for payment in NONSENSE),
    *(KeepTickets(tickets) for tickets in NONSENSE),
    *(KeepTickets((ticket,)) for ticket in NONSENSE),
    *(BuildStation(city, Payment("red", 1, 0)) for city in NONSENSE),
    *(BuildStation("paris", payment) for payment in NONSENSE),
    *(BuildStation("berlin", Payment("red", cards, wilds)) for cards in range(6) for wilds in range(6)),
    *(BuildStation("berlin", Payment(None, cards, wilds)) for cards in range(2) for wilds in range(6)),
]


def moments() -> dict[str, Game]:
    rich = EUROPE.hand(0, red=6, wild=6)
    return {
        "opening": rich.opening().game(),
        "turn": rich.game(),
        "second draw": rich.second_draw().game(),
        "tunnel": after(rich.top("red red wild"), "claim constantinople-smyrna 2 red"),
        "tunnel of wilds": after(rich.top("red red wild"), "claim constantinople-smyrna 2 wild"),
        "offer": rich.offer(0, "berlin-roma", "kyiv-sochi").game(),
        "all stations built": rich.station(0, "paris", "roma", "wien").game(),
        "over": rich.over().game(),
        "new york": NEW_YORK.hand(0, red=4, wild=4).game(),
    }


@pytest.mark.parametrize("moment", moments())
def test_no_nonsense_does_anything_but_be_refused(moment: str) -> None:
    game = moments()[moment]
    before = game.to_dict()
    possible = game.legal_actions(0)
    for action in [*NONSENSE, *ODD]:
        if type(action) in (BuildStation, ClaimRoute, DrawCard) and action in possible:
            continue
        with pytest.raises(IllegalAction) as error:
            game.play(0, action)
        assert error.value.rule.startswith("R")
    assert game.to_dict() == before
    assert len(game.log) <= 1


@pytest.mark.parametrize("moment", moments())
def test_no_nonsense_is_a_seat_or_an_index(moment: str) -> None:
    game = moments()[moment]
    state, before = game.state, game.to_dict()
    numbers = state.numbers()
    for nonsense in NONSENSE:
        with pytest.raises(IllegalAction):
            game.play_index(0, nonsense)
        with pytest.raises(IllegalAction):
            game.play_index(nonsense, 0)
        with pytest.raises(IllegalAction):
            game.play(nonsense, DrawCard())
        with pytest.raises(IllegalAction):
            state.apply(nonsense)
    for action in (TakeBack(), Pass(), DrawTickets()):
        with pytest.raises(IllegalAction):
            game.play(7, action)
    assert game.to_dict() == before
    assert state.numbers() == numbers


@pytest.mark.parametrize("seat", [seat for seat in NONSENSE if seat is not False and seat != -1])
def test_no_nonsense_is_a_seat_on_the_int_road(seat: Any) -> None:
    state = EUROPE.game().state
    numbers = state.numbers()
    with pytest.raises(IllegalAction):
        state.apply(0, seat)
    assert state.numbers() == numbers


def test_no_nonsense_is_an_index_of_an_action() -> None:
    game = EUROPE.game()
    for nonsense in NONSENSE:
        with pytest.raises(IllegalAction):
            game.action(nonsense, 0)
        with pytest.raises(IllegalAction):
            game.legal_indices(nonsense)
