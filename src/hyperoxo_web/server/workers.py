"""Worker pool of the server: shared processes for quick answers, one process per long search.

The event loop never searches. Quick answers share two processes; a long search has a process
to itself, killed when its request is cancelled.

Each client has a share of the slots and a time limit. At the deadline the process is asked for
its result so far; one that does not answer within a grace period is killed.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import pickle
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from hyperoxo_web.server.budget import Account, payer
from hyperoxo_web.server.limits import HOME, PUBLIC, Client, FairSemaphore
from hyperoxo_web.server.refusal import RefusedError
from hyperoxo_web.server.waiting import first_of
from hyperoxo_web.server.worker import LENGTH, Request, packed, request

_Answering = asyncio.Task[Any]
Prepares = Callable[[dict[str, int] | None], None]
"""Callback with the numbers of functions compiled and needed; None ends the compilation."""
_KEPT_SECONDS = 600.0
_COMPILING = 300.0
"""Time limit in seconds of compilation, besides that of the request."""
_GRACE = 5.0
"""Seconds between the request for an early end and the kill."""
_OFTEN = 0.25
_ANSWERS = 256
_LOADING = {"done": 0, "needed": 0}
"""Progress of a process that has just been started and imports its modules."""
# As it was when the program began: the server itself may restrict its own memory later.
_ENVIRONMENT = dict(os.environ)
_numbers = itertools.count(1)


class Listener:
    """Progress callbacks of a request, and a flag to end it early."""

    def __init__(self, prepares: Prepares | None = None) -> None:
        self.early = asyncio.Event()
        """Set to request the result so far."""
        self.preparing: dict[str, int] | None = None
        """Functions compiled of those needed, while that goes on."""
        self._prepares = prepares

    def on_progress(self, news: Any) -> None:
        """Take an interim result."""

    def prepare(self, preparing: dict[str, int] | None) -> None:
        """Take the progress of the compiler; None ends it."""
        if preparing != self.preparing:
            self.preparing = preparing
            if self._prepares is not None:
                self._prepares(preparing)


@dataclass(eq=False)
class _Asked:
    """A pending request."""

    answer: asyncio.Future[Any]
    listener: Listener
    payer: Account | None = None
    begun: bool = False


class Worker:
    """One worker process and its pipe; requests are answered in their order."""

    def __init__(self, *, nice: int = HOME.nice) -> None:
        self.nice = nice
        self.load = 0
        self._starting = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self.preparing: dict[str, int] | None = None
        """Progress of its compiler."""
        self._tasks: dict[int, _Asked] = {}

    async def start(self) -> None:
        """Start the process, unless it runs."""
        # Locked, so that two first requests do not start two processes, one of them forgotten.
        async with self._starting:
            if self.alive:
                return
            # The reader of a dead process refuses all pending requests: none may be of the next.
            if self._reader is not None:
                await asyncio.wait((self._reader,))
            self._prepare(_LOADING)
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                "from hyperoxo_web.server.worker import main; main()",
                f"--nice={self.nice}",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=_ENVIRONMENT,
                start_new_session=True,  # Ctrl-C in a terminal is for the server alone
            )
            self._reader = asyncio.create_task(self._read(self._process))

    @property
    def alive(self) -> bool:
        """True if the process runs and its pipe is open."""
        if self._process is None or self._reader is None or self._reader.done():
            return False
        return self._process.returncode is None

    async def call(
        self,
        request: Request,
        listener: Listener | None = None,
        seconds: float | None = None,
        payer: Account | None = None,
        grace: float = _GRACE,
    ) -> Any:
        """Send a request and wait for its answer, `seconds` at most."""
        # At the deadline, or when the listener asks for an early end, the process has `grace`
        # seconds to answer with its result so far.
        # `_tasks` has the request before a byte is sent: no answer can find it missing. From
        # `start` to `_send` nothing is awaited, so requests are sent in the order of numbers.
        await self.start()
        number = next(_numbers)
        future = asyncio.get_running_loop().create_future()
        asked = self._tasks[number] = _Asked(future, listener or Listener(), payer)
        if self.preparing is not None:
            asked.listener.prepare(self.preparing)
        self.load += 1
        try:
            self._send(number, request)
            if seconds is not None:
                await self._in_time(number, asked, seconds, grace)
            return await asked.answer
        finally:
            self.load -= 1
            self._tasks.pop(number, None)

    async def _in_time(self, number: int, asked: _Asked, seconds: float, grace: float) -> None:
        """Enforce the deadline: wait, ask for the result so far, then kill."""
        # 1. The time of the request, or until its listener wants an early end.
        first = asyncio.create_task(first_of(asked.answer, asked.listener.early))
        try:
            await self._wait(asked, seconds, first)
        finally:
            first.cancel()
        if asked.answer.done():
            return
        # 2. A request without a body asks for what is known; a search answers at its next look.
        self._send(number)
        await self._wait(asked, grace, asked.answer)
        # 3. A process that is stuck would keep its slot for ever. Others who share it get the
        #    refusal "worker" from `_read`, and their next request starts a new process.
        if not asked.answer.done():
            asked.answer.cancel()
            await self.kill()
            raise RefusedError("limit", f"there was no answer within {seconds:g} seconds")

    async def _wait(self, asked: _Asked, seconds: float, end: asyncio.Future[Any]) -> None:
        """Wait for the end; time in the queue and time of compilation do not count."""
        # Compiling has a separate budget: after that it counts too, so that a process that
        # claims to compile for ever is ended.
        clock = asyncio.get_running_loop().time
        left, compiling = seconds, _COMPILING
        while left > 0 and not end.done():
            before = clock()
            await asyncio.wait((end,), timeout=min(left, _OFTEN))
            spent = clock() - before
            if self.preparing is not None and compiling > 0:
                compiling -= spent
            elif asked.begun:
                left -= spent

    def _send(self, number: int, request: Request | None = None) -> None:
        """Send a request, or the signal to end it early."""
        assert self._process is not None
        assert self._process.stdin is not None
        with suppress(ConnectionError, RuntimeError):  # a dead process is noticed by its reader
            self._process.stdin.write(packed((number, request)))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        with suppress(asyncio.IncompleteReadError):
            while True:
                length = int.from_bytes(await process.stdout.readexactly(LENGTH), "big")
                data = await process.stdout.readexactly(length)
                self._on_message(*pickle.loads(data))  # noqa: S301, of this program
        # The pipe has ended, so no answer will come: refuse all pending requests now.
        self._prepare(None)
        for asked in self._tasks.values():
            if not asked.answer.done():
                asked.answer.set_exception(RefusedError("worker", "the search process has ended"))

    def _on_message(self, number: int, kind: str, value: Any = None, cpu: float = 0.0) -> None:
        if kind == "preparing":
            self._prepare(value)
            return
        if self.preparing is _LOADING:  # imports are done: it has begun its first request
            self._prepare(None)
        # A late answer to a request that was cancelled finds nothing here, and is dropped.
        asked = self._tasks.get(number)
        if asked is None or asked.answer.done():
            return
        if asked.payer is not None:
            asked.payer.pay(cpu)
        if kind == "begun":
            asked.begun = True
        elif kind == "news":
            asked.listener.on_progress(value)
        elif kind == "done":
            asked.answer.set_result(value)
        else:
            asked.answer.set_exception(RefusedError(*value))

    def _prepare(self, preparing: dict[str, int] | None) -> None:
        """Pass the progress of the compiler to all pending requests."""
        if preparing == self.preparing:
            return
        self.preparing = preparing
        for asked in list(self._tasks.values()):
            asked.listener.prepare(preparing)

    async def kill(self) -> None:
        """Kill the process."""
        async with self._starting:  # not while a start is in progress, whose process would leak
            process, reader = self._process, self._reader
        if process is None:
            return
        with suppress(ProcessLookupError):
            if process.returncode is None and hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        await process.wait()
        if reader is not None:
            await asyncio.gather(reader, return_exceptions=True)


class Workers:
    """Worker pool: slots for `searches` and half as many analyses.

    Remote clients leave `leaves` further slots of each kind to people on this machine.
    """

    def __init__(self, searches: int, leaves: int = 0) -> None:
        self._most_kept = max(1, searches // 2)
        self._quick = [Worker(), Worker(nice=(PUBLIC if leaves else HOME).nice)]
        self._apart = Worker()
        self._calls = FairSemaphore(1)
        self._answers = FairSemaphore(_ANSWERS)
        self._searches = FairSemaphore(searches + leaves)
        self._analyses = FairSemaphore(self._most_kept + leaves)
        self._asking: set[_Answering] = set()
        self._spare: list[Worker] = []
        self._kept: dict[str, Worker] = {}  # those that keep the tables of a search, by its name
        self.busy: set[Worker] = set()

    async def warm(self) -> None:
        """Start the shared processes ahead of time, and let them import their modules."""
        for worker in self._quick:
            await worker.start()
            self._note(worker.call(request("tasks:ready")))
        await self._apart.start()

    @property
    def compiling(self) -> bool:
        """True if a worker with pending requests compiles or imports."""
        return any(worker.preparing is not None for worker in (*self._quick, *self.busy))

    async def stop(self) -> None:
        """End all processes."""
        for task in list(self._asking):
            task.cancel()
        shared, idle = (*self._quick, self._apart), (*self._spare, *self._kept.values())
        await asyncio.gather(*(worker.kill() for worker in (*shared, *idle, *self.busy)))
        self._spare.clear()
        self._kept.clear()

    async def quick(
        self, request: Request, client: Client, seconds: float, listener: Listener | None = None
    ) -> Any:
        """Request an answer that takes milliseconds from a shared process."""
        # Shielded: a shared process cannot be killed for one request, so its deadline must be
        # enforced even when the client has gone. Others wait behind it.
        return await asyncio.shield(self._note(self._answer(request, client, seconds, listener)))

    def _note(self, work: Coroutine[Any, Any, Any]) -> _Answering:
        task = asyncio.create_task(work)
        self._asking.add(task)
        task.add_done_callback(self._answered)
        return task

    def _answered(self, task: _Answering) -> None:
        self._asking.discard(task)
        if not task.cancelled():
            task.exception()  # marks it as retrieved: its client may have gone

    async def _answer(
        self, request: Request, client: Client, seconds: float, listener: Listener | None
    ) -> Any:
        async with self._answers.slot(client, client.limits.answers):
            # Clients that must leave slots to others also leave them the first process.
            workers = self._quick[min(client.limits.leaves, 1) :]
            worker = min(workers, key=lambda entry: entry.load)
            return await worker.call(request, listener, seconds)

    async def apart(self, request: Request, client: Client, seconds: float) -> Any:
        """Request work too long for the event loop; clients take turns and are charged."""
        async with self._calls.slot(client, 1):
            asked = self._apart.call(request, seconds=seconds, payer=payer.get())
            return await asyncio.shield(self._note(asked))

    async def search(
        self,
        request: Request,
        client: Client,
        *,
        seconds: float,
        listener: Listener | None = None,
        grace: float = _GRACE,
        analysis: bool = False,
        name: str | None = None,
        continues: str | None = None,
    ) -> Any:
        """Request an answer that may take long; cancelling kills the process."""
        # A search with a `name` may keep its process and tables for a later one, which `continues`.
        listener = listener or Listener()
        places, limits = (self._analyses if analysis else self._searches), client.limits
        share = limits.analyses if analysis else limits.searches
        async with places.slot(client, share, listener.early):
            # 1. Check that the tables are still kept, and take the process, in one step of the
            #    loop: it cannot be released, or taken by another, in between.
            if name is not None:
                go_on = continues in self._kept
                request = replace(request, given={**request.given, "go_on": go_on})
            worker = self._take(continues, limits.nice)
            self.busy.add(worker)
            keeps = False
            # 2. In all cases the process ends in exactly one of: kept under the name, spare, or
            #    killed. `stop` finds it in `busy` until then.
            try:
                answer = await worker.call(request, listener, seconds, grace=grace)
                keeps = name is not None and answer.pop("kept", False)
            except asyncio.CancelledError:
                # Shielded against a second cancellation, which would leave the process running.
                await asyncio.shield(worker.kill())
                raise
            finally:
                self.busy.discard(worker)
                if worker.alive and not keeps:
                    self._spare.append(worker)
            if keeps:
                await self._keep(worker, name or "")
            return answer

    def _take(self, continues: str | None, nice: int = HOME.nice) -> Worker:
        """Return an idle process: the one with the kept tables, a spare one, or a new one."""
        if continues in self._kept:
            return self._kept.pop(continues)
        free = [worker for worker in self._spare if worker.nice == nice]
        if not free:
            return Worker(nice=nice)
        self._spare.remove(free[0])
        return free[0]

    async def _keep(self, worker: Worker, name: str) -> None:
        self._kept[name] = worker
        loop = asyncio.get_running_loop()
        loop.call_later(_KEPT_SECONDS, lambda: self._note(self.release(name)))
        for oldest in list(self._kept)[: -self._most_kept]:
            await self.release(oldest)

    async def release(self, name: str) -> None:
        """End the process that keeps the tables of a search, if any."""
        if name in self._kept:
            await self._kept.pop(name).kill()
