"""Settings of all tests."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings

# What tests play is no result of the person who runs them.
_DATA = tempfile.TemporaryDirectory(prefix="hyperoxo-tests-")
os.environ["XDG_DATA_HOME"] = os.environ["DASK_TEMPORARY_DIRECTORY"] = _DATA.name

# NumPy is not imported yet. Tests run in a process a core: threads of OpenBLAS, which wait by
# spinning, took seven times the time of the work from each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell that runs the tests in the background has them ignore what some of them send themselves.
signal.signal(signal.SIGINT, signal.default_int_handler)

# What is compiled at its first use is nothing that a command should say in a test.
pytest.MonkeyPatch().setattr("hyperoxo.cli.progress._PATIENCE", 1e6)

# The first call of a kernel compiles it, which no deadline for one example should count.
settings.register_profile("hyperoxo", deadline=None)
settings.load_profile("hyperoxo")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage while tests are collected, nor later among what was loaded: a twelfth."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture
def declare() -> Iterator[Callable[..., None]]:
    """Replace the entry points of all packages by those of some texts, until the test ends."""
    from tests.declared import declared

    with ExitStack() as stack:
        yield lambda *texts: stack.enter_context(declared(*texts))


@pytest.fixture
def core_alone(declare: Callable[[], None]) -> None:
    """Hide what other packages register, that of research too."""
    declare()


@pytest.fixture(autouse=True)
def _forget_answers() -> None:
    """Solve again, since a test may replace sources of knowledge or tables."""
    for module, name in (
        ("solvers.values", "_cached"),
        ("solvers.theorems", "_kept"),
        ("proof.coverage", "coverages"),
    ):
        if loaded := sys.modules.get(f"hyperoxo.{module}"):
            getattr(loaded, name).cache_clear()


@pytest.fixture
def own_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a test a folder of its own for tables of games."""
    monkeypatch.setenv("HYPEROXO_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("hyperoxo.solvers.states.tables._open", {})


@pytest.fixture
def stop() -> threading.Event:
    """Return the stop of a task that is to end at once."""
    event = threading.Event()
    event.set()
    return event
