"""The laws of a memory: what it says of hidden cards and tickets is true of the position it comes with.

A memory is a list of lists of numbers, and worlds are sampled until they agree with it: one that belongs to another
game would let that go on for ever.
"""

from collections import Counter
from collections.abc import Callable, Iterator

from branchline.engine.board import GREY, NOBODY, NONE
from branchline.engine.evidence import HIDDEN, Choice
from branchline.engine.memory import Memory, restore_memory
from branchline.engine.stages import OPENING, OVER
from branchline.engine.state import State

LARGE = 1 << 31


def restore(state: State, numbers: object) -> Memory:
    """The memory that gave these numbers in this position; ValueError if it belongs to another."""
    if not isinstance(numbers, list) or not all(isinstance(row, list) for row in numbers):
        raise ValueError("memory: expected lists of numbers, as to_dict gave them")
    if not all(type(n) is int and -LARGE < n < LARGE for row in numbers for n in row):
        raise ValueError("memory: expected lists of numbers, as to_dict gave them")
    try:
        memory = restore_memory(state.board, state.seats, numbers)
    except (IndexError, ValueError):
        raise ValueError("memory: not what to_dict gave") from None
    if memory.numbers() != numbers:
        raise ValueError("memory: not what to_dict gave")
    for law in LAWS:
        for wrong in law(state, memory):
            raise ValueError(f"memory: belongs to another position: {wrong}")
    return memory


def _table(state: State, memory: Memory) -> Iterator[str]:
    """What lies open."""
    if (memory.deck_left, list(memory.row)) != (state.deck_left, list(state.row)):
        yield "its deck or row is another"
    if (list(memory.discards), list(memory.turned)) != (list(state.discards), list(state.turned)):
        yield "its discards or turned-up cards are others"
    if not 0 <= memory.began <= state.turn or not 0 <= memory.began_deck <= state.board.tickets:
        yield "it began at another time"


def _shape(state: State, memory: Memory) -> Iterator[str]:
    kinds = state.board.kinds
    epochs, over = len(memory.unseen) // kinds, len(memory.unseen) % kinds
    draws = len(memory.draw_seat)
    hands = state.seats * kinds
    if over or not epochs or min(memory.unseen) < 0:
        yield "its decks have other colours"
    if not draws == len(memory.draw_epoch) == len(memory.draw_card):
        yield "its draws are incomplete"
    if any(not 0 <= seat < state.seats for seat in memory.draw_seat):
        yield "its draws are of other seats"
    # A world of a game that is over leaves open who drew what: hands are open then, and nothing is asked of draws.
    if any(not 0 <= card < kinds and (card != HIDDEN or state.stage != OVER) for card in memory.draw_card):
        yield "its draws have other colours"
    if list(memory.draw_epoch) != sorted(memory.draw_epoch) or any(not 0 <= n < epochs for n in memory.draw_epoch):
        yield "its draws are from other decks"
    if not len(memory.taken) == len(memory.spent) == len(memory.need) == hands:
        yield "its hands are others"
    seats, colours = range(state.seats), range(kinds)
    if any(need.seat not in seats or need.colour not in colours or need.count < 1 for need in memory.needs):
        yield "its payments are others"
    if any(note.seat not in seats or len(note.base) != kinds or len(note.prices) % 3 for note in memory.stuck):
        yield "its passes are others"
    if any(price not in range(GREY, kinds - 1) for note in memory.stuck for price in list(note.prices)[::3]):
        yield "its passes are others"
    if any(note.epoch not in range(epochs) for note in memory.coloured):
        yield "its rows are others"
    for evidence in (memory.needs, memory.stuck, memory.coloured):
        times = [note.draws for note in evidence]
        if times != sorted(times) or any(not 0 <= time <= draws for time in times):
            yield "its draws are others"
    tickets = range(state.board.tickets)
    if any(choice.seat not in seats for choice in memory.choices):
        yield "its tickets were offered to other seats"
    if any(ticket not in tickets for choice in memory.choices for ticket in [*choice.offered, *choice.kept]):
        yield "its tickets are others"


def _cards(state: State, memory: Memory) -> Iterator[str]:
    """Each hand is what was taken and drawn less what was spent; each deck was drawn to its end but the last."""
    if state.stage == OVER:
        return
    kinds = state.board.kinds
    drawn: Counter[tuple[int, int]] = Counter(zip(memory.draw_seat, memory.draw_card, strict=True))
    largest: Counter[tuple[int, int]] = Counter()
    for need in memory.needs:
        largest[need.seat, need.colour] = max(largest[need.seat, need.colour], need.count)
    for seat in range(state.seats):
        for colour in range(kinds):
            at = seat * kinds + colour
            held = state.hands[at]
            if state.route != NONE and seat == state.seat:
                held += state.laid_wilds if colour == state.board.wild else 0
                held += state.board.length[state.route] - state.laid_wilds if colour == state.laid_colour else 0
            if memory.taken[at] - memory.spent[at] + drawn[seat, colour] != held:
                yield "its hands are others"
            if memory.need[at] != largest[seat, colour]:
                yield "its payments are others"
    left = list(memory.unseen)
    for epoch, card in zip(memory.draw_epoch, memory.draw_card, strict=True):
        left[epoch * kinds + card] -= 1
    deck = Counter(state.deck[: state.deck_left])
    if any(left[:-kinds]) or left[-kinds:] != [deck[colour] for colour in range(kinds)]:
        yield "its decks are others"


def _evidence(state: State, memory: Memory) -> Iterator[str]:
    """What payments, passes and rows of wilds showed is true of the cards that were drawn."""
    if state.stage == OVER:
        return
    wild = state.board.wild
    draws = list(zip(memory.draw_seat, memory.draw_epoch, memory.draw_card, strict=True))
    for need in memory.needs:
        if sum((who, card) == (need.seat, need.colour) for who, _, card in draws[: need.draws]) < need.count:
            yield "its payments are others"
    for stuck in memory.stuck:
        hand = list(stuck.base)
        for who, _, card in draws[: stuck.draws]:
            hand[card] += who == stuck.seat
        prices = list(stuck.prices)
        for colour, cards, wilds in zip(prices[::3], prices[1::3], prices[2::3], strict=True):
            most = max(hand[:wild]) if colour == GREY else hand[colour]
            if hand[wild] >= wilds and most + hand[wild] >= cards:
                yield "its passes are others"
    for note in memory.coloured:
        seen = sum(epoch == note.epoch and card != wild for _, epoch, card in draws[: note.draws])
        if not note.least <= note.unseen - seen <= note.most:
            yield "its rows are others"


def _tickets(state: State, memory: Memory) -> Iterator[str]:
    """Played over again, the offers lead to the tickets that are held, offered and in the deck."""
    if len(memory.choices) < state.seats or [c.seat for c in memory.choices[: state.seats]] != [*range(state.seats)]:
        yield "its opening offers are others"
        return
    for number, choice in enumerate(memory.choices):
        offered, kept = list(choice.offered), list(choice.kept)
        answered = choice.number != NONE or (state.stage == OPENING and state.answers[choice.seat] != NONE)
        if len(set(offered)) != len(offered) or kept != [ticket for ticket in offered if ticket in kept]:
            yield "its offers are others"
        if choice.number not in (NONE, len(kept)) or (not answered and kept):
            yield "its answers are others"
        if choice.number == NONE and state.stage != OPENING and number != len(memory.choices) - 1:
            yield "its answers are others"
    if not _replayed(state, memory):
        yield "its tickets are others"


def _replayed(state: State, memory: Memory) -> bool:
    """Whether the offers, played over again, lead to this position."""
    board, rules = state.board, state.board.rules
    first, later = memory.choices[: state.seats], memory.choices[state.seats :]
    size = memory.began_deck
    if memory.began == 0:
        size = board.tickets - sum(board.ticket_long) * (rules.opening_long > 0) - state.seats * rules.opening_tickets
        if any(len(choice.offered) != board.opening for choice in first):
            return False
        long = [n < rules.opening_long for n in range(board.opening)]
        if any([bool(board.ticket_long[ticket]) for ticket in choice.offered] != long for choice in first):
            return False
    # A place of the deck as it was first, and the ticket that came from there.
    deck = list(range(size))
    came: dict[int, int] = {}
    if memory.began == 0 and rules.opening_under and state.stage != OPENING:
        for choice in first:
            under = [ticket for ticket in choice.offered if ticket not in choice.kept][::-1]
            places = [-1 - ticket for ticket in under]
            came.update(zip(places, under, strict=True))
            deck = places + deck
    for choice in later:
        offered = list(choice.offered)
        if len(offered) > len(deck):
            return False
        places = deck[len(deck) - len(offered) :][::-1]
        deck = deck[: len(deck) - len(offered)]
        for place, ticket in zip(places, offered, strict=True):
            if came.setdefault(place, ticket) != ticket:
                return False
        if choice.number != NONE:
            deck = [place for place, ticket in zip(places, offered, strict=True) if ticket not in choice.kept][
                ::-1
            ] + deck
    if state.stage != OVER:
        if len(deck) != len(state.ticket_deck):
            return False
        for place, ticket in zip(deck, state.ticket_deck, strict=True):
            if came.setdefault(place, ticket) != ticket:
                return False
    return _held(state, first, later, came)


def _held(state: State, first: list[Choice], later: list[Choice], came: dict[int, int]) -> bool:
    tickets = [*came.values(), *(ticket for choice in first for ticket in choice.offered if -1 - ticket not in came)]
    if len(set(tickets)) != len(tickets):
        return False
    if state.stage == OVER:
        return True  # all is open, and a world that was sampled remembers other choices that led here
    if state.stage == OPENING:
        masks = [sum(1 << n for n, ticket in enumerate(c.offered) if ticket in c.kept) or NONE for c in first]
        offer = [ticket for choice in first for ticket in choice.offered]
        return not later and offer == list(state.offer) and masks == list(state.answers)
    holder = [int(NOBODY)] * state.board.tickets
    for choice in [*first, *later]:
        for ticket in choice.kept:
            holder[ticket] = choice.seat
    opened = [choice for choice in later if choice.number == NONE]
    offer = [ticket for choice in opened for ticket in choice.offered]
    return holder == list(state.holder) and offer == list(state.offer) and all(c.seat == state.seat for c in opened)


LAWS: tuple[Callable[[State, Memory], Iterator[str]], ...] = (_shape, _table, _cards, _evidence, _tickets)
