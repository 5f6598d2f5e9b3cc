"""First answers: what is measured is what a command says, and when."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo_research.bench import first as bench_first

pytest.importorskip("pty")


def test_a_slow_answer_without_a_word_misses_the_target() -> None:
    quick, slow, silent = (
        list(bench_first._both("it", found, 0.5))
        for found in ((0.9, None), (9.0, 0.6), (9.0, None))
    )
    assert [row.name for row in quick] == ["first answer: it"]
    assert [(row.ours, row.met) for row in slow] == [(9.0, None), (0.6, True)]
    assert [(row.ours, row.met) for row in silent] == [(9.0, None), (9.0, False)]


def test_a_command_is_timed_until_its_first_word(tmp_path: Path) -> None:
    seconds, said = bench_first._command(("board", "3^2"), str(tmp_path))
    assert said is not None
    assert 0 < said <= seconds
