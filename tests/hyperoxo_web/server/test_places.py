"""FairSemaphore are shared out fairly."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo_web.server.limits import HOME, PUBLIC, Client, FairSemaphore
from tests.hyperoxo_web.server.sessions import until

HOST = Client("127.0.0.1", HOME)


def guest(name: str) -> Client:
    return Client(name, PUBLIC)


class Queue:
    """People who want places, and hold them until they are sent away."""

    def __init__(self, count: int) -> None:
        self.places = FairSemaphore(count)
        self.order: list[str] = []
        self.tasks: list[tuple[str, asyncio.Task[None]]] = []
        self.ends: dict[str, asyncio.Semaphore] = {}

    def want(self, client: Client, share: int) -> asyncio.Task[None]:
        end = self.ends.setdefault(client.name, asyncio.Semaphore(0))

        async def hold() -> None:
            async with self.places.slot(client, share):
                self.order.append(client.name)
                await end.acquire()

        task = asyncio.create_task(hold())
        self.tasks.append((client.name, task))
        return task

    async def held(self, *names: str) -> None:
        """Wait until these have had places so far."""
        await settle()
        assert self.order == list(names)

    async def end(self) -> None:
        for _, task in self.tasks:
            task.cancel()
        await asyncio.gather(*(task for _, task in self.tasks), return_exceptions=True)
        assert not self.places._held
        assert not self.places._waiting


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def run(count: int, story: Callable[[Queue], Coroutine[Any, Any, None]]) -> None:
    async def work() -> None:
        queue = Queue(count)
        try:
            await story(queue)
        finally:
            await queue.end()

    asyncio.run(asyncio.wait_for(work(), 300))


def test_a_guest_has_a_share_and_all_guests_leave_a_place_to_the_host() -> None:
    async def story(queue: Queue) -> None:
        for name in ("a", "a", "a", "b", "b", "c"):
            queue.want(guest(name), 2)
        await queue.held("a", "a", "b", "b")
        queue.want(HOST, 4)
        await queue.held("a", "a", "b", "b", "127.0.0.1")

    run(5, story)


def test_whoever_holds_fewest_is_next_and_clients_take_turns() -> None:
    async def story(queue: Queue) -> None:
        for name in ("a", "a", "a", "a", "b", "b", "c"):
            queue.want(guest(name), 1)
        order = ["a"]
        await queue.held(*order)
        for end, name in (("a", "b"), ("b", "c"), ("c", "a"), ("a", "b"), ("b", "a"), ("a", "a")):
            queue.ends[end].release()
            order.append(name)
            await queue.held(*order)

    run(2, story)


def test_one_place_is_for_everybody() -> None:
    async def story(queue: Queue) -> None:
        queue.want(guest("a"), 1)
        await queue.held("a")

    run(1, story)


def test_who_goes_away_gives_back_what_it_has_and_waits_for() -> None:
    async def story(queue: Queue) -> None:
        first, second, _ = (queue.want(guest("a"), 1) for _ in range(3))
        await queue.held("a")
        assert len(queue.places._waiting) == 2
        second.cancel()
        first.cancel()  # in the same moment in which the place may be given to the second
        await queue.held("a", "a")
        await until(lambda: not queue.places._waiting)

    run(2, story)


@settings(deadline=None, max_examples=50)
@given(
    st.integers(1, 5),
    st.lists(st.tuples(st.sampled_from("habc"), st.integers(0, 3)), max_size=40),
)
def test_shares_hold_and_nobody_waits_beside_a_free_place(
    count: int, steps: list[tuple[str, int]]
) -> None:
    """Each step wants a place or ends a task, that may hold one or wait."""

    async def story(queue: Queue) -> None:
        for name, step in steps:
            running = [task for _, task in queue.tasks if not task.done()]
            if step == 3 and running:
                running[len(name) * step % len(running)].cancel()
            else:
                queue.want(HOST if name == "h" else guest(name), 2)
            await settle()
            held = Counter(queue.places._held)
            assert held.total() <= count
            assert all(number <= 2 for number in held.values())
            assert not any(queue.places._may_have(turn) for turn in queue.places._waiting)
            if count > 1 and not held[HOST.name]:
                assert held.total() < count

    run(count, story)


def test_nobody_starves() -> None:
    """One who always wants more does not keep away one who wants little."""

    async def story(queue: Queue) -> None:
        greedy = [queue.want(guest("a"), 2) for _ in range(20)]
        queue.want(guest("b"), 2)
        await settle()
        assert queue.order[:3].count("b") == 1
        assert not all(task.done() for task in greedy)

    run(4, story)


def test_limits_say_what_is_left() -> None:
    assert HOME.leaves == 0 < PUBLIC.leaves
    assert PUBLIC.searches < HOME.searches
    assert replace(HOME, searches=1).leaves == 0
