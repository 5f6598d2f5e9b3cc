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
from functools import cache
from typing import Any, TypeVar

from hyperoxo_web.server.limits import Asker, Limits, Recent
from hyperoxo_web.server.refusal import RefusedError

REQUEST, EVENT, CONNECTION = 5e-4, 2e-4, 5e-4
"""Prices in processor seconds: what is spent before and after that which is measured."""

TOGETHER = 3
"""Budget of all clients with the same limits, as a multiple of that of one."""

_Found = TypeVar("_Found")


class Meter:
    """Limits the rate of each client, as a bucket that empties at a steady rate."""

    _MOST = 10_000

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._levels = Recent[str, tuple[float, float]](self._MOST)

    @classmethod
    def hourly(cls, most: int, at_once: float) -> Meter:
        """Return a meter of uses an hour, a share of which may come at once."""
        return cls(most / 3600, max(1.0, most * at_once))

    def allows(self, client: str, amount: float = 1.0, now: float | None = None) -> bool:
        """Count a use, unless the bucket of this client is full."""
        allowed = self._level(client, now) + amount <= self.burst
        self.add(client, amount if allowed else 0.0, now)
        return allowed

    def add(self, client: str, amount: float, now: float | None = None) -> None:
        """Count a use that has been; nobody waits for more than twice what fills the bucket."""
        level = min(self._level(client, now) + amount, 2 * self.burst)
        self._levels[client] = level, time.monotonic() if now is None else now

    def wait(self, client: str, amount: float = 1.0, now: float | None = None) -> float:
        """Return the seconds until a use is allowed."""
        return max(0.0, self._level(client, now) + amount - self.burst) / self.rate

    def _level(self, client: str, now: float | None) -> float:
        at = time.monotonic() if now is None else now
        level, since = self._levels.get(client, (0.0, at))
        return max(0.0, level - (at - since) * self.rate)


class Meters:
    """The meters of clients, by their limits."""

    def __init__(self, make: Callable[[Limits], Meter]) -> None:
        self.of = cache(make)

    def check(self, asker: Asker, what: str) -> None:
        """Count one use."""
        if not self.of(asker.limits).allows(asker.client):
            raise RefusedError("limit", f"too many {what}; wait a little")


class Account:
    """The buckets that one client pays from."""

    def __init__(self, client: str, each: Meter, together: Meter) -> None:
        self._client, self._each, self._together = client, each, together

    def wait(self, price: float = 0.0) -> float:
        """Return the seconds until a price can be paid."""
        return max(self._each.wait(self._client, price), self._together.wait("", price))

    def pay(self, seconds: float) -> None:
        """Pay for processor seconds that have been spent."""
        self._each.add(self._client, seconds)
        self._together.add("", seconds)


payer: ContextVar[Account | None] = ContextVar("payer", default=None)
"""The account charged in this context, its tasks and its threads."""


class Budget:
    """The processor time of all clients, by the limits of each.

    Those with the same limits have `TOGETHER` times as much as one of them: who can be many clients
    takes time from those alone.
    """

    def __init__(self, limits_of: Callable[[str], Limits]) -> None:
        self._limits_of = limits_of
        self._each = Meters(lambda one: Meter(one.processor_share, one.processor_burst))
        self._together = Meters(
            lambda one: Meter(TOGETHER * one.processor_share, TOGETHER * one.processor_burst)
        )

    def of(self, client: str) -> Account:
        """Return the account of a client."""
        limits = self._limits_of(client)
        return Account(client, self._each.of(limits), self._together.of(limits))

    def takes(self, client: str, price: float) -> bool:
        """Take a price from a client's bucket, unless it is empty."""
        account = self.of(client)
        if account.wait(price) > 0:
            return False
        account.pay(price)
        return True


async def metered(work: Coroutine[Any, Any, _Found], account: Account) -> _Found:
    """Do work here, and charge for each of its steps; `payer` is for what it starts."""
    token = payer.set(account)
    try:
        found: _Found = await _Steps(work, account)
        return found
    finally:
        payer.reset(token)


class _Steps:
    """Awaits a coroutine, and measures the time between its suspensions."""

    def __init__(self, work: Coroutine[Any, Any, Any], account: Account) -> None:
        self._work, self._account = work, account

    def __await__(self) -> Generator[Any, Any, Any]:
        thrown: BaseException | None = None
        while True:
            begun = time.thread_time()
            try:
                waited = self._work.send(None) if thrown is None else self._work.throw(thrown)
            except StopIteration as end:
                return end.value
            finally:
                self._account.pay(time.thread_time() - begun)
            thrown = None
            try:
                yield waited
            except BaseException as error:
                thrown = error


async def in_thread(work: Callable[..., _Found], *given: Any) -> _Found:
    """Do work in a thread, and charge for it."""
    account = payer.get()
    if account is None:
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
        account.pay(spent)
