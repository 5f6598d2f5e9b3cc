"""Rate limiting by processor time: a leaky bucket of CPU seconds for each client.

Requests, page events and connections pay a fixed price before they begin, and their measured
cost afterwards: coroutines by `metered`, threads by `in_thread`, worker processes by their own
report. Nothing begins while the bucket is full.
"""
# The cost of a request is known only when it has been spent, so buckets may overflow; the next
# request waits until they have leaked enough. All functions run on the event loop, between two
# `await`s: a check and the payment after it (`takes`, `allows`) are atomic.

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator
from contextlib import suppress
from contextvars import ContextVar
from functools import cache
from typing import Any, TypeVar

from hyperoxo_web.server.limits import Client, Limits, Recent
from hyperoxo_web.server.refusal import RefusedError

REQUEST, EVENT, CONNECTION = 5e-4, 2e-4, 5e-4
"""Prices in CPU seconds of the unmeasured parts of a request, an event, a connection."""

TOGETHER = 3
"""Budget of all clients with the same limits, as a multiple of one client's."""

_Found = TypeVar("_Found")


class Meter:
    """Leaky bucket for each client: `burst` is its capacity, `rate` its leak a second."""

    _MOST = 10_000

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._levels = Recent[str, tuple[float, float]](self._MOST)

    @classmethod
    def hourly(cls, most: int, at_once: float) -> Meter:
        """Return a meter of `most` uses an hour, of which the share `at_once` may be a burst."""
        return cls(most / 3600, max(1.0, most * at_once))

    def allows(self, client: str, amount: float = 1.0, now: float | None = None) -> bool:
        """Count a use and return True, unless the client's bucket would overflow."""
        allowed = self._level(client, now) + amount <= self.burst
        self.add(client, amount if allowed else 0.0, now)
        return allowed

    def add(self, client: str, amount: float, now: float | None = None) -> None:
        """Charge a use after the fact; a level is capped at two buckets."""
        # Levels are stored with the time of their last change, and leak when they are read: no
        # timer runs. The client charged longest ago is dropped first: its bucket leaked longest.
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
    """One meter for each set of limits."""

    def __init__(self, make: Callable[[Limits], Meter]) -> None:
        self.of = cache(make)

    def check(self, client: Client, what: str) -> None:
        """Count one use, or refuse it."""
        if not self.of(client.limits).allows(client.name):
            raise RefusedError("limit", f"too many {what}; wait a little")


class Account:
    """The buckets that one client pays from: its own and that of its group."""

    def __init__(self, client: str, each: Meter, together: Meter) -> None:
        self._client, self._each, self._together = client, each, together

    def wait(self, price: float = 0.0) -> float:
        """Return the seconds until both buckets can pay a price."""
        return max(self._each.wait(self._client, price), self._together.wait("", price))

    def pay(self, seconds: float) -> None:
        """Charge CPU seconds that have been spent."""
        self._each.add(self._client, seconds)
        self._together.add("", seconds)


payer: ContextVar[Account | None] = ContextVar("payer", default=None)
"""The account charged in this context, its tasks and its threads."""


class Budget:
    """CPU accounts of all clients.

    Clients with the same limits share `TOGETHER` times the budget of one: an attacker with many
    addresses takes time from that group alone.
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
        """Charge a price and return True, if the client can pay it."""
        account = self.of(client)
        if account.wait(price) > 0:
            return False
        account.pay(price)
        return True


async def metered(work: Coroutine[Any, Any, _Found], account: Account) -> _Found:
    """Await work and charge each of its steps; `payer` is inherited by tasks it starts."""
    token = payer.set(account)
    try:
        found: _Found = await _Steps(work, account)
        return found
    finally:
        payer.reset(token)


class _Steps:
    """Drives a coroutine, charging the time between its suspensions."""

    def __init__(self, work: Coroutine[Any, Any, Any], account: Account) -> None:
        self._work, self._account = work, account

    def __await__(self) -> Generator[Any, Any, Any]:
        # The same as `yield from`, with a clock around each step. Only the time of this thread
        # counts, so steps of other coroutines, and waiting, cost nothing. Exceptions thrown in,
        # cancellation among them, are passed on; the step that handles them is charged too.
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
    """Run work in a thread, and charge for it."""
    account, loop = payer.get(), asyncio.get_running_loop()
    if account is None:
        return await asyncio.to_thread(work, *given)

    def timed() -> _Found:
        begun = time.thread_time()
        try:
            return work(*given)
        finally:
            # Charged on the loop, as meters are not thread-safe, but by the thread: it goes on if
            # the wait is cancelled, maybe until the loop is closed.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(account.pay, time.thread_time() - begun)

    return await asyncio.to_thread(timed)
