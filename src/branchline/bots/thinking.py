"""Thinking within a budget: by nodes, by seconds, and in several processes where a bot may have them.

A child is a fork of this process: it has the network and the view already, its part is some other worlds, and all it
hands back is what it counted of the candidates that it kept. It holds nothing of the parent's open, and has a time
after which the system ends it. Where there is no fork (Windows) a bot thinks in one process, whatever it may have.
"""

import contextlib
import os
import pickle
import signal
from collections.abc import Callable
from time import perf_counter

from branchline.bots.base import Budget
from branchline.bots.search.contest import Search, importance
from branchline.engine.shuffle import Rng

SECONDS = 1.0
"""What a decision takes where no budget is given."""

LONGEST, OVERTIME = 600.0, 5.0
"""Seconds that a child may take for so many nodes, and beyond a budget in seconds."""

Begin = Callable[[Rng], Search]
"""Makes the search of a decision; its candidates do not depend on the generator."""


def think(begin: Begin, rng: Rng, budget: Budget) -> tuple[Search, int]:
    """A search that has used its budget, and how many playouts that were in all processes."""
    search = begin(rng)
    if len(search.candidates) < 2:
        return search, 0
    if budget.cores < 2 or not hasattr(os, "fork"):
        run(search, budget)
        return search, int(search.nodes)
    nodes = None if budget.nodes is None else -(-budget.nodes // budget.cores)
    share = Budget(nodes, budget.seconds)
    children = [_child(begin, rng.below(1 << 30), share) for _ in range(budget.cores - 1)]
    run(search, share)
    spent = int(search.nodes)
    for pid, pipe in children:
        tallies, nodes_there = _answer(pid, pipe)
        spent += nodes_there
        for which, tally in tallies.items():
            search.contest.add(which, tally)
    return search, spent


def run(search: Search, budget: Budget) -> None:
    """Let a search use its budget here."""
    if budget.nodes is not None:
        search.run(budget.nodes)
    else:
        _run_for(search, SECONDS if budget.seconds is None else budget.seconds)


def _run_for(search: Search, seconds: float) -> None:
    """Shares of the time instead of shares of the nodes."""
    began = perf_counter()
    seconds *= int(importance(search.stage)) / 100
    for share in search.shares():
        search.begin(share)
        until = began + seconds * int(share.until) / 100
        search.step()
        while perf_counter() < until:
            if search.decided():
                return
            search.step()
        search.contest.halve(share.left)


Tallies = dict[int, tuple[int, int, int]]
"""What was counted for each candidate that was kept, by its number."""


def _child(begin: Begin, seed: int, budget: Budget) -> tuple[int, int]:
    """A process that searches: its id, and the pipe in which its tallies come."""
    there, here = os.pipe()
    pid = os.fork()
    if pid:
        os.close(here)
        return pid, there
    try:
        _let_go(here, LONGEST if budget.seconds is None else budget.seconds + OVERTIME)
        search = begin(Rng(seed))
        run(search, budget)
        with os.fdopen(here, "wb") as pipe:
            pickle.dump((tallies(search), int(search.nodes)), pipe)
    finally:
        os._exit(0)  # nothing of the parent's is to be closed, flushed or tidied up here


def tallies(search: Search) -> Tallies:
    """What a search counted for the candidates that it kept."""
    kept = (int(search.contest.order[place]) for place in range(int(search.contest.alive)))
    return {which: tuple(map(int, search.contest.tally(which))) for which in kept}  # type: ignore[misc]


def _let_go(pipe: int, seconds: float) -> None:
    """Keep nothing of the parent's open but a pipe, and end after so long: nobody is to wait for a child for ever."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    with contextlib.suppress(OSError):
        most = os.sysconf("SC_OPEN_MAX")
        os.closerange(3, pipe)
        os.closerange(pipe + 1, most)


def _answer(pid: int, pipe: int) -> tuple[Tallies, int]:
    """What a child counted: nothing, if it was ended."""
    with os.fdopen(pipe, "rb") as file:
        data = file.read()
    os.waitpid(pid, 0)
    return pickle.loads(data) if data else ({}, 0)
