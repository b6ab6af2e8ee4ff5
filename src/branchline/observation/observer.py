"""What the seats of one game see, as bytes: a page for each of them."""

from librt.vecs import vec
from mypy_extensions import i64, u8

from branchline.observation.layout import Layout, blank
from branchline.observation.page import Page
from branchline.observation.witness import Witness


class Observer:
    """Writes what the seats of one game see, each seat's observation behind that of the seat before it."""

    def __init__(self, layout: Layout, witness: Witness, out: vec[u8], at: i64) -> None:
        """The observations stand in `out` from `at` on, where there are noughts; see `observing`."""
        self.layout = layout
        self.witness = witness
        self.out = out
        self.pages: list[Page] = []
        seat: i64 = 0
        while seat < witness.state.seats:
            self.pages.append(Page(layout, witness, seat, out, at + seat * layout.size))
            seat += 1

    def observe(self, seat: i64) -> i64:
        """Bring the observation of `seat` up to date; returns where it stands in `out`."""
        page = self.pages[seat]
        page.write()
        return page.at

    def observed(self, seat: i64) -> vec[u8]:
        """The observation of `seat` by itself."""
        at = self.observe(seat)
        return self.out[at : at + self.layout.size]


def observing(layout: Layout, witness: Witness) -> Observer:
    """An observer with bytes of its own."""
    return Observer(layout, witness, blank(witness.state.seats * layout.size), 0)
