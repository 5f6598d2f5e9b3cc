"""A plugin of pytest, for `make slowest`: tests that take more processor time than the budget.

Counted are this process and its children, alive or ended, so that a busy machine changes little.
What the fixtures of a module take counts for the first test that needs them. Kernels that are
compiled on the way count as well: a second run tells what a test takes with them on the disk.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

ROOT = Path(__file__).parents[1]


def limit() -> float:
    """Return the processor seconds that a quick test may take."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return float(project["tool"]["hyperoxo"]["budget"]["quick_test_seconds"])


def spent() -> float:
    """Processor seconds so far of this process and all that it started."""
    seconds, own = 0.0, psutil.Process()
    for process in (own, *own.children(recursive=True)):
        with suppress(psutil.Error):  # ended meanwhile
            times = process.cpu_times()
            seconds += times.user + times.system + times.children_user + times.children_system
    return seconds


class Took(NamedTuple):
    """Processor seconds of one test."""

    name: str
    setup: float
    call: float

    @property
    def both(self) -> float:
        return self.setup + self.call


_took: list[Took] = []


def too_slow() -> list[Took]:
    """Return the tests that took more than they may, the slowest first."""
    return sorted((one for one in _took if one.both > limit()), key=lambda one: -one.both)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    before = spent()
    try:
        return (yield)
    finally:
        _took.append(Took(item.nodeid, spent() - before, 0.0))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    before = spent()
    try:
        return (yield)
    finally:
        _took[-1] = _took[-1]._replace(call=spent() - before)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    found = too_slow()
    write = terminalreporter.write_line
    total = sum(one.both for one in _took)
    write(f"{len(_took)} tests took {total:.0f} s of processor time")
    write(f"{len(found)} of them took more than {limit():g} s:" if found else "none took too long")
    if found:
        write(f"{'both':>7} {'setup':>7} {'call':>7}")
    for one in found:
        write(f"{one.both:7.2f} {one.setup:7.2f} {one.call:7.2f}  {one.name}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if too_slow() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
