"""The road for ints: what an environment, a bot or a simulation needs, without reaching into the engine.

    from branchline import ints

    play = ints.deal("new-york", seats=2, seed=7)
    rng = ints.Rng(1)
    while not play.over:
        allowed = play.allowed()                  # what the seat to act may do, as ints
        bytes = play.observe()                    # what it sees and remembers (docs/research.md names every byte)
        play.act(allowed[rng.below(len(allowed))])
    print(list(play.scores().total))

Everything is whole numbers and compiled; a step costs a microsecond or two. `play.state` is the engine's `State` with
everything that is hidden, and its `copy()` a free hand for search; `ints.recall(view)` does the same from a view alone.
What is stored should carry the versions: `ACTIONS_VERSION` of the full actions, `COMPACT_VERSION` of the others,
`OBSERVATION_VERSION` of observations.
"""

from pathlib import Path

from librt.vecs import vec
from mypy_extensions import i64

from branchline.engine.board import ACTIONS_VERSION, Board
from branchline.engine.refusals import NOT_AN_ACTION, refuse
from branchline.engine.scoring import Scores
from branchline.engine.setup import deal as deal_state
from branchline.engine.shuffle import Rng, Shuffler, game_key
from branchline.engine.state import State
from branchline.maps import Map, load_map
from branchline.names import names_of
from branchline.observation import witness
from branchline.observation.layout import OBSERVATION_VERSION, Layout
from branchline.observation.observer import observing
from branchline.observation.spaces import COMPACT_VERSION, Space
from branchline.observation.witness import Witness
from branchline.views import View

__all__ = [
    "ACTIONS_VERSION",
    "COMPACT_VERSION",
    "OBSERVATION_VERSION",
    "Board",
    "Layout",
    "Play",
    "Rng",
    "Scores",
    "Space",
    "State",
    "board",
    "check_version",
    "deal",
    "recall",
]


class Play:
    """One game as ints, with what its seats could remember."""

    def __init__(self, seen: Witness, space: Space, layout: Layout) -> None:
        """Use `deal` or `recall`."""
        self.state = seen.state
        self.space = space
        self.layout = layout
        self._witness = seen
        self._observer = observing(layout, seen)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.over

    @property
    def actor(self) -> int:
        """The seat to act; in the opening the lowest that has not answered; -1 when the game is over."""
        return int(self.state.actor)

    def allowed(self, seat: int | None = None) -> vec[i64]:
        """What a seat (the one to act) may do now, ascending."""
        return self.space.allowed(self.state, self.actor if seat is None else seat)

    def mask(self, seat: int | None = None) -> bytes:
        """The same as a byte for each action: 1 where it is allowed."""
        out = bytearray(int(self.space.size))
        for action in self.allowed(seat):
            out[action] = 1
        return bytes(out)

    def observe(self, seat: int | None = None) -> bytes:
        """What a seat (the one to act) sees and remembers."""
        return bytes(self._observer.observed(self.actor if seat is None else seat))

    def act(self, action: int) -> None:
        """Do an action of the seat to act, or raise IllegalAction and change nothing."""
        seat = self.actor
        if type(action) is not int or action not in self.allowed():
            raise refuse(NOT_AN_ACTION)
        self._witness.act(seat, self.space.index(self.state, seat, action))

    def index(self, action: int) -> int:
        """The engine's index of an action that is allowed now."""
        return int(self.space.index(self.state, self.actor, action))

    def scores(self) -> Scores:
        """The count, as if the game ended now."""
        return Scores(self.state)


def board(map: str | Path | Map) -> Board:
    """A map as tables of ints."""
    return names_of(map if isinstance(map, Map) else load_map(map)).board


def deal(
    map: str | Path | Map,
    seats: int,
    seed: int | str | bytes,
    *,
    actions: str = "full",
    places: int | None = None,
    fast: bool = False,
) -> Play:
    """A new game. The same seed deals what `Game.new` deals; `fast` ones are other deals, shuffled quickly."""
    tables = board(map)
    rules = tables.rules
    if type(seats) is not int or not rules.seats_min <= seats <= rules.seats_max:
        raise ValueError(f"seats: this map is for {rules.seats_min} to {rules.seats_max} (R1.1), not {seats!r}")
    if fast and not isinstance(seed, int):
        raise ValueError(f"seed: an int for a fast deal, not {seed!r}")
    shuffler = Shuffler(b"", seed) if fast and isinstance(seed, int) else Shuffler(game_key(seed))
    layout = Layout(tables, seats if places is None else places)
    state = deal_state(tables, seats, shuffler)
    return Play(witness.watch(state, layout.start), Space(tables, actions), layout)


def recall(view: View, *, actions: str = "full", places: int | None = None) -> Play:
    """What a view's seat knows, to be observed and asked for what is allowed; it must not be played on."""
    if view.seat is None:
        raise ValueError("a spectator's view has no seat to observe for")
    tables = view.sight.board
    layout = Layout(tables, len(view.seats) if places is None else places)
    return Play(witness.recall(view.sight, layout.start), Space(tables, actions), layout)


def check_version(observation: int | None = None, actions: int | None = None, compact: int | None = None) -> None:
    """Refuse what was stored with other versions than these: ValueError says which."""
    for what, stored, ours in (
        ("observations", observation, OBSERVATION_VERSION),
        ("actions", actions, ACTIONS_VERSION),
        ("compact actions", compact, COMPACT_VERSION),
    ):
        if stored is not None and stored != ours:
            raise ValueError(f"{what} of version {stored!r} can't be read here: this Branchline has version {ours}")
