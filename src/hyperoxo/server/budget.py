"""Processor time that clients cost this process, measured step by step and charged to them.

Each client has a bucket of processor seconds, which fills at a steady rate. Requests, events of
pages and connections take a price from it before they are begun, and what they cost in the end:
coroutines by `metered`, threads by `in_thread`, worker processes by what they report. Nothing is
begun while the bucket is empty.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from typing import Any, TypeVar

from hyperoxo.server.limits import Limits, Meter

REQUEST, EVENT, CONNECTION = 5e-4, 2e-4, 5e-4
"""Prices in processor seconds: what is spent before and after that which is measured."""

TOGETHER = 3
"""How many times what one client may cost all with the same limits may."""

Pay = Callable[[float], None]
payer: ContextVar[Pay | None] = ContextVar("payer", default=None)
"""Hears the processor seconds that are spent here, in its tasks and in its threads."""

_Found = TypeVar("_Found")


class Budget:
    """The processor time of all clients, by the limits of each.

    Those with the same limits have `TOGETHER` times as much as one of them: who can be many clients
    takes time from those alone.
    """

    def __init__(self, limits_of: Callable[[str], Limits]) -> None:
        self._limits_of = limits_of
        self._meters: dict[Limits, tuple[Meter, Meter]] = {}

    def takes(self, client: str, price: float) -> bool:
        """Take a price from a client's bucket, unless it is empty."""
        if self.wait(client, price) > 0:
            return False
        self.pay(client)(price)
        return True

    def wait(self, client: str, price: float = 0.0) -> float:
        """Return the seconds until a client's bucket holds a price."""
        each, together = self._of(client)
        return max(each.wait(client, price), together.wait("", price))

    def pay(self, client: str) -> Pay:
        """Return a function that charges a client for processor seconds."""
        each, together = self._of(client)

        def charge(seconds: float) -> None:
            each.add(client, seconds)
            together.add("", seconds)

        return charge

    def _of(self, client: str) -> tuple[Meter, Meter]:
        limits = self._limits_of(client)
        if limits not in self._meters:
            share, burst = limits.processor_share, limits.processor_burst
            together = Meter(TOGETHER * share, TOGETHER * burst)
            self._meters[limits] = Meter(share, burst), together
        return self._meters[limits]


async def metered(work: Coroutine[Any, Any, _Found], pay: Pay) -> _Found:
    """Do work here, and charge for each of its steps; `payer` is for what it starts."""
    token = payer.set(pay)
    try:
        found: _Found = await _Steps(work, pay)
        return found
    finally:
        payer.reset(token)


class _Steps:
    """Awaits a coroutine, and measures the time between its suspensions."""

    def __init__(self, work: Coroutine[Any, Any, Any], pay: Pay) -> None:
        self._work, self._pay = work, pay

    def __await__(self) -> Generator[Any, Any, Any]:
        thrown: BaseException | None = None
        while True:
            begun = time.thread_time()
            try:
                waited = self._work.send(None) if thrown is None else self._work.throw(thrown)
            except StopIteration as end:
                return end.value
            finally:
                self._pay(time.thread_time() - begun)
            thrown = None
            try:
                yield waited
            except BaseException as error:
                thrown = error


async def in_thread(work: Callable[..., _Found], *given: Any) -> _Found:
    """Do work in a thread, and charge for it."""
    pay = payer.get()
    if pay is None:
        return await asyncio.to_thread(work, *given)
    spent = 0.0

    def timed() -> _Found:
        nonlocal spent
        begun = time.thread_time()
        try:
            return work(*given)
        finally:
            spent = time.thread_time() - begun

    try:
        return await asyncio.to_thread(timed)
    finally:
        pay(spent)
