"""Elementary functions: close to those of the C library, with the same bits everywhere."""

from __future__ import annotations

import ast
import hashlib
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hyperoxo.jit import njit
from hyperoxo.kernels import elementary
from hyperoxo.kernels.arrays import Floats

KERNELS = Path(elementary.__file__).parent
VARY = {
    "exp",
    "expm1",
    "log",
    "log1p",
    "log2",
    "log10",
    "tanh",
    "sinh",
    "cosh",
    "sin",
    "cos",
    "tan",
}
VARY |= {"power", "pow", "cbrt", "hypot", "dot", "matmul", "vdot", "inner", "einsum", "linalg"}
"""Functions of `math` and NumPy whose bits depend on the processor or on libraries."""


RANDOM = np.random.default_rng(0).random(3000)
CASES: dict[str, tuple[Callable[[float], float], Callable[[float], float], Floats]] = {
    "exp": (elementary.exp, math.exp, 1400.0 * RANDOM - 700.0),
    "log": (elementary.log, math.log, np.ldexp(RANDOM + 0.5, np.arange(-1000, 2000) % 1000)),
    "tanh": (elementary.tanh, math.tanh, 30.0 * RANDOM - 15.0),
}
DIGESTS = {"exp": "f49b11de510fcd33", "log": "e3fbcba8169e73a2", "tanh": "4eefe8ebeeda8bab"}


@njit()
def _apply(function: Callable[[float], float], x: Floats, out: Floats) -> None:
    for i in range(len(x)):
        out[i] = function(x[i])


def _values(function: Callable[[float], float], x: Floats) -> Floats:
    out = np.empty_like(x)
    _apply(function, x, out)
    return out


@pytest.mark.parametrize("name", CASES)
def test_they_are_close(name: str) -> None:
    ours, exact, x = CASES[name]
    want = np.array([exact(one) for one in x.tolist()])
    least = 1.0 if name == "tanh" else 0.0
    assert (np.abs(_values(ours, x) - want) <= 2.0**-51 * np.maximum(np.abs(want), least)).all()


@pytest.mark.parametrize("name", CASES)
def test_bits_are_the_same_everywhere(name: str) -> None:
    ours, _, x = CASES[name]
    assert hashlib.sha256(_values(ours, x).tobytes()).hexdigest()[:16] == DIGESTS[name]


def test_ends() -> None:
    ends = _values(elementary.exp, np.array([0.0, 1.0, -708.0, -1e9, -np.inf]))
    assert ends[0] == 1.0
    assert abs(ends[1] - math.e) < 1e-15
    assert 0 < ends[2] < 1e-307
    assert (ends[2:] == ends[2]).all()
    powers = np.array([1.0, 2.0, 0.5, 1024.0, 2.0**-1022])
    assert _values(elementary.log, powers).tolist() == [math.log(x) for x in powers.tolist()]
    ends = _values(elementary.tanh, np.array([0.0, 1e9, -1e9, 0.5, -0.5]))
    assert ends[:3].tolist() == [0.0, 1.0, -1.0]
    assert ends[3] == -ends[4]


@pytest.mark.more
def test_kernels_use_no_others() -> None:
    found = {}
    for path in sorted(KERNELS.glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        used = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in ("math", "np")
        }
        flags = {word.arg for word in ast.walk(tree) if isinstance(word, ast.keyword)}
        products = any(isinstance(node, ast.MatMult) for node in ast.walk(tree))
        found[path.name] = used & VARY | flags & {"fastmath"} | ({"@"} if products else set())
    assert {name for name, wrong in found.items() if wrong} == set()
