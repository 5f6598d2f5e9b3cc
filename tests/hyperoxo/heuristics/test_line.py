"""Line heuristics: tables, names, classes of lines and stages of the game."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.agents.scored import move_values
from hyperoxo.errors import LimitError, SpecError
from hyperoxo.heuristics import (
    HEURISTICS,
    as_heuristic,
    heuristic_by_name,
    ising_heuristic,
    kinds_of,
    kutner_heuristic,
    line_energy,
    side_by_side,
    tabulate,
)
from hyperoxo.heuristics.line import CLASSES
from hyperoxo.kernels.scored import add_all_lines, play_scored
from hyperoxo.solvers.arrays import state_of, tables_of


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
    assert tables.weights[0, 2, 0] == tables.weights[1, 3, 0] > 4.0
    assert np.isfinite(tables.weights).all()
    assert tabulate(kutner_heuristic(), ox.hypergraph(2, []), 2).kinds.tolist() == [[]]


def test_long_lines_are_refused_with_their_size() -> None:
    with pytest.raises(LimitError, match="1,001 cells"):
        kutner_heuristic().table(1001, 2)


@pytest.mark.parametrize("spec", ["3^2", "4^2", "3^3", "5,4,3", "4^2:blocked=0", "3^2:connect=2"])
def test_orbits_are_those_under_every_symmetry(spec: str) -> None:
    board = ox.Game(spec).board
    lines = [frozenset(board.line(i).tolist()) for i in range(board.line_count)]
    found = CLASSES["orbits"](board).tolist()
    for i, line in enumerate(lines):
        images = {frozenset(p[list(line)].tolist()) for p in board.symmetry.permutations()}
        assert {found[lines.index(image)] for image in images} == {found[i]}
        assert {j for j in range(len(lines)) if found[j] == found[i]} == {
            lines.index(image) for image in images
        }
    assert list(dict.fromkeys(found)) == sorted(set(found))


def test_axes_along_which_lines_run() -> None:
    assert np.bincount(CLASSES["axes"](ox.Game("4^3").board)).tolist() == [48, 24, 4]
    with pytest.raises(SpecError, match="coordinates"):
        CLASSES["axes"](ox.hypergraph(3, [(0, 1, 2)]))


def test_kinds_are_sizes_and_classes() -> None:
    board = ox.hypergraph(6, [(0, 1), (1, 2), (2, 3, 4), (3, 4, 5)])
    assert kinds_of(board)[0] == [(0, 2, 0), (0, 3, 0)]
    for stages in (1, 3):
        known, kinds = kinds_of(board, "orbits", stages)
        for stage in range(stages):
            found = [known[kind] for kind in kinds[stage]]
            assert found == [(stage, 2, 0), (stage, 2, 1), (stage, 3, 2), (stage, 3, 3)]


def _by_stage(own: int, rivals: int, n: int, q: int, c: int, g: int) -> float:
    return (1.0 + c - g) * own - 0.5 * rivals * (n + q) * (1 + g)


def _by_class(own: int, rivals: int, n: int, q: int, c: int) -> float:
    return _by_stage(own, rivals, n, q, c, 0)


@given(st.lists(st.integers(0, 8), max_size=7, unique=True), st.sampled_from([1, 2, 4, 9]))
def test_moves_and_energies_count_each_line_by_class_and_stage(
    cells: list[int], stages: int
) -> None:
    position = ox.Game("3^2").start()
    for cell in cells:
        if not position.is_over:
            position = position.play(cell)
    if position.is_over:
        return
    function = _by_stage if stages > 1 else _by_class
    heuristic = ox.line_heuristic(function, classes="orbits", full="weight", stages=stages)
    stage = position.ply * stages // 9
    classes = CLASSES["orbits"](position.game.board)
    mover, board = position.to_move, position.game.board

    def worth(owners: bytes) -> float:
        held = [[owners[c] for c in board.line(i)] for i in range(board.line_count)]
        counts = [(row.count(mover), 3 - row.count(0) - row.count(mover)) for row in held]
        pairs = zip(counts, classes, strict=True)
        return sum(_by_stage(own, rivals, 3, 2, c, stage) for (own, rivals), c in pairs)

    expected = [worth(position.play(cell).owners) for cell in position.legal_moves]
    assert move_values(position, heuristic, 0.0) == pytest.approx(expected)
    energy = ox.energy(position, heuristic).players[mover - 1]
    assert energy == pytest.approx(worth(position.owners))


def test_heuristics_with_and_without_classes_play_one_compiled_match() -> None:
    board = ox.Game("3^2").board
    plain, by_class = ox.agent("ising"), ox.line_heuristic(_by_class, classes="orbits")
    tables = [tabulate(ox.line_heuristic(_plain), board, 2), tabulate(by_class, board, 2)]
    weights, kinds = side_by_side(tables)
    for i, table in enumerate(tables):
        assert np.array_equal(weights[i][kinds], table.weights[table.kinds])
    agents = [ox.agent("greedy", heuristic=by_class), plain]
    result = ox.match("3^2", agents, games=20, seed=1)
    assert result.compiled
    assert sum(result.wins) + result.draws == 20


@pytest.mark.more
@given(st.permutations(range(9)), st.sampled_from(["3^2", "3^2:players=3", "3^2:blocked=4"]))
def test_what_is_kept_up_to_date_is_what_is_worked_out_anew(order: list[int], spec: str) -> None:
    game = ox.Game(spec)
    known = [
        ox.line_heuristic(_by_stage, classes="orbits", stages=3),
        ox.line_heuristic(_plain),
        ox.line_heuristic(_by_stage, stages=2),
        ising_heuristic("scan"),
    ]
    tables = [tabulate(one, game.board, game.players) for one in known]
    weights, kinds = side_by_side(tables)
    by_ends = np.array([table.by_ends for table in tables], dtype=np.int64)
    t, s = tables_of(game), state_of(game.start())
    energy, anew = np.zeros((2, 4, game.players))
    score, anew_score = np.zeros((2, 4, game.players, 9))
    for i, table in enumerate(tables):
        add_all_lines(t, s, table.weights, table.kinds, table.by_ends, energy[i], score[i])
    position = game.start()
    for cell in order:
        if position.is_over or cell not in position.legal_moves:
            continue
        play_scored(t, s, cell, weights, kinds, by_ends, energy, score)
        position = position.play(cell)
        for i, table in enumerate(tables):
            lines = table.weights, table.kinds, int(table.by_ends)
            add_all_lines(t, s, *lines, anew[i], anew_score[i])
        assert energy == pytest.approx(anew)
        free = list(position.legal_moves)
        assert score[..., free] == pytest.approx(anew_score[..., free])


def test_the_same_table_at_every_stage_changes_nothing() -> None:
    plain = ox.line_heuristic(lambda own, rivals, *_: _plain(own, rivals))
    staged = replace(plain, stages=4)
    position = ox.Game("4^2").position("moves:5,0,3")
    three = ox.Game("3^2:players=3").position("moves:4,0")
    for name, option, others in (
        ("greedy", "heuristic", {}),
        ("minimax", "heuristic", {"depth": 3}),
        ("mcts", "playout", {"simulations": 50}),
        ("puct", "heuristic", {"simulations": 50}),
    ):
        agents = [ox.agent(name, **{option: one}, **others) for one in (plain, staged)]
        for start in (position, three):
            first, second = (agent.explain(start, 1) for agent in agents)
            assert first is not None
            assert first == second


def _plain(own: int, rivals: int) -> float:
    return 2.0 * own - rivals


def test_bad_classes_are_one_line() -> None:
    with pytest.raises(SpecError, match="classes must be one of orbits, axes, not 'rings'"):
        ox.line_heuristic(_plain, classes="rings")
    with pytest.raises(SpecError, match=r"takes \(own, rivals\[, n\[, q\]\]\), not 5 arguments"):
        ox.line_heuristic(_by_class)
    with pytest.raises(SpecError, match=r"n\[, q\[, c\[, g\]\]\]\]\), not 7 arguments"):
        ox.line_heuristic(lambda a, b, c, d, e, f, g: 0.0, stages=2)
    with pytest.raises(SpecError, match="stages must be 1 to 9, not '10'"):
        ox.line_heuristic(_plain, stages=10)
