"""`advanced`: what `learned` was before it had learned as much. It does not search, and makes no slips on purpose.

A level between `regular` and `expert`: it has played fewer games against itself, and on New York has fewer cells to
remember them with. How it was trained stands in the heads of its weights and in docs/training.md.
"""

from importlib.resources.abc import Traversable

from branchline.bots.learned.policy import Policy
from branchline.bots.learner import LearnedBot
from branchline.bots.policies import EARLIER, shipped
from branchline.views import View


class Advanced(LearnedBot):
    """Does what an earlier policy holds to be best; on maps that none knows it plays like `regular`."""

    def policy(self, view: View) -> Policy | None:
        """The earlier policy. It takes a card to spare for a tunnel that it sees, and does not think of odds."""
        policy = super().policy(view)
        if policy is not None:
            policy.least = 0
        return policy

    def source(self, map_hash: str, seats: int) -> Traversable | None:
        """The earlier policy for a map and so many seats."""
        return shipped(map_hash, seats, EARLIER)
