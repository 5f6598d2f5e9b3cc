"""What clients cost is measured, and charged to them."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from dataclasses import replace

import pytest

from hyperoxo_web.server import HOME, PUBLIC
from hyperoxo_web.server.budget import TOGETHER, Account, Budget, Meter, in_thread, metered, payer
from hyperoxo_web.server.limits import Limits


class Clock:
    """Processor time of each thread that passes only where work says so."""

    def __init__(self) -> None:
        self.spent: Counter[int] = Counter()

    def now(self) -> float:
        return self.spent[threading.get_ident()]

    def work(self, seconds: int) -> None:
        self.spent[threading.get_ident()] += seconds


class Paid(Account):
    """Notes what is paid."""

    def __init__(self) -> None:
        meter = Meter(1.0, 1e9)
        super().__init__("guest", meter, meter)
        self.all: list[float] = []

    def pay(self, seconds: float) -> None:
        self.all.append(seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(time, "thread_time", found.now)
    return found


def test_each_step_is_charged_and_waiting_is_not(clock: Clock) -> None:
    paid = Paid()

    async def work() -> str:
        clock.work(1)
        await asyncio.sleep(0)
        clock.work(2)
        await asyncio.gather(others(), others())
        clock.work(4)
        return "done"

    async def others() -> None:
        clock.work(100)

    assert asyncio.run(metered(work(), paid)) == "done"
    assert sum(paid.all) == 7


def test_errors_and_cancellations_are_those_of_the_work(clock: Clock) -> None:
    paid = Paid()

    async def fails() -> None:
        clock.work(1)
        raise ValueError("so it is")

    async def waits() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            clock.work(2)

    async def story() -> None:
        with pytest.raises(ValueError, match="so it is"):
            await metered(fails(), paid)
        task = asyncio.create_task(metered(waits(), paid))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(story())
    assert sum(paid.all) == 3
    assert payer.get() is None


def test_threads_are_charged_to_those_for_whom_they_work(clock: Clock) -> None:
    paid = Paid()

    def fails() -> float:
        clock.work(1)
        return 1 / 0

    async def work() -> None:
        await in_thread(clock.work, 5)
        with pytest.raises(ZeroDivisionError):
            await in_thread(fails)

    asyncio.run(metered(work(), paid))
    assert sum(paid.all) == 6
    asyncio.run(in_thread(clock.work, 9))  # for nobody
    assert sum(paid.all) == 6


def test_threads_are_charged_also_once_nothing_waits_for_them(clock: Clock) -> None:
    """The thread goes on when the request is cancelled, and so does its price."""
    paid, begun, end = Paid(), threading.Event(), threading.Event()

    def lasts() -> None:
        begun.set()
        assert end.wait(60)
        clock.work(3)

    async def story() -> None:
        task = asyncio.create_task(metered(in_thread(lasts), paid))
        assert await asyncio.to_thread(begun.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert sum(paid.all) == 0
        end.set()
        await asyncio.get_running_loop().shutdown_default_executor()

    asyncio.run(story())
    assert sum(paid.all) == 3


def test_nothing_is_begun_while_a_bucket_is_empty() -> None:
    limits = replace(PUBLIC, processor_share=1e-9, processor_burst=1.0)

    def limits_of(client: str) -> Limits:
        return HOME if client == "host" else limits

    budget = Budget(limits_of)
    assert budget.takes("guest", 0.5)
    budget.of("guest").pay(0.4)
    assert not budget.takes("guest", 0.5)
    assert budget.of("guest").wait(0.5) > 1e6
    assert budget.takes("other", 0.5)
    assert budget.takes("host", 0.5)
    assert budget.of("host").wait() == 0.0


def test_many_clients_cost_no_more_than_a_few() -> None:
    """The one at this machine is not among them."""
    limits = replace(PUBLIC, processor_share=1e-9, processor_burst=1.0)
    budget = Budget(lambda client: HOME if client == "host" else limits)
    taken = [budget.takes(f"2001:db8:0:{number:x}::/64", 0.5) for number in range(100)]
    assert taken == [True] * 2 * TOGETHER + [False] * (100 - 2 * TOGETHER)
    assert budget.takes("host", 0.5)


def test_debts_are_bounded() -> None:
    meter = Meter(rate=1.0, burst=4.0)
    meter.add("guest", 1e6, now=0.0)
    assert meter.wait("guest", 1.0, now=0.0) == 5.0
    assert not meter.allows("guest", 1.0, now=4.5)
    assert meter.allows("guest", 1.0, now=5.0)
