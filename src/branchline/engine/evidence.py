"""What was seen of cards and tickets that are hidden: the evidence that a memory keeps and worlds must agree with."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from branchline.engine.board import NONE, filled

HIDDEN: Final[i64] = -2
"""Stands for a card or ticket that the one who looks has not seen."""


class Need:
    """A payment shows that of the cards a seat had drawn blind, so many at least were of this colour."""

    def __init__(self, seat: i64, colour: i64, count: i64, draws: i64) -> None:
        """`draws`: how many blind draws, of all seats, there had been."""
        self.seat: i64 = seat
        self.colour: i64 = colour
        self.count: i64 = count
        self.draws: i64 = draws


class Stuck:
    """A pass shows that a seat could pay for nothing that was open to it (R8.4)."""

    def __init__(self, seat: i64, draws: i64, base: vec[i64], prices: vec[i64]) -> None:
        """`base`: cards of each colour taken face up less those spent; `prices`: colour or GREY, cards, wilds, ..."""
        self.seat: i64 = seat
        self.draws: i64 = draws
        self.base = base
        self.prices = prices


class Coloured:
    """Whether a row of wilds was reset shows how many coloured cards the deck held (R3.6)."""

    def __init__(self, epoch: i64, draws: i64, unseen: i64, least: i64, most: i64) -> None:
        """`unseen`: coloured cards of the epoch not seen by all; of these the deck held from `least` to `most`."""
        self.epoch: i64 = epoch
        self.draws: i64 = draws
        self.unseen: i64 = unseen
        self.least: i64 = least
        self.most: i64 = most


class Choice:
    """One answer to an offer of tickets."""

    def __init__(self, seat: i64, offered: vec[i64], kept: vec[i64], number: i64) -> None:
        """`offered` and `kept` are HIDDEN where the one who looks has not seen them; `number` were kept."""
        self.seat: i64 = seat
        self.offered = offered
        self.kept = kept
        self.number: i64 = number
        """NONE while the offer is open, or its answer not public."""
        self._hidden: Choice | None = None

    def hidden(self) -> "Choice":
        """What others know of it: how many were offered, and how many of them kept, once that is public (R2.5)."""
        if self._hidden is None:
            offered = filled(len(self.offered), HIDDEN)
            kept = vec[i64]() if self.number == NONE else filled(self.number, HIDDEN)
            self._hidden = Choice(self.seat, offered, kept, self.number)
        return self._hidden
