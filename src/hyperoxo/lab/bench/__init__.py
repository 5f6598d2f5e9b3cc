"""Benchmarks, beside peers in the same run."""

from hyperoxo.lab.bench.cases import CASES, run
from hyperoxo.lab.bench.rows import Row, best_seconds

__all__ = ["CASES", "Row", "best_seconds", "run"]
