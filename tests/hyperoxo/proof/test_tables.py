"""Boards as the compiled loops take them, field by field."""

from __future__ import annotations

import random

import numpy as np
import pytest

from hyperoxo.errors import LimitError, NotSupportedError
from hyperoxo.game import Game
from hyperoxo.proof.forced import search_of
from hyperoxo.proof.forced_loops import longest
from hyperoxo.proof.tables import AT_SUM, STONES, fill, lift, place, stones_of, tables_of

SPECS = (
    "3^2",
    "4^3:blocked=0+63",
    "300{0+1+127/1+2/64+65+127/255+256+299}:blocked=3+100",
    "3{}",
    "5,3,3",
)


@pytest.mark.parametrize("spec", SPECS)
def test_every_field_is_what_the_board_says(spec: str) -> None:
    game = Game(spec)
    board, tables = game.board, tables_of(game)
    cells = range(board.cell_count)
    lines = [board.line(number).tolist() for number in range(board.line_count)]
    assert tables.sizes.tolist() == [len(line) for line in lines]
    assert tables.sums.tolist() == [sum(line) for line in lines]
    pairs = zip(tables.ends[:-1], tables.ends[1:], strict=True)
    assert [sorted(tables.cells[begin:end].tolist()) for begin, end in pairs] == lines
    for cell in cells:
        through = tables.through[tables.starts[cell] : tables.starts[cell + 1]].tolist()
        assert through == [number for number, line in enumerate(lines) if cell in line]
    assert tables.keys.shape == (len(cells), 2)
    assert len({*tables.keys.ravel().tolist()}) == tables.keys.size
    assert len(search_of(game).sequence) > longest(tables)


@pytest.mark.parametrize("attacker", [1, 2])
def test_stones_are_the_attackers_and_the_defenders(attacker: int) -> None:
    game = Game("4,4,3:blocked=15")
    tables, rng = tables_of(game), random.Random(attacker)
    for _ in range(30):
        owners = bytes([*(rng.choice((0, 0, 1, 2)) for _ in range(15)), 255])
        stones = stones_of(tables, owners, attacker)
        seats = {0: 0, attacker: 1, 3 - attacker: 2, 255: 3}
        assert stones.owners.tolist() == [seats[owner] for owner in owners]
        for number, held in enumerate(stones.lines.tolist()):
            line = game.board.line(number).tolist()
            mine, theirs = (sum(owners[c] == p for c in line) for p in (attacker, 3 - attacker))
            assert held & STONES == mine + (theirs << 16)
            assert held >> AT_SUM == sum(cell for cell in line if not owners[cell])
        free = owners.find(0)
        if free >= 0:
            before = stones.lines.tolist()
            place(tables, stones, free, 1)
            after = owners[:free] + bytes([3 - attacker]) + owners[free + 1 :]
            assert stones.lines.tolist() == stones_of(tables, after, attacker).lines.tolist()
            lift(tables, stones, free, 1)
            assert (stones.lines.tolist(), stones.owners[free]) == (before, 0)


def test_a_position_is_written_over_another() -> None:
    tables = tables_of(Game("3^2"))
    one, other = bytes([1, 2, 0, 0, 1, 0, 0, 2, 1]), bytes([0, 1, 2, 0, 0, 0, 1, 0, 0])
    stones, wanted = stones_of(tables, one, 1), stones_of(tables, other, 1)
    fill(tables, stones, np.frombuffer(other, np.uint8), 1)
    assert stones.owners.tolist() == wanted.owners.tolist()
    assert stones.lines.tolist() == wanted.lines.tolist()


def test_other_rules_have_no_tables() -> None:
    with pytest.raises(NotSupportedError):
        tables_of(Game("3^2:misere"))


def test_the_largest_boards() -> None:
    assert len(tables_of(Game("40,50,5")).starts) == 2_001
    with pytest.raises(LimitError, match="at most 2,000 cells, unlike 43,47,5"):
        tables_of(Game("43,47,5"))
