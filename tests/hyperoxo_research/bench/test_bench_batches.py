"""The benchmark of batches: its rows, with Pgx and without."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from importlib.machinery import ModuleSpec

import pytest

from hyperoxo_research.bench import bench


def once(work: Callable[[], object], repeats: int, clock: object) -> float:
    work()
    return 12e-6


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_BOARDS", 4)
    monkeypatch.setattr(bench, "_STEPS", 3)
    monkeypatch.setattr(bench, "best_seconds", once)
    monkeypatch.setattr(bench, "_jax_rate", lambda env, step: 3e6)


def test_every_row_is_measured() -> None:
    rows = {row.name: row for row in bench.run(("batches",))}
    assert [*rows] == [
        "batch steps 3^2, nothing seen",
        "batch steps 3^2",
        "batch steps 4^3",
        "batch steps 3^4",
        "batch random play 3^2",
        "JAX random play 3^2",
    ]
    assert rows["batch steps 3^2"].ours == pytest.approx(1e6)
    assert not rows["batch steps 3^2"].met
    assert rows["batch random play 3^2"].target is None
    assert rows["batch random play 3^2"].remark == ""


def test_the_target_is_five_times_pgx(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_pgx_rate", lambda: 3e5)
    row = next(row for row in bench.run(("batches",), peers=True) if "random" in row.name)
    assert row.target == pytest.approx(1.5e6)
    assert row.ratio == pytest.approx(10 / 3)


def test_a_remark_says_that_pgx_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def without_pgx(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "pgx" else find(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", without_pgx)
    rows = [row for row in bench.run(("batches",), peers=True) if "random" in row.name]
    assert [(row.peer, row.remark) for row in rows] == [(None, "Pgx is not installed")] * 2
