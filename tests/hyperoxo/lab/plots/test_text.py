"""Charts as characters."""

from __future__ import annotations

import pytest

from hyperoxo.lab.plots.text import text_intervals


def test_intervals_have_a_line_each_however_low_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LINES", "10")
    monkeypatch.setenv("COLUMNS", "50")
    names = [f"agent {number}" for number in range(30)]
    spans = [(number - 1.0, number + 1.0) for number in range(30)]
    chart = text_intervals(names, range(30), spans, [None] * 29 + [0.0]).splitlines()
    rows = [line for line in chart if "agent" in line]
    assert [row.split("┤")[0].strip() for row in rows] == names
    assert all("─●─" in row for row in rows[1:-1])
    assert "x" in rows[-1]
    assert "\x1b" not in "".join(chart)
    assert max(map(len, chart)) <= 50
