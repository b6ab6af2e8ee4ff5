"""Work spread over processes, or over a Ray cluster: the same jobs give the same results, wherever they are done."""

import atexit
import os
import pickle
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from multiprocessing import get_all_start_methods, get_context, resource_tracker
from multiprocessing.connection import Connection as Pipe
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from traceback import format_exception
from typing import Any, Generic, TypeVar, cast

from branchline.killable import end_with_parent

J = TypeVar("J")
R = TypeVar("R")

AHEAD = 4
"""Jobs under way or done and not yet taken, for each worker: results wait in memory."""
SMALL = 16_000
"""Bytes of a job that fits into a pipe while nobody reads it."""
GONE = "a process that worked died: a bot ended it, or there was too little memory"
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
    fork: bool = True,
) -> Generator[R, None, None]:
    """Do all jobs and hand out what comes of each, in their order or as it comes.

    `workers` is the number of processes, by default one for each core; one works here. Not `fork`: they begin anew,
    since this one has threads that Python does not know of (JAX). `ray` is the address of a cluster, which does it
    instead. Closing the generator ends the work at once, also what is half done. WorkerDied if
    a process does not come back; a cluster does again what was lost.
    """
    if ray is not None:
        return _on_ray(work, jobs, ray, ordered)
    workers = cores() if workers is None else workers
    if workers < 2:
        return (work(job) for job in jobs)
    return _in_processes(work, jobs, workers, ordered, fork)


def _in_processes(
    work: Callable[[J], R], jobs: Iterable[J], workers: int, ordered: bool, fork: bool
) -> Generator[R, None, None]:
    context = _context() if fork else get_context("spawn")
    crew = [_Worker(context, work) for _ in range(workers)]
    try:
        yield from _shared_out(crew, iter(jobs), AHEAD * workers, ordered)
    finally:
        for worker in crew:
            worker.end()


def _shared_out(crew: "list[_Worker[J, R]]", jobs: Iterator[J], ahead: int, ordered: bool) -> Generator[R, None, None]:
    """The results of all jobs. Whoever has nothing to do gets the next job, and a second one to go on with."""
    done: dict[int, R] = {}
    given = taken = 0
    left = True
    while True:
        while left and given - taken < ahead and (free := min(crew, key=_load)).takes_more:
            try:
                job = next(jobs)
            except StopIteration:
                left = False
            else:
                free.give(given, job)
                given += 1
        if taken == given:
            return
        number = taken if ordered else next(iter(done), None)
        if number in done:
            taken += 1
            yield done.pop(number)
            continue
        busy = {worker.pipe: worker for worker in crew if worker.jobs}
        for pipe in wait(list(busy)):
            which, result = busy[cast("Pipe", pipe)].result()
            done[which] = result


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Ctrl-C is heeded afterwards; a process that is begun meanwhile never hears of it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    # What the standard library begins along with a first process heeds Ctrl-C again when it has begun.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _load(worker: "_Worker[Any, Any]") -> int:
    return len(worker.jobs)


class _Worker(Generic[J, R]):
    """A process of ours, with a pipe of its own.

    It may be killed at any moment, also while it sends: no other process, and no thread of this one, waits at its pipe.
    (A pool of the standard library reads all workers' results in one thread, which waits for ever for the rest of what
    a killed worker began to send.)
    """

    def __init__(self, context: BaseContext, work: Callable[[J], R]) -> None:
        self.pipe, theirs = context.Pipe()
        self.jobs: deque[int] = deque()
        """The numbers of what it was given and has not answered."""
        self._small = True
        self._process = context.Process(target=_serve, args=(theirs, work))  # type: ignore[attr-defined]
        with interrupts_held():  # until it says itself that Ctrl-C is not for it
            self._process.start()
        theirs.close()
        # The interpreter waits for processes when it ends, also for those of a generator that nobody has closed.
        atexit.register(self.end)

    @property
    def takes_more(self) -> bool:
        """A second job waits in the pipe, if it fits there: who sends to somebody who sends too may wait for ever."""
        return not self.jobs or (len(self.jobs) < 2 and self._small)

    def give(self, number: int, job: J) -> None:
        data = pickle.dumps((number, job))
        self._small = len(data) < SMALL
        self.jobs.append(number)
        try:
            self.pipe.send_bytes(data)
        except OSError:
            raise WorkerDied(GONE) from None

    def result(self) -> tuple[int, R]:
        """The number of the job that is done, and what came of it; what it raised is raised here."""
        try:
            number, result, error = self.pipe.recv()
        except (EOFError, OSError):
            raise WorkerDied(GONE) from None
        self.jobs.popleft()
        if error is not None:
            raise error
        return number, result

    def end(self) -> None:
        """At once, whatever it does."""
        atexit.unregister(self.end)
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _serve(pipe: Pipe, work: Callable[[J], R]) -> None:
    """Do what comes through the pipe, until nobody is there any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to decide about
    end_with_parent()
    while True:
        try:
            number, job = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            data = pickle.dumps((number, work(job), None))
        except Exception as error:
            error.add_note("In a process that worked for this one:\n" + "".join(format_exception(error)))
            data = _as_bytes(number, error)
        try:
            pipe.send_bytes(data)
        except OSError:
            return


def _as_bytes(number: int, error: Exception) -> bytes:
    try:
        return pickle.dumps((number, None, error))
    except Exception:  # it holds something that stays in its process
        return pickle.dumps((number, None, RuntimeError("".join(format_exception(error)))))


def _context() -> BaseContext:
    """A fork is quick and needs no guard in the caller's program, but does not mix with threads."""
    forks = "fork" in get_all_start_methods() and threading.active_count() == 1
    return get_context("fork" if forks else "spawn")


class Processes:
    """Processes of this machine in use, begun anew: they stay until `close`, and do what a `Cluster` would.

    Once a job has failed they are gone.
    """

    def __init__(self, count: int) -> None:
        context = get_context("spawn")  # whoever keeps processes for long has threads, with which a fork does not mix
        self._crew: list[_Worker[Any, Any]] = [_Worker(context, _do_this) for _ in range(count)]

    def close(self) -> None:
        """End them at once."""
        for worker in self._crew:
            worker.end()

    def all(self, work: Callable[[J], R], jobs: Iterable[J]) -> list[R]:
        """What comes of each job, in their order. WorkerDied if a process does not come back."""
        try:
            return list(_shared_out(self._crew, ((work, job) for job in jobs), AHEAD * len(self._crew), ordered=True))
        except BaseException:
            self.close()  # what is still on its way would be taken for an answer to the next question
            raise


def _do_this(told: tuple[Callable[[J], R], J]) -> R:
    work, job = told
    return work(job)


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
