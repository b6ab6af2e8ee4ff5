"""Work spread over processes, or over a Ray cluster: the same jobs give the same results, wherever they are done."""

import os
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from multiprocessing import active_children, get_all_start_methods, get_context
from multiprocessing.context import BaseContext
from typing import Any, TypeVar

J = TypeVar("J")
R = TypeVar("R")

AHEAD = 4
"""Jobs under way or done and not yet taken, for each worker: results wait in memory."""
PATIENCE = 5.0
"""Seconds that a cluster gets to answer."""


class NoCluster(Exception):
    """There is no Ray, or no cluster at that address; in one sentence."""


class WorkerDied(Exception):
    """A process that worked for us is gone; in one sentence."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(
    work: Callable[[J], R],
    jobs: Iterable[J],
    *,
    workers: int | None = None,
    ray: str | None = None,
    ordered: bool = True,
) -> Generator[R, None, None]:
    """Do all jobs and hand out what comes of each, in their order or as it comes.

    `workers` is the number of processes, by default one for each core; one works here. `ray` is the address of a
    cluster, which does it instead. Closing the generator ends the work at once, also what is half done. WorkerDied if
    a process does not come back; a cluster does again what was lost.
    """
    if ray is not None:
        return _on_ray(work, jobs, ray, ordered)
    workers = cores() if workers is None else workers
    if workers < 2:
        return (work(job) for job in jobs)
    return _in_processes(work, jobs, workers, ordered)


def _in_processes(work: Callable[[J], R], jobs: Iterable[J], workers: int, ordered: bool) -> Generator[R, None, None]:
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, mp_context=_context(), initializer=_leave_interrupts_to_the_parent)
    try:
        waiting: deque[Any] = deque()
        for job in jobs:
            waiting.append(pool.submit(work, job))
            if len(waiting) >= AHEAD * workers:
                yield _next(waiting, ordered)
        while waiting:
            yield _next(waiting, ordered)
        pool.shutdown()
    except BrokenProcessPool:
        raise WorkerDied("a process that worked died: a bot ended it, or there was too little memory") from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(active_children()) - others:
            process.kill()


def _context() -> BaseContext:
    """A fork is quick and needs no guard in the caller's program, but does not mix with threads."""
    forks = "fork" in get_all_start_methods() and threading.active_count() == 1
    return get_context("fork" if forks else "spawn")


def _next(waiting: "deque[Any]", ordered: bool) -> Any:
    if ordered:
        return waiting.popleft().result()
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    first = next(future for future in waiting if future in done)
    waiting.remove(first)
    return first.result()


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Cluster:
    """A Ray cluster in use: workers that it has started stay until `close`. NoCluster if it can't be reached."""

    def __init__(self, address: str) -> None:
        self._ray = _reach(address)
        # A job knows everything it needs, so what is lost with a node is simply done again.
        self._remote = self._ray.remote(_do).options(max_retries=-1, num_cpus=1)

    def close(self) -> None:
        """Leave it; what it still does for us is ended."""
        self._ray.shutdown()

    def all(self, work: Callable[[J], R], jobs: Iterable[J]) -> list[R]:
        """What comes of each job, in their order."""
        return list(self.each(work, jobs, ordered=True))

    def each(self, work: Callable[[J], R], jobs: Iterable[J], ordered: bool) -> Generator[R, None, None]:
        """What comes of each job, in their order or as it comes."""
        told = self._ray.put(work)
        room = AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        waiting: deque[Any] = deque()
        for job in jobs:
            waiting.append(self._remote.remote(told, job))
            if len(waiting) >= room:
                yield self._next(waiting, ordered)
        while waiting:
            yield self._next(waiting, ordered)

    def _next(self, waiting: "deque[Any]", ordered: bool) -> Any:
        if ordered:
            return self._ray.get(waiting.popleft())
        done, _ = self._ray.wait(list(waiting), num_returns=1)
        waiting.remove(done[0])
        return self._ray.get(done[0])


def _on_ray(work: Callable[[J], R], jobs: Iterable[J], address: str, ordered: bool) -> Generator[R, None, None]:
    with closing(Cluster(address)) as cluster:
        yield from cluster.each(work, jobs, ordered)


def _do(work: Callable[[J], R], job: J) -> R:
    return work(job)


def _reach(address: str) -> Any:
    try:
        import ray
    except ImportError:
        raise NoCluster("a cluster is reached with Ray: pip install 'branchline[ray]'") from None
    if address != "auto":
        _knock(address)
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    except (ConnectionError, TimeoutError, ValueError, RuntimeError) as error:
        raise NoCluster(f"no Ray cluster answers at {address}: {str(error).splitlines()[0]}") from None
    return ray


def _knock(address: str) -> None:
    """Ray itself waits for minutes where nobody is."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise NoCluster(f"{address}: an address of a Ray cluster is host:port, ray://host:port or auto")
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise NoCluster(f"no Ray cluster answers at {address}: {error}") from None
