"""A bot in a process of its own: a crash, an illegal action or an overrun never stops a game.

Compiled code can't be interrupted from Python, so a bot that takes too long is killed with its process; the next
question starts a new one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from branchline.bots.base import Bot, Budget, to_index, why
from branchline.bots.registry import load
from branchline.engine.shuffle import Rng
from branchline.killable import Bounds, Ended, Failed, Killable, TooMuch
from branchline.views import View


@dataclass(frozen=True, slots=True)
class Answer:
    """What a seat does, by a bot or in its place."""

    index: int
    fault: str | None = None
    """What went wrong: then the action is a random legal one."""
    why: Mapping[str, object] | None = None


class Keeper:
    """Keeps one bot, and plays for it where it fails."""

    def __init__(self, spec: str, patience: float = 5.0) -> None:
        """`spec` as `registry.load` takes it; `patience` in seconds beyond the budget's own."""
        self.spec = spec
        self.patience = patience
        self._process: Killable | None = None

    def choose(self, view: View, rng: Rng, budget: Budget) -> Answer:
        """Ask the bot; wait no longer than its budget and our patience."""
        wait = self.patience + (budget.seconds or 0.0)
        try:
            if self._process is None or not self._process.alive:
                self._process = Killable(Bounds(), _bot, self.spec)
            index, reason = self._process.run(wait, _choose, self.spec, view, rng, budget)
            return Answer(index, None, reason)
        except Failed as failed:
            fault = f"{failed}: {failed.text}"
        except TooMuch:
            fault = f"no answer in {wait:.1f} s"
        except Ended:
            fault = "it has died"
        legal = view.legal_indices()
        return Answer(legal[rng.below(len(legal))], fault)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
        self._process = None

    def __enter__(self) -> "Keeper":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class BotFault(Exception):
    """What went wrong in a bot's own process, in its words."""


class KeptBot:
    """A bot in a process of its own, to be used like any other; what goes wrong there is raised here."""

    def __init__(self, spec: str, patience: float = 10.0) -> None:
        self.keeper = Keeper(spec, patience)

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        """Its choice; BotFault if it has none."""
        answer = self.keeper.choose(view, Rng(rng.below(1 << 30)), budget)
        if answer.fault is not None:
            raise BotFault(answer.fault)
        return answer.index


@cache
def _bot(spec: str) -> Bot:
    return load(spec)


def _choose(spec: str, view: View, rng: Rng, budget: Budget) -> tuple[int, Mapping[str, object] | None]:
    bot = _bot(spec)
    return to_index(view, bot.choose(view, rng, budget)), why(bot)
