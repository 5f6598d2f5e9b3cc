from __future__ import annotations

import math

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.errors import LimitError, SpecError
from hyperoxo.heuristics import (
    HEURISTICS,
    as_heuristic,
    heuristic_by_name,
    ising_heuristic,
    kutner_heuristic,
    line_energy,
    tabulate,
)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7])
def test_line_energy_is_the_product_of_the_report(size: int) -> None:
    c = (size + 1) ** (1 / size)
    for own in range(size + 1):
        product = math.prod(c * order for order in range(1, own + 1))
        assert line_energy(own, size) == pytest.approx(product, rel=1e-12)
    assert line_energy(size, size) == pytest.approx(math.factorial(size + 1), rel=1e-12)


def test_kutner_weights() -> None:
    table = kutner_heuristic(0.5, 0.25).table(4, 3)
    assert table[1, 0] == 0.5 / 3
    assert table[3, 0] == 0.5
    assert table[0, 2] == -0.25 / (2 * 2)
    assert table[0, 0] == table[1, 1] == 0.0
    assert table[4, 0] == np.inf


def test_functions_may_take_two_to_four_arguments() -> None:
    assert ox.line_heuristic(lambda own, rivals: own - rivals).table(3, 2)[1, 2] == -1.0
    assert ox.line_heuristic(lambda own, rivals, n: n + own - rivals).table(3, 2)[0, 0] == 3.0
    four = ox.line_heuristic(lambda own, rivals, n, q: own + rivals + n + 10 * q, name="four")
    assert four.table(3, 5)[0, 1] == 54.0
    assert four.name == "four"


def test_the_value_of_a_full_line_is_infinite_unless_asked_otherwise() -> None:
    weigh = lambda own, rivals: own  # noqa: E731 - a table in one line
    assert ox.line_heuristic(weigh).table(3, 2)[3, 0] == np.inf
    assert ox.line_heuristic(weigh, full="weight").table(3, 2)[3, 0] == 3.0
    with pytest.raises(SpecError, match="full"):
        ox.line_heuristic(weigh, full="maybe")


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda own: own, "arguments"),
        (lambda own, rivals: 1 / rivals, "ZeroDivisionError"),
        (lambda own, rivals: math.inf, "finite"),
        (lambda own, rivals: 10.0 ** (400 * own), "too large"),
        (lambda own, rivals: "much", "ValueError"),
    ],
)
def test_bad_functions_are_one_clear_error(function: object, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        ox.line_heuristic(function).table(3, 2)  # type: ignore[arg-type]


def test_names() -> None:
    for name in HEURISTICS:
        assert heuristic_by_name(name).table(3, 2).shape == (4, 4)
        assert as_heuristic(name) is as_heuristic(heuristic_by_name(name))
    with pytest.raises(SpecError, match="unknown heuristic 'best'; known are none, lines"):
        heuristic_by_name("best")
    with pytest.raises(SpecError, match="did you mean 'kutner'"):
        heuristic_by_name("kuttner")
    assert heuristic_by_name("traps").table(4, 2)[:4, 0].tolist() == [0.0, 1.0, 8.0, 64.0]
    assert heuristic_by_name("potential").table(3, 2)[:, 0].tolist() == [0.125, 0.25, 0.5, np.inf]
    assert heuristic_by_name("none").table(3, 2)[2, 0] == 0.0
    with pytest.raises(SpecError, match="reading"):
        ising_heuristic("aloud")


def test_tables_of_boards_with_lines_of_several_sizes() -> None:
    board = ox.hypergraph(5, [(0, 1), (1, 2, 3), (3, 4)])
    tables = tabulate(kutner_heuristic(), board, 2)
    assert tables.kinds.tolist() == [[0, 1, 0]]
    assert tables.weights[0, 1, 0] == 1.0
    assert tables.weights[1, 1, 0] == 0.5
    assert tables.weights[0, 2, 0] == tables.big
    assert np.isfinite(tables.weights).all()
    assert tabulate(kutner_heuristic(), ox.hypergraph(2, []), 2).kinds.tolist() == [[]]


def test_long_lines_are_refused_with_their_size() -> None:
    with pytest.raises(LimitError, match="1,001 cells"):
        kutner_heuristic().table(1001, 2)
