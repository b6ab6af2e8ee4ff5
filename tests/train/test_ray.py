"""Training on a real Ray cluster of two nodes, one of which is killed on the way.

Beside the other tests that need JAX: after it is imported a process had better not fork.
"""

from contextlib import closing
from typing import Any

import pytest

from branchline.spread import Cluster
from tests.nodes import NODE, cluster
from tests.train.parts import check_alike, play

pytest.importorskip("ray", reason="Ray is an extra")
pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own

__all__ = ["cluster"]


def test_training_on_a_cluster_is_training_at_home_though_a_node_is_killed(cluster: Any) -> None:
    node = cluster.add_node(**NODE)
    cluster.wait_for_nodes()

    def kill(number: int) -> None:
        if number == 1:  # it has had its part of the first batch
            cluster.remove_node(node, allow_graceful=False)

    with closing(Cluster(cluster.address)) as reached:
        away = play(reached, kill)
    assert len(cluster.list_all_nodes()) == 1
    check_alike(play(None), away)
