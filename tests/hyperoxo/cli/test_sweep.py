"""`oxo sweep` as a command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import answer, oxo


def words(vary: str = "bias=0:1:0.1", *more: str) -> tuple[str, ...]:
    asked = ("--agent", "ising", "--vary", vary, "--versus", "random", "--seat", "2")
    return ("sweep", "3^2", *asked, "--games", "100", "--seed", "1", *more)


def test_json() -> None:
    found = answer(*words("bias=0:1:0.1"))
    assert [point["value"] for point in found["points"]] == [
        0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
    ]  # fmt: skip
    assert all(p["wins"] + p["draws"] + p["losses"] == 100 for p in found["points"])
    fit = found["fit"]
    assert fit["kind"] == "polynomial"
    assert fit["measure"] == "score"
    assert fit["curve"][0]["low"] <= fit["curve"][0]["fit"] <= fit["curve"][0]["high"]
    if fit["optimum"] is not None:
        low, high = fit["optimum"]["interval"]
        assert 0 <= low <= high <= 1


@pytest.mark.more
def test_degree_and_spline() -> None:
    fixed = answer(*words("bias=0:1:0.1", "--degree", "2"))
    assert fixed["fit"]["degree"] == 2
    assert len(fixed["fit"]["coefficients"]) == 3
    chosen = oxo(*words("bias=0:1:0.1", "--degree", "auto", "--fit", "spline"))
    assert "spline: best at bias" in chosen.stdout


@pytest.mark.more
def test_text_chart_and_figure(tmp_path: Path) -> None:
    figure = tmp_path / "sweep.png"
    answer = oxo(*words("bias=0:1:0.02", "--show", "--figure", str(figure), "--measure", "losses"))
    assert answer.exit_code == 0
    assert answer.stdout.startswith("51 points; --format json lists them")
    assert "•" in answer.stdout
    assert "% losses" in answer.stdout.splitlines()[-2]
    assert figure.stat().st_size > 10_000


def test_two_parameters() -> None:
    asked = ("sweep", "3^2", "--agent", "greedy", "--versus", "random", "--games", "20", "--show")
    answer = oxo(*asked, "--vary", "attack=0:1:0.5", "--vary", "defend=0:1:0.5", "--seed", "1")
    assert "down: attack, across: defend; shades from" in answer.stdout
    assert answer.stdout.splitlines()[0].split()[:2] == ["attack", "defend"]
