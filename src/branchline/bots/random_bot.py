"""`random`: any legal action, each as likely. The floor of the ladder."""

from branchline.bots.base import Budget
from branchline.engine.shuffle import Rng
from branchline.views import View


class RandomBot:
    """Chooses uniformly."""

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        """Any legal action."""
        legal = view.legal_indices()
        return legal[rng.below(len(legal))]
