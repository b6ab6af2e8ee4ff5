"""On a real Ray cluster of two nodes on this machine, one of which is killed on the way."""

from contextlib import closing
from typing import Any

import pytest

from branchline import load_map
from branchline.arena.match import Match
from branchline.arena.run import run
from branchline.cli.named_bots import bot_game
from branchline.simulate import simulate
from branchline.spread import NoCluster, spread
from tests.cli.conftest import Branchline
from tests.nodes import NODE, cluster

pytest.importorskip("ray", reason="Ray is an extra")
pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own

NEW_YORK = load_map("new-york")
__all__ = ["cluster"]


def test_a_cluster_plays_the_same_games_though_a_node_is_killed(cluster: Any) -> None:
    node = cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    bots = ("novice", "hungry")
    alone = list(simulate(NEW_YORK, 2, 60, 7, bot_game, 1, bots=bots))
    results = simulate(NEW_YORK, 2, 60, 7, bot_game, bots=bots, ray=cluster.address)
    with closing(results):
        together = [next(results) for _ in range(3)]
        cluster.remove_node(node, allow_graceful=False)
        together += results
    assert together == alone


def test_an_arena_on_a_cluster_has_the_same_result_though_a_node_is_killed(cluster: Any) -> None:
    node = cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    match = Match("new-york", ("novice", "hungry"), 40, 7)
    killed: list[int] = []

    def seen(rows: list[dict[str, Any]]) -> None:
        if len(rows) >= 3 and not killed:
            killed.append(len(rows))
            cluster.remove_node(node, allow_graceful=False)

    home, _ = run(match, workers=1)
    away, whole = run(match, seen=seen, ray=cluster.address)
    assert whole
    assert killed[0] < len(away) == 40
    assert _played(away) == _played(home)


def _played(rows: list[dict[str, Any]]) -> list[tuple[int, int, str]]:
    """The fingerprint of each game, in the order of the deals."""
    return sorted((row["deal"], row["rotation"], row["game"]) for row in rows)


def test_work_comes_as_it_is_done_too(cluster: Any) -> None:
    done = list(spread(abs, [-3, -2, -1], ray=cluster.address, ordered=False))
    assert sorted(done) == [1, 2, 3]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("127.0.0.1:1", "no Ray cluster answers at 127.0.0.1:1"),
        ("nowhere", "an address of a Ray cluster is host:port"),
        ("127.0.0.1:99999", "no Ray cluster answers at 127.0.0.1:99999"),
    ],
)
def test_a_cluster_that_is_not_there_is_said(branchline: Branchline, address: str, said: str) -> None:
    with pytest.raises(NoCluster, match=said):
        list(spread(abs, [1], ray=address))
    done = branchline("simulate", "new-york", "--seats", "2", "--games", "4", "--ray", address)
    assert done.code == 2
    assert said in done.err
    assert (done.out, done.err.count("\n")) == ("", 1)


def test_training_says_that_a_cluster_is_not_there(branchline: Branchline) -> None:
    done = branchline("train", "new-york", "--ray", "127.0.0.1:1")
    assert done.code == 2
    assert done.err.startswith("branchline: no Ray cluster answers at 127.0.0.1:1")
    assert done.err.count("\n") == 1
