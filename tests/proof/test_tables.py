"""Boards as the compiled loops take them, field by field."""

from __future__ import annotations

import pytest

from hyperoxo.proof.dictionary_walk import cells_of
from hyperoxo.proof.forced import search_of
from hyperoxo.proof.forced_loops import LONGEST
from hyperoxo.proof.tables import stones_of, tables_of
from hyperoxo.rules import Game

SPECS = ("3^2", "4^3:blocked=0+63", "128{0+1+127/1+2/64+65+127}:blocked=3+100", "3{}", "5,3,3")


@pytest.mark.parametrize("spec", SPECS)
def test_every_field_is_what_the_board_says(spec: str) -> None:
    game = Game(spec)
    board, tables = game.board, tables_of(game)
    cells = range(board.cell_count)
    lines = [board.line(number).tolist() for number in range(board.line_count)]
    assert [cells_of(row, 0) for row in tables.lines] == [sorted(line) for line in lines]
    assert tables.sizes.tolist() == [len(line) for line in lines]
    assert [cells_of(row, 0) for row in tables.bits] == [[cell] for cell in cells]
    for cell in cells:
        through = tables.through[tables.starts[cell] : tables.starts[cell + 1]].tolist()
        assert through == [number for number, line in enumerate(lines) if cell in line]
    assert cells_of(tables.playable, 0) == [cell for cell in cells if cell not in game.blocked]
    assert tables.weights.shape == (max(map(len, lines), default=1) + 1,) * 3
    assert len({*tables.weights.ravel().tolist()}) == tables.weights.size
    assert len(search_of(game).sequence) > LONGEST


def test_stones_are_the_attackers_and_the_defenders() -> None:
    owners = bytes([1, 2, 0, 255, 1] + [0] * 60 + [2, 1])
    for attacker, mine, his in ((1, [0, 4, 66], [1, 65]), (2, [1, 65], [0, 4, 66])):
        stones = stones_of(owners, attacker)
        assert (cells_of(stones, 0), cells_of(stones, 2)) == (mine, his)
        assert stones.shape == (4,)
