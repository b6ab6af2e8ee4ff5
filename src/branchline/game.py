"""Game: the face people use. Readable actions, events, views and scores over the engine; translation, no rule."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from branchline import positions, scores
from branchline.actions import (
    Action,
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    Pass,
    PayTunnel,
    TakeBack,
)
from branchline.codec import check_seed, shortened
from branchline.engine.apply import act
from branchline.engine.board import BUILD, CLAIM, DRAW_DECK, DRAW_TICKETS, KEEP, PASS, PAY, TAKE_BACK
from branchline.engine.happenings import Happening, Happenings
from branchline.engine.legal import not_now
from branchline.engine.memory import Memory, restore_memory
from branchline.engine.newcomer import memory_of
from branchline.engine.refusals import LEGAL, NO_SEAT, NOT_AN_ACTION, refuse
from branchline.engine.setup import deal
from branchline.engine.shuffle import Rng, Shuffler, game_key
from branchline.engine.sight import SPECTATOR, look
from branchline.engine.stages import STAGES
from branchline.engine.state import State
from branchline.engine.worlds import Worlds
from branchline.events import Event, as_seen
from branchline.maps import Map, load_map
from branchline.names import Names, names_of
from branchline.scores import Scores
from branchline.telling import event_of
from branchline.views import View

_KINDS: dict[type, int] = {
    DrawCard: DRAW_DECK,
    ClaimRoute: CLAIM,
    PayTunnel: PAY,
    TakeBack: TAKE_BACK,
    DrawTickets: DRAW_TICKETS,
    KeepTickets: KEEP,
    BuildStation: BUILD,
    Pass: PASS,
}


class Game:
    """A game of any map, with everything that is hidden in it. What one seat may see is its `view`."""

    def __init__(self, map: Map, state: State, memory: Memory) -> None:
        """Use `Game.new` or `Game.from_dict`."""
        self.map = map
        self._names: Names = names_of(map)
        self._state = state
        self._memory = memory
        self._opening: list[Happening] = []
        self._log: list[tuple[int, Action]] = []
        self._named_first: int | None = None

    @classmethod
    def new(
        cls,
        map: str | Path | Map,
        seats: int,
        seed: int | str | bytes,
        *,
        first: int | None = None,
        entropy: bytes = b"",
    ) -> "Game":
        """Deal a new game on a map (its id, its file, or a loaded one).

        The same seed deals the same game, whatever the machine; `entropy` is mixed into it (docs/records.md). The
        shuffle decides who begins unless `first` names a seat (R2.6).
        """
        if not isinstance(map, Map):
            map = load_map(map)
        rules = map.rules
        if not _is_int(seats) or not rules.seats_min <= seats <= rules.seats_max:
            raise ValueError(
                f"seats: {map.id} is for {rules.seats_min} to {rules.seats_max} (R1.1), not {shortened(seats)}"
            )
        if first is not None and (not _is_int(first) or not 0 <= first < seats):
            raise ValueError(f"first: a seat from 0 to {seats - 1}, not {shortened(first)}")
        try:
            check_seed(seed)
        except ValueError as error:
            raise ValueError(f"seed: {error}") from None
        if not isinstance(entropy, bytes):
            raise ValueError(f"entropy: bytes, not {shortened(entropy)}")
        return cls.dealt(map, seats, Shuffler(game_key(seed, entropy)), first)

    @classmethod
    def dealt(cls, map: Map, seats: int, shuffler: Shuffler, first: int | None = None) -> "Game":
        """Deal a new game with a shuffler of your own: the fast one for simulations, or a key found elsewhere."""
        listener = Happenings()
        state = deal(names_of(map).board, seats, shuffler, -1 if first is None else first, listener)
        state.happenings = None
        memory = Memory(state.board, seats)
        memory.note(state, listener.items)
        game = cls(map, state, memory)
        game._opening = listener.items
        game._named_first = first
        return game

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return self._state.seats

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._state.over

    @property
    def stage(self) -> str:
        """What the game waits for: opening, turn, second-draw, tunnel-owed, ticket-offer or over."""
        return STAGES[self._state.stage]

    @property
    def turn(self) -> int:
        """Turns begun so far; 0 in the opening."""
        return self._state.turn

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now: several in the opening, none when the game is over (R2.5)."""
        return tuple(self._state.to_act())

    @property
    def state(self) -> State:
        """A copy of the state in small ints: `state.legal()`, `state.apply(index)`, `state.copy()`."""
        return self._state.copy()

    @property
    def key(self) -> bytes:
        """The key of all shuffles: a secret while the game runs, and all that `verify` needs after it (R8.3, R8.5)."""
        return self._state.shuffler.key

    @property
    def was_dealt(self) -> bool:
        """Whether the game is here from its deal on, and not from a position."""
        return bool(self._opening)

    @property
    def named_first(self) -> int | None:
        """The first seat, if it was named; None if the shuffle chose it (R2.6)."""
        return self._named_first

    @property
    def log(self) -> tuple[tuple[int, Action], ...]:
        """Who did what since this game was dealt, or read from a position."""
        return tuple(self._log)

    def opening_events(self, seat: int | None = None) -> list[Event]:
        """What the deal did, as `seat` may know it; everything, without a seat. Empty for a game not dealt here."""
        events = [event_of(happening, self._names) for happening in self._opening]
        return events if seat is None else [self.event_for(event, seat) for event in events]

    def legal_actions(self, seat: int) -> list[Action]:
        """What `seat` may do now, in the order of the action indices."""
        return [self._names.action(index, self._state, seat) for index in self.legal_indices(seat)]

    def legal_indices(self, seat: int) -> list[int]:
        """The indices of what `seat` may do now, ascending."""
        self._check_seat(seat)
        return list(self._state.legal(seat))

    def action(self, index: int, seat: int) -> Action:
        """The action that an index of `seat` means now."""
        self._check_seat(seat)
        if not _is_int(index) or not 0 <= index < self._state.board.actions:
            raise refuse(NOT_AN_ACTION)
        return self._names.action(index, self._state, seat)

    def index(self, action: Action, seat: int) -> int:
        """The index of an action of `seat` now; IllegalAction if it could never be legal."""
        self._check_seat(seat)
        kind = _KINDS.get(type(action))
        if kind is None:
            raise refuse(NOT_AN_ACTION)
        reason = not_now(self._state, seat, kind)
        if reason != LEGAL:
            raise refuse(reason)
        return self._names.index(action, self._state, seat)

    def play(self, seat: int, action: Action) -> list[Event]:
        """Do an action whole and return what happened, or raise IllegalAction and change nothing."""
        return self.play_index(seat, self.index(action, seat))

    def play_index(self, seat: int, index: int) -> list[Event]:
        """Do the action of an index, like `play`."""
        self._check_seat(seat)
        if not _is_int(index):
            raise refuse(NOT_AN_ACTION)
        reason = self._state.refusal(index, seat) if 0 <= index < self._state.board.actions else NOT_AN_ACTION
        if reason != LEGAL:
            raise refuse(reason)
        action = self._names.action(index, self._state, seat)
        # On copies, so that whatever goes wrong the action happens whole or not at all.
        state, memory, listener = self._state.copy(), self._memory.copy(), Happenings()
        state.happenings = listener
        act(state, seat, index)
        state.happenings = None
        memory.note(state, listener.items)
        self._state, self._memory = state, memory
        self._log.append((seat, action))
        return [event_of(happening, self._names) for happening in listener.items]

    def event_for(self, event: Event, seat: int | None) -> Event:
        """An event as `seat` may know it, or a spectator (None)."""
        return as_seen(event, seat)

    def view(self, seat: int | None) -> View:
        """What `seat` may see, with what it could remember; None for a spectator."""
        if seat is None:
            return View(self.map, look(self._state, self._memory, SPECTATOR))
        self._check_seat(seat)
        return View(self.map, look(self._state, self._memory, seat))

    def scores(self) -> Scores:
        """The count, as if the game ended now."""
        return scores.count(self._state, self._names)

    def copy(self) -> "Game":
        """An independent copy."""
        new = Game(self.map, self._state.copy(), self._memory.copy())
        new._opening = self._opening
        new._log = self._log[:]
        new._named_first = self._named_first
        return new

    def to_dict(self) -> dict[str, Any]:
        """The whole state, secrets included, as JSON data (docs/records.md)."""
        return positions.to_dict(self.map, self._state, self._memory)

    @classmethod
    def from_dict(cls, data: object, maps: Iterable[Map] = ()) -> "Game":
        """The game that data describes: what `to_dict` gave, or a position written by hand.

        Its map is one of ours or of `maps`, by its id, or whole data; never a file. A position without `memory` is one
        that all seats come upon without its history. ValueError names the field that is wrong.
        """
        map, state, memory = positions.from_dict(data, maps)
        return cls(map, state, memory if memory is not None else memory_of(state))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.map == other.map and self._numbers() == other._numbers()

    def __hash__(self) -> int:
        return hash((self.map, repr(self._numbers())))

    def __repr__(self) -> str:
        return f"<Game on {self.map.id}, {self.seats} seats, turn {self.turn}, {self.stage}>"

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _restore, (self.map, self._state, self._memory.numbers(), self._opening, self._log, self._named_first)

    def _numbers(self) -> tuple[object, ...]:
        state = self._state
        return state.shuffler.key, int(state.shuffler.fast), state.numbers(), self._memory.numbers()

    def _check_seat(self, seat: int) -> None:
        if not _is_int(seat) or not 0 <= seat < self.seats:
            raise refuse(NO_SEAT)


def sample_world(view: View, rng: Rng) -> Game:
    """A full game that the view's seat could not tell from the real one; as likely as any other, or nearly so.

    Exactly where plain tries find one; where they do not, a chain of swaps is stirred for a while (docs/testing.md).
    """
    worlds = Worlds(view.sight, rng)
    state = worlds.sample()
    return Game(view.map, state, worlds.memory())


def _restore(
    map: Map,
    state: State,
    memory: list[list[int]],
    opening: list[Happening],
    log: list[tuple[int, Action]],
    named_first: int | None,
) -> Game:
    game = Game(map, state, restore_memory(state.board, state.seats, memory))
    game._opening = opening
    game._log = log
    game._named_first = named_first
    return game


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
