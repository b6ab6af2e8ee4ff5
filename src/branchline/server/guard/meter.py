"""What a person or an address costs the loop in processor time: counted step by step, charged to whoever asked."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextvars import ContextVar
from types import coroutine
from typing import Any, TypeVar

from branchline.server.guard.limits import Limiter

T = TypeVar("T")


class Account:
    """Who pays for something: an address, and the person there once it is known."""

    __slots__ = ("_bills",)

    def __init__(self, limiter: Limiter, key: str) -> None:
        """`limiter` is for seconds."""
        self._bills = [(limiter, key)]

    @property
    def who(self) -> str:
        """Whom it was opened for: the address."""
        return self._bills[0][1]

    def also(self, limiter: Limiter, key: str) -> None:
        """Somebody else who pays for the same."""
        if (limiter, key) not in self._bills:
            self._bills.append((limiter, key))

    @property
    def is_spent(self) -> bool:
        """Whether one of them has used up what they may."""
        return any(limiter.is_spent(key) for limiter, key in self._bills)

    def charge(self, seconds: float) -> None:
        """All of them pay."""
        for limiter, key in self._bills:
            limiter.charge(key, seconds)


payer: ContextVar[Account | None] = ContextVar("payer", default=None)
"""Who pays for what is done now; tasks that are begun for it inherit it."""


@coroutine
def _metered(work: Coroutine[Any, Any, T], account: Account) -> Generator[Any, Any, T]:
    value: Any = None
    error: BaseException | None = None
    while True:
        began = time.thread_time()
        try:
            waits = work.send(value) if error is None else work.throw(error)
        except StopIteration as stop:
            result: T = stop.value
            return result
        finally:
            account.charge(time.thread_time() - began)
        value = error = None
        try:
            value = yield waits
        except BaseException as raised:
            error = raised


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """What a function returns that would keep the loop, made in a thread and at the payer's expense.

    Compiled code does not let go of the interpreter: what a thread takes of the processor, it takes from the loop.
    """
    account, spent = payer.get(), 0.0

    def timed() -> T:
        nonlocal spent
        began = time.thread_time()
        try:
            return function(*arguments)
        finally:
            spent = time.thread_time() - began

    try:
        return await asyncio.to_thread(timed)
    finally:
        if account is not None:
            account.charge(spent)


async def metered(work: Awaitable[T]) -> T:
    """Do something at the payer's expense: each step of it in the loop is timed, what it waits for is not."""
    account = payer.get()
    if account is None or not isinstance(work, Coroutine):
        return await work
    return await _metered(work, account)
