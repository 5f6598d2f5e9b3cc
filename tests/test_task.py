"""Tasks: what is reported, what ends them, and what compiled loops see of that."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest

from hyperoxo import task as module
from hyperoxo.task import ALONE, Task, begin


class Clock:
    """Time that a test sets."""

    def __init__(self) -> None:
        self.now = 10.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "working_time", clock)
    return clock


def test_progress_is_reported_where_it_is_wanted() -> None:
    heard: list[tuple[int, int]] = []
    Task(lambda *parts: heard.append(parts)).report_progress(1, 4)
    Task().report_progress(2, 4)
    assert heard == [(1, 4)]


def test_a_task_without_limits_is_never_over() -> None:
    task = Task.within(None)
    assert (task.left, task.over, task.stopped, task.share(0.5)) == (math.inf, False, False, task)


def test_time_runs_out(clock: Clock) -> None:
    task = Task.within(4)
    part = task.share(0.25)
    assert (task.left, part.left) == (4, 1)
    assert (task.share(0.5, most=3).left, task.share(0.5, most=0.5).left) == (2, 0.5)
    clock.now += 2
    assert (task.left, task.over, part.left, part.over) == (2, False, 0, True)


def test_a_stop_ends_it_before_its_time(clock: Clock) -> None:
    stop = threading.Event()
    task = Task.within(4, stop)
    assert not task.over
    stop.set()
    assert (task.left, task.over, task.stopped) == (0, True, True)


def test_the_flag_of_a_loop_is_set_when_a_task_is_over(clock: Clock) -> None:
    stop = threading.Event()
    for task, end in ((Task.within(4), None), (Task(stop=stop), stop)):
        flag = np.zeros(1, dtype=np.int64)

        def loop(flag: Any = flag, end: Any = end) -> None:
            assert not flag[0]
            clock.now += 5
            if end is not None:
                end.set()
            while not flag[0]:
                pass

        assert task.run(loop, flag)
        assert flag[0] == 1


@pytest.mark.parametrize("seconds", [0, -1])
def test_no_time_at_all_sets_the_flag_at_the_beginning(seconds: float) -> None:
    flag = np.zeros(1, dtype=np.int64)
    with Task.within(seconds).watched(flag):
        assert flag[0] == 1


def test_an_interrupt_sets_the_flag_and_is_told() -> None:
    flag = np.zeros(1, dtype=np.int64)

    def interrupt() -> None:
        raise KeyboardInterrupt

    def loop() -> None:
        while not flag[0]:
            pass

    assert not Task().run(loop, flag, interrupt)
    assert flag[0] == 1


def test_an_error_of_who_is_told_ends_the_work() -> None:
    flag = np.zeros(1, dtype=np.int64)

    def loop() -> None:
        while not flag[0]:
            pass

    with pytest.raises(ZeroDivisionError):
        Task().run(loop, flag, lambda: 1 // 0)


def test_errors_of_the_work_come_out() -> None:
    with pytest.raises(ZeroDivisionError):
        Task().run(lambda: 1 // 0, np.zeros(1, dtype=np.int64))


def test_what_is_known_so_far_is_reported_to_who_asked() -> None:
    seen: list[object] = []
    Task(on_report=seen.append).report("found")
    ALONE.report("found")
    assert seen == ["found"]
    assert ALONE.is_alone
    assert not Task(on_report=seen.append).is_alone
    assert not Task(stop=threading.Event()).is_alone


def test_work_that_has_begun_has_a_result_or_an_error() -> None:
    assert begin(lambda: 7).result(60) == 7
    with pytest.raises(ZeroDivisionError):
        begin(lambda: 1 // 0).result(60)


@pytest.mark.parametrize("_again", range(10))
def test_ctrl_c_while_work_begins_is_heard(_again: int) -> None:
    """The thread may press it before the call that starts the thread returns."""
    flag = np.zeros(1, dtype=np.int64)

    def press() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        while not flag[0]:
            time.sleep(0.001)

    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert not Task().run(press, flag)
    finally:
        signal.signal(signal.SIGINT, handler)
