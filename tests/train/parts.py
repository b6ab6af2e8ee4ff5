"""A small run whose tables are played in parts: at home, in processes, or on a cluster."""

from collections.abc import Callable

import jax

from branchline import load_map
from branchline.bots.learned.heads import Heads
from branchline.observation.spaces import COLOURED, Space
from branchline.spread import Cluster, Processes
from branchline.train.crew import Crew
from branchline.train.net import begin, spread
from branchline.train.ppo import Batch
from branchline.train.settings import Settings
from branchline.train.tables import Tables, mix

SETTINGS = Settings("new-york", (2, 3), hidden=8, tables=24, steps=24, parts=4)
BATCHES = 3


def play(others: Cluster | Processes | None, between: Callable[[int], None] = lambda _: None) -> list[Batch]:
    """Some batches; `between`: called before each, with its number."""
    map = load_map(SETTINGS.map)
    sitting = mix(SETTINGS.seats, SETTINGS.tables, {"past": 0.2, "regular": 0.2, "random": 0.1, "one-step": 0.1})
    board = Tables(map, sitting, 0, places=SETTINGS.places)
    heads = Heads(Space(board.sets[0].board, COLOURED))
    params = begin(jax.random.PRNGKey(1), board.observations.shape[1], SETTINGS.hidden, heads)
    crew = Crew(map, sitting, 5, SETTINGS, others)
    batches = []
    for number in range(BATCHES):
        between(number)
        batches.append(crew.collect(params, params, spread(heads), jax.random.PRNGKey(number)))
    return batches


def check_alike(one: list[Batch], other: list[Batch]) -> None:
    """The same decisions, whoever played; and games came to their end in them."""
    assert sum(batch.games for batch in one) > 0
    for mine, theirs in zip(one, other, strict=True):
        assert mine.games == theirs.games
        assert mine.observations.tobytes() == theirs.observations.tobytes()
        assert mine.actions.tolist() == theirs.actions.tolist()
        assert mine.returns.tobytes() == theirs.returns.tobytes()
