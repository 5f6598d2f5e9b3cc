"""The symmetries that keep an opening, and what searches make of them."""

from __future__ import annotations

import numpy as np
import pytest

from hyperoxo.game import Game, Position
from hyperoxo.solvers.arrays import symmetries_of
from hyperoxo.solvers.coalition.search import keys_of
from hyperoxo.solvers.proofsearch.view import ProofView, words_of
from tests.marks import more

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
