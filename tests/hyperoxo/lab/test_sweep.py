"""Sweeps: values as written, fits that find the truth, and budgets spent where they should be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.errors import LimitError, SpecError
from hyperoxo.lab import ResultStore
from hyperoxo.lab.plots.figures import sweep_figure
from hyperoxo.lab.plots.style import save
from hyperoxo.lab.plots.text import text_chart, text_map
from hyperoxo.lab.requests import read_variation
from hyperoxo.lab.runs import RunInterrupted
from hyperoxo.lab.sweep import Curve, Fit, Point, SweepResult, fit_polynomial, fit_spline
from hyperoxo.lab.sweep.curve import Samples
from tests.expect import message_of, require


def test_values_are_as_written() -> None:
    assert read_variation("bias=0:0.3:0.1").texts == ("0", "0.1", "0.2", "0.3")
    assert len(read_variation("bias=0:1:0.001").texts) == 1001
    assert read_variation("simulations=100:1000:300").values == (100, 400, 700, 1000)
    assert read_variation("x=1:2:0.4").texts == ("1", "1.4", "1.8")
    assert read_variation("x=5:5:1").texts == ("5",)
    assert read_variation("x=-1:0:0.50").texts == ("-1", "-0.5", "0")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("bias", "write NAME=FROM:TO:STEP"),
        ("bias=0:1", "write NAME=FROM:TO:STEP"),
        ("bias=0:1:0", "step must be greater"),
        ("bias=1:0:0.1", "0 is less than 1"),
        ("bias=0:x:0.1", "'x' is not a number"),
        ("bias=0:nan:0.1", "'nan' is out of range"),
    ],
)
def test_wrong_variations_are_refused(text: str, line: str) -> None:
    with pytest.raises(SpecError, match=line):
        read_variation(text)


def test_too_many_values_are_refused() -> None:
    assert "1,000,001 values" in message_of(LimitError, read_variation, "bias=0:1:0.000001")
    with pytest.raises(LimitError, match="1,002,001 points"):
        ox.sweep("3^2", "greedy", ["attack=0:1:0.001", "defend=0:1:0.001"], "random")


def measured(at: np.ndarray, shares: np.ndarray, games: int, seed: int) -> Samples:
    counted = np.random.default_rng(seed).binomial(games, shares) / games
    return Samples(at.reshape(len(at), -1), counted, counted * (1 - counted) / games + 1e-6)


@pytest.mark.more
@pytest.mark.parametrize("fit", [fit_polynomial, fit_spline])
def test_bands_and_optima_cover_the_truth(fit: Callable[[Samples], Fit]) -> None:
    """A parabola, whose degree a polynomial has to find out and a spline need not know."""
    at = np.linspace(0, 1, 21)
    truth = 0.6 - 0.4 * (at - 0.4) ** 2
    inside, found = [], []
    for seed in range(50):
        curve = fit(measured(at, truth, 400, seed))
        if curve.optimum is None:
            continue
        low, high = curve.optimum.interval
        found.append(low <= 0.4 <= high)
        inside.append((curve.at_points[:, 1] <= truth) & (truth <= curve.at_points[:, 2]))
    assert len(found) > 40
    assert np.mean(found) > 0.8
    assert np.mean(inside) > 0.85


@pytest.mark.more
def test_intervals_of_the_optimum_know_that_the_degree_is_uncertain() -> None:
    """No polynomial has this shape; intervals for the degree chosen held the truth in 70 %."""
    at = np.linspace(0, 1, 21)
    truth = 0.02 + 0.15 * np.exp(-at / 0.12) + 0.10 * at**2
    held = []
    for seed in range(60):
        lost = np.random.default_rng(seed).binomial(200, truth)
        points = [
            Point((float(x),), int(200 - n), 0, int(n)) for x, n in zip(at, lost, strict=True)
        ]
        result = SweepResult(
            "3^2", "ising", ("bias",), ("random",), 2, "losses", "polynomial", None, tuple(points),
            seed=0, seconds=0.0,
        )  # fmt: skip
        assert isinstance(result.fit, Curve)
        low, high = require(result.fit.optimum).interval
        held.append(low <= 0.347 <= high)
    assert np.mean(held) > 0.86


def test_bands_of_shares_are_shares() -> None:
    at = np.linspace(0, 1, 21)
    samples = measured(at, 0.02 * (1 - at), 100, 0)
    for curve in (fit_polynomial(samples, 5), fit_spline(samples)):
        assert isinstance(curve, Curve)
        for ends in (curve.shares, curve.low, curve.high, curve.at_points):
            assert ends.min() >= 0
            assert ends.max() <= 1


def test_degrees_are_chosen_by_what_the_points_say() -> None:
    at = np.linspace(-1, 1, 41)
    for degree, truth in ((0, 0.5 + 0 * at), (1, 0.5 + 0.2 * at), (3, 0.5 + at**3 / 3 - at / 4)):
        curve = fit_polynomial(Samples(at[:, None], truth, np.full(41, 1e-4)))
        assert curve.degree == degree
        assert (curve.optimum is None) == (degree == 0)
        assert curve.chi2 < 1e-6


def test_coefficients_are_those_of_the_powers() -> None:
    at = np.linspace(2, 6, 9)
    samples = Samples(at[:, None], 3 - 2 * at + 0.5 * at**2, np.full(9, 1e-4))
    curve = fit_polynomial(samples, 2)
    assert isinstance(curve, Curve)
    assert curve.coefficients == pytest.approx((3, -2, 0.5))
    best = require(fit_polynomial(samples, 2, least=True).optimum)
    assert best.value == pytest.approx(2, abs=0.01)


def test_bad_fits_have_wider_bands() -> None:
    at = np.linspace(0, 1, 21)
    step = np.where(at < 0.5, 0.3, 0.7)
    bad = fit_polynomial(Samples(at[:, None], step, np.full(21, 1e-5)), 2)
    assert isinstance(bad, Curve)
    assert bad.chi2 > 10 * bad.freedom
    half = (bad.high - bad.low).mean() / 2
    assert half > 0.05


def test_surfaces_find_their_top() -> None:
    grid = np.array([(x, y) for x in np.linspace(0, 1, 9) for y in np.linspace(0, 2, 9)])
    truth = 0.7 - 0.5 * (grid[:, 0] - 0.3) ** 2 - 0.2 * (grid[:, 1] - 1.2) ** 2
    surface = fit_polynomial(measured(grid, truth, 2000, 2))
    assert surface.degree == 2
    assert surface.optimum is not None
    for (low, high), wanted in zip(surface.optimum.interval, (0.3, 1.2), strict=True):
        assert low <= wanted <= high
    flat = fit_polynomial(measured(grid, np.full(81, 0.5), 1000, 3))
    assert flat.optimum is None


@pytest.mark.parametrize("degree", [-1, 13, 5])
def test_degrees_out_of_range_are_refused(degree: int) -> None:
    samples = Samples(np.arange(5.0)[:, None], np.full(5, 0.5), np.full(5, 0.01))
    assert "degree must be 0 to 4" in message_of(SpecError, fit_polynomial, samples, degree)
    with pytest.raises(SpecError, match="takes 5 points or more"):
        fit_spline(Samples(np.arange(4.0)[:, None], np.full(4, 0.5), np.full(4, 0.01)))


def test_shares_and_their_variances() -> None:
    point = Point((1.0,), 60, 20, 20)
    assert [point.share(m) for m in ("score", "wins", "losses")] == [0.7, 0.6, 0.2]
    assert point.variance("wins") == pytest.approx(0.24 / 100, rel=0.05)
    assert point.variance("score") == pytest.approx(0.16 / 100, rel=0.05)
    assert Point((1.0,), 50, 0, 0).variance("losses") > 0


def test_the_second_player_needs_some_bias() -> None:
    result = ox.sweep("3^2", "ising", "bias=0:1:0.1", "random", 2, 1000, 1, measure="losses")
    assert [point.values[0] for point in result.points][:3] == [0, 0.1, 0.2]
    assert all(point.games == 1000 for point in result.points)
    assert result.points[0].losses > 80
    assert result.best_point.losses < 20
    assert isinstance(result.fit, Curve)
    assert require(result.fit.optimum).value > 0.2


def test_each_point_is_the_match_of_the_same_seed() -> None:
    result = ox.sweep("3^2", "ising", "bias=0.2:0.4:0.1", "random", 2, 200, 5)
    same = ox.match("3^2", ["random", "ising:bias=0.3"], 200, 5)
    assert (result.points[1].wins, result.points[1].losses) == (same.wins[1], same.wins[0])


def test_whole_parameters_and_other_seats() -> None:
    depth = ox.sweep("3^2", "minimax", "depth=1:2:1", "random", 1, 10, 1)
    assert [point.values for point in depth.points] == [(1,), (2,)]
    three = ox.sweep(
        "3^2:players=3", "ising", "bias=0:1:0.5", ["random", "greedy"], seat=2, games=50
    )
    assert three.versus == ("random", "greedy")


@pytest.mark.more
def test_an_adaptive_sweep_plays_where_the_best_may_lie() -> None:
    result = ox.sweep(
        "3^2", "ising", "bias=0:1:0.05", "random", 2, 500, 1, measure="losses", adaptive=True
    )
    games = [point.games for point in result.points]
    assert sum(games) == pytest.approx(21 * 500, rel=0.02)
    assert games[0] == 200
    assert max(games) > 500
    again = ox.sweep(
        "3^2", "ising", "bias=0:1:0.05", "random", 2, 500, 1, measure="losses", adaptive=True,
        workers=2,
    )  # fmt: skip
    assert again.points == result.points


@pytest.mark.parametrize("adaptive", [False, True])
def test_interrupted_sweeps_go_on(tmp_path: Path, adaptive: bool) -> None:
    def stop(done: int, total: int) -> None:
        if done > 2000:
            raise KeyboardInterrupt

    def play(**more: object) -> tuple[Point, ...]:
        return ox.sweep(
            "3^2", "ising", "bias=0:1:0.1", "random", 2, 400, 1, adaptive=adaptive,
            **more,  # type: ignore[arg-type]
        ).points  # fmt: skip

    with ResultStore(tmp_path / "r.sqlite") as store:
        assert message_of(RunInterrupted, play, store=store, progress=stop)
        assert play(store=store) == play()


def test_two_parameters() -> None:
    result = ox.sweep("3^2", "greedy", ["attack=0:1:0.5", "defend=0:1:0.5"], "random", games=100)
    assert result.names == ("attack", "defend")
    assert [point.values for point in result.points][:4] == [(0, 0), (0, 0.5), (0, 1), (0.5, 0)]
    assert result.fit.kind == "surface"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"vary": "depth=1:2:1"}, "no option 'depth'"),
        ({"vary": "bias=0:2000001:2000001"}, r"bias must be -1e\+06 to"),
        ({"agent": "ising:bias=0.5"}, "'bias' is given twice"),
        ({"vary": ["bias=0:1:1"] * 2}, "bias is varied twice"),
        ({"vary": ["bias=0:1:1"] * 3}, "one or two parameters"),
        ({"seat": 3}, "seat must be 1 to 2"),
        ({"versus": ["random", "random"]}, "versus takes 1 for .*, not 2"),
        ({"games": 0}, "number of games"),
        ({"seed": -1}, "must be at least 0"),
        ({"measure": "luck"}, "measure must be one of"),
        ({"fit": "line"}, "fit must be one of"),
    ],
)
def test_wrong_sweeps_are_refused(change: dict[str, object], line: str) -> None:
    asked: dict[str, object] = {"vary": "bias=0:1:0.5", "versus": "random", "agent": "ising"}
    with pytest.raises(SpecError, match=line):
        ox.sweep("3^2", **{**asked, **change})  # type: ignore[arg-type]


@pytest.mark.more
def test_figures_are_stable(tmp_path: Path) -> None:
    line = ox.sweep("3^2", "ising", "bias=0:1:0.2", "random", 2, 50, measure="losses")
    many = ox.sweep("3^2", "ising", "bias=0:1:0.01", "random", 2, 5, fit="spline")
    heat = ox.sweep("3^2", "greedy", ["attack=0:1:0.5", "defend=0:1:0.5"], "random", games=20)
    for result in (line, many, heat):
        files = [tmp_path / f"{i}.svg" for i in range(2)]
        for path in files:
            save(sweep_figure(result), path)
        assert files[0].read_bytes() == files[1].read_bytes()


def test_charts_in_text() -> None:
    flat = text_chart([("", [0, 1], [2.0, 2.0])], width=30, height=8)
    assert flat.count("•") == 2
    one = text_chart([("", [3], [1.0])], ("n", "%"), width=30, height=8)
    assert one.count("•") == 1
    assert one.splitlines()[-1].split() == ["%", "n"]
    assert text_map(["1"], ["1"], [[0.5]], ("n", "b")).splitlines()[0] == "1   "
