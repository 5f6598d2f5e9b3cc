"""Kinds of boards: the size that each says it will have is the size that it has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.board.grid import most_lines
from hyperoxo.board.registry import KINDS, BoardSpec, build, size_of
from tests.oracle import grid

SIZES = {"hypercube": (st.integers(1, 5), st.integers(1, 3)), "mnk": (st.integers(1, 6),) * 3}


@st.composite
def board_specs(draw: st.DrawFn) -> BoardSpec:
    kind = draw(st.sampled_from(sorted(SIZES)))
    sizes = tuple(draw(size) for size in SIZES[kind])
    axes = range(sizes[1] if kind == "hypercube" else 2)
    wrap = draw(st.none() | st.lists(st.sampled_from(axes), unique=True).map(tuple))
    connect = draw(st.none() | st.integers(1, sizes[0])) if kind == "hypercube" else None
    return BoardSpec(kind, sizes, connect=connect, wrap=wrap)


def _shape_and_length(spec: BoardSpec) -> tuple[tuple[int, ...], int]:
    if spec.kind == "mnk":
        return (spec.sizes[1], spec.sizes[0]), spec.sizes[2]
    return (spec.sizes[0],) * spec.sizes[1], spec.connect or spec.sizes[0]


@pytest.mark.more
@given(board_specs())
def test_lines_are_all_runs_and_sizes_are_kept(spec: BoardSpec) -> None:
    board, size = build(spec), size_of(spec)
    shape, length = _shape_and_length(spec)
    axes = set(range(len(shape)) if spec.wrap == () else spec.wrap or ())
    _, lines = grid(shape, length, axes)
    assert [board.line(number).tolist() for number in range(board.line_count)] == [
        sorted(line) for line in lines
    ]
    assert size.cells == board.cell_count
    assert size.lines >= board.line_count
    if spec.kind == "hypercube" and spec.sizes[0] > 2:
        assert size.lines == board.line_count
    assert most_lines(shape, length, sorted(axes)) >= size.lines


def test_every_kind_says_how_large_its_boards_are() -> None:
    heads = {
        "hypercube": BoardSpec("hypercube", (4, 3)),
        "mnk": BoardSpec("mnk", (7, 6, 4)),
        "lines": BoardSpec("lines", (4,), ((0, 1), (1, 2, 3))),
    }
    assert set(heads) == set(KINDS)
    for spec in heads.values():
        board, size = build(spec), size_of(spec)
        assert (size.cells, size.lines) == (board.cell_count, board.line_count)
