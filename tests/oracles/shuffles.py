"""The shuffles again, from docs/records.md alone, and a deal made with them."""

import hmac
from collections.abc import Iterator
from hashlib import sha256
from typing import TypeVar

from branchline import Map

T = TypeVar("T")


def key(seed: int | str | bytes, entropy: bytes = b"") -> bytes:
    """The key of a game."""
    if isinstance(seed, bytes):
        material = b"b" + seed
    elif isinstance(seed, str):
        material = b"s" + seed.encode("utf-8")
    else:
        material = b"i" + str(seed).encode("ascii")
    return hmac.digest(sha256(material).digest(), b"branchline-shuffle-1" + entropy, "sha256")


def numbers(key: bytes, label: bytes, index: int) -> Iterator[int]:
    """The 32-bit numbers of one shuffle."""
    block = 0
    while True:
        digest = sha256(
            key + bytes((len(label),)) + label + index.to_bytes(4, "big") + block.to_bytes(4, "big")
        ).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def below(stream: Iterator[int], n: int) -> int:
    """A number below n: those past the last whole multiple of n are passed over."""
    for x in stream:
        if x < 2**32 // n * n:
            return x % n
    raise AssertionError


def shuffled(pile: list[T], key: bytes, label: bytes, index: int) -> list[T]:
    """Fisher and Yates from the end."""
    stream = numbers(key, label, index)
    out = list(pile)
    for last in range(len(out) - 1, 0, -1):
        other = below(stream, last + 1)
        out[last], out[other] = out[other], out[last]
    return out


def card_pile(map: Map) -> list[str]:
    """All cards in canonical order."""
    return [colour for colour in (*map.colours, "wild") for _ in range(map.cards[colour])]


class Deal:
    """Setting up by the same page: hands, row and offers as lists of names."""

    def __init__(self, map: Map, seats: int, key: bytes, first: int | None = None) -> None:
        self.map, self.key, self.index = map, key, 0
        rules = map.rules
        self.first = first
        if first is None:
            self.first = below(numbers(key, b"first", self._next()), seats)
        self.discards: list[str] = []
        self.deck = shuffled(card_pile(map), key, b"cards", self._next())
        self.hands = [[self._draw() for _ in range(rules.opening_cards)] for _ in range(seats)]
        self.row: list[str] = []
        self._turn_up()
        long = [ticket.id for ticket in map.tickets if ticket.long]
        short = [ticket.id for ticket in map.tickets if not ticket.long]
        if rules.opening_long:
            long = shuffled(long, key, b"long", self._next())
        self.tickets = shuffled(short, key, b"tickets", self._next())
        self.offers: list[list[str]] = []
        for _ in range(seats):
            offer = [long.pop() for _ in range(rules.opening_long)]
            self.offers.append(offer + [self.tickets.pop() for _ in range(rules.opening_tickets)])

    def _next(self) -> int:
        self.index += 1
        return self.index - 1

    def _reshuffle(self) -> None:
        if not self.deck and self.discards:
            pile = [card for card in dict.fromkeys(card_pile(self.map)) for _ in range(self.discards.count(card))]
            self.deck = shuffled(pile, self.key, b"cards", self._next())
            self.discards = []

    def _draw(self) -> str:
        card = self.deck.pop()
        self._reshuffle()
        return card

    def _turn_up(self) -> None:
        """Fill the row; too many wilds send it to the discards, where new cards could help (R3.6)."""
        rules = self.map.rules
        for _ in range(rules.row_resets + 1):
            self._reshuffle()
            while len(self.row) < rules.row and self.deck:
                self.row.append(self._draw())
            cards = self.row + self.deck + self.discards
            coloured = sum(card != "wild" for card in cards)
            if self.row.count("wild") < rules.row_wilds or len(cards) < rules.row:
                return
            if coloured <= rules.row - rules.row_wilds or _ == rules.row_resets:
                return
            self.discards += self.row
            self.row = []
