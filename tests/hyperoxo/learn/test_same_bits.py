"""The same seed gives the same bits on every processor: learning, networks and searches."""

from __future__ import annotations

import hashlib
import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.agents.network import stored_network
from hyperoxo.jit import NO_REFCOUNT, cache_folder, njit
from hyperoxo.learn.training import learner_of
from tests.learners import learned
from tests.marks import more
from tests.processes import python

ROOT = Path(__file__).parents[3]
DISPATCHED = importlib.import_module("numpy._core._multiarray_umath").__cpu_dispatch__
"""Processors for which NumPy brings loops of their own."""
OLD = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "OPENBLAS_CORETYPE": "Nehalem",
    "OPENBLAS_NUM_THREADS": "2",
    "NPY_DISABLE_CPU_FEATURES": " ".join(DISPATCHED),
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
    "NUMBA_OPT": "1",  # the bits are those of less optimised code too, which takes less time
}
"""What makes compiled code and libraries take this for a processor without wide registers and fused
multiply-adds."""
UNUSED = "guided._plies_to_win guide._drop_equivalent guide._least_image guide.load"
"""Callees, of whole numbers alone, whose work no case below needs: threats and symmetries."""


@njit(cache=False, **NO_REFCOUNT)
def nothing(*_: object) -> int:
    return 0


def _learned(game: str, spec: str) -> list[Any]:
    learner = learned(learner_of(spec, ox.Game(game), 0))
    assert hasattr(learner, "weights")
    return [learner.weights()]


def _judged() -> list[Any]:
    game = ox.Game("3^3")
    return list(stored_network("3^3").judge(game, np.zeros((1, game.cells), dtype=np.uint8)))


def _searched(name: str, **options: Any) -> list[Any]:
    position = ox.Game("4^3").position("moves:0,21")
    found = ox.agent(name, simulations=300, **options).explain(position, 0)
    assert found is not None
    return [np.array(found.candidates)]


CASES: dict[str, tuple[Callable[[], list[Any]], str]] = {
    "td": (lambda: _learned("3^3", "td:games=400,tune=off"), "bd4600de757a4e1a"),
    "td by stages": (
        lambda: _learned("3^2", "td:games=200,stages=3,classes=on,tune=off"),
        "463d3a937de24672",
    ),
    "td on the tree": (lambda: _learned("3^2", "td:games=200,generations=2"), "f9219b2baeed1717"),
    "td on games": (
        lambda: _learned("3^2", "td:games=200,tune=games,generations=1"),
        "a1bfbef35273aaa2",
    ),
    "network": (_judged, "aa5858101a85834c"),
    "puct": (lambda: _searched("puct", leaf=0), "d395db9d1ee7d530"),
    "mcts": (lambda: _searched("mcts", rave=300), "0066259c5a809444"),
    "alphazero": (lambda: _searched("alphazero", leaf=0), "d01d65882c001c0a"),
    "alphazero by threats": (lambda: _searched("alphazero"), "5f6c73d8556ea815"),
}


@pytest.mark.parametrize("name", more(CASES, ["td", "td on games"]))
def test_the_bits_are_those_of_every_processor(name: str, monkeypatch: Any) -> None:
    for unused in UNUSED.split() if OLD.items() <= os.environ.items() else ():
        monkeypatch.setattr(f"hyperoxo.kernels.{unused}", nothing)
    made, digest = CASES[name]
    content = b"".join(np.ascontiguousarray(array).tobytes() for array in made())
    assert hashlib.sha256(content).hexdigest()[:16] == digest


@pytest.mark.more
def test_an_old_processor_gives_the_same(tmp_path: Path) -> None:
    """Everything is compiled for a processor that lacks what this one has, in a folder apart."""
    one = f"{Path(__file__).relative_to(ROOT)}::test_the_bits_are_those_of_every_processor"
    folder = (cache_folder() or tmp_path) / "old"
    environment = {**os.environ, **OLD, "NUMBA_CACHE_DIR": str(folder)}
    words = ["-m", "pytest", "-q", "-pno:cacheprovider", "-pno:xdist"]
    done = python(*words, "-knot threats", one, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stdout
    assert f"{len(CASES) - 1} passed" in done.stdout
