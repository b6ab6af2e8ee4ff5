"""OpenSpiel: the games for its algorithms, written in Python over the compiled engine.

    import pyspiel
    import branchline.env.openspiel

    game = pyspiel.load_game("branchline(map=new-york,players=2)")
    state = game.new_initial_state()

Parameters: `map` (europe, new-york or a map file), `players`, `actions` ("full", "coloured" or "compact"), `turns` (a
game that lasts longer is counted as it stands). Returns are 1 for the first to -1 for the last, equal places sharing.

Chance has three nodes at the root, of 1,024 outcomes each: together they are the seed of one of 2^30 deals, from which
the order of both decks and all later shuffles follow. So what chance decided is hidden, as at the table, and stays
hidden: `resample_from_infostate` deals a world that the player cannot tell from this one, every one as likely as it
should be (`branchline.sample_world`), and searches that use it (IS-MCTS) do not peek.

The information state string is all that a player has seen: every event as it was told to everybody, and what only it
knows. The observation tensor is the observation of docs/research.md, each byte divided by 255.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from branchline.codec import to_line
from branchline.engine.scoring import Scores
from branchline.engine.shuffle import Rng, Shuffler
from branchline.env.rewards import final
from branchline.game import Game, sample_world
from branchline.maps import load_map
from branchline.names import names_of
from branchline.observation.layout import Layout, blank
from branchline.observation.observer import observing
from branchline.observation.spaces import Space
from branchline.observation.witness import recall

DIGITS = 3
OUTCOMES = 1024
"""Outcomes of each of the chance nodes that make a deal's seed, digit by digit."""

_TYPE = pyspiel.GameType(
    short_name="branchline",
    long_name="Branchline: Europe and New York",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=5,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"map": "new-york", "players": 2, "actions": "full", "turns": 400},
)


class Rules:
    """What all states of a game share; a copy is the same."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.map = load_map(settings["map"])
        self.seats = int(settings["players"])
        rules = self.map.rules
        if not rules.seats_min <= self.seats <= rules.seats_max:
            raise ValueError(
                f"players: {self.map.id} is for {rules.seats_min} to {rules.seats_max} (R1.1), not {self.seats}"
            )
        self.turns = int(settings["turns"])
        board = names_of(self.map).board
        self.space = Space(board, settings["actions"])
        self.layout = Layout(board, self.seats)

    def __deepcopy__(self, memo: object) -> "Rules":
        return self

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Rules, (self.settings,)


class BranchlineGame(pyspiel.Game):  # type: ignore[misc]
    """A map with a number of players."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        settings: dict[str, Any] = _TYPE.parameter_specification | (params or {})
        self.rules = rules = Rules(settings)
        info = pyspiel.GameInfo(
            num_distinct_actions=int(rules.space.size),
            max_chance_outcomes=OUTCOMES,
            num_players=rules.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # A turn has at most two actions, a draw of tickets or a tunnel and its answer among them.
            max_game_length=2 * rules.turns + 2 + rules.seats,
        )
        super().__init__(_TYPE, info, settings)

    def new_initial_state(self) -> "BranchlineState":
        """Before the deal."""
        return BranchlineState(self, self.rules)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> "Watcher":
        """What writes observations; the same for every kind of recall asked for."""
        return Watcher(self.rules, params)

    def max_chance_nodes_in_history(self) -> int:
        """Those of the deal."""
        return DIGITS


class _Held:
    """A game and what everybody was told of it; copies are the engine's, not Python's."""

    def __init__(self, game: Game | None, told: tuple[str, ...]) -> None:
        self.game = game
        self.told = told

    def __deepcopy__(self, memo: object) -> "_Held":
        return _Held(None if self.game is None else self.game.copy(), self.told)


class BranchlineState(pyspiel.State):  # type: ignore[misc]
    """A position; before the deal it holds the digits chosen so far."""

    def __init__(self, game: BranchlineGame, rules: Rules) -> None:
        super().__init__(game)
        self._rules = rules
        self._seed = 0
        self._digits = 0
        self._held = _Held(None, ())

    @property
    def position(self) -> Game:
        """The game as Branchline has it."""
        assert self._held.game is not None
        return self._held.game

    def current_player(self) -> int:
        """Whose turn it is, chance's or nobody's."""
        if self._held.game is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return self.position.to_act[0]

    def is_terminal(self) -> bool:
        """Whether the game is over, or has lasted too long."""
        game = self._held.game
        return game is not None and (game.over or game.turn > self._rules.turns)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The digits of a seed."""
        return [(digit, 1 / OUTCOMES) for digit in range(OUTCOMES)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._rules.space.allowed(self.position.state, player))

    def _apply_action(self, action: int) -> None:
        if self._held.game is None:
            self._seed = self._seed * OUTCOMES + action
            self._digits += 1
            if self._digits == DIGITS:
                self._held.game = Game.dealt(self._rules.map, self._rules.seats, Shuffler(b"", self._seed))
            return
        game = self.position
        player = self.current_player()
        events = game.play_index(player, int(self._rules.space.index(game.state, player, action)))
        self._held.told += tuple(to_line(game.event_for(event, None)) for event in events)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"digit {action}"
        index = int(self._rules.space.index(self.position.state, player, action))
        return str(self.position.action(index, player))

    def returns(self) -> list[float]:
        """1 for the first to -1 for the last; nothing before the end."""
        if not self.is_terminal():
            return [0.0] * self._rules.seats
        scores = Scores(self.position.state)
        out: list[float] = final("rank", np.array([list(scores.total)]), np.array([list(scores.rank)]))[0].tolist()
        return out

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player has seen."""
        if self._held.game is None:
            return f"before the deal, {self._digits}"
        sight = self.position.view(self.current_player() if player is None else player).sight
        return "\n".join((*self._held.told, str(sight.numbers()), str(sight.memory.numbers())))

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "BranchlineState":
        """A state that the player cannot tell from this one."""
        rng = Rng(int(sampler() * 2**32) << 30 | int(sampler() * 2**30))
        new = BranchlineState(self.get_game(), self._rules)
        new._seed, new._digits = self._seed, self._digits
        if self._held.game is not None:
            new._held = _Held(sample_world(self.position.view(player), rng), self._held.told)
        return new

    def __str__(self) -> str:
        if self._held.game is None:
            return f"before the deal, {self._digits} digits of the seed chosen"
        return str(self.position.to_dict())


class Watcher:
    """Writes the observation of docs/research.md."""

    def __init__(self, rules: Rules, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"an observer takes no parameters, not {params}")
        self.layout = rules.layout
        self.tensor = np.zeros(int(self.layout.size), np.float32)
        self.dict = {
            field.name: self.tensor[field.at : field.at + field.size].reshape(field.shape)
            for field in self.layout.fields
            if field.size
        }

    def set_from(self, state: BranchlineState, player: int) -> None:
        """Write what a player sees."""
        out = blank(self.layout.size)
        if state._held.game is not None:
            witness = recall(state.position.view(player).sight, self.layout.start)
            out = observing(self.layout, witness).observed(player)
        self.tensor[:] = np.asarray(out)
        self.tensor /= 255

    def string_from(self, state: BranchlineState, player: int) -> str:
        """What a player sees, as text."""
        if state._held.game is None:
            return "before the deal"
        return str(state.position.view(player).sight.numbers())


pyspiel.register_game(_TYPE, BranchlineGame)
