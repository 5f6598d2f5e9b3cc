"""The benchmark of Maker-Breaker search finds the same as its peer."""

from __future__ import annotations

import pytest

from hyperoxo_research.bench import bench
from hyperoxo_research.bench import makers as bench_makers


def test_the_same_result_as_exact_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_makers, "_NODES", (("3^3", 50),))
    monkeypatch.setattr(bench_makers, "_BOTH", "4,4,3:bias=1+2")
    monkeypatch.setattr(bench_makers, "_ALONE", "4^2")
    monkeypatch.setattr(bench_makers, "_PLANNED", "5^2")
    opened, both, alone, plan = bench.run(("makers",), peers=True)
    assert opened.unit == "/s"
    assert both.ratio is not None
    assert (both.unit, alone.unit, alone.peer) == ("ms", "ms", None)
    assert (plan.case, plan.unit) == ("makers", "s")
