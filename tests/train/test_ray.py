"""Training on a real Ray cluster of two nodes, one of which is killed on the way.

Beside the other tests that need JAX: after it is imported a process had better not fork.
"""

from contextlib import closing
from typing import Any

import jax
import pytest

from branchline import load_map
from branchline.bots.learned.heads import Heads
from branchline.observation.spaces import COLOURED, Space
from branchline.spread import Cluster
from branchline.train.crew import Crew
from branchline.train.net import begin
from branchline.train.net import spread as spread_heads
from branchline.train.ppo import Batch
from branchline.train.settings import Settings
from branchline.train.tables import Tables, mix
from tests.nodes import NODE, cluster

pytest.importorskip("ray", reason="Ray is an extra")
pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own

NEW_YORK = load_map("new-york")
__all__ = ["cluster"]


def test_training_on_a_cluster_is_training_at_home_though_a_node_is_killed(cluster: Any) -> None:
    node = cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    settings = Settings("new-york", (2, 3), hidden=8, tables=24, steps=24, parts=4)
    seats = mix(settings.seats, settings.tables, {"past": 0.2, "regular": 0.2, "random": 0.1, "one-step": 0.1})
    board = Tables(NEW_YORK, seats, 0, places=settings.places)
    heads = Heads(Space(board.sets[0].board, COLOURED))
    params = begin(jax.random.PRNGKey(1), board.observations.shape[1], 8, heads)

    def batches(reached: Cluster | None) -> list[Batch]:
        crew = Crew(NEW_YORK, seats, 5, settings, reached)
        out = []
        for n in range(3):
            if n == 1 and reached is not None:  # it has had its part of the first batch
                cluster.remove_node(node, allow_graceful=False)
            out.append(crew.collect(params, params, spread_heads(heads), jax.random.PRNGKey(n)))
        return out

    home = batches(None)
    with closing(Cluster(cluster.address)) as reached:
        away = batches(reached)
    assert len(cluster.list_all_nodes()) == 1
    assert sum(batch.games for batch in home) > 0
    for one, other in zip(home, away, strict=True):
        assert one.games == other.games
        assert one.observations.tobytes() == other.observations.tobytes()
        assert one.actions.tolist() == other.actions.tolist()
        assert one.returns.tobytes() == other.returns.tobytes()
