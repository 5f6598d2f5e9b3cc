"""Exponents are those of the times, and rows survive being written and read."""

from __future__ import annotations

import json
from itertools import count

import pytest

from hyperoxo.errors import SpecError
from hyperoxo_research.bench import bench
from hyperoxo_research.bench import growth as bench_growth
from hyperoxo_research.bench.growth import Operation, Series, every_series, measured, slope
from hyperoxo_research.bench.rows import EXPONENT, Row
from hyperoxo_research.plots.growth import growth_figure

SIZES = (1, 2, 4)


def clocked(power: float) -> Series:
    """Work whose clock alone says how long it takes: size ** power seconds."""
    now = [0.0]

    def work(size: int) -> None:
        now[0] += float(size**power)

    return Series(
        "work",
        "size",
        "squares",
        tuple(Operation(size, lambda size=size: work(size), size**2) for size in SIZES),  # type: ignore[misc]
        lambda: now[0],
    )


def test_the_exponent_is_that_of_the_times() -> None:
    row = measured(clocked(1.5))
    assert row.growth is not None
    assert row.ours == pytest.approx(1.5)
    assert (row.growth.low, row.growth.high) == pytest.approx((1.5, 1.5))
    assert row.peer == pytest.approx(2)
    assert (row.unit, row.ratio, row.met) == (EXPONENT, None, None)
    assert row.cells[1:4] == ("1.50 (1.50 to 1.50)", "", "2.00")
    assert [point.seconds for point in row.growth.points] == pytest.approx([1, 2**1.5, 8])


def test_short_work_is_repeated() -> None:
    runs = count()
    time = count()
    series = Series(
        "work",
        "size",
        "nothing",
        tuple(Operation(size, lambda: next(runs), 1) for size in SIZES),
        lambda: next(time) / 1000,
        repeats=2,
    )
    measured(series)
    # Once to compile, once to see how long it takes, and twice 50 times a millisecond.
    assert next(runs) == len(SIZES) * (2 + 2 * 50)


def test_what_grows_as_it_must_has_the_expected_exponent() -> None:
    series = next(one for one in every_series() if one.name == "build n^3")
    sizes = [operation.at for operation in series.operations]
    lines = [((n + 2) ** 3 - n**3) / 2 * n for n in sizes]
    assert [operation.touched for operation in series.operations] == lines
    assert 2.8 < slope(sizes, lines) < 3


def test_rows_are_read_as_they_were_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_growth, "every_series", lambda: iter([clocked(1)]))
    rows = list(bench.run(("growth",)))
    assert [row.case for row in rows] == ["growth"]
    written = json.loads(json.dumps([row.as_data() for row in rows]))
    assert [Row.from_data(row) for row in written] == rows


def test_only_growth_is_drawn() -> None:
    figure = growth_figure([measured(clocked(1)), measured(clocked(2))])
    assert [axes.get_xlabel() for axes in figure.axes] == ["size", "size"]
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]  # type: ignore[union-attr]
    assert labels == ["expected 2.00", "found 1.00"]
    with pytest.raises(SpecError, match="growth"):
        growth_figure([Row("speed", 1.0, "s")])
