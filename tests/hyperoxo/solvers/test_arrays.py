"""Increments of packed line counters, by their definition."""

from __future__ import annotations

import numpy as np
import pytest

from hyperoxo.game import Game, Position
from hyperoxo.solvers.arrays import packed_increments, symmetries_of
from hyperoxo.solvers.coalition.search import keys_of
from hyperoxo.solvers.proofsearch.view import ProofView, words_of
from tests.marks import more

OFFSET = 8


@pytest.mark.parametrize(
    "spec", ["1^1", "3^2", "2^3", "4^3", "3^3:blocked=centre", "5,4,3", "6{0+1+2/0+3/4}", "5{}"]
)
def test_every_stone_counts_in_each_of_its_lines(spec: str) -> None:
    """A line has four bits, and the last row is the offset that makes a full line 8."""
    board = Game(spec).board
    increments = packed_increments(Game(spec))
    assert increments.shape == (board.cell_count + 1, max(1, -(-board.line_count // 16)))
    assert increments.dtype == "uint64"
    fields = [[int(word) >> 4 * place & 15 for word in row for place in range(16)]
              for row in increments]  # fmt: skip
    for line in range(board.line_count):
        cells = {int(cell) for cell in board.line(line)}
        assert {cell for cell in range(board.cell_count) if fields[cell][line]} == cells
        assert sum(fields[cell][line] for cell in cells) + fields[-1][line] == OFFSET
    for row in fields:
        assert not any(row[board.line_count :])


@pytest.mark.parametrize("spec", ["3^2:target=2", "8^2", "3^5", "4^4"])
def test_where_they_do_not_serve(spec: str) -> None:
    """More lines to win, lines of over seven cells, over 384 lines."""
    assert packed_increments(Game(spec)).shape == (0, 1)


# The symmetries that keep an opening, and what searches make of them.


GAMES = ["3^2", "4,3,3", "3^2:opening=0", "3^2:opening=0+1x2", "2^3:opening=poor", "4,4,3:gravity"]


@pytest.mark.parametrize("spec", more(GAMES, ["2^3:opening=poor"]))
def test_they_are_all_that_map_the_opening_onto_itself(spec: str) -> None:
    game = Game(spec)
    opening = game.opening or frozenset()
    expected = [
        row
        for row in game.symmetry.permutations().tolist()
        if {row[cell] for cell in opening} == set(opening)
    ]
    assert symmetries_of(game).tolist() == expected
    assert symmetries_of(game, 10**6).tolist() == expected
    assert symmetries_of(game, 0).tolist() == [list(range(game.board.cell_count))]


@pytest.mark.parametrize("spec", [*GAMES, "3^2:players=3"])
def test_images_of_a_position_have_the_same_least_name(spec: str) -> None:
    game = Game(spec)
    keys, rng = keys_of(game), np.random.default_rng(4)
    position = game.start()
    while not position.is_over:
        owners = np.frombuffer(position.owners, np.uint8)
        for row in keys.perms:
            image = np.empty_like(owners)
            image[row] = owners
            names = keys.names(Position.from_owners(game, image.tobytes()))
            assert names.min() == keys.names(position).min()
        assert keys.names(position, 1).tolist() == keys.names(position)[:1].tolist()
        position = position.play(int(rng.choice(position.legal_moves)))


def test_classes_of_moves_lead_to_images_of_one_position() -> None:
    position = Game("3^2").position("moves:4")
    view = ProofView(position.game, 1)
    classes = view.classes(position)
    assert classes == {0: [0, 2, 6, 8], 1: [1, 3, 5, 7]}
    images = {view.canonical(words_of(position.play(cell), 1)) for cell in classes}
    assert len(images) == len(classes)
