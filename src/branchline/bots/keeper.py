"""A bot in a process of its own: a crash, an illegal action or an overrun never stops a game.

Compiled code can't be interrupted from Python, so a bot that takes too long is killed with its process; the next
question starts a new one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from branchline.bots.base import Budget, to_index, why
from branchline.bots.registry import load
from branchline.engine.shuffle import Rng
from branchline.views import View

START = 60.0
"""Seconds a new process gets to import everything and say that it is ready."""


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
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None

    def choose(self, view: View, rng: Rng, budget: Budget) -> Answer:
        """Ask the bot; wait no longer than its budget and our patience."""
        wait = self.patience + (budget.seconds or 0.0)
        fault = "it has died"
        try:
            if self._process is None or not self._process.is_alive():
                self._start()
            assert self._line is not None
            self._line.send((view, rng, budget))
            if self._line.poll(wait):
                index, fault, reason = self._line.recv()
                if fault is None:
                    return Answer(index, None, reason)
            else:
                fault = f"no answer in {wait:.1f} s"
                self.close()
        except (EOFError, OSError):
            self.close()
        legal = view.legal_indices()
        return Answer(legal[rng.below(len(legal))], fault)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._line is not None:
            self._line.close()
        self._process = self._line = None

    def _start(self) -> None:
        self.close()
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        self._line = ours
        self._process = context.Process(target=_serve, args=(self.spec, theirs), daemon=True)
        self._process.start()
        theirs.close()
        if ours.poll(START):
            ours.recv()

    def __enter__(self) -> "Keeper":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class KeptBot:
    """A bot in a process of its own, to be used like any other; what goes wrong there is raised here."""

    def __init__(self, spec: str, patience: float = 10.0) -> None:
        self.keeper = Keeper(spec, patience)

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        """Its choice; RuntimeError if it has none."""
        answer = self.keeper.choose(view, Rng(rng.below(1 << 30)), budget)
        if answer.fault is not None:
            raise RuntimeError(answer.fault)
        return answer.index


def _serve(spec: str, line: Connection) -> None:
    bot = load(spec)
    line.send("ready")
    while True:
        try:
            view, rng, budget = line.recv()
        except EOFError:
            return
        try:
            line.send((to_index(view, bot.choose(view, rng, budget)), None, why(bot)))
        except Exception as error:  # any fault of the bot's is told, none is fatal
            line.send((None, f"{type(error).__name__}: {error}", None))
