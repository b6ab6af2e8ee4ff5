"""Made by scripts/fields from the fields of Public, State and Sight. Do not edit."""

from typing import TYPE_CHECKING

from branchline.engine.board import to_vec

if TYPE_CHECKING:
    from branchline.engine.public import Public
    from branchline.engine.sight import Sight
    from branchline.engine.state import State


def copy_public(old: "Public", new: "Public") -> None:
    """What is open, from a state or a sight to another."""
    old.shared = new.shared = True
    new.shuffles = old.shuffles
    new.stage = old.stage
    new.first = old.first
    new.turn = old.turn
    new.passes = old.passes
    new.last = old.last
    new.deck_left = old.deck_left
    new.route = old.route
    new.laid_colour = old.laid_colour
    new.laid_wilds = old.laid_wilds
    new.owed = old.owed
    new.row = old.row[:]
    new.discards = old.discards[:]
    new.owner = old.owner
    new.station = old.station
    new.cars = old.cars[:]
    new.stations = old.stations
    new.points = old.points[:]
    new.held = old.held
    new.turned = old.turned


def copy_state(old: "State", new: "State") -> None:
    """All fields."""
    copy_public(old, new)
    new.seat = old.seat
    new.deck = old.deck
    new.hands = old.hands[:]
    new.ticket_deck = old.ticket_deck
    new.holder = old.holder
    new.offer = old.offer
    new.answers = old.answers


def unshare(state: "State") -> None:
    """Replace what copies and sights share with it, before the first write."""
    state.owner = state.owner[:]
    state.station = state.station[:]
    state.stations = state.stations[:]
    state.held = state.held[:]
    state.holder = state.holder[:]
    state.shared = False


def state_numbers(state: "State") -> list[list[int]]:
    """All fields as lists of ints."""
    return [
        [
            state.shuffles,
            state.stage,
            state.first,
            state.turn,
            state.passes,
            state.last,
            state.deck_left,
            state.route,
            state.laid_colour,
            state.laid_wilds,
            state.owed,
            state.seat,
        ],
        list(state.row),
        list(state.discards),
        list(state.owner),
        list(state.station),
        list(state.cars),
        list(state.stations),
        list(state.points),
        list(state.held),
        list(state.turned),
        list(state.deck),
        list(state.hands),
        list(state.ticket_deck),
        list(state.holder),
        list(state.offer),
        list(state.answers),
    ]


def restore_state(state: "State", numbers: list[list[int]]) -> None:
    """Give it the fields that `state_numbers` wrote down."""
    scalars = numbers[0]
    state.shuffles = scalars[0]
    state.stage = scalars[1]
    state.first = scalars[2]
    state.turn = scalars[3]
    state.passes = scalars[4]
    state.last = scalars[5]
    state.deck_left = scalars[6]
    state.route = scalars[7]
    state.laid_colour = scalars[8]
    state.laid_wilds = scalars[9]
    state.owed = scalars[10]
    state.seat = scalars[11]
    state.row = to_vec(numbers[1])
    state.discards = to_vec(numbers[2])
    state.owner = to_vec(numbers[3])
    state.station = to_vec(numbers[4])
    state.cars = to_vec(numbers[5])
    state.stations = to_vec(numbers[6])
    state.points = to_vec(numbers[7])
    state.held = to_vec(numbers[8])
    state.turned = to_vec(numbers[9])
    state.deck = to_vec(numbers[10])
    state.hands = to_vec(numbers[11])
    state.ticket_deck = to_vec(numbers[12])
    state.holder = to_vec(numbers[13])
    state.offer = to_vec(numbers[14])
    state.answers = to_vec(numbers[15])


def sight_numbers(sight: "Sight") -> list[list[int]]:
    """All fields as lists of ints."""
    return [
        [
            sight.shuffles,
            sight.stage,
            sight.first,
            sight.turn,
            sight.passes,
            sight.last,
            sight.deck_left,
            sight.route,
            sight.laid_colour,
            sight.laid_wilds,
            sight.owed,
            sight.on_turn,
            sight.tickets_left,
            sight.answer,
        ],
        list(sight.row),
        list(sight.discards),
        list(sight.owner),
        list(sight.station),
        list(sight.cars),
        list(sight.stations),
        list(sight.points),
        list(sight.held),
        list(sight.turned),
        list(sight.cards),
        list(sight.answered),
        list(sight.hand),
        list(sight.tickets),
        list(sight.offer),
        list(sight.hands),
        list(sight.holder),
    ]


def restore_sight(sight: "Sight", numbers: list[list[int]]) -> None:
    """Give it the fields that `sight_numbers` wrote down."""
    scalars = numbers[0]
    sight.shuffles = scalars[0]
    sight.stage = scalars[1]
    sight.first = scalars[2]
    sight.turn = scalars[3]
    sight.passes = scalars[4]
    sight.last = scalars[5]
    sight.deck_left = scalars[6]
    sight.route = scalars[7]
    sight.laid_colour = scalars[8]
    sight.laid_wilds = scalars[9]
    sight.owed = scalars[10]
    sight.on_turn = scalars[11]
    sight.tickets_left = scalars[12]
    sight.answer = scalars[13]
    sight.row = to_vec(numbers[1])
    sight.discards = to_vec(numbers[2])
    sight.owner = to_vec(numbers[3])
    sight.station = to_vec(numbers[4])
    sight.cars = to_vec(numbers[5])
    sight.stations = to_vec(numbers[6])
    sight.points = to_vec(numbers[7])
    sight.held = to_vec(numbers[8])
    sight.turned = to_vec(numbers[9])
    sight.cards = to_vec(numbers[10])
    sight.answered = to_vec(numbers[11])
    sight.hand = to_vec(numbers[12])
    sight.tickets = to_vec(numbers[13])
    sight.offer = to_vec(numbers[14])
    sight.hands = to_vec(numbers[15])
    sight.holder = to_vec(numbers[16])
